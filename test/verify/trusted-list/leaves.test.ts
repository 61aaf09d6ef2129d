import { describe, expect, test } from '@jest/globals';
import { Extension, GeneralName, id_ce_subjectAltName, SubjectAlternativeName } from '@peculiar/asn1-x509';
import { OctetString } from '@peculiar/asn1-schema';
import {
  type Authority,
  type CertificatePlan,
  certify,
  extension,
  x5cOf,
} from '../../support/verify/certificates.js';
import { newKeyPair } from '../../support/verify/issuer.js';
import { listToken } from '../status/status-server.js';
import { anchoredIn, root, told } from '../../support/verify/chains.js';
import { processOf, type ServicePlan, signed, trusting, whyUnusable } from '../../support/verify/lists.js';

const types = 'http://uri.etsi.org/19602/SvcType/PID/';
/** The Norwegian CA, which no list names, and its certificate for PIDs: qualified, and critically so. */
const ca = certify({ subject: 'Qualified CA', isCa: true });
const qualified = (critical: boolean): Extension =>
  new Extension({
    extnID: '1.3.6.1.5.5.7.1.3',
    critical,
    extnValue: new OctetString(Buffer.from('300a3008060604008e460101', 'hex')),
  });
const plan = { subject: 'PID-utsteder', issuer: ca, more: [qualified(true)] };
const utsteder = certify(plan);

/** A process whose list names these certificates, and what becomes of a presentation below a chain. */
async function listing(
  services: readonly ServicePlan[],
  { x5c = {}, entry = {} }: { x5c?: object; entry?: object } = {},
) {
  const made = processOf(trusting({}, x5c, entry));
  made.publish(await signed({ entities: [{ services }] }));
  return async (...chain: Authority[]): Promise<string> => whyUnusable(await made.judge(chain));
}

const naming = async (...certificates: Authority[]) => await listing([{ certificates }]);
const stranger = /^key_not_found K03 /;

describe('F80 an end entity that the list names signs PIDs itself', () => {
  test('F80 qualified or not, with any CA or none in the list', async () => {
    expect(await (await naming(utsteder))(utsteder)).toBe('valid');
    expect(await (await naming(root, utsteder))(utsteder)).toBe('valid');
    const plain = certify({ ...plan, more: [] });
    expect(await (await naming(plain))(plain)).toBe('valid');
    const minor = certify({ ...plan, more: [qualified(false)] });
    expect(await (await naming(minor))(minor)).toBe('valid');
  });

  test('F80 with a key of P-384, where the entry takes ES384', async () => {
    const strong = certify({ ...plan, keys: newKeyPair('ES384') });
    const taking = await listing([{ certificates: [strong] }], {
      entry: { algorithms: ['ES256', 'ES384'] },
    });
    expect(await taking(strong)).toBe('valid');
    expect(await (await naming(strong))(strong)).toMatch(/^presentation_invalid H01 /);
  });

  test('F80 under HAIP too, where one that signed itself is refused', async () => {
    const haip = { entry: { profile: 'haip-1.0' } };
    expect(await (await listing([{ certificates: [utsteder] }], haip))(utsteder)).toBe('valid');
    const own = certify({ ...plan, issuer: undefined });
    expect(await (await listing([{ certificates: [own] }], haip))(own)).toBe(
      'presentation_invalid K05 x5c[0] is self-signed.',
    );
    expect(await (await naming(own))(own)).toBe('valid');
  });
});

describe('F80 it counts as that exact leaf', () => {
  test.each<[what: string, chain: () => readonly Authority[]]>([
    ['another certificate of the same name and key', () => [certify({ ...plan, keys: utsteder.keys })]],
    ['another certificate of its CA', () => [certify({ subject: 'PID-utsteder', issuer: ca })]],
    ['the same name with another key', () => [certify(plan)]],
    ['one below it', () => [certify({ subject: 'Below', issuer: utsteder })]],
    ['one below it, with it', () => [certify({ subject: 'Below', issuer: utsteder }), utsteder]],
    ['itself with its CA', () => [utsteder, ca]],
    ['itself twice', () => [utsteder, utsteder]],
  ])('F80 not as %s', async (_, chain) => {
    expect(await (await naming(utsteder))(...chain())).toMatch(stranger);
    expect(await (await naming(root, utsteder))(...chain())).toMatch(stranger);
  });

  test('F80 its name and key make no anchor of it, even if it may sign certificates', async () => {
    const both = certify({ ...plan, keyUsage: ['digitalSignature', 'keyCertSign'] });
    const judge = await naming(both);
    expect(await judge(both)).toBe('valid');
    expect(await judge(certify({ subject: 'Below', issuer: both }))).toMatch(stranger);
    expect(await judge(certify({ subject: 'Below', issuer: both }), both)).toMatch(stranger);
  });

  test('F80 for PID issuance alone', async () => {
    for (const type of [`${types}Revocation`, 'http://uri.etsi.org/19602/SvcType/WRPAC/Issuance']) {
      const services = [{ certificates: [root] }, { type, certificates: [utsteder] }];
      expect(await (await listing(services))(utsteder)).toMatch(stranger);
    }
  });

  test('F80 for credentials alone: it signs no status list', async () => {
    const uri = 'https://issuer.example/status';
    const token = listToken(uri, { signer: utsteder.keys, header: { x5c: x5cOf(utsteder) } });
    const headers = { 'content-type': 'application/statuslist+jwt' };
    const list = await signed({ entities: [{ services: [{ certificates: [root, utsteder] }] }] });
    const { judge } = processOf(trusting(), {
      fetch: async (address) => (address === uri ? new Response(token, { headers }) : new Response(list)),
    });
    expect(await judge([utsteder])).toBe('valid');
    expect(await judge([utsteder], { status: { status_list: { uri, idx: 0 } } })).toMatch(
      /^credential_status_unavailable K03 /,
    );
  });

  test('F80 no longer than the list names it', async () => {
    const { judge, publish, wait } = processOf(trusting());
    publish(await signed({ entities: [{ services: [{ certificates: [root, utsteder] }] }] }));
    expect(await judge([utsteder])).toBe('valid');
    publish(await signed({ sequence: 8, entities: [{ services: [{ certificates: [root] }] }] }));
    wait(86_400_000);
    // Nobody waits for a newer list while one counts, but for a chain that it does not know.
    expect(await judge([certify({ ...plan, subject: 'unknown' })])).toMatch(stranger);
    expect(await judge([utsteder])).toMatch(stranger);
  });
});

describe('F80 the rules for leaves hold for it', () => {
  const like = (change: Partial<CertificatePlan>) => certify({ ...plan, ...change });

  test.each<[what: string, leaf: Authority, refusal: RegExp]>([
    ['expired', like({ notAfter: -1 }), /^presentation_invalid K06 x5c\[0\] expired 1 second ago\.$/],
    ['not valid yet', like({ notBefore: 1 }), /^presentation_invalid K06 x5c\[0\] is valid only /],
    [
      'of a relying party',
      like({ purposes: ['1.0.18013.5.1.6'] }),
      /^presentation_invalid K18 x5c\[0\] is for a relying party /,
    ],
    [
      'for code',
      like({ purposes: ['1.3.6.1.5.5.7.3.3'] }),
      /^presentation_invalid K18 x5c\[0\] is not for signing/,
    ],
    ['without a name', like({ subject: '' }), /^presentation_invalid K10 /],
  ])('F80 it is refused where it is %s', async (_, leaf, refusal) => {
    expect(await (await naming(leaf))(leaf)).toMatch(refusal);
  });

  const limited = new Extension({ extnID: '1.2.3.4', critical: true, extnValue: new OctetString([5, 0]) });
  test.each<[what: string, leaf: Authority]>([
    ['may not sign', like({ keyUsage: ['keyAgreement'] })],
    ['has no key usage', like({ keyUsage: 'absent' })],
    ['has another critical extension', like({ more: [qualified(true), limited] })],
    ['has a weak key', like({ keys: newKeyPair('EdDSA'), signedBy: ca.keys })],
  ])('F80 L15 one that %s is passed over', async (_, leaf) => {
    expect(await (await naming(leaf))({ ...leaf, keys: newKeyPair() })).toBe(
      'L15 no entity in it that counts has a certificate that issues PIDs.',
    );
  });

  test('F80 K20 K10 subject and name, where the entry asks for them', async () => {
    const subject = (CN: string) => ({ x5c: { leaf: { subject: { CN } } } });
    expect(await (await listing([{ certificates: [utsteder] }], subject('PID-utsteder')))(utsteder)).toBe(
      'valid',
    );
    expect(await (await listing([{ certificates: [utsteder] }], subject('Another')))(utsteder)).toMatch(
      /^presentation_invalid K20 /,
    );
    const names = { x5c: { leaf: { requireIssuerInSan: true } } };
    const named = like({
      more: [
        qualified(true),
        extension(
          id_ce_subjectAltName,
          new SubjectAlternativeName([new GeneralName({ dNSName: 'issuer.example' })]),
        ),
      ],
    });
    expect(await (await listing([{ certificates: [named] }], names))(named)).toBe('valid');
    expect(await (await listing([{ certificates: [utsteder] }], names))(utsteder)).toMatch(
      /^presentation_invalid K10 /,
    );
  });

  test('F80 K08 the critical statement is known nowhere else', async () => {
    const below = certify({ subject: 'PID Issuer', issuer: ca });
    const more = [qualified(true)];
    expect(await told([utsteder], anchoredIn([ca]))).toMatch(/^K08 x5c\[0\] has an extension that limits/);
    expect(await (await naming(ca))(utsteder)).toMatch(/^presentation_invalid K08 x5c\[0\] has an extension/);
    expect(await (await naming(ca))(below)).toBe('valid');
    const between = certify({ subject: 'Between', issuer: root, isCa: true, more });
    expect(await told([certify({ subject: 'PID Issuer', issuer: between }), between])).toMatch(
      /^K08 x5c\[1\] has an extension/,
    );
    const anchor = certify({ subject: 'Anchor', isCa: true, more });
    await expect(told([below], anchoredIn([anchor]))).rejects.toMatchObject({ code: 'config_invalid' });
  });
});

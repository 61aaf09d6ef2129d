import { describe, expect, test } from '@jest/globals';
import {
  type Authority,
  type CertificatePlan,
  certify,
  pemOf,
  x5cOf,
} from '../support/verify/certificates.js';
import {
  anchoredIn,
  caOf as newCa,
  explainChain,
  signedWith,
  signerBelow,
} from '../support/verify/chains.js';
import { newKeyPair } from '../support/verify/issuer.js';
import { entitiesOf, goodHeader, judgeUnder, judgeUnderStatus, listOf } from '../support/verify/lists.js';
import { signedUnder, trusting, types } from '../support/verify/lists.js';
import { issuerServer, servingList, statusVerifier } from '../support/verify/servers.js';

/** The structures of docs/issuers.md, as real material has them, with keys of our own. */
const pidCa = '1.3.130.2.0.0.1.7';
const pidSigner = '1.3.130.2.0.0.1.2';
const reader = '1.0.18013.5.1.6';

const caOf = (subject: string, more: Partial<CertificatePlan> = {}) =>
  newCa(subject, { pathLength: 0, ...more });
const profiles = ['sd-jwt-vc', 'haip-1.0'] as const;

async function inBoth(chain: readonly Authority[], anchor: Authority): Promise<string[]> {
  return await Promise.all(
    profiles.map(async (profile) => await explainChain(chain, anchoredIn([anchor], { profile }))),
  );
}

describe('F79 F80 issuers, by their certificates', () => {
  const eu = caOf('PID Issuer CA', { purposes: [pidCa] });

  test.each<[what: string, purposes: string[] | undefined]>([
    ['with the purpose of PIDs (PID DS - 01)', [pidSigner]],
    ['without a purpose (Kotlin PID Issuer DEV)', undefined],
  ])('F79 the EU reference issuers: a leaf %s', async (_, purposes) => {
    const leaf = certify({ subject: 'PID DS', issuer: eu, ...(purposes && { purposes }) });
    expect(await inBoth([leaf], eu)).toEqual(['valid', 'valid']);
  });

  test('F79 ISO documents: a root for document signers, and one of them', async () => {
    const iaca = caOf('IACA', { purposes: ['1.0.18013.5.1.7'] });
    const leaf = certify({ subject: 'DS', issuer: iaca, purposes: ['1.0.18013.5.1.2'] });
    expect(await inBoth([leaf], iaca)).toEqual(['valid', 'valid']);
  });

  test('K18 demo issuers that sign with the certificate of a relying party', async () => {
    const refusal = 'K18 x5c[0] is for a relying party or TLS (extended key usage).';
    const leaf = certify({ subject: 'EUDI Remote Verifier', issuer: eu, purposes: [reader] });
    expect(await inBoth([leaf], eu)).toEqual([refusal, refusal]);
  });

  test('K18 an issuer whose certificate is for documents of one maker', async () => {
    const ca = caOf('Document CA');
    const leaf = certify({ subject: 'Issuer', issuer: ca, purposes: ['1.2.840.113583.1.1.5'] });
    expect(await explainChain([leaf], anchoredIn([ca]))).toMatch(
      /^K18 x5c\[0\] is not for signing credentials /,
    );
    const keys = { x5c: { anchors: [pemOf(ca)], leaf: { purposes: ['1.2.840.113583.1.1.5'] } } };
    expect(await explainChain([leaf], anchoredIn([ca], { keys }))).toBe('valid');
  });

  test('K04 German samples of 2024 send the anchor along', async () => {
    const ca = caOf('PIDP Demo CA');
    const leaf = certify({ subject: 'PID Issuer', issuer: ca });
    expect(await inBoth([leaf, ca], ca)).toEqual([
      'valid',
      'K04 x5c[1] is an anchor, which must not be sent.',
    ]);
  });

  test('K05 K07 an issuer that signed its own certificate, and one whose CA has no key usage', async () => {
    const ca = certify({ subject: 'Root', isCa: true });
    expect(await explainChain([certify({ subject: 'Issuer' })], anchoredIn([ca]))).toMatch(/^K05 /);
    const between = certify({ subject: 'Between', issuer: ca, isCa: true, keyUsage: 'absent' });
    const leaf = certify({ subject: 'Issuer', issuer: between });
    expect(await explainChain([leaf, between], anchoredIn([ca]))).toBe('K07 x5c[1] has no key usage.');
  });
});

describe('F76 a CA of its own for status lists, as in Germany since September 2026', () => {
  const published = issuerServer();
  const pids = caOf('PID-Signer Test CA');
  const lists = caOf('PID-Status-List-Signer Test CA');
  const pid = certify({ subject: 'PID-Signer', issuer: pids });
  const lister = certify({ subject: 'PID-Status-List-Signer', issuer: lists });

  const byLister = { signer: lister.keys, header: { x5c: x5cOf(lister) } };

  test.each<[what: string, x5c: object, verdict: string]>([
    ['named apart', { anchors: [pemOf(pids)], statusAnchors: [pemOf(lists)] }, 'valid'],
    ['not named', { anchors: [pemOf(pids)] }, 'credential_status_unavailable K03'],
  ])('F76 %s', async (_, x5c, verdict) => {
    published.answer = servingList(byLister);
    expect(await statusVerifier(published, { keys: { x5c } }).judge(undefined, signedWith([pid]))).toBe(
      verdict,
    );
  });

  test('F76 or in the list, by the services of the provider', async () => {
    const services = [{ certificates: [pids] }, { type: `${types}PID/Revocation`, certificates: [lists] }];
    const list = signedUnder(goodHeader, listOf({ entities: [{ services }] }));
    expect(await judgeUnderStatus(list, byLister, [pid])).toBe('valid');
  });
});

describe('F80 lists, by their form', () => {
  /** The signer of the German list: a CA without key usage that signed itself. */
  const signer = certify({ subject: 'LoTE Signer', isCa: true, keyUsage: 'absent' });
  const issuing = caOf('PIDP Demo CA');
  const pid = certify({ subject: 'PID Issuer', issuer: issuing });
  const payload = listOf({ entities: entitiesOf(issuing) });
  const { typ: _typ, ...plain } = { ...goodHeader, x5c: x5cOf(signer) };

  const under = (list: string, entry: object = {}, chain: Authority[] = [pid]) =>
    judgeUnder(list, trusting({ signers: [pemOf(signer)] }, {}, entry), chain);

  test.each<[who: string, header: object]>([
    ['SPRIND: trustlist+jwt, kid and x5c', { ...plain, typ: 'trustlist+jwt', kid: 'lote-signer' }],
    ['Procivis: JOSE', { ...plain, typ: 'JOSE' }],
    ['eudi-dev: JWT', { ...plain, typ: 'JWT' }],
    ['without typ', plain],
    [
      'JAdES of before V1.2.1',
      { ...plain, typ: 'JOSE', sigT: '2026-08-01T00:00:00Z', 'x5t#S256': 'a', crit: ['sigT'] },
    ],
    [
      'JAdES of TS 119 472-1',
      { ...plain, iat: 1_785_000_000, x5u: 'https://lists.example/x', 'x5t#S256': 'a' },
    ],
  ])('F80 %s', async (_, header) => {
    expect(await under(signedUnder(header, payload, signer))).toBe('valid');
  });

  test('F80 the Commission, with an end entity of Norway that signs with P-384', async () => {
    const digdir = signerBelow(newCa('Buypass'), { keys: newKeyPair('ES384') });
    const content = listOf({ entities: entitiesOf(issuing, digdir) });
    const list = signedUnder(plain, content, signer);
    expect(await under(list, { algorithms: ['ES256', 'ES384'] }, [digdir])).toBe('valid');
    expect(await under(list, {}, [digdir])).toMatch(/^H01 /);
  });

  test('L01 L07 JSON serialization (NXD), XML (TS 119 612), and no LoTE at the top', async () => {
    const [protected_, body, signature] = signedUnder(plain, payload, signer).split('.');
    const json = JSON.stringify({ payload: body, protected: protected_, signature });
    expect(await under(json)).toBe('L01 it is not a compact JWS.');
    expect(await under('<TrustServiceStatusList/>')).toBe('L01 it is not a compact JWS.');
    const own = { ...plain, typ: 'trustlist+jwt' };
    expect(await under(signedUnder(own, payload.LoTE, signer))).toBe(
      'L07 it is not a list of trusted entities.',
    );
    expect(await under(signedUnder(plain, payload.LoTE, signer))).toMatch(/^L02 /);
  });
});

import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  GeneralName,
  id_ce_subjectAltName,
  Name,
  OtherName,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509';
import { Extension } from '@peculiar/asn1-x509';
import { OctetString } from '@peculiar/asn1-schema';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { seed } from '../../support/seed.js';
import {
  type Authority,
  type CertificatePlan,
  certify,
  extension,
  pemOf,
} from '../../support/verify/certificates.js';
import { clock, type KeyPair, newKeyPair } from '../../support/verify/issuer.js';
import { expected, inShort } from '../trust/trusting.js';
import { thrown } from '../../support/verify/verdicts.js';
import {
  anchoredIn,
  brainpool,
  by,
  intermediate,
  leaf,
  presentWith,
  root,
  rsa,
  told,
  withIntermediate,
  withLeaf,
} from '../../support/verify/chains.js';

/** A trust entry that reads all of a leaf: names, subject, policies and purposes. */
const readingAll = anchoredIn([root], {
  keys: {
    x5c: {
      anchors: [pemOf(root)],
      leaf: { requireIssuerInSan: true, subject: { CN: 'PID Issuer', C: 'DE' } },
    },
  },
});

const alternative = (content: Buffer) =>
  new Extension({ extnID: id_ce_subjectAltName, critical: false, extnValue: new OctetString(content) });
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
/** A dNSName beside what is odd. */
const issuerExample = `820e${Buffer.from('issuer.example').toString('hex')}`;
const listed = (...parts: readonly string[]): Buffer => {
  const content = hex(parts.join(''));
  return Buffer.concat([Buffer.of(0x30, content.length), content]);
};
const named = (...names: readonly GeneralName[]) =>
  extension(id_ce_subjectAltName, new SubjectAlternativeName([...names]));

describe('F77 alternative names of every kind', () => {
  const issuer = new GeneralName({ dNSName: 'issuer.example' });
  const kinds: readonly (readonly [string, GeneralName])[] = [
    [
      'otherName',
      new GeneralName({
        otherName: new OtherName({ typeId: '1.2.3', value: new Uint8Array(hex('0c0178')).buffer }),
      }),
    ],
    ['rfc822Name', new GeneralName({ rfc822Name: 'a@issuer.example' })],
    ['directoryName', new GeneralName({ directoryName: new Name() })],
    ['uniformResourceIdentifier', new GeneralName({ uniformResourceIdentifier: 'urn:x' })],
    ['iPAddress', new GeneralName({ iPAddress: '192.0.2.1' })],
    ['registeredID', new GeneralName({ registeredID: '1.2.3' })],
  ];

  test.each(kinds)('F77 %s beside the one that counts', async (_, name) => {
    expect(await told(withLeaf({ more: [named(name, issuer)] }), readingAll)).toBe('valid');
  });

  const unread = 'K10 x5c[0] does not have the iss of the credential among its alternative names.';

  test.each([
    ['x400Address', listed(issuerExample, 'a300')],
    ['ediPartyName', listed('a505 a1030c0178', issuerExample)],
    ['ediPartyName with an assigner', listed('a50a a0030c0178 a1030c0178', issuerExample)],
  ])('F77 %s: the leaf names nobody', async (_, content) => {
    const chain = withLeaf({ more: [alternative(content)] });
    expect(await told(chain, readingAll)).toBe(unread);
    expect(await told(chain)).toBe('valid');
  });

  test.each([
    ['a kind that is none', listed(issuerExample, '8b0178')],
    ['names that are no list', hex('0500')],
    ['names cut off', listed(issuerExample).subarray(0, 9)],
    ['nothing', hex('')],
  ])("F77 %s: the certificate is nobody's", async (_, content) => {
    const chain = withLeaf({ more: [alternative(content)] });
    for (const trust of [readingAll, anchoredIn()]) {
      expect(await told(chain, trust)).toBe('K08 x5c[0] was not issued by x5c[1].');
    }
  });
});

describe('F77 certificates that their CA signed as they are', () => {
  const verifier = createVerifiers(readingAll, { clock }).get('de-ausweis');
  /** Numbers below a bound, the same in every run (a linear congruence). */
  let state = seed;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const mutated = (content: Buffer): Buffer => {
    const changed = Buffer.from(content);
    for (let left = 1 + below(3); left > 0; left -= 1) changed.writeUInt8(below(256), below(changed.length));
    return changed;
  };
  const more = [named(new GeneralName({ dNSName: 'issuer.example' }))];

  test.each([
    ['leaf', () => withLeaf({ more, tamper: mutated })],
    [
      'CA',
      () => {
        const issuer = certify({ ...inBetween, tamper: mutated });
        return [certify({ subject: 'PID Issuer', issuer, more }), issuer];
      },
    ],
  ])(`F77 a %s with bytes changed at random gets a verdict (SEED=${seed})`, async (_, chain) => {
    const verdicts = new Map<string, number>();
    for (let left = 250; left > 0; left -= 1) {
      const verdict = await verifier?.(presentWith(chain()), expected);
      const short = verdict === undefined ? 'none' : inShort(verdict);
      verdicts.set(short, (verdicts.get(short) ?? 0) + 1);
    }
    const allowed = /^(valid|(presentation_invalid|key_not_found) K(01|03|04|05|06|07|08|10|15|17|18|20))$/;
    expect([...verdicts.keys()].filter((it) => !allowed.test(it))).toEqual([]);
    expect(verdicts.size).toBeGreaterThan(3);
  });

  const inBetween: CertificatePlan = { subject: 'PID Intermediate', issuer: root, isCa: true };
});

describe('F77 years of two digits', () => {
  const until2066 = 40 * 365 * 86_400;
  /** Its tag and length: until 2049, dates are of another kind. */
  const generalizedTime = Buffer.of(0x18, 15);
  /** Node prints the years before 1000 without leading zeros, and Date.parse takes 30 to be 2030. */
  const inYear = (year: string): Partial<CertificatePlan> => ({
    notAfter: until2066,
    tamper: (content) => {
      const changed = Buffer.from(content);
      changed.write(year, content.indexOf(generalizedTime) + generalizedTime.length, 'latin1');
      return changed;
    },
  });
  const unreadable = 'K08 x5c[0] has parts that cannot be read.';

  test.each(['0000', '0001', '0030', '0049', '0050', '0099', '0100', '0999'])(
    'F77 the year %s is not of this century',
    async (year) => {
      expect(await told(withLeaf(inYear(year)))).toBe(unreadable);
      expect(await told(withIntermediate(inYear(year)))).toBe('K08 x5c[1] has parts that cannot be read.');
      const anchor = certify({ subject: 'Anchor', isCa: true, ...inYear(year) });
      expect(await thrown(async () => await by([leaf], anchoredIn([anchor])))).toMatchObject({
        code: 'config_invalid',
      });
    },
  );

  test.each(['1000', '1999'])('F77 the year %s has passed', async (year) => {
    expect(await told(withLeaf(inYear(year)))).toMatch(/^K06 x5c\[0\] expired \d+ seconds ago\.$/);
  });

  test.each(['2050', '9999'])('F77 the year %s is to come', async (year) => {
    expect(await told(withLeaf(inYear(year)))).toBe('valid');
  });
});

describe('F77 the key of a leaf before a trusted CA has signed it', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** An RSA key that nobody has: its modulus is a number of this size. */
  function rsaOf(bits: number, exponent = 'AQAB'): KeyPair {
    const n = Buffer.alloc(bits / 8, 0xab).toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'RSA', n, e: exponent }, format: 'jwk' });
    return { ...newKeyPair(), publicKey };
  }
  const dsa = (): KeyPair => ({
    ...newKeyPair(),
    ...generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }),
  });

  /** A leaf that claims to have signed itself. */
  const selfMade = (keys: KeyPair): Authority =>
    certify({ subject: 'PID Issuer', keys, signedBy: newKeyPair() });

  const usesOf = async (chain: readonly Authority[]): Promise<[string, number]> => {
    const [{ der } = leaf] = chain;
    const key = new X509Certificate(der).publicKey;
    const verify = jest.spyOn(X509Certificate.prototype, 'verify');
    const verdict = await by([{ ...leaf, der }, ...chain.slice(1)]);
    return [verdict, verify.mock.calls.filter(([used]: [KeyObject]) => used.equals(key)).length];
  };

  test.each([
    ['RSA of 1024 bits', () => rsa(1024)],
    ['RSA of 9000 bits', () => rsaOf(9000)],
    ['RSA of 16384 bits', () => rsaOf(16_384)],
    ['RSA with an exponent of 64 bits', () => rsaOf(2048, '_________w8')],
    ['RSA with the exponent 1', () => rsaOf(2048, 'AQ')],
    ['DSA', dsa],
    ['brainpool', brainpool],
    ['Ed25519', () => newKeyPair('EdDSA')],
  ])('F77 is not used if it is %s', async (_, keys) => {
    expect(await usesOf([selfMade(keys())])).toEqual(['key_not_found K03', 0]);
    expect(await usesOf([selfMade(keys()), intermediate])).toEqual(['presentation_invalid K08', 0]);
  });

  test('F77 is asked once if it is sound and its certificate names itself, and not at all if it does not', async () => {
    expect(await usesOf([certify({ subject: 'PID Issuer' })])).toEqual(['presentation_invalid K05', 1]);
    expect(await usesOf([certify({ subject: 'PID Issuer', issuer: certify({ subject: 'Other' }) })])).toEqual(
      ['key_not_found K03', 0],
    );
  });

  test('F77 an RSA key of 8192 bits counts, and a longer one is refused wherever it is', async () => {
    const told8192 = await told(withLeaf({ keys: rsaOf(8192) }));
    expect(told8192).toMatch(/^(H01|H02|K02) /);
    expect(await told(withLeaf({ keys: rsaOf(8200) }))).toBe(
      'K08 x5c[0] has a key that is neither EC P-256, P-384, P-521 nor RSA of 2048 to 8192 bits.',
    );
    const anchor = certify({ subject: 'Anchor', isCa: true, keys: rsaOf(8200), signedBy: newKeyPair() });
    expect(await thrown(async () => await by([leaf], anchoredIn([anchor])))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/RSA of 2048 to 8192 bits/),
    });
  });
});

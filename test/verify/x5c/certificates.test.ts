import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { deep } from '../../support/deep.js';
import { type Authority, type CertificatePlan, certify } from '../../support/verify/certificates.js';
import { type AlternativeName, alternativeNames, signings } from '../../support/verify/certificates.js';
import { extension as raw, withUnknownKey } from '../../support/verify/certificates.js';
import { identifierBytes, objectId, sequence, tlv } from '../../support/verify/der.js';
import { anchoredIn, brainpool, caOf, checkChain } from '../../support/verify/chains.js';
import { explainChain, intermediate, leaf, presentWith, root, rsa } from '../../support/verify/chains.js';
import { signerBelow, trustX5c, withIntermediate, withLeaf } from '../../support/verify/chains.js';
import { type KeyPair, newKeyPair } from '../../support/verify/issuer.js';
import {
  checkOf,
  judgeEach,
  judgeValues,
  refuse,
  refuseValues,
  thrown,
} from '../../support/verify/verdicts.js';
import { seed } from '../../support/seed.js';
import { keyPair } from '../../support/key-pair.js';

describe('K08 how each certificate is signed, and with which keys', () => {
  const rsaKeys = rsa(2048);
  const rsaRoot = caOf('RSA Root', { keys: rsaKeys });
  const signedBy = (name: keyof typeof signings) =>
    checkChain([signerBelow(rsaRoot, { signing: signings[name] })], anchoredIn([rsaRoot]));

  const sound = ['rsaSha256', 'rsaSha384', 'rsaSha512', 'pssSha256', 'pssSha384', 'pssSha512'] as const;
  judgeValues('K08 %s is accepted', sound, 'valid', signedBy);
  judgeValues('K08 %s', ['rsaSha1', 'rsaMd5', 'pssSha1'], 'K08', signedBy);

  const { ecdsaSha1: signing } = signings;
  const old = caOf('Old Root', { signing });
  const withKeys = (keys: KeyPair) => {
    const [{ der } = leaf, ...rest] = withLeaf({ keys });
    return [{ ...leaf, der }, ...rest];
  };

  judgeEach(checkChain, {
    'K08 ECDSA with SHA-1 on a leaf': ['K08', withLeaf({ signing })],
    'K08 ECDSA with SHA-1 on an intermediate': ['K08', withIntermediate({ signing })],
    'K08 ECDSA with SHA-384 is accepted': ['valid', withLeaf({ signing: signings.ecdsaSha384 })],
    'K08 ECDSA with SHA-512 is accepted': ['valid', withLeaf({ signing: signings.ecdsaSha512 })],
    'K08 how an anchor signed itself does not matter': ['valid', [signerBelow(old)], anchoredIn([old])],
    'K08 a CA with EC P-384 is accepted': ['valid', withIntermediate({ keys: newKeyPair('ES384') })],
    'K08 a CA with EC P-521 is accepted': ['valid', withIntermediate({ keys: newKeyPair('ES512') })],
    'K08 a CA with RSA 2048 is accepted': ['valid', withIntermediate({ keys: rsaKeys })],
    'K08 a leaf with a key of brainpool': ['K08', withKeys(brainpool())],
    'K08 a leaf with a key of Ed25519': ['K08', withKeys(newKeyPair('EdDSA'))],
    'K08 a leaf with a key of RSA 1024': ['K08', withKeys(rsa(1024))],
    'K08 a CA with a weak key': ['K08', withIntermediate({ keys: rsa(1024) })],
    'K08 a CA with a foreign curve': ['K08', withIntermediate({ keys: brainpool() })],
    'K01 a key of a kind that Node does not know': ['K01', [withUnknownKey(leaf), intermediate]],
  });
});

describe('K08 malformed certificates that a CA signed all the same', () => {
  const replacing = (from: string, to: string) => (content: Buffer) =>
    Buffer.from(content.toString('latin1').replace(from, to), 'latin1');
  const dates = ['270832120000Z', '271312120000Z', '2708121200000', '270812 20000Z'];

  for (const [what, date] of [
    ['end', '270812120000Z'],
    ['beginning', '250812120000Z'],
  ] as const) {
    judgeValues(`K08 %s is no date: the ${what}`, dates, 'K08', (wrong) =>
      checkChain(withLeaf({ tamper: replacing(date, wrong) })),
    );
  }

  test('K08 another signature algorithm inside than outside', async () => {
    const [inside = '', outside = ''] = ['2a8648ce3d040302', '2a8648ce3d040303'].map((hex) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    );
    expect(await checkChain(withLeaf({ tamper: replacing(inside, outside) }))).toBe('K08');
  });
});

describe('K08 extensions', () => {
  const documents = raw('2.5.29.37', sequence(objectId('1.0.18013.5.1.2')), true);
  const critical = raw('1.2.3.4', '0500', true);

  judgeEach((...more: ReturnType<typeof raw>[]) => checkChain(withLeaf({ more })), {
    'K08 unknown': ['valid', raw('1.2.3.4', '0500')],
    'K08 unknown and critical': ['K08', critical],
    'K08 policies, critical': ['valid', raw('2.5.29.32', '30053003060129', true)],
    'K08 an alternative name, critical': ['valid', raw('2.5.29.17', '3003820161', true)],
    'K08 a second key usage': ['K08', raw('2.5.29.15', '03020780', true)],
    'K08 extended key usage, critical': ['valid', documents],
    'K08 extended key usage that cannot be read': ['K08', raw('2.5.29.37', '0500')],
    'K08 two unknown ones of one kind': ['K08', raw('1.2.3.4', '0500'), raw('1.2.3.4', '0101ff')],
  });
  judgeEach(checkChain, {
    'K07 none at all on a leaf': ['K07', withLeaf({ bare: true })],
    'K07 none at all on an intermediate': ['K07', withIntermediate({ bare: true })],
    'K08 critical and unknown on an intermediate': ['K08', withIntermediate({ more: [critical] })],
  });
});

describe('K08, F105 extensions that limit names or policies, critical or not', () => {
  const mapping = sequence(objectId('1.2.3.1'), objectId('1.2.3.2'));
  const limiting = {
    'name constraints': ['2.5.29.30', '3007a0053003820161'],
    'policy mappings': ['2.5.29.33', sequence(mapping)],
    'policy constraints': ['2.5.29.36', '3003800100'],
    'inhibit anyPolicy': ['2.5.29.54', '020100'],
  } as const;
  const rows = Object.entries(limiting).flatMap(([what, [id, value]]) =>
    [true, false].map((critical) => [what, critical, { more: [raw(id, value, critical)] }] as const),
  );
  const refused = /^K08 x5c\[[01]\] has an extension that limits its use and is not supported\.$/;

  test.each(rows)(
    'K08, F105 %s (critical: %s) in a leaf, a CA, an anchor',
    async (_what, _critical, change) => {
      expect(await explainChain(withLeaf(change))).toMatch(refused);
      expect(await explainChain(withIntermediate(change))).toMatch(refused);
      const make = () => anchoredIn([caOf('Anchor', change)]);
      expect(await thrown(() => checkChain([leaf], make()))).toMatchObject({ code: 'config_invalid' });
    },
  );
});

/** A trust entry that reads all of a leaf: names, subject, policies and purposes. */
const readingAll = trustX5c({ leaf: { requireIssuerInSan: true, subject: { CN: 'PID Issuer', C: 'DE' } } });
const issuerName = { dNSName: 'issuer.example' };

describe('F77 alternative names of every kind', () => {
  const otherName = Buffer.concat([objectId('1.2.3'), Buffer.from('a0030c0178', 'hex')]);
  const beside = (name: AlternativeName) =>
    explainChain(withLeaf({ more: [alternativeNames(name, issuerName)] }), readingAll);

  judgeEach(beside, {
    'F77 otherName beside the one that counts': ['valid', { otherName }],
    'F77 rfc822Name beside the one that counts': ['valid', { rfc822Name: 'a@issuer.example' }],
    'F77 directoryName beside the one that counts': ['valid', { directoryName: sequence() }],
    'F77 uniformResourceIdentifier beside it': ['valid', { uniformResourceIdentifier: 'urn:x' }],
    'F77 iPAddress beside the one that counts': ['valid', { iPAddress: Buffer.of(192, 0, 2, 1) }],
    'F77 registeredID beside the one that counts': ['valid', { registeredID: identifierBytes('1.2.3') }],
  });

  /** A dNSName beside what is odd. */
  const dns = `820e${Buffer.from('issuer.example').toString('hex')}`;
  const listed = (content: string) => `30${(content.length / 2).toString(16).padStart(2, '0')}${content}`;
  const named = (hex: string) => withLeaf({ more: [raw('2.5.29.17', hex)] });
  const unread = 'K10 x5c[0] does not have the iss of the credential among its alternative names.';

  test.each([
    ['x400Address', listed(`${dns}a300`)],
    ['ediPartyName', listed(`a505a1030c0178${dns}`)],
    ['ediPartyName with an assigner', listed(`a50aa0030c0178a1030c0178${dns}`)],
  ])('F77 %s: the leaf names nobody', async (_, content) => {
    expect(await explainChain(named(content), readingAll)).toBe(unread);
    expect(await explainChain(named(content))).toBe('valid');
  });

  test.each([
    ['a kind that is none', listed(`${dns}8b0178`)],
    ['names that are no list', '0500'],
    ['names cut off', listed(dns).slice(0, 18)],
    ['nothing', ''],
  ])("F77 %s: the certificate is nobody's", async (_, content) => {
    for (const trust of [readingAll, anchoredIn()]) {
      expect(await explainChain(named(content), trust)).toBe('K08 x5c[0] was not issued by x5c[1].');
    }
  });
});

describe('F77 certificates that their CA signed as they are', () => {
  /** Numbers below a bound, the same in every run (a linear congruence). */
  let random = seed;
  const below = (bound: number): number => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((random / 2 ** 32) * bound);
  };
  const mutated = (content: Buffer): Buffer => {
    const changed = Buffer.from(content);
    for (let left = 1 + below(3); left > 0; left -= 1) changed.writeUInt8(below(256), below(changed.length));
    return changed;
  };
  const more = [alternativeNames(issuerName)];

  deep.test.each([
    ['leaf', () => withLeaf({ more, keys: leaf.keys, tamper: mutated })],
    [
      'CA',
      () => {
        const issuer = caOf('PID Intermediate', { issuer: root, keys: intermediate.keys, tamper: mutated });
        return [signerBelow(issuer, { more, keys: leaf.keys }), issuer];
      },
    ],
  ])(`F77 a %s with bytes changed at random gets a verdict (SEED=${seed})`, async (_, chain) => {
    const verdicts = new Set<string>();
    for (let left = 250; left > 0; left -= 1) verdicts.add(await checkOf(presentWith(chain()), readingAll));
    const allowed = /^(valid|(key_not_found )?K(01|03|04|05|06|07|08|10|15|17|18|20))$/;
    expect([...verdicts].filter((verdict) => !allowed.test(verdict))).toEqual([]);
    expect(verdicts.size).toBeGreaterThan(3);
  });
});

describe('K08, F108 times stand in one of the two forms of RFC 5280', () => {
  const [utcTime, generalizedTime] = [0x17, 0x18];
  const timeIn = (tag: number, text: string) => tlv(tag, Buffer.from(text));
  const [begin, end] = [timeIn(utcTime, '250812120000Z'), timeIn(utcTime, '270812120000Z')];
  const unread = 'K08 x5c[0] has parts that cannot be read.';
  const withTimes = (...times: readonly [Buffer, Buffer]) => explainChain(withLeaf({ times }));

  const others: [tag: number, text: string][] = [
    [utcTime, '2708121200Z'],
    [utcTime, '270812120000'],
    [utcTime, '270812120000z'],
    [utcTime, '270812120000+0000'],
    [utcTime, '270812120000-0100'],
    [utcTime, '2708121200+0100'],
    [utcTime, '20270812120000Z'],
    [utcTime, '270812120060Z'],
    [utcTime, '270812240000Z'],
    [utcTime, '270230120000Z'],
    [utcTime, ''],
    [generalizedTime, '202708121200Z'],
    [generalizedTime, '2027081212Z'],
    [generalizedTime, '20270812120000'],
    [generalizedTime, '20270812120000.5Z'],
    [generalizedTime, '20270812120000,5Z'],
    [generalizedTime, '20270812120000.000Z'],
    [generalizedTime, '20270812120000+0000'],
    [generalizedTime, '20270812120000+0100'],
    [generalizedTime, '20270812120000Z '],
    [generalizedTime, '270812120000Z'],
    [generalizedTime, '2027-08-12T12:00:00Z'],
    [generalizedTime, '20270229120000Z'],
    [0x0c, '20270812120000Z'],
  ];
  test.each(others)('K08, F108 not with tag %d as %j', async (tag, text) => {
    expect(await withTimes(begin, timeIn(tag, text))).toMatch(/^K0[18] x5c\[0\] (has parts|is not one)/);
    expect(await withTimes(timeIn(tag, text.replace(/27/, '25')), end)).toMatch(
      /^K0[18] x5c\[0\] (has|is not)/,
    );
    const anchor = () => anchoredIn([caOf('Anchor', { times: [begin, timeIn(tag, text)] })]);
    expect(await thrown(() => checkChain([leaf], anchor()))).toMatchObject({ code: 'config_invalid' });
  });

  judgeEach(withTimes, {
    'K08, F108 both in the longer form, before 2050 too': [
      'valid',
      timeIn(generalizedTime, '20250812120000Z'),
      timeIn(generalizedTime, '20270812120000Z'),
    ],
    'K08, F108 two digits up to 49 are of this century': ['valid', begin, timeIn(utcTime, '491231235959Z')],
    'K08, F108 from 50 on they are of the last': ['valid', timeIn(utcTime, '500101000000Z'), end],
    'K08, F108 so it has expired long ago': [
      /^K06 x5c\[0\] expired/,
      begin,
      timeIn(utcTime, '500101000000Z'),
    ],
    'K08, F108 a leap day': ['valid', begin, timeIn(utcTime, '280229000000Z')],
    'K08, F108 no leap day': [unread, begin, timeIn(utcTime, '270229000000Z')],
    'K06, F108 to the second': ['valid', begin, timeIn(utcTime, '260812120000Z')],
    'K06, F108 and not one longer': [
      'K06 x5c[0] expired 1 second ago.',
      begin,
      timeIn(utcTime, '260812115959Z'),
    ],
  });
});

describe('F77 years of two digits', () => {
  /** Its tag and length: until 2049, dates are of another kind. */
  const generalizedTime = Buffer.of(0x18, 15);
  /** Node prints the years before 1000 without leading zeros, and Date.parse would take 30 to be 2030. */
  const inYear = (year: string): Partial<CertificatePlan> => ({
    notAfter: 40 * 365 * 86_400,
    tamper: (content) => {
      const changed = Buffer.from(content);
      changed.write(year, content.indexOf(generalizedTime) + generalizedTime.length, 'latin1');
      return changed;
    },
  });
  const years = ['0000', '0001', '0030', '0049', '0050', '0099', '0100', '0999'];
  const until = (year: string) => explainChain(withLeaf(inYear(year)));

  judgeValues('F77 the year %s is not of ours', years, 'K08 x5c[0] has parts that cannot be read.', until);
  judgeValues('F77 nor of a CA: %s', years, 'K08 x5c[1] has parts that cannot be read.', (year) =>
    explainChain(withIntermediate(inYear(year))),
  );
  refuseValues('F77 nor of an anchor: %s', years, (year: string) =>
    checkChain([leaf], anchoredIn([caOf('Anchor', inYear(year))])),
  );
  judgeValues('F77 the year %s has passed', ['1000', '1999'], /^K06 x5c\[0\] expired \d+ seconds/, until);
  judgeValues('F77 the year %s is to come', ['2050', '9999'], 'valid', until);
});

describe('F77 the key of a leaf before a trusted CA has signed it', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** An RSA key that nobody has: its modulus is a number of this size. */
  function rsaOf(bits: number, e = 'AQAB'): KeyPair {
    const n = Buffer.alloc(bits / 8, 0xab).toString('base64url');
    return { ...newKeyPair(), publicKey: createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' }) };
  }
  /** Writes the point at infinity in place of the key. Node 20 and 22 abort the process over the details of such a key. */
  const atInfinity = (content: Buffer): Buffer => {
    const [good = '', odd = ''] = ['3059', '3019'].map(
      (size) => `${size}301306072a8648ce3d020106082a8648ce3d030107`,
    );
    const at = content.indexOf(Buffer.from(good, 'hex'));
    const key = Buffer.from(`${odd}03020000`, 'hex');
    const parts = Buffer.concat([content.subarray(4, at), key, content.subarray(at + 0x5b)]);
    return Buffer.concat([Buffer.of(0x30, 0x82, parts.length >> 8, parts.length & 0xff), parts]);
  };
  const dsa = () => ({
    ...newKeyPair(),
    ...keyPair('dsa', { modulusLength: 1024, divisorLength: 160 }),
  });
  /** A leaf that claims to have signed itself. */
  const selfMade = (keys: KeyPair) => certify({ subject: 'PID Issuer', keys, signedBy: newKeyPair() });

  const usesOf = async (...chain: readonly Authority[]): Promise<[string, number]> => {
    const [{ der } = leaf] = chain;
    const key = new X509Certificate(der).publicKey;
    const verify = jest.spyOn(X509Certificate.prototype, 'verify');
    const verdict = await checkChain([{ ...leaf, der }, ...chain.slice(1)]);
    // Comparing keys of two kinds leaves an error behind in OpenSSL, which the next key that is read would report.
    const isKey = ([used]: [KeyObject]) =>
      used.asymmetricKeyType === key.asymmetricKeyType && used.equals(key);
    return [verdict, verify.mock.calls.filter(isKey).length];
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
    expect(await usesOf(selfMade(keys()))).toEqual(['key_not_found K03', 0]);
    expect(await usesOf(selfMade(keys()), intermediate)).toEqual(['K08', 0]);
  });

  test('F77 is asked once if it is sound and its certificate names itself, and not at all if it does not', async () => {
    expect(await usesOf(certify({ subject: 'PID Issuer' }))).toEqual(['K05', 1]);
    expect(await usesOf(signerBelow(certify({ subject: 'Other' })))).toEqual(['key_not_found K03', 0]);
  });

  const weak = 'K08 x5c[0] has a key that is neither EC P-256, P-384, P-521 nor RSA of 2048 to 8192 bits.';
  judgeEach(explainChain, {
    'F77 the point at infinity signs nothing': [
      'K03 x5c[0] names the anchor CN=PID Root, O=Example, C=DE as its issuer, but was not issued with its key.',
      [certify({ subject: 'PID Root', tamper: atInfinity })],
    ],
    'F77 the point at infinity is no key, even if a CA signed it': [weak, withLeaf({ tamper: atInfinity })],
    'F77 an RSA key of 8192 bits counts': [/^(H01|H02|K02) /, withLeaf({ keys: rsaOf(8192) })],
    'F77 a longer one is refused in a leaf': [weak, withLeaf({ keys: rsaOf(8200) })],
  });
  const long = caOf('Anchor', { keys: rsaOf(8200), signedBy: newKeyPair() });
  refuse(
    'F77 a longer one in an anchor',
    () => checkChain([leaf], anchoredIn([long])),
    /of 2048 to 8192 bits/,
  );
});

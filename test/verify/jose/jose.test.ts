import { constants, sign } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { flattenedVerify, importJWK } from 'jose';
import { IdentityError, type Jwk } from '../../../lib/index.js';
import { deep } from '../../support/deep.js';
import {
  bind,
  digestOf,
  disclose,
  encode,
  issuerKeys,
  type KeyPair,
  type Mint,
  mint,
  misspell,
  newKeyPair,
  nowSeconds,
  signJws,
  walletKeys,
} from '../../support/verify/issuer.js';
import {
  checkOfMint,
  checkOfSdJwt,
  judgeEach,
  judgeValues,
  type Members,
  refuse,
  refuseEach,
  thrown,
  verify,
} from '../../support/verify/verdicts.js';
import { holds } from '../properties.js';
import { keyPair } from '../../support/key-pair.js';

describe('times', () => {
  const at = (payload: Members, clockTolerance?: number) =>
    checkOfMint({ payload }, clockTolerance === undefined ? {} : { clockTolerance });
  const aud = 'x509_san_dns:app.example';

  judgeEach(at, {
    'C04 an expired credential: at the very second': ['C04', { exp: nowSeconds }, 0],
    'C04 a second before': ['valid', { exp: nowSeconds + 1 }, 0],
    'C04 at the very second, less the tolerance': ['C04', { exp: nowSeconds - 5 }],
    'C04 a second before, less the tolerance': ['valid', { exp: nowSeconds - 4 }],
    'C05 without any time': ['valid', { exp: undefined, iat: undefined }],
    'C05 with parts of seconds': ['valid', { exp: nowSeconds + 0.5, iat: nowSeconds - 0.5 }, 0],
    'C06 a credential that is not valid yet': ['C06', { nbf: nowSeconds + 6 }],
    'C06 within the tolerance': ['valid', { nbf: nowSeconds + 5 }],
    'C06 at the very second': ['valid', { nbf: nowSeconds }, 0],
    'C06 a second later': ['C06', { nbf: nowSeconds + 1 }, 0],
    'C07 a credential from the future': ['C07', { iat: nowSeconds + 6 }],
    'C07 within the tolerance': ['valid', { iat: nowSeconds + 5 }],
    'C12 the year 9999 and 1970 are times': ['valid', { exp: 253_402_300_799, iat: 0, nbf: 0 }],
    'C12 and so is the second day': ['valid', { iat: 100_000 }],
    'C12 times in days, as a real issuer sent them': ['C12', { iat: 20_047, exp: 20_137 }],
    'C12 exp in milliseconds': ['C12', { exp: (nowSeconds + 3600) * 1000 }],
    'C12 iat in milliseconds': ['C12', { iat: nowSeconds * 1000 }],
    'C12 nbf in days': ['C12', { nbf: 20_047 }],
    'C12 times in an unsafe number': ['C12', { exp: 1e300 }],
    'C12 times in the year 10000': ['C12', { exp: 253_402_300_800 }],
    'C12 times in what could be days until 2243': ['C12', { iat: 99_999 }],
    'C10 an audience of the credential must be ours': ['valid', { aud }],
    'C10 ours may be one of several': ['valid', { aud: ['other', aud] }],
  });

  describe('C10 an audience of the credential', () => {
    judgeValues('C10 %j is not ours', ['other', [], ['other'], null, 7], 'C10', (other) =>
      at({ aud: other }),
    );
    judgeEach(checkOfMint, {
      'C10 without key binding': ['C10', { binding: 'absent', payload: { aud } }, { keyBinding: 'absent' }],
    });
  });
});

describe('compact', () => {
  const good = mint();
  const unbound = mint({ binding: 'absent' });

  /** Changes one part of a presentation after it was signed; the key binding is made for what comes of it. */
  function rebind(
    change: (issuerSigned: string, disclosures: readonly string[]) => readonly string[],
  ): string {
    const [issuerSigned = '', ...disclosures] = unbound.split('~').slice(0, -1);
    const presented = [...change(issuerSigned, disclosures), ''].join('~');
    return presented + bind(presented);
  }
  const issuerSigned = (text: string) => rebind((_, disclosures) => [text, ...disclosures]);
  const [payload, signature] = good.split('.').slice(1, 3);

  describe('P01 to P07 and P12 the compact serialization of an SD-JWT', () => {
    judgeValues('P01 %p is refused', [undefined, null, 7, ['a'], ''], 'P01', (value) => checkOfSdJwt(value));
    judgeValues('P04 %s is no key binding JWT', ['a.b', 'a.b.c.d', '.b.c', 'a..c', 'a.b.'], 'P04', (last) =>
      checkOfSdJwt(unbound + last),
    );

    judgeEach(checkOfSdJwt, {
      'P01 one character more than the limit': ['P01', good, { limits: { length: good.length - 1 } }],
      'P01 the limit itself is not': ['valid', good, { limits: { length: good.length } }],
      'P01 the usual limit': ['P01', 'a'.repeat(256 * 1024 + 1)],
      'P03 a bare JWS is no SD-JWT': ['P03', mint({ sd: {}, binding: 'absent' }).slice(0, -1)],
      'P04 a Disclosure without the tilde after it': ['P04', unbound.slice(0, -1), { keyBinding: 'absent' }],
      'P05 an empty part between two tildes': ['P05', rebind((issuer, others) => [issuer, '', ...others])],
      'P06 an empty signature in the issuer-signed part': ['P06', issuerSigned('a.b.')],
      'P07 the JSON serialization is refused': ['P07', JSON.stringify({ payload, signature })],
      'P07 the general JSON serialization': ['P07', JSON.stringify({ signatures: [{ signature }], payload })],
      'P12 a whole vp_token is refused, with a reason of its own': ['P12', JSON.stringify({ pid: [good] })],
      'P11 the format stands in the configuration: no other': ['H03', mint({ header: { typ: 'JWT' } })],
      'P11 the format stands in the configuration': ['P03', disclose('a')],
    });
  });

  describe('P08 limits', () => {
    const longest = Math.max(
      ...good
        .split('~')
        .slice(1, -1)
        .map((text) => text.length),
    );

    judgeEach(checkOfSdJwt, {
      'P08 as many Disclosures as the limit': ['valid', good, { limits: { disclosures: 4 } }],
      'P08 one Disclosure more than the limit': ['P08', good, { limits: { disclosures: 3 } }],
      'P08 a Disclosure as long as the limit': ['valid', good, { limits: { disclosureLength: longest } }],
      'P08 a Disclosure longer than the limit': ['P08', good, { limits: { disclosureLength: longest - 1 } }],
    });

    const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

    judgeEach<[Mint]>(checkOfMint, {
      'P08 too deep in a Disclosure': ['P08', { sd: { deep: deep(32) } }],
      'P08 as deep as may be in a Disclosure': ['valid', { sd: { deep: deep(31) } }],
      'P08 deep inside one another': ['P08', { payload: (all) => ({ a: { a: all } }), sd: { a: deep(31) } }],
    });

    const long = { long: Array(5).fill(0) };
    test.each<[part: string, token: Mint]>([
      ['the issuer header', { header: long }],
      ['the payload', { payload: long }],
      ['the key binding header', { binding: { header: long } }],
      ['the key binding payload', { binding: { payload: long } }],
      ['a Disclosure', { sd: long }],
    ])('P08 an array too long in %s', async (_, token) => {
      expect(await checkOfMint(token, { limits: { arrayLength: 5 } })).toBe('valid');
      expect(await checkOfMint(token, { limits: { arrayLength: 4 } })).toBe('P08');
    });
  });

  /** Members and elements, as the limit counts them: an empty object or array is one. */
  function valuesIn(json: unknown): number {
    if (typeof json !== 'object' || json === null) return 0;
    const inside = Object.values(json);
    return inside.reduce<number>((sum, one) => sum + valuesIn(one), Math.max(1, inside.length));
  }

  /** The values of every part of a token that is JSON. */
  const valuesOf = (token: string): number =>
    token
      .split('~')
      .flatMap((part) => (part.includes('.') ? part.split('.').slice(0, 2) : part))
      .filter(Boolean)
      .reduce((sum, part) => sum + valuesIn(JSON.parse(Buffer.from(part, 'base64url').toString())), 0);

  describe('P08, F104 the values of a whole token are limited, containers included', () => {
    /** What the limit takes and what it does not, by one. */
    async function expectLimit(token: string): Promise<void> {
      const values = valuesOf(token);
      expect(await checkOfSdJwt(token, { limits: { values } })).toMatch(/^(valid|S24)$/);
      expect(await checkOfSdJwt(token, { limits: { values: values - 1 } })).toBe('P08');
    }

    const chain = (length: number) => JSON.parse('['.repeat(length) + ']'.repeat(length)) as unknown;
    const members = (depth: number): unknown => (depth === 0 ? 0 : { a: members(depth - 1) });
    const chains = { chains: Array.from({ length: 4 }, () => chain(28)) };
    const flat = { flat: Array<number>(40).fill(0) };
    test.each<[what: string, token: Mint]>([
      ['flat lists', { payload: flat }],
      ['lists inside one another, without a comma', { payload: { chain: chain(28) } }],
      ['members inside one another, without a comma', { payload: { chain: members(28) } }],
      ['chains side by side', { payload: chains }],
      ['objects and lists that are empty', { payload: { empty: [{}, [], {}, [[]]] } }],
      ['the issuer header', { header: { ...chains, ...flat } }],
      ['a Disclosure', { sd: { given_name: chains } }],
      ['many Disclosures', { sd: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a${at}`, {}])) }],
      ['the key binding header', { binding: { header: chains } }],
      ['the key binding payload', { binding: { payload: chains } }],
      ['all of them', { header: flat, payload: chains, sd: { a: chains }, binding: { payload: flat } }],
    ])('P08, F104 in %s', async (_, token) => await expectLimit(mint(token)));

    deep.test('P08, F104 of any JSON', async () => {
      await holds(100, fc.jsonValue(), async (value) => await expectLimit(mint({ sd: { value } })));
    });

    const filled = (...lengths: readonly number[]) =>
      mint({ payload: { fill: lengths.map((length) => Array<number>(length).fill(0)) } });
    const rest = 5001 - valuesOf(filled(2000, 2000, 1));
    judgeEach(checkOfSdJwt, {
      'P08, F104 the limit is 5,000 without an option': ['valid', filled(2000, 2000, rest)],
      'P08, F104 and not one more': ['P08', filled(2000, 2000, rest + 1)],
    });
  });

  describe('P02 P09 P10 the text of a Disclosure', () => {
    const salted = (value: string) => encode(`["salt",${value}]`);
    const sending = (text: unknown) => checkOfMint({ more: [encode(text)] });

    for (const spelling of ['padded', 'nonCanonical', 'spaced', 'standard'] as const) {
      test(`P02 ${spelling} in a Disclosure`, async () => {
        expect(await checkOfMint({ more: [misspell(['salt', 'given_name', 'Erika'])[spelling].text] })).toBe(
          'P02',
        );
      });
    }

    test('P09 bytes that are no UTF-8 in a Disclosure', async () => {
      expect(await sending(Buffer.from('["salt","a","\xff"]', 'latin1'))).toBe('P09');
    });

    const twice = ['{"b":1,"b":1}', '{"b":1,"\\u0062":2}', '[{"b":{"c":1,"d":[],"c":2}}]'];
    judgeValues('P10 twice in a Disclosure: %s', twice, 'P10', (value) =>
      checkOfMint({ more: [salted(`"a",${value}`)] }),
    );
    judgeValues('P10 twice in that of an element: %s', twice, 'P10', (value) =>
      checkOfMint({ more: [salted(value)] }),
    );

    test('P10 colons, quotes and brackets inside strings are no members', async () => {
      const odd = {
        'a"b:c': 'd"e,f',
        'a:"b"\\': '{"a":1,"a":2}\\\\',
        '\\"': '[[[[:',
        '{': '\\\\"',
        '}': '\\',
      };
      expect((await verify(mint({ sd: { odd } }))).claims['odd']).toEqual(odd);
    });
  });
});

describe('hostile', () => {
  const header = { alg: 'ES256', typ: 'dc+sd-jwt' };
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const limit = 256 * 1024;

  /** A token of this header, payload and Disclosure, which nobody signed. */
  const unsigned = (payload: string, head: unknown = header, disclosure = '') =>
    `${encode(head)}.${encode(payload)}.AA~${disclosure}`;
  const member = '"a":0';

  /** Texts that want to be expensive, most of them as large as may be. None is signed by anyone known. */
  const hostile: [what: string, check: string, token: () => string][] = [
    ['10,000 Disclosures', 'P08', () => `a.b.c~${'WyJzIiwxXQ~'.repeat(10_000)}`],
    ['nothing but tildes', 'P08', () => '~'.repeat(limit)],
    ['nothing but dots', 'P06', () => `${'.'.repeat(limit - 1)}~`],
    ['a text without structure', 'P03', () => 'a'.repeat(limit)],
    ['a JSON text that never ends', 'P07', () => `{${' '.repeat(limit - 1)}`],
    ['a header of depth 10,000', 'P08', () => unsigned('{}', nested(10_000))],
    ['a payload of depth 10,000', 'P08', () => unsigned(`{"a":${nested(10_000)}}`)],
    ['a payload that only opens', 'P08', () => unsigned('['.repeat(190_000))],
    ['a Disclosure of depth 10,000', 'P08', () => unsigned('{}', header, `${encode(nested(10_000))}~`)],
    ['a Disclosure over the limit', 'P08', () => unsigned('{}', header, `${'A'.repeat(200_000)}~`)],
    ['a payload of quotes', 'P09', () => unsigned('"'.repeat(190_000))],
    ['a payload of backslashes', 'P09', () => unsigned(`{"${'\\'.repeat(190_000)}`)],
    ['a payload of escaped quotes', 'P09', () => unsigned(`{"${'\\"'.repeat(95_000)}`)],
    ['an array of 95,000 elements', 'P08', () => unsigned(`{"a":[0${',0'.repeat(94_999)}]}`)],
    ['20,000 members of one name', 'P08', () => unsigned(`{${member}${`,${member}`.repeat(20_000)}}`)],
    ['4,998 members of one name', 'P10', () => unsigned(`{${member}${`,${member}`.repeat(4997)}}`)],
    ['60,000 arrays', 'P08', () => unsigned(`{"a":[${Array(1990).fill(nested(30)).join()}]}`)],
  ];

  describe('P08 tokens that want to be expensive are refused before any signature is looked at', () => {
    test.each(hostile)('P08 %s: %s', async (_, check, make) => {
      const token = make();
      const key = () => {
        throw new Error('The key was asked for.');
      };
      const began = process.cpuUsage();
      expect(await checkOfSdJwt(token, { key })).toBe(check);
      const { user, system } = process.cpuUsage(began);
      expect(user + system).toBeLessThan(500_000);
    });

    test('P08 Disclosures that contain one another', async () => {
      const chain = (length: number) => {
        const texts = [disclose('a', 1)];
        while (texts.length < length) texts.push(disclose('a', { _sd: [digestOf(texts.at(-1) ?? '')] }));
        return mint({ sd: {}, payload: { _sd: [digestOf(texts.at(-1) ?? '')] }, more: texts });
      };
      expect(await checkOfSdJwt(chain(32))).toBe('valid');
      expect(await checkOfSdJwt(chain(33))).toBe('P08');
      expect(await checkOfSdJwt(chain(1000))).toBe('P08');
    });

    test('P08 as many Disclosures as may be, all of them referred to', async () => {
      const texts = Array.from({ length: 1000 }, (_, index) => disclose(`claim ${String(index)}`, index));
      const token = mint({ sd: {}, payload: { _sd: texts.map((text) => digestOf(text)) }, more: texts });
      expect((await verify(token)).claims['claim 999']).toBe(999);
    });
  });

  describe('damage', () => {
    const alphabet = 'Aw9_~.= "é';

    deep.test('a good token with any one character changed is refused, always by a check', async () => {
      const token = mint();
      let tried = 0;
      for (let at = 0; at < token.length; at += 1) {
        const other = alphabet[at % alphabet.length] ?? '';
        if (token[at] === other) continue;
        tried += 1;
        const error = await thrown(
          async () => await verify(token.slice(0, at) + other + token.slice(at + 1)),
        );
        expect(error).toBeInstanceOf(IdentityError);
        expect((error as IdentityError).check).toMatch(/^[A-Z]\d\d$/);
      }
      expect(tried).toBeGreaterThan(1000);
    });

    test('a good token cut off anywhere is refused', async () => {
      const token = mint();
      for (let length = 0; length < token.length; length += 7) {
        expect(await checkOfSdJwt(token.slice(0, length))).toMatch(/^[A-Z]\d\d$/);
      }
    });

    deep.test(
      'JSON of any kind in any place is refused by a check or accepted, and never anything else',
      async () => {
        const texts = 'null true 0 -1 "" "a" [] [null] {} {"a":null} [[]] {"...":"a"} {"_sd":"a"} {"_sd":[]}';
        const values = texts.split(' ').map((text) => JSON.parse(text) as unknown);
        const places =
          'alg typ kid crit b64 jwk x5c iss vct iat exp nbf cnf aud _sd _sd_alg ... status nonce sd_hash';
        const names = places.split(' ');
        for (const name of names) {
          for (const value of values) {
            for (const part of [{ header: { [name]: value } }, { payload: { [name]: value } }]) {
              expect(await checkOfSdJwt(mint(part))).toMatch(/^([A-Z]\d\d|valid)$/);
              expect(await checkOfSdJwt(mint({ binding: part }))).toMatch(/^([A-Z]\d\d|valid)$/);
            }
          }
        }
      },
    );
  });

  test('no reason repeats a value of the presentation', async () => {
    const secret = 'SECRET-VALUE';
    const texts = [encode([secret, secret, secret]), encode([secret, '_sd', secret])];
    const tokens = [
      mint({ header: { alg: secret } }),
      mint({ header: { typ: secret } }),
      mint({ payload: { exp: secret } }),
      mint({ payload: { _sd_alg: secret } }),
      mint({ payload: { cnf: { jwk: { kty: secret } } } }),
      mint({ payload: { aud: secret } }),
      mint({ payload: { [secret]: { '...': secret } } }),
      mint({ binding: { payload: { nonce: secret } } }),
      mint({ binding: { payload: { aud: secret } } }),
      ...texts.map((text) => mint({ more: [text] })),
      `${signJws(header, secret, issuerKeys)}~`,
    ];
    for (const token of tokens) {
      const error = await thrown(async () => await verify(token));
      expect(error).toBeInstanceOf(IdentityError);
      expect(String(error) + JSON.stringify(error)).not.toContain(secret);
    }
  });
});

describe('signature', () => {
  /** What jose says of the same JWS. */
  async function joseSays(
    { jwk }: KeyPair,
    alg: string,
    [header, payload]: string[],
    signature: Buffer,
  ): Promise<boolean> {
    const key = await importJWK({ ...jwk }, alg);
    const jws = {
      protected: header ?? '',
      payload: payload ?? '',
      signature: signature.toString('base64url'),
    };
    return await flattenedVerify(jws, key, { algorithms: [alg] }).then(
      () => true,
      () => false,
    );
  }

  /** The signature as it is, and in every wrong form that comes to mind. */
  function forms(good: Buffer, { privateKey }: KeyPair, signed: Buffer): [what: string, signature: Buffer][] {
    const flipped = (at: number) => {
      const copy = Buffer.from(good);
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
      return copy;
    };
    const half = good.length / 2;
    const isEc = privateKey.asymmetricKeyType === 'ec';
    return [
      ['as it is', good],
      ['its first byte changed', flipped(0)],
      ['its last byte changed', flipped(good.length - 1)],
      ['cut off', good.subarray(0, -1)],
      ['a byte longer', Buffer.concat([good, Buffer.alloc(1)])],
      ['a zero before it', Buffer.concat([Buffer.alloc(1), good])],
      ['zeros', Buffer.alloc(good.length)],
      ['ones', Buffer.alloc(good.length, 0xff)],
      ['its halves exchanged', Buffer.concat([good.subarray(half), good.subarray(0, half)])],
      ...(isEc ? ([['DER', sign('sha256', signed, privateKey)]] as [string, Buffer][]) : []),
    ];
  }

  /** RSA keys take long to make, so the algorithms of RSA share two pairs. */
  const rsa = [newKeyPair('RS256'), newKeyPair('RS256')] as const;
  const pairsFor = (alg: string): readonly [KeyPair, KeyPair] =>
    /^[PR]S/.test(alg)
      ? [
          { ...rsa[0], alg },
          { ...rsa[1], alg },
        ]
      : [newKeyPair(alg), newKeyPair(alg)];
  const [ps256] = pairsFor('PS256');
  const supported = 'ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512'.split(' ');

  /** What the kit says of an SD-JWT of this JWS alone. */
  const check = (segments: readonly string[], signature: Buffer, { jwk }: KeyPair, alg: string) =>
    checkOfSdJwt(`${segments.slice(0, 2).join('.')}.${signature.toString('base64url')}~`, {
      key: jwk,
      algorithms: [alg],
      keyBinding: 'absent',
    });
  const signAs = (alg: string, keys: KeyPair) =>
    signJws({ alg, typ: 'dc+sd-jwt' }, { iss: 'https://issuer.example' }, keys).split('.');

  describe('K02 a signature is good exactly where jose finds it good', () => {
    test.each(supported)('K02 %s', async (alg) => {
      const [keys, others] = pairsFor(alg);
      const segments = signAs(alg, keys);
      const signed = Buffer.from(segments.slice(0, 2).join('.'));
      const good = Buffer.from(segments[2] ?? '', 'base64url');
      for (const [what, signature] of forms(good, keys, signed)) {
        expect([what, await check(segments, signature, keys, alg)]).toEqual([
          what,
          what === 'as it is' ? 'valid' : 'K02',
        ]);
        expect([what, await joseSays(keys, alg, segments, signature)]).toEqual([what, what === 'as it is']);
      }
      expect(await check(segments, good, others, alg)).toBe('K02');
      expect(await check([segments[0] ?? '', encode({ iss: 'a' })], good, keys, alg)).toBe('K02');
    });

    test('K02 a PSS signature whose salt has another length', async () => {
      const segments = signAs('PS256', ps256);
      const signed = Buffer.from(segments.slice(0, 2).join('.'));
      const { privateKey: key } = ps256;
      const signature = sign('sha256', signed, {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: 20,
      });
      expect(await check(segments, signature, ps256, 'PS256')).toBe('K02');
      expect(await joseSays(ps256, 'PS256', segments, signature)).toBe(false);
    });

    const whole = new RegExp(`supported are ${supported.join(', ')}\\.$`);
    refuse('K02 the list is whole', () => verify(mint(), { algorithms: ['HS256'] }), whole);
  });

  describe('H01 H02 alg is on the list, and fits the key', () => {
    const both = ['ES256', 'ES384'];
    const limitedTo = (alg: string) => ({ key: { ...ps256.jwk, alg }, algorithms: ['ES256', 'PS256'] });
    const p384 = newKeyPair('ES384');

    test.each(['ES384', 'ES512', 'EdDSA', 'Ed25519', 'PS256', 'RS256'])(
      'H01 %s passes where it is allowed',
      async (alg) => {
        const [keys] = pairsFor(alg);
        const token = mint({ issuer: keys, binding: { wallet: keys }, payload: { cnf: { jwk: keys.jwk } } });
        expect(await checkOfSdJwt(token, { key: keys.jwk, algorithms: [alg] })).toBe('valid');
        expect(await checkOfSdJwt(token, { key: keys.jwk })).toBe('H01');
      },
    );

    judgeEach(checkOfMint, {
      'H02 another curve': ['H02', { issuer: p384 }, { algorithms: both }],
      'H02 a key of another curve': ['H02', {}, { algorithms: both, key: p384.jwk }],
      'H02 another type of key: RSA': ['H02', {}, { key: ps256.jwk }],
      'H02 another type of key: Ed25519': ['H02', {}, { key: newKeyPair('EdDSA').jwk }],
      'H02 a key limited to RS256': ['H02', { issuer: ps256 }, limitedTo('RS256')],
      'H02 a key that is limited to its algorithm': ['valid', { issuer: ps256 }, limitedTo('PS256')],
      'H02 a key limited to another algorithm': ['H02', {}, { key: { ...issuerKeys.jwk, alg: 'ES384' } }],
      'H03 vc+sd-jwt by the option': ['valid', { header: { typ: 'vc+sd-jwt' } }, { types: ['vc+sd-jwt'] }],
    });
  });

  describe('H05 to H07 nothing in a token supplies a key', () => {
    const attacker = newKeyPair();
    const offers: [name: string, header: Mint['header'] & object][] = [
      ['jwk', { jwk: attacker.jwk }],
      ['jku', { jku: 'https://attacker.example/jwks.json' }],
      ['x5u', { x5u: 'https://attacker.example/chain.pem' }],
      ['x5c', { x5c: [attacker.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] }],
      ['kid', { kid: `did:jwk:${encode(attacker.jwk)}` }],
    ];

    test.each(offers)(
      'H05 a key by %s is not used, nor looked at where the configured key fits',
      async (_, header) => {
        const fetch = jest.spyOn(globalThis, 'fetch');
        expect(await checkOfMint({ issuer: attacker, header })).toBe('K02');
        expect(await checkOfMint({ header, binding: { header } })).toBe('valid');
        expect(fetch).not.toHaveBeenCalled();
        fetch.mockRestore();
      },
    );

    test('H07 a function that finds the key gets the protected header, which is all there is', async () => {
      const seen: unknown[] = [];
      const { header } = await verify(mint({ header: { kid: 'one', x5c: ['a'] } }), {
        key: (protectedHeader) => {
          seen.push(protectedHeader);
          return issuerKeys.jwk;
        },
      });
      expect(seen).toEqual([{ alg: 'ES256', typ: 'dc+sd-jwt', kid: 'one', x5c: ['a'] }]);
      expect(header).toEqual(seen[0]);
    });

    const iss = 'https://attacker.example';
    judgeEach(checkOfMint, {
      'H06 the token cannot choose: its iss is not resolved': ['K02', { issuer: attacker, payload: { iss } }],
      "K02 the issuer's signature is of the wallet": ['K02', { issuer: walletKeys }],
      'K02 is named where both are bad': ['K02', { issuer: attacker, binding: { wallet: attacker } }],
    });
  });

  describe('K15 no usable key, or one that nothing is checked with', () => {
    const { publicKey, privateKey } = keyPair('rsa', { modulusLength: 2047 });
    const jwk = publicKey.export({ format: 'jwk' }) as Jwk;
    const short = { ...ps256, publicKey, privateKey, jwk };
    const algorithms = ['ES256', 'PS256'];

    judgeEach(checkOfMint, {
      'K15 a function that finds none': ['key_not_found K15', {}, { key: () => undefined }],
      'K15 a promise of none': ['key_not_found K15', {}, { key: () => Promise.resolve(undefined) }],
      'K15 an RSA key of 2047 bits': ['key_not_found K15', { issuer: short }, { key: jwk, algorithms }],
      'C11 RSA of 2047 bits': [
        'C11',
        { payload: { cnf: { jwk } }, binding: { wallet: short } },
        { algorithms },
      ],
      'K15 an RSA key of 2048 bits is enough': ['valid', { issuer: ps256 }, { key: ps256.jwk, algorithms }],
    });
    judgeEach((change: object) => checkOfMint({}, { key: { ...issuerKeys.jwk, ...change } }), {
      'K15 a JWK that is no point of its curve': ['key_not_found K15', { x: walletKeys.jwk['x'] }],
      'K15 a JWK with zeros': ['key_not_found K15', { x: 'A'.repeat(43), y: 'A'.repeat(43) }],
    });
    const spelled: [what: string, change: object][] = [
      ['a coordinate that is too short', { x: String(issuerKeys.jwk['x']).slice(0, 20) }],
      ['an empty coordinate', { y: '' }],
      ['the point at infinity', { x: '', y: '' }],
    ];
    refuseEach('K15 K17 a JWK with %s', spelled, (change) =>
      checkOfMint({}, { key: { ...issuerKeys.jwk, ...change } }),
    );
  });
});

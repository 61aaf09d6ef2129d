import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../../lib/index.js';
import { digestOf, disclose, encode, issuerKeys, mint, signJws } from '../../support/verify/issuer.js';
import { checkOfSdJwt, thrown, verify } from '../../support/verify/verdicts.js';

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

  test('a good token with any one character changed is refused, always by a check', async () => {
    const token = mint();
    let tried = 0;
    for (let at = 0; at < token.length; at += 1) {
      const other = alphabet[at % alphabet.length] ?? '';
      if (token[at] === other) continue;
      tried += 1;
      const error = await thrown(async () => await verify(token.slice(0, at) + other + token.slice(at + 1)));
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

  test('JSON of any kind in any place is refused by a check or accepted, and never anything else', async () => {
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
  });
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

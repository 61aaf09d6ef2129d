import { describe, expect, test } from '@jest/globals';
import { type Mint, bind, disclose, encode, mint, misspell } from '../../support/verify/issuer.js';
import { checkOfMint, checkOfSdJwt, judgeEach, judgeValues, verify } from '../../support/verify/verdicts.js';

const good = mint();
const unbound = mint({ binding: 'absent' });

/** Changes one part of a presentation after it was signed; the key binding is made for what comes of it. */
function rebind(change: (issuerSigned: string, disclosures: readonly string[]) => readonly string[]): string {
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
  const commas =
    Buffer.from(payload ?? '', 'base64url')
      .toString()
      .split(',').length - 1;

  judgeEach(checkOfSdJwt, {
    'P08 as many Disclosures as the limit': ['valid', good, { limits: { disclosures: 4 } }],
    'P08 one Disclosure more than the limit': ['P08', good, { limits: { disclosures: 3 } }],
    'P08 a Disclosure as long as the limit': ['valid', good, { limits: { disclosureLength: longest } }],
    'P08 a Disclosure longer than the limit': ['P08', good, { limits: { disclosureLength: longest - 1 } }],
    'P08 as many values as the limit': ['valid', good, { limits: { values: commas + 1 } }],
    'P08 one value more than the limit': ['P08', good, { limits: { values: commas } }],
  });

  const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const lists = (elements: number) => ({
    lists: Array.from({ length: 4 }, () => Array<number>(elements).fill(0)),
  });

  judgeEach(checkOfMint, {
    'P08 too deep in a Disclosure': ['P08', { sd: { deep: deep(32) } }],
    'P08 as deep as may be in a Disclosure': ['valid', { sd: { deep: deep(31) } }],
    'P08 deep inside one another': ['P08', { payload: (all) => ({ a: { a: all } }), sd: { a: deep(31) } }],
    'P08 too many values in a Disclosure, however they are spread': ['P08', { sd: lists(1250) }],
    'P08 as many values as may be in a Disclosure': ['valid', { sd: lists(1249) }],
    'P08 too many values in the payload, however they are spread': ['P08', { payload: lists(1250) }],
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
    const odd = { 'a"b:c': 'd"e,f', 'a:"b"\\': '{"a":1,"a":2}\\\\', '\\"': '[[[[:', '{': '\\\\"', '}': '\\' };
    expect((await verify(mint({ sd: { odd } }))).claims['odd']).toEqual(odd);
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Mint, bind, disclose, encode, mint, misspell } from '../../support/verify/issuer.js';
import { holds } from '../properties.js';
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

  test('P08, F104 of any JSON', async () => {
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
    const odd = { 'a"b:c': 'd"e,f', 'a:"b"\\': '{"a":1,"a":2}\\\\', '\\"': '[[[[:', '{': '\\\\"', '}': '\\' };
    expect((await verify(mint({ sd: { odd } }))).claims['odd']).toEqual(odd);
  });
});

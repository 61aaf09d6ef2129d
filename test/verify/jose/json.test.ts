import { describe, expect, test } from '@jest/globals';
import { encode, mint } from '../../support/verify/issuer.js';
import { inEachPart } from './parts.js';
import { checkOf, verify } from '../../support/verify/verdicts.js';

describe('P09 UTF-8 and JSON objects', () => {
  const broken = Buffer.from('{"a":"\xff"}', 'latin1');

  test.each(inEachPart(() => broken))('P09 bytes that are no UTF-8 in the %s', async (_, token) => {
    expect(await checkOf(mint(token))).toBe('P09');
  });

  test('P09 bytes that are no UTF-8 in a Disclosure', async () => {
    expect(await checkOf(mint({ more: [encode(Buffer.from('["salt","a","\xff"]', 'latin1'))] }))).toBe('P09');
  });

  for (const text of ['[]', '"a"', 'null', '7', '{"a":1', '{"a"', '{"a":"\\"}', ' ', '\uFEFF{}', '{} {}']) {
    test.each(inEachPart(() => text))(`P09 ${text} as the %s`, async (_, token) => {
      expect(await checkOf(mint(token))).toBe('P09');
    });
  }
});

describe('P10 no two members of one name', () => {
  const twice = (member: string) => (good: unknown) => `${JSON.stringify(good).slice(0, -1)},${member}}`;

  test.each([
    ['issuer header', { header: twice('"alg":"ES256"') }],
    ['issuer header, escaped', { header: twice('"\\u0061lg":"ES256"') }],
    ['payload', { payload: twice('"vct":"urn:other"') }],
    ['payload, further down', { payload: twice('"a":[{"b":1,"c":{},"b":1}]') }],
    ['payload, with objects lost', { payload: twice('"a":{"b":{"c":1}},"a":1') }],
    ['key binding header', { binding: { header: twice('"typ":"kb+jwt"') } }],
    ['key binding payload', { binding: { payload: twice('"nonce":"y"') } }],
    ['key binding payload, __proto__', { binding: { payload: twice('"__proto__":1,"__proto__":2') } }],
  ])('P10 twice in the %s', async (_, token) => {
    expect(await checkOf(mint(token))).toBe('P10');
  });

  test.each(['{"b":1,"b":1}', '{"b":1,"\\u0062":2}', '[{"b":{"c":1,"d":[],"c":2}}]'])(
    'P10 twice in a Disclosure: %s',
    async (value) => {
      expect(await checkOf(mint({ more: [encode(`["salt","a",${value}]`)] }))).toBe('P10');
      expect(await checkOf(mint({ more: [encode(`["salt",${value}]`)] }))).toBe('P10');
    },
  );

  test('P10 colons, quotes and brackets inside strings are no members', async () => {
    const odd = { 'a"b:c': 'd"e,f', 'a:"b"\\': '{"a":1,"a":2}\\\\', '\\"': '[[[[:', '{': '\\\\"', '}': '\\' };
    const { claims } = await verify(mint({ sd: { odd } }));
    expect(claims['odd']).toEqual(odd);
  });
});

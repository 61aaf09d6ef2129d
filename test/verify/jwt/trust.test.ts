import { describe, expect, test } from '@jest/globals';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import type { Trust } from '../../../lib/types/trust.js';
import { jwtEntry } from '../../support/verify/jwt-tokens.js';
import { thrown } from '../../support/verify/verdicts.js';

describe('J08 an entry of the format jwt that could judge nothing is refused at construction', () => {
  const wrong: [what: string, change: Record<string, unknown>, message: RegExp][] = [
    ['no keys', { keys: undefined }, /\.keys must name one mechanism/],
    ['no iss', { iss: undefined }, /\.iss must be a list/],
    ['an empty iss', { iss: '' }, /\.iss\[0\] must be a non-empty string/],
    ['no audience', { audience: undefined }, /\.audience must be a non-empty string/],
    ['several audiences', { audience: ['a', 'b'] }, /\.audience must be a non-empty string/],
    ['no typ', { typ: undefined }, /\.typ must be a non-empty string/],
    ['no signature', { algorithms: ['none'] }, /\.algorithms has none/],
    ['a MAC', { algorithms: ['HS256'] }, /\.algorithms has HS256/],
    ['no binding', { binding: undefined }, /\.binding must be an object/],
    ['a switch in its place', { binding: 'absent' }, /\.binding must be an object/],
    ['no claim', { binding: { value: 'state' } }, /\.binding\.claim must be a non-empty string/],
    ['no value', { binding: { claim: 'nonce' } }, /\.binding\.value must be 'state-sha256', 'state' or/],
    ['a fixed value', { binding: { claim: 'nonce', value: 'n' } }, /\.binding\.value must be/],
    [
      'an unknown name',
      { binding: { ...jwtEntry.binding, maxAge: 1 } },
      /Unknown option maxAge of .*binding/,
    ],
    ['no maxAge at all', { maxAge: Infinity }, /\.maxAge must be a number/],
    ['a negative tolerance', { tolerance: -1 }, /\.tolerance must be a number/],
    ['no claims', { claims: undefined }, /\.claims must be an object/],
    ['a claim of no attribute', { claims: { name: ['name'] } }, /Unknown option name of .*\.claims/],
    ['a path that is no list', { claims: { given_name: 'name' } }, /\.claims\.given_name must be a list/],
    ['an unknown result', { derived: { age: ['age'] } }, /Unknown option age of .*\.derived/],
    ['an option of the other format', { vct: ['urn:a'] }, /Unknown option vct of/],
    [
      'its key binding',
      { keyBinding: { nonce: 'state-sha256', audience: 'a' } },
      /Unknown option keyBinding of/,
    ],
  ];

  test.each(wrong)('J08 %s', async (_, change, message) => {
    const trust = { 'de-ausweis': { ...jwtEntry, ...change } } as unknown as Trust;
    expect(await thrown(() => createVerifiers(trust))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
  });

  test('J08 what is undefined is absent', () => {
    const { iss, audience, typ, binding, claims, keys, format } = jwtEntry;
    const given = { iss, audience, typ, binding, claims, keys, format };
    const absent = { algorithms: undefined, maxAge: undefined, tolerance: undefined, derived: undefined };
    expect(createVerifiers({ a: { ...given, ...absent } } as unknown as Trust).size).toBe(1);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { JwtTrust, SdJwtVcTrust } from '../../../lib/types/trust.js';
import type { Expected } from '../../../lib/types/verifier.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import { digestOf, disclose, erika, newKeyPair, now, nowSeconds } from '../../support/verify/issuer.js';
import { jwtEntry, jwtTrust, signResult } from '../../support/verify/jwt-tokens.js';
import { thrown } from '../../support/verify/verdicts.js';
import { entry, inShort, judge, present, state, trustIn } from './trusting.js';

const derived = { nationality: 'DE' };
const bound = { derived: { nationality: '1' }, derived_for: derived };
const startedAt = new Date(now.getTime() - 30_000);

/** The verdict on claims that an issuer signed, for a flow that asks about DE. */
const on = async (
  payload: Readonly<Record<string, unknown>>,
  trust: Partial<SdJwtVcTrust> = {},
  change: Partial<Expected> = {},
) =>
  inShort(
    await judge(present({ payload: { iat: nowSeconds - 10, ...payload } }), trustIn(trust), {
      derived,
      startedAt,
      ...change,
    }),
  );

const refused = 'presentation_invalid B19';

describe('B19 a derived result is bound to the value that was asked', () => {
  test.each(['1', '0'])('B19 the result %j for the asked value counts', async (nationality) => {
    expect(await on({ ...bound, derived: { nationality } })).toBe('valid');
  });

  test.each(['1', '0'])('B19 the result %j for another value', async (nationality) => {
    expect(await on({ derived: { nationality }, derived_for: { nationality: 'FR' } })).toBe(refused);
  });

  test.each([
    [undefined],
    [null],
    ['DE'],
    [{}],
    [{ nationality: ['DE'] }],
    [{ nationality: 'de' }],
    [[derived]],
  ])('B19 the value is at %j', async (derivedFor) => {
    expect(await on({ ...bound, derived_for: derivedFor })).toBe(refused);
  });

  test('B19 a Disclosure is signed by the issuer as well', async () => {
    const asked = disclose('derived_for', derived);
    const sd = { ...erika, derived: { nationality: '1' } };
    const payload = (good: Readonly<Record<string, unknown>>) => ({
      ...good,
      _sd: [...(good['_sd'] as string[]), digestOf(asked)],
    });
    const verdict = await judge(present({ sd, payload, more: [asked] }), trustIn(), { derived });
    expect(inShort(verdict)).toBe('valid');
  });

  test('B19 what the wallet says in its key binding does not count', async () => {
    const token = present({ binding: { payload: { nonce: nonceOf(state), ...bound } } });
    expect(inShort(await judge(token, trustIn(), { derived }))).toBe('attributes_missing C15');
  });

  test('B19 nothing of it is looked at where nothing derived is asked', async () => {
    expect(await on({ derived_for: { nationality: 'FR' }, iat: undefined }, {}, { derived: {} })).toBe(
      'valid',
    );
  });
});

describe('B19 the credential was made for this flow', () => {
  const at = async (iat: number | undefined, change: Partial<Expected> = {}) =>
    await on({ ...bound, iat }, {}, change);
  const began = startedAt.getTime() / 1000;

  test('B19 its iat is not before the flow began, less five seconds', async () => {
    expect(await at(began - 5)).toBe('valid');
    expect(await at(began - 6)).toBe(refused);
    expect(await at(undefined)).toBe(refused);
  });

  test('B19 without the beginning, it is not older than the key binding may be', async () => {
    const unknown = { startedAt: undefined } as unknown as Partial<Expected>;
    expect(await at(nowSeconds - 605, unknown)).toBe('valid');
    expect(await at(nowSeconds - 606, unknown)).toBe(refused);
  });
});

describe('B19 the places of result and value', () => {
  const places = (result: string[], value: string[]) => ({ derived: { nationality: { result, value } } });

  test.each([
    ['side by side', places(['german'], ['german_for']), { german: '1', german_for: 'DE' }],
    ['under one parent', places(['a', 'is'], ['a', 'for']), { a: { is: '1', for: 'DE' } }],
    ['deeper', places(['a', 'b', 'c'], ['a', 'd', 'c']), { a: { b: { c: '1' }, d: { c: 'DE' } } }],
  ])('B19 %s', async (_, trust, payload) => {
    expect(await on(payload, trust)).toBe('valid');
    expect(await on(bound, trust)).toBe('attributes_missing C15');
  });

  test('B19 no array on the way', async () => {
    const trust = places(['a', '0', 'is'], ['a', '0', 'for']);
    expect(await on({ a: [{ is: '1', for: 'DE' }] }, trust)).toBe('attributes_missing C15');
    expect(await on({ a: { 0: { is: '1', for: 'DE' } } }, trust)).toBe('valid');
  });

  test('B19 dangerouslyUnbound takes the bare result, of this flow alone', async () => {
    const nationality = { result: ['derived', 'nationality'], dangerouslyUnbound: true } as const;
    const trust = { derived: { nationality } };
    const { derived: bare } = bound;
    expect(await on({ derived: bare }, trust)).toBe('valid');
    expect(await on({ derived: bare, derived_for: { nationality: 'FR' } }, trust)).toBe('valid');
    expect(await on({ derived: bare, iat: nowSeconds - 3600 }, trust)).toBe(refused);
  });

  test('B19 absent options leave the usual places', async () => {
    for (const given of [undefined, {}, { nationality: undefined }]) {
      expect(await on(bound, { derived: given } as unknown as Partial<SdJwtVcTrust>)).toBe('valid');
    }
  });

  const wrong: [what: string, place: unknown, message: RegExp][] = [
    ['no object', ['derived', 'nationality'], /\.derived\.nationality must be an object/],
    ['no result', { value: ['a'] }, /\.nationality\.result must be a list/],
    ['no value', { result: ['a'] }, /\.nationality\.value must be a list/],
    ['an empty value', { result: ['a'], value: [] }, /\.nationality\.value must be a list/],
    ['a place elsewhere', { result: ['a', 'b'], value: ['c', 'd'] }, /\.value must be beside .*\.result/],
    ['a longer place', { result: ['a'], value: ['b', 'c'] }, /\.value must be beside/],
    ['a shorter place', { result: ['a', 'b'], value: ['a'] }, /\.value must be beside/],
    ['the place of the result', { result: ['a'], value: ['a'] }, /\.value must be beside/],
    [
      'both',
      { result: ['a'], value: ['b'], dangerouslyUnbound: true },
      /either a value or dangerouslyUnbound/,
    ],
    ['false', { result: ['a'], dangerouslyUnbound: false }, /either a value or dangerouslyUnbound/],
    ['false and a value', { result: ['a'], value: ['b'], dangerouslyUnbound: false }, /either a value or/],
    ['an unknown option', { result: ['a'], values: ['b'] }, /^Unknown option values of /],
  ];

  test.each(wrong)('K16 %s is refused at construction, in both formats', async (_, place, message) => {
    const trust = { derived: { nationality: place } } as object;
    for (const given of [trustIn(trust), jwtTrust(trust)]) {
      const error = await thrown(async () => await judge(present(), given));
      expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringMatching(message) });
    }
  });
});

describe('B19 a JWT that the service signed', () => {
  const result = async (payload: Readonly<Record<string, unknown>>, trust: object = {}) =>
    inShort(await judge(signResult(payload), jwtTrust(trust), { derived }));

  test('B19 has the asked value beside the result', async () => {
    expect(await result({})).toBe('valid');
    for (const value of ['FR', undefined, ['DE']]) {
      expect(await result({ answers_for: { nationality: value } })).toBe(refused);
    }
  });

  test('B19 or its entry says that it has not', async () => {
    const nationality = { result: ['answers', 'nationality'], dangerouslyUnbound: true };
    expect(await result({ answers_for: undefined }, { derived: { nationality } })).toBe('valid');
  });
});

describe('B19 derivedBy: the service states the answer in a JWT of its own', () => {
  const serviceKeys = newKeyPair();
  const derivedBy: JwtTrust = { ...jwtEntry, keys: { jwks: { keys: [serviceKeys.jwk] } } };
  const trust = trustIn({ derivedBy });
  const stated = (payload = {}) => signResult(payload, {}, serviceKeys);
  const asking = { derived };

  test('B19 it verifies every flow that asks for a derived value, attributes included', async () => {
    expect(await judge(stated(), trust, asking)).toEqual({
      valid: true,
      attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
      derived: { nationality: true },
    });
    expect(inShort(await judge(stated({ answers_for: { nationality: 'FR' } }), trust, asking))).toBe(refused);
    expect(inShort(await judge(present({ payload: bound }), trust, asking))).toBe('presentation_invalid P06');
  });

  test('B19 and no other flow', async () => {
    expect(inShort(await judge(present(), trust))).toBe('valid');
    expect(inShort(await judge(stated(), trust))).toBe('presentation_invalid P03');
  });

  test("B19 its keys are the service's, never the credential issuer's, and the other way round", async () => {
    expect(inShort(await judge(signResult(), trust, asking))).toBe('presentation_invalid K02');
    expect(inShort(await judge(present({ issuer: serviceKeys }), trust))).toBe('presentation_invalid K02');
  });

  test.each<[what: string, options: object]>([
    ['another format', { derivedBy: { ...entry } }],
    ['no format', { derivedBy: { ...derivedBy, format: undefined } }],
    ['no place of the result', { derivedBy: { ...derivedBy, derived: undefined } }],
    ['no object', { derivedBy: 'jwt' }],
    ['derived beside it', { derivedBy, derived: {} }],
    ['a wrong option', { derivedBy: { ...derivedBy, audience: '' } }],
  ])('K16 %s is refused at construction', async (_, options) => {
    expect(await thrown(async () => await judge(present(), trustIn(options)))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/derivedBy/),
    });
  });
});

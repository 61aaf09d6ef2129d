import { describe, expect, test } from '@jest/globals';
import type { JwtTrust } from '../../../lib/index.js';
import {
  digestOf,
  disclose,
  erika,
  newKeyPair,
  now,
  nowSeconds,
  nonceOf,
} from '../../support/verify/issuer.js';
import { checkOfJwt, jwtEntry, jwtTrust, signResult } from '../../support/verify/jwt-tokens.js';
import { type Members, checkOf, entry, judge, judgeEach } from '../../support/verify/verdicts.js';
import { judgeValues, present, refuseEach, state, trustIn } from '../../support/verify/verdicts.js';

const derived = { nationality: 'DE' };
const french = { nationality: 'FR' };
const result = { derived: { nationality: '1' } };
const bound = { ...result, derived_for: derived };
const startedAt = new Date(now.getTime() - 30_000);
const began = startedAt.getTime() / 1000;
const missing = 'attributes_missing C15';

/** The verdict on claims that an issuer signed, for a flow that asks about DE. */
const check = (payload: Members, trust: object = {}, flow: object = {}) =>
  checkOf(present({ payload: { iat: nowSeconds - 10, ...payload } }), trustIn(trust), {
    derived,
    startedAt,
    ...flow,
  });

describe('B19 a derived result is bound to the value that was asked, and to this flow', () => {
  const results = ['1', '0'];
  const places = [undefined, null, 'DE', {}, { nationality: ['DE'] }, { nationality: 'de' }, [derived]];
  judgeValues('B19 the result %j for the asked value counts', results, 'valid', (nationality) =>
    check({ ...bound, derived: { nationality } }),
  );
  judgeValues('B19 the result %j for another value', results, 'B19', (nationality) =>
    check({ derived: { nationality }, derived_for: french }),
  );
  judgeValues('B19 the value is at %j', places, 'B19', (value) => check({ ...bound, derived_for: value }));

  const asked = disclose('derived_for', derived);
  const disclosed = {
    sd: { ...erika, ...result },
    payload: (good: Members) => ({ ...good, _sd: [...(good['_sd'] as string[]), digestOf(asked)] }),
    more: [asked],
  };
  judgeEach((token: Parameters<typeof present>[0]) => checkOf(present(token), trustIn(), { derived }), {
    'B19 a Disclosure is signed by the issuer as well': ['valid', disclosed],
    'B19 C15 not by the wallet': [missing, { binding: { payload: { nonce: nonceOf(state), ...bound } } }],
  });
  judgeEach(check, {
    'B19 only where it was asked': ['valid', { derived_for: french, iat: undefined }, {}, { derived: {} }],
    'B19 its iat is not before the flow began, less five seconds': ['valid', { ...bound, iat: began - 5 }],
    'B19 its iat is before the flow began': ['B19', { ...bound, iat: began - 6 }],
    'B19 it has no iat': ['B19', { ...bound, iat: undefined }],
    'B19 young without it': ['valid', { ...bound, iat: nowSeconds - 605 }, {}, { startedAt: undefined }],
    'B19 older without it': ['B19', { ...bound, iat: nowSeconds - 606 }, {}, { startedAt: undefined }],
  });
});

describe('B19 the places of result and value', () => {
  const at = (path: string, value: string) => ({
    derived: { nationality: { result: path.split('.'), value: value.split('.') } },
  });
  test.each([
    ['side by side', at('german', 'german_for'), { german: '1', german_for: 'DE' }],
    ['under one parent', at('a.is', 'a.for'), { a: { is: '1', for: 'DE' } }],
    ['deeper', at('a.b.c', 'a.d.c'), { a: { b: { c: '1' }, d: { c: 'DE' } } }],
  ])('B19 %s', async (_, trust, payload) => {
    expect(await check(payload, trust)).toBe('valid');
    expect(await check(bound, trust)).toBe(missing);
  });

  const inArray = at('a.0.is', 'a.0.for');
  const unbound = {
    derived: { nationality: { result: ['derived', 'nationality'], dangerouslyUnbound: true } },
  };
  judgeEach(check, {
    'B19 C15 no array on the way': [missing, { a: [{ is: '1', for: 'DE' }] }, inArray],
    'B19 a member whose name is a number': ['valid', { a: { 0: { is: '1', for: 'DE' } } }, inArray],
    'B19 dangerouslyUnbound takes the bare result': ['valid', result, unbound],
    'B19 dangerouslyUnbound takes any value': ['valid', { ...result, derived_for: french }, unbound],
    'B19 dangerouslyUnbound is for this flow alone': ['B19', { ...result, iat: nowSeconds - 3600 }, unbound],
  });
  const absent = [undefined, {}, { nationality: undefined }];
  judgeValues('B19 absent options leave the usual places: %j', absent, 'valid', (options) =>
    check(bound, { derived: options }),
  );

  const wrong: [what: string, place: unknown, message: RegExp][] = [
    ['no object', ['derived', 'nationality'], /\.derived\.nationality must be an object/],
    ['no result', { value: ['a'] }, /\.nationality\.result must be a list/],
    ['no value', { result: ['a'] }, /\.nationality\.value must be a list/],
    ['an empty value', { result: ['a'], value: [] }, /\.nationality\.value must be a list/],
    ['a place elsewhere', { result: ['a', 'b'], value: ['c', 'd'] }, /\.value must be beside .*\.result/],
    ['a longer place', { result: ['a'], value: ['b', 'c'] }, /\.value must be beside/],
    ['a shorter place', { result: ['a', 'b'], value: ['a'] }, /\.value must be beside/],
    ['the place of the result', { result: ['a'], value: ['a'] }, /\.value must be beside/],
    ['both', { result: ['a'], value: ['b'], dangerouslyUnbound: true }, /either a value or/],
    ['false', { result: ['a'], dangerouslyUnbound: false }, /either a value or/],
    ['false and a value', { result: ['a'], value: ['b'], dangerouslyUnbound: false }, /either a value or/],
    ['an unknown option', { result: ['a'], values: ['b'] }, /^Unknown option values of /],
  ];
  for (const [format, trust] of [['sd-jwt-vc', trustIn] as const, ['jwt', jwtTrust] as const]) {
    refuseEach(`K16 %s is refused at construction, in ${format}`, wrong, (nationality) =>
      judge('a', trust({ derived: { nationality } })),
    );
  }
});

describe('B19 a JWT that the service signed', () => {
  const checkJwt = (payload: Members, trust: object = {}) =>
    checkOfJwt(signResult(payload), trust, { derived });
  const unbound = {
    derived: { nationality: { result: ['answers', 'nationality'], dangerouslyUnbound: true } },
  };
  judgeEach(checkJwt, {
    'B19 has the asked value beside the result': ['valid', {}],
    'B19 or its entry says that it has not': ['valid', { answers_for: undefined }, unbound],
  });
  judgeValues('B19 not with %j', ['FR', undefined, ['DE']], 'B19', (value) =>
    checkJwt({ answers_for: { nationality: value } }),
  );
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
  });
  judgeEach((token: string, flow: object = {}) => checkOf(token, trust, flow), {
    'B19 another value than the asked one': ['B19', stated({ answers_for: french }), asking],
    'P06 B19 no credential where a derived value is asked': ['P06', present({ payload: bound }), asking],
    'B19 and no other flow': ['valid', present()],
    'P03 B19 no JWT where none is asked': ['P03', stated()],
    "K02 B19 its keys are the service's, never the credential issuer's": ['K02', signResult(), asking],
    "K02 B19 the issuer's keys are never the service's": ['K02', present({ issuer: serviceKeys })],
  });
  const wrong: [what: string, options: object][] = [
    ['another format', { derivedBy: { ...entry } }],
    ['no format', { derivedBy: { ...derivedBy, format: undefined } }],
    ['no place of the result', { derivedBy: { ...derivedBy, derived: undefined } }],
    ['no object', { derivedBy: 'jwt' }],
    ['derived beside it', { derivedBy, derived: {} }],
    ['a wrong option', { derivedBy: { ...derivedBy, audience: '' } }],
  ];
  refuseEach('K16 %s', wrong, (options) => judge(present(), trustIn(options)), /derivedBy/);
});

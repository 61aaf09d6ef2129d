import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Expected, JwtTrust, Trust, Verdict } from '../../../lib/index.js';
import { attributeIds } from '../../../lib/types/attributes.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import {
  digestOf,
  disclose,
  erika,
  issuerKeys,
  mint,
  newKeyPair,
  nonceOf,
  now,
  nowSeconds,
} from '../../support/verify/issuer.js';
import { checkOfJwt, jwtEntry, jwtTrust, signResult } from '../../support/verify/jwt-tokens.js';
import {
  checkOf,
  entry,
  inFull,
  inShort,
  judge,
  judgeEach,
  judgeValues,
  type Members,
  present,
  refuse,
  refuseEach,
  refuseValues,
  state,
  thrown,
  trustIn,
} from '../../support/verify/verdicts.js';

describe('trust', () => {
  const { jwk, privateJwk } = issuerKeys;
  const jwks = (...keys: unknown[]) => ({ keys: { jwks: { keys } } });
  const uri = (jwksUri: unknown) => ({ keys: { jwksUri } });
  const keyBinding = (change: unknown) => ({ keyBinding: change });
  const bound = (change: object) => keyBinding({ ...entry.keyBinding, ...change });
  const noUrl = /\.keys\.jwksUri must be an https URL/;

  describe('K16 a trust that could judge nothing is refused at construction', () => {
    const wrong: [what: string, change: object, message: RegExp | string][] = [
      [
        'no keys',
        { keys: undefined },
        /^trust\['de-ausweis'\]\.keys must name one mechanism: jwks or jwksUri/,
      ],
      ['keys that are no object', { keys: [jwk] }, /\.keys must name one mechanism/],
      ['no mechanism', { keys: {} }, /\.keys must name one mechanism/],
      ['a mechanism that is undefined', { keys: { jwks: undefined } }, /\.keys must name one mechanism/],
      [
        'two mechanisms',
        { keys: { ...jwks(jwk).keys, jwksUri: 'https://a.example' } },
        /\.keys must name one/,
      ],
      [
        'an unknown mechanism',
        { keys: { x5u: 'https://a.example' } },
        /\.keys has the unknown mechanism x5u/,
      ],
      ['zero keys', jwks(), /\.keys\.jwks must be \{ keys: \[\.\.\.\] \} with at least one key/],
      ['a set without keys', { keys: { jwks: {} } }, /\.keys\.jwks must be/],
      ['a set that is none', { keys: { jwks: () => [jwk] } }, /\.keys\.jwks must be/],
      ['a private key', jwks(jwk, privateJwk), /\.keys\.jwks\.keys\[1\] is private/],
      ['a symmetric key', jwks({ kty: 'oct', k: 'c2VjcmV0' }), /keys\[0\] is symmetric/],
      ['no JWK', jwks('a'), /keys\[0\] is not a JWK/],
      ['a JWK without its type', jwks({ ...jwk, kty: undefined }), /keys\[0\] is not a JWK/],
      ['an encryption key', jwks({ ...jwk, use: 'enc' }), /keys\[0\] is not a public signature key/],
      [
        'a key without a coordinate',
        jwks({ ...jwk, y: undefined }),
        /keys\[0\] is not a public signature key/,
      ],
      ['http', uri('http://issuer.example/jwks.json'), noUrl],
      ['another scheme', uri('file:///etc/jwks.json'), noUrl],
      ['user information', uri('https://a:b@issuer.example'), noUrl],
      ['no URL', uri('jwks.json'), noUrl],
      ['a URL that is no text', uri(7), noUrl],
      ['unknown', { statuss: {} }, "Unknown option statuss of trust['de-ausweis']. Did you mean status?"],
      ['a status mode that is none', { status: { mode: 'ignore' } }, /\.status\.mode must be 'ifPresent'/],
      ['no key binding', { keyBinding: undefined }, /\.keyBinding must be an object/],
      ['a switch in its place', { keyBinding: 'absent' }, /\.keyBinding must be an object/],
      ['no nonce', bound({ nonce: undefined }), /\.keyBinding\.nonce must be 'state-sha256' or a function/],
      ['a fixed nonce', bound({ nonce: 'n' }), /\.keyBinding\.nonce must be/],
      ['no audience', bound({ audience: undefined }), /\.keyBinding\.audience must be a non-empty string/],
      ['an empty audience', bound({ audience: '' }), /\.keyBinding\.audience/],
      ['a maxAge as text', bound({ maxAge: '10m' }), /\.keyBinding\.maxAge/],
      ['a negative tolerance', bound({ tolerance: -1 }), /\.keyBinding\.tolerance/],
      ['an unknown binding', bound({ startedAt: 1 }), /Unknown option startedAt of/],
      ['no vct', { vct: undefined }, /\.vct must be a list/],
      ['an empty vct', { vct: [] }, /\.vct must be a list/],
      ['a vct alone', { vct: 'urn:a' }, /\.vct must be a list/],
      ['a vct that is no text', { vct: [/urn/] }, /\.vct\[0\] must be a non-empty string/],
      ['an empty iss', { iss: '' }, /\.iss\[0\] must be a non-empty string/],
      ['no iss in the list', { iss: [] }, /\.iss must be a list/],
      ['no signature', { algorithms: ['none'] }, /\.algorithms has none/],
      ['no algorithm', { algorithms: [] }, /\.algorithms must be a list/],
      ['no format', { format: undefined }, /^trust\['de-ausweis'\]\.format must be sd-jwt-vc/],
      ['an unknown format', { format: 'mso_mdoc' }, /\.format must be sd-jwt-vc or jwt/],
      ['a format from the prototype', { format: 'constructor' }, /\.format must be sd-jwt-vc/],
      ['a claim of no attribute', { claims: { birthdate: ['a'] } }, /Unknown option birthdate of .*\.claims/],
      ['a path that is none', { claims: { birth_date: 'birthdate' } }, /\.claims\.birth_date must be a list/],
      ['claims that are none', { claims: ['a'] }, /\.claims must be an object/],
    ];

    refuseEach('K16 %s', wrong, (change) => createVerifiers(trustIn(change)));
    const trusts = [undefined, null, [], 'trust', { 'de-ausweis': null }, { 'de-ausweis': 'sd-jwt-vc' }];
    refuseValues('K16 the trust is %j', trusts, (trust) => createVerifiers(trust as unknown as Trust));
    refuse('K16 the settings too', () => createVerifiers(trustIn(), { maxAge: Number.NaN }), /maxAge/);

    test('K16 what is undefined is absent', () => {
      const trust = {
        'de-ausweis': { ...entry, claims: undefined, derived: undefined, derivedBy: undefined },
        other: undefined,
      };
      expect([...createVerifiers(trust as unknown as Trust).keys()]).toEqual(['de-ausweis']);
    });
  });

  judgeEach(checkOf, {
    'P11 the wallet chooses no format': ['P03', mint({ sd: {}, binding: 'absent' }).slice(0, -1)],
  });
});

describe('derived', () => {
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
      'B19 dangerouslyUnbound is for this flow alone': [
        'B19',
        { ...result, iat: nowSeconds - 3600 },
        unbound,
      ],
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
});

describe('pid', () => {
  const all = { reveal: attributeIds };
  const missing = 'attributes_missing C13';
  const lacks = (what: string) => `${missing} The presentation does not hold ${what}.`;
  const invalid = 'attribute_invalid C13';

  /** The verdict on these claims in place of Erika's. */
  const check = (claims: Members, flow: object = {}, trust: object = {}) =>
    checkOf(present({ sd: { ...erika, ...claims } }), trustIn(trust), { ...all, ...flow });

  describe('a good presentation', () => {
    test('gives the attributes that were asked for under their ids', async () => {
      const { birthdate: birth_date, nationalities: nationality, ...names } = erika;
      const attributes = { ...names, birth_date, nationality };
      expect(await judge(present(), trustIn(), all)).toEqual({ valid: true, attributes, derived: {} });
    });

    test('hides their values from logs', async () => {
      const payload = { derived: { nationality: '1' }, derived_for: { nationality: 'DE' } };
      const verdict = await judge(present({ payload }), trustIn(), { derived: { nationality: 'DE' } });
      expect(inspect(verdict, { depth: 9 })).toBe(
        '{\n  valid: true,\n  attributes: { given_name: [hidden], birth_date: [hidden] },\n  derived: { nationality: [hidden] }\n}',
      );
      expect(JSON.stringify(verdict)).toContain('"given_name":"Erika"');
    });

    test('normalises birth dates by the variant', async () => {
      const verdict = await judge(present({ sd: { ...erika, birthdate: '12-08-1964' } }), trustIn(), {
        variant: 'base',
      });
      expect(verdict).toMatchObject({ attributes: { birth_date: '1964-08-12' } });
    });

    test('finds claims where the trust entry says that they lie', async () => {
      const claims = { birth_date: ['birth', 'date'], given_name: ['vorname'] };
      const sd = { ...erika, birthdate: undefined, birth: { date: '1964-08-12' }, vorname: 'Rika' };
      const verdict = await judge(present({ sd }), trustIn({ claims }));
      expect(verdict).toMatchObject({ attributes: { birth_date: '1964-08-12', given_name: 'Rika' } });
    });
  });

  describe('C13 every asked attribute is there, in its form', () => {
    const explain = async (sd: Members, flow: object = all) =>
      inFull(await judge(present({ sd }), trustIn(), flow));
    const without = (claim: string) =>
      Object.fromEntries(Object.entries(erika).filter(([name]) => name !== claim));
    judgeEach(explain, {
      'C13 family_name is missing': [lacks('family_name'), without('family_name')],
      'C13 given_name is missing': [lacks('given_name'), without('given_name')],
      'C13 birth_date is missing': [lacks('birth_date'), without('birthdate')],
      'C13 nationality is missing': [lacks('nationality'), without('nationalities')],
      'C13 all that are missing are named': [lacks('given_name, birth_date'), {}, {}],
    });

    const names = ['', ' ', 7, null, ['Erika'], {}, false];
    judgeValues('C13 a name is %j', names, invalid, (given_name) => check({ given_name }));
    judgeValues('C13 a family name is %j', names, invalid, (family_name) => check({ family_name }));
    const dates = [
      '12-08-1964',
      '1964-02-30',
      '1964-8-12',
      '12.08.1964',
      '',
      -170_000_000,
      null,
      ['1964-08-12'],
    ];
    judgeValues('C13 the birth date is %j', dates, invalid, (birthdate) => check({ birthdate }));
    const countries = [
      'DE',
      ['de'],
      ['DEU'],
      ['DE', 7],
      [['DE']],
      [null],
      { value: 'DE', countryName: 'Germany' },
      null,
    ];
    judgeValues('C13 the nationality is %j', countries, invalid, (nationalities) => check({ nationalities }));

    test.each([
      ['a zero width space', '\u200b'],
      ['NUL', '\0'],
      ['half of a character', '\ud800'],
      ['wide spaces', '\u00a0\u2003'],
      ['marks of direction', '\u202e\u2066'],
      ['a byte order mark', '\ufeff'],
    ])('F78 a name of %s has no character that can be seen', async (_, name) => {
      expect(await check({ given_name: name })).toBe(invalid);
      expect(await check({ given_name: `${name}ẞ` })).toBe('valid');
    });

    const elsewhere = { claims: { given_name: ['names', 'given'] } };
    judgeValues(
      'C13 a path that ends too early, or goes through something else than an object: %j',
      [{}, 'given', [['given', 'Erika']], null],
      missing,
      (given) => check({ names: given }, {}, elsewhere),
    );
    judgeEach(check, {
      'C13 the birth date has the form of the other variant': [invalid, {}, { variant: 'base' }],
      'C13 the nationalities are a list without an element': [missing, { nationalities: [] }],
      'C13 unknown and stateless are nationalities': ['valid', { nationalities: ['QU', 'QS'] }],
      'F81 C13 a name that is a list without an element is of a wrong form': [invalid, { given_name: [] }],
    });

    const digest = 'x'.repeat(43);
    const kept = [[], [{ '...': digest }], [{ '...': digest }, { '...': `${digest.slice(1)}y` }]];
    const toldWhy = `${missing} nationality has no element: the wallet showed the list without any.`;
    judgeValues(
      'F81 a list without an element was not disclosed, and the operator reads that: %j',
      kept,
      toldWhy,
      (nationalities) => explain({ ...erika, nationalities }),
    );
    judgeValues('F81 nor does it matter where it was not asked for: %j', kept, 'valid', (nationalities) =>
      check({ nationalities }, { reveal: ['given_name'] }),
    );
  });

  test('C14 what was not asked for is dropped', async () => {
    const token = present({ payload: { derived: { nationality: '1' } } });
    const verdict = await judge(token, trustIn(), { reveal: ['given_name'] });
    expect(verdict).toEqual({ valid: true, attributes: { given_name: 'Erika' }, derived: {} });
    expect(await judge(token, trustIn(), { reveal: [] })).toMatchObject({ valid: true, attributes: {} });
  });

  describe('C15 derived results', () => {
    const derived = { nationality: 'DE' };
    const result = (value: unknown) =>
      judge(present({ payload: { derived: value, derived_for: derived } }), trustIn(), { derived });
    const told = async (value: unknown) =>
      inFull(await result(value))
        .split(' ')
        .slice(0, 2)
        .join(' ');

    test.each([
      ['1', true],
      ['0', false],
    ])('C15 only "1" and "0" are values: %j', async (nationality, value) => {
      expect(await result({ nationality })).toMatchObject({ valid: true, derived: { nationality: value } });
    });
    const others = [1, 0, true, 'true', 'DE', '', '01', null, ['1'], {}];
    judgeValues('C15 %j is none', others, 'attribute_invalid C15', (nationality) => told({ nationality }));
    judgeValues('C15 it is missing in %j', [undefined, '1', {}, ['1']], 'attributes_missing C15', told);

    test('C15 what is undefined was not asked for', async () => {
      const verdict = await judge(present(), trustIn(), { derived: { nationality: undefined } });
      expect(verdict).toMatchObject({ valid: true, derived: {} });
    });
  });
});

describe('custom verifier', () => {
  /** What the kit makes of the answer of a customer's verifier. */
  const on = async (answer: unknown, change: object = {}) =>
    await judge('any text', { 'de-ausweis': async () => await Promise.resolve(answer as Verdict) }, change);

  const attributes = { given_name: 'Erika', birth_date: '1964-08-12' };

  describe('a verifier of the customer', () => {
    test('hears what every presentation must fit, beside what its flow asked for', async () => {
      const seen: Expected[] = [];
      const refusing = async (_: string, expected: Expected): Promise<Verdict> => {
        seen.push(expected);
        return await Promise.resolve({ valid: false, reason: 'no' });
      };
      const verifiers = createVerifiers({ 'de-ausweis': refusing }, { expected: { variant: 'base' } });
      const asked = { issuer: 'de-ausweis', state: 'state-of-the-flow', reveal: [] };
      await verifiers.get('de-ausweis')?.('a presentation', asked);
      expect(seen).toEqual([{ ...asked, variant: 'base' }]);
    });

    test('gets the presentation and what is expected', async () => {
      const seen: unknown[] = [];
      const trust = {
        'de-ausweis': async (presentation: string, expected: Expected) => {
          seen.push(presentation, expected.state);
          return await Promise.resolve({ valid: true, attributes, derived: {} } as const);
        },
      };
      expect(await judge('a presentation', trust)).toEqual({ valid: true, attributes, derived: {} });
      expect(seen).toEqual(['a presentation', 'state-of-the-flow']);
    });

    test('its refusals are passed on, the reason capped', async () => {
      const refusal = { valid: false, reason: 'no', check: 'X1', code: 'keys_unavailable' };
      expect(await on(refusal)).toEqual(refusal);
      expect(await on({ valid: false, reason: 'a'.repeat(201) })).toEqual({
        valid: false,
        reason: 'a'.repeat(200),
        code: 'presentation_invalid',
      });
      for (const code of ['Not A Code', 'revoked by Erika', ' revoked', '']) {
        expect(await on({ valid: false, code, check: 7 })).toEqual({
          valid: false,
          reason: 'No reason was given.',
          code: 'presentation_invalid',
        });
      }
      expect(await on({ valid: false, check: 'X'.repeat(21) })).toMatchObject({ check: 'X'.repeat(20) });
    });

    test('what it throws is no verdict', async () => {
      const failure = new Error('the vault is closed');
      const trust = { 'de-ausweis': async () => await Promise.reject<Verdict>(failure) };
      expect(await thrown(async () => await judge('a', trust))).toBe(failure);
    });

    const answers = [undefined, null, true, {}, { valid: 1 }, { valid: 'true', attributes }, []];
    const message = "trust['de-ausweis'] returned something that is not a verdict.";
    refuseValues('the answer %j is config_invalid', answers, on, message);

    judgeValues('P01 it is not asked about %p', [undefined, 7, null], 'P01', async (presentation) =>
      inShort(await judge(presentation, { 'de-ausweis': () => Promise.reject(new Error('asked')) })),
    );
  });

  describe('what it finds valid must still hold what was asked for', () => {
    const finding = (flow: object) => async (given: unknown) =>
      inShort(await on({ valid: true, attributes: given, derived: {} }, flow));
    const few = [
      undefined,
      null,
      {},
      [attributes],
      Object.create(attributes),
      { given_name: 'Erika' },
      { ...attributes, birth_date: undefined },
    ];
    judgeValues('C13 %j lacks attributes', few, 'attributes_missing C13', finding({}));
    const others = [{ given_name: '' }, { birth_date: '12-08-1964' }, { birth_date: new Date(0) }];
    judgeValues('C13 %j has another form than the kit hands on', others, 'attribute_invalid C13', (change) =>
      finding({ variant: 'base' })({ ...attributes, ...change }),
    );

    test('C14 what was not asked for is dropped, and the values are hidden', async () => {
      const verdict = await on({
        valid: true,
        attributes: { ...attributes, nationality: ['DE'] },
        derived: { nationality: true },
      });
      expect(verdict).toEqual({ valid: true, attributes, derived: {} });
      expect(inspect(verdict)).not.toContain('Erika');
    });

    const asked = { derived: { nationality: 'DE' } };
    const result = (derived: unknown) => on({ valid: true, attributes, derived }, asked);
    test.each([true, false])('C15 derived results are booleans: %j', async (nationality) => {
      expect(await result({ nationality })).toMatchObject({ valid: true, derived: { nationality } });
    });
    judgeValues(
      'C15 derived results are booleans, not %j',
      ['1', 1, 'true', null],
      'attribute_invalid C15',
      async (nationality) => inShort(await result({ nationality })),
    );
    const none = [undefined, {}, Object.create({ nationality: true })];
    judgeValues('C15 derived results are there, not in %j', none, 'attributes_missing C15', async (derived) =>
      inShort(await result(derived)),
    );
  });
});

import { inspect } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import type { Expected } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { audience, encode, iss, issuerKeys, mint, newKeyPair, nonceOf } from '../../support/verify/issuer.js';
import { nowSeconds, walletKeys } from '../../support/verify/issuer.js';
import { checkOfClaims, checkOfJwt, jwtEntry, jwtTrust } from '../../support/verify/jwt-tokens.js';
import { signResult } from '../../support/verify/jwt-tokens.js';
import { type Members, checkOf, judge, judgeEach, judgeValues } from '../../support/verify/verdicts.js';
import { refuse, refuseEach, state } from '../../support/verify/verdicts.js';

// What holds for any JWS (its envelope, header, signature and times) is in jose/every-jws.test.ts.

const other = newKeyPair();
const asked = { derived: { nationality: 'DE' } };
const set = (...keys: object[]) => ({ jwks: { keys } });

test('J08 a good token gives what was asked for, under the ids of the interface, hidden from logs', async () => {
  const verdict = await judge(signResult(), jwtTrust(), asked);
  expect(verdict).toEqual({
    valid: true,
    attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
    derived: { nationality: true },
  });
  expect(inspect(verdict)).not.toContain('Erika');
});

describe('J01 the envelope, the header and the key as of any token', () => {
  const bySet = { keys: set({ ...issuerKeys.jwk, kid: 'a' }, { ...walletKeys.jwk, kid: 'b' }) };
  const withNumber = (good: unknown) => `{"n":1e999,${JSON.stringify(good).slice(1)}`;

  judgeEach(checkOfJwt, {
    'P01 J01 no text': ['P01', undefined],
    'P01 J01 a text over the limit': ['P01', 'a'.repeat(256 * 1024 + 1)],
    'P06 J01 an SD-JWT': ['P06', mint({ sd: {}, binding: 'absent' })],
    'P07 J01 the JSON serialization': ['P07', JSON.stringify({ payload: 'a', signature: 'b' })],
    'P12 J01 a whole vp_token': ['P12', JSON.stringify({ result: [signResult()] })],
    'S24 J01 a number that would be rounded': ['S24', signResult(withNumber)],
    'T03 J01 a status that nothing could look up': ['T03', signResult({ status: {} })],
    'K02 J01 the signature of another key': ['K02', signResult({}, {}, other)],
    'K12 J01 the kid selects among the keys of the entry': ['valid', signResult({}, { kid: 'a' }), bySet],
    'K02 J01 the kid selects another key of the entry': ['K02', signResult({}, { kid: 'b' }), bySet],
    'K12 J01 no kid selects none': ['key_not_found K12', signResult(), bySet],
  });

  test.each([
    ['jwk', { jwk: other.jwk }],
    ['jku', { jku: 'https://attacker.example/jwks.json' }],
    ['x5u', { x5u: 'https://attacker.example/chain.pem' }],
  ])('J01 H05 a key by %s is neither used nor fetched', async (_, offer) => {
    const fetch = jest.spyOn(globalThis, 'fetch');
    expect(await checkOfJwt(signResult({}, offer, other))).toBe('K02');
    expect(fetch).not.toHaveBeenCalled();
    fetch.mockRestore();
  });
});

describe('J02 to J07 it is for us, for this flow, and young', () => {
  const audiences = [undefined, null, '', 'app.example', `${audience} `, [audience], [audience, 'other'], 7];
  const issuers = [undefined, null, '', `${iss}/`, [iss], 'https://attacker.example'];
  const nonces = [undefined, null, '', state, nonceOf('another flow'), [nonceOf(state)], 7];
  judgeValues('J03 the audience %j is refused', audiences, 'J03', (aud) => checkOfClaims({ aud }));
  judgeValues('J04 iss %j', issuers, 'J04', (name) => checkOfClaims({ iss: name }));
  judgeValues('J05 typ %j', ['dc+sd-jwt', 'kb+jwt'], 'J05', (typ) => checkOfJwt(signResult({}, { typ })));
  judgeValues('J06 the nonce %j is refused', nonces, 'J06', (nonce) => checkOfClaims({ nonce }));

  const byState = { binding: { claim: 'state', value: 'state' } };
  const value = ({ issuer, state: seen }: Expected) => `${issuer}/${nonceOf(seen)}`;
  const byFunction = { binding: { claim: 'transaction', value } };
  const toString = ({ state: seen }: Expected) =>
    seen === state ? String(Reflect.get({}, 'toString')) : nonceOf(seen);

  judgeEach(checkOfClaims, {
    'J02 C04 it has expired, by more than the tolerance': ['C04', { exp: nowSeconds - 5 }],
    'J02 C04 it has expired, by the tolerance': ['valid', { exp: nowSeconds - 4 }],
    'J02 C04 it has expired, without a tolerance': ['C04', { exp: nowSeconds }, { tolerance: 0 }],
    'J02 C04 it has expired, by a longer tolerance': ['valid', { exp: nowSeconds - 59 }, { tolerance: 60 }],
    'J02 C06 it is not valid yet': ['C06', { nbf: nowSeconds + 6 }],
    'J02 C06 it is not valid yet, by the tolerance': ['valid', { nbf: nowSeconds + 5 }],
    'J04 any of several': ['valid', {}, { iss: ['https://other.example', iss] }],
    'J04 none of several': ['J04', {}, { iss: ['https://other.example'] }],
    'J06 the state itself, where the service sends it': ['valid', { state }, byState],
    'J06 another text than the state itself': ['J06', { state: `${state} ` }, byState],
    'J06 no state, where the service sends it': ['J06', {}, byState],
    'J06 what a function answers': ['valid', { transaction: `de-ausweis/${nonceOf(state)}` }, byFunction],
    'J06 another text than a function answers': ['J06', { transaction: state }, byFunction],
    'J06 a claim of the prototype alone': ['J06', {}, { binding: { claim: 'toString', value: toString } }],
    'J07 older than maxAge, which is ten minutes': ['J07', { iat: nowSeconds - 606 }],
    'J07 as old as maxAge': ['valid', { iat: nowSeconds - 605 }],
    'J07 older than the maxAge of the entry': ['J07', { iat: nowSeconds - 66 }, { maxAge: 60 }],
    'J07 as old as the maxAge of the entry': ['valid', { iat: nowSeconds - 65 }, { maxAge: 60 }],
    'J07 C07 from the future': ['C07', { iat: nowSeconds + 6 }],
    'J07 C07 from the future, by the tolerance': ['valid', { iat: nowSeconds + 5 }],
    'J09 the age of a JWT is limited by its entry': ['valid', { iat: nowSeconds - 606 }, { maxAge: 601 }],
    'J09 the age of a JWT is limited by the life of a flow': ['J07', { iat: nowSeconds - 606 }],
    'J09 the age of a JWT is limited by the entry': ['J07', { iat: nowSeconds - 16 }, { maxAge: 10 }],
  });
  const startedAt = new Date(nowSeconds * 1000);
  const old = (seconds: number, flow: object, settings = {}) =>
    checkOf(signResult({ iat: nowSeconds - seconds }), jwtTrust(), flow, settings);
  judgeEach(old, {
    'J07 older than the maxAge of the kit': ['J07', 66, {}, { maxAge: 60 }],
    'J07 older than the flow': ['J07', 6, { startedAt }],
    'J07 as old as the flow': ['valid', 5, { startedAt }],
  });
  const nothing = { binding: { claim: 'nonce', value: () => undefined } };
  refuse('J06 a function that returns no string', () => checkOfClaims({ nonce: undefined }, nothing));
});

describe('J08 the claims lie where the entry says, and nowhere else', () => {
  const invalid = 'attribute_invalid C13';
  const nameAt = (member: string) => ({ claims: { ...jwtEntry.claims, given_name: [member, 'name'] } });
  const person = { birthdate: '1964-08-12', birth_date: '1964-08-12', given_name: 'Erika' };
  const ownProto = (good: unknown) => `{"__proto__":{"name":"Erika"},${JSON.stringify(good).slice(1)}`;

  judgeEach(checkOfClaims, {
    'J08 names of the rulebook do not count': ['attributes_missing C13', { person, birthdate: '1964-08-12' }],
    'J08 C13 a name that is none': [invalid, { person: { given_name: 7, born: '1964-08-12' } }],
    'J08 C13 a date of the other variant': [invalid, { person: { given_name: 'Erika', born: '12-08-1964' } }],
    'J08 C13 a path finds own members only': ['attributes_missing C13', {}, nameAt('constructor')],
    'J08 a path finds own members of any name': ['valid', ownProto, nameAt('__proto__')],
  });
  judgeValues(
    'J08 C15 the derived result %j is no value',
    [1, true, 'yes', null],
    'attribute_invalid C15',
    (nationality) => checkOfJwt(signResult({ answers: { nationality } }), {}, asked),
  );
  refuseEach<[flow: object, trust?: object]>(
    'J08 %s that the entry does not place is a wrong configuration',
    [
      [
        'an asked attribute',
        [{ reveal: ['family_name'] }],
        "trust['de-ausweis'].claims does not say where family_name is, which is asked for.",
      ],
      ['a result', [asked, { derived: undefined }]],
    ],
    ([flow, trust]) => checkOfJwt(signResult(), trust, flow),
  );

  test('J08 C13 the date of the variant that was asked for', async () => {
    const base = signResult({ person: { given_name: 'Erika', born: '12-08-1964' } });
    const verdict = await judge(base, jwtTrust(), { variant: 'base' });
    expect(verdict).toMatchObject({ attributes: { birth_date: '1964-08-12' } });
  });

  test('J08 C14 what was not asked for is dropped', async () => {
    const verdict = await judge(signResult(), jwtTrust(), { reveal: ['given_name'] });
    expect(verdict).toEqual({ valid: true, attributes: { given_name: 'Erika' }, derived: {} });
  });
});

test('J01 nothing of a token stands in the reason of its refusal', async () => {
  const secret = 'SECRET-VALUE';
  const claims: Members[] = [
    { aud: secret },
    { iss: secret },
    { nonce: secret },
    { iat: secret },
    { person: { given_name: [secret] } },
  ];
  const headers = [{ typ: secret }, { alg: secret }].map((header) => signResult({}, header));
  for (const token of [
    ...headers,
    ...claims.map((claim) => signResult(claim)),
    `${encode(secret)}.${encode(secret)}.AA`,
  ]) {
    const verdict = await judge(token, jwtTrust());
    expect(verdict.valid).toBe(false);
    expect(JSON.stringify(verdict)).not.toContain(secret);
  }
});

describe('J08 an entry of the format jwt that could judge nothing is refused at construction', () => {
  const wrong: [what: string, change: object, message: RegExp][] = [
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
    ['an unknown name', { binding: { ...jwtEntry.binding, maxAge: 1 } }, /Unknown option maxAge of/],
    ['no maxAge at all', { maxAge: Infinity }, /\.maxAge must be a number/],
    ['a negative tolerance', { tolerance: -1 }, /\.tolerance must be a number/],
    ['no claims', { claims: undefined }, /\.claims must be an object/],
    ['a claim of no attribute', { claims: { name: ['name'] } }, /Unknown option name of .*\.claims/],
    ['a path that is no list', { claims: { given_name: 'name' } }, /\.claims\.given_name must be a list/],
    ['an unknown result', { derived: { age: ['age'] } }, /Unknown option age of .*\.derived/],
    ['an option of the other format', { vct: ['urn:a'] }, /Unknown option vct of/],
    ['its key binding', { keyBinding: { nonce: 'state-sha256' } }, /Unknown option keyBinding of/],
  ];
  refuseEach('J08 %s', wrong, (change) => createVerifiers(jwtTrust(change)));

  test('J08 what is undefined is absent', () => {
    expect(createVerifiers(jwtTrust({ tolerance: undefined, derived: undefined })).size).toBe(1);
  });
});

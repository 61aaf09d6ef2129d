import { createHash, X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Expected, IdentityError, x509HashClientId } from '../../../lib/index.js';
import { isInOwnWords } from '../../../lib/errors.js';
import { verdictOf } from '../../../lib/verify/trust/verdict.js';
import { gate } from '../../support/callbacks.js';
import { holdTimers, pass } from '../../support/held-timers.js';
import { pemOf } from '../../support/verify/certificates.js';
import { intermediate, leaf } from '../../support/verify/chains.js';
import { type Mint, audience, iss, nowSeconds, nonceOf } from '../../support/verify/issuer.js';
import { checkOfJwt } from '../../support/verify/jwt-tokens.js';
import { type Members, binding, checkOf, checkOfMint, entry, judge } from '../../support/verify/verdicts.js';
import {
  judgeEach,
  judgeValues,
  present,
  refuse,
  refuseEach,
  refuseValues,
} from '../../support/verify/verdicts.js';
import { state, thrown, trustIn } from '../../support/verify/verdicts.js';

/** The verdict on a token by an entry with these options. */
const check = (options: object, token: Mint = {}, flow: object = {}, settings: object = {}) =>
  checkOf(present(token), trustIn(options), flow, settings);
const bound = (payload: Members): Mint => ({ binding: { payload: { nonce: nonceOf(state), ...payload } } });
const keyBinding = (change: object) => ({ keyBinding: { ...entry.keyBinding, ...change } });

describe('the type of credential and its issuer', () => {
  const checkClaims = (payload: Members, trust: object = {}) => check(trust, { payload });
  const types = ['urn:eudi:pid:de:2', 'urn:eudi:pid:de:1 ', 'URN:EUDI:PID:DE:1', 'urn:eudi:pid:de', ''];
  judgeValues('C01 vct is %j', [undefined, null, 7, ['urn:eudi:pid:de:1'], {}], 'C01', (vct) =>
    checkClaims({ vct }),
  );
  judgeValues('C02 vct is %p', types, 'C02', (vct) => checkClaims({ vct }));
  const others = [undefined, null, `${iss}/`, [iss]];
  judgeValues('C09 another iss, %j', others, 'C09', (other) => checkClaims({ iss: other }, { iss }));
  judgeEach(checkClaims, {
    'C03 aka_vcts never counts': ['C02', { vct: 'urn:other', aka_vcts: entry.vct }],
    'C09 iss is compared where the trust entry names it': ['valid', { iss: undefined }],
    'C09 iss is the one that the trust entry names': ['valid', {}, { iss }],
    'C09 iss is one of those that it names': ['valid', {}, { iss: ['https://other.example', iss] }],
  });
});

describe('the binding to a flow', () => {
  const nonce = ({ state: seen, issuer }: Expected) => `${issuer}/${nonceOf(seen)}`;
  const old = bound({ iat: nowSeconds - 601 });
  const startedAt = (seconds: number) => ({ startedAt: new Date((nowSeconds + seconds) * 1000) });
  judgeEach(check, {
    'B07 the nonce is the hash of the state, never the state itself': ['B07', {}, bound({ nonce: state })],
    'B07 the nonce of another flow': ['B07', {}, bound({ nonce: nonceOf('state of another flow') })],
    'B07 or of a function': [
      'valid',
      keyBinding({ nonce }),
      bound({ nonce: `de-ausweis/${nonceOf(state)}` }),
    ],
    'B07 and nothing else then': ['B07', keyBinding({ nonce })],
    'B11 maxAge is ten minutes': ['B11', {}, old],
    'B11 maxAge is the setting of the kit': ['valid', {}, old, {}, { maxAge: 601 }],
    'B11 maxAge is that of the entry': ['valid', keyBinding({ maxAge: 601 }), old, {}, { maxAge: 1 }],
    'B12 the flow began later': ['B12', {}, {}, startedAt(296)],
    'B12 the flow began before': ['valid', {}, {}, startedAt(0)],
  });
});

describe('H08 the types of the issuer that an entry allows', () => {
  const older = { header: { typ: 'vc+sd-jwt' } };
  const untyped = { header: { typ: undefined } };
  const both = { types: ['dc+sd-jwt', 'vc+sd-jwt'] };
  judgeEach(check, {
    'H08 the older type is refused': ['H03', {}, older],
    'H08 the older type is refused where the entry names the other': ['H03', { types: ['dc+sd-jwt'] }, older],
    'H08 the older type is accepted where the entry names it': ['valid', both, older],
    'H08 and so is the newer': ['valid', both],
    'H08 the newer type is refused where the entry names the older alone': ['H03', { types: ['vc+sd-jwt'] }],
    'H08 a header without a type is refused': ['H03', {}, untyped],
    'H08 a header without a type is refused, whatever the entry allows': ['H03', both, untyped],
  });
  const wrong = ['dc+sd-jwt', [], ['kb+jwt'], ['dc+sd-jwt', 'JWT'], [undefined]];
  refuseValues('K16 types: %j', wrong, (types) => check({ types }));
});

describe('C08 how long a credential is good', () => {
  const eternal = { payload: { exp: undefined } };
  const aged = (iat: number | undefined) => ({ payload: { iat } });
  const anHour = { maxCredentialAge: 3600 };
  const profile = (name?: string) => ({
    status: { mode: 'dangerouslyIgnore' },
    ...(name && { profile: name }),
  });
  const status = { status_list: { idx: 1, uri: 'https://issuer.example/status' } };
  judgeEach(check, {
    'C08 a credential need not expire': ['valid', {}, eternal],
    'C08 requireExpiry: false': ['valid', { requireExpiry: false }, eternal],
    'C08 requireExpiry': ['C08', { requireExpiry: true }, eternal],
    'C08 requireExpiry of one that expires': ['valid', { requireExpiry: true }],
    'C08 as old as maxCredentialAge': ['valid', anHour, aged(nowSeconds - 3600)],
    'C08 older than maxCredentialAge': ['C08', anHour, aged(nowSeconds - 3601)],
    'C08 of no age that could be told': ['C08', anHour, aged(undefined)],
    'C08 without maxCredentialAge': ['valid', {}, aged(nowSeconds - 3601)],
    'C08 haip-1.0 wants an expiry or a status': ['C08', profile('haip-1.0'), eternal],
    'C08 haip-1.0 takes an expiry': ['valid', profile('haip-1.0')],
    'C08 haip-1.0 takes a status': ['valid', profile('haip-1.0'), { payload: { exp: undefined, status } }],
    'C08 the plain profile wants neither': ['valid', profile('sd-jwt-vc'), eternal],
    'C08 the plain profile is the default': ['valid', profile(), eternal],
  });
  const wrong = [{ requireExpiry: 'yes' }, { maxCredentialAge: '1h' }, { maxCredentialAge: -1 }];
  refuseValues('K16 %j is refused at construction', wrong, check);
});

describe('B08 client ids while one replaces another', () => {
  const [old, renewed] = ['x509_hash:old', 'x509_hash:renewed'];
  const audiences = (ids: unknown) => keyBinding({ audience: ids });
  const both = audiences([old, renewed]);
  judgeValues('B08 each of the list is ours, one at a time: %s', [old, renewed], 'valid', (aud) =>
    check(both, bound({ aud })),
  );
  const others = [audience, [old], [old, renewed], `${old} ${renewed}`, undefined];
  judgeValues('B08 %j is not ours', others, 'B08', (aud) => check(both, bound({ aud })));
  judgeEach(check, {
    'B08 the old one once it is replaced': ['B08', audiences([renewed]), bound({ aud: old })],
    'C10 a credential for us': ['valid', both, { ...bound({ aud: old }), payload: { aud: [renewed] } }],
    'C10 one for another': ['C10', both, { ...bound({ aud: old }), payload: { aud: ['x509_hash:c'] } }],
  });
  judgeEach((ids: string[]) => checkOfMint({}, { keyBinding: { ...binding, audience: ids } }), {
    'B08 of verifySdJwt as well': ['valid', [old, audience]],
    'B08 of verifySdJwt, where it is another': ['B08', [old]],
  });
  const wrong = [[], [''], ['a', 'b', 'c', 'd', 'e'], [['a']], 7, '', undefined];
  refuseValues('K16 the audience %j', wrong, (ids) => check(audiences(ids)));

  test('x509HashClientId is the hash of the first certificate', () => {
    const digest = createHash('sha256').update(leaf.der).digest('base64url');
    for (const pem of [pemOf(leaf), pemOf(leaf, intermediate), new X509Certificate(leaf.der).toString()]) {
      expect(x509HashClientId(pem)).toBe(`x509_hash:${digest}`);
    }
  });
  const noPem = ['', 'no PEM', pemOf(leaf).replace('CERTIFICATE', 'KEY'), undefined, leaf.der];
  refuseValues('x509HashClientId refuses what is no certificate in PEM: %p', noPem, (pem) =>
    x509HashClientId(pem as string),
  );
});

describe('B07 a nonce function is tried at construction', () => {
  const fails: [what: string, compute: unknown][] = [
    ['a constant', () => 'a'.repeat(43)],
    ['a short one', ({ state: seen }: Expected) => nonceOf(seen).slice(0, 21)],
    ['no string', ({ state: seen }: Expected) => [nonceOf(seen)]],
    ['nothing', () => undefined],
  ];
  const notState = /\.keyBinding\.nonce must be 'state-sha256' or a function of what is expected\.$/;
  const words = ['state', 'state-sha512', 'nonce'];
  refuseValues('B07 the word %j is refused', words, (nonce) => check(keyBinding({ nonce })), notState);
  const promise = async ({ state: seen }: Expected) => await Promise.resolve(nonceOf(seen));
  const must = /(nonce|value) must return at least 22 characters, and something else for another state\.$/;
  refuseEach('B07 %s is refused', fails, (nonce) => check(keyBinding({ nonce })), must);
  const bind = (value: unknown) => checkOfJwt('a', { binding: { claim: 'nonce', value } });
  refuseEach('J06 %s is refused in a JWT entry', [...fails, ['a promise', promise]], bind, must);

  test('B07 one that throws is refused with its cause', async () => {
    const cause = new Error('no such state');
    const nonce = () => {
      throw cause;
    };
    expect(await thrown(() => check(keyBinding({ nonce })))).toMatchObject({ code: 'config_invalid', cause });
  });

  test('B07 it is tried with the issuer of its entry and all that a flow has', async () => {
    const seen: Expected[] = [];
    const nonce = (expected: Expected) => {
      seen.push(expected);
      return nonceOf(expected.state).slice(0, 22);
    };
    expect(await check(keyBinding({ nonce }), bound({ nonce: nonceOf(state).slice(0, 22) }))).toBe('valid');
    expect(seen).toHaveLength(3);
    for (const { issuer, state: tried, reveal, variant, startedAt } of seen.slice(0, 2)) {
      expect([issuer, reveal, variant]).toEqual(['de-ausweis', [], 'derived']);
      expect(tried).toMatch(/^[\w-]{43}$/);
      expect(startedAt).toBeInstanceOf(Date);
    }
  });
});

describe('B07 a nonce may be asked for elsewhere', () => {
  const own = 'the-nonce-of-a-verifier-1';
  const token = bound({ nonce: own });
  const lookUp = (nonce: () => unknown) => keyBinding({ nonce: async () => await Promise.resolve(nonce()) });
  judgeEach(check, {
    'B07 an asynchronous function says what the wallet must have signed': ['valid', lookUp(() => own), token],
    'B07 and nothing else then': ['B07', lookUp(() => own)],
    'B07 so does one that returns a promise': [
      'valid',
      keyBinding({ nonce: () => Promise.resolve(own) }),
      token,
    ],
    'B07 22 characters are enough': ['valid', lookUp(() => 'n'.repeat(22)), bound({ nonce: 'n'.repeat(22) })],
  });

  const short: [what: string, answer: unknown][] = [
    ['21 characters', 'n'.repeat(21)],
    ['no string', 22],
    ['nothing', undefined],
  ];
  const must =
    "What trust['de-ausweis'].keyBinding.nonce returns must be a string of at least 22 characters.";
  refuseEach('B07 %s are config_invalid', short, (answer) => check(lookUp(() => answer)), must);

  test('B07 an async function is not called at construction, and gets all that is expected', async () => {
    const seen: Expected[] = [];
    const nonce = async (expected: Expected) => {
      seen.push(expected);
      return await Promise.resolve(own);
    };
    expect(await check(keyBinding({ nonce }), token)).toBe('valid');
    expect(seen).toMatchObject([{ issuer: 'de-ausweis', state, reveal: ['given_name', 'birth_date'] }]);
  });

  test('B07 what it fails with comes through, also where it returned a promise at construction', async () => {
    const failure = new Error('no');
    const nonce = () => Promise.reject(failure);
    expect(await thrown(() => check(keyBinding({ nonce })))).toBe(failure);
  });
});

describe('B07 a nonce has the time of keys', () => {
  holdTimers();

  test('B07 without an answer in five seconds there is no verdict', async () => {
    const asked = gate();
    const nonce = async () => {
      asked.open();
      return await new Promise<string>(() => undefined);
    };
    const verdict = thrown(() => check(keyBinding({ nonce })));
    await asked.opened;
    pass(5_000);
    const message = "trust['de-ausweis'].keyBinding.nonce did not answer within 5 seconds.";
    expect(await verdict).toMatchObject({ code: 'verify_timeout', retryable: true, message });
  });
});

describe('what is expected is judged as well', () => {
  const wrong: [what: string, flow: object][] = [
    ['no state', { state: undefined }],
    ['an empty state', { state: '' }],
    ['nothing to reveal', { reveal: undefined }],
    ['an unknown attribute', { reveal: ['birthdate'] }],
    ['an unknown derived attribute', { derived: { age: '18' } }],
    ['a derived attribute without a value', { derived: { nationality: '' } }],
    ['a derived attribute for a list', { derived: { nationality: ['DE'] } }],
    ['an unknown variant', { variant: 'other' }],
    ['an invalid Date', { startedAt: new Date('soon') }],
  ];
  refuseEach('%s is config_invalid', wrong, (flow) => check({}, {}, flow), /^expected\.[\w.]+ .*\w\.$/);
  refuseEach('%s is no verdict', [['a clock that stands nowhere', () => new Date(Number.NaN)]], (clock) =>
    check({}, {}, {}, { clock }),
  );

  const later = (answer: () => string) => (asked: Expected) =>
    asked.state === state ? answer() : nonceOf(asked.state);
  const returned = "What trust['de-ausweis'].keyBinding.nonce returns must be a non-empty string.";
  refuse(
    'a nonce of nothing is config_invalid',
    () => check(keyBinding({ nonce: later(() => '') })),
    returned,
  );

  test("F67 a check of the app's own is a verdict, in words that are not the kit's", async () => {
    const verdict = await verdictOf(() => {
      throw new IdentityError('presentation_invalid', { check: 'mine', message: 'words of the app' });
    });
    expect(verdict).toMatchObject({ valid: false, check: 'mine' });
    expect(isInOwnWords(verdict)).toBe(false);
  });

  test('what a nonce function throws comes through', async () => {
    const failure = new Error('no');
    const nonce = later(() => {
      throw failure;
    });
    expect(await thrown(() => check(keyBinding({ nonce })))).toBe(failure);
  });
});

describe('the reasons say by how much, and what is configured', () => {
  const reason = async (change: Mint, flow: object = {}) => {
    const verdict = await judge(present(change), trustIn({ iss }), flow);
    return verdict.valid ? 'valid' : `${verdict.check ?? ''} ${verdict.reason}`;
  };
  const claims = (payload: Members) => reason({ payload });
  const kb = (payload: Members) => reason(bound(payload));
  const startedAt = new Date((nowSeconds + 300) * 1000);
  const at = (seconds: number) => nowSeconds + seconds;
  const [credential, kbJwt] = ['The credential', 'The key binding JWT'];
  const notYet = 'is not valid yet: it becomes valid';
  const maxAge = '(maxAge: 600 seconds)';
  const clockIs = "or this machine's clock is";
  const ahead = (tolerance: number) => `in the future (tolerance: ${tolerance} seconds), ${clockIs} slow.`;
  const before = 'before the flow that asked for it began';
  const [small, large] = ['(tolerance: 5 seconds).', '(tolerance: 300 seconds).'];

  judgeEach(claims, {
    'C04 says by how much': [`C04 ${credential} expired 86400 seconds ago ${small}`, { exp: at(-86_400) }],
    'C04 says by how much, rounded': [`C04 ${credential} expired 6 seconds ago ${small}`, { exp: at(-5.2) }],
    'C06 says by how much': [`C06 ${credential} ${notYet} in 60 seconds ${small}`, { nbf: at(60) }],
    'C07 says by how much': [`C07 ${credential} was issued 60 seconds ${ahead(5)}`, { iat: at(60) }],
    'C02 says which': [`C02 ${credential} is not of the type (vct) urn:eudi:pid:de:1.`, { vct: 'other' }],
    'C09 says which': [`C09 ${credential} is not from the issuer (iss) \`${iss}\`.`, { iss: 'other' }],
  });
  judgeEach(kb, {
    'B10 says by how much': [`B10 ${kbJwt} was made 301 seconds ${ahead(300)}`, { iat: at(301) }],
    'B11 says how old': [`B11 ${kbJwt} is 601 seconds old ${maxAge}, ${clockIs} fast.`, { iat: at(-601) }],
    'B13 says by how much it expired': [`B13 ${kbJwt} expired 301 seconds ago ${large}`, { exp: at(-301) }],
    'B13 says how early it is': [`B13 ${kbJwt} ${notYet} in 301 seconds ${large}`, { nbf: at(301) }],
    'B08 says which': [`B08 The audience of the key binding JWT is not ${audience}.`, { aud: 'other' }],
  });
  judgeEach(reason, {
    'H01 says which': ['H01 The issuer-signed JWT has an alg that is not ES256.', { header: { alg: 'X' } }],
    'B12 says how': [`B12 ${kbJwt} was made 305 seconds ${before} ${large}`, {}, { startedAt }],
  });

  test('C08 says how old the credential is', async () => {
    expect(
      await judge(present({ payload: { iat: at(-3601) } }), trustIn({ maxCredentialAge: 3600 })),
    ).toMatchObject({
      reason: 'The credential is 3601 seconds old (maxCredentialAge: 3600 seconds).',
    });
  });
});

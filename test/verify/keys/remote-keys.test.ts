import { describe, expect, test } from '@jest/globals';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { clock, issuerKeys, newKeyPair, walletKeys } from '../../support/verify/issuer.js';
import { issuerServer, keysVerifier, servingJson, servingKeys } from '../../support/verify/servers.js';
import { servingStatus } from '../../support/verify/servers.js';
import { checkOf, expected, judgeEach, judgeValues, present } from '../../support/verify/verdicts.js';
import { trustIn } from '../../support/verify/verdicts.js';

const published = issuerServer();
const next = newKeyPair();
const both = servingKeys({ one: issuerKeys, two: next });
const unknown = 'key_not_found K12';
const requests = () => published.requests.length;
const start = () => keysVerifier(published.jwksUri);

/** A verifier that has fetched the first key. */
async function started() {
  const verifier = start();
  expect(await verifier.judge()).toBe('valid');
  return verifier;
}

describe('K12 a static JWK set', () => {
  const { jwk } = issuerKeys;
  const [one, two] = [
    { ...jwk, kid: 'one' },
    { ...walletKeys.jwk, kid: 'two' },
  ];
  const limited = { ...newKeyPair('ES384').jwk, kid: 'one', alg: 'ES384' };
  const check = (kid: unknown, ...keys: object[]) =>
    checkOf(present({ header: { kid } }), trustIn({ keys: { jwks: { keys } } }));

  judgeEach(check, {
    'K12 the kid selects exactly one key': ['valid', 'one', two, one],
    'K12 the kid selects another key': ['K02', 'two', two, one],
    'K12 without a kid the only key is meant': ['valid', undefined, one],
    'K12 without a kid the only key, which has none, is meant': ['valid', undefined, jwk],
    'K12 no kid and several keys': [unknown, undefined, one, two],
    'K12 an unknown kid': [unknown, 'three', one, two],
    'K12 a kid, and a key without': [unknown, 'one', jwk],
    'H02 the selected key is limited to another algorithm': ['H02', 'one', limited, two],
  });
  judgeValues('K12 the kid is %j', [7, null, ['one'], {}], unknown, (kid) => check(kid, one));
  judgeValues('K12 the kid is %j, and the key has none', [7, null, ['one'], {}], unknown, (kid) =>
    check(kid, jwk),
  );

  test('a changed trust object does not change what was compiled', async () => {
    const keys = [{ ...jwk }];
    const verifier = createVerifiers(trustIn({ keys: { jwks: { keys } } }), { clock }).get('de-ausweis');
    keys[0] = { ...walletKeys.jwk };
    expect(await verifier?.(present(), expected)).toMatchObject({ valid: true });
  });
});

describe('K12 keys that the issuer publishes', () => {
  test('K12 they are fetched once, and only for a token that needs them', async () => {
    const { judge, wait } = start();
    expect(requests()).toBe(0);
    expect(await judge()).toBe('valid');
    wait(300);
    expect(await judge('one', next)).toBe('K02');
    expect(await judge()).toBe('valid');
    expect(requests()).toBe(1);
    expect(published.requests[0]).toMatchObject({ method: 'GET', url: '/jwks.json' });
    expect(published.requests[0]?.headers['accept']).toBe('application/jwk-set+json, application/json');
  });

  test('K12 those who need them at once wait for one fetch', async () => {
    const { judge } = start();
    expect(await Promise.all([judge(), judge(), judge()])).toEqual(['valid', 'valid', 'valid']);
    expect(requests()).toBe(1);
  });

  test('K12 an unknown kid causes one refresh, and then none for half a minute', async () => {
    const { judge, wait } = await started();
    published.answer = both;
    expect(await judge('two', next)).toBe('valid');
    expect(requests()).toBe(2);
    wait(29);
    expect(await judge('three', next)).toBe(unknown);
    expect(requests()).toBe(2);
    wait(1);
    expect(await judge('three', next)).toBe(unknown);
    expect(await judge('three', next)).toBe(unknown);
    expect(requests()).toBe(3);
  });

  test('K12 a key that was taken away is no longer believed once the set is stale', async () => {
    const { judge, wait } = await started();
    published.answer = servingKeys({ two: next });
    wait(599);
    expect(await judge()).toBe('valid');
    wait(1);
    expect(await judge()).toBe(unknown);
    expect(requests()).toBe(3); // and one for the kid, which nobody has any more
  });

  test('K12 no kid and several keys that are published', async () => {
    expect(await start().judge(null)).toBe('valid');
    published.answer = both;
    expect(await start().judge(null)).toBe(unknown);
    expect(requests()).toBe(2);
  });

  test('K12 keys that check no signatures do not count', async () => {
    const others = [{ ...next.jwk, use: 'enc' }, { kty: 'oct', k: 'a' }, 7, next.privateJwk];
    published.answer = servingJson({ keys: [...others, { ...issuerKeys.jwk, kid: 'one' }] });
    expect(await start().judge()).toBe('valid');
  });

  judgeValues(
    'K15 a set of no usable keys: %j',
    [[], [{ kty: 'oct', k: 'a' }]],
    'key_not_found K15',
    (keys) => {
      published.answer = servingJson({ keys });
      return start().judge();
    },
  );

  test('K15 a set without keys is asked for again soon, whatever it says of its freshness', async () => {
    published.answer = servingJson({ keys: [] }, { 'cache-control': 'max-age=86400' });
    const { judge, wait } = start();
    expect(await judge()).toBe('key_not_found K15');
    published.answer = servingKeys({ one: issuerKeys });
    wait(29);
    expect(await judge()).toBe('key_not_found K15');
    wait(1);
    expect(await judge()).toBe('valid');
  });

  test('K12 a clock that is set back believes no key that was withdrawn meanwhile', async () => {
    const { judge, wait } = start();
    wait(7 * 86_400);
    expect(await judge()).toBe('valid');
    published.answer = servingKeys({ two: next });
    wait(-7 * 86_400);
    expect(await judge()).toBe(unknown);
    expect(await judge('two', next)).toBe('valid');
  });
});

describe('K14 for how long a reply may be used again', () => {
  const isKeptFor = async (seconds: number, cacheControl: string, headers: object) => {
    published.answer = servingKeys({ one: issuerKeys }, { 'cache-control': cacheControl, ...headers });
    const { judge, wait } = await started();
    wait(seconds - 1);
    expect(await judge()).toBe('valid');
    expect(requests()).toBe(1);
    wait(1);
    expect(await judge()).toBe('valid');
    expect(requests()).toBe(2);
  };

  test.each([
    ['max-age=60', {}, 60],
    ['public, MAX-AGE="60"', {}, 60],
    ['max-age=60', { age: '20' }, 40],
    ['max-age=60', { age: 'soon' }, 60],
    ['max-age=60', { age: '-80000' }, 60],
    ['max-age=9999999999', {}, 86_400],
    ['public', {}, 600],
  ])('K14 %s %j', async (cacheControl, headers, seconds) => {
    await isKeptFor(seconds, cacheControl, headers);
  });

  test.each([
    ['no-store', {}],
    ['private, no-cache', {}],
    ['max-age=0', {}],
    ['max-age=9', {}],
    ['max-age=60', { age: '61' }],
  ])('F75 K14 %s %j: ten seconds all the same', async (cacheControl, headers) => {
    await isKeptFor(10, cacheControl, headers);
  });
});

describe('K12 an issuer that rotates its keys under load', () => {
  type Verifier = ReturnType<typeof start>;
  const tally = (outcomes: readonly string[]): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
    return counts;
  };
  /** 200 verifications at once, every second one with the key that is newer. */
  const load = async ({ judge }: Verifier) =>
    tally(
      await Promise.all(
        Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? judge() : judge('two', next))),
      ),
    );

  test('K12 loses no valid verification: the new key is found by the first token that it signed', async () => {
    const verifier = await started();
    published.answer = both;
    expect(await load(verifier)).toEqual({ valid: 200 });
    expect(requests()).toBe(2);
  });

  test('K12 a server that fails in between leaves the old key good and the new one to be tried again', async () => {
    const verifier = await started();
    published.answer = servingStatus(503);
    expect(await load(verifier)).toEqual({ valid: 100, 'keys_unavailable K14': 100 });
    published.answer = both;
    verifier.wait(30);
    expect(await load(verifier)).toEqual({ valid: 200 });
  });

  test('K12 two keys under one kid are still ambiguous after a rotation', async () => {
    const { judge } = await started();
    const rotated = [next, newKeyPair()].map(({ jwk }) => ({ ...jwk, kid: 'two' }));
    published.answer = servingJson({ keys: [{ ...issuerKeys.jwk, kid: 'one' }, ...rotated] });
    expect(await judge('two', next)).toBe(unknown);
  });
});

import { describe, expect, test } from '@jest/globals';
import { issuerKeys, newKeyPair } from '../../support/verify/issuer.js';
import { json, jwksServer, serving, verifierOf } from './jwks-server.js';

const published = jwksServer();
const next = newKeyPair();

describe('K12 keys that the issuer publishes', () => {
  test('K12 they are fetched once, and only for a token that needs them', async () => {
    const { judge, wait } = verifierOf(published.url);
    expect(published.requests).toHaveLength(0);
    expect(await judge()).toBe('valid');
    wait(300);
    expect(await judge('one', next)).toBe('presentation_invalid K02');
    expect(await judge()).toBe('valid');
    expect(published.requests).toHaveLength(1);
    expect(published.requests[0]).toMatchObject({ method: 'GET', url: '/jwks.json' });
    expect(published.requests[0]?.headers['accept']).toBe('application/jwk-set+json, application/json');
  });

  test('K12 those who need them at once wait for one fetch', async () => {
    const { judge } = verifierOf(published.url);
    expect(await Promise.all([judge(), judge(), judge()])).toEqual(['valid', 'valid', 'valid']);
    expect(published.requests).toHaveLength(1);
  });

  test('K12 an unknown kid causes one refresh, and then none for half a minute', async () => {
    const { judge, wait } = verifierOf(published.url);
    expect(await judge()).toBe('valid');
    published.answer = serving({ one: issuerKeys, two: next });
    expect(await judge('two', next)).toBe('valid');
    expect(published.requests).toHaveLength(2);
    wait(29);
    expect(await judge('three', next)).toBe('key_not_found K12');
    expect(published.requests).toHaveLength(2);
    wait(1);
    expect(await judge('three', next)).toBe('key_not_found K12');
    expect(await judge('three', next)).toBe('key_not_found K12');
    expect(published.requests).toHaveLength(3);
  });

  test('K12 a key that was taken away is no longer believed once the set is stale', async () => {
    const { judge, wait } = verifierOf(published.url);
    expect(await judge()).toBe('valid');
    published.answer = serving({ two: next });
    wait(599);
    expect(await judge()).toBe('valid');
    wait(1);
    expect(await judge()).toBe('key_not_found K12');
    expect(published.requests).toHaveLength(3); // and one for the kid, which nobody has any more
  });

  test('K12 no kid and several keys', async () => {
    expect(await verifierOf(published.url).judge(null)).toBe('valid');
    published.answer = serving({ one: issuerKeys, two: next });
    expect(await verifierOf(published.url).judge(null)).toBe('key_not_found K12');
    expect(published.requests).toHaveLength(2);
  });

  test('K12 keys that check no signatures do not count', async () => {
    const [encryption, secret] = [
      { ...next.jwk, use: 'enc' },
      { kty: 'oct', k: 'a' },
    ];
    published.answer = json({
      keys: [encryption, secret, 7, next.privateJwk, { ...issuerKeys.jwk, kid: 'one' }],
    });
    expect(await verifierOf(published.url).judge()).toBe('valid');
  });

  test.each([[[]], [[{ kty: 'oct', k: 'a' }]]])('K15 a set of no usable keys: %j', async (keys) => {
    published.answer = json({ keys });
    expect(await verifierOf(published.url).judge()).toBe('key_not_found K15');
  });

  test('K15 a set without keys is asked for again soon, whatever it says of its freshness', async () => {
    published.answer = json({ keys: [] }, { 'cache-control': 'max-age=86400' });
    const verifier = verifierOf(published.url);
    expect(await verifier.judge()).toBe('key_not_found K15');
    published.answer = serving({ one: issuerKeys });
    verifier.wait(29);
    expect(await verifier.judge()).toBe('key_not_found K15');
    verifier.wait(1);
    expect(await verifier.judge()).toBe('valid');
  });

  test('K12 a clock that is set back believes no key that was withdrawn meanwhile', async () => {
    const verifier = verifierOf(published.url);
    verifier.wait(7 * 86_400);
    expect(await verifier.judge()).toBe('valid');
    published.answer = serving({ two: next });
    verifier.wait(-7 * 86_400);
    expect(await verifier.judge()).toBe('key_not_found K12');
    expect(await verifier.judge('two', next)).toBe('valid');
  });
});

describe('K14 for how long a reply may be used again', () => {
  test.each([
    ['max-age=60', {}, 60],
    ['public, MAX-AGE="60"', {}, 60],
    ['max-age=60', { age: '20' }, 40],
    ['max-age=60', { age: 'soon' }, 60],
    ['max-age=60', { age: '-80000' }, 60],
    ['max-age=9999999999', {}, 86_400],
    ['public', {}, 600],
  ])('K14 %s %j', async (cacheControl, headers, seconds) => {
    published.answer = serving({ one: issuerKeys }, { 'cache-control': cacheControl, ...headers });
    const { judge, wait } = verifierOf(published.url);
    expect(await judge()).toBe('valid');
    wait(seconds - 1);
    expect(await judge()).toBe('valid');
    expect(published.requests).toHaveLength(1);
    wait(1);
    expect(await judge()).toBe('valid');
    expect(published.requests).toHaveLength(2);
  });

  test.each([
    ['no-store', {}],
    ['private, no-cache', {}],
    ['max-age=0', {}],
    ['max-age=9', {}],
    ['max-age=60', { age: '61' }],
  ])('F75 K14 %s %j: ten seconds all the same', async (cacheControl, headers) => {
    published.answer = serving({ one: issuerKeys }, { 'cache-control': cacheControl, ...headers });
    const { judge, wait } = verifierOf(published.url);
    expect([await judge(), await judge()]).toEqual(['valid', 'valid']);
    wait(9);
    expect(await judge()).toBe('valid');
    expect(published.requests).toHaveLength(1);
    wait(1);
    expect(await judge()).toBe('valid');
    expect(published.requests).toHaveLength(2);
  });
});

import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Loaded } from '../../../lib/internal/remote.js';
import { type KeptList, keepLists, loadList } from '../../../lib/verify/status/status-list.js';
import { runtimeFrom } from '../../../lib/verify/jose/clock.js';
import type { KeySource } from '../../../lib/verify/keys/key-source.js';
import { gate } from '../../support/callbacks.js';
import { deep } from '../../support/deep.js';
import { clock, issuerKeys, newKeyPair, now, nowSeconds } from '../../support/verify/issuer.js';
import { fetchList, issuerServer, listToken, packed, servingList } from '../../support/verify/servers.js';
import { servingStatus, statusVerifier } from '../../support/verify/servers.js';

const published = issuerServer();
const requests = () => published.requests.length;
const unkept = { 'cache-control': 'no-store' };
const revoked = servingList({ payload: { iat: nowSeconds, exp: undefined }, list: { lst: packed(1) } });
const mib = 1024 * 1024;

/** Good until the second before, asked for anew at this one. */
async function isKeptFor(seconds: number) {
  const { judge, wait } = statusVerifier(published);
  expect([await judge(), await judge()]).toEqual(['valid', 'valid']);
  wait(seconds - 1);
  expect(await judge()).toBe('valid');
  expect(requests()).toBe(1);
  wait(1);
  published.answer = revoked;
  expect(await judge()).toBe('T15');
  expect(requests()).toBe(2);
}

describe('T16 for how long a list is kept', () => {
  const maxAge = (seconds: number) => ({ 'cache-control': `max-age=${seconds}` });
  const never = { exp: undefined };
  test.each([
    ['ttl', { ttl: 120, ...never }, {}, 120],
    ['exp, where it comes first', { ttl: 3600, exp: nowSeconds + 90 }, {}, 90],
    ['ttl, where it comes first', { ttl: 90, exp: nowSeconds + 3600 }, {}, 90],
    ['a day, where ttl is longer', { ttl: 1e9, ...never }, {}, 86_400],
    ['ttl, whatever the reply says', { ttl: 120, ...never }, unkept, 120],
    ['ttl, however fresh the reply says it is', { ttl: 120 }, maxAge(3600), 120],
    ['what the reply says, without ttl', never, { ...maxAge(300), age: '100' }, 200],
    ['exp, however fresh the reply says it is', { exp: nowSeconds + 90 }, maxAge(300), 90],
    ['ten minutes, where nothing says more', never, {}, 600],
  ])('T16 %s', async (_, payload, headers, seconds) => {
    published.answer = servingList({ payload }, headers);
    await isKeptFor(seconds);
  });

  test.each([
    ['not at all, where the reply says so and there is no ttl', servingList({}, unkept)],
    ['what has just expired is used once', servingList({ payload: { exp: nowSeconds - 2, ttl: 3600 } })],
  ])('T16 %s', async (_, answer) => {
    published.answer = answer;
    const { judge } = statusVerifier(published);
    expect([await judge(), await judge()]).toEqual(['valid', 'valid']);
    expect(requests()).toBe(2);
  });

  test('T16 every place of a list that is kept', async () => {
    published.answer = servingList({ list: { lst: packed(0b10) } });
    const { at } = statusVerifier(published);
    expect([await at(0), await at(1), await at(8)]).toEqual(['valid', 'T15', 'T14']);
    expect(requests()).toBe(1);
  });

  test('T16 each address has its own list', async () => {
    const { from } = statusVerifier(published);
    expect(await from(`${published.origin}/1`)).toBe('valid');
    published.answer = revoked;
    expect(await from(`${published.origin}/2`)).toBe('T15');
    expect(await from(`${published.origin}/1`)).toBe('valid');
  });

  test('T21 a list that was fetched under the clock ahead is fetched anew when the clock is set back', async () => {
    const { judge, wait } = statusVerifier(published);
    const ahead = 23 * 3600;
    published.answer = servingList({ payload: { iat: nowSeconds, exp: undefined, ttl: 24 * 3600 } });
    wait(ahead);
    expect(await judge()).toBe('valid');
    published.answer = revoked;
    expect(await judge()).toBe('valid');
    wait(-ahead);
    expect(await judge()).toBe('T15');
    expect(requests()).toBe(2);
  });
});

describe('T17 one fetch for all who wait', () => {
  test('T17 50 verifications at once are one request', async () => {
    published.answer = servingList();
    const { judge } = statusVerifier(published);
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => judge()));
    expect(new Set(verdicts)).toEqual(new Set(['valid']));
    expect(requests()).toBe(1);
  });

  // That those who wait share what is not kept, test/internal/internal.test.ts shows, where the test ends the load.
  test.each([
    ['the next one asks again where the reply may not be kept', servingList({}, unkept), 'valid'],
    ['the next one tries again after a failure', servingStatus(503), 'credential_status_unavailable T05'],
  ])('T17 %s', async (_, answer, verdict) => {
    published.answer = answer;
    const { judge } = statusVerifier(published);
    expect([await judge(), await judge()]).toEqual([verdict, verdict]);
    expect(requests()).toBe(2);
  });
});

test('F131 a list that failed is asked for again at once', async () => {
  const { judge } = statusVerifier(published);
  published.answer = servingStatus(503);
  expect(await judge()).toBe('credential_status_unavailable T05');
  published.answer = servingList();
  expect(await judge(undefined, { issuer: newKeyPair() })).toBe('K02'); // what is forged asks for none
  expect(requests()).toBe(1);
  expect(await judge()).toBe('valid');
  expect(requests()).toBe(2);
});

describe('the trust in the signer of a list changes while the list is under way', () => {
  test('F75 it does not count, for those who began before and for those who began after', async () => {
    let trusted = 'before';
    const ends: ((generation: string) => void)[] = [];
    const load = async () =>
      await new Promise<Loaded<KeptList>>((resolve) => {
        ends.push((generation) => {
          const bytes = Uint8Array.of(generation === 'before' ? 0 : 1);
          resolve({
            value: { bits: 8, compressed: bytes, length: 1, inflated: Promise.resolve(bytes), generation },
            at: now.getTime(),
            freshUntil: now.getTime() + 1000,
          });
        });
      });
    const listAt = keepLists(load, () => trusted);
    const ask = async () => (await listAt('a', runtimeFrom({ clock }))).bytes[0];
    const first = ask();
    trusted = 'after';
    const second = ask();
    expect(ends).toHaveLength(1);
    ends[0]?.('before');
    while (ends.length === 1) await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toHaveLength(2); // one more, for both
    ends[1]?.('after');
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    expect(await ask()).toBe(1);
    expect(ends).toHaveLength(2);
  });

  test('F85 L20 it is kept under the trust that it was checked with, not the one that has come since', async () => {
    const uri = 'https://issuer.example/status';
    let trusted = 'before';
    const find: KeySource = async () => {
      trusted = 'after'; // a new list of entities is accepted while this one is being checked
      return await Promise.resolve(issuerKeys.publicKey);
    };
    const keys = Object.assign(find, { generation: () => trusted });
    const fetch = fetchList(listToken(uri), uri, () => '');
    const { value } = await loadList(uri, { keys, algorithms: ['ES256'] }, runtimeFrom({ clock, fetch }));
    expect([value.generation, trusted]).toEqual(['before', 'after']);
  });
});

describe('T16 how much is kept', () => {
  /** A verifier whose lists have these sizes, in order of their loads; a list whose name begins with `slow` waits. */
  function lists(size: (name: string) => number = () => 1, ttl = 3600) {
    const loads: string[] = [];
    const slow = gate();
    const zeros = new Map<number, string>();
    const lstOf = (bytes: number) => {
      if (!zeros.has(bytes)) zeros.set(bytes, deflateSync(Buffer.alloc(bytes)).toString('base64url'));
      return zeros.get(bytes);
    };
    const fetch = async (uri: unknown) => {
      const name = String(uri).replace(/^.*\//, '');
      loads.push(name);
      if (name === 'slow') await slow.opened;
      const token = listToken(String(uri), {
        payload: { iat: nowSeconds, exp: undefined, ttl },
        list: { lst: lstOf(size(name)) },
      });
      return new Response(token, { headers: { 'content-type': 'application/statuslist+jwt' } });
    };
    const { from, wait } = statusVerifier(published, {}, { fetch });
    return { loads, slow, wait, ask: (name: string | number) => from(`${published.origin}/${name}`) };
  }
  const askAll = async (ask: (name: number) => Promise<string>) => {
    for (let n = 0; n < 256; n += 1) expect(await ask(n)).toBe('valid');
  };

  deep.test('T16 at most 256 lists: the longest unused makes room', async () => {
    const { loads, ask } = lists();
    await askAll(ask);
    await ask(0);
    expect(loads).toHaveLength(256);
    for (const name of [256, 0, 2]) await ask(name);
    expect(loads).toHaveLength(257);
    await ask(1);
    expect(loads).toHaveLength(258);
  });

  deep.test('T16 a list that lost its place while it was under way takes none', async () => {
    const { loads, slow, ask } = lists((name) => (name === 'slow' ? 16 * mib : 1));
    const asked = ask('slow');
    while (loads.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await askAll(ask);
    slow.open();
    expect(await asked).toBe('valid');
    await askAll(ask);
    expect(loads).toHaveLength(257);
  });

  /** Lists of which each has so many bytes, inflated and compressed, or says so. */
  function kept(length: number, compressed = deflateSync(Buffer.of(7))) {
    const loads: string[] = [];
    const all = new Map<string, KeptList>();
    const load = async (uri: string) => {
      loads.push(uri);
      const value = { bits: 8, compressed, length, inflated: Promise.resolve(Buffer.of(7)) };
      all.set(uri, value);
      return await Promise.resolve({ value, at: now.getTime(), freshUntil: now.getTime() + 1000 });
    };
    const listAt = keepLists(load);
    const ask = async (uri: string) => (await listAt(uri, runtimeFrom({ clock }))).bytes[0];
    const inflated = () => [...all].filter(([, list]) => list.inflated !== undefined).map(([uri]) => uri);
    return { loads, ask, inflated };
  }

  test('F165 T16 three lists of 16 MiB in turn are fetched once each, and two of them stay inflated', async () => {
    const { loads, ask, inflated } = kept(16 * mib);
    for (const name of ['a', 'b', 'c', 'a', 'b', 'c', 'a']) expect(await ask(name)).toBe(7);
    expect([loads, inflated()]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'c'],
    ]);
  });

  test('F165 T16 of what is fetched at most 32 MiB are kept: the longest unused is fetched again', async () => {
    const big = Buffer.concat([deflateSync(Buffer.of(7)), Buffer.alloc(16 * mib - 9)]);
    const { loads, ask } = kept(1, big);
    for (const name of ['a', 'b', 'a', 'b', 'c', 'c', 'b']) await ask(name);
    expect(loads).toEqual(['a', 'b', 'c']);
    await ask('a');
    expect(loads).toEqual(['a', 'b', 'c', 'a']);
  });

  test('F165 those who need a list at once that is not inflated inflate it once', async () => {
    const { loads, ask, inflated } = kept(16 * mib);
    for (const name of ['a', 'b', 'c']) await ask(name);
    expect(inflated()).toEqual(['b', 'c']);
    expect(await Promise.all([ask('a'), ask('a'), ask('a')])).toEqual([7, 7, 7]);
    expect([loads, inflated()]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'c'],
    ]);
  });

  test('T16 three real lists of 16 MiB in turn', async () => {
    const { loads, ask } = lists(() => 16 * mib);
    for (const name of ['a', 'b', 'c', 'a', 'b', 'c']) expect(await ask(name)).toBe('valid');
    expect(loads).toEqual(['a', 'b', 'c']);
  });

  deep.test('T16 a list that is renewed counts once', async () => {
    const { loads, wait, ask } = lists(() => 12 * mib, 1);
    await ask('a');
    for (let n = 0; n < 2; n += 1) {
      wait(1);
      await ask('b');
      await ask('a');
    }
    await ask('b');
    expect(loads).toHaveLength(5);
  });
});

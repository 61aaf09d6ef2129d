import { describe, expect, test } from '@jest/globals';
import { gate } from '../../support/callbacks.js';
import { type KeptList, keptLists } from '../../../lib/verify/status/list-cache.js';
import { runtimeFrom } from '../../../lib/verify/jose/clock-and-fetch.js';
import type { KeySource } from '../../../lib/verify/keys/key-source.js';
import { loadList } from '../../../lib/verify/status/load-list.js';
import { clock, issuerKeys, now, nowSeconds } from '../../support/verify/issuer.js';
import { listToken, packed, serving, statusServer, verifierOf } from './status-server.js';

const published = statusServer();

describe('T16 for how long a list is kept', () => {
  /** Good until the second before, asked for anew at this one. */
  async function isKeptFor(seconds: number) {
    const { judge, wait } = verifierOf(published);
    expect([await judge(), await judge()]).toEqual(['valid', 'valid']);
    wait(seconds - 1);
    expect(await judge()).toBe('valid');
    expect(published.requests).toHaveLength(1);
    wait(1);
    published.answer = serving({ payload: { iat: nowSeconds, exp: undefined }, list: { lst: packed(1) } });
    expect(await judge()).toBe('presentation_invalid T15');
    expect(published.requests).toHaveLength(2);
  }

  test.each([
    ['ttl', { ttl: 120, exp: undefined }, {}, 120],
    ['exp, where it comes first', { ttl: 3600, exp: nowSeconds + 90 }, {}, 90],
    ['ttl, where it comes first', { ttl: 90, exp: nowSeconds + 3600 }, {}, 90],
    ['a day, where ttl is longer', { ttl: 1e9, exp: undefined }, {}, 86_400],
    ['ttl, whatever the reply says', { ttl: 120, exp: undefined }, { 'cache-control': 'no-store' }, 120],
    ['ttl, however fresh the reply says it is', { ttl: 120 }, { 'cache-control': 'max-age=3600' }, 120],
    [
      'what the reply says, without ttl',
      { exp: undefined },
      { 'cache-control': 'max-age=300', age: '100' },
      200,
    ],
    [
      'exp, however fresh the reply says it is',
      { exp: nowSeconds + 90 },
      { 'cache-control': 'max-age=300' },
      90,
    ],
    ['ten minutes, where nothing says more', { exp: undefined }, {}, 600],
  ])('T16 %s', async (_, payload, headers, seconds) => {
    published.answer = serving({ payload }, headers);
    await isKeptFor(seconds);
  });

  test('T16 not at all, where the reply says so and there is no ttl', async () => {
    published.answer = serving({}, { 'cache-control': 'no-store' });
    const { judge } = verifierOf(published);
    expect([await judge(), await judge()]).toEqual(['valid', 'valid']);
    expect(published.requests).toHaveLength(2);
  });

  test('T16 what expires while clocks differ is used once', async () => {
    published.answer = serving({ payload: { exp: nowSeconds - 2, ttl: 3600 } });
    const { judge } = verifierOf(published);
    expect([await judge(), await judge()]).toEqual(['valid', 'valid']);
    expect(published.requests).toHaveLength(2);
  });

  test('T16 every place of a list that is kept', async () => {
    published.answer = serving({ list: { lst: packed(0b10) } });
    const { at } = verifierOf(published);
    expect([await at(0), await at(1), await at(8)]).toEqual([
      'valid',
      'presentation_invalid T15',
      'presentation_invalid T14',
    ]);
    expect(published.requests).toHaveLength(1);
  });

  test('T16 each address has its own list', async () => {
    const { from } = verifierOf(published);
    expect(await from(`${published.origin}/1`)).toBe('valid');
    published.answer = serving({ list: { lst: packed(1) } });
    expect(await from(`${published.origin}/2`)).toBe('presentation_invalid T15');
    expect(await from(`${published.origin}/1`)).toBe('valid');
  });
});

describe('T21 a clock that is set back', () => {
  test('T21 a list that was fetched under the clock ahead is fetched anew', async () => {
    const { judge, wait } = verifierOf(published);
    const ahead = 23 * 3600;
    published.answer = serving({ payload: { iat: nowSeconds, exp: undefined, ttl: 24 * 3600 } });
    wait(ahead);
    expect(await judge()).toBe('valid');
    published.answer = serving({ list: { lst: packed(1) } });
    expect(await judge()).toBe('valid');
    wait(-ahead);
    expect(await judge()).toBe('presentation_invalid T15');
    expect(published.requests).toHaveLength(2);
  });
});

describe('T17 one fetch for all who wait', () => {
  test('T17 50 verifications at once are one request', async () => {
    const { judge } = verifierOf(published);
    const verdicts = await Promise.all(Array.from({ length: 50 }, async () => await judge()));
    expect(new Set(verdicts)).toEqual(new Set(['valid']));
    expect(published.requests).toHaveLength(1);
  });

  test('T17 two lists are two', async () => {
    const { from } = verifierOf(published);
    const uris = ['/1', '/2', '/1', '/2'].map((path) => published.origin + path);
    expect(await Promise.all(uris.map(from))).toEqual(['valid', 'valid', 'valid', 'valid']);
    expect(published.requests).toHaveLength(2);
  });

  /** Lists of which each load ends where the test says. */
  function held() {
    const loads: { end: (list: KeptList) => void; fail: (error: Error) => void }[] = [];
    const listAt = keptLists(
      async () =>
        await new Promise((end, fail) => {
          loads.push({ end, fail });
        }),
    );
    return { loads, ask: async () => await listAt('a', runtimeFrom({ clock })) };
  }
  const stale = {
    list: { bits: 8, bytes: new Uint8Array(1) },
    at: now.getTime(),
    freshUntil: now.getTime(),
    generation: undefined,
  };

  test('T17 and one more, where the reply may not be kept', async () => {
    const { loads, ask } = held();
    const waiting = [ask(), ask(), ask()];
    expect(loads).toHaveLength(1);
    loads[0]?.end(stale);
    expect(await Promise.all(waiting)).toEqual([stale.list, stale.list, stale.list]);
    void ask();
    expect(loads).toHaveLength(2);
  });

  test('T17 all who wait for one that fails hear of it, and the next one tries again', async () => {
    const { loads, ask } = held();
    const waiting = [ask(), ask(), ask()].map(async (list) => await list.catch((error: unknown) => error));
    const failure = new Error('away');
    loads[0]?.fail(failure);
    expect(await Promise.all(waiting)).toEqual([failure, failure, failure]);
    void ask();
    expect(loads).toHaveLength(2);
  });
});

describe('F75 a list under way while its signer was removed', () => {
  test('F75 does not count, for those who began before and for those who began after', async () => {
    let trusted = 'before';
    const ends: ((generation: string) => void)[] = [];
    const listAt = keptLists(
      async () =>
        await new Promise<KeptList>((resolve) => {
          ends.push((generation) => {
            const bytes = Uint8Array.of(generation === 'before' ? 0 : 1);
            const list = { bits: 8, bytes };
            resolve({ list, at: now.getTime(), freshUntil: now.getTime() + 1000, generation });
          });
        }),
      () => trusted,
    );
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
});

test('F85 L20 a list is kept under the trust that it was checked with, not the one that has come since', async () => {
  const uri = 'https://issuer.example/status';
  let trusted = 'before';
  const find: KeySource = async () => {
    trusted = 'after'; // a new list of entities is accepted while this one is being checked
    return await Promise.resolve(issuerKeys.publicKey);
  };
  const keys = Object.assign(find, { generation: () => trusted });
  const headers = { 'content-type': 'application/statuslist+jwt' };
  const fetch = async () => await Promise.resolve(new Response(listToken(uri), { headers }));
  const list = await loadList(uri, { keys, algorithms: ['ES256'] }, runtimeFrom({ clock, fetch }));
  expect([list.generation, trusted]).toEqual(['before', 'after']);
});

describe('T16 how much is kept', () => {
  function lists(size: (uri: string) => number = () => 1) {
    const loads: string[] = [];
    const listAt = keptLists(async (uri): Promise<KeptList> => {
      loads.push(uri);
      const list = { bits: 8, bytes: new Uint8Array(size(uri)) };
      return await Promise.resolve({
        list,
        at: now.getTime(),
        freshUntil: now.getTime() + 1000,
        generation: undefined,
      });
    });
    return { loads, ask: async (uri: string) => await listAt(uri, runtimeFrom({ clock })) };
  }

  test('T16 at most 256 lists: the longest unused makes room', async () => {
    const { loads, ask } = lists();
    for (let n = 0; n < 256; n += 1) await ask(`${n}`);
    await ask('0');
    expect(loads).toHaveLength(256);
    await ask('256');
    await ask('0');
    await ask('2');
    expect(loads).toHaveLength(257);
    await ask('1');
    expect(loads).toHaveLength(258);
  });

  test('T16 a list that lost its place while it was under way takes none', async () => {
    const mib = 1024 * 1024;
    const slow = gate();
    const loads: string[] = [];
    const listAt = keptLists(async (uri): Promise<KeptList> => {
      loads.push(uri);
      if (uri === 'slow') await slow.opened;
      const list = { bits: 8, bytes: new Uint8Array(uri === 'slow' ? 32 * mib : 1) };
      return { list, at: now.getTime(), freshUntil: now.getTime() + 1000, generation: undefined };
    });
    const ask = async (uri: string) => await listAt(uri, runtimeFrom({ clock }));
    const asked = ask('slow');
    for (let n = 0; n < 256; n += 1) await ask(`${n}`);
    slow.open();
    expect((await asked).bytes.length).toBe(32 * mib);
    for (let n = 0; n < 256; n += 1) await ask(`${n}`);
    expect(loads).toHaveLength(257);
  });

  test('T16 at most 32 MiB', async () => {
    const mib = 1024 * 1024;
    const { loads, ask } = lists((uri) => (uri === 'small' ? 1 : 16 * mib));
    for (const uri of ['a', 'b', 'a', 'b']) await ask(uri);
    expect(loads).toEqual(['a', 'b']);
    await ask('small');
    expect((await ask('b')).bytes.length).toBe(16 * mib);
    expect(loads).toEqual(['a', 'b', 'small']);
    await ask('a');
    expect(loads).toEqual(['a', 'b', 'small', 'a']);
    await ask('small');
    expect(loads).toEqual(['a', 'b', 'small', 'a', 'small']);
  });

  test('T16 a list that is renewed counts once', async () => {
    const mib = 1024 * 1024;
    let at = now.getTime();
    let loads = 0;
    const listAt = keptLists(async (): Promise<KeptList> => {
      loads += 1;
      const list = { bits: 8, bytes: new Uint8Array(12 * mib) };
      return await Promise.resolve({ list, at, freshUntil: at + 1000, generation: undefined });
    });
    const runtime = runtimeFrom({ clock: () => new Date(at) });
    await listAt('a', runtime);
    for (let n = 0; n < 5; n += 1) {
      at += 1000;
      await listAt('b', runtime);
      await listAt('a', runtime);
    }
    await listAt('b', runtime);
    expect(loads).toBe(11);
  });
});

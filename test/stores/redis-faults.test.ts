import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRedisStore } from '../../lib/stores/redis/redis-store.js';
import { redisStore } from '../../lib/stores/redis.js';
import { type Service, servers } from '../support/servers.mjs';
import { failureOf, failures, fourCalls, minute, secret } from './failure.js';
import { type Opened, clients } from './redis-clients.js';
import { withServer } from './servers.js';

withServer('redis')('a Redis of their own', () => {
  let server: Service;
  let opened: Opened;

  beforeAll(async () => {
    server = await servers.redis.start({ appendonly: 'yes' });
  });
  afterAll(async () => {
    await server.stop();
  });

  describe.each(Object.entries(clients))('seen through %s', (name, open) => {
    // One after the other: node-redis 6 can miss that a server ends in the moment of a connection to it.
    beforeAll(async () => {
      opened = await open(server.path);
    });
    afterAll(() => {
      opened.close();
    });

    /** What the server did since it was last asked: its commands, and how often each was sent. */
    async function commands(): Promise<Record<string, number>> {
      const info = String(await opened.send('INFO', 'commandstats'));
      await opened.send('CONFIG', 'RESETSTAT');
      const lines = [...info.matchAll(/^cmdstat_(\w+):calls=(\d+)/gm)];
      return Object.fromEntries(lines.map(([, command = '', calls]) => [command, Number(calls)]));
    }

    test('each call is one round trip, and a script, which no client sends to a replica', async () => {
      const store = redisStore({ client: opened.client, prefix: `${name}:` });
      await Promise.all(fourCalls(store));
      await commands();
      for (const call of [
        () => store.create('b', 'one', minute),
        () => store.read('b'),
        () => store.replace('b', 1, 'two', minute),
        () => store.delete('b'),
      ]) {
        await call();
        const { evalsha, eval: inFull } = await commands();
        expect([evalsha, inFull]).toEqual([1, undefined]);
      }
    });

    test('scripts that the server has forgotten are sent in full, once', async () => {
      const store = redisStore({ client: opened.client, prefix: `${name}:` });
      await opened.send('SCRIPT', 'FLUSH');
      await commands();
      expect(await store.create('c', 'one', minute)).toBe(true);
      expect((await store.read('c'))?.value).toBe('one');
      expect(await store.replace('c', 1, 'two', minute)).toBe(true);
      expect((await store.read('c'))?.value).toBe('two');
      await store.delete('c');
      expect(await commands()).toMatchObject({ evalsha: 5, eval: 3 });
    });

    test('one key holds a flow, and the server ends it', async () => {
      const { client, send } = opened;
      const store = redisStore({ client, prefix: `one ${name}:` });
      await store.create('d', 'sealed', 90_000.5);
      expect(await send('KEYS', `one ${name}:*`)).toEqual([`one ${name}:d`]);
      expect(await send('GET', `one ${name}:d`)).toBe('1.sealed');
      const left = Number(await send('PTTL', `one ${name}:d`));
      expect(left).toBeGreaterThan(minute);
      expect(left).toBeLessThanOrEqual(90_001);
    });

    test("a key that is somebody else's is not written over", async () => {
      const { client, send } = opened;
      const store = redisStore({ client, prefix: `else ${name}:` });
      await send('SET', `else ${name}:a`, 'theirs');
      await send('LPUSH', `else ${name}:b`, 'theirs');
      expect(await store.create('a', 'ours', minute)).toBe(false);
      expect(await store.read('a')).toBeUndefined();
      expect(await failureOf(store.create('b', secret, minute))).toEqual({
        code: 'store_unavailable',
        words: 'Redis refused the command (WRONGTYPE).',
      });
      expect(await send('GET', `else ${name}:a`)).toBe('theirs');
    });

    test('a server that is full refuses writes with its code, and still reads', async () => {
      const { client, send } = opened;
      const store = redisStore({ client, prefix: `full ${name}:` });
      await store.create('a', 'one', minute);
      await send('CONFIG', 'SET', 'maxmemory', '1');
      const refused = await failureOf(store.create('b', secret, minute));
      const read = await store.read('a').catch((error: unknown) => error);
      await send('CONFIG', 'SET', 'maxmemory', '0');
      expect(refused).toEqual({ code: 'store_unavailable', words: 'Redis refused the command (OOM).' });
      expect(read).toEqual({ value: 'one', version: 1 });
    });

    test('a server that hangs does not hold a call', async () => {
      const { client, send } = opened;
      await send('CLIENT', 'PAUSE', '60000', 'ALL');
      const store = createRedisStore(client, `${name}:`, 100);
      const found = await failures(fourCalls(store));
      // A paused server hears nobody: only its end helps, and it keeps what it has.
      await server.halt();
      await server.resume();
      expect(found).toEqual(['store_unavailable: Redis did not answer in time.']);
    });

    test('a server that is gone does not hold a call, and its return is enough', async () => {
      const { client } = opened;
      const patient = createRedisStore(client, `back ${name}:`, 10_000);
      await patient.create('a', 'one', minute);
      await server.halt();
      const found = await failures(fourCalls(createRedisStore(client, `${name}:`, 100)));
      await server.resume();
      for (const words of found) expect(words).toMatch(/^store_unavailable: Redis [^:]*$/);
      // What a client is given while it connects again, it may lose: the store ends that call, and the next one is answered.
      const read = async (): Promise<unknown> => await patient.read('a');
      expect(await read().catch(read)).toEqual({ value: 'one', version: 1 });
      expect(await patient.replace('a', 1, 'two', minute)).toBe(true);
    });

    test('a client that its owner has closed fails the call, and is not opened again', async () => {
      const closing = await open(server.path);
      const store = redisStore({ client: closing.client, prefix: `closed ${name}:` });
      await store.create('a', 'one', minute);
      closing.close();
      // node-redis names its mistake by a class of its own.
      const words = name.startsWith('node-redis')
        ? 'Redis failed: the client is not connected. Call client.connect().'
        : 'Redis failed.';
      expect(await failures(fourCalls(store))).toEqual([`store_unavailable: ${words}`]);
    });
  });

  test('by its own deadline the store ends every call, through every client', async () => {
    const all = await Promise.all(Object.values(clients).map(async (open) => await open(server.path)));
    await server.halt();
    const calls = all.flatMap(({ client }) => fourCalls(redisStore({ client })));
    const failed = await Promise.all(calls.map(failureOf));
    await server.resume();
    expect(failed.map(({ code }) => code)).toEqual(Array(16).fill('store_unavailable'));
    for (const { client, close } of all) {
      expect(await createRedisStore(client, 'after:', 20_000).read('a')).toBeUndefined();
      close();
    }
  });
});

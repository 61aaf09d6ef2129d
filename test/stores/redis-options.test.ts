import { afterAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { RESP_TYPES, createClient } from 'redis';
import { type RedisStoreOptions, redisStore } from '../../lib/stores/redis.js';
import { freshName, serverPath, withServer } from './servers.js';

const minute = 60_000;

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['an address', 'redis://localhost'],
  ['a client without scripts', { get: () => undefined, set: () => undefined }],
  ['half a client', { evalSha: () => undefined }],
])('%s is no client', (_name, client) => {
  expect(() => redisStore({ client } as RedisStoreOptions)).toThrow(
    expect.objectContaining({
      code: 'config_invalid',
      message: 'redisStore: client must be a client of node-redis 5 or 6, or of ioredis 5 or 6.',
    }),
  );
});

test('a prefix that is no string is refused', () => {
  const client = { evalsha: async () => 0, eval: async () => 0 };
  expect(() => redisStore({ client, prefix: 7 as unknown as string })).toThrow(
    expect.objectContaining({ code: 'config_invalid', message: 'redisStore: prefix must be a string.' }),
  );
});

withServer('redis')('a client that is set up in its own way', () => {
  const node = createClient({ socket: { path: serverPath('redis'), tls: false } });
  const resp3 = createClient({ RESP: 3, socket: { path: serverPath('redis'), tls: false } });
  const io = new Redis({
    path: serverPath('redis'),
    stringNumbers: true,
    keyPrefix: `${freshName()}:`,
    lazyConnect: true,
  });
  afterAll(() => {
    node.destroy();
    resp3.destroy();
    io.disconnect();
  });

  test.each<[string, () => Promise<RedisStoreOptions['client']>]>([
    [
      'answers bytes',
      async () => (await node.connect()).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }),
    ],
    ['speaks RESP 3', async () => await resp3.connect()],
    ['returns numbers as strings and puts a prefix before keys', async () => io],
  ])('and %s does as well', async (_name, open) => {
    const store = redisStore({ client: await open(), prefix: `${freshName()}:` });
    expect(await store.read('a')).toBeUndefined();
    expect(await store.create('a', 'Ωne', minute)).toBe(true);
    expect(await store.create('a', 'two', minute)).toBe(false);
    expect(await store.read('a')).toEqual({ value: 'Ωne', version: 1 });
    expect(await store.replace('a', 1, 'two', minute)).toBe(true);
    expect(await store.replace('a', 1, 'three', minute)).toBe(false);
    await store.delete('a');
    expect(await store.read('a')).toBeUndefined();
  });
});

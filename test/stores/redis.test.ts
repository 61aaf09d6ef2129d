import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { RESP_TYPES, createClient } from 'redis';
import { flowStoreContract } from '../../lib/dev/testing/index.js';
import { type RedisStoreOptions, redisStore } from '../../lib/stores/redis.js';
import { type Opened, clients } from './redis-clients.js';
import { freshName, serverPath, withServer } from './servers.js';
import { refused } from './tables.js';

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['an address', 'redis://localhost'],
  ['a client without scripts', { get: () => undefined, set: () => undefined }],
  ['half a client', { evalSha: () => undefined }],
])('%s is no client', (_name, client) => {
  const rule = 'must be a client of node-redis 5 or 6, or of ioredis 5 or 6.';
  refused(() => redisStore({ client } as RedisStoreOptions), `redisStore: client ${rule}`);
});

test('a prefix that is no string is refused', () => {
  const client = { evalsha: async () => 0, eval: async () => 0 };
  const options = { client, prefix: 7 as unknown as string };
  refused(() => redisStore(options), 'redisStore: prefix must be a string.');
});

withServer('redis')('redisStore on a real Redis', () => {
  describe.each(Object.entries(clients))('with %s', (_name, openClient) => {
    let opened: Opened;

    beforeAll(async () => {
      opened = await openClient(serverPath('redis'));
    });
    afterAll(() => {
      opened.close();
    });

    flowStoreContract(test, () => {
      const prefix = `${freshName()}:`;
      return {
        store: redisStore({ client: opened.client, prefix }),
        forward: async (ms) => await age(opened, prefix, ms),
      };
    });
  });

  const path = serverPath('redis');
  const node = createClient({ socket: { path, tls: false } });
  const resp3 = createClient({ RESP: 3, socket: { path, tls: false } });
  const io = new Redis({ path, stringNumbers: true, keyPrefix: `${freshName()}:`, lazyConnect: true });
  beforeAll(async () => {
    await node.connect();
    await resp3.connect();
  });
  afterAll(() => {
    node.destroy();
    resp3.destroy();
    io.disconnect();
  });

  describe.each<[string, () => RedisStoreOptions['client']]>([
    ['answers bytes', () => node.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })],
    ['speaks RESP 3', () => resp3],
    ['returns numbers as strings and puts a prefix before keys', () => io],
  ])('with a client that %s', (_name, clientOf) => {
    flowStoreContract(test, () => ({ store: redisStore({ client: clientOf(), prefix: freshName() }) }), {
      expiry: 'untested',
    });
  });
});

/** Takes that much from what each key has left to live; one with nothing left goes at once. */
async function age({ send }: Opened, prefix: string, ms: number): Promise<void> {
  const keys = (await send('KEYS', `${prefix}*`)) as string[];
  for (const key of keys) {
    const left = Number(await send('PTTL', key));
    await send('PEXPIRE', key, `${left - ms}`);
  }
}

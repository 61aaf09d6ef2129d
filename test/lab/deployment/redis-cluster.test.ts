import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Cluster, type Redis } from 'ioredis';
import { Cluster as Cluster5 } from 'ioredis5';
import { createCluster } from 'redis';
import { createCluster as createCluster5 } from 'redis5';
import { flowStoreContract } from '../../../lib/dev/testing/index.js';
import { type RedisStoreOptions, redisStore } from '../../../lib/stores/redis.js';
import { type RedisCluster, startRedisCluster } from './redis-cluster.js';
import { freshName, withServer } from '../../stores/servers.js';

interface OpenCluster {
  readonly client: RedisStoreOptions['client'];
  /** What the client sends to a replica where it may. */
  readonly plainRead: () => Promise<unknown>;
  readonly close: () => void;
}

const rootNodes = (port: number) => [{ url: `redis://127.0.0.1:${port}` }];
const seeds = (port: number) => [{ host: '127.0.0.1', port }];

/** Each told to read from replicas. */
const kinds: Readonly<Record<string, (port: number) => Promise<OpenCluster>>> = {
  'node-redis 6': async (port) => {
    const client = createCluster({ rootNodes: rootNodes(port), useReplicas: true });
    client.on('error', () => undefined);
    await client.connect();
    return { client, plainRead: async () => await client.get('plain'), close: () => client.destroy() };
  },
  'node-redis 5': async (port) => {
    const client = createCluster5({ rootNodes: rootNodes(port), useReplicas: true });
    client.on('error', () => undefined);
    await client.connect();
    return { client, plainRead: async () => await client.get('plain'), close: () => client.destroy() };
  },
  'ioredis 6': async (port) => {
    const client = new Cluster(seeds(port), { scaleReads: 'slave' });
    client.on('error', () => undefined);
    return { client, plainRead: async () => await client.get('plain'), close: () => client.disconnect() };
  },
  'ioredis 5': async (port) => {
    const client = new Cluster5(seeds(port), { scaleReads: 'slave' });
    client.on('error', () => undefined);
    return { client, plainRead: async () => await client.get('plain'), close: () => client.disconnect() };
  },
};

withServer('redis')('redisStore on a real Redis Cluster, with a replica', () => {
  let cluster: RedisCluster;

  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(async () => {
    await cluster.stop();
  });

  describe.each(Object.entries(kinds))('with %s, told to read from replicas', (_name, openCluster) => {
    let opened: OpenCluster;

    beforeAll(async () => {
      opened = await openCluster(cluster.port);
    });
    afterAll(() => {
      opened.close();
    });

    flowStoreContract(test, () => {
      const prefix = `${freshName()}:`;
      return {
        store: redisStore({ client: opened.client, prefix }),
        forward: async (ms) => await age(cluster.primary, prefix, ms),
      };
    });

    test('the replica is asked for what others read, and never for a flow', async () => {
      const store = redisStore({ client: opened.client, prefix: `${freshName()}:` });
      await cluster.replica.config('RESETSTAT');
      for (let round = 0; round < 10; round += 1) {
        await opened.plainRead();
        await store.create(`${round}`, 'one', 60_000);
        expect(await store.read(`${round}`)).toEqual({ value: 'one', version: 1 });
      }
      const asked = await cluster.replica.info('commandstats');
      expect(asked).toContain('cmdstat_get:');
      expect(asked).not.toContain('cmdstat_eval');
    });
  });
});

async function age(primary: Redis, prefix: string, ms: number): Promise<void> {
  for (const key of await primary.keys(`${prefix}*`)) {
    await primary.pexpire(key, (await primary.pttl(key)) - ms);
  }
}

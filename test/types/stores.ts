import { test as jestTest } from '@jest/globals';
import { test as nodeTest } from 'node:test';
import { Cluster, Redis } from 'ioredis';
import { Cluster as Cluster5, Redis as Redis5 } from 'ioredis5';
import pg from 'pg';
import { createClient, createClientPool, createCluster } from 'redis';
import {
  createClient as createClient5,
  createClientPool as createPool5,
  createCluster as createCluster5,
} from 'redis5';
import { flowStoreContract } from '../../lib/dev/testing/index.js';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { type PostgresStore, postgresStore } from '../../lib/stores/postgres.js';
import { type RedisStoreOptions, redisStore } from '../../lib/stores/redis.js';
import { same } from './equal.js';

// Every client that the documents name fits as it is.
const rootNodes = [{ url: 'redis://localhost' }];
export const clients: readonly RedisStoreOptions['client'][] = [
  createClient(),
  createClient({ RESP: 3 }),
  createClientPool(),
  createCluster({ rootNodes }),
  createClient5(),
  createPool5(),
  createCluster5({ rootNodes }),
  new Redis(),
  new Cluster(['localhost']),
  new Redis5(),
  new Cluster5(['localhost']),
];

const store = redisStore({ client: createClient(), prefix: 'shop:' });
same<typeof store, FlowStore>();
// @ts-expect-error a store makes no client
redisStore({ url: 'redis://localhost' });
// @ts-expect-error no client
redisStore({ client: new Map() });

const rows = postgresStore({ pool: new pg.Pool(), table: 'flows', schema: 'shop' });
same<typeof rows, PostgresStore>();
same<ReturnType<typeof rows.setup>, Promise<void>>();
// @ts-expect-error a store makes no pool
postgresStore({ connectionString: 'postgres://localhost' });

// Any runner's test.
flowStoreContract(jestTest, () => ({ store: memoryStore() }), { expiry: 'untested' });
flowStoreContract(nodeTest, async () => ({ store: memoryStore(), forward: () => undefined }));

import type { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { createClient } from 'redis';
import type { FlowStore } from '../../../lib/types/store.js';
import { createPostgresStore } from '../../../lib/stores/postgres/create-store.js';
import { createRedisStore } from '../../../lib/stores/redis/create-store.js';
import type { EngineName } from './engine.js';
import { type Wire, openWire } from './wire.js';
import { startPostgres, startRedis } from '../../support/services.js';

/** A server that the test may stop, and a store on a client that stays the same over that. */
export interface OwnServer {
  readonly wire: Wire;
  readonly store: FlowStore;
  /** The process of Redis. */
  pid(): Promise<number>;
  /** The pool of Postgres. */
  readonly pool: Pool | undefined;
  /** From now on a call of the store ends soon, and not when the server is back. */
  impatient(yes: boolean): void;
  /** Stops the server, and waits until the client knows: what it is told now waits for the server. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

interface Client {
  readonly pool?: Pool;
  storeWithin(ms: number): FlowStore & { setup?(): Promise<void> };
  pid?(): Promise<number>;
  /** Resolves when its connection has ended. */
  cutOff?(): Promise<unknown>;
  close(): unknown;
}

const ignore = (): void => undefined;
const patience = 30_000;
const soon = 50;

/** Clients with their defaults: while the server is gone, those of Redis queue what they are told. */
const clients: Readonly<Record<EngineName, (path: string) => Promise<Client>>> = {
  'node-redis': async (path) => {
    const client = createClient({ socket: { path, tls: false } }).on('error', ignore);
    await client.connect();
    return {
      storeWithin: (ms) => createRedisStore(client, 'pidgate:', ms),
      pid: async () => processIn(await client.info('server')),
      cutOff: async () => await heard(client, 'reconnecting'),
      close: () => client.destroy(),
    };
  },
  ioredis: async (path) => {
    const client = new Redis({ path }).on('error', ignore);
    return {
      storeWithin: (ms) => createRedisStore(client, 'pidgate:', ms),
      pid: async () => processIn(await client.info('server')),
      cutOff: async () => await heard(client, 'close'),
      close: () => client.disconnect(),
    };
  },
  postgres: async (path) => {
    const pool = new Pool({ host: path, user: 'postgres', database: 'postgres' }).on('error', ignore);
    return {
      pool,
      storeWithin: (callMs) =>
        createPostgresStore(pool, 'flows', undefined, { callMs, setupMs: patience, later: ignore }),
      close: async () => await pool.end(),
    };
  },
};

/** `once` of node:events would fail with the client's error, which comes first. */
async function heard(client: Pick<EventEmitter, 'once'>, event: string): Promise<void> {
  await new Promise<void>((resolve) => {
    client.once(event, () => {
      resolve();
    });
  });
}

function processIn(info: string): number {
  return Number(/^process_id:(\d+)/m.exec(info)?.[1]);
}

/** `keeps`: whether Redis has its data again after it was stopped. */
async function openOwnServer(name: EngineName, keeps: boolean): Promise<OwnServer> {
  const postgres = name === 'postgres';
  const service = await (postgres ? startPostgres() : startRedis(keeps ? ['--appendonly', 'yes'] : []));
  const folder = await mkdtemp(join(tmpdir(), 'pidgate-wire-'));
  const socket = postgres ? '.s.PGSQL.5432' : 's';
  const wire = openWire(join(folder, socket), postgres ? join(service.path, socket) : service.path);
  await wire.up();
  const client = await clients[name](postgres ? folder : join(folder, socket));
  const [patient, hasty] = [client.storeWithin(patience), client.storeWithin(soon)];
  await patient.setup?.();
  let now = patient;
  const impatient = (yes: boolean): void => {
    now = yes ? hasty : patient;
  };

  return {
    wire,
    pool: client.pool,
    store: {
      create: async (...args) => await now.create(...args),
      read: async (...args) => await now.read(...args),
      replace: async (...args) => await now.replace(...args),
      delete: async (...args) => await now.delete(...args),
    },
    pid: async () => (await client.pid?.()) ?? 0,
    impatient,
    async goAway() {
      impatient(true);
      const known = client.cutOff?.();
      await Promise.all([wire.down(), service.halt()]);
      await known;
    },
    async comeBack() {
      await service.resume();
      await wire.up(); // not before: a Redis that is still loading refuses what a client sends it
      impatient(false);
    },
    async close() {
      await client.close();
      await wire.down();
      await service.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** For the tests of one group; the server ends after them. */
export function ownServer(name: EngineName, keeps = true): () => OwnServer {
  let server: OwnServer;
  beforeAll(async () => {
    server = await openOwnServer(name, keeps);
  });
  afterAll(async () => {
    await server.close();
  });
  return () => server;
}

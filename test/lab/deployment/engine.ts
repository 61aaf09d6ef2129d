import type { Store } from 'express-session';
import type { FlowStore } from '../../../lib/types/store.js';

export const engineNames = ['node-redis', 'ioredis', 'postgres'] as const;
export type EngineName = (typeof engineNames)[number];

/** Where an engine is, and the name under which this use of it keeps apart from others. */
export interface EngineAddress {
  readonly name: EngineName;
  /** The Unix socket of Redis, or the folder of the one of Postgres. */
  readonly path: string;
  /** Lower-case letters and digits: a schema in Postgres, the beginning of each key in Redis. */
  readonly space: string;
}

/** Flows and sessions of one process. */
export interface Engine {
  readonly flows: FlowStore;
  readonly sessions: Store;
  close(): Promise<void>;
}

/** Makes what the engine needs before the first process; each test does it once. */
export async function prepareEngine(address: EngineAddress): Promise<void> {
  if (address.name === 'postgres') await (await import('./postgres-engine.js')).preparePostgres(address);
}

/** A process loads one engine only: that is a good part of the time that it needs to begin. */
export async function openEngine(address: EngineAddress): Promise<Engine> {
  return address.name === 'postgres'
    ? (await import('./postgres-engine.js')).openPostgres(address)
    : await (await import('./redis-engine.js')).openRedis(address);
}

/** What a client says by its events is also what its calls fail with. */
export const ignore = (): void => undefined;

import type { Store } from 'express-session';
import type { FlowStore } from 'pidgate';
import { openPostgres } from './postgres.js';
import { openRedis } from './redis.js';

/** The server that all processes share: it holds the sessions and the flows. */
export interface Engine {
  readonly sessions: Store;
  readonly flows: FlowStore;
  /** Makes what is missing. Called once, before the first process serves. */
  setUp(): Promise<void>;
  close(): Promise<void>;
}

const { REDIS_URL, DATABASE_URL } = process.env;

/** Without one of the two there is no engine, and one process is all there can be. */
export const engineIsNamed = Boolean(REDIS_URL || DATABASE_URL);

export async function openEngine(): Promise<Engine | undefined> {
  if (REDIS_URL) return await openRedis(REDIS_URL);
  return DATABASE_URL ? openPostgres(DATABASE_URL) : undefined;
}

import type { Engine } from './engine.js';
import { openPostgres } from './postgres.js';
import { openRedis } from './redis.js';

const { REDIS_URL, DATABASE_URL } = process.env;

/** Without one of the two there is no engine, and one process is all there can be. */
export const engineIsNamed = Boolean(REDIS_URL || DATABASE_URL);

export async function openEngine(): Promise<Engine | undefined> {
  if (REDIS_URL) return await openRedis(REDIS_URL);
  return DATABASE_URL ? openPostgres(DATABASE_URL) : undefined;
}

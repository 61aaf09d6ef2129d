import type { Engine } from './engine.js';

/** A process loads only the client of the engine that it uses. */
const engines: Readonly<Record<string, (url: string) => Promise<Engine>>> = {
  REDIS_URL: async (url) => await (await import('./redis.js')).openRedis(url),
  DATABASE_URL: async (url) => (await import('./postgres.js')).openPostgres(url),
  MYSQL_URL: async (url) => await (await import('./mysql.js')).openMysql(url),
};

/** Which engine is named. Without one, one process is all there can be. */
export const engineVariable = Object.keys(engines).find((name) => process.env[name]);

export async function openEngine(): Promise<Engine | undefined> {
  const url = process.env[engineVariable ?? ''];
  return engineVariable !== undefined && url ? await engines[engineVariable]?.(url) : undefined;
}

import { RedisStore } from 'connect-redis';
import { createClient } from 'redis';
import { type RedisStoreOptions, redisStore } from '../../../lib/stores/redis.js';
import { type Engine, type EngineAddress, ignore } from './engine.js';

interface Opened {
  readonly client: RedisStoreOptions['client'];
  readonly end: () => void;
}

/** The sessions are always kept through node-redis, which connect-redis is made for. */
export async function openRedis({ name, path, space }: EngineAddress): Promise<Engine> {
  const sessions = await nodeRedis(path);
  const flows = name === 'ioredis' ? await ioredis(path) : sessions;
  return {
    flows: redisStore({ client: flows.client, prefix: `${space}:flow:` }),
    sessions: new RedisStore({ client: sessions.client, prefix: `${space}:session:` }),
    async close() {
      for (const { end } of new Set([flows, sessions])) end();
    },
  };
}

async function nodeRedis(path: string): Promise<Opened> {
  const client = createClient({ socket: { path, tls: false } }).on('error', ignore);
  await client.connect();
  return { client, end: () => client.destroy() };
}

async function ioredis(path: string): Promise<Opened> {
  const { Redis } = await import('ioredis');
  const client = new Redis({ path }).on('error', ignore);
  return { client, end: () => client.disconnect() };
}

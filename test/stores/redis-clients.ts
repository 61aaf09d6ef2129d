import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis5';
import { createClient } from 'redis';
import { createClient as createClient5 } from 'redis5';
import type { RedisStoreOptions } from '../../lib/stores/redis.js';

/** A client of one kind, and the commands that the tests themselves need. */
export interface Opened {
  readonly client: RedisStoreOptions['client'];
  readonly send: (...command: string[]) => Promise<unknown>;
  readonly close: () => void;
}

export type Open = (path: string) => Promise<Opened>;

const ignore = (): void => undefined;

async function nodeRedis(
  client: ReturnType<typeof createClient> | ReturnType<typeof createClient5>,
): Promise<Opened> {
  client.on('error', ignore);
  await client.connect();
  return { client, send: async (...it) => await client.sendCommand(it), close: () => client.destroy() };
}

function ioredis(client: Redis | Redis5): Opened {
  client.on('error', ignore);
  const send: Opened['send'] = async (name = '', ...args) => await client.call(name, ...args);
  return { client, send, close: () => client.disconnect() };
}

/** Every client with its defaults, as a customer makes it. */
export const clients: Readonly<Record<string, Open>> = {
  'node-redis 6': async (path) => await nodeRedis(createClient({ socket: { path, tls: false } })),
  'node-redis 5': async (path) => await nodeRedis(createClient5({ socket: { path, tls: false } })),
  'ioredis 6': async (path) => ioredis(new Redis({ path })),
  'ioredis 5': async (path) => ioredis(new Redis5({ path })),
};

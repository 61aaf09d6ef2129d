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

/** Every client with its defaults, as a customer makes it. */
export const clients: Readonly<Record<string, Open>> = {
  'node-redis 6': async (path) => {
    const client = createClient({ socket: { path, tls: false } });
    client.on('error', ignore);
    await client.connect();
    return { client, send: async (...it) => await client.sendCommand(it), close: () => client.destroy() };
  },
  'node-redis 5': async (path) => {
    const client = createClient5({ socket: { path, tls: false } });
    client.on('error', ignore);
    await client.connect();
    return { client, send: async (...it) => await client.sendCommand(it), close: () => client.destroy() };
  },
  'ioredis 6': async (path) => {
    const client = new Redis({ path });
    client.on('error', ignore);
    return {
      client,
      send: async (name = '', ...args) => await client.call(name, ...args),
      close: () => client.disconnect(),
    };
  },
  'ioredis 5': async (path) => {
    const client = new Redis5({ path });
    client.on('error', ignore);
    return {
      client,
      send: async (name = '', ...args) => await client.call(name, ...args),
      close: () => client.disconnect(),
    };
  },
};

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { RedisStore } from 'connect-redis';
import { createClient } from 'redis';
import { createRedisStore } from '../../../lib/stores/redis/redis-store.js';
import { type RedisStoreOptions, redisStore } from '../../../lib/stores/redis.js';
import { type EngineModule, type EngineName, heard, ignore } from './engine.js';

interface Opened {
  readonly client: RedisStoreOptions['client'];
  readonly info: (section: string) => Promise<string>;
  readonly cutOff: () => Promise<void>;
  readonly end: () => void;
}

async function nodeRedis(path: string) {
  const client = createClient({ socket: { path, tls: false } }).on('error', ignore);
  await client.connect();
  const opened: Opened = {
    client,
    info: async (section) => await client.info(section),
    cutOff: async () => await heard(client, 'reconnecting'),
    end: () => client.destroy(),
  };
  return { ...opened, client };
}

async function ioredis(path: string): Promise<Opened> {
  const { Redis } = await import('ioredis');
  const client = new Redis({ path }).on('error', ignore);
  return {
    client,
    info: async (section) => await client.info(section),
    cutOff: async () => await heard(client, 'close'),
    end: () => client.disconnect(),
  };
}

const openClient = async (name: EngineName, path: string): Promise<Opened> =>
  name === 'ioredis' ? await ioredis(path) : await nodeRedis(path);

async function infoOf({ info }: Pick<Opened, 'info'>, section: string, name: string): Promise<number> {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(await info(section))?.[1]);
}

export const engine: EngineModule = {
  durable: { appendonly: 'yes' },
  production: { appendonly: 'yes', appendfsync: 'everysec', 'maxmemory-policy': 'noeviction' },
  sendsLate: true,
  sharesSessions: false,
  asksAgain: (name) => name === 'ioredis',
  variable: { name: 'REDIS_URL', nowhere: 'redis://127.0.0.1' },

  /** The sessions are always kept through node-redis, which connect-redis is made for. */
  async open({ name, path, space }) {
    const sessions = await nodeRedis(path);
    const flows = name === 'ioredis' ? await ioredis(path) : sessions;
    return {
      flows: redisStore({ client: flows.client, prefix: `${space}:flow:` }),
      sessions: new RedisStore({ client: sessions.client, prefix: `${space}:session:` }),
      async close() {
        for (const { end } of new Set([flows, sessions])) end();
      },
    };
  },

  async connect(name, path) {
    const opened = await openClient(name, path);
    return {
      storeWithin: (ms) => createRedisStore(opened.client, 'pidgate:', ms),
      cutOff: opened.cutOff,
      async hang() {
        const pid = await infoOf(opened, 'server', 'process_id');
        process.kill(pid, 'SIGSTOP');
        return async () => void process.kill(pid, 'SIGCONT');
      },
      close: opened.end,
    };
  },

  /** The client of the example takes an address with a port; the server of the tests has a Unix socket. */
  async place(path) {
    const server = createServer((socket) => {
      const redis = connect(path);
      for (const end of [socket, redis]) end.on('error', ignore);
      for (const end of [socket, redis]) end.on('close', () => [socket, redis].forEach((it) => it.destroy()));
      socket.pipe(redis).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      address: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: async () => {
        server.close();
        await once(server, 'close');
      },
    };
  },

  async probe({ path, space }) {
    const opened = await nodeRedis(path);
    const { client } = opened;
    const sizesOf = async (kind: string): Promise<number[]> => {
      const sizes: number[] = [];
      for await (const keys of client.scanIterator({ MATCH: `${space}:${kind}:*` })) {
        for (const key of keys) sizes.push((await client.memoryUsage(key)) ?? 0);
      }
      return sizes.toSorted((a, b) => a - b);
    };
    const usual = async (kind: string): Promise<number> => {
      const sizes = await sizesOf(kind);
      return sizes[Math.floor(sizes.length * 0.75)] ?? 0;
    };
    return {
      pid: await infoOf(opened, 'server', 'process_id'),
      toDisk: async () => await infoOf(opened, 'persistence', 'aof_current_size'),
      held: async () => ({ flow: await usual('flow'), session: await usual('session') }),
      async pending() {
        const all = { used_memory: await infoOf(opened, 'memory', 'used_memory') };
        return { all, one: (await client.memoryUsage(String(await client.randomKey()))) ?? 0 };
      },
      close: async () => {
        opened.end();
      },
    };
  },
};

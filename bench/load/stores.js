import connectPgSimple from 'connect-pg-simple';
import { RedisStore } from 'connect-redis';
import session from 'express-session';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { memoryStore } from '../../dist/stores/memory.js';
import { postgresStore } from '../../dist/stores/postgres.js';
import { redisStore } from '../../dist/stores/redis.js';

/**
 * Flows and sessions, as an app would open them. `counted` tells what went through the pools so far: Postgres itself
 * does not count that by connection, as Redis does.
 */
export const stores = {
  memory: async () => ({ flows: memoryStore({ max: 1_000_000 }), sessions: new session.MemoryStore() }),

  async redis({ path }) {
    const client = createClient({ socket: { path, tls: false } });
    client.on('error', () => {});
    await client.connect();
    return {
      flows: redisStore({ client }),
      sessions: new RedisStore({ client }),
      counted: () => ({}),
      close: async () => client.destroy(),
    };
  },

  async postgres({ path }) {
    const trips = { flows: 0, sessions: 0 };
    const sockets = [];
    const open = (name) => {
      const pool = new Pool({ host: path, user: 'postgres', database: 'postgres', max: 10 });
      pool.on('error', () => {});
      pool.on('acquire', () => (trips[name] += 1));
      pool.on('connect', (client) => sockets.push(client.connection.stream));
      return pool;
    };
    const [pool, sessionPool] = [open('flows'), open('sessions')];
    const counted = () => ({
      ...trips,
      toEngine: sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
      fromEngine: sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    });
    const flows = postgresStore({ pool });
    await flows.setup();
    const SessionStore = connectPgSimple(session);
    const close = async () => await Promise.all([pool.end(), sessionPool.end()]);
    return { flows, sessions: new SessionStore({ pool: sessionPool }), counted, close };
  },
};

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { openPool } from '../../../stores/postgres-pools.js';
import { freshName, postgresPath, redisPath, withPostgres, withRedis } from '../../../stores/servers.js';

/** An engine as the example app is told of it. */
export interface Named {
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

export const namedEngines = [
  { engine: 'Redis', where: withRedis, name: async () => await nameRedis(redisPath) },
  { engine: 'Postgres', where: withPostgres, name: namePostgres },
] as const;

/** The client of the example takes an address with a port; the server of the tests has a Unix socket. */
async function nameRedis(path: string): Promise<Named> {
  const server = createServer((socket) => {
    const redis = connect(path);
    for (const end of [socket, redis]) end.on('error', () => undefined);
    for (const end of [socket, redis]) end.on('close', () => [socket, redis].forEach((it) => it.destroy()));
    socket.pipe(redis).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    env: { REDIS_URL: `redis://127.0.0.1:${(server.address() as AddressInfo).port}` },
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** A database of its own: the example makes its tables. */
async function namePostgres(): Promise<Named> {
  const name = freshName();
  const pool = openPool();
  await pool.query(`CREATE DATABASE ${name}`);
  return {
    env: { DATABASE_URL: `postgres:///${name}?host=${encodeURIComponent(postgresPath)}&user=postgres` },
    close: async () => {
      await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await pool.end();
    },
  };
}

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import connectPgSimple from 'connect-pg-simple';
import session from 'express-session';
import { Pool } from 'pg';
import { createPostgresStore } from '../../../lib/stores/postgres/postgres-store.js';
import { postgresStore } from '../../../lib/stores/postgres.js';
import { type EngineAddress, type EngineModule, ignore } from './engine.js';

const PgStore = connectPgSimple(session);

function openPool(host: string, max = 10, database = 'postgres'): Pool {
  return new Pool({ host, user: 'postgres', database, max }).on('error', ignore);
}

function openStores({ path, space }: EngineAddress, connections: number) {
  const pool = openPool(path, connections);
  const sessions = new PgStore({
    pool,
    schemaName: space,
    createTableIfMissing: true,
    pruneSessionInterval: false,
  });
  return {
    pool,
    flows: postgresStore({ pool, schema: space }),
    sessions,
    close: async () => await pool.end(),
  };
}

export const engine: EngineModule = {
  socketIn: '.s.PGSQL.5432',
  production: { fsync: 'on', autovacuum: 'on', shared_buffers: '256MB', max_connections: '100' },
  sendsLate: false,
  sharesSessions: true,
  variable: { name: 'DATABASE_URL', nowhere: 'postgres://someone:hidden@127.0.0.1' },

  async prepare(address) {
    const { pool, flows, sessions, close } = openStores(address, 1);
    await pool.query(`CREATE SCHEMA ${address.space}`);
    await flows.setup();
    // The first call makes the table, and processes that come at once would each make it.
    await new Promise<void>((resolve, reject) => {
      sessions.get('nobody', (error: unknown) => {
        if (error) reject(error as Error);
        else resolve();
      });
    });
    await close();
  },
  open: async (address, connections) => openStores(address, connections),

  async connect(_name, path) {
    const pool = openPool(path);
    return {
      storeWithin: (callMs) => createPostgresStore(pool, 'flows', undefined, { callMs, later: ignore }),
      sessions: () => new PgStore({ pool, createTableIfMissing: true, pruneSessionInterval: false }),
      async hang() {
        const locker = await pool.connect();
        await locker.query('BEGIN; LOCK TABLE flows');
        return async () => {
          await locker.query('COMMIT');
          locker.release();
          // What waited for the lock is done, and only then the next is asked.
          while (pool.idleCount < pool.totalCount) await pool.query('SELECT');
        };
      },
      close: async () => await pool.end(),
    };
  },

  /** A database of its own: the example makes its tables. */
  async place(path) {
    const name = `d${randomBytes(8).toString('hex')}`;
    const pool = openPool(path, 1);
    await pool.query(`CREATE DATABASE ${name}`);
    return {
      address: `postgres:///${name}?host=${encodeURIComponent(path)}&user=postgres`,
      close: async () => {
        await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
        await pool.end();
      },
    };
  },

  async probe({ path, space }) {
    const pool = openPool(path, 1);
    const figures = async (sql: string) =>
      (await pool.query<Record<string, number>>(sql)).rows[0] as Record<string, number>;
    const usual = (table: string): string =>
      `(SELECT percentile_disc(0.75) WITHIN GROUP (ORDER BY pg_column_size(t.*)) FROM ${space}.${table} t)`;
    const flows = `'${space}.pidgate_flows'`;
    return {
      pid: Number(readFileSync(join(path, 'data/postmaster.pid'), 'utf8').split('\n')[0]),
      toDisk: async () => Number((await figures(`SELECT pg_current_wal_lsn() - '0/0' AS bytes`))['bytes']),
      async held() {
        const row = await figures(`SELECT ${usual('pidgate_flows')} AS flow, ${usual('session')} AS session`);
        return { flow: Number(row['flow']), session: Number(row['session']) };
      },
      async pending() {
        const { one, ...all } =
          await figures(`SELECT pg_total_relation_size(${flows})::int AS "table and indexes",
          pg_indexes_size(${flows})::int AS "indexes alone",
          (SELECT avg(pg_column_size(t.*))::float8 FROM ${space}.pidgate_flows t) AS one`);
        return { all, one: Number(one) };
      },
      close: async () => await pool.end(),
    };
  },
};

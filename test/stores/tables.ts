import { expect } from '@jest/globals';
import callbackPool from 'mysql2';
import type { PoolOptions } from 'mysql2/promise';
import { Pool, type PoolConfig } from 'pg';
import { type MysqlStatement, createMysqlStore } from '../../lib/stores/mysql/mysql-store.js';
import { type MysqlStoreOptions, mysqlStore } from '../../lib/stores/mysql.js';
import { createPostgresStore } from '../../lib/stores/postgres/postgres-store.js';
import { type PostgresStoreOptions, postgresStore } from '../../lib/stores/postgres.js';
import type { TableStore, Times } from '../../lib/stores/table-store.js';
import { openPool as openMysqlPool } from '../support/engines/mysql.js';
import { serverPath } from './servers.js';

/** A pool, and what the tests of its stores do beside them. */
export interface Database {
  /** The statements that its stores have sent. */
  readonly sent: string[];
  store(names?: { readonly table?: string; readonly schema?: string }, times?: Times): TableStore;
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Keeps every other connection from the table. */
  lock(table: string): Promise<() => Promise<void>>;
  /** Takes a connection. */
  occupy(): Promise<() => void>;
  end(): Promise<void>;
}

/** A database that keeps flows in a table, as the tests of its store need it. */
export interface TableEngine {
  readonly engine: 'MySQL' | 'Postgres';
  readonly server: 'mysql' | 'postgres';
  readonly make: (options: unknown) => TableStore;
  /** A pool that sends nothing, and tells what it is given. */
  readonly recording: (sent: string[]) => unknown;
  readonly pools: { readonly rule: string; readonly wrong: readonly unknown[] };
  readonly names: { readonly rule: string; readonly tooLong: readonly string[]; readonly longest: string };
  readonly open: (path?: string, connections?: number) => Database;
  readonly quote: (name: string) => string;
  /** An SQL expression: the time now, and so many milliseconds earlier than another. */
  readonly now: string;
  readonly earlier: (time: string, ms: number) => string;
  /** A list of numbers as `n`. */
  readonly series: (count: number) => string;
  /** Counts the statements that wait for a lock, as `n`. */
  readonly blocked: string;
  readonly codes: { readonly check: RegExp };
}

/** A pool on the Postgres of the tests. */
export function openPostgresPool(config: PoolConfig = {}): Pool {
  const pool = new Pool({ host: serverPath('postgres'), user: 'postgres', database: 'postgres', ...config });
  pool.on('error', () => undefined);
  return pool;
}

/** A pool on the MariaDB of the tests. */
export const openMariaPool = (options: PoolOptions = {}) =>
  openMysqlPool(serverPath('mysql'), { database: 'mysql', ...options });

const postgres: TableEngine = {
  engine: 'Postgres',
  server: 'postgres',
  make: (options) => postgresStore(options as PostgresStoreOptions),
  recording: (sent) => ({ query: async (text: string) => ({ rows: [], rowCount: sent.push(text) }) }),
  pools: {
    rule: 'must be a Pool of pg',
    wrong: [undefined, null, 'postgres://localhost', { connect: () => undefined }],
  },
  names: {
    rule: 'must be a name of 1 to 63 bytes without NUL.',
    tooLong: ['x'.repeat(64), 'ü'.repeat(32)],
    longest: 'ü'.repeat(31),
  },
  open(host = serverPath('postgres'), max = 10) {
    const pool = openPostgresPool({ host, max });
    const sent: string[] = [];
    const query = async (text: string, values?: unknown[]) => {
      sent.push(text);
      return await pool.query(text, values);
    };
    return {
      sent,
      store: ({ table = 'pidgate_flows', schema } = {}, times) =>
        createPostgresStore({ query }, table, schema, times),
      rows: async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows,
      async lock(table) {
        const connection = await pool.connect();
        connection.on('error', () => undefined);
        await connection.query(`BEGIN; LOCK TABLE ${table}`);
        return async () => {
          await connection.query('COMMIT').catch(() => undefined);
          connection.release(true);
        };
      },
      async occupy() {
        const connection = await pool.connect();
        return () => connection.release();
      },
      end: async () => await pool.end(),
    };
  },
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  now: 'now()',
  earlier: (time, ms) => `${time} - interval '${ms} milliseconds'`,
  series: (count) => `generate_series(1, ${count}) AS numbers (n)`,
  blocked: 'SELECT count(*) AS n FROM pg_locks WHERE NOT granted',
  codes: { check: /^23514$/ },
};

const mysql: TableEngine = {
  engine: 'MySQL',
  server: 'mysql',
  make: (options) => mysqlStore(options as MysqlStoreOptions),
  recording: (sent) => ({
    query: async ({ sql }: MysqlStatement) => {
      sent.push(sql);
      return [[['8.0.11', 1]], undefined] as const;
    },
  }),
  pools: {
    rule: 'must be a pool of mysql2/promise',
    wrong: [
      undefined,
      'mysql://localhost',
      { execute: () => undefined },
      callbackPool.createPool({}), // a pool that calls back
    ],
  },
  names: {
    rule: 'must be a name of 1 to 64 characters without NUL.',
    tooLong: ['x'.repeat(65)],
    longest: 'ü'.repeat(64),
  },
  open(path = serverPath('mysql'), connectionLimit = 10) {
    const pool = openMysqlPool(path, { database: 'mysql', connectionLimit });
    const sent: string[] = [];
    const query = async (statement: MysqlStatement) => {
      sent.push(statement.sql);
      return await pool.query(statement);
    };
    return {
      sent,
      store: ({ table = 'pidgate_flows', schema } = {}, times) =>
        createMysqlStore({ query }, table, schema, times),
      rows: async (sql) => (await pool.query(sql))[0] as Record<string, unknown>[],
      async lock(table) {
        const connection = await pool.getConnection();
        await connection.query(`LOCK TABLES ${table} WRITE`);
        return async () => {
          await connection.query('UNLOCK TABLES').catch(() => undefined);
          connection.release();
        };
      },
      async occupy() {
        const connection = await pool.getConnection();
        return () => connection.release();
      },
      end: async () => await pool.end(),
    };
  },
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  now: 'UTC_TIMESTAMP(3)',
  earlier: (time, ms) => `${time} - INTERVAL ${ms * 1_000} MICROSECOND`,
  series: (count) => `(SELECT seq AS n FROM seq_1_to_${count}) AS numbers`,
  blocked: "SELECT count(*) AS n FROM information_schema.processlist WHERE state LIKE 'Waiting for table%'",
  codes: { check: /^ER_[A-Z_]+$/ },
};

export const tableEngines = [postgres, mysql];

/** Makes everything in the table that much older. */
export async function age(engine: TableEngine, database: Database, table: string, ms: number) {
  await database.rows(`UPDATE ${table} SET expires_at = ${engine.earlier('expires_at', ms)}`);
}

export function refused(work: () => unknown, message: string): void {
  expect(work).toThrow(expect.objectContaining({ code: 'config_invalid', message }));
}

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Pool, type PoolOptions, type RowDataPacket, createPool } from 'mysql2/promise';
import { MysqlSessions } from '../../../example-app/scaled/mysql.js';
import { createMysqlStore } from '../../../lib/stores/mysql/mysql-store.js';
import { mysqlStore } from '../../../lib/stores/mysql.js';
import { type EngineAddress, type EngineModule, ignore } from './engine.js';

/** A pool with its defaults, but for where it leads to. */
export function openPool(socketPath: string, options: PoolOptions = {}): Pool {
  return createPool({ socketPath, user: 'root', ...options });
}

async function figures(pool: Pool, sql: string): Promise<Record<string, unknown>> {
  const [[row = {}]] = (await pool.query<RowDataPacket[]>(sql)) as unknown as [Record<string, unknown>[]];
  return row;
}

function openStores({ path, space }: EngineAddress, connectionLimit: number) {
  const pool = openPool(path, { database: space, connectionLimit });
  return {
    flows: mysqlStore({ pool }),
    sessions: new MysqlSessions(pool),
    close: async () => await pool.end(),
  };
}

async function createDatabase(path: string, name: string): Promise<void> {
  const pool = openPool(path);
  await pool.query(`CREATE DATABASE ${name}`);
  await pool.end();
}

export const engine: EngineModule = {
  production: {
    'innodb-flush-log-at-trx-commit': '1',
    'innodb-flush-method': 'O_DIRECT',
    'innodb-buffer-pool-size': '256M',
  },
  sendsLate: false,
  sharesSessions: true,
  variable: { name: 'MYSQL_URL', nowhere: 'mysql://someone:hidden@127.0.0.1' },

  async prepare(address) {
    await createDatabase(address.path, address.space);
    const { flows, sessions, close } = openStores(address, 1);
    await flows.setup();
    await sessions.setUp();
    await close();
  },
  open: async (address, connections) => openStores(address, connections),

  async connect(_name, path) {
    const pool = openPool(path, { database: 'mysql' });
    await new MysqlSessions(pool).setUp();
    const others = `SELECT count(*) AS n FROM information_schema.processlist
      WHERE id <> CONNECTION_ID() AND db = 'mysql' AND command <> 'Sleep'`;
    return {
      storeWithin: (callMs) => createMysqlStore(pool, 'flows', undefined, { callMs, later: ignore }),
      sessions: () => new MysqlSessions(pool),
      async hang() {
        const locker = await pool.getConnection();
        await locker.query('LOCK TABLES flows WRITE');
        return async () => {
          // What waited for the lock is done, and only then the next is asked.
          await locker.query('UNLOCK TABLES');
          while (Number((await figures(pool, others))['n']) > 0);
          locker.release();
        };
      },
      close: async () => await pool.end(),
    };
  },

  /** A database of its own: the example makes its tables. */
  async place(path) {
    const name = `d${randomBytes(8).toString('hex')}`;
    await createDatabase(path, name);
    const pool = openPool(path);
    return {
      address: `mysql://root@localhost/${name}?socketPath=${encodeURIComponent(path)}`,
      close: async () => {
        await pool.query(`DROP DATABASE ${name}`);
        await pool.end();
      },
    };
  },

  async probe({ path, space }) {
    const pool = openPool(path, { database: space, connectionLimit: 1 });
    const sizeOf = async (table: string, figure: string): Promise<number> => {
      await pool.query(`ANALYZE TABLE ${table}`);
      const from = `FROM information_schema.tables WHERE table_schema = '${space}' AND table_name = '${table}'`;
      return Number((await figures(pool, `SELECT ${figure} AS bytes ${from}`))['bytes']);
    };
    const longest = async (table: string, column: string): Promise<number> =>
      Number((await figures(pool, `SELECT max(length(${column})) AS n FROM ${table}`))['n']);
    return {
      pid: Number(readFileSync(join(dirname(path), 'pid'), 'utf8')),
      toDisk: async () =>
        Number((await figures(pool, `SHOW GLOBAL STATUS LIKE 'Innodb_os_log_written'`))['Value']),
      held: async () => ({
        flow: await longest('pidgate_flows', 'value'),
        session: await longest('session', 'data'),
      }),
      async pending() {
        const all = {
          'table and indexes': await sizeOf('pidgate_flows', 'data_length + index_length'),
          'indexes alone': await sizeOf('pidgate_flows', 'index_length'),
        };
        return { all, one: await longest('pidgate_flows', 'value') };
      },
      close: async () => await pool.end(),
    };
  },
};

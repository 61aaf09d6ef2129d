import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import callbackPool from 'mysql2';
import { type Pool, type PoolOptions, type ResultSetHeader, createPool } from 'mysql2/promise';
import { flowStoreContract } from '../../lib/dev/testing/index.js';
import { type MysqlStore, mysqlStore } from '../../lib/stores/mysql.js';
import { same } from '../types/equal.js';
import { failures, minute, secret } from './failure.js';
import { freshName, withServer } from './servers.js';
import { openMariaPool } from './tables.js';

const server = (version: string, autocommit = 1) => ({
  query: async () => [[[version, autocommit]], undefined] as const,
});

describe('setup() of mysqlStore', () => {
  test.each([
    ['5.7.44-log', 'MySQL 5.7'],
    ['10.6.21-MariaDB-ubu2004', 'MariaDB 10.6'],
    ['5.5.5-10.6.21-MariaDB', 'MariaDB 10.6'],
  ])('a server that says %s is refused', async (version, name) => {
    const message = `mysqlStore: the server is ${name}. It must be MySQL 8.0 or newer, or MariaDB 10.11 or newer.`;
    const error = { code: 'config_invalid', message };
    await expect(mysqlStore({ pool: server(version) }).setup()).rejects.toMatchObject(error);
  });

  const supported = '8.0.11 8.4.3 9.1.0 8.0.36-28 10.11.6-MariaDB-log 5.5.5-11.4.2-MariaDB 12.0.1-MariaDB';
  test.each(supported.split(' '))('a server that says %s will do', async (version) => {
    await mysqlStore({ pool: server(version) }).setup();
  });

  test('connections that commit nothing by themselves are refused', async () => {
    await expect(mysqlStore({ pool: server('8.4.3', 0) }).setup()).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'mysqlStore: the connections of the pool must have autocommit = 1.',
    });
  });
});

test('mysqlStore has the types of its pool', () => {
  const typed = () => {
    const store = mysqlStore({ pool: createPool({}), table: 'flows', schema: 'shop' });
    same<typeof store, MysqlStore>();
    // @ts-expect-error a store makes no pool
    mysqlStore({ uri: 'mysql://localhost' });
    // @ts-expect-error a pool that calls back
    mysqlStore({ pool: callbackPool.createPool({}) });
  };
  expect(typed).toBeInstanceOf(Function);
});

withServer('mysql')('mysqlStore on a real MariaDB', () => {
  const opened: Pool[] = [];
  const open = (options: PoolOptions = {}, statement?: string): Pool => {
    const pool = openMariaPool(options);
    opened.push(pool);
    // Each connection is told this before anything else.
    if (statement) pool.pool.on('connection', (connection) => void connection.query(statement));
    return pool;
  };
  let pool: Pool;
  beforeAll(() => {
    pool = open();
  });
  afterAll(async () => {
    await Promise.all(opened.map(async (one) => await one.end()));
  });

  const setUp = async (its: Pool) => {
    const table = freshName();
    const store = mysqlStore({ pool: its, table });
    await store.setup();
    return { store, table };
  };

  describe.each<[string, () => Pool]>([
    ['with its defaults', () => open()],
    ['whose transactions are serial', () => open({}, 'SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE')],
    ['that keeps to its snapshot', () => open({}, 'SET SESSION innodb_snapshot_isolation = ON')],
    ['that counts changed rows, not found ones', () => open({ flags: ['-FOUND_ROWS'] })],
    [
      'that is set up in its own way',
      () =>
        open(
          {
            rowsAsArray: false,
            nestTables: '_',
            typeCast: false,
            namedPlaceholders: true,
            charset: 'latin1',
            stringifyObjects: true,
          },
          "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', time_zone = '-01:30', collation_connection = 'latin1_german1_ci'",
        ),
    ],
  ])('a pool %s', (_name, poolOf) => {
    const its = poolOf();

    flowStoreContract(test, async () => {
      const { store, table } = await setUp(its);
      const age = `UPDATE ${table} SET expires_at = expires_at - INTERVAL ? MICROSECOND`;
      return { store, forward: async (ms) => void (await pool.query(age, [ms * 1_000])) };
    });
  });

  test('mysql2 says of a row that was left as it was what it says of a new one: no call relies on that', async () => {
    const { store, table } = await setUp(pool);
    await store.create('a', 'one', minute);
    const kept = `INSERT INTO ${table} VALUES ('a', 1, 'two', UTC_TIMESTAMP()) ON DUPLICATE KEY UPDATE version = version`;
    const [header] = await pool.query<ResultSetHeader>(kept);
    expect(header.affectedRows).toBe(1);
    expect(await store.create('a', 'one', minute)).toBe(false);
    expect(await store.replace('a', 1, 'one', minute)).toBe(true);
    expect(await store.replace('a', 1, 'one', minute)).toBe(false);
  });

  test('an id that is too long is refused by its code alone', async () => {
    const { store } = await setUp(pool);
    expect(await failures([store.create(secret.repeat(20), 'x', minute)])).toEqual([
      'store_unavailable: MySQL failed (ER_DATA_TOO_LONG).',
    ]);
  });
});

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import callbackPool from 'mysql2';
import {
  type Pool,
  type PoolOptions,
  type ResultSetHeader,
  type RowDataPacket,
  createPool,
} from 'mysql2/promise';
import { flowStoreContract } from '../../lib/dev/testing/index.js';
import type { FlowStore } from '../../lib/types/store.js';
import { type MysqlStatement, createMysqlStore } from '../../lib/stores/mysql/mysql-store.js';
import { type MysqlStore, type MysqlStoreOptions, mysqlStore } from '../../lib/stores/mysql.js';
import { openPool as openPoolAt } from '../support/engines/mysql.js';
import { type Service, servers } from '../support/servers.mjs';
import { same } from '../types/equal.js';
import { failureOf, fourCalls, minute, secret } from './failure.js';
import { freshName, serverPath, withServer } from './servers.js';

const database = freshName();
const openPool = (options: PoolOptions = {}): Pool =>
  openPoolAt(serverPath('mysql'), { database, ...options });

/** Makes everything in the table that much older. */
async function age(pool: Pool, table: string, ms: number): Promise<void> {
  await pool.query(`UPDATE ${table} SET expires_at = expires_at - INTERVAL ? MICROSECOND`, [ms * 1_000]);
}

async function failures(calls: Promise<unknown>[]): Promise<string[]> {
  const failed = await Promise.all(calls.map(failureOf));
  return [...new Set(failed.map(({ code, words }) => `${code}: ${words}`))];
}

const impatient = { callMs: 100, setupMs: 100, later: () => undefined };
const answering = (answer: unknown) => ({ query: async () => [answer, undefined] as const });
const server = (version: string, autocommit = 1) => answering([[version, autocommit]]);

describe('mysqlStore', () => {
  test('the file for migrations is what setup() runs', async () => {
    const file = readFileSync(new URL('../../lib/stores/mysql.sql', import.meta.url), 'utf8');
    const sent: string[] = [];
    const query = async ({ sql }: MysqlStatement) => {
      sent.push(sql);
      return [[['8.0.11', 1]], undefined] as const;
    };
    await mysqlStore({ pool: { query } }).setup();
    expect(sent).toEqual(['SELECT VERSION(), @@autocommit', file]);
  });

  test.each([
    ['5.7.44-log', 'MySQL 5.7'],
    ['10.6.21-MariaDB-ubu2004', 'MariaDB 10.6'],
    ['5.5.5-10.6.21-MariaDB', 'MariaDB 10.6'],
  ])('a server that says %s is refused', async (version, name) => {
    const message = `mysqlStore: the server is ${name}. It must be MySQL 8.0 or newer, or MariaDB 10.11 or newer.`;
    await expect(mysqlStore({ pool: server(version) }).setup()).rejects.toMatchObject({
      code: 'config_invalid',
      message,
    });
  });

  test.each([
    '8.0.11',
    '8.4.3',
    '9.1.0',
    '8.0.36-28',
    '10.11.6-MariaDB-log',
    '5.5.5-11.4.2-MariaDB',
    '12.0.1-MariaDB',
  ])('a server that says %s will do', async (version) => {
    await mysqlStore({ pool: server(version) }).setup();
  });

  test('connections that commit nothing by themselves are refused', async () => {
    await expect(mysqlStore({ pool: server('8.4.3', 0) }).setup()).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'mysqlStore: the connections of the pool must have autocommit = 1.',
    });
  });

  const refused = (options: unknown, message: string): void => {
    expect(() => mysqlStore(options as MysqlStoreOptions)).toThrow(
      expect.objectContaining({ code: 'config_invalid', message }),
    );
  };

  test.each([
    ['nothing', ''],
    ['more than MySQL takes', 'x'.repeat(65)],
    ['a NUL', 'a\0b'],
    ['a number', 7],
    ['null', null],
  ])('a table or schema of %s', (_name, name) => {
    const rule = 'must be a name of 1 to 64 characters without NUL.';
    refused({ pool: answering([]), table: name }, `mysqlStore: table ${rule}`);
    refused({ pool: answering([]), schema: name }, `mysqlStore: schema ${rule}`);
  });

  test.each([
    ['nothing', undefined],
    ['an address', 'mysql://localhost'],
    ['what has no query', { execute: () => undefined }],
    ['a pool that calls back', callbackPool.createPool({})],
  ])('%s is no pool', (_name, pool) => {
    refused({ pool }, 'mysqlStore: pool must be a pool of mysql2/promise.');
  });

  test('a mistyped option', () => {
    refused({ pool: answering([]), tabel: 'x' }, 'Unknown option tabel of mysqlStore. Did you mean table?');
  });

  test('has the types of its pool', () => {
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
});

withServer('mysql')('mysqlStore on a real MariaDB', () => {
  const pool = openPool();
  const pools = [pool];
  const opened = (options: PoolOptions): Pool => {
    const another = openPool(options);
    pools.push(another);
    return another;
  };

  beforeAll(async () => {
    const admin = openPoolAt(serverPath('mysql'));
    await admin.query(`CREATE DATABASE ${database}`);
    await admin.end();
  });
  afterAll(async () => {
    await Promise.all(pools.map(async (it) => await it.end()));
  });

  /** A pool each connection of which is told this before anything else. */
  const told = (statement: string, options: PoolOptions = {}): Pool => {
    const one = opened(options);
    one.pool.on('connection', (connection) => {
      connection.query(statement);
    });
    return one;
  };

  describe.each<[string, () => Pool]>([
    ['with its defaults', () => pool],
    ['whose transactions are serial', () => told('SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE')],
    ['that keeps to its snapshot', () => told('SET SESSION innodb_snapshot_isolation = ON')],
    ['that counts changed rows, not found ones', () => opened({ flags: ['-FOUND_ROWS'] })],
    [
      'that is set up in its own way',
      () =>
        told(
          "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', time_zone = '-01:30', collation_connection = 'latin1_german1_ci'",
          {
            rowsAsArray: false,
            nestTables: '_',
            typeCast: false,
            namedPlaceholders: true,
            charset: 'latin1',
            stringifyObjects: true,
          },
        ),
    ],
  ])('a pool %s', (_name, poolOf) => {
    const its = poolOf();

    flowStoreContract(test, async () => {
      const table = freshName();
      const store = mysqlStore({ pool: its, table });
      await store.setup();
      return { store, forward: async (ms) => await age(pool, table, ms) };
    });
  });

  let table: string;
  let store: FlowStore;
  let sent: string[];
  let waiting: (() => Promise<void>)[];

  beforeEach(async () => {
    [table, sent, waiting] = [freshName(), [], []];
    const watched = {
      query: async (statement: MysqlStatement) => {
        sent.push(statement.sql);
        return await pool.query(statement);
      },
    };
    const times = {
      callMs: 3_000,
      setupMs: 3_000,
      later: (_ms: number, run: () => Promise<void>) => void waiting.push(run),
    };
    const made = createMysqlStore(watched, table, undefined, times);
    await made.setup();
    sent = [];
    store = made;
  });

  const rows = async (): Promise<string[]> => {
    const [all] = await pool.query<RowDataPacket[]>(`SELECT id FROM ${table} ORDER BY id`);
    return all.map(({ id }) => String(id));
  };

  test('each call is one statement, and so one round trip; an id that is taken costs two more', async () => {
    for (const call of fourCalls(store)) await call;
    expect(sent).toHaveLength(4);
    await store.create('b', 'one', minute);
    sent = [];
    expect(await store.create('b', 'two', minute)).toBe(false);
    expect(sent).toHaveLength(3);
  });

  test('mysql2 says of a row that was left as it was what it says of a new one: no call relies on that', async () => {
    await store.create('a', 'one', minute);
    const kept = `INSERT INTO ${table} VALUES ('a', 1, 'two', UTC_TIMESTAMP()) ON DUPLICATE KEY UPDATE version = version`;
    const [header] = await pool.query<ResultSetHeader>(kept);
    expect(header.affectedRows).toBe(1);
    expect(await store.create('a', 'one', minute)).toBe(false);
    expect(await store.replace('a', 1, 'one', minute)).toBe(true);
    expect(await store.replace('a', 1, 'one', minute)).toBe(false);
  });

  test.each([
    ['an accent', 'a', 'á'],
    ['a space at the end', 'a', 'a '],
    ['case', 'strasse', 'STRASSE'],
    ['letters that are sorted alike', 'ß', 'ss'],
    ['a form of the same letter', 'é', 'e\u0301'],
  ])('ids that differ by %s only are told apart', async (_name, one, other) => {
    expect([await store.create(one, '1', minute), await store.create(other, '2', minute)]).toEqual([
      true,
      true,
    ]);
    expect([(await store.read(one))?.value, (await store.read(other))?.value]).toEqual(['1', '2']);
    await store.delete(one);
    expect((await store.read(other))?.value).toBe('2');
  });

  test('a dump holds what the kit has written, and nothing else', async () => {
    await store.create('a', 'sealed', minute);
    await store.replace('a', 1, 'sealed again', minute);
    const [dump] = await pool.query<RowDataPacket[]>(`SELECT * FROM ${table}`);
    expect(dump.map((row) => Object.values(row).map(String))).toEqual([
      ['a', '2', 'sealed again', expect.stringMatching(/^\w{3} \w{3} \d\d 20\d\d /)],
    ]);
  });

  test('twenty that create an id that has expired, at once: one wins, and nothing deadlocks', async () => {
    for (let round = 0; round < 10; round += 1) {
      await store.create('a', 'old', minute);
      await age(pool, table, 2 * minute);
      const tries = Array.from(
        { length: 20 },
        async (_, index) => await store.create('a', `${index}`, minute),
      );
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      await store.delete('a');
    }
  });

  test('writer, sweep and reader at once lose nothing to a deadlock', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `flow ${index}`);
    await pool.query(
      `INSERT INTO ${table} SELECT CONCAT('old ', seq), 1, 'x', UTC_TIMESTAMP(3) FROM seq_1_to_3000`,
    );
    const one = async (id: string): Promise<boolean[]> => {
      const done = [await store.create(id, '0', minute)];
      for (let version = 1; version <= 10; version += 1)
        done.push(await store.replace(id, version, 'x', minute));
      return done;
    };
    const [all] = await Promise.all([
      Promise.all(ids.map(one)),
      ...Array.from({ length: 3 }, async () => await waiting.shift()?.()),
    ]);
    expect(new Set(all.flat())).toEqual(new Set([true]));
  });

  test('what the server says of a value goes no further than its code', async () => {
    await pool.query(`ALTER TABLE ${table} ADD CHECK (value <> '${secret}')`);
    // mysql2 puts the whole statement into its errors, and calls those of MariaDB alone by names of MySQL.
    const calls = [store.create('a', secret, minute), store.create(secret.repeat(20), 'x', minute)];
    expect(await failures(calls)).toEqual([
      expect.stringMatching(/^store_unavailable: MySQL failed \(ER_[A-Z_]+\)\.$/),
      'store_unavailable: MySQL failed (ER_DATA_TOO_LONG).',
    ]);
  });

  test('before setup() every call says what is missing; a schema that is not there too', async () => {
    const name = freshName();
    const words = `The table ${name} does not exist: call setup() once, or run pidgate/lib/stores/mysql.sql.`;
    expect(await failures(fourCalls(mysqlStore({ pool, table: name })))).toEqual([
      `store_unavailable: ${words}`,
    ]);
    expect(await failures([mysqlStore({ pool, schema: name }).setup()])).toEqual([
      'store_unavailable: MySQL failed (ER_BAD_DB_ERROR).',
    ]);
  });

  test('ten that set up at once make one table, and a second setup() keeps what is stored', async () => {
    for (let round = 0; round < 5; round += 1) {
      const schema = freshName();
      await pool.query(`CREATE DATABASE ${schema}`);
      const stores = Array.from({ length: 10 }, () => mysqlStore({ pool, schema }));
      await Promise.all(stores.map(async (it) => await it.setup()));
      await stores[0]?.create('a', 'one', minute);
      await stores[1]?.setup();
      expect((await stores[2]?.read('a'))?.value).toBe('one');
    }
  });

  test.each([
    ['with a dash', 'the-flows'],
    ['that is a word of SQL', 'select'],
    ['with quotes', 'it\'s `quoted` "twice"'],
    ['that would end the statement', 'x`; DROP TABLE bystander; -- '.trimEnd()],
    ['with dots and question marks', 'a.b.?'],
    ['in another alphabet', 'Übergänge'],
    ['as long as can be', 'ü'.repeat(64)],
  ])('a table and a schema of a name %s', async (_name, name) => {
    await pool.query(`CREATE DATABASE \`${name.replaceAll('`', '``')}\``);
    const [here, there] = [
      mysqlStore({ pool, table: name }),
      mysqlStore({ pool, table: name, schema: name }),
    ];
    for (const one of [here, there]) await one.setup();
    expect(await there.create('a', 'there', minute)).toBe(true);
    expect(await here.read('a')).toBeUndefined();
    expect(await there.replace('a', 1, 'again', minute)).toBe(true);
    await here.delete('a');
    expect(await there.read('a')).toEqual({ value: 'again', version: 2 });
  });

  test('what has expired is swept in batches of a thousand', async () => {
    await pool.query(
      `INSERT INTO ${table} SELECT CONCAT('old ', seq), 1, 'x', UTC_TIMESTAMP(3) FROM seq_1_to_2500`,
    );
    await store.create('alive', 'x', minute);
    sent = [];
    await waiting.shift()?.();
    expect(sent.filter((sql) => sql.startsWith('DELETE'))).toHaveLength(3);
    expect(await rows()).toEqual(['alive']);
  });

  test('a table that is locked, and a pool without a free connection, do not hold a call', async () => {
    const other = await pool.getConnection();
    await other.query(`LOCK TABLES ${table} WRITE`);
    const small = opened({ connectionLimit: 1 });
    const busy = await small.getConnection();
    const found = await failures([
      ...fourCalls(createMysqlStore(pool, table, undefined, impatient)),
      ...fourCalls(createMysqlStore(small, table, undefined, impatient)),
    ]);
    await other.query('UNLOCK TABLES');
    for (const connection of [other, busy]) connection.release();
    expect(found).toEqual(['store_unavailable: MySQL did not answer in time.']);
  });

  test('a pool that its owner has ended fails the call', async () => {
    const ended = openPool();
    await ended.end();
    expect(await failures(fourCalls(mysqlStore({ pool: ended, table })))).toEqual([
      'store_unavailable: MySQL failed.',
    ]);
  });
});

withServer('mysql')('a MariaDB of its own', () => {
  let own: Service;
  let pool: Pool;

  beforeAll(async () => {
    own = await servers.mysql.start();
    pool = openPoolAt(own.path, { database: 'mysql' });
    await mysqlStore({ pool }).setup();
  });
  afterAll(async () => {
    await pool.end();
    await own.stop();
  });

  test('that goes fails each call, and is used again when it is back', async () => {
    const store = mysqlStore({ pool });
    await store.create('b', 'one', minute);
    const other = await pool.getConnection();
    await other.query('LOCK TABLES pidgate_flows WRITE');
    const waits = failures(
      fourCalls(createMysqlStore(pool, 'pidgate_flows', undefined, { ...impatient, callMs: 30_000 })),
    );
    await own.halt();
    expect(
      (await waits).filter((words) => !/^store_unavailable: MySQL failed( \([A-Z_]+\))?\.$/.test(words)),
    ).toEqual([]);
    expect(await failures(fourCalls(store))).toEqual(['store_unavailable: MySQL failed (ENOENT).']);
    await own.resume();
    expect(await store.read('b')).toEqual({ value: 'one', version: 1 });
    expect(await store.replace('b', 1, 'two', minute)).toBe(true);
  });
});

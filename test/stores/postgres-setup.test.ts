import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { type PostgresStoreOptions, postgresStore } from '../../lib/stores/postgres.js';
import { failureOf, fourCalls, minute } from './failure.js';
import { openPool } from './postgres-pools.js';
import { freshName, withServer } from './servers.js';

test('the file for migrations is what setup() runs', async () => {
  const file = readFileSync(new URL('../../lib/stores/postgres.sql', import.meta.url), 'utf8');
  const sent: string[] = [];
  const query = async (text: string) => ({ rows: [], rowCount: sent.push(text) });
  await postgresStore({ pool: { query } }).setup();
  expect(sent).toEqual([file]);
});

describe('options that cannot be meant', () => {
  const pool = { query: async () => ({ rows: [], rowCount: 0 }) };
  const refused = (options: unknown, message: string): void => {
    expect(() => postgresStore(options as PostgresStoreOptions)).toThrow(
      expect.objectContaining({ code: 'config_invalid', message }),
    );
  };

  test.each([
    ['nothing', ''],
    ['more than Postgres keeps of a name', 'x'.repeat(64)],
    ['as much in bytes', 'ü'.repeat(32)],
    ['a NUL', 'a\0b'],
    ['a number', 7],
    ['null', null],
  ])('a table or schema of %s', (_name, name) => {
    const rule = 'must be a name of 1 to 63 bytes without NUL.';
    refused({ pool, table: name }, `postgresStore: table ${rule}`);
    refused({ pool, schema: name }, `postgresStore: schema ${rule}`);
  });

  test.each([undefined, null, 'postgres://localhost', { connect: () => undefined }])('a pool %p', (wrong) => {
    refused({ pool: wrong }, 'postgresStore: pool must be a Pool of pg.');
  });
});

withServer('postgres')('setup() on a real Postgres', () => {
  const pool = openPool();
  afterAll(async () => {
    await pool.end();
  });

  test('ten at once make the table in an empty database, ten times over', async () => {
    for (let round = 0; round < 10; round += 1) {
      const database = freshName();
      await pool.query(`CREATE DATABASE ${database}`);
      const pools = Array.from({ length: 10 }, () => openPool({ database, max: 1 }));
      try {
        // Connected first, so that they come as close together as they can.
        await Promise.all(pools.map(async (it) => await it.query('SELECT 1')));
        await Promise.all(pools.map(async (it) => await postgresStore({ pool: it }).setup()));
        expect(await indexes(pools[0] as Pool, 'pidgate_flows')).toEqual([
          'pidgate_flows_expires_at: expires_at',
          'pidgate_flows_pkey: id',
        ]);
      } finally {
        await Promise.all(pools.map(async (it) => await it.end()));
      }
    }
  });

  test('what is stored outlives another setup()', async () => {
    const store = postgresStore({ pool, table: freshName() });
    await store.setup();
    await store.create('a', 'one', minute);
    await store.setup();
    expect(await store.read('a')).toEqual({ value: 'one', version: 1 });
  });

  test('a schema is not made: it has to be there', async () => {
    const store = postgresStore({ pool, schema: freshName() });
    expect(await failureOf(store.setup())).toEqual({
      code: 'store_unavailable',
      words: 'Postgres failed (3F000).',
    });
  });

  test('before setup() every call says what is missing', async () => {
    const table = freshName();
    const store = postgresStore({ pool, table });
    const words = `The table ${table} does not exist: call setup() once, or run pidgate/lib/stores/postgres.sql.`;
    expect(await Promise.all(fourCalls(store).map(failureOf))).toEqual(
      Array(4).fill({ code: 'store_unavailable', words }),
    );
  });

  test.each([
    ['with a dash', 'the-flows'],
    ['in upper case', 'Flows'],
    ['that is a word of SQL', 'select'],
    ['with quotes', `it's "quoted"`],
    ['that would end the statement', `x"; DROP TABLE bystander; --`],
    ['with dots and dollars', 'a.b.$1'],
    ['in another alphabet', 'Übergänge'],
    ['as long as can be', 'ü'.repeat(31)],
  ])('a table and a schema of a name %s', async (_name, name) => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    await pool.query(`CREATE SCHEMA ${quoted}; CREATE TABLE IF NOT EXISTS bystander (id text)`);
    const [here, there] = [
      postgresStore({ pool, table: name }),
      postgresStore({ pool, table: name, schema: name }),
    ];
    for (const store of [here, there]) {
      await store.setup();
      await store.setup();
    }
    expect(await there.create('a', 'there', minute)).toBe(true);
    expect(await here.read('a')).toBeUndefined();
    expect(await there.read('a')).toEqual({ value: 'there', version: 1 });
    expect(await there.replace('a', 1, 'again', minute)).toBe(true);
    await here.delete('a');
    expect((await there.read('a'))?.value).toBe('again');
    const found = (await indexes(pool, name)).map((line) => line.split(': ')[1] ?? '');
    expect(found.toSorted()).toEqual(['expires_at', 'expires_at', 'id', 'id']);
    expect((await pool.query('SELECT * FROM bystander')).rows).toEqual([]);
  });
});

/** The indexes of the tables of that name, and of what. */
async function indexes(pool: Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ indexname: string; indexdef: string }>(
    'SELECT indexname, indexdef FROM pg_indexes WHERE tablename = $1 ORDER BY indexname',
    [table],
  );
  return rows.map(({ indexname, indexdef }) => `${indexname}: ${/\(([^()]*)\)$/.exec(indexdef)?.[1]}`);
}

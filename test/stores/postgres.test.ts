import { afterAll, describe, expect, test } from '@jest/globals';
import { flowStoreContract } from '../../lib/dev/testing/index.js';
import { createPostgresStore } from '../../lib/stores/postgres/postgres-store.js';
import { postgresStore } from '../../lib/stores/postgres.js';
import { openProcess } from '../flow/flow-kit.js';
import { testClock } from '../support/clock.js';
import { failures, minute, secret } from './failure.js';
import { freshName, withServer } from './servers.js';
import { openPostgresPool } from './tables.js';

withServer('postgres')('postgresStore on a real Postgres', () => {
  const pool = openPostgresPool();
  const opened = [pool];
  const openWith = (options: string) => {
    const other = openPostgresPool({ options });
    opened.push(other);
    return other;
  };
  afterAll(async () => {
    await Promise.all(opened.map(async (one) => await one.end()));
  });

  const setUp = async (its = pool, table = freshName()) => {
    const store = postgresStore({ pool: its, table });
    await store.setup();
    return { store, table };
  };

  describe.each(['read committed', 'repeatable read', 'serializable'])(
    'in a database that isolates by "%s"',
    (level) => {
      const its = openWith(`-c default_transaction_isolation=${level.replace(' ', '\\ ')}`);

      flowStoreContract(test, async () => {
        const { store, table } = await setUp(its);
        const age = `UPDATE ${table} SET expires_at = expires_at - $1 * interval '1 millisecond'`;
        return { store, forward: async (ms) => void (await pool.query(age, [ms])) };
      });
    },
  );

  test('has an index on the expiry of each table, however long its name', async () => {
    const tables = [freshName(), 'ü'.repeat(31), 'ü'.repeat(30)];
    for (const name of tables) {
      await setUp(pool, name);
      const sql = 'SELECT indexdef FROM pg_indexes WHERE tablename = $1 ORDER BY indexdef';
      const { rows } = await pool.query<{ indexdef: string }>(sql, [name]);
      const columns = rows.map(({ indexdef }) => /\(([^()]*)\)$/.exec(indexdef)?.[1]);
      expect(columns).toEqual(expect.arrayContaining(['expires_at', 'id']));
    }
  });

  test('a sweep leaves what another process has its hands on', async () => {
    const { store: _, table } = await setUp();
    const waiting: (() => Promise<void>)[] = [];
    const store = createPostgresStore(pool, table, undefined, {
      later: (_ms, run) => void waiting.push(run),
    });
    await pool.query(
      `INSERT INTO ${table} SELECT 'old ' || n, 1, 'x', now() - interval '1 second' FROM generate_series(1, 3) n`,
    );
    const other = await pool.connect();
    await other.query(`BEGIN; SELECT 1 FROM ${table} WHERE id = 'old 2' FOR UPDATE`);
    await store.create('alive', 'x', minute);
    await waiting.shift()?.();
    await other.query('COMMIT');
    other.release();
    const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`);
    expect(rows.map(({ id }) => id)).toEqual(['alive', 'old 2']);
  });

  test('a value with a NUL is refused by its code alone', async () => {
    const { store } = await setUp();
    expect(await failures([store.create('a', `${secret}\0`, minute)])).toEqual([
      'store_unavailable: Postgres failed (22021).',
    ]);
  });

  test('a flow takes whatever the app put into it, a NUL too', async () => {
    const { store } = await setUp();
    const seen: unknown[] = [];
    const onVerified = ({ context }: { context: unknown }): void => void seen.push(context);
    const app = openProcess({ clock: testClock(), store }, { hooks: { onVerified } });
    const context = { '\0': 'a\0b' };
    const { state } = await app.start({ context });
    expect((await app.deliver(state)).transition).toBe('verified');
    expect(seen).toEqual([context]);
  });

  test.each(['-1:30', '+1:30'])('a connection in the time zone UTC%s changes no expiry', async (zone) => {
    const { store: here, table } = await setUp();
    const there = postgresStore({ pool: openWith(`-c timezone=UTC${zone}`), table });
    await there.create('a', 'one', minute);
    await here.create('b', 'one', minute);
    expect([(await here.read('a'))?.value, (await there.read('b'))?.value]).toEqual(['one', 'one']);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { sealRecord } from '../../lib/flow/record.js';
import type { FlowStore } from '../../lib/types/store.js';
import { createPostgresStore } from '../../lib/stores/postgres/postgres-store.js';
import { postgresStore } from '../../lib/stores/postgres.js';
import { type Service, servers } from '../support/servers.mjs';
import { failureOf, fourCalls, minute, secret } from './failure.js';
import { openPool } from './postgres-pools.js';
import { freshName, withServer } from './servers.js';

const impatient = { callMs: 100, setupMs: 100, later: () => undefined };

async function failures(calls: Promise<unknown>[]): Promise<string[]> {
  const failed = await Promise.all(calls.map(failureOf));
  return [...new Set(failed.map(({ code, words }) => `${code}: ${words}`))];
}

withServer('postgres')('on a real Postgres', () => {
  const pool = openPool();
  let table: string;
  let store: FlowStore;

  beforeEach(async () => {
    table = freshName();
    const made = postgresStore({ pool, table });
    await made.setup();
    store = made;
  });
  afterAll(async () => {
    await pool.end();
  });

  test('each call is one statement, and so one round trip', async () => {
    let sent = 0;
    const counting = {
      query: async (text: string, values?: unknown[]) => {
        sent += 1;
        return await pool.query(text, values);
      },
    };
    const counted = postgresStore({ pool: counting, table });
    await Promise.all(fourCalls(counted));
    expect(sent).toBe(4);
  });

  test('a table that is locked does not hold a call', async () => {
    const other = await pool.connect();
    await other.query(`BEGIN; LOCK TABLE ${table}`);
    const found = await failures(fourCalls(createPostgresStore(pool, table, undefined, impatient)));
    await other.query('COMMIT');
    other.release();
    expect(found).toEqual(['store_unavailable: Postgres did not answer in time.']);
  });

  test('a pool without a free connection does not hold a call', async () => {
    const small = openPool({ max: 1 });
    const busy = await small.connect();
    const found = await failures(fourCalls(createPostgresStore(small, table, undefined, impatient)));
    busy.release();
    await small.end();
    expect(found).toEqual(['store_unavailable: Postgres did not answer in time.']);
  });

  test('a pool that its owner has ended fails the call', async () => {
    const ended = openPool();
    await ended.end();
    expect(await failures(fourCalls(postgresStore({ pool: ended, table })))).toEqual([
      'store_unavailable: Postgres failed.',
    ]);
  });

  test('what the server says of a value goes no further than its code', async () => {
    const before = await failures([store.create('a', `${secret}\0`, minute)]);
    await pool.query(`ALTER TABLE ${table} ADD CHECK (value <> '${secret}')`);
    // Its own message is: Failing row contains (a, 1, Erika Mustermann, ...).
    const after = await failures([store.create('a', secret, minute)]);
    expect([...before, ...after]).toEqual([
      'store_unavailable: Postgres failed (22021).',
      'store_unavailable: Postgres failed (23514).',
    ]);
  });

  test('a sealed record holds no NUL, whatever the app put into it', async () => {
    const value = sealRecord(Buffer.alloc(32, 7), 'a', 0, {
      status: 'pending',
      request: 'default',
      issuer: 'xx-sandbox',
      reveal: ['given_name'],
      derived: {},
      question: 'digest',
      startedAt: 0,
      expiresAt: 1,
      origin: 'https://shop.example',
      context: { '\0': 'a\0b' },
      refused: [],
    });
    expect(value).not.toContain('\0');
    expect(await store.create('a', value, minute)).toBe(true);
    expect((await store.read('a'))?.value).toBe(value);
  });
});

describe('clocks', () => {
  withServer('postgres')('on a real Postgres', () => {
    test.each([-90, 90])(
      'a connection in another time zone (%i minutes) changes no expiry',
      async (minutes) => {
        const pool = openPool();
        const away = openPool({ options: `-c timezone=UTC${minutes > 0 ? '+' : '-'}1:30` });
        const table = freshName();
        const [here, there] = [postgresStore({ pool, table }), postgresStore({ pool: away, table })];
        await here.setup();
        await there.create('a', 'one', minute);
        await here.create('b', 'one', minute);
        expect([(await here.read('a'))?.value, (await there.read('b'))?.value]).toEqual(['one', 'one']);
        await Promise.all([pool.end(), away.end()]);
      },
    );
  });
});

withServer('postgres')('a Postgres of its own', () => {
  let server: Service;
  let pool: Pool;

  beforeAll(async () => {
    server = await servers.postgres.start();
    pool = openPool({ host: server.path });
    await postgresStore({ pool }).setup();
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  test('that is gone fails each call at once, and is used again when it is back', async () => {
    const store = postgresStore({ pool });
    await store.create('b', 'one', minute);
    await server.halt();
    const found = await failures(fourCalls(store));
    await server.resume();
    expect(found).toEqual(['store_unavailable: Postgres failed (ENOENT).']);
    expect(await store.read('b')).toEqual({ value: 'one', version: 1 });
    expect(await store.replace('b', 1, 'two', minute)).toBe(true);
  });

  test('that goes while it works fails the call', async () => {
    const store = createPostgresStore(pool, 'pidgate_flows', undefined, { ...impatient, callMs: 30_000 });
    const other = await pool.connect();
    other.on('error', () => undefined);
    await other.query('BEGIN; LOCK TABLE pidgate_flows');
    const calls = fourCalls(store).map(failureOf);
    await waitForLocks(4);
    await server.halt();
    const found = await Promise.all(calls);
    other.release(true);
    await server.resume();
    expect(found).toEqual(Array(4).fill({ code: 'store_unavailable', words: 'Postgres failed (57P01).' }));
  });

  /** Until so many statements wait for a lock. */
  async function waitForLocks(count: number): Promise<void> {
    const waiting = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted`;
    for (;;) {
      const { rows } = await pool.query<{ n: number }>(waiting);
      if (rows[0]?.n === count) return;
    }
  }
});

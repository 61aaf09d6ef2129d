import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { FlowStore } from '../../lib/types/store.js';
import { createPostgresStore } from '../../lib/stores/postgres/postgres-store.js';
import { openPool } from './postgres-pools.js';
import { freshName, withServer } from './servers.js';

const minute = 60_000;

withServer('postgres')('what has expired, on a real Postgres', () => {
  const pool = openPool();
  let table: string;
  let store: FlowStore;
  let waiting: { ms: number; run: () => Promise<void> }[];
  let sweeps: (number | null)[];

  beforeEach(async () => {
    table = freshName();
    waiting = [];
    sweeps = [];
    const query = async (text: string, values?: unknown[]) => {
      const answer = await pool.query(text, values);
      if (text.includes('SKIP LOCKED')) sweeps.push(answer.rowCount);
      return answer;
    };
    const made = createPostgresStore({ query }, table, undefined, {
      callMs: 3_000,
      setupMs: 3_000,
      later: (ms, run) => void waiting.push({ ms, run }),
    });
    await made.setup();
    store = made;
  });
  afterAll(async () => {
    await pool.end();
  });

  async function expired(count: number): Promise<void> {
    await pool.query(
      `INSERT INTO ${table} SELECT 'old ' || n, 1, 'x', now() - interval '1 second' FROM generate_series(1, $1::int) n`,
      [count],
    );
  }

  async function rows(): Promise<string[]> {
    const { rows: all } = await pool.query<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`);
    return all.map(({ id }) => id);
  }

  const sweep = async (): Promise<void> => await waiting.shift()?.run();

  test('goes in batches of a thousand, one after the other, until one is not full', async () => {
    await expired(2_500);
    await store.create('alive', 'x', minute);
    await sweep();
    expect(sweeps).toEqual([1_000, 1_000, 500]);
    expect(await rows()).toEqual(['alive']);
  });

  test('waits for a write: one wait for many writes, none for reads, and none while nothing is written', async () => {
    await store.read('a');
    await store.delete('a');
    expect(waiting).toEqual([]);
    await store.create('a', 'x', minute);
    await store.replace('a', 1, 'y', minute);
    await store.create('b', 'x', minute);
    expect(waiting).toHaveLength(1);
    await sweep();
    await store.read('a');
    expect(waiting).toEqual([]);
    await store.replace('a', 2, 'z', minute);
    expect(waiting).toHaveLength(1);
    expect(sweeps).toEqual([0]);
  });

  test('goes at times that differ, between half a minute and one and a half', async () => {
    const waits: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      await store.create(`${round}`, 'x', minute);
      waits.push(waiting[0]?.ms ?? 0);
      await sweep();
    }
    expect(new Set(waits).size).toBeGreaterThan(10);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...waits)).toBeLessThan(90_000);
  });

  test('is left where another process has its hands on it', async () => {
    await expired(3);
    const other = await pool.connect();
    await other.query(`BEGIN; SELECT 1 FROM ${table} WHERE id = 'old 2' FOR UPDATE`);
    await store.create('alive', 'x', minute);
    await sweep();
    await other.query('COMMIT');
    other.release();
    expect(await rows()).toEqual(['alive', 'old 2']);
  });

  test('stays for a while if that fails, and nobody hears of it', async () => {
    await store.create('a', 'x', minute);
    await pool.query(`ALTER TABLE ${table} RENAME TO ${table}_away`);
    await sweep();
    expect(sweeps).toEqual([]);
    await pool.query(`ALTER TABLE ${table}_away RENAME TO ${table}`);
    await expired(2);
    await store.create('b', 'x', minute);
    await sweep();
    expect(sweeps).toEqual([2]);
  });
});

test('a sweep that waits keeps no process alive', async () => {
  const script = `
    import { postgresStore } from 'pidgate/postgres';
    const store = postgresStore({ pool: { query: async () => ({ rows: [], rowCount: 1 }) } });
    console.log(await store.create('a', 'one', 60_000));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../..', import.meta.url),
    timeout: 20_000, // less than the shortest wait
  });
  expect(stdout).toBe('true\n');
});

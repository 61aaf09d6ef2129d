import { configInvalid } from '../../errors.js';
import type { FlowStore } from '../../types/store.js';
import { codeOf, createCall } from '../call-backend.js';
import { type PostgresAnswer, type PostgresPool, isPool } from './pool.js';
import { statementsFor } from './statements.js';
import { type Later, createSweeper } from './sweeper.js';

/** The store's deadlines and its timer. */
export interface Waits {
  readonly callMs: number;
  readonly setupMs: number;
  readonly later: Later;
}

export function createPostgresStore(
  pool: PostgresPool,
  table: string,
  schema: string | undefined,
  { callMs, setupMs, later }: Waits,
): FlowStore & { setup(): Promise<void> } {
  if (!isPool(pool)) throw configInvalid('postgresStore: pool must be a Pool of pg.');
  const statements = statementsFor(table, schema);
  const explain = (fault: unknown): string | undefined =>
    codeOf(fault) === '42P01'
      ? `The table ${table} does not exist: call setup() once, or run pidgate/lib/stores/postgres.sql.`
      : undefined;
  const call = createCall('Postgres', callMs, explain);
  const ask = async (statement: string, ...values: unknown[]): Promise<PostgresAnswer> =>
    await call(() => queryWithRetry(pool, statement, values));
  const changed = async (statement: string, ...values: unknown[]): Promise<boolean> =>
    (await ask(statement, ...values)).rowCount === 1;
  const sweepSoon = createSweeper(async () => (await ask(statements.sweep)).rowCount ?? 0, later);

  return {
    async create(id, value, ttlMs) {
      sweepSoon();
      return await changed(statements.create, id, value, Math.ceil(ttlMs));
    },
    async read(id) {
      const [row] = (await ask(statements.read, id)).rows as { value: string; version: number }[];
      return row && { value: row.value, version: Number(row.version) };
    },
    async replace(id, version, value, ttlMs) {
      sweepSoon();
      return await changed(statements.replace, id, version, value, Math.ceil(ttlMs));
    },
    async delete(id) {
      await ask(statements.delete, id);
    },
    async setup() {
      await createCall('Postgres', setupMs, explain)(() => pool.query(statements.setup));
    },
  };
}

const tries = 5;

/**
 * Runs a statement again after a serialization failure (40001). With a stricter isolation level than the default, the
 * second of two writers gets that error instead of seeing that the version has changed.
 */
async function queryWithRetry(
  pool: PostgresPool,
  statement: string,
  values: unknown[],
): Promise<PostgresAnswer> {
  for (let left = tries; ; left -= 1) {
    try {
      return await pool.query(statement, values);
    } catch (fault) {
      if (codeOf(fault) !== '40001' || left === 1) throw fault;
    }
  }
}

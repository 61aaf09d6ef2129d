import { hash } from 'node:crypto';
import { type Times, createTableStore, noSchema, noTable } from '../table-store.js';

/** The part of a pool of pg 8 that the store calls. */
export interface PostgresPool {
  /** Runs one statement on a connection of the pool. */
  query(text: string, values?: unknown[]): Promise<PostgresAnswer>;
}

/** The part of a query's result that the store reads. */
export interface PostgresAnswer {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

export function createPostgresStore(pool: PostgresPool, table: string, schema?: string, times?: Times) {
  const name = schema === undefined ? quote(table) : `${quote(schema)}.${quote(table)}`;
  const until = (parameter: string) => `now() + ${parameter}::float8 * interval '1 millisecond'`;
  const written = async (statement: string, ...values: unknown[]) =>
    (await pool.query(statement, values)).rowCount ?? 0;

  // An expired row that is not yet deleted is overwritten.
  const create = `INSERT INTO ${name} AS flow (id, version, value, expires_at) VALUES ($1, 1, $2, ${until('$3')})
ON CONFLICT (id) DO UPDATE SET version = 1, value = excluded.value, expires_at = excluded.expires_at
WHERE flow.expires_at <= now()`;
  const read = `SELECT value, version FROM ${name} WHERE id = $1 AND expires_at > now()`;
  const replace = `UPDATE ${name} SET version = version + 1, value = $3, expires_at = ${until('$4')}
WHERE id = $1 AND version = $2 AND expires_at > now()`;
  const sweep = `DELETE FROM ${name} WHERE id = ANY (ARRAY(
  SELECT id FROM ${name} WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
))`;

  return createTableStore(
    {
      engine: 'Postgres',
      missing: new Map([
        ['42P01', noTable(table, 'postgres.sql')],
        ['3F000', noSchema(table)],
      ]),
      // With a stricter isolation level than the default, the second of two writers gets a serialization failure
      // instead of seeing that the version has changed.
      transient: ['40001'],
      create: async (id, value, ttlMs) => (await written(create, id, value, ttlMs)) === 1,
      async read(id) {
        const [row] = (await pool.query(read, [id])).rows as { value: string; version: number }[];
        return row && { value: row.value, version: Number(row.version) };
      },
      replace: async (id, version, value, ttlMs) => (await written(replace, id, version, value, ttlMs)) === 1,
      delete: (id) => written(`DELETE FROM ${name} WHERE id = $1`, id),
      sweep: (limit) => written(sweep, limit),
      setup: () => pool.query(setupText(name, quote(indexName(table)))),
    },
    times,
  );
}

/**
 * Sent as one string it is one transaction, and the lock makes simultaneous calls wait for one another. Without the
 * lock, "if not exists" fails in the slower of two calls. The number is "pidgate" in bytes.
 */
function setupText(name: string, index: string): string {
  return `-- The table of pidgate's flows. It can be run again, and by several at once.
SELECT pg_advisory_xact_lock(31641077343679589);

CREATE TABLE IF NOT EXISTS ${name} (
  id text COLLATE "C" PRIMARY KEY,
  version integer NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE INDEX IF NOT EXISTS ${index} ON ${name} (expires_at);
`;
}

/** Postgres cuts a longer name, so an index could get the name of its table. */
export const maxNameLength = 63;

function indexName(table: string): string {
  const name = `${table}_expires_at`;
  if (Buffer.byteLength(name) <= maxNameLength) return name;
  return `pidgate_${hash('sha256', table).slice(0, 16)}_expires_at`;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

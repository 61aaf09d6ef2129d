import { createHash } from 'node:crypto';
import { configInvalid } from '../../errors.js';

/** Every statement that is sent to the server. */
export interface Statements {
  readonly setup: string;
  readonly create: string;
  readonly read: string;
  readonly replace: string;
  readonly delete: string;
  readonly sweep: string;
}

/** The most rows that one statement deletes. */
export const sweepRows = 1_000;

/** All times are the server's own, so the clocks of the processes make no difference. */
export function statementsFor(table: string, schema: string | undefined): Statements {
  const plain = identifier('table', table);
  const name = schema === undefined ? plain : `${identifier('schema', schema)}.${plain}`;
  const until = (parameter: string): string => `now() + ${parameter}::float8 * interval '1 millisecond'`;

  return {
    setup: setupText(name, identifier('index', indexName(table))),
    // An expired row that is not yet deleted is overwritten.
    create: `INSERT INTO ${name} AS flow (id, version, value, expires_at) VALUES ($1, 1, $2, ${until('$3')})
ON CONFLICT (id) DO UPDATE SET version = 1, value = excluded.value, expires_at = excluded.expires_at
WHERE flow.expires_at <= now()`,
    read: `SELECT value, version FROM ${name} WHERE id = $1 AND expires_at > now()`,
    replace: `UPDATE ${name} SET version = version + 1, value = $3, expires_at = ${until('$4')}
WHERE id = $1 AND version = $2 AND expires_at > now()`,
    delete: `DELETE FROM ${name} WHERE id = $1`,
    sweep: `DELETE FROM ${name} WHERE id = ANY (ARRAY(
  SELECT id FROM ${name} WHERE expires_at <= now() ORDER BY expires_at LIMIT ${sweepRows} FOR UPDATE SKIP LOCKED
))`,
  };
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
const maxNameLength = 63;

function indexName(table: string): string {
  const name = `${table}_expires_at`;
  if (Buffer.byteLength(name) <= maxNameLength) return name;
  return `pidgate_${createHash('sha256').update(table).digest('hex').slice(0, 16)}_expires_at`;
}

function identifier(what: string, name: unknown): string {
  const fits =
    typeof name === 'string' &&
    name !== '' &&
    !name.includes('\0') &&
    Buffer.byteLength(name) <= maxNameLength;
  if (!fits)
    throw configInvalid(`postgresStore: ${what} must be a name of 1 to ${maxNameLength} bytes without NUL.`);
  return `"${name.replaceAll('"', '""')}"`;
}

import { createHash } from 'node:crypto';
import { configInvalid } from '../../errors.js';

/** All that is ever sent to the server. */
export interface Statements {
  readonly setup: string;
  readonly create: string;
  readonly read: string;
  readonly replace: string;
  readonly delete: string;
  readonly sweep: string;
}

/** Rows that one statement deletes at most. */
export const sweepRows = 1_000;

/** The times are the server's own: what the clocks of the processes say makes no difference. */
export function statementsFor(table: string, schema: string | undefined): Statements {
  const plain = identifier('table', table);
  const name = schema === undefined ? plain : `${identifier('schema', schema)}.${plain}`;
  const until = (parameter: string): string => `now() + ${parameter}::float8 * interval '1 millisecond'`;

  return {
    setup: setupText(name, identifier('index', indexName(table))),
    // A row that has expired and was not yet swept makes room.
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
 * Sent as one text it is one transaction, and the lock makes those that come at once wait for one another: without
 * it "if not exists" fails for the one who finds out too late. The number is "pidgate" in bytes.
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

/** Postgres cuts a longer name off, and would then take the table itself for its index. */
const longestName = 63;

function indexName(table: string): string {
  const name = `${table}_expires_at`;
  if (Buffer.byteLength(name) <= longestName) return name;
  return `pidgate_${createHash('sha256').update(table).digest('hex').slice(0, 16)}_expires_at`;
}

function identifier(what: string, name: unknown): string {
  const fits =
    typeof name === 'string' && name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= longestName;
  if (!fits)
    throw configInvalid(`postgresStore: ${what} must be a name of 1 to ${longestName} bytes without NUL.`);
  return `"${name.replaceAll('"', '""')}"`;
}

/** @module pidgate/postgres */
import {
  type ChecksOf,
  hasMethods,
  invalid,
  object,
  optional,
  satisfying,
  withDefault,
} from '../internal/validate.js';
import { createPostgresStore, maxNameLength, type PostgresPool } from './postgres/postgres-store.js';
import { nameWithin, type TableStore } from './table-store.js';

export type { PostgresAnswer, PostgresPool } from './postgres/postgres-store.js';

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions {
  /** Your own pool of pg 8. The store never closes it. */
  readonly pool: PostgresPool;
  /** The name of the table. Default `pidgate_flows`. */
  readonly table?: string;
  /** The schema of the table, which must exist. Default: the search path of your connections. */
  readonly schema?: string;
}

/** A flow store that can create its own table. */
export interface PostgresStore extends TableStore {}

const identifier = nameWithin(maxNameLength, 'bytes');

const checkOptions = object({
  pool: satisfying<PostgresPool>((value) => hasMethods(value, 'query'), 'must be a Pool of pg'),
  table: withDefault(identifier, 'pidgate_flows'),
  schema: optional(identifier),
} satisfies ChecksOf<PostgresStoreOptions>);

/**
 * Keeps flows in one table of Postgres, for any number of processes. Every call ends within three seconds, and
 * expired rows are deleted some time after a write.
 *
 * @example
 * ```ts
 * import { identityVerification } from 'pidgate'
 * import { postgresStore } from 'pidgate/postgres'
 * import { Pool } from 'pg'
 *
 * const pool = new Pool({ connectionString: 'postgres://localhost/shop' })
 * pool.on('error', (error) => console.error(error))
 *
 * const store = postgresStore({ pool })
 * await store.setup()
 *
 * const identity = identityVerification({ reveal: ['given_name'], store })
 * ```
 */
export function postgresStore(options: PostgresStoreOptions): PostgresStore {
  if (hasMethods(options, 'query'))
    throw invalid('postgresStore', 'takes an object: postgresStore({ pool })');
  const { pool, table, schema } = checkOptions(options, 'postgresStore:');
  return createPostgresStore(pool, table, schema);
}

/** @module pidgate/mysql */
import {
  type ChecksOf,
  hasMethods,
  invalid,
  object,
  optional,
  satisfying,
  withDefault,
} from '../internal/validate.js';
import { createMysqlStore, type MysqlPool } from './mysql/mysql-store.js';
import { nameWithin, type TableStore } from './table-store.js';

export type { MysqlStatement, MysqlPool } from './mysql/mysql-store.js';

/** Options of {@link mysqlStore}. */
export interface MysqlStoreOptions {
  /** Your own pool of `mysql2/promise`. The store never closes it. */
  readonly pool: MysqlPool;
  /** The name of the table. Default `pidgate_flows`. */
  readonly table?: string;
  /** The database of the table, which must exist. Default: that of your connections. */
  readonly schema?: string;
}

/** A flow store that can create its own table. */
export interface MysqlStore extends TableStore {}

const identifier = nameWithin(64, 'characters');

const checkOptions = object({
  // A pool of mysql2 itself calls back: it has `promise`, and returns nothing to wait for.
  pool: satisfying<MysqlPool>(
    (value) => hasMethods(value, 'query') && !hasMethods(value, 'promise'),
    'must be a pool of mysql2/promise',
  ),
  table: withDefault(identifier, 'pidgate_flows'),
  schema: optional(identifier),
} satisfies ChecksOf<MysqlStoreOptions>);

/**
 * Keeps flows in one table of MySQL 8 or MariaDB 10.11 or newer, for any number of processes. Every call ends within
 * three seconds, and expired rows are deleted some time after a write.
 *
 * @example
 * ```ts
 * import { createPool } from 'mysql2/promise'
 * import { identityVerification } from 'pidgate'
 * import { mysqlStore } from 'pidgate/mysql'
 *
 * const store = mysqlStore({ pool: createPool('mysql://localhost/shop') })
 * await store.setup()
 *
 * const identity = identityVerification({ reveal: ['given_name'], store })
 * ```
 */
export function mysqlStore(options: MysqlStoreOptions): MysqlStore {
  if (hasMethods(options, 'query')) throw invalid('mysqlStore', 'takes an object: mysqlStore({ pool })');
  const { pool, table, schema } = checkOptions(options, 'mysqlStore:');
  return createMysqlStore(pool, table, schema);
}

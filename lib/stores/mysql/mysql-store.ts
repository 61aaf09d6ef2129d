import { configInvalid } from '../../errors.js';
import { codeOf } from '../../internal/system-code.js';
import { type Times, createTableStore, noSchema, noTable } from '../table-store.js';

/** The part of a pool of `mysql2/promise` that the store calls. */
export interface MysqlPool {
  /** Runs one statement on a connection of the pool, and resolves to its rows or to what it has changed. */
  query(statement: MysqlStatement): Promise<readonly [unknown, unknown]>;
}

/** A statement, with its form of rows whatever that of the pool is. */
export interface MysqlStatement {
  readonly sql: string;
  readonly values: (Buffer | number)[];
  readonly rowsAsArray: true;
  readonly nestTables: false;
}

/**
 * Ids and values are bytes in table and statements: no collation, character set or SQL mode of server or connection
 * changes them, or takes two for one. Times are UTC in every time zone.
 */
export function createMysqlStore(pool: MysqlPool, table: string, schema?: string, times?: Times) {
  const name = schema === undefined ? quote(table) : `${quote(schema)}.${quote(table)}`;
  const query = async (sql: string, ...values: (string | number)[]) => {
    const bytes = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
    const [answer] = await pool.query({ sql, values: bytes, rowsAsArray: true, nestTables: false });
    return answer;
  };
  const rowsOf = async (...statement: Parameters<typeof query>) => (await query(...statement)) as unknown[][];
  const changed = async (...statement: Parameters<typeof query>) =>
    ((await query(...statement)) as { readonly affectedRows: number }).affectedRows;

  const insert = `INSERT INTO ${name} (id, version, value, expires_at) VALUES (?, 1, ?, ${until})`;
  const deleteExpired = `DELETE FROM ${name} WHERE expires_at <= ${now} AND id`;
  const inserted = async (id: string, value: string, ttlMs: number) => {
    try {
      await query(insert, id, value, ttlMs * 1_000);
      return true;
    } catch (fault) {
      if (codeOf(fault) !== 'ER_DUP_ENTRY') throw fault;
      return false;
    }
  };

  return createTableStore(
    {
      engine: 'MySQL',
      missing: new Map([
        ['ER_NO_SUCH_TABLE', noTable(table, 'mysql.sql')],
        ['ER_BAD_DB_ERROR', noSchema(table)],
      ]),
      // The server ends one of two writers that wait for each other; MariaDB may tell the second that the row has
      // changed. Nothing of the statement is done.
      transient: ['ER_LOCK_DEADLOCK', 'ER_CHECKREAD'],
      async create(id, value, ttlMs) {
        if (await inserted(id, value, ttlMs)) return true;
        // The row may have expired. ON DUPLICATE KEY UPDATE would do it in one statement, but says for a row that it
        // left as it was what it says for a new one: mysql2 asks for found rows, not changed ones.
        await query(`${deleteExpired} = ?`, id);
        return await inserted(id, value, ttlMs);
      },
      async read(id) {
        const sql = `SELECT value, version FROM ${name} WHERE id = ? AND expires_at > ${now}`;
        const [row] = await rowsOf(sql, id);
        return row && { value: String(row[0]), version: Number(row[1]) };
      },
      // A row that is found is changed, too: its version counts on. So it is one row either way.
      replace: async (id, version, value, ttlMs) =>
        (await changed(
          `UPDATE ${name} SET version = version + 1, value = ?, expires_at = ${until}
WHERE id = ? AND version = ? AND expires_at > ${now}`,
          value,
          ttlMs * 1_000,
          id,
          version,
        )) === 1,
      delete: (id) => query(`DELETE FROM ${name} WHERE id = ?`, id),
      // By their ids: a range of times would lock what lies between them too.
      async sweep(limit) {
        const expired = `SELECT id FROM ${name} WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ?`;
        const ids = (await rowsOf(expired, limit)).map(([id]) => String(id));
        if (ids.length > 0) await query(`${deleteExpired} IN (${ids.map(() => '?').join()})`, ...ids);
        return ids.length;
      },
      async setup() {
        const [[version, commits] = []] = await rowsOf('SELECT VERSION(), @@autocommit');
        checkServer(String(version), Number(commits) === 1);
        await query(setupText(name));
      },
    },
    times,
  );
}

const now = 'UTC_TIMESTAMP(3)';
const until = `${now} + INTERVAL ? MICROSECOND`;

function setupText(name: string): string {
  return `-- The table of pidgate's flows. It can be run again, and by several at once.
CREATE TABLE IF NOT EXISTS ${name} (
  id varbinary(255) NOT NULL PRIMARY KEY,
  version int unsigned NOT NULL,
  value mediumblob NOT NULL,
  expires_at datetime(3) NOT NULL,
  KEY expires_at (expires_at)
) ENGINE = InnoDB;
`;
}

const oldest = { MySQL: [8, 0], MariaDB: [10, 11] } as const;

function checkServer(version: string, commits: boolean): void {
  const server = /mariadb/i.test(version) ? 'MariaDB' : 'MySQL';
  // A MariaDB may put 5.5.5 before its own version.
  const [major = 0, minor = 0] = version
    .replace(/^5\.5\.5-(?=\d+\..*mariadb)/i, '')
    .split('.', 2)
    .map(Number);
  const [oldestMajor, oldestMinor] = oldest[server];
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw configInvalid(
      `mysqlStore: the server is ${server} ${major}.${minor}. It must be MySQL 8.0 or newer, or MariaDB 10.11 or newer.`,
    );
  }
  if (!commits) throw configInvalid('mysqlStore: the connections of the pool must have autocommit = 1.');
}

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

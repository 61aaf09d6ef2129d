import { type SessionData, Store } from 'express-session';
import { type Pool, type RowDataPacket, createPool } from 'mysql2/promise';
import { mysqlStore } from 'pidgate/mysql';
import type { Engine } from './engine.js';

export async function openMysql(uri: string): Promise<Engine> {
  // Ten connections for each process; a server takes 151 unless told otherwise.
  const pool = createPool({ uri, connectionLimit: 10, connectTimeout: 2_000 });
  const sessions = new MysqlSessions(pool);
  const flows = mysqlStore({ pool });
  return {
    sessions,
    flows,
    async setUp() {
      await sessions.setUp();
      await flows.setup();
    },
    async close() {
      await pool.end();
    },
  };
}

type Done<T> = (error: unknown, value?: T) => void;
const dayInSeconds = 86_400;

/** Sessions in a table. Times are those of the server. */
export class MysqlSessions extends Store {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super();
    this.#pool = pool;
  }

  async setUp(): Promise<void> {
    await this.#pool.query(`CREATE TABLE IF NOT EXISTS session (
      sid varbinary(255) PRIMARY KEY,
      data mediumtext CHARACTER SET utf8mb4 NOT NULL,
      expires_at datetime NOT NULL,
      KEY expires_at (expires_at)
    )`);
    // Nothing else deletes what has expired. If there is a lot of it, let an event of the server do this.
    await this.#pool.query('DELETE FROM session WHERE expires_at <= UTC_TIMESTAMP()');
  }

  override get(sid: string, done: Done<SessionData | null>): void {
    const sql = 'SELECT data FROM session WHERE sid = ? AND expires_at > UTC_TIMESTAMP()';
    this.#pool.execute<RowDataPacket[]>(sql, [sid]).then(([[row]]) => {
      done(null, row ? (JSON.parse(String(row['data'])) as SessionData) : null);
    }, done);
  }

  override set(sid: string, session: SessionData, done: Done<void> = () => undefined): void {
    const sql = 'REPLACE INTO session VALUES (?, ?, UTC_TIMESTAMP() + INTERVAL ? SECOND)';
    this.#run(sql, [sid, JSON.stringify(session), secondsOf(session)], done);
  }

  override touch(sid: string, session: SessionData, done: Done<void> = () => undefined): void {
    const sql = 'UPDATE session SET expires_at = UTC_TIMESTAMP() + INTERVAL ? SECOND WHERE sid = ?';
    this.#run(sql, [secondsOf(session), sid], done);
  }

  override destroy(sid: string, done: Done<void> = () => undefined): void {
    this.#run('DELETE FROM session WHERE sid = ?', [sid], done);
  }

  #run(sql: string, values: (string | number)[], done: Done<void>): void {
    this.#pool.execute(sql, values).then(() => {
      done(null);
    }, done);
  }
}

/** How long the cookie lives; one that ends with the browser, a day. */
function secondsOf({ cookie }: SessionData): number {
  return Math.ceil((cookie.originalMaxAge ?? dayInSeconds * 1_000) / 1_000);
}

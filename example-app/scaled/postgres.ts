import connectPgSimple from 'connect-pg-simple';
import session from 'express-session';
import { Pool } from 'pg';
import { postgresStore } from 'pidgate/postgres';
import type { Engine } from './engine.js';
import { codeOf } from '../faults.js';

const SessionStore = connectPgSimple(session);

/** The table of connect-pg-simple. If your tables come from migrations, put this there. */
const sessionTable = `
  CREATE TABLE IF NOT EXISTS session (
    sid varchar PRIMARY KEY,
    sess json NOT NULL,
    expire timestamp(6) NOT NULL
  );
  CREATE INDEX IF NOT EXISTS session_expire ON session (expire);`;

export function openPostgres(connectionString: string): Engine {
  // Ten connections for each process; a server takes 100 unless told otherwise.
  const pool = new Pool({ connectionString, max: 10, connectionTimeoutMillis: 2_000 });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', (fault) => console.error(`Postgres: ${codeOf(fault)}`));
  const sessions = new SessionStore({ pool });
  const flows = postgresStore({ pool });
  return {
    sessions,
    flows,
    async setUp() {
      await pool.query(sessionTable);
      await flows.setup();
    },
    async close() {
      sessions.close();
      await pool.end();
    },
  };
}

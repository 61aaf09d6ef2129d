import connectPgSimple from 'connect-pg-simple';
import session from 'express-session';
import { Pool } from 'pg';
import { type PostgresStore, postgresStore } from '../../../lib/stores/postgres.js';
import { type Engine, type EngineAddress, ignore } from './engine.js';

interface PostgresEngine extends Engine {
  readonly pool: Pool;
  readonly flows: PostgresStore;
}

export function openPostgres({ path, space }: EngineAddress): PostgresEngine {
  const pool = new Pool({ host: path, user: 'postgres', database: 'postgres', max: 5 }).on('error', ignore);
  const PgStore = connectPgSimple(session);
  return {
    pool,
    flows: postgresStore({ pool, schema: space }),
    sessions: new PgStore({
      pool,
      schemaName: space,
      createTableIfMissing: true,
      pruneSessionInterval: false,
    }),
    close: async () => {
      await pool.end();
    },
  };
}

export async function preparePostgres(address: EngineAddress): Promise<void> {
  const engine = openPostgres(address);
  await engine.pool.query(`CREATE SCHEMA ${address.space}`);
  await engine.flows.setup();
  // The first call makes the table, and processes that come at once would each make it.
  await new Promise<void>((resolve, reject) => {
    engine.sessions.get('nobody', (error: unknown) => {
      if (error) reject(error as Error);
      else resolve();
    });
  });
  await engine.close();
}

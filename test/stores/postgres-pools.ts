import { Pool, type PoolConfig } from 'pg';
import { serverPath } from './servers.js';

/** A pool on the server of the tests. */
export function openPool(config: PoolConfig = {}): Pool {
  const pool = new Pool({ host: serverPath('postgres'), user: 'postgres', database: 'postgres', ...config });
  pool.on('error', () => undefined);
  return pool;
}

/** Makes everything in the table that much older. */
export async function age(pool: Pool, table: string, ms: number): Promise<void> {
  await pool.query(`UPDATE ${table} SET expires_at = expires_at - $1 * interval '1 millisecond'`, [ms]);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { median } from '../numbers.js';
import { startPostgres, startRedis } from '../../test/support/services.js';

/** The engines as one would run them, each with a client that only measures. They stop with this process. */
export const engines = {
  memory: async () => ({ settings: {}, pid: undefined, stop: async () => {} }),

  async redis() {
    const settings = { appendonly: 'yes', appendfsync: 'everysec', 'maxmemory-policy': 'noeviction' };
    const server = await startRedis(
      Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    );
    const client = createClient({ socket: { path: server.path, tls: false } });
    client.on('error', () => {});
    await client.connect();
    const said = async (section, name) =>
      Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(await client.info(section))?.[1]);
    return {
      settings: { path: server.path },
      client,
      pid: await said('server', 'process_id'),
      usedMemory: async () => await said('memory', 'used_memory'),
      counted: async () => ({
        toEngine: await said('stats', 'total_net_input_bytes'),
        fromEngine: await said('stats', 'total_net_output_bytes'),
        toDisk: await said('persistence', 'aof_current_size'),
      }),
      async held() {
        const sizes = { flow: [], session: [] };
        for await (const keys of client.scanIterator()) {
          for (const key of keys) {
            sizes[key.startsWith('pidgate:') ? 'flow' : 'session'].push(await client.memoryUsage(key));
          }
        }
        return { flow: median(sizes.flow), session: median(sizes.session) };
      },
      async stop() {
        client.destroy();
        await server.stop();
      },
    };
  },

  async postgres() {
    const server = await startPostgres({
      fsync: 'on',
      autovacuum: 'on',
      shared_buffers: '256MB',
      max_connections: '100',
    });
    const pool = new Pool({ host: server.path, user: 'postgres', database: 'postgres' });
    pool.on('error', () => {});
    await pool.query(`CREATE TABLE session (
      sid varchar PRIMARY KEY, sess json NOT NULL, expire timestamp(6) NOT NULL
    ); CREATE INDEX session_expire ON session (expire)`);
    return {
      settings: { path: server.path },
      pool,
      counted: async () => {
        const { rows } = await pool.query(`SELECT pg_current_wal_lsn() - '0/0' AS bytes`);
        return { toDisk: Number(rows[0].bytes) };
      },
      pid: Number(readFileSync(join(server.path, 'data/postmaster.pid'), 'utf8').split('\n')[0]),
      async held() {
        const { rows } = await pool.query(`SELECT
          (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY pg_column_size(f.*)) FROM pidgate_flows f) AS flow,
          (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY pg_column_size(s.*)) FROM session s) AS session`);
        return rows[0];
      },
      async stop() {
        await pool.end();
        await server.stop();
      },
    };
  },
};

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { until } from '../deployment/redis-cluster.js';
import { openWireTo } from '../deployment/wire.js';
import { type EngineAddress, ignore } from '../../support/engines/engine.js';
import { engine } from '../../support/engines/postgres.js';
import { type Service, servers } from '../../support/servers.mjs';
import type { Fault, Running } from './record.js';
import { kill, type Machine } from './server-faults.js';

interface Server extends Machine {
  readonly pool: Pool;
  stop(): Promise<void>;
}

/** It has a process for each connection. */
export function postgresMachine(service: Service): Machine & { readonly pool: Pool } {
  const pool = new Pool({
    host: service.path,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
  }).on('error', ignore);
  return {
    service,
    pool,
    async pids() {
      await pool.query('SELECT'); // while it still takes connections
      const first = Number(
        (await readFile(join(service.path, 'data/postmaster.pid'), 'utf8')).split('\n')[0],
      );
      process.kill(first, 'SIGSTOP'); // it begins no other
      const { rows } = await pool.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
      return [first, ...rows.map(({ pid }) => pid)];
    },
  };
}

async function startServer(primary?: string): Promise<Server> {
  const service = await servers.postgres.start({}, primary);
  const machine = postgresMachine(service);
  return {
    ...machine,
    async stop() {
      await machine.pool.end();
      await service.stop();
    },
  };
}

const space = 'histories';

/** A server and a standby, which takes its place when it dies. The clients' address leads to the one in charge. */
export async function startPostgresPair(isSynchronous: boolean): Promise<Running> {
  let primary = await startServer();
  await engine.prepare?.({ name: 'postgres', path: primary.service.path, space });
  let standby = await startServer(primary.service.path);
  const isStreaming = async (): Promise<boolean> =>
    (await primary.pool.query(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`)).rowCount === 1;
  await until(isStreaming);
  for (const { pool } of isSynchronous ? [primary, standby] : []) {
    await setting(pool, 'synchronous_standby_names', '*'); // every copy of them has that too
  }
  const front = await openWireTo(() => primary.service.path, engine);
  const server: EngineAddress = { name: 'postgres', path: front.path, space };

  const promote = async (): Promise<void> => {
    await kill(primary);
    await front.wire.down();
    await primary.stop();
    primary = standby;
    await primary.pool.query('SELECT pg_promote()');
    await front.wire.up();
  };
  const restore = async (): Promise<void> => {
    standby = await startServer(primary.service.path);
    await until(isStreaming);
  };

  const allows: Fault['allows'] = isSynchronous ? [] : ['confirmed writes were lost'];
  const failover: Fault = {
    name: 'failover',
    allows,
    async play({ answered }) {
      await promote();
      await restore();
      await answered(50);
    },
  };
  const behind: Fault = {
    name: 'failover, standby behind',
    allows,
    ...(!isSynchronous && { isShown: true }),
    async play({ answered, unanswered }) {
      await setting(standby.pool, 'primary_conninfo', '');
      await until(async () => (await standby.pool.query('SELECT FROM pg_stat_wal_receiver')).rowCount === 0);
      await (isSynchronous ? unanswered(8) : answered(200));
      await promote();
      await restore();
      await answered(50);
    },
  };

  return {
    processes: 4,
    address: () => ({ kind: 'server', server }),
    faults: [failover, behind],
    async stop() {
      await front.close();
      await standby.stop();
      await primary.stop();
    },
  };
}

async function setting(pool: Pool, name: string, value: string): Promise<void> {
  await pool.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await pool.query('SELECT pg_reload_conf()');
}

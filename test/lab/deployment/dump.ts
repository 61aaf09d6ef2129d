import { Pool } from 'pg';
import { createClient } from 'redis';
import type { Written } from '../../faults/dumps.js';
import type { EngineAddress } from './engine.js';

/** All that an engine holds of one space. */
export interface Dump {
  readonly flows: readonly Written[];
  readonly sessions: readonly Written[];
}

export async function dumpOf(engine: EngineAddress): Promise<Dump> {
  const rows = await (engine.name === 'postgres' ? postgresRows(engine) : redisRows(engine));
  const of = (kind: string): Written[] => rows.filter((row) => row.kind === kind);
  const dump = { flows: of('flow'), sessions: of('session') };
  if (dump.flows.length + dump.sessions.length !== rows.length) {
    throw new Error(`There is more in it: ${[...new Set(rows.map(({ kind }) => kind))].join()}`);
  }
  return dump;
}

interface Row extends Written {
  readonly kind: string;
}

async function redisRows({ path, space }: EngineAddress): Promise<Row[]> {
  const client = createClient({ socket: { path, tls: false } });
  await client.connect();
  const rows: Row[] = [];
  for (const key of await client.keys(`${space}*`)) {
    const [, kind = key, ...id] = key.split(':');
    // Every key holds one text; what the store puts before it is the version.
    const value = (await client.get(key)) ?? '';
    rows.push({ kind, id: id.join(':'), value: kind === 'flow' ? value.replace(/^\d+\./, '') : value });
  }
  client.destroy();
  return rows;
}

const kinds: Readonly<Record<string, string>> = { pidgate_flows: 'flow', session: 'session' };

async function postgresRows({ path, space }: EngineAddress): Promise<Row[]> {
  const pool = new Pool({ host: path, user: 'postgres', database: 'postgres', max: 1 });
  const tables = await pool.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
    [space],
  );
  const rows: Row[] = [];
  for (const { name } of tables.rows) {
    const { rows: found } = await pool.query<{ row: Record<string, unknown> }>(
      `SELECT row_to_json(it) AS row FROM ${space}.${name} it`,
    );
    for (const { row } of found) {
      const [id = '', ...others] = Object.entries(row)
        .toSorted(([a], [b]) => Number(b === 'id' || b === 'sid') - Number(a === 'id' || a === 'sid'))
        .map(([, value]) => value);
      const kind = kinds[name] ?? name;
      const value = kind === 'flow' ? row['value'] : JSON.stringify(others);
      rows.push({ kind, id: String(id), value: String(value) });
    }
  }
  await pool.end();
  return rows;
}

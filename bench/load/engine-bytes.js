import { stores } from './stores.js';
import { engines } from './engines.js';
import { flowStarter } from './pending-flows.js';

const atOnce = 50;

/** Fills an engine step by step, and answers after each what a pending flow takes there, in bytes. */
export async function engineBytes(engine, counts) {
  const opened = await engines[engine]();
  const { flows, close } = await stores[engine](opened.settings);
  const start = flowStarter(flows);
  const weigh = { redis: inRedis, postgres: inPostgres }[engine];
  const empty = await weigh(opened);
  const found = [];
  let held = 0;
  for (const count of counts) {
    const one = async () => {
      while (held < count) {
        held += 1;
        await start();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    const full = await weigh(opened);
    const entries = Object.entries(full).map(([name, bytes]) => [name, (bytes - empty[name]) / count]);
    found.push({ count, ...Object.fromEntries(entries), one: await single(engine, opened) });
  }
  await close();
  await opened.stop();
  return found;
}

async function inRedis({ usedMemory }) {
  return { all: await usedMemory() };
}

async function inPostgres({ pool }) {
  const { rows } = await pool.query(`SELECT
    pg_total_relation_size('pidgate_flows') AS all, pg_indexes_size('pidgate_flows') AS indexes`);
  return { all: Number(rows[0].all), indexes: Number(rows[0].indexes) };
}

/** What the engine says of one flow alone. */
async function single(engine, { client, pool }) {
  if (engine === 'redis') return await client.memoryUsage(await client.randomKey());
  const { rows } = await pool.query('SELECT avg(pg_column_size(flow.*)) AS bytes FROM pidgate_flows flow');
  return Number(rows[0].bytes);
}

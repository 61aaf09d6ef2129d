import { once } from 'node:events';
import { runFlows } from './run.js';

const few = { processes: 1, atOnce: 1, warmUp: 20 };

/** How often one flow asks the engine, for itself and for its session. */
export async function roundTrips(engine, flows, onVerified) {
  const watch = { redis: monitored, postgres: counted }[engine];
  const { seen } = await runFlows({ ...few, engine, flows, onVerified, watch });
  return { flows: seen.flows / flows, sessions: seen.sessions / flows };
}

/**
 * Bytes that one flow, its session included, sends over the network and writes to the disk, and what the engine holds
 * of both when all is over.
 */
export async function bytesPerFlow(engine, flows) {
  const { seen } = await runFlows({ ...few, engine, flows, watch: counted });
  const { held, ...counts } = seen;
  return {
    held,
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / flows])),
  };
}

/** Redis tells a watcher of every command, and which of them a script has sent: those cost no round trip. */
async function monitored({ client }) {
  const seen = { flows: 0, sessions: 0 };
  const watcher = client.duplicate();
  watcher.on('error', () => {});
  await watcher.connect();
  const last = 'that was all';
  let end = () => {};
  const ended = new Promise((resolve) => (end = resolve));
  await watcher.monitor((line) => {
    if (line.includes(last)) end();
    if (/^\S+ \[\d+ lua\]/.test(line)) return;
    if (line.includes('"pidgate:')) seen.flows += 1;
    if (line.includes('"sess:')) seen.sessions += 1;
  });
  return async () => {
    await client.echo(last);
    await ended;
    watcher.destroy();
    return seen;
  };
}

/** What engine and pools have counted meanwhile. */
async function counted({ counted: ofEngine, held }, [worker]) {
  const ask = async () => {
    const answer = once(worker, 'message');
    worker.send('count');
    return { ...(await answer)[0], ...(await ofEngine()) };
  };
  const before = await ask();
  return async () => {
    const after = await ask();
    const spent = Object.entries(after).map(([name, count]) => [name, count - before[name]]);
    return { ...Object.fromEntries(spent), held: await held() };
  };
}

import { openWireTo } from '../../test/lab/deployment/wire.js';
import { runFlows } from './run.js';

const few = { processes: 1, atOnce: 1, warmUp: 20 };

/** How often one flow asks the engine, for itself and for its session; the last write may meet the next flow's first. */
export async function roundTrips(engine, flows, onVerified) {
  const { seen } = await runFlows({ ...few, engine, flows, onVerified, through, watch });
  return { flows: Math.round(seen.flows / flows), sessions: Math.round(seen.sessions / flows) };
}

/**
 * Bytes that one flow, its session included, sends over the network and writes to the disk, and what the engine holds
 * of both when all is over.
 */
export async function bytesPerFlow(engine, flows) {
  const { seen } = await runFlows({ ...few, engine, flows, through, watch });
  const { held, ...counts } = seen;
  return {
    held,
    ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / flows])),
  };
}

/** Puts a wire between flows and engine, and one between sessions and engine. */
async function through({ module, settings }) {
  const { path } = settings.address;
  const [flows, sessions] = [await openWireTo(path, module), await openWireTo(path, module)];
  return {
    wires: { flows: flows.wire, sessions: sessions.wire },
    settings: { ...settings, address: { ...settings.address, path: flows.path }, sessionPath: sessions.path },
    close: async () => await Promise.all([flows.close(), sessions.close()]),
  };
}

/** What wires and engine have counted meanwhile. */
async function watch({ toDisk, held }, { flows, sessions }) {
  const count = async () => {
    const [flow, session] = [flows.passed(), sessions.passed()];
    return {
      flows: flow.trips,
      sessions: session.trips,
      toEngine: flow.toServer + session.toServer,
      fromEngine: flow.fromServer + session.fromServer,
      toDisk: await toDisk(),
    };
  };
  const before = await count();
  return async () => {
    const spent = Object.entries(await count()).map(([name, total]) => [name, total - before[name]]);
    return { ...Object.fromEntries(spent), held: await held() };
  };
}

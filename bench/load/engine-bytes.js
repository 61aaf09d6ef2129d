import { stores } from './stores.js';
import { engines } from './engines.js';
import { flowStarter } from './pending-flows.js';

const atOnce = 50;

/** Fills an engine step by step, and answers after each what a pending flow takes there, in bytes. */
export async function engineBytes(engine, counts) {
  const opened = await engines[engine]();
  const { flows, close } = await stores[engine](opened.settings);
  const start = flowStarter(flows);
  const { all: empty } = await opened.pending();
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
    const { all, one: single } = await opened.pending();
    const entries = Object.entries(all).map(([name, bytes]) => [name, (bytes - empty[name]) / count]);
    found.push({ count, all: Object.fromEntries(entries), one: single });
  }
  await close();
  await opened.stop();
  return found;
}

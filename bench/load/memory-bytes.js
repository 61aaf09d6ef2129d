import { memoryStore } from '../../dist/stores/memory.js';
import { flowStarter } from './pending-flows.js';

// A child of memory.js, run with --expose-gc: what so many pending flows weigh in a process of their own.

const count = Number(process.argv[2]);
const store = memoryStore({ max: count, maxBytes: 2 ** 40 });
const start = flowStarter(store);
const weigh = () => {
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc();
  return process.memoryUsage();
};

const empty = weigh();
for (let made = 0; made < count; made += 1) {
  await start();
  if (made % 1_000 === 0) await new Promise(setImmediate);
}
const full = weigh();
if ((await store.read('nobody')) !== undefined) throw new Error('A flow that nobody started'); // it is still held

process.send({
  heapPerFlow: (full.heapUsed - empty.heapUsed) / count,
  residentPerFlow: (full.rss - empty.rss) / count,
  resident: full.rss,
});

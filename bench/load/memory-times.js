import { randomBytes } from 'node:crypto';
import { memoryStore } from '../../dist/stores/memory.js';
import { median, quantile } from '../numbers.js';
import { flowTtl, writtenByStarts } from './pending-flows.js';

// A child of memory.js: how long the calls of memoryStore take, in microseconds.

const { many, rounds } = JSON.parse(process.argv[2]);
const few = 1_000;
const flows = await writtenByStarts(2_000);
const valueOf = (index) => flows[index % flows.length].value;
const newIds = (count) => Array.from({ length: count }, () => randomBytes(32).toString('base64url'));

async function timed(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) * 1_000;
}

/** A store that holds so many, none of which expires while this runs. */
async function filled(count, options = {}) {
  const store = memoryStore({ max: count + flows.length, maxBytes: 2 ** 40, ...options });
  for (const [index, id] of newIds(count).entries()) await store.create(id, valueOf(index), flowTtl);
  return store;
}

/** One round: every flow is created, and deleted again so that the store stays as full as it was. */
async function creates(store) {
  const times = [];
  for (const { id, value } of flows) {
    times.push(await timed(() => store.create(id, value, flowTtl)));
    await store.delete(id);
  }
  return times;
}

async function createP99() {
  const stores = [await filled(few), await filled(many)];
  for (let warming = 0; warming < 5; warming += 1) for (const store of stores) await creates(store);
  const found = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, store] of stores.entries()) found[index].push(quantile(await creates(store), 0.99));
  }
  return found.map(median);
}

/**
 * All expire at one moment; then flows are created until none of the expired is left, and the longest of these calls
 * counts. What happens at call n is the same in each round, and what the machine does beside it is not: of each call
 * the quickest round counts.
 */
async function longestExpiring(max) {
  const ids = newIds(many / 4 + 10);
  let quickest = [];
  for (let round = 0; round < rounds; round += 1) {
    let now = 0;
    const store = await filled(many, { max, clock: () => new Date(now) });
    now = flowTtl + 60_000;
    const times = [];
    for (const [index, id] of ids.entries()) {
      times.push(await timed(() => store.create(id, valueOf(index), flowTtl)));
    }
    quickest = times.map((time, index) => Math.min(time, quickest[index] ?? Infinity));
  }
  return quickest.reduce((longest, time) => Math.max(longest, time), 0);
}

process.send({
  p99: await createP99(),
  expiring: await longestExpiring(2 * many),
  expiringFull: await longestExpiring(many),
});

import { expect, test } from '@jest/globals';
import { memoryStore } from '../../lib/stores/memory.js';
import { testClock } from '../support/clock.js';

test.each([
  ['has room left', 1_001],
  ['is full', 1_000],
])('however many expire at once, a create removes a few of them, where the store %s', async (_how, max) => {
  const clock = testClock();
  const store = memoryStore({ max, clock });
  const ids = Array.from({ length: 1_000 }, (_, index) => `${index}`);
  for (const id of ids) await store.create(id, 'x', 1_000);
  clock.forward(5_000);
  expect(await store.create('new', 'x', 60_000)).toBe(true);

  // Put back, the clock shows who is still there.
  clock.forward(-5_000);
  const left = await Promise.all(ids.map(async (id) => (await store.read(id)) !== undefined));
  expect(left.filter(Boolean)).toHaveLength(996);
});

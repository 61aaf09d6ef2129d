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
  expect(left.filter((alive) => !alive).length).toBeLessThanOrEqual(10);
  expect(left.filter((alive) => !alive).length).toBeGreaterThan(1);
});

test.each([
  ['behind those that are alive', [60_000, 1_000]],
  ['before them', [1_000, 60_000]],
])('expired flows %s keep new ones out for a few creates at most', async (_where, times) => {
  const clock = testClock();
  const store = memoryStore({ max: 10_000, clock });
  for (const ttl of times) {
    for (let index = 0; index < 5_000; index += 1) await store.create(`${ttl} ${index}`, 'x', ttl);
  }
  clock.forward(5_000);
  let refused = 0;
  for (let index = 0; index < 1_000; index += 1) {
    await store.create(`new ${index}`, 'x', 60_000).catch(() => (refused += 1));
  }
  expect(refused).toBeLessThanOrEqual(10);
  expect((await store.read('60000 0'))?.value).toBe('x');
});

test('the expired never outnumber those that are alive by much', async () => {
  const clock = testClock();
  const store = memoryStore({ max: 1_250, clock });
  // A thousand are alive at any moment: room for a quarter more is enough.
  for (let index = 0; index < 10_000; index += 1) {
    expect(await store.create(`${index}`, 'x', 1_000)).toBe(true);
    clock.forward(1);
  }
});

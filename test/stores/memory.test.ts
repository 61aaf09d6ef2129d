import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { flowStoreContract } from '../../lib/dev/testing/index.js';
import { isMemoryStore } from '../../lib/stores/memory.js';
import { type TestClock, testClock } from '../support/clock.js';
import { deep } from '../support/deep.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is alive on the heap, in bytes. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describe('memoryStore', () => {
  flowStoreContract(test, () => {
    const clock = testClock();
    return { store: memoryStore({ clock }), forward: (ms) => clock.forward(ms) };
  });

  test('a store that was full of expired flows takes new ones at once', async () => {
    const clock = testClock();
    const store = memoryStore({ max: 50, clock });
    for (let index = 0; index < 50; index += 1) await store.create(`${index}`, 'x', 1_000 + index * 100);
    clock.forward(3_600_000);
    for (let index = 0; index < 50; index += 1)
      expect(await store.create(`new ${index}`, 'x', 1_000)).toBe(true);
    await expect(store.create('one more', 'x', 1_000)).rejects.toMatchObject({ code: 'store_full' });
  });

  test('a clock that was ahead for a while does not stop expiry', async () => {
    const clock = testClock();
    const store = memoryStore({ max: 3, clock });
    clock.forward(86_400_000);
    await store.create('ahead', 'x', 1_000);
    clock.forward(-86_400_000);
    await store.create('a', 'x', 1_000);
    await store.create('b', 'x', 1_000);
    clock.forward(5_000);
    // 'ahead' is alive until its own time; the two others must make room without being read.
    for (const id of ['c', 'd']) expect(await store.create(id, 'x', 60_000)).toBe(true);
    await expect(store.create('e', 'x', 60_000)).rejects.toMatchObject({ code: 'store_full' });
    expect((await store.read('ahead'))?.value).toBe('x');
  });

  test('a clock that was far behind does not stop expiry', async () => {
    const clock = testClock();
    const store = memoryStore({ max: 2, clock });
    await store.create('long ago', 'x', 1_000);
    clock.forward(50 * 365 * 86_400_000);
    for (let index = 0; index < 20; index += 1) {
      for (const name of ['a', 'b']) expect(await store.create(`${name} ${index}`, 'x', 1_000)).toBe(true);
      clock.forward(2_000);
    }
  });

  test('of entries that expire together, any may be deleted, moved or left', async () => {
    const clock = testClock();
    const store = memoryStore({ max: 6, clock });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await store.create(id, id, 1_000);
    await store.delete('a');
    await store.delete('f');
    await store.replace('c', 1, 'later', 60_000);
    await store.replace('b', 1, 'same', 1_000);
    clock.forward(5_000);
    const created = ['1', '2', '3', '4', '5'].map(async (id) => await store.create(id, id, 60_000));
    expect(await Promise.all(created)).toEqual([true, true, true, true, true]);
    await expect(store.create('6', '6', 60_000)).rejects.toMatchObject({ code: 'store_full' });
    expect(await store.read('c')).toEqual({ value: 'later', version: 2 });
  });

  test('F60 it is bounded in bytes: a create may fill three quarters, and a flow that has started may grow', async () => {
    const store = memoryStore({ maxBytes: 10_000 });
    const kilobyte = 'x'.repeat(999);
    for (const id of '1234567') expect(await store.create(id, kilobyte, 60_000)).toBe(true);
    const full = { code: 'store_full', status: 503 };
    await expect(store.create('8', kilobyte, 60_000)).rejects.toMatchObject(full);
    expect(await store.replace('1', 1, kilobyte.repeat(2), 60_000)).toBe(true);
    await expect(store.replace('2', 1, kilobyte.repeat(5), 60_000)).rejects.toMatchObject(full);
    for (const id of '234567') expect(await store.read(id)).toEqual({ value: kilobyte, version: 1 });
    expect(await store.replace('2', 1, 'less', 60_000)).toBe(true);
    expect(await store.create('1', kilobyte, 60_000)).toBe(false); // a taken id is no full store
  });

  test.each<[string, (store: FlowStore, clock: TestClock) => unknown]>([
    ['deleted', async (store) => await store.delete('a')],
    ['replaced by less', async (store) => await store.replace('a', 1, 'x', 60_000)],
    ['expired', (_store, clock) => clock.forward(60_000)],
    ['expired and read', async (store, clock) => (clock.forward(60_000), await store.read('a'))],
  ])('F60 the bytes of a flow that was %s are free', async (_way, release) => {
    const clock = testClock();
    const store = memoryStore({ maxBytes: 1_000, clock });
    for (let round = 0; round < 20; round += 1) {
      expect(await store.create('a', 'x'.repeat(700), 60_000)).toBe(true);
      await expect(store.create('b', 'x'.repeat(100), 60_000)).rejects.toMatchObject({ code: 'store_full' });
      await release(store, clock);
      expect(await store.create('b', 'x'.repeat(100), 60_000)).toBe(true);
      for (const id of ['a', 'b']) await store.delete(id);
    }
  });

  test('F60 by default it holds 64 MB, bytes and not characters', async () => {
    const store = memoryStore();
    const megabyte = 'é'.repeat(512 * 1024);
    for (let index = 0; index < 47; index += 1)
      expect(await store.create(`${index}`, megabyte, 60_000)).toBe(true);
    await expect(store.create('48', megabyte, 60_000)).rejects.toMatchObject({ code: 'store_full' });
  });

  test('F60 however it is used, it keeps its bounds and drops no flow that is alive', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.tuple(
      fc.constantFrom('create', 'replace', 'delete', 'wait'),
      id,
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = testClock();
        const store = memoryStore({ max: 3, maxBytes: 100, clock });
        const model = new Map<string, { value: string; version: number; until: number }>();
        let now = 0;
        for (const [what, name, length, ttl] of steps) {
          const value = 'x'.repeat(length);
          const before = model.get(name);
          if (what === 'wait') {
            clock.forward(ttl);
            now += ttl;
          } else if (what === 'delete') {
            await store.delete(name);
            model.delete(name);
          } else {
            const version = what === 'create' ? 1 : (before?.version ?? 1) + 1;
            const written =
              what === 'create'
                ? store.create(name, value, ttl)
                : store.replace(name, before?.version ?? 1, value, ttl);
            if (await written.catch(() => false)) model.set(name, { value, version, until: now + ttl });
          }
          for (const [key, { until }] of model) if (until <= now) model.delete(key);
          const held = [...model].reduce((sum, [key, it]) => sum + key.length + it.value.length, 0);
          expect([model.size <= 3, held <= 100]).toEqual([true, true]);
          for (const [key, it] of model) {
            expect(await store.read(key)).toEqual({ value: it.value, version: it.version });
          }
        }
      }),
    );
  });

  deep.test.each([
    ['created and deleted', 'delete'],
    ['replaced again and again', 'replace'],
    ['created, and expired while few are', 'expire'],
  ])('nothing is left of flows that are %s', async (_name, way) => {
    const clock = testClock();
    const store = memoryStore({ max: 10, clock });
    await store.create('stays', 'x', 3_600_000);
    const before = heap();
    for (let index = 0; index < 100_000; index += 1) {
      const id = `an id as long as that of a flow usually is ${index}`;
      if (way === 'replace') {
        await store.replace('stays', index + 1, 'x', 3_600_000 + (index % 600) * 1_000);
        continue;
      }
      await store.create(id, 'x', 5_000);
      if (way === 'delete') await store.delete(id);
      else clock.forward(1_000);
    }
    // Each of them once left its id (or a slot for it) behind: 0.8 MB at the least.
    expect(heap() - before).toBeLessThan(400_000);
    expect((await store.read('stays'))?.value).toBe(way === 'expire' ? undefined : 'x');
  });

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

  deep.test('the expired never outnumber those that are alive by much', async () => {
    const clock = testClock();
    const store = memoryStore({ max: 1_250, clock });
    // A thousand are alive at any moment: room for a quarter more is enough.
    for (let index = 0; index < 10_000; index += 1) {
      expect(await store.create(`${index}`, 'x', 1_000)).toBe(true);
      clock.forward(1);
    }
  });

  test('the kit can tell it from a store that other processes see', () => {
    const store = memoryStore();
    expect(isMemoryStore(store)).toBe(true);
    expect(isMemoryStore({ ...store })).toBe(false);
  });
});

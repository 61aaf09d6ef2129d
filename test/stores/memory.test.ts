import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { isMemoryStore, memoryStore } from '../../lib/stores/memory.js';
import { testClock } from '../support/clock.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What is alive on the heap, in bytes. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describe('memoryStore', () => {
  test('an entry is gone at its time to live, for every call', async () => {
    const clock = testClock();
    const store = memoryStore({ clock });
    await store.create('a', 'one', 1_000);
    clock.forward(999);
    expect((await store.read('a'))?.value).toBe('one');
    clock.forward(1);
    expect(await store.read('a')).toBeUndefined();
    expect(await store.replace('a', 1, 'two', 1_000)).toBe(false);
    expect(await store.create('a', 'three', 1_000)).toBe(true);
  });

  test('a replacement has a time to live of its own, shorter or longer', async () => {
    const clock = testClock();
    const store = memoryStore({ clock });
    await store.create('a', 'one', 1_000);
    await store.create('b', 'one', 60_000);
    await store.replace('a', 1, 'two', 60_000);
    await store.replace('b', 1, 'two', 1_000);
    clock.forward(5_000);
    await store.create('c', 'sweeps', 1_000);
    expect((await store.read('a'))?.value).toBe('two');
    expect(await store.read('b')).toBeUndefined();
  });

  test('a full store refuses and never drops a flow that is alive', async () => {
    const clock = testClock();
    const store = memoryStore({ max: 3, clock });
    for (const id of ['a', 'b', 'c']) await store.create(id, id, 10_000);
    await expect(store.create('d', 'd', 10_000)).rejects.toMatchObject({ code: 'store_full', status: 503 });
    for (const id of ['a', 'b', 'c']) expect((await store.read(id))?.value).toBe(id);
    expect(await store.replace('a', 1, 'aa', 10_000)).toBe(true);
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

  test('expired flows leave without being read, a few at each create', async () => {
    const clock = testClock();
    const store = memoryStore({ max: 100, clock });
    for (let index = 0; index < 99; index += 1) await store.create(`${index}`, 'x', 1_000);
    clock.forward(5_000);
    // One place is free, so each create sweeps a few; none of them may find the store full.
    for (let index = 0; index < 100; index += 1)
      expect(await store.create(`n${index}`, 'x', 60_000)).toBe(true);
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

  test.each([
    ['created and deleted', 'delete'],
    ['replaced again and again', 'replace'],
    ['created, and expired while few are', 'expire'],
  ])('nothing is left of flows that are %s', async (_name, way) => {
    const clock = testClock();
    const store = memoryStore({ max: 10, clock });
    await store.create('stays', 'x', 3_600_000);
    const before = heap();
    for (let index = 0; index < 200_000; index += 1) {
      const id = `an id as long as that of a flow usually is ${index}`;
      if (way === 'replace') {
        await store.replace('stays', index + 1, 'x', 3_600_000 + (index % 600) * 1_000);
        continue;
      }
      await store.create(id, 'x', 5_000);
      if (way === 'delete') await store.delete(id);
      else clock.forward(1_000);
    }
    // Each of them once left its id (or a slot for it) behind: 1.6 MB at the least.
    expect(heap() - before).toBeLessThan(800_000);
    expect((await store.read('stays'))?.value).toBe(way === 'expire' ? undefined : 'x');
  });

  test('the kit can tell it from a store that other processes see', () => {
    const store = memoryStore();
    expect(isMemoryStore(store)).toBe(true);
    expect(isMemoryStore({ ...store })).toBe(false);
  });
});

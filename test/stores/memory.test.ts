import { describe, expect, test } from '@jest/globals';
import { isMemoryStore, memoryStore } from '../../lib/stores/memory.js';
import { flowStoreContract } from '../contracts/flow-store.js';
import { testClock } from '../support/clock.js';

describe('memoryStore', () => {
  flowStoreContract(() => memoryStore());

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

  test('the kit can tell it from a store that other processes see', () => {
    const store = memoryStore();
    expect(isMemoryStore(store)).toBe(true);
    expect(isMemoryStore({ ...store })).toBe(false);
  });
});

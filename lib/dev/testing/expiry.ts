import assert from 'node:assert/strict';
import type { FlowStore } from '../../types/store.js';
import { type OpenStore, type Test, minute } from './under-test.js';

/** A flow ends at its time, for every call. Times are far apart, so that a slow machine decides nothing. */
export function expiryTests(test: Test, open: OpenStore): void {
  test('what has expired is gone', async () => {
    const { store, forward } = await openTimed(open);
    await store.create('a', 'one', minute);
    await store.create('b', 'stays', 10 * minute);
    await forward(2 * minute);
    assert.equal(await store.read('a'), undefined);
    assert.equal(await store.replace('a', 1, 'two', minute), false);
    await store.delete('a');
    assert.equal((await store.read('b'))?.value, 'stays');
  });

  test('an id that has expired can be created again, from version 1', async () => {
    const { store, forward } = await openTimed(open);
    await store.create('a', 'one', minute);
    await store.replace('a', 1, 'two', minute);
    await forward(2 * minute);
    assert.equal(await store.create('a', 'three', minute), true);
    assert.deepEqual({ ...(await store.read('a')) }, { value: 'three', version: 1 });
  });

  test('of twenty that create an id that has expired, one wins', async () => {
    const { store, forward } = await openTimed(open);
    await store.create('a', 'one', minute);
    await forward(2 * minute);
    const tries = Array.from({ length: 20 }, async (_, index) => await store.create('a', `${index}`, minute));
    assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
  });

  test('a replacement has a time to live of its own, shorter or longer', async () => {
    const { store, forward } = await openTimed(open);
    await store.create('longer', 'one', minute);
    await store.create('shorter', 'one', 10 * minute);
    await store.replace('longer', 1, 'two', 10 * minute);
    await store.replace('shorter', 1, 'two', minute);
    await forward(2 * minute);
    assert.deepEqual({ ...(await store.read('longer')) }, { value: 'two', version: 2 });
    assert.equal(await store.read('shorter'), undefined);
  });

  test('neither reading nor a lost replace lengthens a life', async () => {
    const { store, forward } = await openTimed(open);
    await store.create('a', 'one', 3 * minute);
    await forward(2 * minute);
    await store.read('a');
    await store.replace('a', 7, 'two', 10 * minute);
    await store.create('a', 'two', 10 * minute);
    await forward(2 * minute);
    assert.equal(await store.read('a'), undefined);
  });

  test('a time to live may be a fraction', async () => {
    const { store, forward } = await openTimed(open);
    assert.equal(await store.create('a', 'one', minute + 0.1), true);
    assert.equal(await store.replace('a', 1, 'two', minute / 7), true);
    assert.equal((await store.read('a'))?.value, 'two');
    await forward(minute);
    assert.equal(await store.read('a'), undefined);
  });

  for (const ttl of [0, -0.5, -minute]) {
    test(`a time to live of ${ttl} is over at once, and no error`, async () => {
      const { store } = await open();
      assert.equal(await store.create('a', 'one', ttl), true);
      assert.equal(await store.read('a'), undefined);
      await store.create('b', 'one', minute);
      assert.equal(await store.replace('b', 1, 'two', ttl), true);
      assert.equal(await store.read('b'), undefined);
    });
  }
}

interface Timed {
  readonly store: FlowStore;
  readonly forward: (ms: number) => Promise<void> | void;
}

async function openTimed(open: OpenStore): Promise<Timed> {
  const { store, forward } = await open();
  assert.ok(
    forward !== undefined,
    "open() must answer forward(ms) too; { expiry: 'untested' } leaves out the tests that need it.",
  );
  return { store, forward };
}

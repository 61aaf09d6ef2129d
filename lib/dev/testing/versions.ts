import assert from 'node:assert/strict';
import { type OpenStore, type Test, minute } from './under-test.js';

/** One winner, whoever comes at the same time. */
export function versionTests(test: Test, open: OpenStore): void {
  test('what was created is read back, at version 1', async () => {
    const { store } = await open();
    assert.equal(await store.create('a', 'one', minute), true);
    assert.deepEqual({ ...(await store.read('a')) }, { value: 'one', version: 1 });
    assert.equal(await store.read('b'), undefined);
  });

  test('an id that is taken is not created again', async () => {
    const { store } = await open();
    await store.create('a', 'one', minute);
    assert.equal(await store.create('a', 'two', minute), false);
    assert.deepEqual({ ...(await store.read('a')) }, { value: 'one', version: 1 });
  });

  test('replace writes only over the version that it names, and counts on by one', async () => {
    const { store } = await open();
    await store.create('a', 'one', minute);
    assert.equal(await store.replace('a', 1, 'two', minute), true);
    assert.deepEqual({ ...(await store.read('a')) }, { value: 'two', version: 2 });
    for (const version of [0, 1, 3]) {
      assert.equal(await store.replace('a', version, 'three', minute), false);
    }
    assert.deepEqual({ ...(await store.read('a')) }, { value: 'two', version: 2 });
  });

  test('versions count on past nine', async () => {
    const { store } = await open();
    await store.create('a', 'v1', minute);
    for (let version = 1; version <= 11; version += 1) {
      assert.equal(await store.replace('a', version, `v${version + 1}`, minute), true);
    }
    assert.deepEqual({ ...(await store.read('a')) }, { value: 'v12', version: 12 });
  });

  test('replace makes nothing where there is nothing', async () => {
    const { store } = await open();
    for (const version of [0, 1]) assert.equal(await store.replace('a', version, 'one', minute), false);
    assert.equal(await store.read('a'), undefined);
    assert.equal(await store.create('a', 'one', minute), true);
  });

  test('of twenty that create the same id at once, one wins', async () => {
    const { store } = await open();
    const [won, ...others] = await winners((index) => store.create('a', `${index}`, minute));
    assert.deepEqual(others, []);
    assert.deepEqual({ ...(await store.read('a')) }, { value: `${won}`, version: 1 });
  });

  test('of twenty that replace the same version at once, one wins', async () => {
    const { store } = await open();
    await store.create('a', 'start', minute);
    const [won, ...others] = await winners((index) => store.replace('a', 1, `${index}`, minute));
    assert.deepEqual(others, []);
    assert.deepEqual({ ...(await store.read('a')) }, { value: `${won}`, version: 2 });
  });

  test('what was deleted is gone, and deleting it again is no error', async () => {
    const { store } = await open();
    await store.create('a', 'one', minute);
    await store.create('b', 'stays', minute);
    await store.delete('a');
    await store.delete('a');
    assert.equal(await store.read('a'), undefined);
    assert.equal(await store.replace('a', 1, 'two', minute), false);
    assert.equal((await store.read('b'))?.value, 'stays');
  });

  test('an id that was deleted can be created again, from version 1', async () => {
    const { store } = await open();
    await store.create('a', 'one', minute);
    await store.replace('a', 1, 'two', minute);
    await store.delete('a');
    assert.equal(await store.create('a', 'three', minute), true);
    assert.deepEqual({ ...(await store.read('a')) }, { value: 'three', version: 1 });
  });

  test('two stores share nothing', async () => {
    const [{ store: one }, { store: other }] = [await open(), await open()];
    await one.create('a', 'one', minute);
    assert.equal(await other.read('a'), undefined);
    assert.equal(await other.replace('a', 1, 'two', minute), false);
    await other.delete('a');
    assert.equal(await other.create('a', 'other', minute), true);
    assert.deepEqual({ ...(await one.read('a')) }, { value: 'one', version: 1 });
  });
}

/** Which of twenty tries were told that they had won. */
async function winners(attempt: (index: number) => Promise<boolean>): Promise<number[]> {
  const tries = Array.from({ length: 20 }, async (_, index) => await attempt(index));
  return (await Promise.all(tries)).flatMap((won, index) => (won ? [index] : []));
}

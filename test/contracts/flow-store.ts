import { expect, test } from '@jest/globals';
import type { FlowStore } from '../../lib/ports.js';

/** What every flow store must do; `open` makes an empty one. */
export function flowStoreContract(open: () => FlowStore): void {
  const minute = 60_000;

  test('what was created is read back, with a version', async () => {
    const store = open();
    expect(await store.create('a', 'one', minute)).toBe(true);
    expect(await store.read('a')).toEqual({ value: 'one', version: 1 });
    expect(await store.read('b')).toBeUndefined();
  });

  test('an id that is taken is not created again', async () => {
    const store = open();
    await store.create('a', 'one', minute);
    expect(await store.create('a', 'two', minute)).toBe(false);
    expect((await store.read('a'))?.value).toBe('one');
  });

  test('replace writes only over the version that it names, and counts on', async () => {
    const store = open();
    await store.create('a', 'one', minute);
    expect(await store.replace('a', 1, 'two', minute)).toBe(true);
    expect(await store.read('a')).toEqual({ value: 'two', version: 2 });
    expect(await store.replace('a', 1, 'three', minute)).toBe(false);
    expect(await store.replace('a', 3, 'three', minute)).toBe(false);
    expect(await store.replace('b', 1, 'three', minute)).toBe(false);
    expect(await store.read('a')).toEqual({ value: 'two', version: 2 });
  });

  test('of twenty that replace the same version at once, one wins', async () => {
    const store = open();
    await store.create('a', 'start', minute);
    const tries = Array.from(
      { length: 20 },
      async (_, index) => await store.replace('a', 1, `${index}`, minute),
    );
    const won = (await Promise.all(tries)).map((it, index) => (it ? index : -1)).filter((it) => it >= 0);
    expect(won).toHaveLength(1);
    expect(await store.read('a')).toEqual({ value: `${won[0]}`, version: 2 });
  });

  test('of twenty that create the same id at once, one wins', async () => {
    const store = open();
    const tries = Array.from({ length: 20 }, async (_, index) => await store.create('a', `${index}`, minute));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  });

  test('what was deleted is gone, and deleting it again is no error', async () => {
    const store = open();
    await store.create('a', 'one', minute);
    await store.delete('a');
    await store.delete('a');
    expect(await store.read('a')).toBeUndefined();
    expect(await store.replace('a', 1, 'two', minute)).toBe(false);
  });
}

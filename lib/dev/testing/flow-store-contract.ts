import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { FlowStore } from '../../types/store.js';

/**
 * Tests in a flow store of your own what the kit relies on, as tests of your runner.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStore } from 'pidgate'
 * import { flowStoreContract } from 'pidgate/testing'
 *
 * flowStoreContract(test, () => {
 *   let now = Date.now()
 *   return { store: memoryStore({ clock: () => new Date(now) }), forward: (ms) => void (now += ms) }
 * })
 * ```
 */
export function flowStoreContract(
  test: Test,
  open: OpenStore,
  { expiry = 'tested' }: ContractOptions = {},
): void {
  versionTests(test, open);
  valueTests(test, open);
  if (expiry === 'tested') expiryTests(test, open);
  else test('expiry is skipped, as requested', async () => undefined);
}

/** The `test` of any runner: Jest, Vitest, node:test. */
export type Test = (name: string, run: () => Promise<void>) => unknown;

/** A store, and how to let its time pass. */
export interface StoreUnderTest {
  readonly store: FlowStore;
  /** Makes everything in the store that many milliseconds older: by its clock, or by changing when things expire. */
  readonly forward?: (ms: number) => Promise<void> | void;
}

/** Makes an empty store, which shares nothing with those that were made before. */
export type OpenStore = () => Promise<StoreUnderTest> | StoreUnderTest;

/** Options of {@link flowStoreContract}. */
export interface ContractOptions {
  /** `untested` leaves out what needs `forward`: whether flows end at their time. Default `tested`. */
  readonly expiry?: 'tested' | 'untested';
}

/** Long enough that nothing expires in a test by itself. */
const minute = 60_000;

/** One winner, however many come at the same time. */
function versionTests(test: Test, open: OpenStore): void {
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

const values: Readonly<Record<string, string>> = {
  'of one character': '0',
  'that looks like a number with a dot': '7.12',
  'in quotes of every kind': `'single' "double" \`back\` $1 $$ %s \${it}`,
  'with backslashes, new lines and tabs': 'a\\b\\\\c\\n \n \r\n \t end',
  'in other alphabets': 'Müßiggang, Ελλάδα, Łódź, 日本, 👩‍👩‍👧',
  'of 64 kB': randomBytes(48 * 1024).toString('base64url'),
};

/** What comes in comes out, whatever it looks like. */
function valueTests(test: Test, open: OpenStore): void {
  for (const [what, value] of Object.entries(values)) {
    test(`a value ${what} is read back as it was written`, async () => {
      const { store } = await open();
      await store.create('a', value, minute);
      assert.equal((await store.read('a'))?.value, value);
      await store.replace('a', 1, `${value}${value}`, minute);
      assert.equal((await store.read('a'))?.value, `${value}${value}`);
    });
  }

  test('a hundred ids such as the kit makes them are told apart', async () => {
    const { store } = await open();
    const ids = Array.from({ length: 100 }, () => randomBytes(32).toString('base64url'));
    await Promise.all(ids.map(async (id) => await store.create(id, `value of ${id}`, minute)));
    const read = await Promise.all(ids.map(async (id) => await store.read(id)));
    assert.deepEqual(
      read.map((record) => record?.value),
      ids.map((id) => `value of ${id}`),
    );
  });

  test('ids that begin alike, or differ in case only, are told apart', async () => {
    const { store } = await open();
    const ids = ['a', 'aa', 'a-', 'a_', 'aA', 'A', '-a', '_a'];
    for (const id of ids) assert.equal(await store.create(id, `value of ${id}`, minute), true);
    await store.delete('a');
    assert.equal(await store.read('a'), undefined);
    for (const id of ids.slice(1)) assert.equal((await store.read(id))?.value, `value of ${id}`);
  });
}

/** A flow ends at its time, for every call. Times are far apart, so that a slow machine decides nothing. */
function expiryTests(test: Test, open: OpenStore): void {
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
    "open() must also return forward(ms); { expiry: 'untested' } skips the tests that need it.",
  );
  return { store, forward };
}

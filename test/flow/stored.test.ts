import { describe, expect, test } from '@jest/globals';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import type { End } from '../../lib/flow/flow.js';
import { turns } from '../support/callbacks.js';
import { deep } from '../support/deep.js';
import { holdTimers, pass } from '../support/held-timers.js';
import { addressOf, openProcess, started, watched, world } from './flow-kit.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ttl = 600_000;

/** The value of a flow, and how to put another one in its place. */
async function held(store: FlowStore, id: string) {
  const value = (await store.read(id))?.value ?? '';
  const put = async (other: string): Promise<number> => {
    const version = (await store.read(id))?.version ?? 0;
    expect(await store.replace(id, version, other, ttl)).toBe(true);
    return version + 1;
  };
  return { value, put };
}

/** How a delivery ends, also where the service is told to come again. */
const endOf = async (delivery: Promise<End>): Promise<string> =>
  await delivery.then(
    ({ transition }) => transition,
    (error: { code: string }) => error.code,
  );

describe('what is stored of a flow', () => {
  test('is of its own factory: another one on the same store takes nothing for it', async () => {
    const shared = world();
    const [one, other] = [openProcess(shared), openProcess(shared, { path: '/other' })];
    const { state } = await one.start();
    expect((await other.deliver(state)).transition).toBe('closed');
    expect(other.judged).toEqual([]);
    expect((await one.deliver(state)).transition).toBe('verified');
    expect(await other.statusOf(state)).toBe('expired');
  });

  test('tells nothing of it, in any status', async () => {
    const { shared, written } = watched();
    const onError = (): undefined => undefined;
    const { app, state } = await started({ hooks: { onError } }, shared, {
      context: { order: 'marker-order' },
      returnTo: '/marker-path',
      subject: 'marker-subject',
    });
    await app.deliver(state, { error: 'marker_error', error_description: 'marker words' });
    await app.deliver(state, { presentation: 'marker-junk' });
    const [, secret = ''] = addressOf(await app.deliver(state)).split(/code=[\w-]+\./);
    expect(secret).toHaveLength(43);
    expect(written).toHaveLength(4);
    const plain = ['marker', 'Erika', '1964-08-12', 'given_name', 'xx-test', 'app.example', 'verified'];
    for (const { id, value } of written) {
      const decoded = value.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      for (const text of [...plain, state, secret]) {
        for (const shown of [id, value, ...decoded]) expect(shown).not.toContain(text);
      }
    }
  });

  test('F35 is sealed anew by every write: no part of a value is in another one', async () => {
    const { shared, written } = watched();
    const { app, state } = await started({}, shared);
    for (const junk of ['1', '2', '3', '4', '5']) await app.deliver(state, { presentation: junk });
    await app.deliver(state);
    const parts = written.map(({ value }) => value.slice(40, 80));
    expect([parts.length, new Set(parts).size]).toEqual([7, 7]);
  });

  /** What is put in the place of a value counts for nothing, and the value itself counts again after that. */
  async function countsForNothing(
    status: 'pending' | 'verified',
    returnTo: string,
    others: (value: string) => readonly string[],
  ): Promise<void> {
    const { shared } = watched();
    const { app, state, id } = await started({}, shared, { returnTo });
    if (status === 'verified') await app.deliver(state);
    const judged = app.judged.length;
    const { value, put } = await held(shared.store, id);
    expect(value.length).toBeGreaterThan(200);
    for (const other of others(value)) {
      const version = await put(other);
      const end = await endOf(app.deliver(state));
      expect([other, end]).toEqual([other, expect.stringMatching(/^(closed|store_unavailable)$/)]);
      expect(await shared.store.read(id)).toEqual({ value: other, version });
    }
    expect(app.judged).toHaveLength(judged);
    await put(value);
    expect(await endOf(app.deliver(state))).toBe(status === 'pending' ? 'verified' : 'body_known');
  }
  /** Each character from a place on as its neighbour, and as one that is or is not of the alphabet. */
  const changedFrom = (value: string, from: number): string[] =>
    Array.from({ length: value.length - from }, (_, index) => {
      const [at, char = ''] = [from + index, value[from + index]];
      const neighbour = alphabet[alphabet.indexOf(char) ^ 1] ?? '-';
      return [neighbour, char === '.' ? 'A' : '.'].map(
        (other) => value.slice(0, at) + other + value.slice(at + 1),
      );
    }).flat();

  describe.each(['pending', 'verified'] as const)('F35 while the flow is %s', (status) => {
    test('F35 with another last character, or cut short, it counts for nothing', async () => {
      // The last character has spare bits or not, depending on how long the text is.
      for (const returnTo of ['/', '/a', '/ab']) {
        await countsForNothing(status, returnTo, (value) => [
          ...changedFrom(value, value.length - 1),
          ...[1, 2, 3, 4, 16, 100, 199].map((less) => value.slice(0, -less)),
          `${value}A`,
        ]);
      }
    });

    deep.test('F35 with any one character changed it counts for nothing', async () => {
      await countsForNothing(status, '/', (value) => changedFrom(value, 0));
    });
  });

  test('F35 counts for nothing under the id of another flow', async () => {
    const { app, shared, state, id } = await started();
    const other = await app.start();
    const [mine, theirs] = [await held(shared.store, id), await held(shared.store, other.id)];
    await theirs.put(mine.value);
    expect(await endOf(app.deliver(other.state))).toMatch(/^(closed|store_unavailable)$/);
    await theirs.put(theirs.value);
    expect(await endOf(app.deliver(other.state))).toBe('verified');
    expect([await endOf(app.deliver(state)), app.judged.length]).toEqual(['verified', 2]);
  });

  test.each(['', 'nonsense', '1.0', '2.0..abc', '1.0..a.b', 'a.b.c'])(
    'is unknown where the value is none of ours: %j',
    async (value) => {
      const { app, shared, state, id } = await started();
      await (await held(shared.store, id)).put(value);
      expect([await endOf(app.deliver(state)), await app.statusOf(state)]).toEqual(['closed', 'expired']);
    },
  );
});

describe('a store', () => {
  holdTimers();

  test('that never answers is store_unavailable', async () => {
    const { app, shared, state } = await started();
    Object.assign(shared.store, { read: async () => await new Promise(() => undefined) });
    const failed = app.deliver(state).catch((error: unknown) => error);
    await turns();
    pass(5_000);
    const message = 'The flow store did not answer in time.';
    expect(await failed).toMatchObject({ code: 'store_unavailable', message });
  });

  const refused = Object.assign(new Error('secret of the store'), { code: 'ECONNREFUSED' });
  test.each([
    ['rejects', refused, 'failed (ECONNREFUSED)'],
    ['rejects with something odd', { code: 'not a code: secret' }, 'failed'],
    ['puts words before its code', { code: 'secret: ECONNREFUSED' }, 'failed'],
    ['puts words after its code', { code: 'ECONNREFUSED: secret' }, 'failed'],
    ['rejects with nothing', undefined, 'failed'],
  ])('that %s is store_unavailable, and its own words go nowhere', async (_, fault, said) => {
    const down = async (): Promise<never> => await Promise.reject(fault as Error);
    const wanted = { code: 'store_unavailable', status: 503, message: `The flow store ${said}.` };
    for (const call of ['read', 'replace'] as const) {
      const { app, shared, state } = await started();
      Object.assign(shared.store, { [call]: down });
      const error = await app.deliver(state).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject(wanted);
      expect((error as Error).cause).toBeUndefined();
    }
    const app = openProcess({ ...world(), store: { ...memoryStore(), create: down, delete: down } });
    expect(await app.tryStart()).toMatchObject({ transition: 'start_failed', error: wanted });
  });

  test('that says a new id is taken is broken', async () => {
    const app = openProcess({
      ...world(),
      store: { ...memoryStore(), create: async () => await Promise.resolve(false) },
    });
    const error = { code: 'store_unavailable' };
    expect(await app.tryStart()).toMatchObject({ transition: 'start_failed', error });
  });
});

import { describe, expect, jest, test } from '@jest/globals';
import { burntValue, type FlowRecord, readEnvelope } from '../../lib/flow/record.js';
import { newSecret, sha256 } from '../../lib/flow/secrets.js';
import { createShelf, type Held } from '../../lib/flow/records.js';
import type { FlowStore } from '../../lib/contracts/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { testClock } from '../support/clock.js';

const clock = testClock();

function pending(more: Partial<FlowRecord> = {}): FlowRecord {
  const startedAt = clock().getTime();
  return {
    status: 'pending',
    request: 'default',
    issuer: 'xx-test',
    variant: 'derived',
    reveal: ['given_name'],
    derived: {},
    startedAt,
    expiresAt: startedAt + 600_000,
    origin: 'https://app.example',
    refused: [],
    ...more,
  };
}

/** A shelf whose stored values the test can see and change. */
function open(path = '/identity', store: FlowStore = memoryStore({ clock })) {
  return { shelf: createShelf(store, path, clock, 600_000), store };
}

function held(read: Held | 'burnt' | undefined): Held {
  if (read === undefined || read === 'burnt') throw new Error(`Not held: ${read}`);
  return read;
}

describe('the shelf', () => {
  test('a record comes back as it was put there, and its value tells nothing of it', async () => {
    const { shelf, store } = open();
    const state = newSecret();
    await shelf.create(state, pending({ context: { order: 'marker-order' } }));
    expect(held(await shelf.read(state)).record).toEqual(pending({ context: { order: 'marker-order' } }));
    const value = (await store.read(shelf.idOf(state)))?.value ?? '';
    for (const text of [state, 'marker-order', 'given_name', 'app.example', 'pending']) {
      expect(value).not.toContain(text);
      expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain(text);
    }
  });

  test('two factories on one store never meet: the path is part of every derivation', async () => {
    const { shelf, store } = open('/identity');
    const other = open('/age', store).shelf;
    const state = newSecret();
    await shelf.create(state, pending());
    expect(other.idOf(state)).not.toBe(shelf.idOf(state));
    expect(await other.read(state)).toBeUndefined();
  });

  test('F35 one changed character makes the record unreadable, wherever it stands', async () => {
    const { shelf, store } = open();
    const state = newSecret();
    await shelf.create(state, pending({ status: 'verified', code: sha256('x') }));
    const id = shelf.idOf(state);
    const value = (await store.read(id))?.value ?? '';
    expect(value.length).toBeGreaterThan(200);
    let version = 1;
    for (let at = 0; at < value.length; at += 1) {
      for (const other of [value[at] === 'A' ? 'B' : 'A', value[at] === '.' ? '-' : '.']) {
        await store.replace(id, version, value.slice(0, at) + other + value.slice(at + 1), 600_000);
        version += 1;
        expect([at, other, await shelf.read(state)]).toEqual([at, other, undefined]);
      }
    }
    await store.replace(id, version, value, 600_000);
    expect(held(await shelf.read(state)).record.status).toBe('verified');
  });

  test('F35 a value under another id, or with another turn, does not open', async () => {
    const { shelf, store } = open();
    const [one, two] = [newSecret(), newSecret()];
    await shelf.create(one, pending());
    await shelf.create(two, pending());
    const value = (await store.read(shelf.idOf(one)))?.value ?? '';
    await store.replace(shelf.idOf(two), 1, value, 600_000);
    expect(await shelf.read(two)).toBeUndefined();
    await store.replace(shelf.idOf(one), 1, value.replace(/^1\.0\./, '1.1.'), 600_000);
    expect(await shelf.read(one)).toBeUndefined();
  });

  test('every sealing is fresh: the same record twice gives two values', async () => {
    const { shelf, store } = open();
    const state = newSecret();
    await shelf.create(state, pending());
    const before = (await store.read(shelf.idOf(state)))?.value;
    await shelf.replace(state, held(await shelf.read(state)), pending());
    expect((await store.read(shelf.idOf(state)))?.value).not.toBe(before);
  });

  test('a write over what another has written is lost, and says so', async () => {
    const { shelf } = open();
    const state = newSecret();
    await shelf.create(state, pending());
    const first = held(await shelf.read(state));
    const second = await shelf.replace(state, first, pending({ request: 'one' }));
    expect(await shelf.replace(state, first, pending({ request: 'two' }))).toBeUndefined();
    expect(held(await shelf.read(state)).record.request).toBe('one');
    // Who has written may write again without reading.
    expect(await shelf.replace(state, held(second), pending({ request: 'three' }))).toBeDefined();
  });

  test('the deadline inside the record counts, whatever the store still holds', async () => {
    const { shelf, store } = open('/identity', memoryStore({ clock: () => new Date(0) }));
    const state = newSecret();
    await shelf.create(state, pending({ expiresAt: clock().getTime() + 1 }));
    expect(held(await shelf.read(state)).record.status).toBe('pending');
    clock.forward(1);
    expect(await shelf.read(state)).toBeUndefined();
    expect(await store.read(shelf.idOf(state))).toBeDefined();
  });

  test('only the right code burns, once, and only while the flow is verified', async () => {
    const { shelf, store } = open();
    const [state, secret] = [newSecret(), newSecret()];
    const id = shelf.idOf(state);
    await shelf.create(state, pending({ code: sha256(secret) }));
    expect(await shelf.burn(id, secret)).toBe(false);
    await shelf.replace(
      state,
      held(await shelf.read(state)),
      pending({ status: 'verified', code: sha256(secret) }),
    );
    expect(await shelf.burn(id, newSecret())).toBe(false);
    expect(await shelf.burn(newSecret(), secret)).toBe(false);
    expect(await shelf.burn(id, secret)).toBe(true);
    expect(await shelf.burn(id, secret)).toBe(false);
    expect(await shelf.read(state)).toBe('burnt');
    expect((await store.read(id))?.value).toBe(burntValue);
  });

  test('a burning that loses a race against another write tries again', async () => {
    const inner = memoryStore({ clock });
    let lost = 0;
    const { shelf } = open('/identity', {
      ...inner,
      replace: async (...args) => {
        if (args[2] === burntValue && lost === 0) {
          lost += 1;
          return false;
        }
        return await inner.replace(...args);
      },
    });
    const [state, secret] = [newSecret(), newSecret()];
    await shelf.create(state, pending({ status: 'verified', code: sha256(secret) }));
    expect(await shelf.burn(shelf.idOf(state), secret)).toBe(true);
    expect(lost).toBe(1);
  });

  test('a store that refuses to replace what it shows is broken, and nobody waits for it', async () => {
    const inner = memoryStore({ clock });
    const { shelf } = open('/identity', { ...inner, replace: async () => false });
    const [state, secret] = [newSecret(), newSecret()];
    await shelf.create(state, pending({ status: 'verified', code: sha256(secret) }));
    await expect(shelf.burn(shelf.idOf(state), secret)).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('a store that never answers is store_unavailable', async () => {
    jest.useFakeTimers();
    try {
      const { shelf } = open('/identity', {
        ...memoryStore(),
        read: async () => await new Promise(() => {}),
      });
      const failed = shelf.read(newSecret()).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(5_000);
      expect(await failed).toMatchObject({
        code: 'store_unavailable',
        message: 'The flow store did not answer in time.',
      });
    } finally {
      jest.useRealTimers();
    }
  });

  test.each([
    [
      'rejects',
      Object.assign(new Error('secret of the store'), { code: 'ECONNREFUSED' }),
      'failed (ECONNREFUSED)',
    ],
    ['rejects with something odd', { code: 'not a code: secret' }, 'failed'],
    ['rejects with nothing', undefined, 'failed'],
  ])('a store that %s is store_unavailable, and its own words go nowhere', async (_, fault, said) => {
    const down = async (): Promise<never> => await Promise.reject(fault as Error);
    const { shelf } = open('/identity', { create: down, read: down, replace: down, delete: down });
    const wanted = { code: 'store_unavailable', status: 503, message: `The flow store ${said}.` };
    await expect(shelf.read('x')).rejects.toMatchObject(wanted);
    await expect(shelf.create('x', pending())).rejects.toMatchObject(wanted);
    await expect(shelf.remove('x')).rejects.toMatchObject(wanted);
    await expect(shelf.burn('x', 'y')).rejects.toMatchObject(wanted);
    expect(await shelf.read('x').catch((error: Error) => error.cause)).toBeUndefined();
  });

  test('a store that says a new id is taken is broken', async () => {
    const { shelf } = open();
    const state = newSecret();
    await shelf.create(state, pending());
    await expect(shelf.create(state, pending())).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test.each(['', 'nonsense', '1.0', '2.0..abc', '1.0..a.b', 'a.b.c'])('%j is no value of ours', (value) => {
    expect(readEnvelope(value)).toBeUndefined();
  });
});

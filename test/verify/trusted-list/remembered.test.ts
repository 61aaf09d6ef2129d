import { expect, test } from '@jest/globals';
import { memoryStore } from '../../../lib/stores/memory.js';
import { clock } from '../../support/verify/issuer.js';
import { day, processOf, signed, trusting, whyUnusable } from '../../support/verify/lists.js';

test('F85 L08 a store that has lost its record does not take the process back to an older list', async () => {
  const store = memoryStore({ clock });
  const ids = new Set<string>();
  const create: typeof store.create = async (id, value, ttlMs) => {
    ids.add(id);
    return await store.create(id, value, ttlMs);
  };
  const { judge, publish, wait } = processOf(trusting({ store: { ...store, create }, maxStale: '1h' }));
  publish(await signed({ sequence: 8 }));
  expect(await judge()).toBe('valid');
  for (const id of ids) await store.delete(id);
  wait(day);
  publish(await signed({ sequence: 7 }));
  expect(whyUnusable(await judge())).toBe('L08 it is older than a list that was accepted before.');
  publish(await signed({ sequence: 9 }));
  wait(day);
  expect(await judge()).toBe('valid');
  // The store has it again, for the next process.
  const next = processOf(trusting({ store }));
  next.publish(await signed({ sequence: 8 }));
  expect(whyUnusable(await next.judge())).toBe('L08 it is older than a list that was accepted before.');
});

test('F85 L08 a store that was put back does not take the process back to an older list', async () => {
  const store = memoryStore({ clock });
  const older = processOf(trusting({ store, maxStale: '1h' }));
  older.publish(await signed({ sequence: 7 }));
  expect(await older.judge()).toBe('valid');
  const backup = new Map<string, string>();
  const read: typeof store.read = async (id) => {
    const found = await store.read(id);
    if (found !== undefined && !backup.has(id)) backup.set(id, found.value);
    const value = backup.get(id);
    return found === undefined || value === undefined ? found : { ...found, value };
  };
  const { judge, publish, wait } = processOf(trusting({ store: { ...store, read }, maxStale: '1h' }));
  publish(await signed({ sequence: 8 }));
  expect(await judge()).toBe('valid');
  wait(day);
  publish(await signed({ sequence: 7 }));
  expect(whyUnusable(await judge())).toBe('L08 it is older than a list that was accepted before.');
});

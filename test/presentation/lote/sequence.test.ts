import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../../lib/errors.js';
import type { FlowStore } from '../../../lib/contracts/store.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { clock } from '../issuer.js';
import { thrown } from '../verdicts.js';
import { certify } from '../certificates.js';
import {
  day,
  goodHeader,
  listOf,
  processOf,
  signed,
  signedUnder,
  signer,
  trusting,
  url,
  whyUnusable,
} from './lists.js';

const other = certify({ subject: 'Other Root', isCa: true });
const withoutRoot = [{ services: [{ certificates: [other] }] }];
const older = 'L08 it is older than a list that was accepted before.';
const another = 'L09 it has the sequence number of another list that was accepted before.';
const id = `lote-${createHash('sha256').update(url).digest('base64url')}`;

/** A process that has accepted a list, and whose list is then another. */
async function after(first: string, second: string, trust = trusting({ maxStale: '1h' })): Promise<string> {
  const { judge, publish, wait } = processOf(trust);
  publish(first);
  expect(await judge()).toBe('valid');
  wait(day);
  publish(second);
  return whyUnusable(await judge());
}

/** Another process that begins with this store. */
async function restarted(store: FlowStore, list: string, lote: object = {}): Promise<string> {
  const { judge, publish } = processOf(trusting({ store, ...lote }));
  publish(list);
  return whyUnusable(await judge());
}

const newStore = () => memoryStore({ clock });

describe('L08 the sequence never goes back', () => {
  test('L08 not while the process runs', async () => {
    expect(await after(await signed(), await signed({ sequence: 6 }))).toBe(older);
    expect(await after(await signed(), await signed({ sequence: 8 }))).toBe('valid');
  });

  test('L08 nor does the issue date under a higher number', async () => {
    expect(await after(await signed(), await signed({ sequence: 8, issued: -day - 1 }))).toBe(older);
    expect(await after(await signed(), await signed({ sequence: 8, issued: -day }))).toBe('valid');
  });

  test('L08 not below minSequence', async () => {
    const by = async (minSequence: number) => {
      const { judge, publish } = processOf(trusting({ minSequence }));
      publish(await signed());
      return whyUnusable(await judge());
    };
    expect(await by(7)).toBe('valid');
    expect(await by(8)).toBe('L08 its sequence number is below minSequence.');
  });

  test('L08 not across a restart, with a store', async () => {
    const store = newStore();
    expect(await restarted(store, await signed())).toBe('valid');
    expect(await restarted(store, await signed({ sequence: 6 }))).toBe(older);
    expect(await restarted(store, await signed({ sequence: 8, issued: -day - 1 }))).toBe(older);
    expect(await restarted(store, await signed({ sequence: 8 }))).toBe('valid');
    expect(await restarted(store, await signed())).toBe(older);
    expect(await restarted(newStore(), await signed())).toBe('valid');
  });

  test('L08 of two processes, the one with the older list refuses it at its next fetch', async () => {
    const store = newStore();
    const first = processOf(trusting({ store, maxStale: '1h' }));
    first.publish(await signed());
    expect(await first.judge()).toBe('valid');
    expect(await restarted(store, await signed({ sequence: 8 }))).toBe('valid');
    first.wait(day);
    expect(whyUnusable(await first.judge())).toBe(older);
  });

  test('L08 a list that was overtaken while it was being judged', async () => {
    const inner = newStore();
    const value = JSON.stringify({ sequence: 8, issued: 0, digest: 'a' });
    let reads = 0;
    const store: FlowStore = {
      ...inner,
      async read(key) {
        reads += 1;
        if (reads === 2) await inner.create(key, value, day);
        return await inner.read(key);
      },
    };
    expect(await restarted(store, await signed())).toBe(older);
    expect(await inner.read(id)).toMatchObject({ value });
  });

  test('L08 two processes write the same list at once', async () => {
    const inner = newStore();
    let isFirst = true;
    const store: FlowStore = {
      ...inner,
      async create(key, value, ttl) {
        if (isFirst) await inner.create(key, value, ttl);
        isFirst = false;
        return await inner.create(key, value, ttl);
      },
    };
    expect(await restarted(store, await signed())).toBe('valid');
    expect(await inner.read(id)).toMatchObject({ version: 1 });
  });

  test.each(['', '{', '[]', '{"sequence":"8"}', '{"sequence":8,"issued":0}'])(
    'L08 a memory that cannot be read refuses all: %j',
    async (value) => {
      const store = newStore();
      await store.create(id, value, day);
      expect(await restarted(store, await signed())).toMatch(/^L08 the remembered sequence number/);
    },
  );
});

describe('L09 one sequence number is one list', () => {
  test('L09 other bytes under the same number', async () => {
    expect(await after(await signed(), await signed({ entities: withoutRoot }))).toBe(another);
    const store = newStore();
    expect(await restarted(store, await signed())).toBe('valid');
    expect(await restarted(store, await signed({ nextUpdate: 91 * day }))).toBe(another);
  });

  test('L09 the same list signed anew is the same', async () => {
    expect(
      await after(await signed(), signedUnder({ ...goodHeader, kid: 'another' }, listOf(), signer)),
    ).toBe('valid');
  });
});

describe('a store that fails', () => {
  const failing = (name: 'read' | 'create', error: Error): FlowStore => ({
    ...newStore(),
    [name]: async () => await Promise.reject(error),
  });

  test.each(['read', 'create'] as const)('L08 %s: there is no verdict', async (name) => {
    const away = new Error('away');
    const own = new IdentityError('store_unavailable');
    const run = (error: Error) => async () => await restarted(failing(name, error), await signed());
    expect(await thrown(run(away))).toMatchObject({ code: 'store_unavailable', cause: away });
    expect(await thrown(run(own))).toBe(own);
  });

  test('F50 one that refuses the very version that it shows', async () => {
    const inner = newStore();
    await inner.create(id, JSON.stringify({ sequence: 6, issued: 0, digest: 'a' }), day);
    const store: FlowStore = { ...inner, replace: async () => await Promise.resolve(false) };
    expect(await thrown(async () => await restarted(store, await signed()))).toMatchObject({
      code: 'store_unavailable',
    });
  });

  test.each([null, 7, {}, { read: () => 1, create: () => 1 }])(
    'K16 the store %j is refused',
    async (store) => {
      expect(await thrown(() => processOf(trusting({ store })))).toMatchObject({
        code: 'config_invalid',
        message: expect.stringMatching(/\.lote\.store must have the functions create, read, replace/),
      });
    },
  );
});

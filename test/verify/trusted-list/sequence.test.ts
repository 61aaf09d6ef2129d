import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../../lib/errors.js';
import type { FlowStore } from '../../../lib/types/store.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { clock } from '../../support/verify/issuer.js';
import { thrown } from '../../support/verify/verdicts.js';
import { root } from '../../support/verify/chains.js';
import { type Authority, certify, pemOf } from '../../support/verify/certificates.js';
import {
  day,
  goodHeader,
  listOf,
  type ListPlan,
  operator,
  processOf,
  signed,
  signedUnder,
  signer,
  trusting,
  url,
  whyUnusable,
} from '../../support/verify/lists.js';

const other = certify({ subject: 'Other Root', isCa: true });
const withoutRoot = [{ services: [{ certificates: [other] }] }];
const older = 'L08 it is older than a list that was accepted before.';
const another = 'L09 it has the sequence number of another list that was accepted before.';
const id = `lote-numbers-${createHash('sha256').update(url).digest('base64url')}`;
const keyIdOf = ({ keys }: Authority): string =>
  createHash('sha256')
    .update(JSON.stringify(keys.publicKey.export({ format: 'jwk' })))
    .digest('base64url');
const keyId = keyIdOf(signer);

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
    const value = JSON.stringify({ [keyId]: { sequence: 8, issued: 0, digest: 'a' } });
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

  test.each([
    '',
    '{',
    '[]',
    '{}',
    '{"sequence":8,"issued":0,"digest":"a"}',
    '{"a":{"sequence":8,"issued":0}}',
    '{"a":{"sequence":"8","issued":0,"digest":"a"}}',
    '{"a":null}',
  ])('L08 a memory that cannot be read refuses all: %j', async (value) => {
    const store = newStore();
    await store.create(id, value, day);
    expect(await restarted(store, await signed())).toMatch(/^L08 the remembered sequence number/);
  });
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

describe('L08 a store that has lost its record', () => {
  test('F85 L08 what the process knows counts, and is remembered again', async () => {
    const store = newStore();
    const { judge, publish, wait } = processOf(trusting({ store, maxStale: '1h' }));
    publish(await signed());
    expect(await judge()).toBe('valid');
    await store.delete(id);
    wait(day);
    publish(await signed({ sequence: 6 }));
    expect(whyUnusable(await judge())).toBe(older);
    publish(await signed({ sequence: 8 }));
    wait(day);
    expect(await judge()).toBe('valid');
    expect(JSON.parse((await store.read(id))?.value ?? '')).toMatchObject({ [keyId]: { sequence: 8 } });
  });
});

describe('F80 the memory of numbers is one for each signing key', () => {
  const next = certify({ subject: 'Next Signer', issuer: operator });
  const both = { signers: [pemOf(signer), pemOf(next)] };
  const theirs = { signers: [pemOf(next)] };

  /** The verdicts under lists of one signer or the other, published in this order to processes of one store. */
  async function inOrder(lote: object, ...lists: [plan: ListPlan, by: Authority][]): Promise<string[]> {
    const store = newStore();
    const verdicts: string[] = [];
    for (const [plan, by] of lists) {
      verdicts.push((await restarted(store, await signed(plan, by), lote)).slice(0, 5));
    }
    return verdicts;
  }

  test('F80 a new signer begins anew, and then goes up', async () => {
    expect(
      await inOrder(
        both,
        [{ sequence: 7 }, signer],
        [{ sequence: 1, issued: -1000 }, next],
        [{ sequence: 2, issued: -900 }, next],
        [{ sequence: 1, issued: -800 }, next],
        [{ sequence: 2, issued: -800, nextUpdate: day }, next],
      ),
    ).toEqual(['valid', 'valid', 'valid', 'L08 i', 'L09 i']);
  });

  test('F80 the issue time never goes back from one key to the other', async () => {
    const older = { sequence: 9, issued: -day - 1 };
    expect(await inOrder(both, [{}, signer], [older, next])).toEqual(['valid', 'L08 i']);
    expect(await inOrder(both, [{}, signer], [{ issued: -1000 }, next], [{}, signer])).toEqual([
      'valid',
      'valid',
      'L08 i',
    ]);
    expect(await inOrder(both, [{}, signer], [{ issued: -1000 }, next], [{ sequence: 8 }, signer])).toEqual([
      'valid',
      'valid',
      'L08 i',
    ]);
    expect(
      await inOrder(both, [{}, signer], [{ issued: -1000 }, next], [{ sequence: 8, issued: -1000 }, signer]),
    ).toEqual(['valid', 'valid', 'valid']);
  });

  test('F80 a number that was once too high is undone by another key alone', async () => {
    const store = newStore();
    const highest = { sequence: Number.MAX_SAFE_INTEGER };
    const after = { sequence: 1, issued: -1000 };
    expect(await restarted(store, await signed(highest))).toBe('valid');
    expect(await restarted(store, await signed(after))).toBe(older);
    expect(await restarted(store, await signed(after, next))).toMatch(/^L05 /);
    expect(await restarted(store, await signed(after, next), theirs)).toBe('valid');
    expect(await restarted(store, await signed(after))).toBe(older);
  });

  test('F80 what a key that signs no more has issued is no bound, and is not forgotten', async () => {
    const store = newStore();
    expect(await restarted(store, await signed({ issued: -1000 }))).toBe('valid');
    expect(await restarted(store, await signed({ sequence: 1 }, next), theirs)).toBe('valid');
    expect(await restarted(store, await signed({ sequence: 6, issued: -900 }), both)).toBe(older);
    expect(JSON.parse((await store.read(id))?.value ?? '')).toMatchObject({
      [keyId]: { sequence: 7 },
      [keyIdOf(next)]: { sequence: 1 },
    });
  });

  test('F80 a key is one, in however many certificates it is', async () => {
    const renewed = certify({ subject: 'Renewed Signer', issuer: operator, keys: signer.keys });
    const store = newStore();
    expect(await restarted(store, await signed())).toBe('valid');
    const lote = { signers: [pemOf(renewed)] };
    expect(await restarted(store, await signed({ sequence: 6 }, renewed), lote)).toBe(older);
  });

  test('F80 without a store too, while the process runs', async () => {
    const { judge, publish, wait } = processOf(trusting({ ...both, maxStale: '1h' }));
    const verdicts: string[] = [];
    for (const [plan, by] of [
      [{}, signer],
      [{ sequence: 1, issued: -1000 }, next],
      [{ sequence: 8 }, signer],
    ] as const) {
      publish(await signed(plan, by));
      verdicts.push(whyUnusable(await judge()).slice(0, 5));
      wait(2 * 3_600_000);
    }
    expect(verdicts).toEqual(['valid', 'valid', 'L08 i']);
  });

  test('F80 L19 anchors of the configuration never come back by another signer', async () => {
    const store = newStore();
    expect(await restarted(store, await signed())).toBe('valid');
    const interim = { anchors: [pemOf(root)], anchorsValidUntil: new Date(clock().getTime() + day) };
    const away = async (withStore: FlowStore) => {
      const { judge, publish } = processOf(trusting({ store: withStore, ...theirs }, interim));
      publish(() => new Response('', { status: 503 }));
      return whyUnusable(await judge());
    };
    expect(await away(newStore())).toBe('valid');
    expect(await away(store)).toMatch(/^L17 /);
  });
});

describe('F80 dangerouslyAllow', () => {
  const reset = { dangerouslyAllow: ['sequence-reset'], maxStale: '1h' };
  const afterReset = async (first: ListPlan, second: ListPlan) =>
    await after(await signed(first), await signed(second), trusting(reset));

  test.each<[what: string, plan: ListPlan]>([
    ['a lower number', { sequence: 6, issued: -1000 }],
    ['the same number with new content', { issued: -1000, entities: [{}, {}] }],
    ['a higher number', { sequence: 8, issued: -1000 }],
    ['a higher number of the same time', { sequence: 7, issued: -day }],
  ])('F80 sequence-reset: %s counts if it was issued later, or is the same', async (_, plan) => {
    expect(await afterReset({}, plan)).toBe('valid');
  });

  test.each<[what: string, plan: ListPlan, refusal: string]>([
    ['a higher number', { sequence: 8, issued: -day - 1 }, older],
    ['the same number', { issued: -day - 1 }, older],
    [
      'another list of the same time',
      { sequence: 8 },
      'L09 it has the issue time of another list that was accepted before.',
    ],
  ])('F80 sequence-reset: %s does not count if it was issued earlier', async (_, plan, refusal) => {
    expect(await afterReset({}, plan)).toBe(refusal);
  });

  test('F80 sequence-reset: the issue time never goes back across a restart either', async () => {
    const store = newStore();
    const judged = async (plan: ListPlan) => await restarted(store, await signed(plan), reset);
    expect(await judged({ sequence: 9, issued: -2000 })).toBe('valid');
    expect(await judged({ sequence: 1, issued: -1000 })).toBe('valid');
    expect(await judged({ sequence: 9, issued: -2000 })).toBe(older);
    expect(await judged({ sequence: 10, issued: -1001 })).toBe(older);
    expect(await judged({ sequence: 1, issued: -1000 })).toBe('valid');
  });

  test('F80 sequence-reset: minSequence holds all the same', async () => {
    expect(
      await after(
        await signed(),
        await signed({ sequence: 6, issued: -1000 }),
        trusting({ ...reset, minSequence: 7 }),
      ),
    ).toBe('L08 its sequence number is below minSequence.');
  });

  test('F80 long-validity: 400 days, and no more', async () => {
    const long = { dangerouslyAllow: ['long-validity'] };
    const judged = async (nextUpdate: number, lote: object) =>
      await restarted(newStore(), await signed({ nextUpdate }), lote);
    expect(await judged(400 * day, long)).toBe('valid');
    expect(await judged(400 * day + 1, long)).toBe('L11 its next update is more than 400 days ahead.');
    expect(await judged(365 * day, {})).toBe('L11 its next update is more than 184 days ahead.');
  });

  test('F80 each by name: one does not allow the other', async () => {
    const long = { dangerouslyAllow: ['long-validity'], maxStale: '1h' };
    expect(await after(await signed(), await signed({ sequence: 6, issued: -1000 }), trusting(long))).toBe(
      older,
    );
    expect(await restarted(newStore(), await signed({ nextUpdate: 365 * day }), reset)).toMatch(/^L11 /);
    const all = { dangerouslyAllow: ['sequence-reset', 'long-validity'], maxStale: '1h' };
    expect(
      await after(
        await signed(),
        await signed({ sequence: 6, issued: -1000, nextUpdate: 365 * day }),
        trusting(all),
      ),
    ).toBe('valid');
  });

  test.each([
    ['a text', 'sequence-reset', /dangerouslyAllow must be a list/],
    ['true', true, /dangerouslyAllow must be a list/],
    ['nothing', [], /dangerouslyAllow must be a list that is not empty/],
    [
      'another name',
      ['sequence-reset', 'no-signature'],
      /dangerouslyAllow may have sequence-reset and long-validity, and nothing else\.$/,
    ],
    ['another spelling', ['Sequence-Reset'], /dangerouslyAllow may have /],
    ['a name of an object', ['toString'], /dangerouslyAllow may have /],
  ])('F80 %s is refused at construction', async (_, dangerouslyAllow, message) => {
    expect(await thrown(() => processOf(trusting({ dangerouslyAllow })))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
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
    await inner.create(id, JSON.stringify({ [keyId]: { sequence: 6, issued: 0, digest: 'a' } }), day);
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
        message: expect.stringMatching(/\.trustedList\.store must have the functions create, read, replace/),
      });
    },
  );
});

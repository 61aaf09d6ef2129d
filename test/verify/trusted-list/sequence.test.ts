import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type FlowStore, IdentityError, memoryStore } from '../../../lib/index.js';
import { type Authority, certify, pemOf } from '../../support/verify/certificates.js';
import { caOf, root } from '../../support/verify/chains.js';
import { clock } from '../../support/verify/issuer.js';
import { type ListPlan, day, entitiesOf, goodHeader, judgeUnder } from '../../support/verify/lists.js';
import { listOf, operator, signed, signedUnder, signer, startProcess } from '../../support/verify/lists.js';
import { trusting, url } from '../../support/verify/lists.js';
import { judgeEach, judgeValues, refuseEach, refuseValues, thrown } from '../../support/verify/verdicts.js';

const older = 'L08 it is older than a list that was accepted before.';
const another = 'L09 it has the sequence number of another list that was accepted before.';
const id = `lote-numbers-${createHash('sha256').update(url).digest('base64url')}`;
const keyIdOf = ({ keys }: Authority): string =>
  createHash('sha256')
    .update(JSON.stringify(keys.publicKey.export({ format: 'jwk' })))
    .digest('base64url');
const keyId = keyIdOf(signer);
const newStore = () => memoryStore({ clock });
const hour = { maxStale: '1h' };

type Signed = readonly [plan?: ListPlan, by?: Authority];

/** What is said of a list by a process that has accepted another before. */
async function after(second: Signed | string, lote: object = {}, ...first: Signed): Promise<string> {
  const { judge, publish, wait } = startProcess(trusting({ ...hour, ...lote }));
  publish(await signed(...first));
  expect(await judge()).toBe('valid');
  wait(day);
  publish(typeof second === 'string' ? second : await signed(...second));
  return await judge();
}

/** The same by another process that begins with this store. */
const restarted = async (store: FlowStore, list: Signed = [], lote: object = {}): Promise<string> =>
  await judgeUnder(await signed(...list), trusting({ store, ...lote }));

/** The verdicts under lists that are published in this order to processes of one store. */
async function inOrder(lote: object, ...lists: Signed[]): Promise<string[]> {
  const store = newStore();
  const verdicts: string[] = [];
  for (const list of lists) verdicts.push((await restarted(store, list, lote)).slice(0, 5));
  return verdicts;
}
const remembered = async (store: FlowStore) => JSON.parse((await store.read(id))?.value ?? '') as unknown;

describe('L08 the sequence never goes back, L09 and one sequence number is one list', () => {
  judgeEach(after, {
    'L08 not while the process runs': [older, [{ sequence: 6 }]],
    'L08 a higher number is good': ['valid', [{ sequence: 8 }]],
    'L08 nor does the issue date under a higher number': [older, [{ sequence: 8, issued: -day - 1 }]],
    'L08 the same issue date under a higher number is good': ['valid', [{ sequence: 8, issued: -day }]],
    'L09 other bytes under the same number': [another, [{ entities: entitiesOf(caOf('Other Root')) }]],
    'L09 the same, signed anew': ['valid', signedUnder({ ...goodHeader, kid: 'another' }, listOf(), signer)],
  });
  judgeEach(async (minSequence: number) => await judgeUnder(await signed(), trusting({ minSequence })), {
    'L08 not below minSequence': ['L08 its sequence number is below minSequence.', 8],
    'L08 not above minSequence is good': ['valid', 7],
  });

  test('L08 not across a restart, with a store', async () => {
    const lists: Signed[] = [
      [],
      [{ sequence: 6 }],
      [{ sequence: 8, issued: -day - 1 }],
      [{ sequence: 8 }],
      [],
    ];
    expect(await inOrder({}, ...lists)).toEqual(['valid', 'L08 i', 'L08 i', 'valid', 'L08 i']);
  });

  test('L09 not across a restart, with a store', async () => {
    expect(await inOrder({}, [], [{ nextUpdate: 91 * day }])).toEqual(['valid', 'L09 i']);
  });

  test('L08 of two processes, the one with the older list refuses it at its next fetch', async () => {
    const store = newStore();
    const first = startProcess(trusting({ store, ...hour }));
    first.publish(await signed());
    expect(await first.judge()).toBe('valid');
    expect(await restarted(store, [{ sequence: 8 }])).toBe('valid');
    first.wait(day);
    expect(await first.judge()).toBe(older);
  });

  test('L08 a list that was overtaken while it was being judged', async () => {
    const inner = newStore();
    const value = JSON.stringify({ [keyId]: { sequence: 8, issued: 0, digest: 'a' } });
    let reads = 0;
    const read: FlowStore['read'] = async (key) => {
      reads += 1;
      if (reads === 2) await inner.create(key, value, day);
      return await inner.read(key);
    };
    expect(await restarted({ ...inner, read })).toBe(older);
    expect(await inner.read(id)).toMatchObject({ value });
  });

  test('L08 two processes write the same list at once', async () => {
    const inner = newStore();
    let isFirst = true;
    const create: FlowStore['create'] = async (...record) => {
      if (isFirst) await inner.create(...record);
      isFirst = false;
      return await inner.create(...record);
    };
    expect(await restarted({ ...inner, create })).toBe('valid');
    expect(await inner.read(id)).toMatchObject({ version: 1 });
  });

  const broken = [
    '',
    '{',
    '[]',
    '{}',
    '{"sequence":8,"issued":0,"digest":"a"}',
    '{"a":{"sequence":8,"issued":0}}',
    '{"a":{"sequence":"8","issued":0,"digest":"a"}}',
    '{"a":null}',
  ];
  judgeValues(
    'L08 a memory that cannot be read refuses all: %j',
    broken,
    /^L08 the remembered sequence number/,
    async (value) => {
      const store = newStore();
      await store.create(id, value, day);
      return await restarted(store);
    },
  );
});

describe('F85 L08 a store that has lost its record', () => {
  test('F85 L08 does not take the process back to an older list, and is told again what the process knows', async () => {
    const store = newStore();
    const { judge, publish, wait } = startProcess(trusting({ store, ...hour }));
    publish(await signed());
    expect(await judge()).toBe('valid');
    await store.delete(id);
    wait(day);
    publish(await signed({ sequence: 6 }));
    expect(await judge()).toBe(older);
    publish(await signed({ sequence: 8 }));
    wait(day);
    expect(await judge()).toBe('valid');
    expect(await remembered(store)).toMatchObject({ [keyId]: { sequence: 8 } });
    expect(await restarted(store)).toBe(older);
  });

  test('F85 L08 a store that was put back does not take the process back to an older list', async () => {
    const store = newStore();
    expect(await restarted(store)).toBe('valid');
    const backup = new Map<string, string>();
    const read: typeof store.read = async (key) => {
      const record = await store.read(key);
      if (record !== undefined && !backup.has(key)) backup.set(key, record.value);
      return record && { ...record, value: backup.get(key) ?? '' };
    };
    expect(await after([], { store: { ...store, read } }, { sequence: 8 })).toBe(older);
  });
});

describe('F80 the memory of numbers is one for each signing key', () => {
  const next = certify({ subject: 'Next Signer', issuer: operator });
  const both = { signers: [pemOf(signer), pemOf(next)] };
  const theirs = { signers: [pemOf(next)] };
  const later: Signed = [{ issued: -1000 }, next];

  test.each<[what: string, lists: Signed[], verdicts: string[]]>([
    [
      'a new signer begins anew, and then goes up',
      [
        [{ sequence: 7 }],
        [{ sequence: 1, issued: -1000 }, next],
        [{ sequence: 2, issued: -900 }, next],
        [{ sequence: 1, issued: -800 }, next],
        [{ sequence: 2, issued: -800, nextUpdate: day }, next],
      ],
      ['valid', 'valid', 'valid', 'L08 i', 'L09 i'],
    ],
    ['the time goes back to no key', [[], [{ sequence: 9, issued: -day - 1 }, next]], ['valid', 'L08 i']],
    ['the time never goes back to the first key', [[], later, []], ['valid', 'valid', 'L08 i']],
    ['the time goes back under no number', [[], later, [{ sequence: 8 }]], ['valid', 'valid', 'L08 i']],
    ['the time may stay', [[], later, [{ sequence: 8, issued: -1000 }]], ['valid', 'valid', 'valid']],
  ])('F80 %s', async (_, lists, verdicts) => {
    expect(await inOrder(both, ...lists)).toEqual(verdicts);
  });

  test('F80 a number that was once too high is undone by another key alone', async () => {
    const store = newStore();
    const low = { sequence: 1, issued: -1000 };
    expect(await restarted(store, [{ sequence: Number.MAX_SAFE_INTEGER }])).toBe('valid');
    expect(await restarted(store, [low])).toBe(older);
    expect(await restarted(store, [low, next])).toMatch(/^L05 /);
    expect(await restarted(store, [low, next], theirs)).toBe('valid');
    expect(await restarted(store, [low])).toBe(older);
  });

  test('F80 what a key that signs no more has issued is no bound, and is not forgotten', async () => {
    const store = newStore();
    expect(await restarted(store, [{ issued: -1000 }])).toBe('valid');
    expect(await restarted(store, [{ sequence: 1 }, next], theirs)).toBe('valid');
    expect(await restarted(store, [{ sequence: 6, issued: -900 }], both)).toBe(older);
    expect(await remembered(store)).toMatchObject({
      [keyId]: { sequence: 7 },
      [keyIdOf(next)]: { sequence: 1 },
    });
  });

  test('F80 a key is one, in however many certificates it is', async () => {
    const renewed = certify({ subject: 'Renewed Signer', issuer: operator, keys: signer.keys });
    const store = newStore();
    expect(await restarted(store)).toBe('valid');
    expect(await restarted(store, [{ sequence: 6 }, renewed], { signers: [pemOf(renewed)] })).toBe(older);
  });

  test('F80 without a store too, while the process runs', async () => {
    const { judge, publish, wait } = startProcess(trusting({ ...both, ...hour }));
    const verdicts: string[] = [];
    const lists: Signed[] = [[], [{ sequence: 1, issued: -1000 }, next], [{ sequence: 8 }]];
    for (const list of lists) {
      publish(await signed(...list));
      verdicts.push((await judge()).slice(0, 5));
      wait(2 * 3_600_000);
    }
    expect(verdicts).toEqual(['valid', 'valid', 'L08 i']);
  });

  test('F80 L19 anchors of the configuration never come back by another signer', async () => {
    const store = newStore();
    expect(await restarted(store)).toBe('valid');
    const interim = { anchors: [pemOf(root)], anchorsValidUntil: new Date(clock().getTime() + day) };
    const away = async (withStore: FlowStore) => {
      const { judge, publish } = startProcess(trusting({ store: withStore, ...theirs }, interim));
      publish(() => new Response('', { status: 503 }));
      return await judge();
    };
    expect(await away(newStore())).toBe('valid');
    expect(await away(store)).toMatch(/^L17 /);
  });
});

describe('F80 dangerouslyAllow', () => {
  const allowing = (...dangerouslyAllow: string[]) => ({ dangerouslyAllow });
  const reset = allowing('sequence-reset');
  const long = allowing('long-validity');
  const lower = { sequence: 6, issued: -1000 };
  const sameTime = 'L09 it has the issue time of another list that was accepted before.';
  const aYear = { nextUpdate: 365 * day };

  judgeEach(after, {
    'F80 sequence-reset: a lower number counts if it was issued later': ['valid', [lower], reset],
    'F80 sequence-reset: so does the same number': ['valid', [{ issued: -1000, entities: [{}, {}] }], reset],
    'F80 sequence-reset: so does a higher number': ['valid', [{ sequence: 8, issued: -1000 }], reset],
    'F80 sequence-reset: the same list counts': ['valid', [{ sequence: 7, issued: -day }], reset],
    'F80 sequence-reset: a higher number, but earlier': [older, [{ sequence: 8, issued: -day - 1 }], reset],
    'F80 sequence-reset: the same number, but issued earlier': [older, [{ issued: -day - 1 }], reset],
    'F80 sequence-reset: another list of the same time does not count': [sameTime, [{ sequence: 8 }], reset],
    'F80 sequence-reset: not below minSequence': [/^L08 .* below min/, [lower], { ...reset, minSequence: 7 }],
    'F80 each by name: long-validity does not allow a reset': [older, [lower], long],
    'F80 both': ['valid', [{ ...lower, ...aYear }], allowing('sequence-reset', 'long-validity')],
  });
  const validFor = async (nextUpdate: number, lote: object = {}) =>
    await judgeUnder(await signed({ nextUpdate }), trusting(lote));
  judgeEach(validFor, {
    'F80 long-validity: 400 days': ['valid', 400 * day, long],
    'F80 long-validity: no more': ['L11 its next update is more than 400 days ahead.', 400 * day + 1, long],
    'F80 long-validity is not the default': ['L11 its next update is more than 184 days ahead.', 365 * day],
    'F80 each by name: sequence-reset does not allow a long validity': [/^L11 /, 365 * day, reset],
  });

  test('F80 sequence-reset: the issue time never goes back across a restart either', async () => {
    const [low, high] = [
      { sequence: 1, issued: -1000 },
      { sequence: 9, issued: -2000 },
    ];
    const lists: Signed[] = [[high], [low], [high], [{ sequence: 10, issued: -1001 }], [low]];
    expect(await inOrder(reset, ...lists)).toEqual(['valid', 'valid', 'L08 i', 'L08 i', 'valid']);
  });

  const wrong: [what: string, value: unknown, message: RegExp][] = [
    ['a text', 'sequence-reset', /dangerouslyAllow must be a list/],
    ['true', true, /dangerouslyAllow must be a list/],
    ['nothing', [], /dangerouslyAllow must be a list that is not empty/],
    ['another name', ['sequence-reset', 'no'], /Allow\[1\] must be 'sequence-reset' or 'long-validity'\.$/],
    ['another spelling', ['Sequence-Reset'], /dangerouslyAllow\[0\] must be /],
    ['a name of an object', ['toString'], /dangerouslyAllow\[0\] must be /],
  ];
  refuseEach('F80 %s is refused at construction', wrong, (dangerouslyAllow) =>
    startProcess(trusting({ dangerouslyAllow })),
  );
});

describe('a store that fails', () => {
  test.each(['read', 'create'] as const)('L08 %s: there is no verdict', async (name) => {
    const run = (error: Error) => () => restarted({ ...newStore(), [name]: () => Promise.reject(error) });
    const away = new Error('away');
    expect(await thrown(run(away))).toMatchObject({ code: 'store_unavailable', cause: away });
    const own = new IdentityError('store_unavailable');
    expect(await thrown(run(own))).toBe(own);
  });

  test('F50 one that refuses the very version that it shows', async () => {
    const inner = newStore();
    await inner.create(id, JSON.stringify({ [keyId]: { sequence: 6, issued: 0, digest: 'a' } }), day);
    const store: FlowStore = { ...inner, replace: () => Promise.resolve(false) };
    expect(await thrown(() => restarted(store))).toMatchObject({ code: 'store_unavailable' });
  });

  const stores = [null, 7, {}, { read: () => 1, create: () => 1 }];
  const message = /\.trustedList\.store must have the functions create, read and replace/;
  refuseValues('K16 the store %j is refused', stores, (store) => startProcess(trusting({ store })), message);
});

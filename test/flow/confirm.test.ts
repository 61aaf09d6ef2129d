import { describe, expect, jest, test } from '@jest/globals';
import type { IdentityError } from '../../lib/errors.js';
import { createCap } from '../../lib/flow/concurrency-limit.js';
import { arriveElsewhere, confirm, readReturnCode } from '../../lib/flow/confirm.js';
import type { FlowHooks, FlowKit, FlowResult } from '../../lib/flow/deps.js';
import type { FlowRecord } from '../../lib/flow/record.js';
import { seal } from '../../lib/flow/seal.js';
import { newSecret, resultKey, sha256 } from '../../lib/flow/secrets.js';
import { createShelf } from '../../lib/flow/records.js';
import type { IdentityEvent } from '../../lib/contracts/events.js';
import type { FlowStore } from '../../lib/contracts/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { testClock } from '../support/clock.js';

const origin = 'https://app.example';

/** A flow that waits for its browser, and all that a return needs. */
async function verified(
  hooks: FlowHooks<string> = {},
  more: Partial<FlowRecord> = {},
  inner?: FlowStore,
  hookTimeout = 1_000,
) {
  const clock = testClock();
  const store = inner ?? memoryStore({ clock });
  const shelf = createShelf(store, '/identity', clock, 600_000);
  const events: Omit<IdentityEvent, 'at'>[] = [];
  const errors: string[] = [];
  const never = async (): Promise<never> => await Promise.reject(new Error('Not part of a return'));
  const kit: FlowKit<string> = {
    returnPath: '/identity/return',
    origins: [origin],
    issuer: 'xx-test',
    variant: 'derived',
    confirm: 'return',
    successRedirectOf: () => '/done',
    errorRedirect: undefined,
    flowTtl: 600_000,
    verifyTimeout: 1_000,
    hookTimeout,
    shelf,
    client: { prove: never },
    verifiers: new Map(),
    proving: createCap(1),
    verifying: createCap(1),
    waiting: new Set(),
    hooks: { onError: ({ error }: { error: IdentityError }) => void errors.push(error.code), ...hooks },
    clock,
    emit: (event) => void events.push(event),
  };
  const [state, secret] = [newSecret(), newSecret()];
  const id = shelf.idOf(state);
  const result = {
    request: 'default',
    issuer: 'xx-test',
    sandbox: false,
    verifiedAt: clock(),
    attributes: { given_name: 'Erika' },
    derived: {},
    receipt: { id: 'receipt', presentationSha256: 'digest' },
  };
  const startedAt = clock().getTime();
  await shelf.create(state, {
    status: 'verified',
    request: 'default',
    issuer: 'xx-test',
    variant: 'derived',
    reveal: ['given_name'],
    derived: {},
    startedAt,
    expiresAt: startedAt + 600_000,
    origin,
    refused: [],
    code: sha256(secret),
    result: seal(resultKey(secret), id, JSON.stringify(result)),
    ...more,
  });
  const choose = jest.fn((_result: FlowResult): unknown => 'chosen');
  const keep = jest.fn(async (_result: FlowResult, _kept: unknown) => {});
  const handover = { keep: choose, commit: keep };
  const visit = { state, secret, subject: undefined, released: false, req: 'the request' };
  const status = async (): Promise<string | undefined> => {
    const held = await shelf.read(state);
    return held === undefined || held === 'burnt' ? held : held.record.status;
  };
  return { kit, store, shelf, clock, visit, result, choose, keep, handover, events, errors, status, id };
}

describe('confirm', () => {
  test('the result is handed to the hook and to the session, then it is erased', async () => {
    const onSuccess = jest.fn();
    const it = await verified({ onSuccess }, { context: { order: 7 } });
    expect(await confirm(it.kit, it.visit, it.handover)).toEqual({
      occasion: 'confirmed',
      location: `${origin}/done`,
    });
    expect(onSuccess).toHaveBeenCalledTimes(1);
    expect(onSuccess).toHaveBeenCalledWith(
      expect.objectContaining({ req: 'the request', context: { order: 7 }, result: it.result }),
    );
    expect(it.keep).toHaveBeenCalledWith(it.result, 'chosen');
    const held = await it.shelf.read(it.visit.state);
    expect(held).toMatchObject({ record: { status: 'confirmed' } });
    expect(JSON.stringify(held)).not.toContain('"result"');
    expect(it.events).toEqual([{ type: 'flow.confirmed', flow: it.id, request: 'default' }]);
  });

  test.each([
    [
      'onSuccess',
      { redirectTo: '/by-success' },
      { redirectTo: '/by-verified', returnTo: '/asked' },
      '/by-success',
    ],
    ['onVerified', undefined, { redirectTo: '/by-verified', returnTo: '/asked' }, '/by-verified'],
    ['the start', undefined, { returnTo: '/asked' }, '/asked'],
    ['the request', undefined, {}, '/done'],
    ['the request, where a hook names another site', { redirectTo: 'https://evil.example' }, {}, '/done'],
  ])('the way on is that of %s, now and when the address is opened again', async (_, answer, more, path) => {
    const it = await verified({ onSuccess: () => answer }, more);
    expect((await confirm(it.kit, it.visit, it.handover)).location).toBe(origin + path);
    const again = await confirm(it.kit, it.visit, it.handover);
    expect(again).toEqual({ occasion: 'return_repeated', location: origin + path });
    expect(it.keep).toHaveBeenCalledTimes(1);
  });

  test('a refusal ends the flow, tells the app once, and goes where it says', async () => {
    const it = await verified({ onSuccess: () => ({ refuse: 'under_age', redirectTo: '/sorry' }) });
    const arrival = await confirm(it.kit, it.visit, it.handover);
    expect(arrival).toMatchObject({
      occasion: 'return_hook_refused',
      location: `${origin}/sorry`,
      error: { code: 'refused', serviceCode: 'under_age' },
    });
    expect(it.errors).toEqual(['refused']);
    expect(it.keep).not.toHaveBeenCalled();
    expect(await it.status()).toBe('failed');
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({ occasion: 'return_unfit' });
    expect(it.errors).toEqual(['refused']);
  });

  test('a refusal without a path goes to the error page, or where onError says', async () => {
    const plain = await verified({ onSuccess: () => ({ refuse: 'no' }) });
    const arrival = await confirm(plain.kit, plain.visit, plain.handover);
    expect(arrival.location).toBe(`${origin}/identity/return?error=refused`);
    const led = await verified({
      onSuccess: () => ({ refuse: 'no', redirectTo: '/sorry' }),
      onError: () => ({ redirectTo: '/led' }),
    });
    expect((await confirm(led.kit, led.visit, led.handover)).location).toBe(`${origin}/led`);
  });

  test('a session that cannot be written: the hook runs no second time, only the keeping does', async () => {
    const onSuccess = jest.fn(() => ({ redirectTo: '/by-success' }));
    const it = await verified({ onSuccess });
    it.keep.mockRejectedValueOnce(new Error('away'));
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({
      occasion: 'return_hook_failed',
      error: { code: 'hook_failed' },
    });
    expect(await it.status()).toBe('verified');
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({ location: `${origin}/by-success` });
    expect(onSuccess).toHaveBeenCalledTimes(1);
    expect(it.keep).toHaveBeenCalledTimes(2);
  });

  test('a keep that takes too long is a hook that took too long, and what it answers later is written nowhere', async () => {
    const it = await verified({}, {}, undefined, 20);
    let answer = (_value: string): void => undefined;
    it.choose.mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({
      occasion: 'return_hook_failed',
      error: { code: 'hook_timeout' },
    });
    answer('late');
    await new Promise(setImmediate);
    expect(it.keep).not.toHaveBeenCalled();
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({ occasion: 'confirmed' });
    expect(it.keep).toHaveBeenCalledTimes(1);
  });

  test('the write after the release fails: the next return runs no hook, and only writes', async () => {
    const inner = memoryStore();
    let down = false;
    const onSuccess = jest.fn();
    const it = await verified(
      { onSuccess },
      {},
      {
        ...inner,
        replace: async (...args) => {
          if (down) throw new Error('away');
          return await inner.replace(...args);
        },
      },
    );
    it.keep.mockImplementationOnce(async () => {
      down = true;
    });
    await expect(confirm(it.kit, it.visit, it.handover)).rejects.toMatchObject({ code: 'store_unavailable' });
    down = false;
    const again = await confirm(it.kit, { ...it.visit, released: true }, it.handover);
    expect(again).toEqual({ occasion: 'confirmed', location: `${origin}/done` });
    expect(onSuccess).toHaveBeenCalledTimes(1);
    expect(it.keep).toHaveBeenCalledTimes(1);
    expect(await it.status()).toBe('confirmed');
    expect(JSON.stringify(await it.shelf.read(it.visit.state))).not.toContain('"lease"');
  });

  test('a hook that begins just before the deadline still ends the flow well', async () => {
    const it = await verified({
      onSuccess: () => {
        it.clock.forward(5_000);
      },
    });
    it.clock.forward(599_999);
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({ occasion: 'confirmed' });
    expect(it.events).toEqual([{ type: 'flow.confirmed', flow: it.id, request: 'default' }]);
  });

  test('a crashed holder: its lease runs out, and the next return finishes', async () => {
    const it = await verified();
    const held = await it.shelf.read(it.visit.state);
    if (held === undefined || held === 'burnt') throw new Error('Not there');
    const until = it.clock().getTime() + 20_000;
    await it.shelf.replace(it.visit.state, held, { ...held.record, lease: { holder: 'crashed', until } });
    it.clock.forward(20_000);
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({ occasion: 'confirmed' });
  });

  test('while another holds the lease one return waits, and a second is told to try again', async () => {
    let finish = (): void => undefined;
    const running = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let entered = (): void => undefined;
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const onSuccess = jest.fn(async () => {
      entered();
      await running;
    });
    const it = await verified({ onSuccess });
    const first = confirm(it.kit, it.visit, it.handover);
    await inside;
    const second = confirm(it.kit, it.visit, it.handover);
    while (!it.kit.waiting.has(it.id)) await new Promise(setImmediate);
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({
      occasion: 'return_lease_held',
      error: { code: 'busy' },
    });
    finish();
    expect([(await first).occasion, (await second).occasion]).toEqual(['confirmed', 'return_repeated']);
    expect(onSuccess).toHaveBeenCalledTimes(1);
    expect(it.keep).toHaveBeenCalledTimes(1);
  });

  test('a lost swap for the lease is tried again', async () => {
    const inner = memoryStore();
    let lost = 0;
    const it = await verified(
      {},
      {},
      {
        ...inner,
        replace: async (...args) => {
          lost += 1;
          return lost === 1 ? false : await inner.replace(...args);
        },
      },
    );
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({ occasion: 'confirmed' });
    expect(it.keep).toHaveBeenCalledTimes(1);
  });

  test('a code that turns up elsewhere during the release ends nothing: it is being handed over', async () => {
    const it = await verified();
    it.keep.mockImplementationOnce(async () => {
      expect(await it.shelf.burn(it.id, it.visit.secret)).toBe(false);
    });
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({ occasion: 'confirmed' });
    expect(it.events.map(({ type }) => type)).toEqual(['flow.confirmed']);
    expect(await it.status()).toBe('confirmed');
  });

  test('after a release that failed, a code that turns up elsewhere burns again', async () => {
    const it = await verified();
    it.keep.mockImplementationOnce(() => {
      throw new Error('not now');
    });
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({ occasion: 'return_hook_failed' });
    expect(await it.shelf.burn(it.id, it.visit.secret)).toBe(true);
    expect(await it.status()).toBe('burnt');
  });

  test('elsewhere: the right code burns and tells the app, a wrong one changes nothing', async () => {
    const it = await verified();
    const wrong = await arriveElsewhere(it.kit, { id: it.id, secret: newSecret() });
    expect(wrong).toMatchObject({ occasion: 'return_unfit' });
    expect([it.errors, await it.status()]).toEqual([[], 'verified']);
    const right = await arriveElsewhere(it.kit, { id: it.id, secret: it.visit.secret });
    expect(right).toMatchObject({ occasion: 'return_elsewhere', error: { code: 'return_elsewhere' } });
    expect([it.errors, await it.status()]).toEqual([['return_elsewhere'], 'burnt']);
  });

  test('another person than at the start gets nothing; nobody at the start fits anybody', async () => {
    const it = await verified({}, { subject: 'digest-of-a' });
    expect(await confirm(it.kit, { ...it.visit, subject: 'digest-of-b' }, it.handover)).toMatchObject({
      occasion: 'subject_changed',
    });
    expect(await confirm(it.kit, it.visit, it.handover)).toMatchObject({ occasion: 'subject_changed' });
    expect(it.keep).not.toHaveBeenCalled();
    expect(await confirm(it.kit, { ...it.visit, subject: 'digest-of-a' }, it.handover)).toMatchObject({
      occasion: 'confirmed',
    });
    const open = await verified();
    expect(await confirm(open.kit, { ...open.visit, subject: 'digest-of-b' }, open.handover)).toMatchObject({
      occasion: 'confirmed',
    });
  });

  test('a result that does not open under the right code is a fault of the store', async () => {
    const it = await verified({}, { result: 'AAAA' });
    await expect(confirm(it.kit, it.visit, it.handover)).rejects.toMatchObject({ code: 'store_unavailable' });
    const none = await verified({}, { result: seal(resultKey('x'), 'x', '{}') });
    await expect(confirm(none.kit, none.visit, none.handover)).rejects.toMatchObject({
      code: 'store_unavailable',
    });
  });

  const half = 'A'.repeat(43);
  test.each([
    [`${half}.${half}`, { id: half, secret: half }],
    [`${half}.${half}.${half}`, undefined],
    [half, undefined],
    [`${half}.`, undefined],
    [`${half}.${'A'.repeat(42)}B`, undefined],
    [`${'B'.repeat(43)}.${half}`, undefined],
    [[half, half], undefined],
    [undefined, undefined],
  ])('the code %j reads as %j', (text, code) => {
    expect(readReturnCode(text)).toEqual(code);
  });
});

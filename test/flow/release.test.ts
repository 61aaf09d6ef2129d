import { describe, expect, jest, test } from '@jest/globals';
import { IdentityError } from '../../lib/errors.js';
import type { FlowResult } from '../../lib/flow/context.js';

import { type TestSession, cuttableWorld, driveReturn, origin, world } from './flow-kit.js';
import { comeBack, waitingFlow, withComplete } from './returning.js';

type Obstacle = Exclude<Awaited<ReturnType<TestSession['save']>>, 'saved'>;
type Waiting = Awaited<ReturnType<typeof waitingFlow>>;

/** A hook that notes which receipt it saw. */
function noting() {
  const receipts: string[] = [];
  const onSuccess = ({ result }: { result: FlowResult }): { redirectTo: string } => {
    receipts.push(result.receipt.id);
    return { redirectTo: '/by-success' };
  };
  return { receipts, onSuccess };
}

describe('a release', () => {
  test('opens the session, runs the hook, keeps, saves; then the result is erased', async () => {
    const onSuccess = jest.fn();
    const it = await waitingFlow({ hooks: { onSuccess }, record: { context: { order: 7 } } });
    expect(await comeBack(it)).toEqual({ transition: 'confirmed', location: `${origin}/done` });
    expect(it.ran).toEqual(['regenerate', 'onSuccess', 'keep', 'save']);
    const { result } = it;
    const signal = expect.any(AbortSignal);
    expect(onSuccess).toHaveBeenCalledWith({ req: 'the request', result, context: { order: 7 }, signal });
    expect(it.mocks.keep).toHaveBeenCalledWith(result);
    const question = 'the question of default';
    const saved = {
      result,
      kept: 'chosen',
      question,
      subject: undefined,
      origin,
      location: `${origin}/done`,
    };
    expect(it.mocks.save).toHaveBeenCalledWith(saved);
    const stored = await it.stored();
    expect(stored).toMatchObject({ record: { status: 'confirmed' } });
    expect(JSON.stringify(stored)).not.toMatch(/"(?:result|lease)"/);
    expect(it.events).toEqual([{ type: 'flow.confirmed', flow: it.id, request: 'default' }]);
  });

  test('tells the session who was logged in at the start', async () => {
    const it = await waitingFlow({ record: { subject: 'digest-of-a' } });
    await comeBack({ ...it, input: { ...it.input, subject: 'digest-of-a' } });
    expect(it.mocks.save).toHaveBeenCalledWith(expect.objectContaining({ subject: 'digest-of-a' }));
  });

  const verified = { redirectTo: '/by-verified', returnTo: '/asked' };
  test.each([
    ['onSuccess', { redirectTo: '/by-success' }, verified, '/by-success'],
    ['onVerified', undefined, verified, '/by-verified'],
    ['the start', undefined, { returnTo: '/asked' }, '/asked'],
    ['the request', undefined, {}, '/done'],
    ['the request, where a hook names another site', { redirectTo: 'https://evil.example' }, {}, '/done'],
  ])('leads where %s says, and the session remembers it', async (_, returned, record, path) => {
    const it = await waitingFlow({ hooks: { onSuccess: () => returned }, record });
    expect((await comeBack(it)).location).toBe(origin + path);
    expect(it.mocks.save.mock.calls.map(([{ location }]) => location)).toEqual([origin + path]);
  });

  test('that is refused ends the flow, keeps nothing, tells the app once, and goes where it says', async () => {
    const onSuccess = () => ({ refuse: 'under_age', redirectTo: '/sorry' });
    const it = await waitingFlow({ hooks: { onSuccess } });
    const error = { code: 'refused', serviceCode: 'under_age' };
    const location = `${origin}/sorry`;
    expect(await comeBack(it)).toMatchObject({ transition: 'return_hook_refused', location, error });
    expect(it.ran).toEqual(['regenerate', 'onSuccess', 'rollback', 'onError refused']);
    expect(await it.status()).toBe('failed');
    expect(JSON.stringify(await it.stored())).not.toMatch(/"(?:result|code|lease)"/);
    expect(await comeBack(it)).toMatchObject({ transition: 'return_unfit' });
    expect(it.ran).toHaveLength(4);
  });

  test.each([
    ['the error page', {}, undefined, '/identity/return?error=refused'],
    ['where onError says', {}, { redirectTo: '/led' }, '/led'],
    ['where onError says, whatever it named', { redirectTo: '/sorry' }, { redirectTo: '/led' }, '/led'],
  ])('that is refused goes to %s', async (_, named, told, path) => {
    const hooks = { onSuccess: () => ({ refuse: 'no', ...named }), onError: () => told };
    const { location = '' } = await comeBack(await waitingFlow({ hooks }));
    expect(location.replace(/&flow=[\w-]+$/, '')).toBe(origin + path);
  });

  test('just before the deadline ends well, though its functions take all the time that they have', async () => {
    const shared = world();
    const takes = (ms: number) => (): void => shared.clock.forward(ms);
    const it = await waitingFlow({ shared, hooks: { onSuccess: takes(1_000) } });
    it.mocks.keep.mockImplementation(takes(1_000));
    it.mocks.save.mockImplementation(async () => {
      takes(11_999)(); // the time of two more hooks, and what the lease has beside: to its last millisecond
      return await Promise.resolve('saved');
    });
    shared.clock.forward(599_999);
    expect(await comeBack(it)).toMatchObject({ transition: 'confirmed' });
    expect(it.events).toEqual([{ type: 'flow.confirmed', flow: it.id, request: 'default' }]);
  });

  test('that took longer than its lease writes nothing over what another has released meanwhile', async () => {
    const shared = world();
    const it = await waitingFlow({ shared, hooks: { onSuccess: () => undefined } });
    it.mocks.keep.mockImplementationOnce(() => {
      shared.clock.forward(60_000);
      return 'late';
    });
    it.mocks.save.mockImplementationOnce(async () => {
      expect((await comeBack(it)).transition).toBe('confirmed'); // the other one
      return 'saved';
    });
    const version = async (): Promise<unknown> =>
      ((await it.deps.records.read(it.deps.records.placeOf(it.input.state))) as { version: number }).version;
    const late = withComplete(await driveReturn(it.flow, it.input, it.session));
    const before = await version();
    await late.complete?.(true);
    expect([late.transition, await version(), await it.status()]).toEqual(['confirmed', before, 'confirmed']);
  });
});

describe('a release that fails keeps nothing: the same address runs the hook again, with the same receipt', () => {
  /** The return that fails, and what is there between it and the next one. */
  async function failsOnce(
    it: Waiting,
    { receipts }: { receipts: string[] },
    transition: string,
    ran: readonly string[],
  ) {
    const outcome = await comeBack(it);
    expect(outcome.transition).toBe(transition);
    expect(it.ran.splice(0)).toEqual(ran);
    const stored = await it.stored();
    expect(stored).toMatchObject({ record: { status: 'verified' } });
    expect(JSON.stringify(stored)).not.toMatch(/"(?:lease|hookDone|redirectTo)"/);
    const again = await comeBack(it);
    expect(again).toEqual({ transition: 'confirmed', location: `${origin}/by-success` });
    expect(it.ran).toEqual(['regenerate', 'onSuccess', 'keep', 'save']);
    expect(new Set(receipts)).toEqual(new Set(['receipt']));
    return outcome;
  }

  test('keep takes too long, and what it returns later is written nowhere', async () => {
    const hook = noting();
    const shared = world();
    const it = await waitingFlow({ hooks: hook, hookTimeout: 20, shared });
    let end = (_value: string): void => undefined;
    it.mocks.keep.mockImplementationOnce(async () => await new Promise((resolve) => void (end = resolve)));
    const outcome = await comeBack(it);
    end('late');
    await new Promise(setImmediate);
    expect(outcome).toMatchObject({ transition: 'return_hook_failed', error: { code: 'hook_timeout' } });
    expect(outcome).toMatchObject({ error: { message: expect.stringMatching(/^keep took longer than /) } });
    expect(it.ran).toEqual(['regenerate', 'onSuccess', 'keep', 'rollback', 'onError hook_timeout']);
    shared.clock.forward(4 * 20 + 10_000);
    expect((await comeBack(it)).transition).toBe('confirmed');
    expect(it.mocks.save.mock.calls.map(([{ kept }]) => kept)).toEqual(['chosen']);
  });

  test('onSuccess that takes too long keeps its lease: it does not run again beside itself', async () => {
    const shared = world();
    let running = 0;
    const most: number[] = [];
    const ends: (() => void)[] = [];
    const onSuccess = async (): Promise<void> => {
      most.push((running += 1));
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    };
    const it = await waitingFlow({ hooks: { onSuccess }, hookTimeout: 20, shared });
    expect(await comeBack(it)).toMatchObject({ error: { code: 'hook_timeout' } });
    expect(await comeBack(it)).toMatchObject({ transition: 'return_lease_held', error: { code: 'busy' } });
    ends[0]?.();
    shared.clock.forward(4 * 20 + 10_000);
    const again = comeBack(it);
    while (ends.length < 2) await new Promise(setImmediate);
    ends[1]?.();
    expect((await again).transition).toBe('confirmed');
    expect(most).toEqual([1, 1]);
  });

  test.each([
    ['hook_failed', new Error('away')],
    ['session_save_failed', new IdentityError('session_save_failed')],
  ])('the session cannot be saved: %s', async (code, fault) => {
    const hook = noting();
    const it = await waitingFlow({ hooks: hook });
    it.mocks.save.mockRejectedValueOnce(fault);
    const ran = ['regenerate', 'onSuccess', 'keep', 'save', 'rollback', `onError ${code}`];
    expect(await failsOnce(it, hook, 'return_hook_failed', ran)).toMatchObject({ error: { code } });
    expect(hook.receipts).toHaveLength(2);
  });

  test('onError hears of it at the step "return", with the context of the start', async () => {
    const onError = jest.fn();
    const it = await waitingFlow({ hooks: { onError }, record: { context: { order: 7 } } });
    it.mocks.save.mockRejectedValueOnce(new IdentityError('session_save_failed'));
    const { error } = await comeBack(it);
    expect(onError.mock.calls).toEqual([[{ error, step: 'return', context: { order: 7 } }]]);
  });

  test.each<[Obstacle, string | undefined, readonly string[]]>([
    ['session_left', undefined, []],
    ['subject_changed', 'subject_changed', ['onError subject_changed']],
    ['return_abandoned', 'session_save_failed', []],
  ])('something stands against saving it: %s', async (obstacle, code, told) => {
    const hook = noting();
    const it = await waitingFlow({ hooks: hook });
    it.mocks.save.mockResolvedValueOnce(obstacle);
    const ran = ['regenerate', 'onSuccess', 'keep', 'save', 'rollback', ...told];
    const outcome = await failsOnce(it, hook, obstacle, ran);
    expect(outcome.error?.code).toBe(code);
    expect(outcome.location).toBeUndefined();
    expect(hook.receipts).toHaveLength(2);
    const refused = code === undefined ? [] : [{ type: 'return.refused', code }];
    expect(it.events).toMatchObject([...refused, { type: 'flow.confirmed' }]);
  });
});

describe('the answer is out, or is not received', () => {
  test('F34 the last write is lost: one line and one event, no onError, and the session stays', async () => {
    const lines: unknown[] = [];
    const { shared, cut } = cuttableWorld();
    const it = await waitingFlow({ shared, hooks: { onSuccess: () => undefined } });
    Object.assign(it.deps.log, { fault: ({ code }: IdentityError) => void lines.push(code) });
    const { transition, complete } = withComplete(await driveReturn(it.flow, it.input, it.session));
    expect([transition, await it.status()]).toEqual(['confirmed', 'verified']);
    cut();
    await complete?.(true);
    cut(false);
    expect(it.ran).toEqual(['regenerate', 'onSuccess', 'keep', 'save']);
    expect(lines).toEqual(['store_unavailable']);
    expect(it.events).toEqual([
      { type: 'flow.confirmed', flow: it.id, request: 'default' },
      { type: 'return.refused', flow: it.id, request: 'default', code: 'store_unavailable' },
    ]);
    expect(await it.status()).toBe('verified');
  });

  test('a store that is away when the browser receives nothing: the lease runs out, and the same address works again', async () => {
    const { shared, cut } = cuttableWorld();
    const it = await waitingFlow({ shared });
    const { complete } = withComplete(await driveReturn(it.flow, it.input, it.session));
    cut();
    await complete?.(false);
    cut(false);
    it.clock.forward(4 * 1_000 + 10_000);
    expect((await comeBack(it)).transition).toBe('confirmed');
  });
});

test.each<['fails' | Obstacle]>([['fails'], ['session_left'], ['subject_changed']])(
  'the lease cannot be given back after a release that ended in "%s": the session is thrown away, once',
  async (end) => {
    const { shared, cut } = cuttableWorld();
    const it = await waitingFlow({ shared });
    it.mocks.save.mockImplementationOnce(async () => {
      cut();
      return end === 'fails' ? await Promise.reject(new Error('away')) : await Promise.resolve(end);
    });
    await expect(comeBack(it)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(it.ran).toEqual(['regenerate', 'keep', 'save', 'rollback']);
  },
);

describe('a code that turns up elsewhere', () => {
  test('during the release ends nothing: it is being handed over', async () => {
    const it = await waitingFlow();
    it.mocks.save.mockImplementationOnce(async () => {
      expect(await it.deps.records.revoke(it.id, it.input.secret)).toBe(false);
      return 'saved';
    });
    expect(await comeBack(it)).toMatchObject({ transition: 'confirmed' });
    expect(it.events.map(({ type }) => type)).toEqual(['flow.confirmed']);
    expect(await it.status()).toBe('confirmed');
  });

  test.each(['fails', 'session_left'] as const)(
    'after a release that ended in "%s" is revoked again',
    async (end) => {
      const it = await waitingFlow();
      if (end === 'fails') it.mocks.save.mockRejectedValueOnce(new Error('not now'));
      else it.mocks.save.mockResolvedValueOnce(end);
      expect((await comeBack(it)).location).toBeUndefined();
      expect(await it.deps.records.revoke(it.id, it.input.secret)).toBe(true);
      expect(await it.status()).toBe('revoked');
    },
  );
});

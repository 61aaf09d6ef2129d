import { describe, expect, test } from '@jest/globals';
import type { FlowHooks } from '../../lib/flow/context.js';
import { driveReturn, started, worldAround } from './flow-kit.js';
import { comeBack, waitingFlow } from './returning.js';

/**
 * A store written by somebody else that refuses the very version it shows, from when it is told to. All that it
 * says is there at once, so that a loop over it would never let the event loop turn: far more than a loop may ask is a
 * failure, and not a hang.
 */
function refusing() {
  let [refuses, asked] = [false, 0];
  const shared = worldAround(async (call, work) => {
    if (!refuses || call !== 'replace') return await work();
    asked += 1;
    if (asked > 50) throw new Error('asked for ever');
    return false;
  });
  return { shared, refuse: () => void (refuses = true), asked: () => asked };
}

const nothing = () => undefined;
const unavailable = { code: 'store_unavailable', message: expect.stringContaining('the very version') };

describe('F50 a store that refuses the version that it shows is unavailable, and nobody asks it for ever', () => {
  test.each<[string, FlowHooks, string, number]>([
    ['without a hook', {}, 'good', 1],
    ['that would take the lease: its hook does not run', { onVerified: nothing }, 'good', 1],
    ['that would remember a bad body: the app is not told', { onError: nothing }, 'junk', 1],
  ])('F50 a callback %s', async (_what, hooks, presentation, judged) => {
    const { shared, refuse, asked } = refusing();
    const { app, state } = await started({ hooks }, shared);
    refuse();
    await expect(app.deliver(state, { presentation })).rejects.toMatchObject(unavailable);
    expect([asked(), app.ran]).toEqual([1, []]);
    expect(app.judged).toHaveLength(judged);
  });

  test.each(['onVerified', 'onError'] as const)('F50 the write after %s, which runs once', async (name) => {
    const { shared, refuse, asked } = refusing();
    const hook = (): { redirectTo: string } => {
      refuse();
      return { redirectTo: '/elsewhere' };
    };
    const { app, state } = await started({ hooks: { [name]: hook } }, shared);
    const presentation = name === 'onVerified' ? 'good' : 'junk';
    await expect(app.deliver(state, { presentation })).rejects.toMatchObject(unavailable);
    expect([asked(), app.ran.length]).toEqual([1, 1]);
  });

  test('F50 a return that would take the lease, and a code that turned up elsewhere: nothing runs, nobody is told', async () => {
    const { shared, refuse, asked } = refusing();
    const it = await waitingFlow({ shared, hooks: { onSuccess: nothing } });
    refuse();
    await expect(driveReturn(it.flow, it.input, it.session)).rejects.toMatchObject(unavailable);
    const code = { id: it.id, secret: it.input.secret };
    await expect(it.flow.revokeCode(code)).rejects.toMatchObject(unavailable);
    expect([asked(), it.ran, it.events]).toEqual([2, [], []]);
  });

  test('F50 the write after a release: it is told once, and the session that has it is left alone', async () => {
    const { shared, refuse, asked } = refusing();
    const it = await waitingFlow({ shared, hooks: { onSuccess: refuse } });
    expect((await comeBack(it)).transition).toBe('confirmed');
    expect([asked(), it.ran]).toEqual([2, ['regenerate', 'onSuccess', 'keep', 'save']]); // the claim is not given back either
    expect(it.events.at(-1)).toMatchObject({ type: 'return.refused', code: 'store_unavailable' });
  });

  test('F50 the write that gives a lease back after a hook that failed', async () => {
    const { shared, refuse, asked } = refusing();
    const onSuccess = (): never => {
      refuse();
      throw new Error('failed');
    };
    const it = await waitingFlow({ shared, hooks: { onSuccess } });
    await expect(driveReturn(it.flow, it.input, it.session)).rejects.toMatchObject(unavailable);
    expect([asked(), it.ran]).toEqual([2, ['regenerate', 'onSuccess', 'rollback']]); // the claim is not given back either
  });
});

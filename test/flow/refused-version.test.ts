import { describe, expect, test } from '@jest/globals';
import type { FlowHooks } from '../../lib/flow/flow.js';
import { started, worldAround } from './flow-kit.js';

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

  test('F50 the write after a hook, which runs once', async () => {
    const { shared, refuse, asked } = refusing();
    const { app, state } = await started({ hooks: { onVerified: refuse } }, shared);
    await expect(app.deliver(state)).rejects.toMatchObject(unavailable);
    expect([asked(), app.ran]).toEqual([1, ['onVerified']]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../lib/index.js';
import type { FlowHooks } from '../../../lib/flow/flow.js';
import { addressOf, openProcess } from '../../flow/flow-kit.js';
import { gate } from '../../support/callbacks.js';
import { testClock } from '../../support/clock.js';

const minute = 60_000;

/** Two processes on one store; the clock of the second is so many minutes off. The simulator plays whole apps so. */
function apart(off: number, onVerified: NonNullable<FlowHooks['onVerified']> = () => undefined) {
  const [clock, other] = [testClock(0), testClock(off * minute)];
  const store = memoryStore({ clock: testClock(0) }); // it lets go of nothing by itself
  const hookTimeout = 50;
  return {
    right: openProcess({ clock, store }, { hookTimeout, hooks: { onVerified: () => undefined } }),
    wrong: openProcess({ clock: other, store }, { hookTimeout, hooks: { onVerified } }),
    forward: (minutes: number): void => {
      for (const each of [clock, other]) each.forward(minutes * minute);
    },
  };
}

describe('F32 clocks that are five minutes apart', () => {
  test.each([-5, 5])('F32 one that is %i minutes off takes part in a flow as the other does', async (off) => {
    const { right, wrong } = apart(off);
    for (const [start, callback] of [
      [right, wrong],
      [wrong, right],
    ] as const) {
      const { state } = await start.start();
      expect((await callback.deliver(state)).transition).toBe('verified');
      expect(await right.statusOf(state)).toBe('verified');
      expect(await wrong.statusOf(state)).toBe('verified');
    }
  });

  test('F32 a flow is over where the clock says so: five minutes earlier for the one that is ahead', async () => {
    const { right, wrong, forward } = apart(5);
    const { state } = await right.start();
    forward(5);
    expect((await wrong.deliver(state)).transition).toBe('closed');
    expect(await wrong.statusOf(state)).toBe('expired');
    expect(await right.statusOf(state)).toBe('pending');
    expect((await right.deliver(state)).transition).toBe('verified');
  });

  test('F32 the lease of one that is behind protects nothing: the hook runs in both, one of them writes', async () => {
    const [entered, finish] = [gate(), gate()];
    const { right, wrong } = apart(-5, async () => {
      entered.open();
      await finish.opened;
    });
    const { state } = await right.start();
    const first = wrong.deliver(state);
    await entered.opened;
    const second = addressOf(await right.deliver(state));
    finish.open();
    expect(addressOf(await first)).toBe(second);
    expect([right.ran, wrong.ran]).toEqual([['onVerified'], ['onVerified']]);
    const told = [...right.events, ...wrong.events].filter(({ type }) => type === 'flow.verified');
    expect(told).toHaveLength(1);
  });

  test('F32 the lease of one that was ahead, and whose hook does not end, stands five minutes longer', async () => {
    const { right, wrong, forward } = apart(5, async () => await new Promise<never>(() => undefined));
    const { state } = await right.start();
    expect((await wrong.deliver(state)).transition).toBe('callback_hook_failed');
    forward(1);
    expect((await right.deliver(state)).transition).toBe('lease_held');
    forward(5);
    expect((await right.deliver(state)).transition).toBe('verified');
  });
});

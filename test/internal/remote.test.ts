import { describe, expect, test } from '@jest/globals';
import { type Loaded, remote } from '../../lib/internal/remote.js';
import { testClock } from '../support/clock.js';

const cooldown = 30_000;

/** A source of which the test ends each load, and a clock that it moves. */
function source(stillCounts?: (value: string) => boolean) {
  const clock = testClock(Date.UTC(2026, 7, 12));
  const loads: {
    readonly end: (loaded: Partial<Loaded<string>> & { value: string }) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const { current, renew, latest } = remote<string, { readonly clock: () => Date }>({
    load: async () =>
      await new Promise((resolve, reject) => {
        const at = clock().getTime();
        loads.push({ end: (loaded) => resolve({ at, freshUntil: at + 1000, ...loaded }), fail: reject });
      }),
    cooldown,
    ...(stillCounts && { stillCounts }),
  });
  const outcome = async (promise: Promise<string>) => await promise.catch((error: unknown) => error);
  return {
    clock,
    loads,
    latest,
    current: async () => await outcome(current({ clock })),
    renew: async () => await outcome(renew({ clock })),
  };
}
const away = new Error('away');

describe('F75 what others publish is kept in one way', () => {
  test('F75 all who need it share one load, and keep it while it is fresh', async () => {
    const { current, loads, clock, latest } = source();
    const waiting = [current(), current(), current()];
    expect(loads).toHaveLength(1);
    expect(latest()).toBeUndefined();
    loads[0]?.end({ value: 'one' });
    expect(await Promise.all(waiting)).toEqual(['one', 'one', 'one']);
    clock.forward(999);
    expect(await current()).toBe('one');
    clock.forward(1);
    const next = current();
    expect(loads).toHaveLength(2);
    loads[1]?.end({ value: 'two' });
    expect(await next).toBe('two');
    expect(latest()).toBe('two');
  });

  test('F75 a failure stands for the cooldown, for those who ask and those who renew', async () => {
    const { current, renew, loads, clock } = source();
    const waiting = [current(), current()];
    loads[0]?.fail(away);
    expect(await Promise.all(waiting)).toEqual([away, away]);
    clock.forward(cooldown - 1);
    expect([await current(), await renew()]).toEqual([away, away]);
    expect(loads).toHaveLength(1);
    clock.forward(1);
    const next = current();
    loads[1]?.end({ value: 'one' });
    expect(await next).toBe('one');
  });

  test('F75 a clock that was set back ends a cooldown, and what was loaded ahead of it', async () => {
    const { current, loads, clock } = source();
    const failing = current();
    loads[0]?.fail(away);
    expect(await failing).toBe(away);
    clock.forward(-cooldown);
    const ahead = current();
    loads[1]?.end({ value: 'ahead', freshUntil: Infinity });
    expect(await ahead).toBe('ahead');
    clock.forward(-1);
    const anew = current();
    expect(loads).toHaveLength(3);
    loads[2]?.end({ value: 'anew' });
    expect(await anew).toBe('anew');
  });

  test('F75 nobody waits while the last value counts, and a failure takes nothing away from it', async () => {
    const { current, loads, clock } = source();
    const first = current();
    loads[0]?.end({ value: 'one', countsUntil: clock().getTime() + 100_000 });
    expect(await first).toBe('one');
    clock.forward(1000);
    expect([await current(), await current()]).toEqual(['one', 'one']);
    expect(loads).toHaveLength(2);
    loads[1]?.fail(away);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await current()).toBe('one');
    expect(loads).toHaveLength(2);
    clock.forward(99_000);
    const next = current(); // it counts no more, and the failure is old
    expect(loads).toHaveLength(3);
    loads[2]?.fail(away);
    expect(await next).toBe(away);
  });

  test('F75 a renewal is made however fresh the value is, once in the cooldown', async () => {
    const { current, renew, loads, clock } = source();
    const first = current();
    loads[0]?.end({ value: 'one', freshUntil: Infinity });
    expect(await first).toBe('one');
    const renewals = [renew(), renew()];
    expect(loads).toHaveLength(2);
    expect(await current()).toBe('one');
    loads[1]?.end({ value: 'two', freshUntil: Infinity });
    expect(await Promise.all(renewals)).toEqual(['two', 'two']);
    clock.forward(cooldown - 1);
    expect(await renew()).toBe('two');
    expect(loads).toHaveLength(2);
    clock.forward(1);
    const later = renew();
    loads[2]?.fail(away);
    expect(await later).toBe(away);
    expect(await current()).toBe('two');
  });

  test('F75 what has stopped counting is loaded anew, under way or not', async () => {
    let counts = 'one';
    const { current, loads } = source((value) => value === counts);
    const first = current();
    counts = 'two';
    loads[0]?.end({ value: 'one', freshUntil: Infinity });
    while (loads.length === 1) await new Promise((resolve) => setImmediate(resolve));
    loads[1]?.end({ value: 'two', freshUntil: Infinity });
    expect(await first).toBe('two');
    counts = 'three';
    const next = current();
    loads[2]?.end({ value: 'three' });
    expect(await next).toBe('three');
  });
});

import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { FlowDeps } from '../../lib/flow/context.js';
import { lockMs, tryLock } from '../../lib/flow/lock.js';
import { lockName } from '../../lib/flow/secrets.js';
import { createStoreCalls } from '../../lib/flow/store-calls.js';
import { memoryStore } from '../../lib/index.js';
import { lockMark } from '../../lib/types/store.js';
import { testClock } from '../support/clock.js';
import { storeAround } from '../support/stores.js';

const owner = 'of a session';
const hookTimeout = 10_000;
const ms = lockMs(hookTimeout);

/** A store whose calls are noted; its clock is not the process's. */
function opened(around = async (_call: string, work: () => Promise<unknown>) => await work()) {
  const clock = testClock();
  const inner = memoryStore({ clock });
  const calls: string[] = [];
  const store = storeAround(async (call, work) => {
    calls.push(call);
    return await around(call, work);
  }, inner);
  const deps = { storeCalls: createStoreCalls(store), hookTimeout } as FlowDeps;
  const lock = async (flow = 'flow') => (await tryLock(deps, owner, flow, ms)).unlock;
  const held = async () => (await inner.read(lockName(owner)))?.value;
  return { clock, calls, lock, held };
}

afterEach(() => void jest.restoreAllMocks());

/** From now on this clock of the process is so far ahead. */
function moves(which: 'the wall clock' | 'the steady clock', by: number): void {
  const clock: { now(): number } = which === 'the wall clock' ? Date : performance;
  const isNow = clock.now.bind(clock);
  jest.spyOn(clock, 'now').mockImplementation(() => isNow() + by);
}

describe('F118 a lock is given back by whom it belongs to', () => {
  test('F118 in its time: it is read first, and free then', async () => {
    const { calls, lock, held } = opened();
    const unlock = await lock();
    expect(await held()).toContain('flow.');
    await unlock?.();
    expect(calls).toEqual(['create', 'read', 'replace']);
    expect([undefined, `${lockMark}free`]).toContain(await held());
    expect(await lock()).toBeDefined();
  });

  test('F118 one that has run out in the store, and is another one’s by now, stays that one’s', async () => {
    const { clock, lock, held } = opened();
    const late = await lock('first');
    clock.forward(ms);
    const unlock = await lock('second');
    const its = await held();
    await late?.();
    expect([await held(), its?.includes('second.')]).toEqual([its, true]);
    expect(await lock('third')).toBeUndefined();
    await unlock?.();
    expect(await lock('third')).toBeDefined();
  });

  test.each(['the wall clock', 'the steady clock'] as const)(
    'F118 in the last five seconds of its life, by %s, the store is not even asked',
    async (which) => {
      const { calls, lock, held } = opened();
      const unlock = await lock();
      const its = await held();
      moves(which, ms - 5_000);
      await unlock?.();
      expect([calls, await held()]).toEqual([['create'], its]);
    },
  );

  test.each(['the wall clock', 'the steady clock'] as const)(
    'F118 before them, by %s, it is given back; set back it changes nothing',
    async (which) => {
      for (const by of [ms - 10_000, -ms]) {
        const { calls, lock } = opened();
        const unlock = await lock();
        moves(which, by);
        await unlock?.();
        expect(calls).toEqual(['create', 'read', 'replace']);
        jest.restoreAllMocks();
      }
    },
  );

  test('F118 a process that stands still while the store reads gives nothing back', async () => {
    const { calls, lock, held } = opened(async (call, work) => {
      const done = await work();
      if (call === 'read') moves('the wall clock', ms);
      return done;
    });
    const unlock = await lock();
    const its = await held();
    await unlock?.();
    expect([calls, await held()]).toEqual([['create', 'read'], its]);
  });

  test('F118 its life begins before the store is asked: a slow answer is no time gained', async () => {
    const { calls, lock } = opened(async (call, work) => {
      const done = await work();
      if (call === 'create') moves('the steady clock', ms - 5_000);
      return done;
    });
    await (
      await lock()
    )?.();
    expect(calls).toEqual(['create']);
  });

  test.each(['read', 'replace'])(
    'F118 a store that fails to %s lets it run out, and nothing throws',
    async (call) => {
      const { lock, held } = opened(async (name, work) => {
        if (name === call) throw new Error('away');
        return await work();
      });
      const unlock = await lock();
      const its = await held();
      expect(await unlock?.()).toBeUndefined();
      expect(await held()).toBe(its);
    },
  );
});

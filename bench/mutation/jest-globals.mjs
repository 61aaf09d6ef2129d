import { ModernFakeTimers } from '@jest/fake-timers';
import { expect } from 'expect';
import { bind } from 'jest-each';
import { ModuleMocker } from 'jest-mock';

/**
 * What the tests import from '@jest/globals', for mocha: jest loads every module anew for every mutant, which takes
 * longer than the tests do.
 */
const { describe: group, it: define, before, after, beforeEach: beforeIt, afterEach: afterIt } = globalThis;
const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });

/** Without parameters: mocha would take one for a callback. */
const plain = (run) => async () => await run();
const withEach = (one) => Object.assign(one, { each: bind(one, false) });

export { expect };
export const describe = withEach((name, run) => group(name, () => void run()));
export const test = withEach((name, run) => define(name, plain(run)));
export const it = test;
export const beforeAll = (run) => before(plain(run));
export const afterAll = (run) => after(plain(run));
export const beforeEach = (run) => beforeIt(plain(run));
export const afterEach = (run) => afterIt(plain(run));

export const jest = {
  setTimeout: () => undefined, // Stryker's own ends what hangs
  fn: (run) => mocker.fn(run),
  clearAllMocks: () => mocker.clearAllMocks(),
  spyOn: (...what) => mocker.spyOn(...what),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (options) => timers.useFakeTimers({ ...options }),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (span) => timers.advanceTimersByTime(span),
  advanceTimersByTimeAsync: async (span) => await timers.advanceTimersByTimeAsync(span),
};

// A test that a mutant fails may not tidy up, and the process goes on to the next mutant.
afterIt(() => {
  mocker.restoreAllMocks();
  timers.useRealTimers();
});

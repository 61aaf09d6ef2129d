import { afterEach, beforeEach, jest } from '@jest/globals';

const goesOn = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
] as const;

/**
 * In the tests of this group what waits for a timeout waits until the test lets the time pass; sockets and all else
 * go on as ever. So a busy machine is not too late for anything.
 */
export function holdTimers(): void {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: [...goesOn] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
}

/** So much time passes at once. */
export function pass(ms: number): void {
  jest.advanceTimersByTime(ms);
}

import { jest } from '@jest/globals';

/** The only time there is in a test that plays interleavings: it stands still until it is told to move. */
export interface VirtualTime {
  readonly now: () => number;
  readonly forward: (ms: number) => void;
  /** Moves to the next moment at which something is due; false where nothing is. */
  toNext(): boolean;
  /** Lets everything happen that is ready. */
  settled(): Promise<void>;
}

/** To be called before the modules are loaded that are to live in this time. */
export function virtualTime(): VirtualTime {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  jest.unstable_mockModule('node:timers/promises', () => ({
    setTimeout: async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }));
  return {
    now: () => Date.now(),
    forward: (ms) => {
      jest.advanceTimersByTime(ms);
    },
    toNext() {
      if (jest.getTimerCount() === 0) return false;
      jest.advanceTimersToNextTimer();
      return true;
    },
    settled: async () => await new Promise((resolve) => setImmediate(resolve)),
  };
}

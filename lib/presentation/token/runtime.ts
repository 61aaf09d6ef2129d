import { configInvalid } from '../../errors.js';
import type { Clock } from '../../contracts/values.js';

/** The clock and the network, as verification uses them. */
export interface Runtime {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
}

/** Fills in the platform's defaults. */
export function runtimeFrom(given: Partial<Runtime> = {}): Runtime {
  return { clock: given.clock ?? (() => new Date()), fetch: given.fetch ?? globalThis.fetch };
}

/** Returns the current time in seconds. An invalid one is refused: every comparison with it is false. */
export function secondsNow(clock: Clock): number {
  const seconds = clock().getTime() / 1000;
  if (Number.isFinite(seconds)) return seconds;
  throw configInvalid('clock must return a valid Date.');
}

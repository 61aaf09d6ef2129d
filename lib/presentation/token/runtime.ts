import { configInvalid } from '../../errors.js';
import type { Clock } from '../../contracts/values.js';

/** What verification takes from outside. */
export interface Seams {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
}

/** Fills in the platform's own. */
export function seamsFrom(given: Partial<Seams> = {}): Seams {
  return { clock: given.clock ?? (() => new Date()), fetch: given.fetch ?? globalThis.fetch };
}

/** Now in seconds. A clock that stands at no time at all would let every comparison pass. */
export function secondsNow(clock: Clock): number {
  const seconds = clock().getTime() / 1000;
  if (Number.isFinite(seconds)) return seconds;
  throw configInvalid('clock must answer a valid Date.');
}

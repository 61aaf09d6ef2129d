import { types } from 'node:util';
import { configInvalid } from '../../errors.js';
import type { Clock } from '../../types/json.js';
import { optionalFunction } from '../../internal/former-validate.js';

/** The clock and the network, as verification uses them. */
export interface Runtime {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
}

/** Fills in the platform's defaults. */
export function runtimeFrom(given: { readonly clock?: unknown; readonly fetch?: unknown } = {}): Runtime {
  const clock = optionalFunction(given.clock as Clock | undefined, 'clock');
  const fetch = optionalFunction(given.fetch as Runtime['fetch'] | undefined, 'fetch');
  return { clock: clock ?? (() => new Date()), fetch: fetch ?? globalThis.fetch };
}

/** Returns the current time in seconds. An invalid one is refused: every comparison with it is false. */
export function secondsNow(clock: Clock): number {
  const now: unknown = clock();
  const seconds = types.isDate(now) ? now.getTime() / 1000 : Number.NaN;
  if (Number.isFinite(seconds)) return seconds;
  throw configInvalid('clock must return a valid Date.');
}

import { types } from 'node:util';
import { configInvalid } from '../../errors.js';
import { type Network, networkFrom } from '../../internal/network.js';
import { aFunction } from '../../internal/validate.js';
import type { Clock } from '../../types/json.js';

/** The clock and the network, as verification uses them. */
export interface Runtime extends Network {
  readonly clock: Clock;
}

export function runtimeFrom({
  clock = () => new Date(),
  ...network
}: { readonly [Name in keyof Runtime]?: unknown } = {}): Runtime {
  return { clock: aFunction<Clock>()(clock, 'clock'), ...networkFrom(network) };
}

/** Returns the current time in seconds. An invalid one is refused: every comparison with it is false. */
export function secondsNow(clock: Clock): number {
  const now: unknown = clock();
  const seconds = types.isDate(now) ? now.getTime() / 1000 : Number.NaN;
  if (Number.isFinite(seconds)) return seconds;
  throw configInvalid('clock must return a valid Date.');
}

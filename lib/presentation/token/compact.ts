import { checkFailed } from './check-failed.js';
import type { Limits } from './limits.js';

/** Returns a presentation that may be a compact token of some kind (P01, P07, P12). */
export function compactText(presentation: unknown, limits: Limits): string {
  if (typeof presentation !== 'string' || presentation === '') {
    throw checkFailed('P01', 'The presentation is not a string.');
  }
  if (presentation.length > limits.length) throw checkFailed('P01', 'The presentation is too large.');
  if (presentation.startsWith('{')) throw json(presentation);
  return presentation;
}

function json(compact: string): Error {
  return /^\{\s*"(?!signatures")[^"]*"\s*:\s*\[/.test(compact)
    ? checkFailed('P12', 'The presentation is a whole vp_token: hand over the one presentation inside it.')
    : checkFailed('P07', 'The presentation is in JSON serialization: only the compact one is accepted.');
}

import { formatDuration } from '../../safe/time.js';
import type { ExpectedBinding } from './expected-binding.js';
import { checkFailed } from '../token/check-failed.js';
import type { JsonObject } from '../token/segment.js';
import { timeOf } from '../token/times.js';

const name = 'The key binding JWT';

/** Checks when the wallet signed, by the clock of a phone (B09 to B13). */
export function checkBindingTimes(claims: JsonObject, expected: ExpectedBinding, now: number): void {
  const { maxAge, tolerance, startedAt } = expected;
  const iat = timeOf(claims, 'iat', 'B09');
  if (iat === undefined) throw checkFailed('B09', `${name} has no iat.`);
  const tolerated = `(tolerance: ${formatDuration(tolerance)})`;
  if (iat > now + tolerance)
    throw checkFailed('B10', `${name} was made ${formatDuration(iat - now)} in the future ${tolerated}.`);
  if (iat < now - maxAge)
    throw checkFailed(
      'B11',
      `${name} is ${formatDuration(now - iat)} old (maxAge: ${formatDuration(maxAge)}).`,
    );
  if (startedAt !== undefined && iat < startedAt - tolerance) {
    throw checkFailed(
      'B12',
      `${name} was made ${formatDuration(startedAt - iat)} before the flow that asked for it began ${tolerated}.`,
    );
  }
  const exp = timeOf(claims, 'exp', 'B13');
  const nbf = timeOf(claims, 'nbf', 'B13');
  if (exp !== undefined && exp <= now - tolerance)
    throw checkFailed('B13', `${name} expired ${formatDuration(now - exp)} ago ${tolerated}.`);
  if (nbf !== undefined && nbf > now + tolerance) {
    throw checkFailed('B13', `${name} is valid only in ${formatDuration(nbf - now)} ${tolerated}.`);
  }
}

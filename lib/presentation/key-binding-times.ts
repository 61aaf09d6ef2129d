import type { ExpectedBinding } from './expected-binding.js';
import { refusal } from './refusal.js';
import type { JsonObject } from './segment.js';
import { timeOf } from './times.js';

/** When the wallet signed, by the clock of a phone (B09 to B13). */
export function judgeBindingTimes(claims: JsonObject, expected: ExpectedBinding, now: number): void {
  const { maxAge, tolerance, startedAt } = expected;
  const iat = timeOf(claims, 'iat', 'B09');
  if (iat === undefined) throw refusal('B09', 'The key binding JWT has no iat.');
  if (iat > now + tolerance) throw refusal('B10', 'The key binding JWT is from the future.');
  if (iat < now - maxAge) throw refusal('B11', 'The key binding JWT is too old.');
  if (startedAt !== undefined && iat < startedAt - tolerance) {
    throw refusal('B12', 'The key binding JWT is older than the flow that asked for it.');
  }
  const exp = timeOf(claims, 'exp', 'B13');
  const nbf = timeOf(claims, 'nbf', 'B13');
  if (exp !== undefined && exp <= now - tolerance) throw refusal('B13', 'The key binding JWT has expired.');
  if (nbf !== undefined && nbf > now + tolerance) {
    throw refusal('B13', 'The key binding JWT is not valid yet.');
  }
}

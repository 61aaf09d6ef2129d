import type { Check } from '../checks.js';
import { formatDuration } from '../../safe/time.js';
import { checkFailed } from './check-failed.js';
import type { JsonObject } from './segment.js';

/** Returns a claim that counts seconds since 1970, or undefined if it is absent. */
export function timeOf(claims: JsonObject, name: string, check: Check): number | undefined {
  const { [name]: value } = claims;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw checkFailed(check, `${name} is not a number of seconds.`);
}

const year10000 = 253_402_300_800;
const daysUntilYear2243 = 100_000;

/** Checks when a credential is valid (C04 to C07, C12), `now` and `tolerance` in seconds. */
export function checkTimes(claims: JsonObject, now: number, tolerance: number): void {
  const [exp, nbf, iat] = ['exp', 'nbf', 'iat'].map((name) => {
    const time = timeOf(claims, name, 'C05');
    if (time !== undefined && (time >= year10000 || (time > 0 && time < daysUntilYear2243))) {
      throw checkFailed('C12', `${name} looks like milliseconds or days: it must count seconds.`);
    }
    return time;
  });
  if (exp !== undefined && exp <= now - tolerance) {
    throw checkFailed(
      'C04',
      `The credential expired ${formatDuration(now - exp)} ago (tolerance: ${formatDuration(tolerance)}).`,
    );
  }
  if (nbf !== undefined && nbf > now + tolerance) {
    throw checkFailed(
      'C06',
      `The credential is valid only in ${formatDuration(nbf - now)} (tolerance: ${formatDuration(tolerance)}).`,
    );
  }
  if (iat !== undefined && iat > now + tolerance) {
    const ahead = formatDuration(iat - now);
    throw checkFailed(
      'C07',
      `The credential was issued ${ahead} in the future (tolerance: ${formatDuration(tolerance)}).`,
    );
  }
}

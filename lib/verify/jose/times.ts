import type { Check } from '../checks.js';
import { formatDuration } from '../../internal/timeouts.js';
import { enforce } from './check-failed.js';
import type { JsonObject } from './segment.js';

/** Returns a claim that counts seconds since 1970, or undefined if it is absent. */
export function timeOf(claims: JsonObject, name: string, check: Check): number | undefined {
  const { [name]: value } = claims;
  if (value === undefined) return undefined;
  enforce(check, typeof value === 'number' && Number.isFinite(value), `${name} is not a number of seconds.`);
  return value;
}

const year10000 = 253_402_300_800;
const daysUntilYear2243 = 100_000;

/** Checks when a credential is valid (C04 to C07, C12), `now` and `tolerance` in seconds. */
export function checkTimes(claims: JsonObject, now: number, tolerance: number): void {
  const [exp, nbf, iat] = ['exp', 'nbf', 'iat'].map((name) => {
    const time = timeOf(claims, name, 'C05');
    enforce(
      'C12',
      time === undefined || (time < year10000 && (time <= 0 || time >= daysUntilYear2243)),
      `${name} looks like milliseconds or days: it must count seconds.`,
    );
    return time;
  });
  const tolerated = () => `(tolerance: ${formatDuration(tolerance)})`;
  if (exp !== undefined) {
    const expired = () => `The credential expired ${formatDuration(now - exp)} ago ${tolerated()}.`;
    enforce('C04', exp > now - tolerance, expired);
  }
  if (nbf !== undefined) {
    const early = () => `The credential is valid only in ${formatDuration(nbf - now)} ${tolerated()}.`;
    enforce('C06', nbf <= now + tolerance, early);
  }
  if (iat !== undefined) {
    const ahead = () =>
      `The credential was issued ${formatDuration(iat - now)} in the future ${tolerated()}.`;
    enforce('C07', iat <= now + tolerance, ahead);
  }
}

import { formatDuration } from '../../safe/time.js';
import { refusal } from './check-failed.js';
import type { JsonObject } from './segment.js';

/** A claim that counts seconds since 1970, where it is there. */
export function timeOf(claims: JsonObject, name: string, check: string): number | undefined {
  const { [name]: value } = claims;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw refusal(check, `${name} is not a number of seconds.`);
}

const year10000 = 253_402_300_800;
const daysUntilYear2243 = 100_000;

/** Judges when a credential is valid (C04 to C07, C12), `now` and `tolerance` in seconds. */
export function judgeTimes(claims: JsonObject, now: number, tolerance: number): void {
  const [exp, nbf, iat] = ['exp', 'nbf', 'iat'].map((name) => {
    const time = timeOf(claims, name, 'C05');
    if (time !== undefined && (time >= year10000 || (time > 0 && time < daysUntilYear2243))) {
      throw refusal('C12', `${name} looks like milliseconds or days: it must count seconds.`);
    }
    return time;
  });
  if (exp !== undefined && exp <= now - tolerance) {
    throw refusal(
      'C04',
      `The credential expired ${formatDuration(now - exp)} ago (tolerance: ${formatDuration(tolerance)}).`,
    );
  }
  if (nbf !== undefined && nbf > now + tolerance) {
    throw refusal(
      'C06',
      `The credential is valid only in ${formatDuration(nbf - now)} (tolerance: ${formatDuration(tolerance)}).`,
    );
  }
  if (iat !== undefined && iat > now + tolerance) {
    const ahead = formatDuration(iat - now);
    throw refusal(
      'C07',
      `The credential was issued ${ahead} in the future (tolerance: ${formatDuration(tolerance)}).`,
    );
  }
}

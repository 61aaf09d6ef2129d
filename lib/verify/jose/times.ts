import type { IdentityError, KitErrorCode } from '../../errors.js';
import { formatDuration } from '../../internal/timeouts.js';
import type { CheckNumber } from '../checks.js';
import type { JsonObject } from './decode.js';
import { checkFailed, enforce, passed } from './enforce.js';

// The claims of a token that say when it is valid.

/** Returns a claim that counts seconds since 1970, or undefined if it is absent. */
export function timeOf(claims: JsonObject, name: string, check: CheckNumber): number | undefined {
  const { [name]: value } = claims;
  if (value === undefined) return undefined;
  enforce(check, typeof value === 'number' && Number.isFinite(value), `${name} is not a number of seconds.`);
  return value;
}

const year10000 = 253_402_300_800;
const daysUntilYear2243 = 100_000;

/**
 * Checks when a credential is valid (C05 to C07, C12), `now` and `tolerance` in seconds. How old it may be is a rule of its
 * trust entry (C08, in `trust/sd-jwt-vc.ts`). Returns what refuses one that has
 * expired (C04), with a code of its own, if it has one: only who knows that it is genuine may say so.
 */
export function checkTimes(
  claims: JsonObject,
  now: number,
  tolerance: number,
  code?: KitErrorCode,
): IdentityError | undefined {
  const [exp, nbf, iat] = ['exp', 'nbf', 'iat'].map((name) => {
    const time = timeOf(claims, name, 'C05');
    const isSeconds = time === undefined || (time < year10000 && (time <= 0 || time >= daysUntilYear2243));
    enforce('C12', isSeconds, `${name} looks like milliseconds or days: it must count seconds.`);
    return time;
  });
  const tolerated = ` (tolerance: ${formatDuration(tolerance)})`;
  checkPeriod(
    { exp: undefined, nbf },
    now,
    tolerance,
    { exp: 'C04', nbf: 'C06' },
    'The credential',
    tolerated,
  );
  if (iat !== undefined) {
    const early = () =>
      `The credential was issued ${formatDuration(iat - now)} in the future${tolerated}, or this machine's clock is slow.`;
    enforce('C07', iat <= now + tolerance, early);
  }
  if (exp === undefined || exp > now - tolerance) {
    if (exp !== undefined) passed('C04');
    return undefined;
  }
  return checkFailed('C04', `The credential expired ${formatDuration(now - exp)} ago${tolerated}.`, code);
}

interface Period {
  readonly exp: number | undefined;
  readonly nbf: number | undefined;
}

/** Checks that a token is valid now, if it says for how long it is; all in seconds. Each claim has its own check. */
export function checkPeriod(
  { exp, nbf }: Period,
  now: number,
  tolerance: number,
  checks: { readonly [Claim in keyof Period]: CheckNumber },
  subject: string,
  tolerated = '',
): void {
  if (exp !== undefined) {
    const expired = () => `${subject} expired ${formatDuration(now - exp)} ago${tolerated}.`;
    enforce(checks.exp, exp > now - tolerance, expired);
  }
  if (nbf !== undefined) {
    const early = () =>
      `${subject} is not valid yet: it becomes valid in ${formatDuration(nbf - now)}${tolerated}.`;
    enforce(checks.nbf, nbf <= now + tolerance, early);
  }
}

import type { Expected, Verdict } from '../../contracts/verifier.js';
import { nonceOf } from '../../protocol/nonce.js';
import { formatDuration } from '../../safe/time.js';
import { readAttributes } from './attributes.js';
import { readSignedDerived } from './derived.js';
import { askedDerived, variantOf } from './expected.js';
import { type CompiledVerifier, type Defaults, verdictOf } from './verdict.js';
import { dateInSeconds, nonEmptyString } from '../../safe/check-options.js';
import { type SdJwtRules, checkSdJwt } from '../sd-jwt/check.js';
import { defaultLimits } from '../token/limits.js';
import { secondsNow } from '../token/runtime.js';
import { checkFailed } from '../token/check-failed.js';
import type { JsonObject } from '../token/segment.js';
import { at } from './claim-paths.js';
import { type SdJwtVcEntry, parseSdJwtVcEntry } from './sd-jwt-vc-entry.js';

/** Seconds that the issuer's clock may be off. */
const clockTolerance = 5;

/** Compiles the format `sd-jwt-vc`: an SD-JWT VC with key binding that holds PID attributes. */
export function sdJwtVc(value: unknown, where: string, defaults: Defaults): CompiledVerifier {
  const entry = parseSdJwtVcEntry(value, where, defaults);
  const { keys, types, algorithms, audiences, tolerance } = entry;
  const rules: SdJwtRules = {
    keys,
    types,
    algorithms,
    clockTolerance,
    limits: defaultLimits,
  };
  const { derivedBy } = entry;
  return async (presentation, expected, runtime) => {
    if (derivedBy !== undefined && askedDerived(expected).length > 0) {
      return await derivedBy(presentation, expected, runtime);
    }
    const binding = {
      nonce: nonceFor(entry, expected, where),
      audiences,
      maxAge: entry.maxAge,
      tolerance,
      startedAt: dateInSeconds(expected.startedAt, 'expected.startedAt'),
    };
    return await verdictOf(async () => {
      const { claims } = await checkSdJwt(presentation, rules, binding, runtime);
      const verdict = checkPid(claims, entry, expected, secondsNow(runtime.clock));
      await entry.status(claims, runtime); // last: the list's server learns that somebody verifies
      return verdict;
    }, keys.generation);
  };
}

function nonceFor({ nonce }: SdJwtVcEntry, expected: Expected, where: string): string {
  if (nonce === 'state-sha256') return nonceOf(expected.state);
  return nonEmptyString(nonce(expected), `What ${where}.keyBinding.nonce returns`);
}

function checkPid(claims: JsonObject, entry: SdJwtVcEntry, expected: Expected, now: number): Verdict {
  const { vct, iss } = claims;
  if (typeof vct !== 'string') throw checkFailed('C01', 'The credential has no vct string.');
  if (!entry.vct.includes(vct))
    throw checkFailed('C02', `The credential is of another type (vct) than ${entry.vct.join(', ')}.`);
  if (entry.iss !== undefined && (typeof iss !== 'string' || !entry.iss.includes(iss))) {
    throw checkFailed('C09', `The credential names another issuer (iss) than ${entry.iss.join(', ')}.`);
  }
  checkExpiry(claims, entry, now);
  const attributes = readAttributes(expected.reveal, variantOf(expected), (id) =>
    at(claims, entry.paths[id]),
  );
  const places = new Map(askedDerived(expected).map((id) => [id, entry.derived[id]]));
  const began = dateInSeconds(expected.startedAt, 'expected.startedAt') ?? now - entry.maxAge;
  if (places.size > 0) checkMadeForFlow(claims, began);
  return { valid: true, attributes, derived: readSignedDerived(claims, places, expected.derived ?? {}) };
}

/** Checks how long the credential is good, as far as the entry limits that (C08). */
function checkExpiry({ exp, iat, status }: JsonObject, entry: SdJwtVcEntry, now: number): void {
  if (entry.profile === 'haip-1.0' && exp === undefined && status === undefined) {
    throw checkFailed('C08', 'The credential has neither exp nor status: it would be good forever.');
  }
  if (entry.requireExpiry && exp === undefined) throw checkFailed('C08', 'The credential has no exp.');
  if (entry.maxCredentialAge === Infinity) return;
  const allowed = `(maxCredentialAge: ${formatDuration(entry.maxCredentialAge)})`;
  if (typeof iat !== 'number') throw checkFailed('C08', `The credential has no iat ${allowed}.`);
  if (iat < now - entry.maxCredentialAge) {
    throw checkFailed('C08', `The credential is ${formatDuration(now - iat)} old ${allowed}.`);
  }
}

/** A derived result counts only in a credential that was issued for this flow (B19). */
function checkMadeForFlow({ iat }: JsonObject, began: number): void {
  if (typeof iat === 'number' && iat >= began - clockTolerance) return;
  throw checkFailed('B19', 'The credential with the derived result was issued before the flow began.');
}

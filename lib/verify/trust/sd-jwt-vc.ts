import type { Expected, Verdict } from '../../types/verifier.js';
import { nonceOf } from '../../service/nonce.js';
import { formatDuration } from '../../internal/timeouts.js';
import { readAttributes } from './attributes.js';
import { readSignedDerived } from './derived.js';
import { askedDerived, variantOf } from './expectation.js';
import { type CompiledVerifier, type Defaults, verdictOf } from './verdict.js';
import { dateInSeconds, nonEmptyString } from '../../internal/former-validate.js';
import { type SdJwtRules, checkSdJwt } from '../sd-jwt/check.js';
import { defaultLimits } from '../jose/limits.js';
import { secondsNow } from '../jose/clock-and-fetch.js';
import { enforce } from '../jose/check-failed.js';
import type { JsonObject } from '../jose/segment.js';
import { getPath } from './claim-paths.js';
import { type SdJwtVcEntry, parseSdJwtVcEntry } from './sd-jwt-vc-entry.js';

/** Seconds that the issuer's clock may be off. */
const clockTolerance = 5;

/** Compiles the format `sd-jwt-vc`: an SD-JWT VC with key binding that holds PID attributes. */
export function compileSdJwtVc(value: unknown, where: string, defaults: Defaults): CompiledVerifier {
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
  enforce('C01', typeof vct === 'string', 'The credential has no vct string.');
  enforce(
    'C02',
    entry.vct.includes(vct),
    () => `The credential is of another type (vct) than ${entry.vct.join(', ')}.`,
  );
  const { iss: issuers } = entry;
  if (issuers !== undefined) {
    enforce(
      'C09',
      typeof iss === 'string' && issuers.includes(iss),
      () => `The credential names another issuer (iss) than ${issuers.join(', ')}.`,
    );
  }
  checkExpiry(claims, entry, now);
  const attributes = readAttributes(expected.reveal, variantOf(expected), (id) =>
    getPath(claims, entry.paths[id]),
  );
  const places = new Map(askedDerived(expected).map((id) => [id, entry.derived[id]]));
  const began = dateInSeconds(expected.startedAt, 'expected.startedAt') ?? now - entry.maxAge;
  if (places.size > 0) checkMadeForFlow(claims, began);
  return { valid: true, attributes, derived: readSignedDerived(claims, places, expected.derived ?? {}) };
}

/** Checks how long the credential is good, as far as the entry limits that (C08). */
function checkExpiry({ exp, iat, status }: JsonObject, entry: SdJwtVcEntry, now: number): void {
  if (entry.profile === 'haip-1.0') {
    enforce(
      'C08',
      exp !== undefined || status !== undefined,
      'The credential has neither exp nor status: it would be good forever.',
    );
  }
  if (entry.requireExpiry) enforce('C08', exp !== undefined, 'The credential has no exp.');
  if (entry.maxCredentialAge === Infinity) return;
  const allowed = `(maxCredentialAge: ${formatDuration(entry.maxCredentialAge)})`;
  enforce('C08', typeof iat === 'number', `The credential has no iat ${allowed}.`);
  enforce(
    'C08',
    iat >= now - entry.maxCredentialAge,
    () => `The credential is ${formatDuration(now - iat)} old ${allowed}.`,
  );
}

/** A derived result counts only in a credential that was issued for this flow (B19). */
function checkMadeForFlow({ iat }: JsonObject, began: number): void {
  enforce(
    'B19',
    typeof iat === 'number' && iat >= began - clockTolerance,
    'The credential with the derived result was issued before the flow began.',
  );
}

import type { Expected, Verdict } from '../../contracts/verifier.js';
import { nonceOf } from '../../protocol/nonce.js';
import { readAttributes } from './attributes.js';
import { readSignedDerived } from './derived.js';
import { askedDerived, variantOf } from './expected.js';
import { type CompiledVerifier, verdictOf } from './verdict.js';
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
export function sdJwtVc(value: unknown, where: string, maxAge: number): CompiledVerifier {
  const entry = parseSdJwtVcEntry(value, where, maxAge);
  const { keys, algorithms, audience, tolerance } = entry;
  const rules: SdJwtRules = {
    keys,
    types: ['dc+sd-jwt'],
    algorithms,
    clockTolerance,
    limits: defaultLimits,
  };
  return async (presentation, expected, runtime) => {
    const binding = {
      nonce: nonceFor(entry, expected, where),
      audience,
      maxAge: entry.maxAge,
      tolerance,
      startedAt: dateInSeconds(expected.startedAt, 'expected.startedAt'),
    };
    return await verdictOf(async () => {
      const { claims } = await checkSdJwt(presentation, rules, binding, runtime);
      const began = binding.startedAt ?? secondsNow(runtime.clock) - entry.maxAge;
      const verdict = checkPid(claims, entry, expected, began);
      await entry.status(claims, runtime); // last: the list's server learns that somebody verifies
      return verdict;
    });
  };
}

function nonceFor({ nonce }: SdJwtVcEntry, expected: Expected, where: string): string {
  if (nonce === 'state-sha256') return nonceOf(expected.state);
  return nonEmptyString(nonce(expected), `What ${where}.keyBinding.nonce returns`);
}

function checkPid(claims: JsonObject, entry: SdJwtVcEntry, expected: Expected, began: number): Verdict {
  const { vct, iss } = claims;
  if (typeof vct !== 'string') throw checkFailed('C01', 'The credential has no vct string.');
  if (!entry.vct.includes(vct))
    throw checkFailed('C02', `The credential is of another type (vct) than ${entry.vct.join(', ')}.`);
  if (entry.iss !== undefined && (typeof iss !== 'string' || !entry.iss.includes(iss))) {
    throw checkFailed('C09', `The credential names another issuer (iss) than ${entry.iss.join(', ')}.`);
  }
  if (entry.profile === 'haip-1.0' && claims['exp'] === undefined && claims['status'] === undefined) {
    throw checkFailed('C08', 'The credential has neither exp nor status: it would be good forever.');
  }
  const attributes = readAttributes(expected.reveal, variantOf(expected), (id) =>
    at(claims, entry.paths[id]),
  );
  const places = new Map(askedDerived(expected).map((id) => [id, entry.derived[id]]));
  if (places.size > 0) checkMadeForFlow(claims, began);
  return { valid: true, attributes, derived: readSignedDerived(claims, places, expected.derived ?? {}) };
}

/** A derived result counts only in a credential that was issued for this flow (B19). */
function checkMadeForFlow({ iat }: JsonObject, began: number): void {
  if (typeof iat === 'number' && iat >= began - clockTolerance) return;
  throw checkFailed('B19', 'The credential with the derived result was issued before the flow began.');
}

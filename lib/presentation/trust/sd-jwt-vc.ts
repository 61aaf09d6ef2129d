import type { Expected, Verdict } from '../../contracts/verifier.js';
import { nonceOf } from '../../protocol/nonce.js';
import { readAttributes } from './attributes.js';
import { readDerived, signedMeanings } from './derived.js';
import { askedDerived, variantOf } from './expected.js';
import { type CompiledVerifier, verdictOf } from './verdict.js';
import { dateInSeconds, nonEmptyString } from '../../safe/check-options.js';
import { type SdJwtRules, checkSdJwt } from '../sd-jwt/check.js';
import { defaultLimits } from '../token/limits.js';
import { checkFailed } from '../token/check-failed.js';
import type { JsonObject } from '../token/segment.js';
import { at } from './claim-paths.js';
import { type SdJwtVcEntry, parseSdJwtVcEntry } from './sd-jwt-vc-entry.js';

/** Compiles the format `sd-jwt-vc`: an SD-JWT VC with key binding that holds PID attributes. */
export function sdJwtVc(value: unknown, where: string, maxAge: number): CompiledVerifier {
  const entry = parseSdJwtVcEntry(value, where, maxAge);
  const { keys, algorithms, audience, tolerance } = entry;
  const rules: SdJwtRules = {
    keys,
    types: ['dc+sd-jwt'],
    algorithms,
    clockTolerance: 5,
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
      const verdict = checkPid(claims, entry, expected);
      await entry.status(claims, runtime); // last: the list's server learns that somebody verifies
      return verdict;
    });
  };
}

function nonceFor({ nonce }: SdJwtVcEntry, expected: Expected, where: string): string {
  if (nonce === 'state-sha256') return nonceOf(expected.state);
  return nonEmptyString(nonce(expected), `What ${where}.keyBinding.nonce returns`);
}

function checkPid(claims: JsonObject, entry: SdJwtVcEntry, expected: Expected): Verdict {
  const { vct, iss, derived } = claims;
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
  const results = readDerived(askedDerived(expected), signedMeanings, (id) => at(derived, [id]));
  return { valid: true, attributes, derived: results };
}

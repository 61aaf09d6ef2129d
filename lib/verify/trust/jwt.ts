import type { Expected } from '../../types/verifier.js';
import { nonceOf } from '../../service/nonce.js';
import { readAttributes } from './attributes.js';
import { readSignedDerived } from './derived.js';
import { askedDerived, variantOf } from './expectation.js';
import { type CompiledVerifier, type Defaults, verdictOf } from './verdict.js';
import { checkJwt } from '../jwt/check.js';
import { dateInSeconds, nonEmptyString } from '../../internal/former-validate.js';
import { defaultLimits } from '../jose/limits.js';
import { placesOf, valuesAt } from './claim-paths.js';
import { type JwtEntry, parseJwtEntry } from './jwt-entry.js';

/** Compiles the format `jwt`: a result that the service itself signed, its claims where the entry says (J08). */
export function jwt(value: unknown, where: string, defaults: Defaults): CompiledVerifier {
  const entry = parseJwtEntry(value, where, defaults);
  const rules = { ...entry, limits: defaultLimits };
  return async (presentation, expected, runtime) => {
    const binding = {
      claim: entry.boundBy,
      value: boundTo(entry, expected, where),
      startedAt: dateInSeconds(expected.startedAt, 'expected.startedAt'),
    };
    const paths = placesOf(expected.reveal, entry.paths, `${where}.claims`);
    const derived = placesOf(askedDerived(expected), entry.derived, `${where}.derived`);
    return await verdictOf(async () => {
      const claims = await checkJwt(presentation, rules, binding, runtime);
      return {
        valid: true,
        attributes: readAttributes(expected.reveal, variantOf(expected), valuesAt(claims, paths)),
        derived: readSignedDerived(claims, derived, expected.derived ?? {}),
      };
    }, entry.keys.generation);
  };
}

function boundTo({ boundTo: value }: JwtEntry, expected: Expected, where: string): string {
  if (value === 'state') return expected.state;
  if (value === 'state-sha256') return nonceOf(expected.state);
  return nonEmptyString(value(expected), `What ${where}.binding.value returns`);
}

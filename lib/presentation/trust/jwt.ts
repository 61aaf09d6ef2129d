import { configInvalid } from '../../errors.js';
import type { Expected } from '../../contracts/verifier.js';
import { nonceOf } from '../../protocol/nonce.js';
import { readAttributes } from './attributes.js';
import { readDerived, signedMeanings } from './derived.js';
import { askedDerived, variantOf } from './expected.js';
import { type CompiledVerifier, verdictOf } from './verdict.js';
import { checkJwt } from '../jwt/check.js';
import { dateInSeconds, nonEmptyString } from '../../safe/check-options.js';
import { defaultLimits } from '../token/limits.js';
import type { JsonObject } from '../token/segment.js';
import { type ClaimPaths, at } from './claim-paths.js';
import { type JwtEntry, parseJwtEntry } from './jwt-entry.js';

/** Compiles the format `jwt`: a result that the service itself signed, its claims where the entry says (J08). */
export function jwt(value: unknown, where: string, maxAge: number): CompiledVerifier {
  const entry = parseJwtEntry(value, where, maxAge);
  const rules = { ...entry, limits: defaultLimits };
  return async (presentation, expected, runtime) => {
    const binding = {
      claim: entry.boundBy,
      value: boundTo(entry, expected, where),
      startedAt: dateInSeconds(expected.startedAt, 'expected.startedAt'),
    };
    const asked = askedDerived(expected);
    const attributesIn = placed(expected.reveal, entry.paths, `${where}.claims`);
    const derivedIn = placed(asked, entry.derivedPaths, `${where}.derived`);
    return await verdictOf(async () => {
      const claims = await checkJwt(presentation, rules, binding, runtime);
      return {
        valid: true,
        attributes: readAttributes(expected.reveal, variantOf(expected), attributesIn(claims)),
        derived: readDerived(asked, signedMeanings, derivedIn(claims)),
      };
    });
  };
}

function boundTo({ boundTo: value }: JwtEntry, expected: Expected, where: string): string {
  if (value === 'state') return expected.state;
  if (value === 'state-sha256') return nonceOf(expected.state);
  return nonEmptyString(value(expected), `What ${where}.binding.value returns`);
}

/** An attribute without a place in the entry cannot be found in any token: that is a configuration error. */
function placed<Id extends string>(
  asked: readonly Id[],
  paths: ClaimPaths<Id>,
  where: string,
): (claims: JsonObject) => (id: Id) => unknown {
  const places = asked.map((id) => {
    const path = paths[id];
    if (path === undefined) throw configInvalid(`${where} does not say where ${id} is, which is asked for.`);
    return [id, path] as const;
  });
  return (claims) => {
    const values = new Map(places.map(([id, path]) => [id, at(claims, path)]));
    return (id) => values.get(id);
  };
}

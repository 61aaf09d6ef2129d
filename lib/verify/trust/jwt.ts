import * as v from '../../internal/validate.js';
import type { JwtTrust } from '../../types/trust.js';
import { type Runtime, secondsNow } from '../jose/clock.js';
import { checkTimes, timeOf } from '../jose/times.js';
import { checkNumbers, defaultLimits, isOneOf, type JsonObject, startReading } from '../jose/decode.js';
import { enforce } from '../jose/enforce.js';
import { algorithmList, checkSignature, compactText, readJws, splitJws } from '../jose/jws.js';
import { askedDerived, compileBoundValue } from './expectation.js';
import { compileKeys } from './issuer-keys.js';
import { attributePaths, derivedPlaces, readResult, requirePaths, requirePlaces } from './read-claims.js';
import { type CompiledVerifier, type Defaults, verdictOf } from './verdict.js';

/** Claim names have no default: no rulebook applies here. */
const readEntry = v.objectWith(['algorithms', 'maxAge'], {
  format: v.anything,
  keys: v.anything,
  iss: v.oneOrMore,
  audience: v.nonEmptyString,
  typ: v.nonEmptyString,
  algorithms: algorithmList,
  binding: v.object({ claim: v.nonEmptyString, value: v.anything } satisfies v.ChecksOf<JwtTrust['binding']>),
  maxAge: v.optional(v.numberAboveZero),
  tolerance: v.withDefault(v.numberFromZero, 5),
  claims: attributePaths,
  derived: v.withDefault(derivedPlaces, {}),
} satisfies v.ChecksOf<JwtTrust>);

/** Parses a trust entry whose format is already known (K16). */
function parseEntry(value: unknown, place: string, defaults: Defaults) {
  const entry = readEntry(value, place);
  const { iss, algorithms, binding, maxAge = defaults.maxAge } = entry;
  const keys = compileKeys(entry.keys, `${place}.keys`, { iss, profile: 'sd-jwt-vc', algorithms });
  const words = ['state-sha256', 'state'] as const;
  const boundValue = compileBoundValue(binding.value, words, defaults.issuer, `${place}.binding.value`);
  return { ...entry, keys, maxAge, boundBy: binding.claim, boundValue };
}

/** Compiles the format `jwt`: a result that the service itself signed, its claims where the entry says (J08). */
export function compileJwt(value: unknown, optionPath: string, defaults: Defaults): CompiledVerifier {
  const entry = parseEntry(value, optionPath, defaults);
  return async (presentation, expected, runtime) => {
    const boundTo = entry.boundValue(expected);
    const startedAt = v.dateInSeconds(expected.startedAt, 'expected.startedAt');
    const { claims: paths } = entry;
    requirePaths(expected.reveal, paths, `${optionPath}.claims`);
    const derived = requirePlaces(askedDerived(expected), entry.derived, `${optionPath}.derived`);
    return await verdictOf(async () => {
      const claims = await checkJwt(presentation, entry, { boundTo, startedAt }, runtime);
      return readResult(claims, expected, { paths, derived }, runtime.clock);
    }, entry.keys.generation);
  };
}

const name = 'The JWT';

/**
 * Checks a compact signed JWT (J01 to J07) in the same order as an SD-JWT: cheap checks, then the key, then the
 * signature. Rules that both formats share keep their own number, P, H, K or C.
 */
async function checkJwt(
  presentation: unknown,
  entry: ReturnType<typeof parseEntry>,
  { boundTo, startedAt = -Infinity }: { readonly boundTo: string; readonly startedAt: number | undefined },
  runtime: Runtime,
): Promise<JsonObject> {
  const { typ, algorithms, boundBy, maxAge, tolerance } = entry;
  const now = secondsNow(runtime.clock);
  const compact = compactText(presentation, defaultLimits);
  enforce('P06', !compact.includes('~'), 'The presentation is an SD-JWT: a signed JWT is expected.');
  const jws = splitJws(compact);
  enforce('P06', jws !== undefined, 'The presentation is not three segments.');
  const checks = { type: 'J05', algorithm: 'H01' } as const;
  const reading = startReading(defaultLimits);
  const { header, claims } = readJws(jws, { name, types: [typ], algorithms, checks }, reading);
  const { exp, aud, iss, status } = claims;

  const expired = checkTimes(claims, now, tolerance);
  if (expired !== undefined) throw expired;
  enforce('J02', exp !== undefined, `${name} has no exp.`);
  const iat = timeOf(claims, 'iat', 'C05');
  enforce('J07', iat !== undefined, `${name} has no iat.`);
  enforce('J07', iat >= now - maxAge - tolerance, `${name} is too old.`);
  enforce('J07', iat >= startedAt - tolerance, `${name} is older than the flow that asked for it.`);
  checkNumbers(reading);
  enforce('J03', aud === entry.audience, `${name} is not addressed to this audience only.`);
  enforce('J04', isOneOf(iss, entry.iss), `${name} names another issuer (iss).`);
  enforce('J06', claims[boundBy] === boundTo, `${name} was made for another flow: its ${boundBy} differs.`);
  enforce('T03', status === undefined, `${name} has a status, and no way to look it up is configured.`);

  const key = await entry.keys({ header, claims }, runtime);
  await checkSignature(jws, key, header.alg, 'K02', `${name} is not signed by the issuer's key.`);
  return claims;
}

import { configInvalid } from '../../errors.js';
import { formatDuration } from '../../internal/timeouts.js';
import * as v from '../../internal/validate.js';
import { claimNames } from '../../types/attributes.js';
import type { Clock } from '../../types/json.js';
import type { Expected, SdJwtVcTrust, Verdict } from '../../types/trust.js';
import { secondsNow } from '../jose/clock.js';
import { defaultLimits, isObject, isOneOf, type JsonObject } from '../jose/decode.js';
import { enforce } from '../jose/enforce.js';
import { algorithmList } from '../jose/jws.js';
import { checkSdJwt } from '../sd-jwt/check-sd-jwt.js';
import { parseAudience } from '../sd-jwt/key-binding.js';
import { compileStatus } from '../status/check-status.js';
import { askedDerived, compileNonce } from './expectation.js';
import { compileKeys } from './issuer-keys.js';
import { compileJwt } from './jwt.js';
import { attributePaths, derivedPlaces, readResult } from './read-claims.js';
import { type CompiledVerifier, type Defaults, verdictOf } from './verdict.js';

/** The names of the sandbox's profile. */
const usualDerived = {
  nationality: { result: ['derived', 'nationality'], value: ['derived_for', 'nationality'] },
};

const restrictions = [
  'iss',
  'types',
  'algorithms',
  'profile',
  'requireExpiry',
  'maxCredentialAge',
  'status',
] as const;

const readEntry = v.objectWith(restrictions, {
  format: v.anything,
  keys: v.anything,
  iss: v.optional(v.oneOrMore),
  vct: v.stringList,
  types: v.withDefault(v.list(v.oneOf(['dc+sd-jwt', 'vc+sd-jwt'])), ['dc+sd-jwt']),
  algorithms: algorithmList,
  keyBinding: v.objectWith(['maxAge'], {
    nonce: v.anything,
    audience: parseAudience,
    maxAge: v.optional(v.numberAboveZero),
    tolerance: v.withDefault(v.numberFromZero, 300),
  } satisfies v.ChecksOf<NonNullable<SdJwtVcTrust['keyBinding']>>),
  claims: v.withDefault(attributePaths, {}),
  derived: v.optional(derivedPlaces),
  derivedBy: v.anything,
  profile: v.withDefault(v.oneOf(['sd-jwt-vc', 'haip-1.0']), 'sd-jwt-vc'),
  requireExpiry: v.withDefault(v.boolean, false),
  maxCredentialAge: v.withDefault(v.numberAboveZero, Infinity),
  status: v.anything,
} satisfies v.ChecksOf<SdJwtVcTrust>);

/** Parses a trust entry whose format is already known (K16). */
function parseEntry(value: unknown, place: string, defaults: Defaults) {
  const entry = readEntry(value, place);
  const { iss, profile, algorithms, derived, derivedBy } = entry;
  const { nonce, maxAge = defaults.maxAge, ...binding } = entry.keyBinding;
  const keys = compileKeys(entry.keys, `${place}.keys`, { iss, profile, algorithms });
  const { jwksUri } = entry.keys as { readonly jwksUri?: unknown };
  if (derived !== undefined && derivedBy !== undefined) {
    throw configInvalid(`${place} must have either derived or derivedBy.`);
  }
  return {
    ...entry,
    keys,
    binding: { ...binding, maxAge },
    nonce: compileNonce(nonce, defaults.issuer, `${place}.keyBinding.nonce`),
    paths: { ...claimNames, ...entry.claims },
    derived: { ...usualDerived, ...derived },
    derivedBy:
      derivedBy === undefined ? undefined : compileDerivedBy(derivedBy, `${place}.derivedBy`, defaults),
    status: compileStatus(entry.status, { keys, algorithms }, [jwksUri, ...(iss ?? [])], `${place}.status`),
  };
}

/** Compiles the entry of a service that states derived results itself, in a JWT of its own. */
function compileDerivedBy(entry: unknown, place: string, defaults: Defaults): CompiledVerifier {
  if (isObject(entry) && entry['format'] === 'jwt' && entry['derived'] !== undefined) {
    return compileJwt(entry, place, defaults);
  }
  throw configInvalid(`${place} must be an entry of the format jwt that has derived.`);
}

/** Seconds that the issuer's clock may be off. */
const clockTolerance = 5;

/** Compiles the format `sd-jwt-vc`: an SD-JWT VC with key binding that holds PID attributes. */
export function compileSdJwtVc(value: unknown, optionPath: string, defaults: Defaults): CompiledVerifier {
  const entry = parseEntry(value, optionPath, defaults);
  const { keys, types, algorithms, derivedBy } = entry;
  const rules = { keys, types, algorithms, clockTolerance, limits: defaultLimits };
  return async (presentation, expected, runtime) => {
    if (derivedBy !== undefined && askedDerived(expected).length > 0) {
      return await derivedBy(presentation, expected, runtime);
    }
    const startedAt = v.dateInSeconds(expected.startedAt, 'expected.startedAt');
    const { audience = entry.binding.audience } = expected;
    const binding = { ...entry.binding, audience, nonce: await entry.nonce(expected), startedAt };
    return await verdictOf(async () => {
      const { claims } = await checkSdJwt(presentation, rules, binding, runtime);
      const verdict = checkPid(claims, entry, expected, runtime.clock);
      await entry.status(claims, runtime); // last: the list's server learns that somebody verifies
      return verdict;
    }, keys.generation);
  };
}

type Entry = ReturnType<typeof parseEntry>;

function checkPid(claims: JsonObject, entry: Entry, expected: Expected, clock: Clock): Verdict {
  const now = secondsNow(clock);
  const { vct, iss } = claims;
  enforce('C01', typeof vct === 'string', 'The credential has no vct string.');
  const otherType = () => `The credential is not of the type (vct) ${entry.vct.join(' or ')}.`;
  enforce('C02', entry.vct.includes(vct), otherType);
  const { iss: issuers } = entry;
  if (issuers !== undefined) {
    const named = issuers.map((one) => `\`${one}\``).join(' or ');
    const otherIssuer = () => `The credential is not from the issuer (iss) ${named}.`;
    enforce('C09', isOneOf(iss, issuers), otherIssuer);
  }
  checkExpiry(claims, entry, now);
  if (askedDerived(expected).length > 0) {
    const began = v.dateInSeconds(expected.startedAt, 'expected.startedAt') ?? now - entry.binding.maxAge;
    const isForFlow = typeof claims['iat'] === 'number' && claims['iat'] >= began - clockTolerance;
    enforce('B19', isForFlow, 'The credential with the derived result was issued before the flow began.');
  }
  return readResult(claims, expected, entry, clock);
}

/** Checks how long the credential is good, as far as the entry limits that (C08). */
function checkExpiry({ exp, iat, status }: JsonObject, entry: Entry, now: number): void {
  const { profile, requireExpiry, maxCredentialAge } = entry;
  const canEnd = exp !== undefined || status !== undefined;
  if (profile === 'haip-1.0') enforce('C08', canEnd, 'The credential has neither exp nor status.');
  if (requireExpiry) enforce('C08', exp !== undefined, 'The credential has no exp.');
  if (maxCredentialAge === Infinity) return;
  const allowed = `(maxCredentialAge: ${formatDuration(maxCredentialAge)})`;
  enforce('C08', typeof iat === 'number', `The credential has no iat ${allowed}.`);
  const old = () => `The credential is ${formatDuration(now - iat)} old ${allowed}.`;
  enforce('C08', iat >= now - maxCredentialAge, old);
}

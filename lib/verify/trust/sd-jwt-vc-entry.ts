import { configInvalid } from '../../errors.js';
import type { AttributeId } from '../../types/attributes.js';
import type { SdJwtVcTrust } from '../../types/trust.js';
import type { Expected } from '../../types/verifier.js';
import { attributeIds } from '../../service/attributes.js';
import {
  knownOptions,
  numberAboveZero,
  numberFromZero,
  optionalBoolean,
  stringList,
} from '../../internal/former-validate.js';
import { algorithmList } from '../jose/algorithms.js';
import type { KeySource, Profile } from '../keys/key-source.js';
import { keySource } from './key-source.js';
import { parseAudience } from '../sd-jwt/key-binding.js';
import { type CheckStatus, compileStatus } from '../status/status.js';
import { parseClaimPaths } from './claim-paths.js';
import { type DerivedPlaces, parseDerivedPlaces } from './derived.js';
import { probeNonceFunction } from './expectation.js';
import { jwt } from './jwt.js';
import type { CompiledVerifier, Defaults } from './verdict.js';
import { isObject } from '../jose/segment.js';

/** A trust entry of this format, parsed. */
export interface SdJwtVcEntry {
  readonly keys: KeySource;
  readonly iss: readonly string[] | undefined;
  readonly vct: readonly string[];
  readonly types: readonly string[];
  readonly algorithms: readonly string[];
  readonly nonce: 'state-sha256' | ((expected: Expected) => unknown);
  readonly audiences: readonly string[];
  readonly maxAge: number;
  readonly tolerance: number;
  /** The place of each attribute in the claims. */
  readonly paths: Readonly<Record<AttributeId, readonly string[]>>;
  readonly derived: Required<DerivedPlaces>;
  /** Verifies the flows that ask for a derived value, in place of the rest of the entry. */
  readonly derivedBy: CompiledVerifier | undefined;
  readonly profile: Profile;
  readonly requireExpiry: boolean;
  readonly maxCredentialAge: number;
  readonly status: CheckStatus;
}

const entryNames = [
  'format',
  'keys',
  'iss',
  'vct',
  'types',
  'algorithms',
  'keyBinding',
  'claims',
  'derived',
  'derivedBy',
  'profile',
  'requireExpiry',
  'maxCredentialAge',
  'status',
] as const satisfies readonly (keyof SdJwtVcTrust)[];
const bindingNames = [
  'nonce',
  'audience',
  'maxAge',
  'tolerance',
] as const satisfies readonly (keyof SdJwtVcTrust['keyBinding'])[];

/** The claim names of the PID rulebook, section 4.1.1. */
const rulebookPaths: SdJwtVcEntry['paths'] = {
  family_name: ['family_name'],
  given_name: ['given_name'],
  birth_date: ['birthdate'],
  nationality: ['nationalities'],
};

/** The names of the sandbox's profile. */
const usualDerived: Required<DerivedPlaces> = {
  nationality: { result: ['derived', 'nationality'], value: ['derived_for', 'nationality'] },
};

/** Parses a trust entry whose format is already known (K16). */
export function parseSdJwtVcEntry(value: unknown, where: string, { issuer, maxAge }: Defaults): SdJwtVcEntry {
  const given = knownOptions(value, entryNames, where);
  const { vct, keyBinding, claims } = given;
  const iss = parseNames(given.iss, `${where}.iss`);
  const profile = parseProfile(given.profile, `${where}.profile`);
  const binding = knownOptions(keyBinding, bindingNames, `${where}.keyBinding`);
  const algorithms = algorithmList(given.algorithms, `${where}.algorithms`);
  const signer = {
    keys: keySource(given.keys, `${where}.keys`, { iss, profile, algorithms }),
    iss,
    algorithms,
  };
  const { jwksUri } = given.keys as { readonly jwksUri?: unknown };
  return {
    ...signer,
    profile,
    requireExpiry: optionalBoolean(given.requireExpiry, `${where}.requireExpiry`) === true,
    maxCredentialAge: numberAboveZero(given.maxCredentialAge, Infinity, `${where}.maxCredentialAge`),
    vct: stringList(vct, `${where}.vct`),
    types: parseTypes(given.types, `${where}.types`),
    nonce: parseNonce(binding.nonce, issuer, `${where}.keyBinding.nonce`),
    audiences: parseAudience(binding.audience, `${where}.keyBinding.audience`),
    maxAge: numberAboveZero(binding.maxAge, maxAge, `${where}.keyBinding.maxAge`),
    tolerance: numberFromZero(binding.tolerance, 300, `${where}.keyBinding.tolerance`),
    paths: { ...rulebookPaths, ...parseClaimPaths(claims ?? {}, attributeIds, `${where}.claims`) },
    derived: { ...usualDerived, ...parseDerivedPlaces(given.derived ?? {}, `${where}.derived`) },
    derivedBy: parseDerivedBy(given, where, { issuer, maxAge }),
    status: compileStatus(given.status, signer, [jwksUri, ...(iss ?? [])], `${where}.status`),
  };
}

/** Compiles the entry of a service that states derived results itself, in a JWT of its own. */
function parseDerivedBy(
  { derived, derivedBy }: { readonly derived?: unknown; readonly derivedBy?: unknown },
  where: string,
  defaults: Defaults,
): CompiledVerifier | undefined {
  if (derivedBy === undefined) return undefined;
  if (derived !== undefined) throw configInvalid(`${where} must have either derived or derivedBy.`);
  if (!isObject(derivedBy) || derivedBy['format'] !== 'jwt' || derivedBy['derived'] === undefined) {
    throw configInvalid(`${where}.derivedBy must be an entry of the format jwt that has derived.`);
  }
  return jwt(derivedBy, `${where}.derivedBy`, defaults);
}

function parseNames(iss: unknown, where: string): readonly string[] | undefined {
  return iss === undefined ? undefined : stringList(typeof iss === 'string' ? [iss] : iss, where);
}

function parseProfile(value: unknown = 'sd-jwt-vc', where: string): Profile {
  if (value === 'sd-jwt-vc' || value === 'haip-1.0') return value;
  throw configInvalid(`${where} must be 'sd-jwt-vc' or 'haip-1.0'.`);
}

function parseTypes(value: unknown, where: string): readonly string[] {
  if (value === undefined) return ['dc+sd-jwt'];
  const types = stringList(value, where);
  if (types.every((type) => type === 'dc+sd-jwt' || type === 'vc+sd-jwt')) return types;
  throw configInvalid(`${where} may hold dc+sd-jwt and vc+sd-jwt.`);
}

function parseNonce(value: unknown, issuer: string, where: string): SdJwtVcEntry['nonce'] {
  if (value === 'state-sha256') return value;
  if (typeof value === 'function')
    return probeNonceFunction(value as (expected: Expected) => unknown, issuer, where);
  throw configInvalid(`${where} must be 'state-sha256' or a function of what is expected.`);
}

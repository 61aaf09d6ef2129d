import { configInvalid } from '../../errors.js';
import type { AttributeId } from '../../contracts/attributes.js';
import type { SdJwtVcTrust } from '../../contracts/trust.js';
import type { Expected } from '../../contracts/verifier.js';
import { attributeIds } from '../../protocol/attributes.js';
import { knownOptions, nonEmptyString, numberFromZero, stringList } from '../../safe/check-options.js';
import { algorithmList } from '../token/algorithms.js';
import type { KeySource, Profile } from '../keys/key-source.js';
import { keySource } from './key-mechanisms.js';
import { type CheckStatus, compileStatus } from '../status/status.js';
import { parseClaimPaths } from './claim-paths.js';
import { type DerivedPlaces, parseDerivedPlaces } from './derived.js';

/** A trust entry of this format, parsed. */
export interface SdJwtVcEntry {
  readonly keys: KeySource;
  readonly iss: readonly string[] | undefined;
  readonly vct: readonly string[];
  readonly algorithms: readonly string[];
  readonly nonce: 'state-sha256' | ((expected: Expected) => string);
  readonly audience: string;
  readonly maxAge: number;
  readonly tolerance: number;
  /** The place of each attribute in the claims. */
  readonly paths: Readonly<Record<AttributeId, readonly string[]>>;
  readonly derived: Required<DerivedPlaces>;
  readonly profile: Profile;
  readonly status: CheckStatus;
}

const entryNames = [
  'format',
  'keys',
  'iss',
  'vct',
  'algorithms',
  'keyBinding',
  'claims',
  'derived',
  'profile',
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
export function parseSdJwtVcEntry(value: unknown, where: string, maxAge: number): SdJwtVcEntry {
  const given = knownOptions(value, entryNames, where);
  const { vct, keyBinding, claims } = given;
  const iss = parseNames(given.iss, `${where}.iss`);
  const profile = parseProfile(given.profile, `${where}.profile`);
  const binding = knownOptions(keyBinding, bindingNames, `${where}.keyBinding`);
  const issuer = {
    keys: keySource(given.keys, `${where}.keys`, { iss, profile }),
    iss,
    algorithms: algorithmList(given.algorithms, `${where}.algorithms`),
  };
  const { jwksUri } = given.keys as { readonly jwksUri?: unknown };
  return {
    ...issuer,
    profile,
    vct: stringList(vct, `${where}.vct`),
    nonce: parseNonce(binding.nonce, `${where}.keyBinding.nonce`),
    audience: nonEmptyString(binding.audience, `${where}.keyBinding.audience`),
    maxAge: numberFromZero(binding.maxAge, maxAge, `${where}.keyBinding.maxAge`),
    tolerance: numberFromZero(binding.tolerance, 300, `${where}.keyBinding.tolerance`),
    paths: { ...rulebookPaths, ...parseClaimPaths(claims ?? {}, attributeIds, `${where}.claims`) },
    derived: { ...usualDerived, ...parseDerivedPlaces(given.derived ?? {}, `${where}.derived`) },
    status: compileStatus(given.status, issuer, [jwksUri, ...(issuer.iss ?? [])], `${where}.status`),
  };
}

function parseNames(iss: unknown, where: string): readonly string[] | undefined {
  return iss === undefined ? undefined : stringList(typeof iss === 'string' ? [iss] : iss, where);
}

function parseProfile(value: unknown = 'sd-jwt-vc', where: string): Profile {
  if (value === 'sd-jwt-vc' || value === 'haip-1.0') return value;
  throw configInvalid(`${where} must be 'sd-jwt-vc' or 'haip-1.0'.`);
}

function parseNonce(value: unknown, where: string): SdJwtVcEntry['nonce'] {
  if (value === 'state-sha256') return value;
  if (typeof value === 'function') return value as (expected: Expected) => string;
  throw configInvalid(`${where} must be 'state-sha256' or a function of what is expected.`);
}

import { configInvalid } from '../../errors.js';
import type { AttributeId } from '../../types/attributes.js';
import type { JwtTrust } from '../../types/trust.js';
import type { Expected } from '../../types/verifier.js';
import { attributeIds } from '../../service/attributes.js';
import {
  knownOptions,
  nonEmptyString,
  numberAboveZero,
  numberFromZero,
  stringList,
} from '../../internal/former-validate.js';
import { algorithmList } from '../jose/algorithms.js';
import type { KeySource } from '../keys/key-source.js';
import { keySource } from './key-source.js';
import { type ClaimPaths, parseClaimPaths } from './claim-paths.js';
import { type DerivedPlaces, parseDerivedPlaces } from './derived.js';
import { probeNonceFunction } from './expectation.js';
import type { Defaults } from './verdict.js';

/** A trust entry of this format, parsed. */
export interface JwtEntry {
  readonly keys: KeySource;
  readonly iss: readonly string[];
  readonly audience: string;
  readonly typ: string;
  readonly algorithms: readonly string[];
  readonly boundBy: string;
  readonly boundTo: 'state-sha256' | 'state' | ((expected: Expected) => unknown);
  readonly maxAge: number;
  readonly tolerance: number;
  readonly paths: ClaimPaths<AttributeId>;
  readonly derived: DerivedPlaces;
}

const entryNames = [
  'format',
  'keys',
  'iss',
  'audience',
  'typ',
  'algorithms',
  'binding',
  'maxAge',
  'tolerance',
  'claims',
  'derived',
] as const satisfies readonly (keyof JwtTrust)[];
const bindingNames = ['claim', 'value'] as const satisfies readonly (keyof JwtTrust['binding'])[];

/** Parses a trust entry whose format is already known (K16). Claim names have no default: no rulebook applies here. */
export function parseJwtEntry(value: unknown, where: string, { issuer, maxAge }: Defaults): JwtEntry {
  const given = knownOptions(value, entryNames, where);
  const iss = stringList(typeof given.iss === 'string' ? [given.iss] : given.iss, `${where}.iss`);
  const binding = knownOptions(given.binding, bindingNames, `${where}.binding`);
  const algorithms = algorithmList(given.algorithms, `${where}.algorithms`);
  return {
    keys: keySource(given.keys, `${where}.keys`, { iss, profile: 'sd-jwt-vc', algorithms }),
    iss,
    audience: nonEmptyString(given.audience, `${where}.audience`),
    typ: nonEmptyString(given.typ, `${where}.typ`),
    algorithms,
    boundBy: nonEmptyString(binding.claim, `${where}.binding.claim`),
    boundTo: parseBoundValue(binding.value, issuer, `${where}.binding.value`),
    maxAge: numberAboveZero(given.maxAge, maxAge, `${where}.maxAge`),
    tolerance: numberFromZero(given.tolerance, 5, `${where}.tolerance`),
    paths: parseClaimPaths(given.claims, attributeIds, `${where}.claims`),
    derived: parseDerivedPlaces(given.derived ?? {}, `${where}.derived`),
  };
}

function parseBoundValue(value: unknown, issuer: string, where: string): JwtEntry['boundTo'] {
  if (value === 'state-sha256' || value === 'state') return value;
  if (typeof value === 'function')
    return probeNonceFunction(value as (expected: Expected) => unknown, issuer, where);
  throw configInvalid(`${where} must be 'state-sha256', 'state' or a function of what is expected.`);
}

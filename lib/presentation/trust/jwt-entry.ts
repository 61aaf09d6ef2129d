import { configInvalid } from '../../errors.js';
import type { AttributeId, DerivedId } from '../../contracts/attributes.js';
import type { JwtTrust } from '../../contracts/trust.js';
import type { Expected } from '../../contracts/verifier.js';
import { attributeIds, derivedIds } from '../../protocol/attributes.js';
import { algorithmList, amount, namedOptions, text, textList } from '../token/entry-options.js';
import type { KeySource } from '../keys/key-source.js';
import { keySource } from './key-mechanisms.js';
import { type ClaimPaths, judgePaths } from './claim-paths.js';

/** A trust entry of this format, judged. */
export interface JwtEntry {
  readonly keys: KeySource;
  readonly iss: readonly string[];
  readonly audience: string;
  readonly typ: string;
  readonly algorithms: readonly string[];
  readonly boundBy: string;
  readonly boundTo: JwtTrust['binding']['value'];
  readonly maxAge: number;
  readonly tolerance: number;
  readonly paths: ClaimPaths<AttributeId>;
  readonly derivedPaths: ClaimPaths<DerivedId>;
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

/** Judges a trust entry whose format is already known (K16). What a wallet's rulebook would say has no default here. */
export function judgeJwtEntry(value: unknown, where: string, maxAge: number): JwtEntry {
  const given = namedOptions(value, entryNames, where);
  const iss = textList(typeof given.iss === 'string' ? [given.iss] : given.iss, `${where}.iss`);
  const binding = namedOptions(given.binding, bindingNames, `${where}.binding`);
  return {
    keys: keySource(given.keys, `${where}.keys`, { iss, profile: 'sd-jwt-vc' }),
    iss,
    audience: text(given.audience, `${where}.audience`),
    typ: text(given.typ, `${where}.typ`),
    algorithms: algorithmList(given.algorithms, `${where}.algorithms`),
    boundBy: text(binding.claim, `${where}.binding.claim`),
    boundTo: judgeBound(binding.value, `${where}.binding.value`),
    maxAge: amount(given.maxAge, maxAge, `${where}.maxAge`),
    tolerance: amount(given.tolerance, 5, `${where}.tolerance`),
    paths: judgePaths(given.claims, attributeIds, `${where}.claims`),
    derivedPaths: judgePaths(given.derived ?? {}, derivedIds, `${where}.derived`),
  };
}

function judgeBound(value: unknown, where: string): JwtEntry['boundTo'] {
  if (value === 'state-sha256' || value === 'state') return value;
  if (typeof value === 'function') return value as (expected: Expected) => string;
  throw configInvalid(`${where} must be 'state-sha256', 'state' or a function of what is expected.`);
}

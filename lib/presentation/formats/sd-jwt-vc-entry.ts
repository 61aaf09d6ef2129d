import { configInvalid } from '../../errors.js';
import type { AttributeId, Expected, TrustEntry } from '../../ports.js';
import { attributeIds } from '../../protocol/attributes.js';
import { algorithmList, amount, namedOptions, text, textList } from '../judge-options.js';
import type { KeySource } from '../keys/key-source.js';
import { keySource } from '../keys/mechanisms.js';

/** A trust entry of this format, judged. */
export interface SdJwtVcEntry {
  readonly keys: KeySource;
  readonly iss: readonly string[] | undefined;
  readonly vct: readonly string[];
  readonly algorithms: readonly string[];
  readonly nonce: 'state-sha256' | ((expected: Expected) => string);
  readonly audience: string;
  readonly maxAge: number;
  readonly tolerance: number;
  /** Where each attribute lies in the claims. */
  readonly paths: Readonly<Record<AttributeId, readonly string[]>>;
}

const entryNames = [
  'format',
  'keys',
  'iss',
  'vct',
  'algorithms',
  'keyBinding',
  'claims',
] as const satisfies readonly (keyof TrustEntry)[];
const bindingNames = [
  'nonce',
  'audience',
  'maxAge',
  'tolerance',
] as const satisfies readonly (keyof TrustEntry['keyBinding'])[];

/** The claim names of the PID rulebook, section 4.1.1. */
const rulebookPaths: SdJwtVcEntry['paths'] = {
  family_name: ['family_name'],
  given_name: ['given_name'],
  birth_date: ['birthdate'],
  nationality: ['nationalities'],
};

/** Judges a trust entry whose format is already known (K16). */
export function judgeEntry(value: unknown, where: string, maxAge: number): SdJwtVcEntry {
  const { keys, iss, vct, algorithms, keyBinding, claims } = namedOptions(value, entryNames, where);
  const binding = namedOptions(keyBinding, bindingNames, `${where}.keyBinding`);
  return {
    keys: keySource(keys, `${where}.keys`),
    iss: iss === undefined ? undefined : textList(typeof iss === 'string' ? [iss] : iss, `${where}.iss`),
    vct: textList(vct, `${where}.vct`),
    algorithms: algorithmList(algorithms, `${where}.algorithms`),
    nonce: judgeNonce(binding.nonce, `${where}.keyBinding.nonce`),
    audience: text(binding.audience, `${where}.keyBinding.audience`),
    maxAge: amount(binding.maxAge, maxAge, `${where}.keyBinding.maxAge`),
    tolerance: amount(binding.tolerance, 300, `${where}.keyBinding.tolerance`),
    paths: claims === undefined ? rulebookPaths : judgePaths(claims, `${where}.claims`),
  };
}

function judgeNonce(value: unknown, where: string): SdJwtVcEntry['nonce'] {
  if (value === 'state-sha256') return value;
  if (typeof value === 'function') return value as (expected: Expected) => string;
  throw configInvalid(`${where} must be 'state-sha256' or a function of what is expected.`);
}

function judgePaths(value: unknown, where: string): SdJwtVcEntry['paths'] {
  const given = namedOptions(value, attributeIds, where);
  const paths = attributeIds.flatMap((id) => {
    const path = given[id];
    return path === undefined ? [] : [[id, textList(path, `${where}.${id}`)] as const];
  });
  return { ...rulebookPaths, ...Object.fromEntries(paths) };
}

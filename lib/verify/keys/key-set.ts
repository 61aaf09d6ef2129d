import { enforce } from '../jose/check-failed.js';
import { isObject } from '../jose/segment.js';
import { fits } from '../jose/algorithms.js';
import {
  configuredExponent,
  importPublic,
  type IssuerKey,
  issuerKey,
  type PublicJwk,
  publicJwk,
} from './jwk.js';
import { configInvalid } from '../../errors.js';
import type { IssuerRules, KeySource } from './key-source.js';

/** The usable keys of a JWK set, in its order. */
export type KeySet = readonly { readonly jwk: PublicJwk; readonly key: IssuerKey }[];

/** Reads a JWK set. `onUnusable` is called for each key that cannot check signatures. */
export function readKeySet(
  set: unknown,
  onUnusable: (why: string, index: number) => void,
  leastExponent?: number,
): KeySet | undefined {
  if (!isObject(set) || !Array.isArray(set['keys'])) return undefined;
  return set['keys'].flatMap((entry: unknown, index) => {
    const found = publicJwk(entry, leastExponent);
    if (typeof found !== 'string') return [{ jwk: found, key: issuerKey(found) }];
    onUnusable(found, index);
    return [];
  });
}

/**
 * Returns the one key that the header's kid selects, or the only key if there is no kid (K12). Returns undefined for an
 * unknown kid, which a newer set may know.
 */
export function selectKey(set: KeySet, kid: unknown): IssuerKey | undefined {
  enforce('K15', set.length > 0, 'The issuer has no key that could check a signature.', 'key_not_found');
  enforce(
    'K12',
    kid === undefined || typeof kid === 'string',
    "The header's kid is not a string.",
    'key_not_found',
  );
  const selected = kid === undefined ? set : set.filter(({ jwk }) => jwk.kid === kid);
  enforce(
    'K12',
    selected.length <= 1,
    'More than one key could be meant: a kid must select exactly one.',
    'key_not_found',
  );
  return selected[0]?.key;
}

/** Refuses a kid that no key has. */
export function checkFound(key: IssuerKey | undefined): asserts key is IssuerKey {
  enforce(
    'K12',
    key !== undefined,
    "None of the issuer's keys has the kid that the header names.",
    'key_not_found',
  );
}

/** The mechanism `jwks`: keys in the configuration. */
export function staticKeySet(jwks: unknown, where: string, { algorithms }: IssuerRules): KeySource {
  const refuse = (why: string, index: number) => {
    throw configInvalid(`${where}.keys[${index}] is ${why}.`);
  };
  const set = readKeySet(jwks, refuse, configuredExponent);
  if (set === undefined || set.length === 0)
    throw configInvalid(`${where} must be { keys: [...] } with at least one key.`);
  checkUse(
    set.map(({ jwk }) => jwk),
    where,
    algorithms,
  );
  return async ({ header }) => {
    const key = selectKey(set, header['kid']);
    checkFound(key);
    return key(header.alg);
  };
}

/** Refuses a set with a key that no token could select or be checked with, and one without a key for the entry (K16). */
function checkUse(set: readonly PublicJwk[], where: string, algorithms: readonly string[]): void {
  for (const [index, { jwk, kid, alg }] of set.entries()) {
    const refuse = (why: string) => configInvalid(`${where}.keys[${index}] ${why}.`);
    if (importPublic(jwk) === undefined)
      throw refuse('is off its curve, or an RSA key of fewer than 2048 bits');
    if (alg !== undefined && !(typeof alg === 'string' && fits(jwk, alg))) {
      throw refuse('is limited to an alg that it does not fit');
    }
    if (kid === undefined ? set.length > 1 : typeof kid !== 'string') {
      throw refuse('needs a kid that is a string: a header selects it by that');
    }
    if (kid !== undefined && set.findIndex((other) => other.kid === kid) < index) {
      throw refuse('has the kid of another key: a kid must select exactly one');
    }
  }
  const isUseful = ({ jwk, alg }: PublicJwk) =>
    algorithms.some((allowed) => fits(jwk, allowed) && (alg === undefined || alg === allowed));
  if (!set.some(isUseful)) {
    throw configInvalid(
      `${where} has no key for ${algorithms.join(' or ')}: set algorithms to what the issuer signs with.`,
    );
  }
}

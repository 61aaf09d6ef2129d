import type { Jwk } from '../../contracts/trust.js';
import { isObject } from '../token/segment.js';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { checkFailed } from '../token/check-failed.js';
import { fits } from '../token/algorithms.js';

/** The members of a public key by type. Only these are imported. */
const members: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
  ['RSA', ['n', 'e']],
]);

const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** Why a value is not a public signature key, for the operator who configured it. */
export type NotPublic = 'not a JWK' | 'private' | 'symmetric' | 'not a public signature key';

/** A public key without the other members of its JWK, except the kid and the algorithm that it is limited to. */
export interface PublicJwk {
  readonly jwk: Jwk;
  readonly kid: unknown;
  readonly alg: unknown;
}

/** Reads a JWK that checks signatures. */
export function publicJwk(value: unknown): PublicJwk | NotPublic {
  if (!isObject(value) || typeof value['kty'] !== 'string') return 'not a JWK';
  const { kty, kid, alg, use = 'sig', key_ops: uses = ['verify'] } = value;
  if (kty === 'oct') return 'symmetric';
  if (secret.some((name) => Object.hasOwn(value, name))) return 'private';
  const names = members.get(kty);
  const isForSignatures = use === 'sig' && Array.isArray(uses) && uses.includes('verify');
  if (names === undefined || !isForSignatures) return 'not a public signature key';
  const entries = names.map((name) => [name, value[name]] as const);
  if (!entries.every(([, member]) => typeof member === 'string')) return 'not a public signature key';
  return { jwk: { ...Object.fromEntries(entries), kty }, kid, alg };
}

/** Returns a public key for an algorithm that it fits, imported at most once. */
export type IssuerKey = (alg: string) => KeyObject;

export function issuerKey({ jwk, alg: limitedTo }: PublicJwk): IssuerKey {
  let imported: KeyObject | undefined;
  return (alg) => {
    if (!fits(jwk, alg) || (limitedTo !== undefined && limitedTo !== alg)) {
      throw checkFailed('H02', "The header's alg does not fit the issuer's key.");
    }
    imported ??= importPublic(jwk);
    if (imported === undefined) {
      throw checkFailed('K15', "The issuer's key cannot be imported.", 'key_unresolved');
    }
    return imported;
  };
}

const fewestRsaBits = 2048;

/** Returns undefined for a JWK off its curve, or an RSA key that is too short (RFC 7518, section 3.3). */
export function importPublic(jwk: Jwk): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? fewestRsaBits;
    return bits < fewestRsaBits ? undefined : key;
  } catch {
    return undefined;
  }
}

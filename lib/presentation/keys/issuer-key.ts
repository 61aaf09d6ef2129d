import { type KeyObject, createPublicKey } from 'node:crypto';
import type { Jwk } from '../../contracts/trust.js';
import { checkFailed } from '../token/check-failed.js';
import { fits } from '../token/algorithms.js';
import type { PublicJwk } from './jwk.js';

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

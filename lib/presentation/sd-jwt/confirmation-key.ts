import type { Jwk } from '../../contracts/trust.js';
import { fits } from '../token/algorithms.js';
import { publicJwk } from '../keys/jwk.js';
import { checkFailed } from '../token/check-failed.js';
import { type JsonObject, isObject } from '../token/segment.js';

/**
 * Returns the wallet's public key from the issuer-signed `cnf` (RFC 7800; C11). Only a key in the token itself is
 * accepted. A reference is refused, because fetching it would tell a third party who verifies whom.
 */
export function confirmationKey(claims: JsonObject, algorithms: readonly string[]): Jwk {
  const { cnf } = claims;
  if (!isObject(cnf)) throw checkFailed('C11', 'The credential is not bound to a key: it has no cnf object.');
  const [method, ...others] = Object.keys(cnf);
  if (method !== 'jwk' || others.length > 0) {
    throw checkFailed('C11', 'cnf must hold one confirmation method: jwk.');
  }
  const found = publicJwk(cnf['jwk']);
  if (typeof found === 'string' || !algorithms.some((alg) => fits(found.jwk, alg))) {
    throw checkFailed('C11', 'cnf.jwk is not a public key for an allowed algorithm.');
  }
  return found.jwk;
}

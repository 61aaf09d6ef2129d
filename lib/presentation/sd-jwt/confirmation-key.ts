import type { Jwk } from '../../contracts/trust.js';
import { fits } from '../token/algorithms.js';
import { publicJwk } from '../keys/jwk.js';
import { refusal } from '../token/check-failed.js';
import { type JsonObject, isObject } from '../token/segment.js';

/**
 * The key of the wallet, from the issuer-signed `cnf` (RFC 7800; C11): a public key that stands in the token itself.
 * Every reference to one is refused, because following it would tell someone who verifies whom.
 */
export function confirmationKey(claims: JsonObject, algorithms: readonly string[]): Jwk {
  const { cnf } = claims;
  if (!isObject(cnf)) throw refusal('C11', 'The credential is not bound to a key: it has no cnf object.');
  const [method, ...others] = Object.keys(cnf);
  if (method !== 'jwk' || others.length > 0) {
    throw refusal('C11', 'cnf must hold one confirmation method: jwk.');
  }
  const found = publicJwk(cnf['jwk']);
  if (typeof found === 'string' || !algorithms.some((alg) => fits(found.jwk, alg))) {
    throw refusal('C11', 'cnf.jwk is not a public key for an allowed algorithm.');
  }
  return found.jwk;
}

import { type CryptoKey, importJWK } from 'jose';
import type { Jwk } from '../../ports.js';
import { refusal } from '../refusal.js';
import { fits } from './algorithms.js';
import type { PublicJwk } from './public-jwk.js';

/** A configured public key, imported at most once for each algorithm. */
export type IssuerKey = (alg: string) => Promise<CryptoKey>;

export function issuerKey({ jwk, alg: limitedTo }: PublicJwk): IssuerKey {
  const imported = new Map<string, Promise<CryptoKey>>();
  return async (alg) => {
    if (!fits(jwk, alg) || (limitedTo !== undefined && limitedTo !== alg)) {
      throw refusal('H02', "The header's alg does not fit the issuer's key.");
    }
    const known = imported.get(alg);
    if (known !== undefined) return await known;
    const key = importPublic(jwk, alg).catch(() => {
      throw refusal('K15', "The issuer's key cannot be imported.", 'key_unresolved');
    });
    imported.set(alg, key);
    return await key;
  };
}

/** A JWK without private members becomes a public key, never bytes. */
export async function importPublic(jwk: Jwk, alg: string): Promise<CryptoKey> {
  return (await importJWK({ ...jwk }, alg)) as CryptoKey;
}

import { KeyObject, type webcrypto } from 'node:crypto';
import { types } from 'node:util';
import { configInvalid } from '../../errors.js';
import type { Jwk } from '../../types/trust.js';
import type { JwsHeader } from '../jose/jws.js';
import { enforce } from '../jose/check-failed.js';
import { configuredExponent, type IssuerKey, issuerKey, publicJwk } from './jwk.js';
import type { KeySource } from './key-source.js';

/** A public key in any of the forms that Node and jose know. */
export type PublicKey = Jwk | webcrypto.JsonWebKey | webcrypto.CryptoKey | KeyObject;

/** Finds the issuer's key for a header that is not verified yet. Returns undefined to refuse the token. */
export type FindKey = (header: JwsHeader) => PublicKey | undefined | Promise<PublicKey | undefined>;

interface Imported {
  readonly print: string;
  readonly key: IssuerKey;
}

/** A key is imported once, however many tokens it checks, and again if its JWK was changed in place. */
const imported = new WeakMap<object, Imported>();
const exported = new WeakMap<object, unknown>();

/** The key that a caller hands in, or a function that finds it. */
export function givenKey(key: unknown): KeySource {
  if (typeof key !== 'function') {
    const given = readKey(key);
    return async ({ header }) => given(header.alg);
  }
  const find = key as FindKey;
  return async ({ header }) => {
    const found = await find(header);
    enforce('K15', found !== undefined, 'No key was found for the token.', 'key_not_found');
    return readKey(found)(header.alg);
  };
}

function readKey(key: unknown): IssuerKey {
  if (typeof key !== 'object' || key === null)
    throw configInvalid('key must be a JWK, CryptoKey or KeyObject.');
  const given = types.isCryptoKey(key) || key instanceof KeyObject ? exportOnce(key) : key;
  const jwk = publicJwk(given, configuredExponent);
  if (typeof jwk === 'string') throw configInvalid(`key is ${jwk}.`);
  const print = JSON.stringify(jwk);
  const known = imported.get(key);
  if (known?.print === print) return known.key;
  const read = issuerKey(jwk);
  imported.set(key, { print, key: read });
  return read;
}

function exportOnce(key: webcrypto.CryptoKey | KeyObject): unknown {
  const known = exported.get(key);
  if (known !== undefined) return known;
  const jwk = (key instanceof KeyObject ? key : KeyObject.from(key)).export({ format: 'jwk' });
  exported.set(key, jwk);
  return jwk;
}

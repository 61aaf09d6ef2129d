import { KeyObject, type webcrypto } from 'node:crypto';
import { types } from 'node:util';
import { configInvalid } from '../../errors.js';
import type { Jwk, SdJwtVcTrust } from '../../types/trust.js';
import type { Runtime } from '../jose/clock.js';
import { enforce } from '../jose/enforce.js';
import type { JwsHeader, UnverifiedToken } from '../jose/jws.js';
import { configuredExponent, type IssuerKey, issuerKey, publicJwk } from './jwk.js';

/** What a key signs. */
export type KeyUse = 'credential' | 'statusList';

/**
 * The source of an issuer's key: one of the mechanisms that a configuration can specify. Returns the one key that checks
 * this token's signature, or refuses the token.
 */
export interface KeySource {
  (token: UnverifiedToken & { readonly use?: KeyUse }, runtime: Runtime): Promise<KeyObject>;
  /** Identifies the trust that counts, for a mechanism whose trust changes while the process runs. */
  readonly generation?: () => unknown;
}

/** The profiles of a trust entry. */
export type Profile = NonNullable<SdJwtVcTrust['profile']>;

/** The rules of a trust entry for its issuer, beside the keys. */
export interface IssuerRules {
  readonly iss: readonly string[] | undefined;
  readonly profile: Profile;
  readonly algorithms: readonly string[];
}

/** A public key in any of the forms that Node and jose know. */
export type PublicKey = Jwk | webcrypto.JsonWebKey | webcrypto.CryptoKey | KeyObject;

/** Finds the issuer's key for a header that is not verified yet. Returns undefined to refuse the token. */
export type FindKey = (header: JwsHeader) => PublicKey | undefined | Promise<PublicKey | undefined>;

/** A key is imported once, however many tokens it checks, and again if its JWK was changed in place. */
const imported = new WeakMap<object, { readonly jwk: string; readonly key: IssuerKey }>();

/** The key that a caller hands in, or a function that finds it. */
export function givenKey(key: unknown): KeySource {
  if (typeof key !== 'function') {
    const issuer = readKey(key);
    return async ({ header }) => issuer(header.alg);
  }
  const find = key as FindKey;
  return async ({ header }) => {
    const issuer = await find(header);
    enforce('K15', issuer !== undefined, 'No key was found for the token.', 'key_not_found');
    return readKey(issuer)(header.alg);
  };
}

function readKey(key: unknown): IssuerKey {
  if (typeof key !== 'object' || key === null)
    throw configInvalid('key must be a JWK, CryptoKey or KeyObject.');
  const isOpaque = types.isCryptoKey(key) || key instanceof KeyObject;
  const known = imported.get(key);
  if (known !== undefined && isOpaque) return known.key;
  const jwk = publicJwk(isOpaque ? exportJwk(key) : key, configuredExponent);
  if (typeof jwk === 'string') throw configInvalid(`key is ${jwk}.`);
  const text = JSON.stringify(jwk);
  if (known?.jwk === text) return known.key;
  const issuer = issuerKey(jwk);
  imported.set(key, { jwk: text, key: issuer });
  return issuer;
}

/** Node 20 and 22 abort the process over the JWK of a point at infinity; the SPKI of one is an error. */
function exportJwk(key: webcrypto.CryptoKey | KeyObject): unknown {
  const known = key instanceof KeyObject ? key : KeyObject.from(key);
  try {
    if (known.type === 'public') known.export({ type: 'spki', format: 'der' });
  } catch {
    throw configInvalid('key is a point at infinity, or no key at all.');
  }
  return known.export({ format: 'jwk' });
}

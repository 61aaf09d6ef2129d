import { type KeyObject, type VerifyKeyObjectInput, constants, verify } from 'node:crypto';
import type { Jwk } from '../../types/trust.js';
import { configInvalid } from '../../errors.js';
import { stringList } from '../../internal/former-validate.js';

/** How a signature is checked, and the kind of key that it needs (RFC 8725, section 3.1). */
interface Algorithm {
  readonly kind: string;
  readonly hash: string | undefined;
  readonly options: Omit<VerifyKeyObjectInput, 'key'>;
}

const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST } = constants;
const ecdsa = { dsaEncoding: 'ieee-p1363' } as const;
const pkcs1 = { padding: RSA_PKCS1_PADDING };
const pss = { padding: RSA_PKCS1_PSS_PADDING, saltLength: RSA_PSS_SALTLEN_DIGEST };

/** RFC 7518, section 3.1, RFC 8037 and RFC 9864. */
const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['ES256', { kind: 'EC P-256', hash: 'sha256', options: ecdsa }],
  ['ES384', { kind: 'EC P-384', hash: 'sha384', options: ecdsa }],
  ['ES512', { kind: 'EC P-521', hash: 'sha512', options: ecdsa }],
  ['EdDSA', { kind: 'OKP Ed25519', hash: undefined, options: {} }],
  ['Ed25519', { kind: 'OKP Ed25519', hash: undefined, options: {} }],
  ['PS256', { kind: 'RSA', hash: 'sha256', options: pss }],
  ['PS384', { kind: 'RSA', hash: 'sha384', options: pss }],
  ['PS512', { kind: 'RSA', hash: 'sha512', options: pss }],
  ['RS256', { kind: 'RSA', hash: 'sha256', options: pkcs1 }],
  ['RS384', { kind: 'RSA', hash: 'sha384', options: pkcs1 }],
  ['RS512', { kind: 'RSA', hash: 'sha512', options: pkcs1 }],
]);

const supportedAlgorithms: readonly string[] = [...algorithms.keys()];

/** Returns the signature algorithms of an option; only asymmetric ones are known. */
export function algorithmList(value: unknown, where: string): readonly string[] {
  if (value === undefined) return ['ES256'];
  const names = stringList(value, where);
  const unknown = names.find((name) => !supportedAlgorithms.includes(name));
  if (unknown === undefined) return names;
  throw configInvalid(`${where} has ${unknown}; supported are ${supportedAlgorithms.join(', ')}.`);
}

/** Returns true if the key has the type and curve that the algorithm needs. */
export function fits(jwk: Jwk, alg: string): boolean {
  const { kty, crv } = jwk;
  return (kty === 'RSA' ? kty : `${kty} ${String(crv)}`) === algorithms.get(alg)?.kind;
}

/**
 * Checks a signature over these bytes, outside the main thread. `alg` is a supported algorithm that fits the key.
 */
export async function isSignedBy(
  key: KeyObject,
  alg: string,
  signed: Buffer,
  signature: Buffer,
): Promise<boolean> {
  const { hash, options } = algorithms.get(alg) as Algorithm;
  return await new Promise((resolve) => {
    verify(hash, signed, { ...options, key }, signature, (error, isGood) =>
      resolve(error === null && isGood),
    );
  });
}

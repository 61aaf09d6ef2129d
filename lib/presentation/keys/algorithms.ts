import type { Jwk } from '../../ports.js';

/** Which kind of key each supported signature algorithm needs (RFC 8725, section 3.1). */
const kinds: ReadonlyMap<string, string> = new Map([
  ['ES256', 'EC P-256'],
  ['ES384', 'EC P-384'],
  ['ES512', 'EC P-521'],
  ['EdDSA', 'OKP Ed25519'],
  ['Ed25519', 'OKP Ed25519'],
  ['PS256', 'RSA'],
  ['PS384', 'RSA'],
  ['PS512', 'RSA'],
  ['RS256', 'RSA'],
  ['RS384', 'RSA'],
  ['RS512', 'RSA'],
]);

export const supportedAlgorithms: readonly string[] = [...kinds.keys()];

/** True where the key is of the kind and curve that the algorithm signs with. */
export function fits(jwk: Jwk, alg: string): boolean {
  const { kty, crv } = jwk;
  return (kty === 'RSA' ? kty : `${kty} ${String(crv)}`) === kinds.get(alg);
}

import type { JwtTrust, SdJwtVcTrust } from '../types/trust.js';

/**
 * Makes a trust entry for SD-JWT VCs that a wallet presents with key binding. The compiler then compares a mistake with
 * this format alone; a plain object with `format: 'sd-jwt-vc'` is the same.
 *
 * @example
 * ```ts
 * import { identityVerification, sdJwtVc } from 'pidgate'
 *
 * const identity = identityVerification({
 *   reveal: ['given_name'],
 *   trust: {
 *     'xx-issuer': sdJwtVc({
 *       keys: { jwksUri: 'https://issuer.example/jwks.json' },
 *       iss: 'https://issuer.example',
 *       vct: ['urn:eudi:pid:1'],
 *       keyBinding: { nonce: 'state-sha256', audience: 'x509_san_dns:shop.example' },
 *     }),
 *   },
 * })
 * ```
 */
export function sdJwtVc(entry: Omit<SdJwtVcTrust, 'format'>): SdJwtVcTrust {
  return Object.freeze({ ...entry, format: 'sd-jwt-vc' });
}

/**
 * Makes a trust entry for a service that signs the result itself, as a JWT of its own; a plain object with
 * `format: 'jwt'` is the same.
 *
 * @example
 * ```ts
 * import { identityVerification, signedJwt } from 'pidgate'
 *
 * const identity = identityVerification({
 *   reveal: ['given_name'],
 *   trust: {
 *     'xx-service': signedJwt({
 *       keys: { jwksUri: 'https://service.example/jwks.json' },
 *       iss: 'https://service.example',
 *       audience: 'shop',
 *       typ: 'identity-result+jwt',
 *       binding: { claim: 'nonce', value: 'state-sha256' },
 *       claims: { given_name: ['given_name'] },
 *     }),
 *   },
 * })
 * ```
 */
export function signedJwt(entry: Omit<JwtTrust, 'format'>): JwtTrust {
  return Object.freeze({ ...entry, format: 'jwt' });
}

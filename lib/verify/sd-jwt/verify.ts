import { redacted } from '../../internal/redacted.js';
import { checkSdJwt } from './check.js';
import type { JwsHeader } from '../jose/jws.js';
import { parseSdJwtOptions, type SdJwtOptions } from './options.js';

export type { Jwk } from '../../types/trust.js';
export type { JwsHeader } from '../jose/jws.js';
export type { FindKey, PublicKey } from '../keys/key-input.js';
export type { TokenLimits } from '../jose/limits.js';
export type { KeyBindingOptions, SdJwtOptions } from './options.js';

/** The content of a token that passed every check. */
export interface VerifiedSdJwt {
  readonly header: JwsHeader;
  /**
   * The payload with the disclosed claims in their places, without `_sd`, `_sd_alg` and placeholders. Its `status`, if
   * any, is unchanged and was not looked up.
   */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The claims of the key binding JWT, where one was expected. */
  readonly keyBinding: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Verifies a compact SD-JWT, with or without key binding, as strictly as RFC 9901 and SD-JWT VC allow. Throws an
 * `IdentityError`: `presentation_invalid` or `key_not_found` with the number of the failed `check`, or
 * `config_invalid` where the options are wrong.
 *
 * It checks the token alone and fetches nothing. If `claims.status` is present, look it up before you rely on the
 * rest, because the credential may have been revoked; `verifyPresentation` does that.
 *
 * @example
 * ```ts
 * import { type Jwk, verifySdJwt } from 'pidgate/sd-jwt'
 *
 * async function nameIn(compact: string, issuerJwk: Jwk, nonce: string) {
 *   const { claims } = await verifySdJwt(compact, {
 *     key: issuerJwk,
 *     keyBinding: { nonce, audience: 'x509_san_dns:app.example' },
 *   })
 *   return claims['given_name']
 * }
 * ```
 */
export async function verifySdJwt(compact: string, options: SdJwtOptions): Promise<VerifiedSdJwt> {
  const { rules, binding, runtime } = parseSdJwtOptions(options);
  const { header, claims, keyBinding } = await checkSdJwt(compact, rules, binding, runtime);
  return {
    header,
    claims: redacted(claims),
    keyBinding: keyBinding === undefined ? undefined : redacted(keyBinding),
  };
}

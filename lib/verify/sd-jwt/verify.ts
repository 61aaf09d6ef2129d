/** @module pidgate/sd-jwt */
import { redacted } from '../../internal/redacted.js';
import * as v from '../../internal/validate.js';
import type { Clock } from '../../types/json.js';
import { runtimeFrom } from '../jose/clock.js';
import { defaultLimits, type TokenLimits } from '../jose/decode.js';
import { algorithmList } from '../jose/jws.js';
import { type FindKey, givenKey, type PublicKey } from '../keys/key-source.js';
import { checkSdJwt, type VerifiedSdJwt } from './check-sd-jwt.js';
import { parseAudience } from './key-binding.js';

export type { Jwk } from '../../types/trust.js';
export type { JwsHeader } from '../jose/jws.js';
export type { FindKey, PublicKey, TokenLimits, VerifiedSdJwt };

/** The values that the key binding JWT of a presentation must have. */
export interface KeyBindingOptions {
  readonly nonce: string;
  /** The value of its `aud`: the whole client id, prefix included. A list of up to four while one id replaces another. */
  readonly audience: string | readonly string[];
  /** The greatest age in seconds since its `iat`; default 300. */
  readonly maxAge?: number;
  /** Seconds that the wallet's clock may be off; default 300. */
  readonly tolerance?: number;
  /** When the request was made. A key binding JWT that is older than this, minus the tolerance, is refused. */
  readonly startedAt?: Date;
}

/** How to verify an SD-JWT. */
export interface SdJwtOptions {
  /** The issuer's public key, or a function that finds it. Nothing in the token's header is ever used as a key. */
  readonly key: PublicKey | FindKey;
  /** The expected key binding. The word `absent` refuses a token that has one. There is no default. */
  readonly keyBinding: KeyBindingOptions | 'absent';
  /** The values that the header's `typ` may have, letter by letter; default `['dc+sd-jwt']`. */
  readonly types?: readonly string[];
  /** Default `['ES256']`, for the issuer's signature and the wallet's. */
  readonly algorithms?: readonly string[];
  readonly clock?: Clock;
  /** Seconds that the issuer's clock may be off; default 5. */
  readonly clockTolerance?: number;
  readonly limits?: Partial<TokenLimits>;
}

const readLimits = v.object({
  length: v.withDefault(v.numberFromZero, defaultLimits.length),
  disclosures: v.withDefault(v.numberFromZero, defaultLimits.disclosures),
  disclosureLength: v.withDefault(v.numberFromZero, defaultLimits.disclosureLength),
  depth: v.withDefault(v.numberFromZero, defaultLimits.depth),
  arrayLength: v.withDefault(v.numberFromZero, defaultLimits.arrayLength),
  values: v.withDefault(v.numberFromZero, defaultLimits.values),
} satisfies v.ChecksOf<TokenLimits>);

const readKeyBinding = v.object({
  nonce: v.nonEmptyString,
  audience: parseAudience,
  maxAge: v.withDefault(v.numberAboveZero, 300),
  tolerance: v.withDefault(v.numberFromZero, 300),
  startedAt: v.dateInSeconds,
} satisfies v.ChecksOf<KeyBindingOptions>);

const readOptions = v.object({
  key: v.anything,
  keyBinding: (value, place) => (value === 'absent' ? value : readKeyBinding(value, place)),
  types: v.withDefault(v.stringList, ['dc+sd-jwt']),
  algorithms: algorithmList,
  clock: v.anything,
  clockTolerance: v.withDefault(v.numberFromZero, 5),
  limits: v.withDefault(readLimits, defaultLimits),
} satisfies v.ChecksOf<SdJwtOptions>);

/**
 * Verifies a compact SD-JWT (RFC 9901), with or without key binding. Throws an `IdentityError`: `presentation_invalid`,
 * `credential_expired` or `key_not_found` with the number of the failed `check`, or `config_invalid` where the options are
 * wrong. It also throws whatever your function `key` throws.
 *
 * It checks the token alone and fetches nothing. If `claims.status` is present, look it up before you rely on the
 * rest, because the credential may have been revoked; `verifyPresentation` does that.
 *
 * Of the numbered checks (docs/checks.md) it makes P01 to P10 and P12, H01 to H04, S01 to S25, B01 to B18, K02, K15 and
 * K17, and of the claims C04 to C07, C10 to C12 and C16. It does not look at `vct` and `iss`, at certificates in the header,
 * or at what the claims say of a person. docs/evidence.md has the suites that it is played against, with their results
 * and every difference: the samples of RFC 9901 and SD-JWT VC, Wycheproof, and tokens with one fault each.
 * docs/presentations.md ("For an auditor") says how to run the suites yourself.
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
  const { key, keyBinding: expected, clock, ...rest } = readOptions(options, 'verifySdJwt:');
  const rules = { ...rest, keys: givenKey(key) };
  const { header, claims, keyBinding } = await checkSdJwt(compact, rules, expected, runtimeFrom({ clock }));
  return { header, claims: redacted(claims), keyBinding: keyBinding && redacted(keyBinding) };
}

import { configInvalid } from '../../errors.js';
import { formatDuration } from '../../internal/timeouts.js';
import { nonEmptyString, stringList } from '../../internal/validate.js';
import { checkPeriod, timeOf } from '../jose/times.js';
import { isObject, isOneOf, type JsonObject, type Reading } from '../jose/decode.js';
import { enforce } from '../jose/enforce.js';
import { checkSignature, fits, readJws } from '../jose/jws.js';
import { importPublic, type PublicJwk, publicJwk } from '../keys/jwk.js';
import type { DigestAlgorithm, SdJwtParts } from './disclosures.js';

/** The values that a key binding JWT must have. Times in seconds. */
export interface ExpectedBinding {
  readonly nonce: string;
  /** The client ids that `aud` may be. */
  readonly audience: readonly string[];
  readonly maxAge: number;
  readonly tolerance: number;
  readonly startedAt: number | undefined;
}

const maxAudiences = 4;

/** Parses the audience of a key binding: a client id, or a few of them while one replaces another (B08). */
export function parseAudience(value: unknown, optionPath: string): readonly string[] {
  const audiences = Array.isArray(value)
    ? stringList(value, optionPath)
    : [nonEmptyString(value, optionPath)];
  if (audiences.length <= maxAudiences) return audiences;
  throw configInvalid(`${optionPath} must be at most ${maxAudiences} client ids.`);
}

const name = 'The key binding JWT';

/** Checks the key binding of a credential with these claims (RFC 9901, section 7.3; B01 to B17), but its signature. */
export function checkKeyBinding(
  { keyBinding: jws, presented }: SdJwtParts,
  credential: JsonObject,
  digests: DigestAlgorithm,
  expected: ExpectedBinding | 'absent',
  { algorithms, reading }: { readonly algorithms: readonly string[]; readonly reading: Reading },
  now: number,
): { readonly claims: JsonObject; readonly checkSignature: () => Promise<void> } | undefined {
  if (expected === 'absent') {
    enforce('B01', jws === undefined, 'The presentation has a key binding JWT, and none is expected.');
    return undefined;
  }
  enforce('B02', jws !== undefined, 'The presentation has no key binding JWT.');
  const checks = { type: 'B03', algorithm: 'B04' } as const;
  const { header, claims } = readJws(jws, { name, types: ['kb+jwt'], algorithms, checks }, reading);
  const { alg } = header;
  const { aud, nonce, sd_hash: hash, transaction_data_hashes: transactions } = claims;
  enforce('B07', nonce === expected.nonce, 'The nonce of the key binding JWT does not match.');
  const otherAudience = () => `The audience of the key binding JWT is not ${expected.audience.join(' or ')}.`;
  enforce('B08', isOneOf(aud, expected.audience), otherAudience);
  checkBindingTimes(claims, expected, now);
  const isSame = hash === digests.digest(presented);
  enforce('B14', isSame, `${name} was made for another presentation: its sd_hash differs.`);
  enforce('B17', transactions === undefined, `${name} signs transaction data, which nobody asked for.`);
  const { jwk, alg: limitedTo = alg } = confirmationKey(credential, algorithms);
  enforce('B04', fits(jwk, alg), `${name} has an alg that does not fit the confirmed key.`);
  enforce('C16', limitedTo === alg, `The alg of ${name} does not match cnf.jwk.`);
  return {
    claims,
    checkSignature: async () => {
      const key = importPublic(jwk);
      enforce('C11', key !== undefined, 'cnf.jwk is not a key.');
      await checkSignature(jws, key, alg, 'B06', `${name} is not signed by the confirmed key.`);
    },
  };
}

/** Checks when the wallet signed, by the clock of a phone (B09 to B13). */
function checkBindingTimes(claims: JsonObject, expected: ExpectedBinding, now: number): void {
  const { maxAge, tolerance, startedAt } = expected;
  const iat = timeOf(claims, 'iat', 'B09');
  enforce('B09', iat !== undefined, `${name} has no iat.`);
  const tolerated = ` (tolerance: ${formatDuration(tolerance)})`;
  const early = () =>
    `${name} was made ${formatDuration(iat - now)} in the future${tolerated}, or this machine's clock is slow.`;
  enforce('B10', iat <= now + tolerance, early);
  const old = () =>
    `${name} is ${formatDuration(now - iat)} old (maxAge: ${formatDuration(maxAge)}), or this machine's clock is fast.`;
  enforce('B11', iat >= now - maxAge, old);
  if (startedAt !== undefined) {
    const ahead = () => `${formatDuration(startedAt - iat)} before the flow that asked for it began`;
    enforce('B12', iat >= startedAt - tolerance, () => `${name} was made ${ahead()}${tolerated}.`);
  }
  const period = { exp: timeOf(claims, 'exp', 'B13'), nbf: timeOf(claims, 'nbf', 'B13') };
  checkPeriod(period, now, tolerance, { exp: 'B13', nbf: 'B13' }, name, tolerated);
}

/**
 * Returns the wallet's public key from the issuer-signed `cnf` (RFC 7800; C11). Only a key in the token itself is
 * accepted, and an id or a thumbprint that names it is not looked at (RFC 7800, 3.4; RFC 9449, 6.1). A reference is
 * refused, because fetching it would tell a third party who verifies whom.
 */
function confirmationKey(claims: JsonObject, algorithms: readonly string[]): PublicJwk {
  const { cnf } = claims;
  enforce('C11', isObject(cnf), 'The credential is not bound to a key: it has no cnf object.');
  const { jwk, kid: _kid, jkt: _jkt, ...others } = cnf;
  const isAlone = jwk !== undefined && Object.keys(others).length === 0;
  enforce('C11', isAlone, 'cnf must hold one key, as jwk, and beside it at most a kid and a jkt.');
  const key = publicJwk(withoutEmptyUses(jwk));
  const isUnsound = key === 'a key with members of a wrong size' || key === 'a point of small order';
  enforce('K17', !isUnsound, `cnf.jwk is ${isUnsound ? key : ''}.`);
  const isAllowed = typeof key !== 'string' && algorithms.some((alg) => fits(key.jwk, alg));
  enforce('C11', isAllowed, 'cnf.jwk is not a public key for an allowed algorithm.');
  return key;
}

/** WebCrypto gives the public half of a pair that only signs an empty `key_ops`: it limits nothing. */
function withoutEmptyUses(jwk: unknown): unknown {
  if (!isObject(jwk) || !Array.isArray(jwk['key_ops']) || jwk['key_ops'].length > 0) return jwk;
  const { key_ops: _, ...others } = jwk;
  return others;
}

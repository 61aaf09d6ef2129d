import type { DigestAlgorithm } from './disclosures.js';
import type { SdJwtParts } from './parts.js';
import { checkHeader, checkSignature } from '../jose/jws.js';
import { fits } from '../jose/algorithms.js';
import { importPublic, type PublicJwk, publicJwk } from '../keys/jwk.js';
import type { TokenLimits } from '../jose/limits.js';
import { configInvalid } from '../../errors.js';
import { enforce } from '../jose/check-failed.js';
import { nonEmptyString, stringList } from '../../internal/former-validate.js';
import { decodeSegment, isObject, type JsonObject, readObject } from '../jose/segment.js';
import { formatDuration } from '../../internal/timeouts.js';
import { timeOf } from '../jose/times.js';

/** The values that a key binding JWT must have. Times in seconds. */
export interface ExpectedBinding {
  readonly nonce: string;
  /** The client ids that `aud` may be. */
  readonly audiences: readonly string[];
  readonly maxAge: number;
  readonly tolerance: number;
  readonly startedAt: number | undefined;
}

const maxAudiences = 4;

/** Parses the audience of a key binding: a client id, or a few of them while one replaces another (B08). */
export function parseAudience(value: unknown, where: string): readonly string[] {
  const audiences = Array.isArray(value) ? stringList(value, where) : [nonEmptyString(value, where)];
  if (audiences.length <= maxAudiences) return audiences;
  throw configInvalid(`${where} must be at most ${maxAudiences} client ids.`);
}

/** A key binding that passed every check except that of its signature. */
export interface CheckedKeyBinding {
  readonly claims: JsonObject;
  checkSignature(): Promise<void>;
}

interface Rules {
  readonly algorithms: readonly string[];
  readonly limits: TokenLimits;
}

const name = 'The key binding JWT';

/** Checks the key binding (RFC 9901, section 7.3; B01 to B17) of a credential with these processed claims. */
export function checkKeyBinding(
  { keyBinding: jws, presented }: SdJwtParts,
  credential: JsonObject,
  digests: DigestAlgorithm,
  expected: ExpectedBinding,
  rules: Rules,
  now: number,
): CheckedKeyBinding {
  enforce('B02', jws !== undefined, 'The presentation has no key binding JWT.');
  const { alg } = checkHeader(readObject(jws.header, name, rules.limits), {
    name,
    types: ['kb+jwt'],
    algorithms: rules.algorithms,
    checks: { type: 'B03', algorithm: 'B04' },
  });
  const claims = readObject(jws.payload, name, rules.limits);
  decodeSegment(jws.signature, name);
  enforce('B07', claims['nonce'] === expected.nonce, `${name} has another nonce.`);
  const { aud } = claims;
  enforce(
    'B08',
    typeof aud === 'string' && expected.audiences.includes(aud),
    () => `${name} has another audience than ${expected.audiences.join(' or ')}.`,
  );
  checkBindingTimes(claims, expected, now);
  enforce(
    'B14',
    claims['sd_hash'] === digests.digest(presented),
    `${name} was made for another presentation: its sd_hash differs.`,
  );
  enforce(
    'B17',
    claims['transaction_data_hashes'] === undefined,
    `${name} signs transaction data, which nobody asked for.`,
  );
  const { jwk, alg: limitedTo } = confirmationKey(credential, rules.algorithms);
  enforce('B04', fits(jwk, alg), `${name} has an alg that does not fit the confirmed key.`);
  enforce(
    'C16',
    limitedTo === undefined || limitedTo === alg,
    `${name} has another alg than cnf.jwk allows.`,
  );
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
  const tolerated = `(tolerance: ${formatDuration(tolerance)})`;
  enforce(
    'B10',
    iat <= now + tolerance,
    () => `${name} was made ${formatDuration(iat - now)} in the future ${tolerated}.`,
  );
  enforce(
    'B11',
    iat >= now - maxAge,
    () => `${name} is ${formatDuration(now - iat)} old (maxAge: ${formatDuration(maxAge)}).`,
  );
  if (startedAt !== undefined) {
    enforce(
      'B12',
      iat >= startedAt - tolerance,
      () =>
        `${name} was made ${formatDuration(startedAt - iat)} before the flow that asked for it began ${tolerated}.`,
    );
  }
  const exp = timeOf(claims, 'exp', 'B13');
  const nbf = timeOf(claims, 'nbf', 'B13');
  if (exp !== undefined) {
    const expired = () => `${name} expired ${formatDuration(now - exp)} ago ${tolerated}.`;
    enforce('B13', exp > now - tolerance, expired);
  }
  if (nbf !== undefined) {
    const early = () => `${name} is valid only in ${formatDuration(nbf - now)} ${tolerated}.`;
    enforce('B13', nbf <= now + tolerance, early);
  }
}

/** What may name the key beside it: an id, or a thumbprint. Neither is looked at (RFC 7800, 3.4; RFC 9449, 6.1). */
const keyNames = ['kid', 'jkt'];

/**
 * Returns the wallet's public key from the issuer-signed `cnf` (RFC 7800; C11). Only a key in the token itself is
 * accepted. A reference is refused, because fetching it would tell a third party who verifies whom.
 */
function confirmationKey(claims: JsonObject, algorithms: readonly string[]): PublicJwk {
  const { cnf } = claims;
  enforce('C11', isObject(cnf), 'The credential is not bound to a key: it has no cnf object.');
  const methods = Object.keys(cnf).filter((name) => !keyNames.includes(name));
  enforce(
    'C11',
    methods.length === 1 && methods[0] === 'jwk',
    'cnf must hold one key, as jwk, and at most a kid or jkt that names it.',
  );
  const found = publicJwk(withoutEmptyUses(cnf['jwk']));
  const isUnsound = found === 'a key with members of a wrong size' || found === 'a point of small order';
  const unsound = isUnsound ? found : undefined;
  enforce('K17', unsound === undefined, `cnf.jwk is ${unsound}.`);
  enforce(
    'C11',
    typeof found !== 'string' && algorithms.some((alg) => fits(found.jwk, alg)),
    'cnf.jwk is not a public key for an allowed algorithm.',
  );
  return found;
}

/** WebCrypto gives the public half of a pair that only signs an empty `key_ops`: it limits nothing. */
function withoutEmptyUses(jwk: unknown): unknown {
  if (!isObject(jwk) || !Array.isArray(jwk['key_ops']) || jwk['key_ops'].length > 0) return jwk;
  const { key_ops: _, ...others } = jwk;
  return others;
}

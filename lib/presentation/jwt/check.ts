import { compactText } from '../token/compact.js';
import { checkHeader, checkSignature, splitJws } from '../token/jws.js';
import type { KeySource } from '../keys/key-source.js';
import type { Limits } from '../token/limits.js';
import { checkNumbers } from '../token/json.js';
import { checkFailed } from '../token/check-failed.js';
import { type Runtime, secondsNow } from '../token/runtime.js';
import { decodeSegment, type JsonObject, readObject } from '../token/segment.js';
import { checkTimes, timeOf } from '../token/times.js';

/** The rules for a signed JWT. Times in seconds. */
export interface JwtRules {
  readonly keys: KeySource;
  readonly typ: string;
  readonly algorithms: readonly string[];
  readonly iss: readonly string[];
  readonly audience: string;
  readonly maxAge: number;
  readonly tolerance: number;
  readonly limits: Limits;
}

/** The flow that a signed JWT must have been made for. */
export interface JwtBinding {
  readonly claim: string;
  readonly value: string;
  readonly startedAt: number | undefined;
}

const name = 'The JWT';

/**
 * Checks a compact signed JWT (J01 to J07) in the same order as an SD-JWT: cheap checks, then the key, then the
 * signature. Rules that both formats share keep their own number, P, H, K or C.
 */
export async function checkJwt(
  presentation: unknown,
  rules: JwtRules,
  binding: JwtBinding,
  runtime: Runtime,
): Promise<JsonObject> {
  const now = secondsNow(runtime.clock);
  const { limits } = rules;
  const compact = compactText(presentation, limits);
  if (compact.includes('~'))
    throw checkFailed('P06', 'The presentation is an SD-JWT: a signed JWT is expected.');
  const jws = splitJws(compact);
  if (jws === undefined) throw checkFailed('P06', 'The presentation is not three segments.');
  const header = checkHeader(readObject(jws.header, name, limits), {
    name,
    types: [rules.typ],
    algorithms: rules.algorithms,
    checks: { type: 'J05', algorithm: 'H01' },
  });
  const claims = readObject(jws.payload, name, limits);
  decodeSegment(jws.signature, name);
  checkLifetime(claims, rules, binding, now);
  checkNumbers(claims);
  if (claims['aud'] !== rules.audience)
    throw checkFailed('J03', `${name} is not made out to this audience alone.`);
  if (typeof claims['iss'] !== 'string' || !rules.iss.includes(claims['iss'])) {
    throw checkFailed('J04', `${name} names another issuer (iss).`);
  }
  if (claims[binding.claim] !== binding.value) {
    throw checkFailed('J06', `${name} was made for another flow: its ${binding.claim} differs.`);
  }
  if (claims['status'] !== undefined) {
    throw checkFailed('T03', `${name} has a status, and no way to look it up is configured.`);
  }
  const key = await rules.keys({ header, claims }, runtime);
  await checkSignature(jws, key, header.alg, 'K02', `${name} is not signed by the issuer's key.`);
  return claims;
}

/** Checks when the token is valid (J02, J07). */
function checkLifetime(
  claims: JsonObject,
  { tolerance, maxAge }: JwtRules,
  { startedAt }: JwtBinding,
  now: number,
): void {
  checkTimes(claims, now, tolerance);
  if (claims['exp'] === undefined) throw checkFailed('J02', `${name} has no exp.`);
  const iat = timeOf(claims, 'iat', 'C05');
  if (iat === undefined) throw checkFailed('J07', `${name} has no iat.`);
  if (iat < now - maxAge - tolerance) throw checkFailed('J07', `${name} is too old.`);
  if (startedAt !== undefined && iat < startedAt - tolerance) {
    throw checkFailed('J07', `${name} is older than the flow that asked for it.`);
  }
}

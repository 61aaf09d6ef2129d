import { compactText, splitJws } from '../token/compact.js';
import { judgeHeader } from '../token/header.js';
import type { KeySource } from '../keys/key-source.js';
import type { Limits } from '../token/limits.js';
import { judgeNumbers } from '../token/numbers.js';
import { refusal } from '../token/check-failed.js';
import { type Seams, secondsNow } from '../token/runtime.js';
import { type JsonObject, decodeSegment, readObject } from '../token/segment.js';
import { judgeSignature } from '../token/signature.js';
import { judgeTimes, timeOf } from '../token/times.js';

/** What a signed JWT must be like. Times in seconds. */
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
 * Judges a compact signed JWT (J01 to J07) in the order of an SD-JWT: what costs little, then the key, then the
 * signature. What both formats demand keeps its own number, P, H, K or C.
 */
export async function judgeJwt(
  presentation: unknown,
  rules: JwtRules,
  binding: JwtBinding,
  seams: Seams,
): Promise<JsonObject> {
  const now = secondsNow(seams.clock);
  const { limits } = rules;
  const compact = compactText(presentation, limits);
  if (compact.includes('~')) throw refusal('P06', 'The presentation is an SD-JWT: a signed JWT is expected.');
  const jws = splitJws(compact);
  if (jws === undefined) throw refusal('P06', 'The presentation is not three segments.');
  const header = judgeHeader(readObject(jws.header, name, limits), {
    name,
    types: [rules.typ],
    algorithms: rules.algorithms,
    checks: { type: 'J05', algorithm: 'H01' },
  });
  const claims = readObject(jws.payload, name, limits);
  decodeSegment(jws.signature, name);
  judgeLife(claims, rules, binding, now);
  judgeNumbers(claims);
  if (claims['aud'] !== rules.audience)
    throw refusal('J03', `${name} is not made out to this audience alone.`);
  if (typeof claims['iss'] !== 'string' || !rules.iss.includes(claims['iss'])) {
    throw refusal('J04', `${name} names another issuer (iss).`);
  }
  if (claims[binding.claim] !== binding.value) {
    throw refusal('J06', `${name} was made for another flow: its ${binding.claim} differs.`);
  }
  if (claims['status'] !== undefined) {
    throw refusal('T03', `${name} has a status, and no way to look it up is configured.`);
  }
  const key = await rules.keys({ header, claims }, seams);
  await judgeSignature(jws, key, header.alg, 'K02', `${name} is not signed by the issuer's key.`);
  return claims;
}

/** From when until when the token counts (J02, J07). */
function judgeLife(
  claims: JsonObject,
  { tolerance, maxAge }: JwtRules,
  { startedAt }: JwtBinding,
  now: number,
): void {
  judgeTimes(claims, now, tolerance);
  if (claims['exp'] === undefined) throw refusal('J02', `${name} has no exp.`);
  const iat = timeOf(claims, 'iat', 'C05');
  if (iat === undefined) throw refusal('J07', `${name} has no iat.`);
  if (iat < now - maxAge - tolerance) throw refusal('J07', `${name} is too old.`);
  if (startedAt !== undefined && iat < startedAt - tolerance) {
    throw refusal('J07', `${name} is older than the flow that asked for it.`);
  }
}

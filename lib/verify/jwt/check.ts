import { compactText } from '../jose/compact.js';
import { checkHeader, checkSignature, splitJws } from '../jose/jws.js';
import type { KeySource } from '../keys/key-source.js';
import type { TokenLimits } from '../jose/limits.js';
import { checkNumbers } from '../jose/json.js';
import { enforce } from '../jose/check-failed.js';
import { type Runtime, secondsNow } from '../jose/clock-and-fetch.js';
import { decodeSegment, type JsonObject, readObject } from '../jose/segment.js';
import { checkTimes, timeOf } from '../jose/times.js';

/** The rules for a signed JWT. Times in seconds. */
export interface JwtRules {
  readonly keys: KeySource;
  readonly typ: string;
  readonly algorithms: readonly string[];
  readonly iss: readonly string[];
  readonly audience: string;
  readonly maxAge: number;
  readonly tolerance: number;
  readonly limits: TokenLimits;
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
  enforce('P06', !compact.includes('~'), 'The presentation is an SD-JWT: a signed JWT is expected.');
  const jws = splitJws(compact);
  enforce('P06', jws !== undefined, 'The presentation is not three segments.');
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
  enforce('J03', claims['aud'] === rules.audience, `${name} is not made out to this audience alone.`);
  enforce(
    'J04',
    typeof claims['iss'] === 'string' && rules.iss.includes(claims['iss']),
    `${name} names another issuer (iss).`,
  );
  enforce(
    'J06',
    claims[binding.claim] === binding.value,
    `${name} was made for another flow: its ${binding.claim} differs.`,
  );
  enforce(
    'T03',
    claims['status'] === undefined,
    `${name} has a status, and no way to look it up is configured.`,
  );
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
  enforce('J02', claims['exp'] !== undefined, `${name} has no exp.`);
  const iat = timeOf(claims, 'iat', 'C05');
  enforce('J07', iat !== undefined, `${name} has no iat.`);
  enforce('J07', iat >= now - maxAge - tolerance, `${name} is too old.`);
  enforce(
    'J07',
    startedAt === undefined || iat >= startedAt - tolerance,
    `${name} is older than the flow that asked for it.`,
  );
}

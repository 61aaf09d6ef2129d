import { digestAlgorithm, openDisclosures } from './disclosures.js';
import { disclosedClaims } from './claims.js';
import { type SdJwtParts, splitSdJwt } from './parts.js';
import { checkKeyBinding, type ExpectedBinding } from './key-binding.js';
import { checkHeader, checkSignature, type JwsHeader } from '../jose/jws.js';
import type { KeySource } from '../keys/key-source.js';
import type { TokenLimits } from '../jose/limits.js';
import { checkNumbers } from '../jose/json.js';
import { enforce } from '../jose/check-failed.js';
import { type Runtime, secondsNow } from '../jose/clock-and-fetch.js';
import { decodeSegment, type JsonObject, readObject } from '../jose/segment.js';
import { checkTimes } from '../jose/times.js';

/** The rules for a token, whoever presents it. */
export interface SdJwtRules {
  readonly keys: KeySource;
  readonly types: readonly string[];
  readonly algorithms: readonly string[];
  /** Seconds. */
  readonly clockTolerance: number;
  readonly limits: TokenLimits;
}

/** The content of a token that passed every check. */
export interface CheckedSdJwt {
  readonly header: JwsHeader;
  readonly claims: JsonObject;
  readonly keyBinding: JsonObject | undefined;
}

const name = 'The issuer-signed JWT';

/**
 * Checks a compact SD-JWT: first everything that costs little, then the issuer's key, which may have to be fetched,
 * and both signatures at once at the end. Until then no claim is trusted and nothing leaves this function.
 */
export async function checkSdJwt(
  compact: unknown,
  rules: SdJwtRules,
  binding: ExpectedBinding | 'absent',
  runtime: Runtime,
): Promise<CheckedSdJwt> {
  const now = secondsNow(runtime.clock);
  const { limits } = rules;
  const parts = splitSdJwt(compact, limits);
  const jws = parts.issuerSigned;
  const header = checkHeader(readObject(jws.header, name, limits), {
    name,
    types: rules.types,
    algorithms: rules.algorithms,
    checks: { type: 'H03', algorithm: 'H01' },
  });
  const payload = readObject(jws.payload, name, limits);
  decodeSegment(jws.signature, name);
  const digests = digestAlgorithm(payload);
  const disclosures = openDisclosures(parts.disclosures, digests, limits);
  const claims = disclosedClaims(payload, disclosures, digests, limits);
  checkTimes(claims, now, rules.clockTolerance);
  checkNumbers(claims);
  checkAudience(claims, binding);
  if (binding === 'absent') refuseBinding(parts);
  const bound =
    binding === 'absent' ? undefined : checkKeyBinding(parts, claims, digests, binding, rules, now);

  const key = await rules.keys({ header, claims }, runtime);
  const outcomes = await Promise.allSettled([
    checkSignature(jws, key, header.alg, 'K02', `${name} is not signed by the issuer's key.`),
    bound?.checkSignature(),
  ]);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  if (refused !== undefined) throw refused.reason;
  return { header, claims, keyBinding: bound?.claims };
}

/** A credential that names an audience must name ours (C10). */
function checkAudience({ aud }: JsonObject, binding: ExpectedBinding | 'absent'): void {
  if (aud === undefined) return;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  enforce(
    'C10',
    binding !== 'absent' && binding.audiences.some((ours) => audiences.includes(ours)),
    'The credential is made out to another audience (aud) than that of its key binding.',
  );
}

function refuseBinding({ keyBinding }: SdJwtParts): void {
  enforce('B01', keyBinding === undefined, 'The presentation has a key binding JWT, and none is expected.');
}

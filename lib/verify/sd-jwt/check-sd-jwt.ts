import { type Runtime, secondsNow } from '../jose/clock.js';
import { checkTimes } from '../jose/times.js';
import { checkNumbers, type JsonObject, startReading, type TokenLimits } from '../jose/decode.js';
import { enforce } from '../jose/enforce.js';
import { checkSignature, type JwsHeader, readJws } from '../jose/jws.js';
import type { KeySource } from '../keys/key-source.js';
import { digestAlgorithm, disclosedClaims, openDisclosures, splitSdJwt } from './disclosures.js';
import { checkKeyBinding, type ExpectedBinding } from './key-binding.js';

export interface SdJwtRules {
  readonly keys: KeySource;
  readonly types: readonly string[];
  readonly algorithms: readonly string[];
  /** Seconds. */
  readonly clockTolerance: number;
  readonly limits: TokenLimits;
}

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

const name = 'The issuer-signed JWT';

/**
 * Checks a compact SD-JWT: first everything that costs little, then the issuer's key, which may have to be fetched,
 * and both signatures at once at the end. Until then no claim is trusted and nothing leaves this function.
 */
export async function checkSdJwt(
  compact: unknown,
  rules: SdJwtRules,
  expected: ExpectedBinding | 'absent',
  runtime: Runtime,
): Promise<VerifiedSdJwt> {
  const { types, algorithms, limits } = rules;
  const now = secondsNow(runtime.clock);
  const parts = splitSdJwt(compact, limits);
  const reading = startReading(limits);
  const checks = { type: 'H03', algorithm: 'H01' } as const;
  const signed = readJws(parts.issuerSigned, { name, types, algorithms, checks }, reading);
  const { header, claims: payload } = signed;

  const digests = digestAlgorithm(payload);
  const disclosures = openDisclosures(parts.disclosures, digests, reading);
  const claims = disclosedClaims(payload, disclosures, digests, limits);
  const expired = checkTimes(claims, now, rules.clockTolerance, 'credential_expired');
  checkAudience(claims, expected);

  const binding = checkKeyBinding(parts, claims, digests, expected, { algorithms, reading }, now);
  checkNumbers(reading);
  const key = await rules.keys({ header, claims }, runtime);
  await allGood(
    checkSignature(parts.issuerSigned, key, header.alg, 'K02', `${name} is not signed by the issuer's key.`),
    binding?.checkSignature(),
  );
  if (expired !== undefined) throw expired;
  return { header, claims, keyBinding: binding?.claims };
}

/** A credential that names an audience must name ours (C10). */
function checkAudience({ aud }: JsonObject, expected: ExpectedBinding | 'absent'): void {
  if (aud === undefined) return;
  const isOurs = expected !== 'absent' && expected.audience.some((ours) => [aud].flat().includes(ours));
  enforce('C10', isOurs, "The credential's aud does not match the audience of its key binding.");
}

/** Waits for both signatures, and names the issuer's if neither is good. */
async function allGood(issuer: Promise<void>, wallet: Promise<void> | undefined): Promise<void> {
  const outcomes = await Promise.allSettled([issuer, wallet]);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  if (refused !== undefined) throw refused.reason;
}

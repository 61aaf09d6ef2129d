import { digestAlgorithm } from './digest-algorithm.js';
import { disclosedClaims } from './claims.js';
import { openDisclosures } from './disclosures.js';
import { type Envelope, openEnvelope } from '../token/compact.js';
import type { ExpectedBinding } from './expected-binding.js';
import { type JwsHeader, checkHeader } from '../token/header.js';
import { checkKeyBinding } from './key-binding.js';
import type { KeySource } from '../keys/key-source.js';
import type { Limits } from '../token/limits.js';
import { checkNumbers } from '../token/numbers.js';
import { checkFailed } from '../token/check-failed.js';
import { type Runtime, secondsNow } from '../token/runtime.js';
import { type JsonObject, decodeSegment, readObject } from '../token/segment.js';
import { checkSignature } from '../token/signature.js';
import { checkTimes } from '../token/times.js';

/** The rules for a token, whoever presents it. */
export interface SdJwtRules {
  readonly keys: KeySource;
  readonly types: readonly string[];
  readonly algorithms: readonly string[];
  /** Seconds. */
  readonly clockTolerance: number;
  readonly limits: Limits;
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
  const envelope = openEnvelope(compact, limits);
  const jws = envelope.issuerSigned;
  const header = checkHeader(readObject(jws.header, name, limits), {
    name,
    types: rules.types,
    algorithms: rules.algorithms,
    checks: { type: 'H03', algorithm: 'H01' },
  });
  const payload = readObject(jws.payload, name, limits);
  decodeSegment(jws.signature, name);
  const digests = digestAlgorithm(payload);
  const disclosures = openDisclosures(envelope.disclosures, digests, limits);
  const claims = disclosedClaims(payload, disclosures, digests, limits);
  checkTimes(claims, now, rules.clockTolerance);
  checkNumbers(claims);
  checkAudience(claims, binding);
  if (binding === 'absent') refuseBinding(envelope);
  const bound =
    binding === 'absent' ? undefined : checkKeyBinding(envelope, claims, digests, binding, rules, now);

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
  if (binding === 'absent' || !audiences.includes(binding.audience)) {
    throw checkFailed(
      'C10',
      'The credential is made out to another audience (aud) than that of its key binding.',
    );
  }
}

function refuseBinding({ keyBinding }: Envelope): void {
  if (keyBinding !== undefined)
    throw checkFailed('B01', 'The presentation has a key binding JWT, and none is expected.');
}

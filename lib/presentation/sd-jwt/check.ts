import { digestAlgorithm } from './digest-algorithm.js';
import { disclosedClaims } from './claims.js';
import { openDisclosures } from './disclosures.js';
import { type Envelope, openEnvelope } from '../token/compact.js';
import type { ExpectedBinding } from './expected-binding.js';
import { type JwsHeader, judgeHeader } from '../token/header.js';
import { judgeKeyBinding } from './key-binding.js';
import type { KeySource } from '../keys/key-source.js';
import type { Limits } from '../token/limits.js';
import { judgeNumbers } from '../token/numbers.js';
import { refusal } from '../token/check-failed.js';
import { type Seams, secondsNow } from '../token/runtime.js';
import { type JsonObject, decodeSegment, readObject } from '../token/segment.js';
import { judgeSignature } from '../token/signature.js';
import { judgeTimes } from '../token/times.js';

/** What a token must be like, whoever presents it. */
export interface SdJwtRules {
  readonly keys: KeySource;
  readonly types: readonly string[];
  readonly algorithms: readonly string[];
  /** Seconds. */
  readonly clockTolerance: number;
  readonly limits: Limits;
}

/** What a token says that passed every check. */
export interface JudgedSdJwt {
  readonly header: JwsHeader;
  readonly claims: JsonObject;
  readonly keyBinding: JsonObject | undefined;
}

const name = 'The issuer-signed JWT';

/**
 * Judges a compact SD-JWT: first everything that costs little, then the issuer's key, which may have to be fetched,
 * and both signatures at once at the end. Until then nothing is believed and nothing leaves this function.
 */
export async function judgeSdJwt(
  compact: unknown,
  rules: SdJwtRules,
  binding: ExpectedBinding | 'absent',
  seams: Seams,
): Promise<JudgedSdJwt> {
  const now = secondsNow(seams.clock);
  const { limits } = rules;
  const envelope = openEnvelope(compact, limits);
  const jws = envelope.issuerSigned;
  const header = judgeHeader(readObject(jws.header, name, limits), {
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
  judgeTimes(claims, now, rules.clockTolerance);
  judgeNumbers(claims);
  judgeAudience(claims, binding);
  if (binding === 'absent') refuseBinding(envelope);
  const bound =
    binding === 'absent' ? undefined : judgeKeyBinding(envelope, claims, digests, binding, rules, now);

  const key = await rules.keys({ header, claims }, seams);
  const outcomes = await Promise.allSettled([
    judgeSignature(jws, key, header.alg, 'K02', `${name} is not signed by the issuer's key.`),
    bound?.judgeSignature(),
  ]);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  if (refused !== undefined) throw refused.reason;
  return { header, claims, keyBinding: bound?.claims };
}

/** A credential that is made out to someone must be made out to us (C10). */
function judgeAudience({ aud }: JsonObject, binding: ExpectedBinding | 'absent'): void {
  if (aud === undefined) return;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (binding === 'absent' || !audiences.includes(binding.audience)) {
    throw refusal(
      'C10',
      'The credential is made out to another audience (aud) than that of its key binding.',
    );
  }
}

function refuseBinding({ keyBinding }: Envelope): void {
  if (keyBinding !== undefined)
    throw refusal('B01', 'The presentation has a key binding JWT, and none is expected.');
}

import { verifyPresentation } from '../../../verify/verify-presentation.js';
import { nonceOf } from '../../../service/receipt.js';
import { germanIssuer, germanSandboxPid, sandboxProfile } from '../profile.js';
import { type PlantedFault, derivedWith, revealWith } from '../issuers/faults.js';
import { claimNames, derivedOf, fromIsoDate } from '../people/claims.js';
import type { Job } from './jobs.js';
import type { Service } from './service.js';

const lifetime = 10 * 60;

/**
 * What the wallet cannot prove, the service states itself: it verifies the PID, computes the answer, and signs both
 * with its own keys. Returns undefined where the PID is not good.
 */
export async function stateDerived(
  service: Service,
  { request }: Job,
  presentation: string,
  fault: PlantedFault | undefined,
): Promise<string | undefined> {
  const { url, clock, variant, access, germanIssuer: issuer } = service;
  const trust = germanSandboxPid(url, issuer.anchors, access.clientId);
  const { state, revealed, derived } = request;
  const reveal = [...new Set([...revealed, 'nationality' as const])];
  const expected = { issuer: germanIssuer, state, reveal, variant };
  const verdict = await verifyPresentation(presentation, expected, { [germanIssuer]: trust }, { clock });
  if (!verdict.valid) return undefined;
  const { attributes } = verdict;
  const iat = Math.floor(clock().getTime() / 1000) - (fault === 'expired' ? 2 * lifetime : 0);
  const shown = revealWith(revealed, reveal, fault);
  const claims = shown.map((id) => {
    const value = attributes[id];
    const written = id === 'birth_date' && typeof value === 'string' ? fromIsoDate(value, variant) : value;
    return [claimNames[id], fault === 'wrong_type' && id === shown[0] ? 42 : written];
  });
  const answers = derivedOf({ nationality: [], ...attributes }, derived);
  const statement = {
    iss: url,
    aud: fault === 'wrong_audience' ? 'somebody-else' : access.clientId,
    iat,
    exp: iat + lifetime,
    nonce: nonceOf(fault === 'wrong_nonce' ? `${state}?` : state),
    ...(Object.fromEntries(claims) as Record<string, unknown>),
    derived: derivedWith(answers, fault),
    derived_for: derived,
  };
  // A statement has no holder whose key could be another's.
  const broken = fault === 'wrong_key' ? 'invalid_signature' : fault;
  return await service.sandboxIssuer.sign(sandboxProfile.statementType, statement, broken);
}

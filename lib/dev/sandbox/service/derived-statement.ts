import { nonceOf } from '../../../service/receipt.js';
import { sandboxProfile } from '../profile.js';
import { type PlantedFault, derivedWith, revealWith } from '../issuers/faults.js';
import { claimNames } from '../../../types/attributes.js';
import { derivedOf, germanClaims } from '../people/claims.js';
import type { Job } from './jobs.js';
import type { Service } from './service.js';

const lifetime = 10 * 60;

/** What the card cannot prove, the service states itself: it computes the answer, and signs it with its own keys. */
export async function stateDerived(
  { url, clock, variant, sandboxIssuer }: Service,
  { request, person }: Job,
  fault: PlantedFault | undefined,
): Promise<string> {
  const { state, revealed, derived } = request;
  const now = clock();
  const card: Readonly<Record<string, unknown>> = germanClaims(person, variant, now);
  const iat = Math.floor(now.getTime() / 1000) - (fault === 'expired' ? 2 * lifetime : 0);
  const shown = revealWith(revealed, [...new Set([...revealed, 'nationality' as const])], fault);
  const claims = shown.map((id, at) => {
    const [name] = claimNames[id];
    return [name, fault === 'wrong_type' && at === 0 ? 42 : card[name]];
  });
  const statement = {
    iss: url,
    aud: fault === 'wrong_audience' ? 'somebody-else' : sandboxProfile.audience,
    iat,
    exp: iat + lifetime,
    nonce: nonceOf(fault === 'wrong_nonce' ? `${state}?` : state),
    ...(Object.fromEntries(claims) as Record<string, unknown>),
    derived: derivedWith(derivedOf(person, derived), fault),
    derived_for: derived,
  };
  // A statement has no holder whose key could be another's.
  const broken = fault === 'wrong_key' ? 'invalid_signature' : fault;
  return await sandboxIssuer.sign(sandboxProfile.statementType, statement, broken);
}

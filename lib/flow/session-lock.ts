import { IdentityError } from '../errors.js';
import type { FlowDeps } from './context.js';
import { type LeasedFlow, waitUntil } from './lease.js';
import type { Claim } from './records.js';
import { claimId } from './secrets.js';

/** A session that belongs to one release for now, in all processes and for all factories on one store. */
export interface ClaimedSession {
  /** True where another release may have ended the session meanwhile. */
  readonly waited: boolean;
  /** The last thing that a release does. It never fails: a claim that stays expires. */
  readonly giveBack: () => Promise<void>;
}

/**
 * Claims a session for the release of a flow: two releases out of one session at the same moment would each miss what
 * the other one kept. Who calls holds the flow's lease, so a claim of the same flow is one that its holder has lost, and
 * is taken over; the claim of another flow is waited for, for as long as one hook may take. Undefined if it lasts longer.
 */
export async function claimSession(
  deps: FlowDeps,
  sessionId: string,
  { id: flow, lease: { holder, until } }: LeasedFlow,
): Promise<ClaimedSession | undefined> {
  const id = claimId(sessionId);
  const claims: Claim[] = [];
  const attempt = async (): Promise<boolean> => {
    const claim = await deps.records.claim(id, { flow, holder }, Math.max(1, until - deps.clock().getTime()));
    if (claim !== undefined) claims.push(claim);
    return claim !== undefined;
  };
  let waited = false;
  try {
    waited = !(await attempt());
    if (waited && !(await waitUntil(deps, id, attempt))) return undefined;
    return { waited, giveBack: async () => await giveBack(deps, claims) };
  } catch (fault) {
    // Somebody who is already verified is not turned away because others fill the store.
    if (!(fault instanceof IdentityError) || fault.code !== 'store_full') throw fault;
    return { waited, giveBack: async () => undefined };
  }
}

async function giveBack({ records }: FlowDeps, claims: readonly Claim[]): Promise<void> {
  for (const claim of claims) await records.unclaim(claim).catch(() => undefined); // it expires by itself
}

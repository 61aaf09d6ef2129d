import { IdentityError } from '../errors.js';
import type { FlowDeps } from './deps.js';
import { leaseMs, waitUntil } from './lease.js';
import { hooksOfRelease } from './release.js';
import { claimId } from './secrets.js';

/**
 * Claims a session for one release at a time, in all processes: two releases that leave the same session at the same
 * moment would each miss what the other one kept. Only a session with several live flows needs it. Returns how to
 * give it back; a process that dies leaves it to expire. Fails with `busy` after the time of one hook.
 */
export async function claimSession(deps: FlowDeps, sessionId: string): Promise<() => Promise<void>> {
  const id = claimId(sessionId, deps.path);
  // On top of what a release runs: the wait for the flow's own lease, and onError after a failure.
  const ms = leaseMs(deps, hooksOfRelease + 2);
  const claim = async (): Promise<boolean> => await deps.records.claim(id, ms);
  if (!(await claim()) && !(await waitUntil(deps, id, claim))) throw new IdentityError('busy');
  return async () => {
    await deps.records.unclaim(id).catch(() => undefined); // it expires by itself
  };
}

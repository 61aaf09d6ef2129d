import { IdentityError } from '../errors.js';
import type { FlowDeps } from './context.js';
import { emitEvent, faultOf, reportError } from './hooks.js';
import { isLeased, takeLease, waitForLease } from './lease.js';
import { type Arrival, type Handover, type Visit, hooksOfRelease, openResult, release } from './release.js';
import type { FlowPlace, StoredFlow } from './records.js';
import type { ReturnCode } from './return-code.js';
import { sha256 } from './secrets.js';
import { trace, traces } from './tracing.js';

/** Releases the result to the browser that owns the flow and brought its code. */
export function confirm(deps: FlowDeps, visit: Visit, handover: Handover): Promise<Arrival> {
  const place = deps.records.placeOf(visit.state, visit.id);
  return trace(traces.return, () => arrive(deps, visit, place, handover), place.id);
}

async function arrive(deps: FlowDeps, visit: Visit, place: FlowPlace, handover: Handover): Promise<Arrival> {
  let lost: StoredFlow | undefined;
  for (;;) {
    const stored = await deps.records.read(place, lost);
    if (stored === undefined || stored === 'burnt' || stored.record.code !== sha256(visit.secret)) {
      return await rejectUnknownCode(deps, place.id);
    }
    const { record } = stored;
    if (record.subject !== undefined && record.subject !== visit.subject) {
      return await subjectChanged(deps, stored);
    }
    // Without a mark of it, this session was left behind: the browser may have the new one by now.
    if (record.status === 'confirmed') return { transition: 'session_left' };
    if (isLeased(deps, record)) {
      if (await waitForLease(deps, stored)) continue;
      return { transition: 'return_lease_held', error: new IdentityError('busy') };
    }
    const result = openResult(visit.secret, stored);
    // Taken without a hook too: two returns at once must not both give the session a new id.
    const leased = await takeLease(deps, stored, hooksOfRelease);
    if (leased !== undefined) return await release(deps, visit, leased, result, handover);
    lost = stored;
  }
}

/** The same return again, in the session that has what the flow brought: no store is asked, and nothing runs. */
export function repeated(flow: string, location: string): Promise<Arrival> {
  return trace(traces.return, async () => ({ transition: 'return_repeated', location }), flow);
}

/** A code that fits no flow of this browser. Nothing changes, and every such case looks the same. */
export async function rejectUnknownCode(deps: FlowDeps, flow?: string): Promise<Arrival> {
  const error = new IdentityError('return_code_invalid');
  const about = { origin: deps.origins[0], ...(flow !== undefined && { flow }) };
  await reportError(deps, 'return_unfit', error, about);
  return { transition: 'return_unfit', error };
}

/** The code came in a session that does not own the flow: if it fits, it is burnt, and with it the flow. */
export function arriveElsewhere(deps: FlowDeps, code: ReturnCode): Promise<Arrival> {
  return trace(traces.return, () => revokeCode(deps, code));
}

async function revokeCode(deps: FlowDeps, { id, secret }: ReturnCode): Promise<Arrival> {
  if (!(await deps.records.revoke(id, secret))) return await rejectUnknownCode(deps);
  const error = new IdentityError('return_wrong_browser');
  await reportError(deps, 'return_wrong_browser', error, { flow: id, origin: deps.origins[0] });
  return { transition: 'return_wrong_browser', error };
}

/** A store is away, or a function of the app failed: nothing has changed, and the same address works again. */
export async function failReturn(deps: FlowDeps, { id }: ReturnCode, fault: unknown): Promise<Arrival> {
  const error = faultOf(fault);
  await reportError(deps, 'return_interrupted', error, { flow: id, origin: deps.origins[0] });
  return { transition: 'return_interrupted', error };
}

/** The same where this session does not own the flow: nobody knows that there is one. */
export function unavailable(deps: FlowDeps, { id }: ReturnCode, fault: unknown): Arrival {
  const error = faultOf(fault);
  emitEvent(deps, 'return_unavailable', { flow: id }, error);
  return { transition: 'return_unavailable', error };
}

async function subjectChanged(deps: FlowDeps, { id, record }: StoredFlow): Promise<Arrival> {
  const { request, origin, context } = record;
  const error = new IdentityError('subject_changed');
  await reportError(deps, 'subject_changed', error, { flow: id, request, origin, context });
  return { transition: 'subject_changed', error };
}

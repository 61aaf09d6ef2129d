import { IdentityError, kitError } from '../errors.js';
import { type Cancellation, withTimeout } from '../internal/timeouts.js';
import { redacted } from '../internal/redacted.js';
import { type ClaimedSession, claimSession } from './session-lock.js';
import type { FlowDeps, FlowResult } from './context.js';
import { type HookOutcome, emitEvent, errorAddress, faultOf, reportError, runHook } from './hooks.js';
import { type LeasedFlow, writeUnderLease } from './lease.js';
import type { FlowRecord } from './record.js';
import type { StoredFlow } from './records.js';
import { openSure } from './encryption.js';
import { resultKey } from './secrets.js';
import { trace, traces } from './tracing.js';
import { type TransitionName, transitions } from './transitions.js';

/** The wait for the session's claim, onSuccess, keep, and the session's store: all within one lease. */
export const hooksOfRelease = 4;

/** How a return ended: what is answered (see the table in transitions.ts), and where to. */
export interface Arrival {
  readonly transition: TransitionName;
  readonly location?: string;
  readonly error?: IdentityError;
  /**
   * Where a result was handed over: to be called after the answer. A browser that did not receive it comes back with its
   * old session, and finds the flow as it was.
   */
  readonly complete?: (received: boolean) => Promise<void>;
}

/** A browser whose session owns the flow. */
export interface Visit {
  readonly id: string;
  readonly state: string;
  readonly secret: string;
  readonly subject: string | undefined;
  readonly sessionId: string;
  readonly req: unknown;
}

/** How a result reaches the session. */
export interface Handover {
  /** False where the session has ended meanwhile. */
  isThere(): Promise<boolean>;
  /** Gives the request a session with a new id, unsaved, before any function of the app runs. */
  open(): void;
  /** The app chooses what stays; this may take as long as a hook. */
  keep(result: FlowResult): unknown;
  /** Saves the new session, with what is kept in it, unless something stands against it. */
  commit(released: Released): Promise<'saved' | Obstacle>;
  /** The request has its old session again; what was saved under the new id is destroyed. */
  undo(): Promise<void>;
}

export interface Released {
  readonly result: FlowResult;
  readonly kept: unknown;
  /** The digest of what was asked. */
  readonly question: string;
  /** Who was logged in at the start. */
  readonly subject: string | undefined;
  /** The origin that the flow was started under. */
  readonly origin: string;
  /** Where the browser is sent, now and when the same address is opened again. */
  readonly location: string;
}

/** Why nothing was saved, though nothing failed. */
export type Obstacle = Extract<TransitionName, 'session_left' | 'subject_changed' | 'return_abandoned'>;

/**
 * Claims the session, runs onSuccess and keep, and hands the result over. What was claimed is given back last: where
 * there is something to complete, after that.
 */
export async function release(
  deps: FlowDeps,
  visit: Visit,
  leased: LeasedFlow,
  result: FlowResult,
  handover: Handover,
): Promise<Arrival> {
  let claim: ClaimedSession | undefined;
  try {
    claim = await claimSession(deps, visit.sessionId, leased);
  } catch (fault) {
    await giveLeaseBack(deps, leased).catch(() => undefined); // it runs out by itself
    throw fault;
  }
  if (claim === undefined) {
    await giveLeaseBack(deps, leased);
    return { transition: 'return_lease_held', error: new IdentityError('busy') };
  }
  let arrival: Arrival | undefined;
  try {
    arrival = await handOver(deps, visit, leased, result, handover, claim);
    return arrival;
  } finally {
    if (arrival?.complete === undefined) await claim.giveBack();
  }
}

async function handOver(
  deps: FlowDeps,
  visit: Visit,
  leased: StoredFlow,
  result: FlowResult,
  handover: Handover,
  claim: ClaimedSession,
): Promise<Arrival> {
  const { id, record } = leased;
  let outcome: HookOutcome | { readonly kind: 'session_left' };
  try {
    const isThere = !claim.waited || (await handover.isThere());
    if (isThere) handover.open();
    outcome = isThere ? await succeed(deps, visit, leased, result) : { kind: 'session_left' };
  } catch (cause) {
    outcome = { kind: 'failed', error: faultOf(cause) };
  }
  if (outcome.kind === 'session_left') return await stop(deps, leased, outcome.kind, handover);
  if (outcome.kind !== 'done') {
    await handover.undo();
    return await releaseLease(deps, leased, outcome);
  }
  const location = destination(deps, record, outcome.redirectTo);
  let ending: 'saved' | Obstacle;
  try {
    // In an object of its own, so that nothing looks into what the app keeps.
    const keep = async () => ({ kept: await withTimeout(deps.hookTimeout, () => handover.keep(result)) });
    const { kept } = await trace(traces.hook, keep, id, record.request, 'keep');
    const { question, subject, origin } = record;
    ending = await handover.commit({ result, kept, question, subject, origin, location });
  } catch (cause) {
    await handover.undo();
    return await releaseLease(deps, leased, { kind: 'failed', error: faultOf(cause) });
  }
  if (ending !== 'saved') return await stop(deps, leased, ending, handover);
  emitEvent(deps, 'confirmed', { flow: id, request: record.request });
  return {
    transition: 'confirmed',
    location,
    async complete(received) {
      await (received ? close(deps, leased) : reopen(deps, leased));
      await claim.giveBack();
    },
  };
}

/** The last write: what was released is erased here. Where it is lost, the browser has what it came for all the same. */
async function close(deps: FlowDeps, leased: StoredFlow): Promise<void> {
  try {
    await writeUnderLease(deps, leased, ({ result: _erased, ...record }) => ({
      ...record,
      status: transitions.confirmed.to,
    }));
  } catch (fault) {
    const { id: flow, record } = leased;
    emitEvent(deps, 'close_failed', { flow, request: record.request }, faultOf(fault));
  }
}

/** The browser has its old session, in which nothing was changed: the flow waits for it to come again. */
async function reopen(deps: FlowDeps, leased: StoredFlow): Promise<void> {
  const { id: flow, record } = leased;
  const error = kitError('session_save_failed', {
    message: 'The browser did not receive the answer, or no cookie with it.',
  });
  emitEvent(deps, 'return_abandoned', { flow, request: record.request }, error);
  await giveLeaseBack(deps, leased).catch(() => undefined); // it runs out by itself
}

/** As a browser writes it, because a space would end the word that the session has for it. */
function destination(deps: FlowDeps, record: FlowRecord, bySuccess: string | undefined): string {
  const { origin, redirectTo, returnTo, request } = record;
  return new URL(`${origin}${bySuccess ?? redirectTo ?? returnTo ?? deps.successRedirectOf(request)}`).href;
}

async function succeed(
  deps: FlowDeps,
  { req }: Visit,
  { id, record }: StoredFlow,
  result: FlowResult,
): Promise<HookOutcome> {
  const { onSuccess } = deps.hooks;
  if (onSuccess === undefined) return { kind: 'done' };
  const { origin, request, context } = record;
  const run = (stop: Cancellation): unknown =>
    onSuccess({
      req,
      result,
      context,
      get signal() {
        return stop.signal;
      },
    });
  const hook = () => runHook(deps, 'onSuccess', origin, run);
  return await trace(traces.hook, hook, id, request, 'onSuccess');
}

/** A hook failed or refused, or the session could not be saved: the lease goes back. */
async function releaseLease(
  deps: FlowDeps,
  leased: StoredFlow,
  outcome: HookOutcome & { error: IdentityError },
): Promise<Arrival> {
  const { error } = outcome;
  const refused = outcome.kind === 'refused';
  const transition = refused ? 'return_hook_refused' : 'return_hook_failed';
  await writeUnderLease(deps, leased, (record) => (refused ? end(record) : record));
  const asked = await reportError(deps, transition, error, aboutFlow(leased));
  if (!refused) return { transition, error };
  const to = asked ?? outcome.redirectTo ?? errorAddress(deps, error);
  return { transition, error, location: `${leased.record.origin}${to}` };
}

async function giveLeaseBack(deps: FlowDeps, leased: StoredFlow): Promise<void> {
  await writeUnderLease(deps, leased, (record) => record);
}

/** Nothing was kept, and the same address works again. */
async function stop(
  deps: FlowDeps,
  leased: StoredFlow,
  obstacle: Obstacle,
  handover: Handover,
): Promise<Arrival> {
  await handover.undo();
  await giveLeaseBack(deps, leased);
  if (obstacle === 'session_left') return { transition: obstacle };
  const error = new IdentityError(obstacle === 'subject_changed' ? obstacle : 'session_save_failed');
  await reportError(deps, obstacle, error, aboutFlow(leased));
  return { transition: obstacle, error };
}

/** A refusal is final: neither the code nor what it opened is left. */
function end({ result: _result, code: _code, ...record }: FlowRecord): FlowRecord {
  return { ...record, status: transitions.return_hook_refused.to };
}

/** Opens what the callback sealed. */
export function openResult(secret: string, { id, record }: StoredFlow): FlowResult {
  const result = JSON.parse(openSure(resultKey(secret), id, record.result)) as FlowResult;
  return {
    ...result,
    verifiedAt: new Date(result.verifiedAt),
    attributes: redacted(result.attributes),
    derived: redacted(result.derived),
  };
}

function aboutFlow({
  id,
  record,
}: StoredFlow): { flow: string } & Pick<FlowRecord, 'request' | 'origin' | 'context'> {
  const { request, origin, context } = record;
  return { flow: id, request, origin, ...(context !== undefined && { context }) };
}

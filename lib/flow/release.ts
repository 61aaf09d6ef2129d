import { IdentityError } from '../errors.js';
import { type Stop, within } from '../safe/time.js';
import { redacted } from '../safe/redacted.js';
import type { FlowDeps, FlowResult } from './deps.js';
import { type HookOutcome, announce, errorAddress, faultOf, report, runHook } from './hooks.js';
import { writeUnderLease } from './lease.js';
import type { FlowRecord } from './record.js';
import type { StoredFlow } from './records.js';
import { openSure } from './seal.js';
import { resultKey } from './secrets.js';
import { traced, traces } from './traces.js';
import { type TransitionName, transitions } from './transitions.js';

/** onSuccess, keep, and the session's store: all within one lease. */
export const hooksOfRelease = 3;

/** How a return ended: what is answered (see the table in transitions.ts), and where to. */
export interface Arrival {
  readonly transition: TransitionName;
  readonly location?: string;
  readonly error?: IdentityError;
}

/** A browser whose session owns the flow. */
export interface Visit {
  readonly id: string;
  readonly state: string;
  readonly secret: string;
  readonly subject: string | undefined;
  /** True where the session already has what the flow brought, and at most the last write is missing. */
  readonly finished: boolean;
  readonly req: unknown;
}

/** How a result reaches the session. */
export interface Handover {
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
}

/** Why nothing was saved, though nothing failed. */
export type Obstacle = Extract<TransitionName, 'session_left' | 'subject_changed' | 'return_abandoned'>;

/** Runs onSuccess and keep, hands the result over and ends the flow. */
export async function release(
  deps: FlowDeps,
  visit: Visit,
  leased: StoredFlow,
  result: FlowResult,
  handover: Handover,
): Promise<Arrival> {
  const { record } = leased;
  let outcome: HookOutcome;
  try {
    handover.open();
    outcome = await succeed(deps, visit, leased, result);
  } catch (cause) {
    outcome = { kind: 'failed', error: faultOf(cause) };
  }
  if (outcome.kind !== 'done') {
    await handover.undo();
    return await giveBack(deps, leased, outcome);
  }
  let ending: 'saved' | Obstacle;
  try {
    // In an object of its own, so that nothing looks into what the app keeps.
    const keep = async () => ({ kept: await within(deps.hookTimeout, () => handover.keep(result)) });
    const { kept } = await traced(traces.hook, keep, leased.id, record.request, 'keep');
    const { question, subject, origin } = record;
    ending = await handover.commit({ result, kept, question, subject, origin });
  } catch (cause) {
    await handover.undo();
    return await giveBack(deps, leased, { kind: 'failed', error: faultOf(cause) });
  }
  if (ending !== 'saved') return await stop(deps, leased, ending, handover);
  const redirect = outcome.redirectTo === undefined ? {} : { redirectTo: outcome.redirectTo };
  return await close(deps, { ...leased, record: { ...record, ...redirect } });
}

/** The last write: what was released is erased here. Where it is lost, the session knows that only this is missing. */
export async function close(deps: FlowDeps, stored: StoredFlow): Promise<Arrival> {
  const { redirectTo, request } = stored.record;
  const written = await writeUnderLease(deps, stored, ({ result: _erased, ...record }) => ({
    ...record,
    ...(redirectTo !== undefined && { redirectTo }),
    status: transitions.confirmed.to,
  }));
  if (written !== undefined) announce(deps, 'confirmed', { flow: stored.id, request });
  return { transition: 'confirmed', location: destination(deps, stored.record) };
}

export function destination(deps: FlowDeps, { origin, redirectTo, returnTo, request }: FlowRecord): string {
  return `${origin}${redirectTo ?? returnTo ?? deps.successRedirectOf(request)}`;
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
  const run = (stop: Stop): unknown =>
    onSuccess({
      req,
      result,
      context,
      get signal() {
        return stop.signal;
      },
    });
  const hook = () => runHook(deps, 'onSuccess', origin, run);
  return await traced(traces.hook, hook, id, request, 'onSuccess');
}

/** A hook failed or refused, or the session could not be saved: the lease goes back. */
async function giveBack(
  deps: FlowDeps,
  leased: StoredFlow,
  outcome: HookOutcome & { error: IdentityError },
): Promise<Arrival> {
  const { error } = outcome;
  const refused = outcome.kind === 'refused';
  const transition = refused ? 'return_hook_refused' : 'return_hook_failed';
  await writeUnderLease(deps, leased, (record) => (refused ? end(record) : record));
  const asked = await report(deps, transition, error, aboutFlow(leased));
  if (!refused) return { transition, error };
  const to = asked ?? outcome.redirectTo ?? errorAddress(deps, error);
  return { transition, error, location: `${leased.record.origin}${to}` };
}

/** Nothing was kept, and the same address works again. */
async function stop(
  deps: FlowDeps,
  leased: StoredFlow,
  obstacle: Obstacle,
  handover: Handover,
): Promise<Arrival> {
  await handover.undo();
  await writeUnderLease(deps, leased, (record) => record);
  if (obstacle === 'session_left') return { transition: obstacle };
  const error = new IdentityError(obstacle === 'subject_changed' ? obstacle : 'session_save_failed');
  await report(deps, obstacle, error, aboutFlow(leased));
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

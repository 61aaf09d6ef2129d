import { IdentityError, kitError } from '../errors.js';
import { redacted } from '../internal/redacted.js';
import { withTimeout } from '../internal/timeouts.js';
import type { FlowDeps, FlowResult } from './context.js';
import {
  type ErrorContext,
  aboutFlow,
  emitEvent,
  errorAddress,
  failureOf,
  mayRunOn,
  refusalWord,
  reportError,
  runHook,
  toIdentityError,
} from './hooks.js';
import { type LeasedFlow, isLeased, takeLease, waitForLease, waitUntil, writeUnderLease } from './lease.js';
import type { FlowRecord } from './record.js';
import type { Claim, StoredFlow } from './records.js';
import { type ReturnCode, claimId, openSure, resultKey, sha256 } from './secrets.js';
import { trace, traces } from './tracing.js';
import { type AnswerOf, type ReportedTransition, type TransitionOf, transitions } from './transitions.js';

/** How a return ended: a row of the table in transitions.ts, with what its answer needs. */
export type ReturnOutcome = {
  [Name in TransitionOf<'return'>]: {
    readonly transition: Name;
    readonly answer: AnswerOf<Name>;
  } & AnswerDetails[AnswerOf<Name>];
}[TransitionOf<'return'>];

interface AnswerDetails {
  readonly release: {
    readonly location: string;
    /**
     * To be called after the answer. A browser that did not receive it comes back with its old session, and finds the
     * flow as it was.
     */
    readonly complete: (received: boolean) => Promise<void>;
  };
  readonly redirect: { readonly location: string; readonly error?: IdentityError };
  readonly try_again: { readonly error: IdentityError };
  readonly start_again: { readonly error: IdentityError };
  readonly reload: object;
}

function outcome<Name extends TransitionOf<'return'>>(
  transition: Name,
  details: AnswerDetails[AnswerOf<Name>],
): ReturnOutcome {
  return { transition, answer: transitions[transition].answer, ...details } as ReturnOutcome;
}

/** A browser whose session owns the flow, with the code that it brought. */
export interface ReturnInput extends ReturnCode {
  readonly state: string;
  readonly subject: string | undefined;
  readonly sessionId: string;
}

/** Why nothing is kept. */
export type ReturnStop =
  | { readonly transition: 'session_left' }
  | {
      readonly transition:
        'subject_changed' | 'return_abandoned' | 'return_hook_failed' | 'return_hook_refused';
      readonly error: IdentityError;
      readonly redirectTo?: string;
    };

/** Opens the return of a browser that owns the flow, and lets `use` release the result where it may be released. */
export function withVisit(deps: FlowDeps, input: ReturnInput, use: UseVisit): Promise<ReturnOutcome> {
  const place = deps.records.placeOf(input.state, input.id);
  const open = async (): Promise<ReturnOutcome> => {
    let lost: StoredFlow | undefined;
    for (;;) {
      const stored = await deps.records.read(place, lost);
      if (stored === undefined || stored === 'revoked' || stored.record.code !== sha256(input.secret)) {
        return await rejectUnknownCode(deps, place.id);
      }
      const { record } = stored;
      if (record.subject !== undefined && record.subject !== input.subject) {
        return await report(deps, 'subject_changed', new IdentityError('subject_changed'), aboutFlow(stored));
      }
      // Without a mark of it, this session was left behind: the browser may have the new one by now.
      if (record.status === 'confirmed') return outcome('session_left', {});
      if (isLeased(deps, record)) {
        if (await waitForLease(deps, stored)) continue;
        return busy();
      }
      const result = openResult(input.secret, stored);
      // Taken without a hook too: two returns at once must not both give the session a new id.
      const leased = await takeLease(deps, stored, hooksOfReturn);
      if (leased !== undefined) return await withClaim(deps, input.sessionId, leased, result, use);
      lost = stored;
    }
  };
  return trace(traces.return, open, place.id);
}

/** The wait for the session's claim, onSuccess, keep, and the session's store: all within one lease. */
const hooksOfReturn = 4;

/** The claim is given back last: where there is something to complete, after that. */
async function withClaim(
  deps: FlowDeps,
  sessionId: string,
  leased: LeasedFlow,
  result: FlowResult,
  use: UseVisit,
): Promise<ReturnOutcome> {
  const claim = await claimSession(deps, sessionId, leased).catch(async (fault: unknown) => {
    await releaseLease(deps, leased).catch(() => undefined); // it runs out by itself
    throw fault;
  });
  if (claim === undefined) {
    await releaseLease(deps, leased);
    return busy();
  }
  let ended: ReturnOutcome | undefined;
  try {
    ended = await use(createVisit(deps, leased, result, claim));
    return ended;
  } finally {
    if (ended?.answer !== 'release') await claim.release();
  }
}

export type Visit = ReturnType<typeof createVisit>;

/** Releases the result with {@link Visit}, or stops. */
export type UseVisit = (visit: Visit) => Promise<ReturnOutcome>;

/** A return that may release: it holds the flow's lease and the claim of the session, so no other one runs a hook. */
function createVisit(deps: FlowDeps, leased: LeasedFlow, result: FlowResult, claim: SessionClaim) {
  const { id, record } = leased;
  const { request, origin, question, subject } = record;
  return {
    result,
    question,
    subject,
    origin,
    /** True where another return may have ended the session meanwhile. */
    hasWaited: claim.hasWaited,

    /** Where it goes well: where the browser is sent, now and when the same address is opened again. */
    async runOnSuccess(req: unknown): Promise<{ readonly location: string } | ReturnStop> {
      const success = await runHook(deps, 'onSuccess', leased, { req, result });
      if (success.kind === 'done') return { location: destination(deps, record, success.redirectTo) };
      const transition = success.kind === 'refused' ? 'return_hook_refused' : 'return_hook_failed';
      return { ...success, transition };
    },

    /** The app chooses what stays; this may take as long as a hook. */
    async runKeep(keep: (result: FlowResult) => unknown): Promise<unknown> {
      // In an object of its own, so that nothing looks into what the app keeps.
      const kept = async () => await withTimeout(deps.hookTimeout, () => keep(result));
      const fail = (cause: unknown) => Promise.reject(failureOf('keep', deps.hookTimeout, cause));
      const run = async () => ({ kept: await kept().catch(fail) });
      return (await trace(traces.hook, run, id, request, 'keep')).kept;
    },

    /** The session is saved. */
    confirm(location: string): ReturnOutcome {
      emitEvent(deps, 'confirmed', aboutFlow(leased));
      deps.log.accepted('/return');
      const complete = async (received: boolean): Promise<void> => {
        await (received ? close(deps, leased) : reopen(deps, leased));
        await claim.release();
      };
      return outcome('confirmed', { location, complete });
    },

    /** Nothing was kept: the lease goes back, and the same address works again, unless the app has refused. */
    async stop(stop: ReturnStop): Promise<ReturnOutcome> {
      if (stop.transition !== 'return_hook_refused') {
        if (!('error' in stop && mayRunOn(stop.error))) await releaseLease(deps, leased);
        if (stop.transition === 'session_left') return outcome('session_left', {});
        return await report(deps, stop.transition, stop.error, aboutFlow(leased));
      }
      const { transition, error, redirectTo } = stop;
      const refusal = refusalWord(deps.service, error.serviceCode);
      // A refusal is final: neither the code nor what it opened is left.
      await writeUnderLease(deps, leased, ({ result: _result, code: _code, ...rest }) => ({
        ...rest,
        ...(refusal && { refusal }),
        status: transitions[transition].to,
      }));
      const chosen = await reportError(deps, transition, error, aboutFlow(leased));
      const to = chosen ?? redirectTo ?? errorAddress(deps, error, id);
      return outcome(transition, { error, location: `${origin}${to}` });
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
    emitEvent(deps, 'close_failed', aboutFlow(leased), toIdentityError(fault));
  }
}

/** The browser has its old session, in which nothing was changed: the flow waits for it to come again. */
async function reopen(deps: FlowDeps, leased: StoredFlow): Promise<void> {
  const error = kitError('session_save_failed', {
    message: 'The browser did not receive the answer, or no cookie with it.',
  });
  emitEvent(deps, 'return_abandoned', aboutFlow(leased), error);
  await releaseLease(deps, leased).catch(() => undefined); // it runs out by itself
}

/** As a browser writes it: what it is shown and what the session remembers are one text. */
function destination(deps: FlowDeps, record: FlowRecord, bySuccess: string | undefined): string {
  const { origin, redirectTo, returnTo, request } = record;
  return new URL(`${origin}${bySuccess ?? redirectTo ?? returnTo ?? deps.successRedirectOf(request)}`).href;
}

function releaseLease(deps: FlowDeps, leased: StoredFlow) {
  return writeUnderLease(deps, leased, (record) => record);
}

/** Opens what the callback sealed. */
function openResult(secret: string, { id, record }: StoredFlow): FlowResult {
  const result = JSON.parse(openSure(resultKey(secret), id, record.result)) as FlowResult;
  return {
    ...result,
    verifiedAt: new Date(result.verifiedAt),
    attributes: redacted(result.attributes),
    derived: redacted(result.derived),
  };
}

/** A session that belongs to one return for now, in all processes and for all factories on one store. */
type SessionClaim = NonNullable<Awaited<ReturnType<typeof claimSession>>>;

/**
 * Claims a session for the return of a flow: two returns out of one session at the same moment would each miss what the
 * other one kept. The caller holds the flow's lease, so a claim of the same flow is one that its holder has lost, and is
 * taken over; the claim of another flow is waited for, for as long as one hook may take. Undefined if it lasts longer.
 */
async function claimSession(deps: FlowDeps, sessionId: string, { id: flow, lease }: LeasedFlow) {
  const { holder, until } = lease;
  const id = claimId(sessionId);
  const claims: Claim[] = [];
  const attempt = async (): Promise<boolean> => {
    const claim = await deps.records.claim(id, { flow, holder }, Math.max(1, until - deps.clock().getTime()));
    if (claim !== undefined) claims.push(claim);
    return claim !== undefined;
  };
  /** The last thing that a return does. It never fails: a claim that stays expires. */
  const release = async (): Promise<void> => {
    for (const claim of claims) await deps.records.unclaim(claim).catch(() => undefined);
  };
  let hasWaited = false;
  try {
    hasWaited = !(await attempt());
    if (hasWaited && !(await waitUntil(deps, id, attempt))) return undefined;
  } catch (fault) {
    // Somebody who is already verified is not turned away because others fill the store.
    if (!(fault instanceof IdentityError) || fault.code !== 'store_full') throw fault;
  }
  return { hasWaited, release };
}

/** The same return again, in the session that has what the flow brought: no store is asked, and nothing runs. */
export function repeatReturn(flow: string, location: string): Promise<ReturnOutcome> {
  return trace(traces.return, async () => outcome('return_repeated', { location }), flow);
}

/** A code that fits no flow of this browser. Nothing changes, and every such case looks the same. */
export async function rejectUnknownCode(deps: FlowDeps, flow?: string): Promise<ReturnOutcome> {
  return await report(deps, 'return_unfit', new IdentityError('return_code_invalid'), {
    origin: deps.origins[0],
    ...(flow !== undefined && { flow }),
  });
}

/** The code came in a session that does not own the flow: if it fits, it is revoked, and with it the flow. */
export function revokeCode(deps: FlowDeps, { id, secret }: ReturnCode): Promise<ReturnOutcome> {
  const error = new IdentityError('return_wrong_browser');
  return trace(traces.return, async () =>
    (await deps.records.revoke(id, secret))
      ? await report(deps, 'return_wrong_browser', error, { flow: id, origin: deps.origins[0] })
      : await rejectUnknownCode(deps),
  );
}

/** A store is away, or a function of the app failed: nothing has changed, and the same address works again. */
export async function failReturn(deps: FlowDeps, { id }: ReturnCode, fault: unknown): Promise<ReturnOutcome> {
  const about = { flow: id, origin: deps.origins[0] };
  return await report(deps, 'return_interrupted', toIdentityError(fault), about);
}

/** The same in a session that does not own the flow: an event and no hook, because anyone can cause it at will. */
export function failUnownedReturn(deps: FlowDeps, { id }: ReturnCode, fault: unknown): ReturnOutcome {
  const error = toIdentityError(fault);
  emitEvent(deps, 'return_unavailable', { flow: id }, error);
  return outcome('return_unavailable', { error });
}

async function report(
  deps: FlowDeps,
  transition: ReportedTransition & TransitionOf<'return', 'try_again' | 'start_again'>,
  error: IdentityError,
  about: ErrorContext,
): Promise<ReturnOutcome> {
  await reportError(deps, transition, error, about);
  return outcome(transition, { error });
}

function busy(): ReturnOutcome {
  const message = 'Another return of this verification or session is in progress: its hook has not ended.';
  return outcome('return_lease_held', { error: kitError('busy', { message }) });
}

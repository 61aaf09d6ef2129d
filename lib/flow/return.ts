import { IdentityError, kitError } from '../errors.js';
import { redacted } from '../internal/redacted.js';
import { withTimeout } from '../internal/timeouts.js';
import { destination, errorAddress, refusalWord } from './addresses.js';
import type { FlowDeps } from './context.js';
import {
  type ErrorContext,
  aboutFlow,
  emitEvent,
  failureOf,
  reportError,
  runHook,
  toIdentityError,
} from './hooks.js';
import { tryLock } from './lock.js';
import type { FlowRecord, FlowResult } from './record.js';
import type { StoredFlow } from './records.js';
import { type ReturnCode, sameText } from './secrets.js';
import { trace, traces } from './tracing.js';
import { type AnswerOf, type ReportedTransition, type TransitionOf, transitions } from './transitions.js';

// The steps of a return, in the order in which lib/http/return.ts calls them, and its ends.

/** How a return ended: a row of the table in transitions.ts, with what its answer needs. */
export type ReturnOutcome = {
  [Name in TransitionOf<'return'>]: {
    readonly transition: Name;
    readonly answer: AnswerOf<Name>;
  } & AnswerDetails[AnswerOf<Name>];
}[TransitionOf<'return'>];

interface AnswerDetails {
  readonly release: { readonly location: string };
  readonly redirect: { readonly location: string; readonly error?: IdentityError };
  readonly try_again: { readonly error: IdentityError };
  /** `own` is the flow, where this session owns it: what the person was doing. */
  readonly start_again: { readonly error: IdentityError; readonly own?: OwnFlow };
  readonly reload: object;
}

/** What the person was doing. */
type OwnFlow = Partial<Pick<FlowRecord, 'question' | 'returnTo'>>;

export function outcome<Name extends TransitionOf<'return'>>(
  transition: Name,
  details: AnswerDetails[AnswerOf<Name>],
): ReturnOutcome {
  return { transition, answer: transitions[transition].answer, ...details } as ReturnOutcome;
}

/** Thrown wherever a return stops, and nothing is kept. */
export class ReturnStop extends Error {
  readonly transition:
    | 'session_left'
    | 'return_unfit'
    | 'subject_changed'
    | 'return_abandoned'
    | 'return_hook_failed'
    | 'return_hook_refused';
  readonly error: IdentityError;
  readonly redirectTo: string | undefined;

  constructor(transition: ReturnStop['transition'], error: IdentityError, redirectTo?: string) {
    super(error.code);
    this.transition = transition;
    this.error = error;
    this.redirectTo = redirectTo;
  }
}

/** This session was left behind: the browser may have another one by now. */
export const sessionLeft = (): ReturnStop =>
  new ReturnStop('session_left', new IdentityError('session_ended'));

/** Somebody else is logged in than at the start. */
export const subjectChanged = (): ReturnStop =>
  new ReturnStop('subject_changed', new IdentityError('subject_changed'));

/** A flow whose result waits for this browser. */
export interface ReleasableFlow extends StoredFlow {
  readonly result: FlowResult;
}

/** What the code opens, in a session that owns the flow. */
export function openResult(stored: StoredFlow, { secret }: ReturnCode): ReleasableFlow {
  const { status, result, code } = stored.record;
  // The session in which it ended would have known so, before this: this browser has another one by now.
  if (status === 'confirmed') throw sessionLeft();
  if (result === undefined || code === undefined || !sameText(code, secret)) {
    throw new ReturnStop('return_unfit', new IdentityError('return_code_invalid'));
  }
  const shown = {
    ...result,
    verifiedAt: new Date(result.verifiedAt),
    attributes: redacted(result.attributes),
    derived: redacted(result.derived),
  };
  return { ...stored, result: shown };
}

/** Where it goes well: where the browser is sent, now and when the same address is opened again. */
export async function runOnSuccess(
  deps: FlowDeps,
  flow: ReleasableFlow,
  req: unknown,
  onLate: (hook: unknown) => void,
): Promise<string> {
  const { result, record } = flow;
  const success = await runHook(deps, 'onSuccess', flow, { req, result }, onLate);
  if (success.kind === 'done') return destination(deps, record, success.redirectTo);
  const transition = success.kind === 'refused' ? 'return_hook_refused' : 'return_hook_failed';
  throw new ReturnStop(transition, success.error, success.redirectTo);
}

/** The app chooses what stays; this may take as long as a hook. */
export async function runKeep(
  deps: FlowDeps,
  { id, record, result }: ReleasableFlow,
  keep: (result: FlowResult) => unknown,
): Promise<unknown> {
  // In an object of its own, so that nothing looks into what the app keeps.
  const kept = async () => await withTimeout(deps.hookTimeout, () => keep(result));
  const fail = (cause: unknown) => Promise.reject(failureOf('keep', deps.hookTimeout, cause));
  const run = async () => ({ kept: await kept().catch(fail) });
  return (await trace(traces.hook, run, id, record.question, 'keep')).kept;
}

/** The session is saved. */
export function confirm(deps: FlowDeps, flow: StoredFlow, location: string): ReturnOutcome {
  emitEvent(deps, 'confirmed', aboutFlow(flow));
  return outcome('confirmed', { location });
}

/** The last write: what was released is erased here. Where it fails, the browser has what it came for all the same. */
export async function closeFlow(deps: FlowDeps, flow: StoredFlow): Promise<void> {
  try {
    const { result: _result, ...record } = flow.record;
    await deps.records.replace(flow, { ...record, status: transitions.confirmed.to });
  } catch (fault) {
    emitEvent(deps, 'close_failed', aboutFlow(flow), toIdentityError(fault));
  }
}

/** The browser has its old session, in which nothing was changed: the flow waits for it to come again. */
export function leaveOpen(deps: FlowDeps, flow: StoredFlow): void {
  const error = kitError('session_save_failed', {
    message: 'The browser did not receive the answer, or no cookie with it.',
  });
  emitEvent(deps, 'return_abandoned', aboutFlow(flow), error);
}

/** Nothing was kept: the same address works again, unless the app has refused. */
export async function stopReturn(
  deps: FlowDeps,
  flow: StoredFlow,
  { transition, error, redirectTo }: ReturnStop,
): Promise<ReturnOutcome> {
  const about = aboutFlow(flow);
  switch (transition) {
    case 'session_left':
      return outcome(transition, {});
    case 'return_unfit':
    case 'subject_changed':
      emitEvent(deps, transition, about, error);
      return outcome(transition, { error, own: flow.record });
    case 'return_abandoned':
    case 'return_hook_failed':
      return await tryAgain(deps, transition, error, about);
    case 'return_hook_refused':
      return await refuseReturn(deps, flow, error, redirectTo);
  }
}

/** A refusal is final. */
async function refuseReturn(
  deps: FlowDeps,
  flow: StoredFlow,
  error: IdentityError,
  redirectTo: string | undefined,
): Promise<ReturnOutcome> {
  const refusal = refusalWord(deps.service, error.serviceCode);
  await deps.records.replace(flow, { ...ended(flow.record), ...(refusal && { refusal }) });
  const chosen = await reportError(deps, 'return_hook_refused', error, aboutFlow(flow));
  const to = chosen ?? redirectTo ?? errorAddress(deps, error, flow.id);
  return outcome('return_hook_refused', { error, location: `${flow.record.origin}${to}` });
}

/** Neither the code nor what it opened is left. */
const ended = ({ result: _result, code: _code, ...rest }: FlowRecord): FlowRecord => ({
  ...rest,
  status: transitions.return_hook_refused.to,
});

/** A code that fits no flow of this browser: nothing changes. `own` is the flow, where the session has started it. */
export function rejectCode(deps: FlowDeps, own?: OwnFlow & { readonly id: string }): ReturnOutcome {
  const error = new IdentityError('return_code_invalid');
  emitEvent(deps, 'return_unfit', own === undefined ? {} : { flow: own.id }, error);
  return outcome('return_unfit', { error, ...(own && { own }) });
}

/** The code came in a session that does not own the flow: if it fits, it is revoked, and with it the flow. */
export async function revokeCode(deps: FlowDeps, code: ReturnCode): Promise<ReturnOutcome> {
  if (!(await revoke(deps, code))) return rejectCode(deps);
  const error = new IdentityError('return_wrong_browser');
  const about = { flow: code.id, origin: deps.origins[0] };
  await reportError(deps, 'return_wrong_browser', error, about);
  return outcome('return_wrong_browser', { error });
}

const revocationMs = 10_000;

/** Ends the flow if this is its code and no return of it is under way. True where this call ended it. */
async function revoke(deps: FlowDeps, { id, secret }: ReturnCode): Promise<boolean> {
  const stored = await deps.records.find(id);
  if (stored?.record.status !== 'verified') return false;
  const { code, owner } = stored.record;
  if (code === undefined || !sameText(code, secret)) return false;
  const attempt = await tryLock(deps, owner, id, revocationMs);
  // A return of another flow of that owner does not protect this one. Of what cannot be told, it may be this one's.
  if (!attempt.unlock && (attempt.heldFor === undefined || attempt.heldFor === id)) return false;
  try {
    return (await deps.records.replace(stored, ended(stored.record))) !== undefined;
  } finally {
    await attempt.unlock?.();
  }
}

/** A store is away, or a function of the app failed: nothing has changed, and the same address works again. */
export async function failReturn(deps: FlowDeps, { id }: ReturnCode, fault: unknown): Promise<ReturnOutcome> {
  const about = { flow: id, origin: deps.origins[0] };
  return await tryAgain(deps, 'return_interrupted', toIdentityError(fault), about);
}

/**
 * The same where it is not known that the session owns the flow: an event and no hook, because anyone can cause it at
 * will.
 */
export function failUnownedReturn(deps: FlowDeps, { id }: ReturnCode, fault: unknown): ReturnOutcome {
  const error = toIdentityError(fault);
  emitEvent(deps, 'return_unavailable', { flow: id }, error);
  return outcome('return_unavailable', { error });
}

async function tryAgain(
  deps: FlowDeps,
  transition: ReportedTransition & TransitionOf<'return', 'try_again'>,
  error: IdentityError,
  about: ErrorContext,
): Promise<ReturnOutcome> {
  await reportError(deps, transition, error, about);
  return outcome(transition, { error });
}

export function busy(): ReturnOutcome {
  const message = 'Another return of this session is in progress: its hook has not ended.';
  return outcome('return_lock_held', { error: kitError('busy', { message }) });
}

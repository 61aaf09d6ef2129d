import { type IdentityError, kitError } from '../errors.js';
import { redacted } from '../internal/redacted.js';
import { withTimeout } from '../internal/timeouts.js';
import { destination, errorAddress, refusalWord } from './addresses.js';
import type { FlowDeps } from './context.js';
import {
  type ErrorContext,
  aboutFlow,
  emitEvent,
  endWithoutFlow,
  failureOf,
  reportError,
  runHook,
  toIdentityError,
} from './hooks.js';
import { lockOwner, tryLock } from './lock.js';
import type { Doing, FlowRecord, FlowResult } from './record.js';
import { type StoredFlow, isUnreadable } from './records.js';
import { type ReturnCode, sameText } from './secrets.js';
import { trace, traces } from './tracing.js';
import { type End, Stop, endOf, rowOf, transitions } from './transitions.js';

/** A browser that is back with a code, and its session: all that a return asks of them. */
export interface Returning {
  readonly code: ReturnCode;
  /** What the app's hook is given. */
  readonly req: unknown;
  /** How often this browser was sent on to the same address. */
  readonly reloads: number;
  /** Whose session it is, as the records of its flows have it. */
  readonly owner: string;
  /** False where nothing was started in this session yet: then a flow is its own only if the browser brought its id. */
  readonly hasStarted: boolean;
  readonly isBrought: boolean;
  /** What the person was doing, where this flow is the one that the session started last. */
  readonly last: Doing | undefined;
  /** Where this flow led, where it is the one that the session finished last. */
  readonly done: string | undefined;
  readonly session: ReturnSession;
}

/** The session on its way to a new id. Whatever throws, `rollback` gives the question its old session again. */
export interface ReturnSession {
  /** A digest of who is logged in. */
  subject(): string | undefined;
  /** False where the session has ended meanwhile. */
  isStored(): Promise<boolean>;
  /** From here on the question has a copy under a new id, unsaved. */
  renew(): void;
  /** The hook was late: what it does with the copy from now on reaches no store. */
  disarm(hook: unknown): void;
  /** What the app keeps of a result. */
  keep(result: FlowResult): unknown;
  /** Saves the copy, with what is kept in it. Throws a {@link Stop} where it may not be. */
  save(flow: ReleasableFlow, kept: unknown, location: string): Promise<void>;
  /** Sends the browser on, and ends the old session: true once answer and new session have left for the browser. */
  release(location: string): Promise<boolean>;
  rollback(): Promise<void>;
}

/** A flow whose result waits for this browser. */
export interface ReleasableFlow extends StoredFlow {
  readonly result: FlowResult;
}

/** The browser is back: it gets what waits for it, and a code that came to another browser is revoked. */
export async function comeBack(deps: FlowDeps, browser: Returning): Promise<End> {
  const { code, last } = browser;
  const work = async (): Promise<End> => {
    try {
      return (await release(deps, browser)) ?? (await judgeUnowned(deps, browser));
    } catch (fault) {
      // Without a hook where the session is not known to own the flow: anyone can cause that at will.
      const isOwned = last !== undefined && !isUnreadable(fault);
      const transition = isOwned ? 'return_interrupted' : 'return_unavailable';
      return await tell(deps, endOf(transition, { error: toIdentityError(fault) }), about(deps, code));
    }
  };
  return await trace(traces.return, work, last === undefined ? undefined : code.id);
}

/**
 * The whole return, in its order; undefined where this session does not own the flow. Wherever it stops, the request has
 * its old session again, and nothing was kept.
 */
async function release(deps: FlowDeps, browser: Returning): Promise<End | undefined> {
  const { code, owner, last, done, session } = browser;
  if (done !== undefined) return endOf('return_repeated', { location: done });

  // A session in which nothing was started yet makes no lock, unless the flow is its own all the same.
  const mayOwn = browser.hasStarted || (browser.isBrought && (await findOwn(deps, browser)) !== undefined);
  if (!mayOwn) return undefined;
  return await lockOwner(deps, owner, code.id, async (lock) => {
    if (lock === undefined) return endOf('return_lock_held', { error: inProgress() });
    if (lock.hasWaited && !(await session.isStored())) return endOf('session_left');
    const flow = await findOwn(deps, browser);
    if (flow === undefined) return undefined;

    let isRenewed = false;
    try {
      const opened = openResult(flow, code);
      checkSubject(browser, flow);
      if (!lock.hasTime()) return endOf('return_lock_held', { error: inProgress() });

      isRenewed = true;
      session.renew();
      const location = await runOnSuccess(deps, opened, browser);
      const kept = await runKeep(deps, opened, session);
      await session.save(opened, kept, location);

      emitEvent(deps, 'confirmed', aboutFlow(flow));
      if (await session.release(location)) await close(deps, opened);
      else emitEvent(deps, 'return_abandoned', aboutFlow(flow), notReceived());
      return endOf('confirmed', { location });
    } catch (fault) {
      await session.rollback();
      // What is no stop of its own failed in a function of the app or in the session's store, once the copy was made.
      if (!(isRenewed || fault instanceof Stop)) throw fault;
      const stop =
        fault instanceof Stop ? fault : new Stop('return_hook_failed', { error: toIdentityError(fault) });
      return await endStopped(deps, flow, stop, last ?? flow.record);
    }
  });
}

async function findOwn({ records }: FlowDeps, { code, owner }: Returning): Promise<StoredFlow | undefined> {
  const found = await records.find(code.id);
  return found?.record.owner === owner ? found : undefined;
}

/** What the code opens, in a session that owns the flow. */
function openResult(stored: StoredFlow, { secret }: ReturnCode): ReleasableFlow {
  const { status, result, code } = stored.record;
  // The session in which it ended would have known so, before this: this browser has another one by now.
  if (status === 'confirmed') throw new Stop('session_left');
  if (result === undefined || code === undefined || !sameText(code, secret)) throw new Stop('return_unfit');
  const shown = {
    ...result,
    verifiedAt: new Date(result.verifiedAt),
    attributes: redacted(result.attributes),
    derived: redacted(result.derived),
  };
  return { result: shown, ...stored };
}

/** Who is logged in must be who was at the start, or nobody as then. */
function checkSubject({ session, reloads }: Returning, { record }: StoredFlow): void {
  if (session.subject() === record.subject) return;
  // The cookie of a log-in may be SameSite=Strict: it comes with a step from this site.
  throw new Stop(reloads === 0 ? 'session_left' : 'subject_changed');
}

/** Where it goes well: where the browser is sent, now and when the same address is opened again. */
async function runOnSuccess(
  deps: FlowDeps,
  flow: ReleasableFlow,
  { req, session }: Returning,
): Promise<string> {
  const { result, record } = flow;
  const success = await runHook(deps, 'onSuccess', flow, { req, result }, (hook) => session.disarm(hook));
  if (success.kind === 'done') return destination(deps, record, success.redirectTo);
  const { kind, error, redirectTo: location } = success;
  const transition = kind === 'refused' ? 'return_hook_refused' : 'return_hook_failed';
  throw new Stop(transition, { error, ...(location !== undefined && { location }) });
}

/** The app chooses what stays; this may take as long as a hook. */
async function runKeep(
  deps: FlowDeps,
  { id, record, result }: ReleasableFlow,
  session: ReturnSession,
): Promise<unknown> {
  // In an object of its own, so that nothing looks into what the app keeps.
  const kept = async () => await withTimeout(deps.hookTimeout, () => session.keep(result));
  const fail = (cause: unknown) => Promise.reject(failureOf('keep', deps.hookTimeout, cause));
  const run = async () => ({ kept: await kept().catch(fail) });
  return (await trace(traces.hook, run, id, record.question, 'keep')).kept;
}

/** The last write: what was released is erased here. Where it fails, the browser has what it came for all the same. */
async function close(deps: FlowDeps, flow: StoredFlow): Promise<void> {
  try {
    const { result: _result, ...record } = flow.record;
    await deps.records.replace(flow, { ...record, status: transitions.confirmed.to });
  } catch (fault) {
    emitEvent(deps, 'close_failed', aboutFlow(flow), toIdentityError(fault));
  }
}

/** Nothing was kept: the same address works again, unless the app has refused. */
async function endStopped(deps: FlowDeps, flow: StoredFlow, { end }: Stop, own: Doing): Promise<End> {
  const { transition, error } = end;
  if (transition !== 'return_hook_refused' || error === undefined) {
    const isOver = rowOf(transition).answer === 'start_again';
    return await tell(deps, isOver ? { ...end, own } : end, aboutFlow(flow));
  }
  const refusal = refusalWord(deps.service, error.serviceCode);
  await deps.records.replace(flow, { ...ended(flow.record), ...(refusal && { refusal }) });
  const chosen = await reportError(deps, transition, error, aboutFlow(flow));
  const to = chosen ?? end.location ?? errorAddress(deps, error, flow.id);
  return { ...end, location: `${flow.record.origin}${to}` };
}

/** Neither the code nor what it opened is left. */
const ended = ({ result: _result, code: _code, ...rest }: FlowRecord): FlowRecord => ({
  ...rest,
  status: transitions.return_hook_refused.to,
});

/**
 * A session that does not own the flow. A SameSite=Strict cookie does not come with a redirect from another site, but
 * with a step from this one; and the session may have a new id by now. A code is revoked by a browser that has come
 * twice from this site, or once with a session that is still there.
 */
async function judgeUnowned(deps: FlowDeps, { code, last, reloads, session }: Returning): Promise<End> {
  if (last !== undefined) {
    return await tell(deps, endOf('return_unfit', { own: last }), about(deps, code)); // expired, or forgotten
  }
  // A failing store has not said that this session owns nothing.
  const mayHaveAnother = reloads === 0 || (reloads < maxReloads && !(await session.isStored()));
  if (mayHaveAnother) return endOf('session_left');
  const question = await revoke(deps, code);
  return question === undefined
    ? endWithoutFlow(deps, 'return_unfit')
    : await tell(deps, endOf('return_wrong_browser', { question }), about(deps, code));
}

/** One for a SameSite=Strict cookie, and one for a session that got a new id meanwhile. */
export const maxReloads = 2;

const revocationMs = 10_000;

/** Ends the flow if this is its code and no return of it is under way. What it asked, where this call ended it. */
async function revoke(deps: FlowDeps, { id, secret }: ReturnCode): Promise<string | undefined> {
  const stored = await deps.records.find(id);
  if (stored?.record.status !== 'verified') return undefined;
  const { code, owner } = stored.record;
  if (code === undefined || !sameText(code, secret)) return undefined;
  const attempt = await tryLock(deps, owner, id, revocationMs);
  // A return of another flow of that owner does not protect this one. Of what cannot be told, it may be this one's.
  if (!attempt.unlock && (attempt.heldFor === undefined || attempt.heldFor === id)) return undefined;
  try {
    return (await deps.records.replace(stored, ended(stored.record)))?.record.question;
  } finally {
    await attempt.unlock?.();
  }
}

/** An end that everybody was told of, as the table has it. */
async function tell(deps: FlowDeps, end: End, told: ErrorContext): Promise<End> {
  await reportError(deps, end.transition, end.error, told);
  return end;
}

const about = ({ origins }: FlowDeps, { id }: ReturnCode): ErrorContext => ({ flow: id, origin: origins[0] });

const inProgress = (): IdentityError =>
  kitError('busy', { message: 'Another return of this session is in progress: its hook has not ended.' });

const notReceived = (): IdentityError =>
  kitError('session_save_failed', {
    message: 'The browser did not receive the answer, or no cookie with it.',
  });

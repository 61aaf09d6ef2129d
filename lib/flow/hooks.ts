import { IdentityError, checkOf, kitError, listedCodeOf } from '../errors.js';
import type { AboutFlow } from '../types/events.js';
import type { Json } from '../types/json.js';
import type { Way } from '../types/ways.js';
import { type Cancellation, formatDuration, TimeoutError, withTimeoutSignal } from '../internal/timeouts.js';
import type { FlowDeps, FlowHooks } from './context.js';
import type { FlowResult } from './record.js';
import { refusalWord } from './addresses.js';
import { checkAnswer } from './hook-answer.js';
import type { StoredFlow } from './records.js';
import { type End, type TransitionName, endOf, rowOf, stepOf } from './transitions.js';
import { withHidden } from '../internal/redacted.js';
import { supportCodeOf } from '../internal/support-code.js';
import { safePath } from '../internal/urls.js';
import { trace, traces } from './tracing.js';

export type HookOutcome = { readonly kind: 'done'; readonly redirectTo?: string } | HookStop;

export interface HookStop {
  readonly kind: 'refused' | 'failed';
  readonly error: IdentityError;
  readonly redirectTo?: string;
}

interface HookInput {
  readonly result: FlowResult;
  readonly req?: unknown;
  /** For `onVerified` alone. */
  readonly presentation?: string;
}

/** Runs one hook within its time. It has failed too if it returned something that is not a decision. */
export async function runHook(
  deps: FlowDeps,
  name: 'onVerified' | 'onSuccess',
  { id, record: { origin, question, context } }: StoredFlow,
  { presentation, ...args }: HookInput,
  onLate: (hook: unknown) => void = () => {},
): Promise<HookOutcome> {
  const hook = deps.hooks[name];
  if (hook === undefined) return { kind: 'done' };
  const about = { flow: id, question, origin };
  return await callHook(deps, name, about, (deadline) => {
    const given = {
      ...args,
      context,
      get signal() {
        return deadline.signal;
      },
    };
    const running = hook(
      presentation === undefined ? given : withHidden(given, 'presentation', presentation),
    );
    deadline.onLate(() => onLate(running)); // before the signal tells the hook
    return running;
  });
}

function callHook(
  { hookTimeout, log, service }: FlowDeps,
  name: keyof FlowHooks,
  { flow, question, origin }: ErrorContext,
  call: (deadline: Cancellation) => unknown,
): Promise<HookOutcome> {
  const run = async (): Promise<HookOutcome> => {
    try {
      const returned = await withTimeoutSignal(hookTimeout, call);
      const answer = checkAnswer(name, returned, (word) => refusalWord(service, word) !== undefined);
      if ('wrong' in answer) {
        if (name !== 'onError') {
          return { kind: 'failed', error: kitError('hook_failed', { message: answer.wrong }) };
        }
        log.once(`${answer.wrong} It is ignored.`);
        return { kind: 'done' };
      }
      const { redirectTo, refuse } = answer;
      const path = redirectTo === undefined ? undefined : safePath(redirectTo, origin);
      if (path === undefined && redirectTo !== undefined) {
        log.once(
          `${name} returned a redirectTo that is no path of this app: it is ignored. Return a path such as /welcome; a ` +
            'route of yours there may redirect to another site.',
        );
      }
      const redirect = path === undefined ? {} : { redirectTo: path };
      if (refuse === undefined) return { kind: 'done', ...redirect };
      const error = new IdentityError('refused', { serviceCode: refuse });
      return { kind: 'refused', error, ...redirect };
    } catch (cause) {
      return { kind: 'failed', error: failureOf(name, hookTimeout, cause) };
    }
  };
  return trace(traces.hook, run, flow, question, name);
}

/** Names the function that failed. What it threw is the cause alone, because its words may be personal. */
export function failureOf(name: string, time: number, cause: unknown): IdentityError {
  const within = time < 1_000 ? `${time} milliseconds` : formatDuration(time / 1_000);
  const late = `${name} took longer than ${within}.`;
  return cause instanceof TimeoutError
    ? kitError('hook_timeout', { message: late })
    : kitError('hook_failed', { message: `The hook ${name} failed.`, cause });
}

/** A hook that did not end in time may not have heard its signal: its lease stays, and keeps a second run away. */
export const mayRunOn = (error: IdentityError | undefined): boolean => error?.code === 'hook_timeout';

/** The kit's own error as it is, and anything else as the app's. */
export const toIdentityError = (cause: unknown): IdentityError =>
  cause instanceof IdentityError ? cause : new IdentityError('hook_failed', { cause });

/** The flow that is told of, and what `onError` is given of it. */
export interface ErrorContext extends AboutFlow {
  readonly origin: string;
  readonly context?: Json | undefined;
}

export function aboutFlow({ id, record: { question, origin, context } }: StoredFlow): ErrorContext {
  return { flow: id, question, origin, context };
}

/** Tells the operator and the listeners, where the table has an event. */
export function emitEvent(
  deps: FlowDeps,
  name: TransitionName,
  { flow, question, way }: AboutFlow & { readonly way?: Way },
  error?: IdentityError,
): void {
  const { event } = rowOf(name);
  if (event === undefined) return;
  const about = {
    ...(flow !== undefined && { flow }),
    ...(question !== undefined && { question }),
    ...(way !== undefined && { way }),
  };
  if (error !== undefined) deps.log.fault(error, about);
  const check = error && checkOf(error);
  deps.emit({
    type: event,
    ...about,
    ...(error !== undefined && { code: listedCodeOf(error) }),
    ...(check !== undefined && { check }),
  });
}

/**
 * Tells everybody, the app's `onError` too, where the table has it. Returns where `onError` wants the browser to go: it
 * decides about a page at most, and one that fails changes nothing.
 */
export async function reportError(
  deps: FlowDeps,
  name: TransitionName,
  error: IdentityError | undefined,
  { origin, context, ...about }: ErrorContext,
): Promise<string | undefined> {
  emitEvent(deps, name, about, error);
  const { onError } = deps.hooks;
  if (rowOf(name).hook !== 'onError' || onError === undefined || error === undefined) return undefined;
  const { flow } = about;
  const args = {
    error,
    step: stepOf(name),
    ...about,
    ...(flow !== undefined && { supportCode: supportCodeOf(flow) }),
    ...(context !== undefined && { context }),
  };
  const outcome = await callHook(deps, 'onError', { ...about, origin }, () => onError(args));
  if (outcome.kind === 'done') return outcome.redirectTo;
  deps.log.fault(outcome.error, about);
  deps.emit({ type: 'hook.failed', ...about, code: outcome.error.code });
  return undefined;
}

/** The end of a request that belongs to no flow: an event, and no hook, because anyone can cause it at will. */
export function endWithoutFlow(deps: FlowDeps, transition: TransitionName, error?: IdentityError): End {
  const end = endOf(transition, error && { error });
  emitEvent(deps, transition, {}, end.error);
  return end;
}

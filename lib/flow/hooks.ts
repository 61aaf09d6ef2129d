import { IdentityError, isKitErrorCode, kitError } from '../errors.js';
import type { AboutFlow, Log } from '../types/log.js';
import type { Json } from '../types/json.js';
import { TimeoutError, type Cancellation, withTimeoutSignal, withTimeout } from '../internal/timeouts.js';
import { isServiceErrorCode } from '../service/prove/errors.js';
import type { FlowDeps, FlowHooks } from './context.js';
import { checkAnswer } from './hook-answer.js';
import type { Transition } from './transition.js';
import { type TransitionName, transitions } from './transitions.js';
import { safePath } from '../internal/urls.js';
import { trace, traces } from './tracing.js';

/** What a hook decided. */
export type HookOutcome =
  | { readonly kind: 'done'; readonly redirectTo?: string }
  | { readonly kind: 'refused'; readonly error: IdentityError; readonly redirectTo?: string }
  | { readonly kind: 'failed'; readonly error: IdentityError };

interface HookRun extends Pick<FlowDeps, 'hookTimeout'> {
  readonly log: Pick<Log, 'once'>;
}

type DecidingHook = Exclude<keyof FlowHooks, 'onError'>;

/** Runs one hook within its time. It has failed too if it returned something that is not a decision. */
export async function runHook(
  deps: HookRun,
  name: DecidingHook,
  origin: string,
  hook: (stop: Cancellation) => unknown,
): Promise<HookOutcome> {
  try {
    const returned = await withTimeoutSignal(deps.hookTimeout, hook);
    const answer = checkAnswer(name, returned, ['redirectTo', 'refuse']);
    if ('wrong' in answer) {
      return { kind: 'failed', error: kitError('hook_failed', { message: answer.wrong }) };
    }
    const redirectTo = ownPath(deps, name, answer.redirectTo, origin);
    const redirect = redirectTo === undefined ? {} : { redirectTo };
    if (answer.refuse === undefined) return { kind: 'done', ...redirect };
    const error = new IdentityError('refused', { serviceCode: answer.refuse.slice(0, 100) });
    return { kind: 'refused', error, ...redirect };
  } catch (cause) {
    return { kind: 'failed', error: hookError(cause) };
  }
}

/** Runs `onError`. It decides about a page at most, so a wrong answer is named and ignored. */
async function runOnError(
  deps: HookRun,
  origin: string,
  hook: () => unknown,
): Promise<Exclude<HookOutcome, { kind: 'refused' }>> {
  try {
    const answer = checkAnswer('onError', await withTimeout(deps.hookTimeout, hook), ['redirectTo']);
    if ('wrong' in answer) {
      deps.log.once(`${answer.wrong} It is ignored.`);
      return { kind: 'done' };
    }
    const redirectTo = ownPath(deps, 'onError', answer.redirectTo, origin);
    return { kind: 'done', ...(redirectTo !== undefined && { redirectTo }) };
  } catch (cause) {
    return { kind: 'failed', error: hookError(cause) };
  }
}

function ownPath(
  { log }: HookRun,
  name: keyof FlowHooks,
  redirectTo: string | undefined,
  origin: string,
): string | undefined {
  const path = safePath(redirectTo, origin);
  if (path === undefined && redirectTo !== undefined) {
    log.once(`${name} returned a redirectTo that is no path of this app: it is ignored.`);
  }
  return path;
}

/** What a function of the app threw, as the kit tells it. */
function hookError(cause: unknown): IdentityError {
  const late = cause instanceof TimeoutError;
  return late ? new IdentityError('hook_timeout') : new IdentityError('hook_failed', { cause });
}

/** What went wrong at a return: the kit's own error as it is, and anything else as the app's. */
export function faultOf(cause: unknown): IdentityError {
  return cause instanceof IdentityError ? cause : hookError(cause);
}

interface ErrorContext extends AboutFlow {
  readonly origin: string;
  readonly context?: Json | undefined;
}

/** Sends the event that the table has for this transition. */
export function emitEvent(
  deps: FlowDeps,
  name: TransitionName,
  { flow, request }: AboutFlow,
  error?: IdentityError,
): void {
  const { event }: Transition = transitions[name];
  if (error !== undefined)
    deps.log.fault(error, { ...(flow !== undefined && { flow }), ...(request !== undefined && { request }) });
  if (event === undefined) return;
  deps.emit({
    type: event,
    ...(flow !== undefined && { flow }),
    ...(request !== undefined && { request }),
    ...(error !== undefined && { code: error.code }),
    ...(error?.check !== undefined && { check: error.check }),
  });
}

/**
 * Tells the app what went wrong: the event, and `onError` where the table has it. Returns where `onError` wants the
 * browser to go. An `onError` that fails changes nothing.
 */
export async function reportError(
  deps: FlowDeps,
  name: TransitionName,
  error: IdentityError,
  { origin, context, ...about }: ErrorContext,
): Promise<string | undefined> {
  emitEvent(deps, name, about, error);
  const { hook, step }: Transition = transitions[name];
  const { onError } = deps.hooks;
  if (hook !== 'onError' || onError === undefined) return undefined;
  const tell = () =>
    runOnError(deps, origin, () => onError({ error, step, ...(context !== undefined && { context }) }));
  const outcome = await trace(traces.hook, tell, about.flow, about.request, 'onError');
  if (outcome.kind === 'done') return outcome.redirectTo;
  deps.log.fault(outcome.error, about);
  deps.emit({ type: 'hook.failed', ...about, code: outcome.error.code });
  return undefined;
}

/** The code that an address may name: one of the closed list, or on the app's own page the app's own. */
export function errorAddress(
  deps: FlowDeps,
  { code, serviceCode = '' }: Pick<IdentityError, 'code' | 'serviceCode'>,
): string {
  const named = isClosed(code) ? code : 'service_error';
  if (deps.errorRedirect === undefined) return `${deps.returnPath}?error=${named}`;
  const isOwn = named === 'refused' && /^[a-z][a-z0-9_]{0,63}$/.test(serviceCode) && !isClosed(serviceCode);
  const url = new URL(deps.errorRedirect, deps.origins[0]);
  url.searchParams.set('error', isOwn ? serviceCode : named);
  return `${url.pathname}${url.search}${url.hash}`;
}

function isClosed(code: string): boolean {
  return isKitErrorCode(code) || isServiceErrorCode(code);
}

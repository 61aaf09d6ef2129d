import { IdentityError, isKitErrorCode } from '../errors.js';
import type { AboutFlow } from '../contracts/log.js';
import type { Json } from '../contracts/values.js';
import { DeadlinePassed, type Stop, stoppedWithin } from '../safe/time.js';
import { isServiceErrorCode } from '../protocol/service-errors.js';
import type { FlowDeps, FlowHooks } from './deps.js';
import type { Transition } from './transition.js';
import { type TransitionName, transitions } from './transitions.js';
import { safePath } from '../safe/urls.js';
import { traced, traces } from './traces.js';

/** What a hook decided. Anything else that it returns counts as nothing. */
export type HookOutcome =
  | { readonly kind: 'done'; readonly redirectTo?: string }
  | { readonly kind: 'refused'; readonly error: IdentityError; readonly redirectTo?: string }
  | { readonly kind: 'failed'; readonly error: IdentityError };

/** Runs one hook within its time. */
export async function runHook(
  { hookTimeout, log }: Pick<FlowDeps, 'hookTimeout' | 'log'>,
  name: keyof FlowHooks,
  origin: string,
  hook: (stop: Stop) => unknown,
): Promise<HookOutcome> {
  try {
    const answer = (await stoppedWithin(hookTimeout, hook)) as
      { redirectTo?: unknown; refuse?: unknown } | null | undefined;
    const redirectTo = safePath(answer?.redirectTo, origin);
    if (redirectTo === undefined && answer?.redirectTo !== undefined) {
      log.once(`${name} returned a redirectTo that is no path of this app: it is ignored.`);
    }
    const redirect = redirectTo === undefined ? {} : { redirectTo };
    const refusal = answer?.refuse;
    if (refusal === undefined) return { kind: 'done', ...redirect };
    // A refusal that was meant and mistyped must not let anybody in.
    if (typeof refusal !== 'string' || refusal === '') throw new TypeError('refuse must be a string');
    const error = new IdentityError('refused', { serviceCode: refusal.slice(0, 100) });
    return { kind: 'refused', error, ...redirect };
  } catch (cause) {
    return { kind: 'failed', error: hookError(cause) };
  }
}

/** What a function of the app threw, as the kit tells it. */
function hookError(cause: unknown): IdentityError {
  const late = cause instanceof DeadlinePassed;
  return late ? new IdentityError('hook_timeout') : new IdentityError('hook_failed', { cause });
}

/** What went wrong at a return: the kit's own error as it is, and anything else as the app's. */
export function faultOf(cause: unknown): IdentityError {
  return cause instanceof IdentityError ? cause : hookError(cause);
}

interface Mishap extends AboutFlow {
  readonly origin: string;
  readonly context?: Json | undefined;
}

/** Sends the event that the table has for this transition. */
export function announce(
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
export async function report(
  deps: FlowDeps,
  name: TransitionName,
  error: IdentityError,
  { origin, context, ...about }: Mishap,
): Promise<string | undefined> {
  announce(deps, name, about, error);
  const { hook, step }: Transition = transitions[name];
  const { onError } = deps.hooks;
  if (hook !== 'onError' || onError === undefined) return undefined;
  const tell = () =>
    runHook(deps, 'onError', origin, () =>
      onError({ error, step, ...(context !== undefined && { context }) }),
    );
  const outcome = await traced(traces.hook, tell, about.flow, about.request, 'onError');
  if (outcome.kind !== 'failed') return outcome.redirectTo;
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

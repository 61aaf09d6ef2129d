import { IdentityError, isKitErrorCode } from '../errors.js';
import type { Json } from '../ports.js';
import { DeadlinePassed, within } from '../protocol/deadline.js';
import { isServiceErrorCode } from '../protocol/error-codes.js';
import type { FlowKit } from './kit.js';
import { life, type Occasion } from './life.js';
import { safePath } from '../protocol/safe-path.js';

/** What a hook decided. Anything that it should not answer counts as nothing. */
export type HookOutcome =
  | { readonly kind: 'done'; readonly redirectTo?: string }
  | { readonly kind: 'refused'; readonly error: IdentityError; readonly redirectTo?: string }
  | { readonly kind: 'failed'; readonly error: IdentityError };

/** Runs one hook within its time. */
export async function runHook(
  ms: number,
  origin: string,
  hook: (signal: AbortSignal) => unknown,
): Promise<HookOutcome> {
  try {
    const answer = (await within(ms, hook)) as { redirectTo?: unknown; refuse?: unknown } | null | undefined;
    const redirectTo = safePath(answer?.redirectTo, origin);
    const redirect = redirectTo === undefined ? {} : { redirectTo };
    const refusal = answer?.refuse;
    if (typeof refusal !== 'string' || refusal === '') return { kind: 'done', ...redirect };
    const error = new IdentityError('refused', { serviceCode: refusal.slice(0, 100) });
    return { kind: 'refused', error, ...redirect };
  } catch (cause) {
    const late = cause instanceof DeadlinePassed;
    return {
      kind: 'failed',
      error: late ? new IdentityError('hook_timeout') : new IdentityError('hook_failed', { cause }),
    };
  }
}

interface Mishap {
  readonly flow?: string;
  readonly request?: string;
  readonly origin: string;
  readonly context?: Json | undefined;
}

/**
 * Tells the app what went wrong: the event, and `onError` where the occasion has it. Answers where `onError` wants
 * the browser to go. An `onError` that fails changes nothing.
 */
export async function report<Req>(
  kit: FlowKit<Req>,
  occasion: Occasion,
  error: IdentityError,
  { flow, request, origin, context }: Mishap,
): Promise<string | undefined> {
  const row: {
    hook?: string;
    event?: Parameters<typeof kit.emit>[0]['type'];
    step: 'start' | 'callback' | 'return';
  } = life[occasion];
  const about = {
    ...(flow !== undefined && { flow }),
    ...(request !== undefined && { request }),
  };
  if (row.event !== undefined) {
    kit.emit({
      type: row.event,
      ...about,
      code: error.code,
      ...(error.check !== undefined && { check: error.check }),
    });
  }
  const { onError } = kit.hooks;
  if (row.hook !== 'onError' || onError === undefined) return undefined;
  const { step } = row;
  const outcome = await runHook(kit.hookTimeout, origin, () =>
    onError({ error, step, ...(context !== undefined && { context }) }),
  );
  if (outcome.kind === 'failed') {
    kit.emit({ type: 'hook.failed', ...about, code: outcome.error.code });
    return undefined;
  }
  return outcome.redirectTo;
}

/** The address of the error page for this code: only a code of the closed list is ever named in an address. */
export function errorAddress<Req>(kit: FlowKit<Req>, code: string): string {
  const named = isKitErrorCode(code) || isServiceErrorCode(code) ? code : 'service_error';
  if (kit.errorRedirect === undefined) return `${kit.returnPath}?error=${named}`;
  const url = new URL(kit.errorRedirect, kit.origins[0]);
  url.searchParams.set('error', named);
  return `${url.pathname}${url.search}${url.hash}`;
}

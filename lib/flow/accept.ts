import type { IdentityError } from '../errors.js';
import type { Replied } from './delivery.js';
import { type HookOutcome, emitEvent, errorAddress, reportError, runHook } from './hooks.js';
import type { FlowDeps, FlowResult, HookArgs } from './context.js';
import { takeLease, withoutLease, writeUnderLease } from './lease.js';
import type { Cancellation } from '../internal/timeouts.js';
import { transitions } from './transitions.js';
import type { FlowRecord } from './record.js';
import { seal } from './encryption.js';
import { newSecret, replyKey, resultKey, sha256 } from './secrets.js';
import type { StoredFlow } from './records.js';
import { trace, traces } from './tracing.js';

/** At least this long the person has for the way back, however late the wallet was. */
const wayBackMs = 2 * 60_000;

export interface Acceptance {
  readonly state: string;
  readonly body: string;
  readonly stored: StoredFlow;
  readonly result: FlowResult;
}

/** Takes a good presentation: the hooks that belong to the callback, then the swap. Undefined: read again. */
export async function accept(deps: FlowDeps, acceptance: Acceptance): Promise<Replied | undefined> {
  const { stored } = acceptance;
  const hooks = hooksOf(deps, stored.record);
  if (hooks.length === 0) {
    const { next, reply } = prepareAcceptance(deps, acceptance);
    const written = await deps.records.replace(stored, next(withoutLease(stored.record)));
    return written && finish(deps, written, reply);
  }
  // One more than the hooks: where the last of them fails, onError runs under the same lease.
  const leased = await takeLease(deps, stored, hooks.length + 1);
  return leased && (await runUnderLease(deps, { ...acceptance, stored: leased }, hooks));
}

interface CallbackHook {
  readonly name: 'onVerified' | 'onSuccess';
  readonly run: (args: HookArgs) => unknown;
}

/** The hooks that this callback has to run; one that is known to have run is left out. */
function hooksOf(deps: FlowDeps, record: FlowRecord): CallbackHook[] {
  const { onVerified, onSuccess } = deps.hooks;
  const hooks: CallbackHook[] = [];
  if (onVerified !== undefined && record.hookDone === undefined) {
    hooks.push({ name: 'onVerified', run: onVerified });
  }
  if (onSuccess !== undefined && deps.confirm === 'callback') {
    hooks.push({ name: 'onSuccess', run: onSuccess });
  }
  return hooks;
}

async function runUnderLease(
  deps: FlowDeps,
  acceptance: Acceptance,
  hooks: readonly CallbackHook[],
): Promise<Replied | undefined> {
  const { stored, result } = acceptance;
  const { origin, request, context } = stored.record;
  let done: Pick<FlowRecord, 'redirectTo' | 'hookDone'> = {};
  for (const { name, run } of hooks) {
    const started = (stop: Cancellation): unknown =>
      run({
        result,
        context,
        get signal() {
          return stop.signal;
        },
      });
    const hook = () => runHook(deps, name, origin, started);
    const outcome = await trace(traces.hook, hook, stored.id, request, name);
    if (outcome.kind !== 'done') return await stop(deps, acceptance, done, outcome);
    if (name === 'onVerified') done = { ...done, hookDone: true };
    if (outcome.redirectTo !== undefined) done = { ...done, redirectTo: outcome.redirectTo };
  }
  const { next, reply } = prepareAcceptance(deps, acceptance, done.redirectTo);
  const written = await writeUnderLease(deps, stored, next);
  return written && finish(deps, written, reply);
}

/** A hook failed or refused: the lease goes back, and what an earlier hook already did is kept. */
async function stop(
  deps: FlowDeps,
  { body, stored }: Acceptance,
  done: Pick<FlowRecord, 'redirectTo' | 'hookDone'>,
  outcome: HookOutcome & { error: IdentityError },
): Promise<Replied | undefined> {
  const { origin, request, context } = stored.record;
  const { error } = outcome;
  const refused = outcome.kind === 'refused';
  const transition = refused ? 'callback_hook_refused' : 'callback_hook_failed';
  const asked = await reportError(deps, transition, error, { flow: stored.id, request, origin, context });
  const to = asked ?? (refused ? outcome.redirectTo : undefined) ?? errorAddress(deps, error);
  const written = await writeUnderLease(deps, stored, (record) =>
    refused
      ? {
          ...record,
          status: transitions.callback_hook_refused.to,
          refused: [...record.refused, { body, to }],
        }
      : { ...record, ...done },
  );
  return written && { transition, redirectUri: `${origin}${to}` };
}

interface Acceptable {
  readonly next: (record: FlowRecord) => FlowRecord;
  readonly reply: Replied;
}

/** The record after this body was accepted, and the reply that goes with it. */
function prepareAcceptance(deps: FlowDeps, acceptance: Acceptance, redirectTo?: string): Acceptable {
  const { state, body, stored, result } = acceptance;
  const { origin, returnTo, request } = stored.record;
  const sealReply = (redirectUri: string): string => seal(replyKey(state, body), stored.id, redirectUri);
  if (deps.confirm === 'callback') {
    const to = redirectTo ?? stored.record.redirectTo ?? returnTo ?? deps.successRedirectOf(request);
    const redirectUri = `${origin}${to}`;
    const reply = sealReply(redirectUri);
    return {
      next: ({ hookDone: _done, ...record }) => ({ ...record, status: transitions.succeeded.to, reply }),
      reply: { transition: 'succeeded', redirectUri },
    };
  }
  const secret = newSecret();
  const redirectUri = `${origin}${deps.returnPath}?code=${stored.id}.${secret}`;
  const sealed = {
    reply: sealReply(redirectUri),
    result: seal(resultKey(secret), stored.id, JSON.stringify(result)),
    code: sha256(secret),
  };
  return {
    next: ({ hookDone: _done, ...record }) => ({
      ...record,
      ...sealed,
      ...(redirectTo !== undefined && { redirectTo }),
      status: transitions.verified.to,
      expiresAt: Math.max(record.expiresAt, deps.clock().getTime() + wayBackMs),
    }),
    reply: { transition: 'verified', redirectUri },
  };
}

function finish(deps: FlowDeps, { id, record }: StoredFlow, reply: Replied): Replied {
  emitEvent(deps, reply.transition, { flow: id, request: record.request });
  return reply;
}

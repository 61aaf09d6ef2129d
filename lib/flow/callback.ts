import { IdentityError, isInOwnWords, kitError } from '../errors.js';
import type { Callback } from '../service/contract.js';
import {
  aboutFlow,
  emitEvent,
  errorAddress,
  type HookStop,
  mayRunOn,
  refusalWord,
  reportError,
  runHook,
} from './hooks.js';
import type { FlowDeps, FlowResult } from './context.js';
import { isLeased, replaceUnleased, rewrite, takeLease, waitForLease, writeUnderLease } from './lease.js';
import { open, isSecret, replyKey, sha256, seal, newSecret, resultKey } from './secrets.js';
import type { FlowRecord } from './record.js';
import type { FlowPlace, StoredFlow } from './records.js';
import { trace, traces } from './tracing.js';
import { type TransitionOf, transitions } from './transitions.js';
import type { Verdict } from '../types/trust.js';
import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { receiptFor } from '../service/receipt.js';

/**
 * Handles one delivery of a callback: read, check, claim, hook, swap. Every delivery may be repeated, and two may
 * arrive at once, here or in another process; the one that loses a swap reads again and finds what the winner left.
 */
export async function handleCallback(deps: FlowDeps, callback: Callback): Promise<Delivery> {
  const { state } = callback;
  if (!isSecret(state)) {
    const error = new IdentityError('callback_malformed', { message: 'The state is not one of ours.' });
    return { transition: 'state_malformed', error };
  }
  const place = deps.records.placeOf(state);
  return await trace(traces.callback, () => deliver(deps, callback, place), place.id);
}

async function deliver(deps: FlowDeps, callback: Callback, place: FlowPlace): Promise<Delivery> {
  const { state } = callback;
  const body = bodyDigest(callback);
  let verdict: CallbackVerdict | undefined;
  let lost: StoredFlow | undefined;
  for (;;) {
    const stored = await deps.records.read(place, lost);
    if (stored === undefined || stored === 'revoked') return closedFlowReply(deps);
    const settled = replayReply(deps, stored, state, body);
    if (settled !== undefined) return settled;
    if (isLeased(deps, stored.record)) {
      if (await waitForLease(deps, stored)) continue;
      return { transition: 'lease_held', error: new IdentityError('busy') };
    }
    verdict ??= await verdictOn(deps, stored, callback);
    const delivery =
      verdict.kind === 'accepted'
        ? await accept(deps, { state, body, stored, result: verdict.result })
        : await refuse(deps, body, stored, verdict);
    if (delivery !== undefined) return delivery;
    lost = stored;
  }
}

/** What needs no check: a body already answered, and a flow that takes no more bodies. */
function replayReply(deps: FlowDeps, stored: StoredFlow, state: string, body: string): Replied | undefined {
  const { status, origin, refused, reply } = stored.record;
  const known = refused.find((refusal) => refusal.body === body);
  if (known !== undefined) return { transition: 'body_known', redirectUri: `${origin}${known.to}` };
  if (status === 'pending') return undefined;
  const redirectUri = reply === undefined ? undefined : open(replyKey(state, body), stored.id, reply);
  return redirectUri === undefined
    ? closedFlowReply(deps, stored)
    : { transition: 'body_known', redirectUri };
}

/** The one reply for all that is over, unknown or not for this body: it tells nothing of which. */
function closedFlowReply(deps: FlowDeps, stored?: StoredFlow): Replied {
  const error = new IdentityError('state_unknown');
  emitEvent(deps, 'closed', stored === undefined ? {} : aboutFlow(stored), error);
  return { transition: 'closed', redirectUri: `${deps.origins[0]}${errorAddress(deps, error)}` };
}

/** A digest of the parameters, not of the bytes: the same callback encoded another way is the same callback. */
function bodyDigest(callback: Callback): string {
  const { kind, state } = callback;
  const values = kind === 'error' ? [callback.error, callback.errorDescription] : [callback.presentation];
  return sha256(JSON.stringify([kind, state, ...values]));
}

/** How a delivery ended. The table in transitions.ts says what each end is answered with. */
export type Delivery = Replied | Unanswered;

/** The service hears where to send the browser. */
export interface Replied {
  readonly transition: TransitionOf<'callback', 'reply' | 'error_reply' | 'closed_reply'>;
  readonly redirectUri: string;
}

/** The service hears of an error, and may come back. */
export interface Unanswered {
  readonly transition: TransitionOf<'callback', 'later' | 'problem'>;
  readonly error: IdentityError;
}

/** What a callback's body turned out to be. `open` is no verdict: the next delivery may bring one. */
type CallbackVerdict =
  | { readonly kind: 'accepted'; readonly result: FlowResult }
  | { readonly kind: 'refused' | 'open'; readonly error: IdentityError };

/** Checks a callback against what the flow asked for. Changes nothing. */
async function verdictOn(
  deps: FlowDeps,
  { id, record }: StoredFlow,
  callback: Callback,
): Promise<CallbackVerdict> {
  if (callback.kind === 'error') return { kind: 'refused', error: deps.service.errorOf(callback.error) };
  const { issuer, request, reveal, derived, startedAt } = record;
  const { state, presentation } = callback;
  const verifier = deps.verifiers.get(issuer);
  // Started under another configuration: a process that still has it (or has it already) may check it.
  if (verifier === undefined) return { kind: 'open', error: new IdentityError('key_not_found') };
  const expected = { issuer, state, reveal, derived, startedAt: new Date(startedAt) };
  const verify = async (): Promise<CallbackVerdict> => {
    try {
      const verdict = await deps.verifying.run(
        async () => await withTimeout(deps.verifyTimeout, () => verifier(presentation, expected)),
      );
      if (!verdict.valid) return refusal(verdict);
      deps.log.accepted(request);
      const result = {
        request,
        issuer,
        sandbox: deps.isSandbox(issuer),
        verifiedAt: deps.clock(),
        attributes: verdict.attributes,
        derived: verdict.derived,
        receipt: receiptFor(state, presentation),
      };
      return { kind: 'accepted', result };
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'busy') throw error;
      if (error instanceof IdentityError) return { kind: 'open', error };
      if (error instanceof TimeoutError) return { kind: 'open', error: new IdentityError('verify_timeout') };
      const details = { message: 'A function of the trust configuration threw.', cause: error };
      return { kind: 'open', error: kitError('hook_failed', details) };
    }
  };
  return await trace(traces.verify, verify, id, request);
}

function refusal(verdict: Verdict & { valid: false }): CallbackVerdict {
  const { code = 'presentation_invalid', check, reason } = verdict;
  const details = check === undefined ? { message: reason } : { check, message: `${check}: ${reason}` };
  const error = isInOwnWords(verdict) ? kitError(code, details) : new IdentityError(code, details);
  return { kind: error.retryable ? 'open' : 'refused', error };
}

/** At least this long the person has for the way back, however late the wallet was: a session keeps its flows so long. */
export const minReturnMs = 2 * 60_000;

interface Acceptance {
  readonly state: string;
  readonly body: string;
  readonly stored: StoredFlow;
  readonly result: FlowResult;
}

/** Takes a good presentation: the hooks that belong to the callback, then the swap. Undefined: read again. */
async function accept(deps: FlowDeps, acceptance: Acceptance): Promise<Replied | undefined> {
  const { state, body, result } = acceptance;
  const hooks = hooksOf(deps, acceptance.stored.record);
  const write = hooks.length === 0 ? replaceUnleased : writeUnderLease;
  // One more than the hooks: where the last of them fails, onError runs under the same lease.
  const stored =
    hooks.length === 0 ? acceptance.stored : await takeLease(deps, acceptance.stored, hooks.length + 1);
  if (stored === undefined) return undefined;
  let done: HooksDone = {};
  for (const name of hooks) {
    const outcome = await runHook(deps, name, stored, { result });
    if (outcome.kind !== 'done') return await stop(deps, body, stored, done, outcome);
    if (name === 'onVerified') done = { ...done, hookDone: true };
    if (outcome.redirectTo !== undefined) done = { ...done, redirectTo: outcome.redirectTo };
  }
  const { transition, to, changes } =
    deps.confirm === 'callback'
      ? confirmAtOnce(deps, stored.record, done.redirectTo)
      : awaitReturn(deps, stored, result, done.redirectTo);
  const redirectUri = `${stored.record.origin}${to}`;
  const reply = seal(replyKey(state, body), stored.id, redirectUri);
  const { to: status } = transitions[transition];
  const next = { ...changes, status, reply };
  const written = await write(deps, stored, ({ hookDone: _done, ...record }) => ({ ...record, ...next }));
  if (written === undefined) return undefined;
  emitEvent(deps, transition, aboutFlow(written));
  return { transition, redirectUri };
}

type HooksDone = Pick<FlowRecord, 'redirectTo' | 'hookDone'>;

/** The hooks that this callback has to run; one that is known to have run is left out. */
function hooksOf({ hooks, confirm }: FlowDeps, { hookDone }: FlowRecord): ('onVerified' | 'onSuccess')[] {
  return [
    ...(hooks.onVerified !== undefined && hookDone === undefined ? (['onVerified'] as const) : []),
    ...(hooks.onSuccess !== undefined && confirm === 'callback' ? (['onSuccess'] as const) : []),
  ];
}

/** A hook failed or refused: what an earlier hook already did is kept. */
async function stop(
  deps: FlowDeps,
  body: string,
  stored: StoredFlow,
  done: HooksDone,
  { kind, error, redirectTo }: HookStop,
): Promise<Replied | undefined> {
  const refused = kind === 'refused';
  const transition = refused ? 'callback_hook_refused' : 'callback_hook_failed';
  const chosen = await reportError(deps, transition, error, aboutFlow(stored));
  const to = chosen ?? redirectTo ?? errorAddress(deps, error, stored.id);
  const status = transitions.callback_hook_refused.to;
  const refusal = refusalWord(deps.service, error.serviceCode);
  const written = await writeUnderLease(deps, stored, (record) =>
    refused
      ? { ...record, status, ...(refusal && { refusal }), refused: [...record.refused, { body, to }] }
      : { ...record, ...done, ...(mayRunOn(error) && { lease: stored.record.lease }) },
  );
  return written && { transition, redirectUri: `${stored.record.origin}${to}` };
}

/** With `confirm: 'callback'` the flow ends here, without a result. */
function confirmAtOnce(deps: FlowDeps, record: FlowRecord, bySuccess: string | undefined) {
  const to = bySuccess ?? record.redirectTo ?? record.returnTo ?? deps.successRedirectOf(record.request);
  return { transition: 'succeeded', to, changes: {} } as const;
}

/** The result waits, sealed under a code, for the browser that started. */
function awaitReturn(
  deps: FlowDeps,
  { id, record }: StoredFlow,
  result: FlowResult,
  redirectTo: string | undefined,
) {
  const secret = newSecret();
  const changes = {
    expiresAt: Math.max(record.expiresAt, deps.clock().getTime() + minReturnMs),
    code: sha256(secret),
    result: seal(resultKey(secret), id, JSON.stringify(result)),
    ...(redirectTo !== undefined && { redirectTo }),
  };
  return { transition: 'verified', to: `${deps.returnPath}?code=${id}.${secret}`, changes } as const;
}

/** How many refused bodies of a flow are remembered and told to `onError`. */
const maxRefusedBodies = 5;

/** A bad body never ends a flow: the first few are remembered, each told to the app once. Undefined: read again. */
async function refuse(
  deps: FlowDeps,
  body: string,
  stored: StoredFlow,
  { kind, error }: CallbackVerdict & { kind: 'refused' | 'open' },
): Promise<Replied | undefined> {
  const { origin, refused } = stored.record;
  const to = errorAddress(deps, error, stored.id);
  const about = aboutFlow(stored);
  if (kind === 'open' || refused.length >= maxRefusedBodies) {
    const transition = kind === 'open' ? 'no_verdict' : 'body_refused_past_limit';
    const chosen = await reportError(deps, transition, error, about);
    return { transition, redirectUri: `${origin}${chosen ?? to}` };
  }
  // Remembered first: of two deliveries of one bad body, only the one that wrote it tells the app.
  const next = { ...stored.record, refused: [...refused, { body, to }] };
  const written = await deps.records.replace(stored, next);
  if (written === undefined) return undefined;
  const chosen = await reportError(deps, 'body_refused', error, about);
  if (chosen !== undefined) {
    // The app chose another page: the same body must get the same reply from now on.
    await rewrite(deps, written, (record) => ({
      ...record,
      refused: record.refused.map((known) => (known.body === body ? { body, to: chosen } : known)),
    }));
  }
  return { transition: 'body_refused', redirectUri: `${origin}${chosen ?? to}` };
}

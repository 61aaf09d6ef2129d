import { IdentityError, isInOwnWords, kitError } from '../errors.js';
import type { Callback } from '../service/contract.js';
import { aboutFlow, emitEvent, type HookStop, mayRunOn, reportError, runHook } from './hooks.js';
import { codeAddress, errorAddress, refusalWord } from './addresses.js';
import type { FlowDeps } from './context.js';
import { isLeased, replaceUnleased, takeLease, waitForLease } from './lease.js';
import { isSecret, newSecret } from './secrets.js';
import type { FlowRecord, FlowResult } from './record.js';
import type { FlowPlace, StoredFlow } from './records.js';
import { trace, traces } from './tracing.js';
import { type End, type TransitionName, endOf, maxRefusedBodies, transitions } from './transitions.js';
import type { Verdict } from '../types/trust.js';
import { sha256 } from '../internal/sha256.js';
import { supportCodeOf } from '../internal/support-code.js';
import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { receiptFor } from '../service/receipt.js';

/**
 * Handles one delivery of a callback: read, check, lease, hook, swap. Every delivery may be repeated, and two may
 * arrive at once, here or in another process; the one that loses a swap reads again and finds what the winner left.
 */
export async function handleCallback(deps: FlowDeps, callback: Callback): Promise<End> {
  const { state } = callback;
  if (!isSecret(state)) {
    const error = new IdentityError('callback_malformed', { message: 'The state is not one of ours.' });
    return endOf('state_malformed', { error });
  }
  const place = deps.records.placeOf(state);
  return await trace(traces.callback, () => deliver(deps, callback, place), place.id);
}

async function deliver(deps: FlowDeps, callback: Callback, place: FlowPlace): Promise<End> {
  const body = bodyDigest(callback);
  let verdict: CallbackVerdict | undefined;
  for (;;) {
    const stored = await deps.records.read(place);
    if (stored === undefined) return closedFlowReply(deps);
    const settled = replayReply(deps, stored, body);
    if (settled !== undefined) return settled;
    if (isLeased(deps, stored.record)) {
      if (await waitForLease(deps, stored)) continue;
      return endOf('lease_held');
    }
    verdict ??= await verdictOn(deps, stored, callback);
    const delivery =
      verdict.kind === 'accepted'
        ? await accept(deps, { body, stored, result: verdict.result }, verdict.presentation)
        : await refuse(deps, body, stored, verdict);
    if (delivery !== undefined) return delivery;
  }
}

/** What needs no check: a body already answered, and a flow that takes no more bodies. */
function replayReply(deps: FlowDeps, stored: StoredFlow, body: string): End | undefined {
  const { status, origin, answered } = stored.record;
  const known = answered.find((one) => one.body === body);
  if (known !== undefined) return replied('body_known', origin, known.to);
  return status === 'pending' ? undefined : closedFlowReply(deps, stored);
}

/** The one reply for all that is over, unknown or not for this body: it tells nothing of which. */
function closedFlowReply(deps: FlowDeps, stored?: StoredFlow): End {
  const error = new IdentityError('state_unknown');
  emitEvent(deps, 'closed', stored === undefined ? {} : aboutFlow(stored), error);
  return replied('closed', deps.origins[0], errorAddress(deps, error));
}

/** The service hears where to send the browser, and nothing of why. */
const replied = (transition: TransitionName, origin: string, to: string): End =>
  endOf(transition, { location: `${origin}${to}` });

/** A digest of the parameters, not of the bytes: the same callback encoded another way is the same callback. */
function bodyDigest(callback: Callback): string {
  const { kind, state } = callback;
  const values = kind === 'error' ? [callback.error, callback.errorDescription] : [callback.presentation];
  return sha256(JSON.stringify([kind, state, ...values]));
}

/** What a callback's body turned out to be. `open` is no verdict: the next delivery may bring one. */
type CallbackVerdict =
  | { readonly kind: 'accepted'; readonly result: FlowResult; readonly presentation: string }
  | { readonly kind: 'refused' | 'open'; readonly error: IdentityError };

/** Checks a callback against what the flow asked for. Changes nothing. */
async function verdictOn(
  deps: FlowDeps,
  { id, record }: StoredFlow,
  callback: Callback,
): Promise<CallbackVerdict> {
  if (callback.kind === 'error') return { kind: 'refused', error: deps.service.errorOf(callback.error) };
  const { issuer, question, reveal, derived, variant, startedAt } = record;
  const { state, presentation } = callback;
  const verifier = deps.verifiers.get(issuer);
  // Started under another configuration: a process that still has it (or has it already) may check it.
  if (verifier === undefined) return { kind: 'open', error: new IdentityError('key_not_found') };
  const expected = { issuer, state, reveal, derived, variant, startedAt: new Date(startedAt) };
  const verify = async (): Promise<CallbackVerdict> => {
    try {
      const verdict = await deps.concurrentVerifications.run(
        async () => await withTimeout(deps.verifyTimeout, () => verifier(presentation, expected)),
      );
      if (!verdict.valid) return refusal(verdict);
      const result = {
        question,
        issuer,
        sandbox: deps.isSandbox(issuer),
        verifiedAt: deps.clock(),
        attributes: verdict.attributes,
        derived: verdict.derived,
        receipt: { number: supportCodeOf(id), ...receiptFor(state, presentation) },
      };
      return { kind: 'accepted', result, presentation };
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'busy') throw error;
      if (error instanceof IdentityError) return { kind: 'open', error };
      if (error instanceof TimeoutError) return { kind: 'open', error: new IdentityError('verify_timeout') };
      const details = { message: 'A function of the trust configuration threw.', cause: error };
      return { kind: 'open', error: kitError('hook_failed', details) };
    }
  };
  return await trace(traces.verify, verify, id, question);
}

function refusal(verdict: Verdict & { valid: false }): CallbackVerdict {
  const { code = 'presentation_invalid', check, reason } = verdict;
  const details = check === undefined ? { message: reason } : { check, message: `${check}: ${reason}` };
  const error = isInOwnWords(verdict) ? kitError(code, details) : new IdentityError(code, details);
  return { kind: error.retryable ? 'open' : 'refused', error };
}

/** At least this long the person has for the way back, however late the wallet was. */
const minReturnMs = 2 * 60_000;

interface Acceptance {
  readonly body: string;
  readonly stored: StoredFlow;
  readonly result: FlowResult;
}

/** Takes a good presentation: the hook of the callback, then the swap. Undefined: read again. */
async function accept(
  deps: FlowDeps,
  { body, stored, result }: Acceptance,
  presentation: string,
): Promise<End | undefined> {
  const hook = deps.confirm === 'callback' ? 'onSuccess' : 'onVerified';
  if (deps.hooks[hook] === undefined) return await settle(deps, { body, stored, result });
  // Two: where the hook fails, onError runs under the same lease.
  const leased = await takeLease(deps, stored);
  if (leased === undefined) return undefined;
  const ran = await runHook(
    deps,
    hook,
    leased,
    hook === 'onVerified' ? { result, presentation } : { result },
  );
  if (ran.kind !== 'done') return await stop(deps, body, leased, ran);
  return await settle(deps, { body, stored: leased, result }, ran.redirectTo);
}

async function settle(
  deps: FlowDeps,
  { body, stored, result }: Acceptance,
  redirectTo?: string,
): Promise<End | undefined> {
  const { transition, to, changes } =
    deps.confirm === 'callback'
      ? confirmAtOnce(deps, stored.record, redirectTo)
      : awaitReturn(deps, stored, result, redirectTo);
  const written = await replaceUnleased(deps, stored, ({ status: _status, answered, ...record }) => ({
    status: transitions[transition].to,
    answered: [...answered, { body, to }],
    ...record,
    ...changes,
  }));
  if (written === undefined) return undefined;
  emitEvent(deps, transition, aboutFlow(written));
  return replied(transition, stored.record.origin, to);
}

/** The hook failed or refused. */
async function stop(
  deps: FlowDeps,
  body: string,
  stored: StoredFlow,
  { kind, error, redirectTo }: HookStop,
): Promise<End | undefined> {
  const refused = kind === 'refused';
  const transition = refused ? 'callback_hook_refused' : 'callback_hook_failed';
  await reportInCallback(deps, transition, error, aboutFlow(stored));
  const to = redirectTo ?? errorAddress(deps, error, stored.id);
  const status = transitions.callback_hook_refused.to;
  const refusal = refusalWord(deps.service, error.serviceCode);
  const written = await replaceUnleased(deps, stored, (record) =>
    refused
      ? { ...record, status, ...(refusal && { refusal }), answered: [...record.answered, { body, to }] }
      : { ...record, ...(mayRunOn(error) && { lease: stored.record.lease }) },
  );
  return written && replied(transition, stored.record.origin, to);
}

/** With `confirm: 'callback'` the flow ends here, without a result. */
function confirmAtOnce(deps: FlowDeps, record: FlowRecord, bySuccess: string | undefined) {
  const to = bySuccess ?? record.returnTo ?? deps.successRedirectOf(record.question);
  return { transition: 'confirmed_at_once', to, changes: {} } as const;
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
    code: secret,
    result,
    ...(redirectTo !== undefined && { redirectTo }),
  };
  return { transition: 'verified', to: codeAddress(deps, { id, secret }), changes } as const;
}

/** A bad body never ends a flow: the first few are remembered, each told to the app once. Undefined: read again. */
async function refuse(
  deps: FlowDeps,
  body: string,
  stored: StoredFlow,
  { kind, error }: CallbackVerdict & { kind: 'refused' | 'open' },
): Promise<End | undefined> {
  const { origin, answered } = stored.record;
  const to = errorAddress(deps, error, stored.id);
  const about = aboutFlow(stored);
  if (kind === 'open' || answered.length >= maxRefusedBodies) {
    const transition = kind === 'open' ? 'no_verdict' : 'body_refused_past_limit';
    emitEvent(deps, transition, about, error);
    return replied(transition, origin, to);
  }
  // Remembered first: of two deliveries of one bad body, only the one that wrote it tells the app.
  const next = { ...stored.record, answered: [...answered, { body, to }] };
  const written = await deps.records.replace(stored, next);
  if (written === undefined) return undefined;
  await reportInCallback(deps, 'body_refused', error, about);
  return replied('body_refused', origin, to);
}

/** The reply is decided before the app hears of it: what onError returns chooses no page here. */
async function reportInCallback(
  ...[deps, name, error, about]: Parameters<typeof reportError>
): Promise<void> {
  const chosen = await reportError(deps, name, error, about);
  if (chosen !== undefined)
    deps.log.once(
      'onError returned a redirectTo in the callback, where it is ignored: no browser is there. For a page of your own, set errorRedirect.',
    );
}

import { IdentityError, isInOwnWords, kitError } from '../errors.js';
import type { Callback, Received } from '../service/contract.js';
import { aboutFlow, emitEvent, type HookStop, mayRunOn, reportError, runHook } from './hooks.js';
import { codeAddress, errorAddress, namedCode, refusalWord } from './addresses.js';
import type { FlowDeps } from './context.js';
import { isLeased, replaceUnleased, takeLease, waitForLease } from './lease.js';
import { isSecret, newSecret } from './secrets.js';
import type { FlowRecord, FlowResult } from './record.js';
import type { FlowPlace, StoredFlow } from './records.js';
import { trace, traces } from './tracing.js';
import { type End, type TransitionName, endOf, maxRefusedBodies, transitions } from './transitions.js';
import type { Verdict } from '../types/trust.js';
import type { Way } from '../types/ways.js';
import { sha256 } from '../internal/sha256.js';
import { supportCodeOf } from '../internal/support-code.js';
import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { receiptFor } from '../service/receipt.js';

/**
 * Handles one delivery of a callback: read, check, lease, hook, swap. Every delivery may be repeated, and two may
 * arrive at once, here or in another process; the one that loses a swap reads again and finds what the winner left.
 */
export async function handleCallback(deps: FlowDeps, received: Received): Promise<End> {
  const { state } = received;
  if (!isSecret(state)) {
    const error = new IdentityError('callback_malformed', { message: 'The state is not one of ours.' });
    return endOf('state_malformed', { error });
  }
  const place = deps.records.placeOf(state);
  return await trace(traces.callback, () => deliver(deps, received, place), place.id);
}

async function deliver(deps: FlowDeps, received: Received, place: FlowPlace): Promise<End> {
  let verdict: CallbackVerdict | undefined;
  for (;;) {
    const stored = await deps.records.read(place);
    // What a service sends is nothing for a flow that wallets are asked for, and the other way round.
    const isItsRoad = (stored?.record.wallets === undefined) === (received.way === undefined);
    if (stored === undefined || !isItsRoad) return closedFlowReply(deps, received);
    const settled = replayReply(deps, stored, received);
    if (settled !== undefined) return settled;
    if (isLeased(deps, stored.record)) {
      if (await waitForLease(deps, stored)) continue;
      return endOf('lease_held');
    }
    const callback = received.open(stored.record.wallets);
    if (callback instanceof IdentityError) {
      emitEvent(deps, 'callback_malformed', aboutFlow(stored), callback);
      return endOf('callback_malformed', { error: callback });
    }
    verdict ??= await verdictOn(deps, stored, callback, received.audience);
    const delivery =
      verdict.kind === 'accepted'
        ? await accept(deps, { received, stored, result: verdict.result }, verdict.presentation)
        : await refuse(deps, received, stored, verdict);
    if (delivery !== undefined) return delivery;
  }
}

/** What needs no check: a body already answered, and a flow that takes no more bodies. */
function replayReply(deps: FlowDeps, stored: StoredFlow, received: Received): End | undefined {
  const { status, origin, answered } = stored.record;
  const known = answered.find((one) => one.body === bodyOf(received));
  if (known !== undefined) return replied('body_known', received, origin, known.to);
  return status === 'pending' ? undefined : closedFlowReply(deps, received, stored);
}

/** By what a body is known again: the same text, judged for another audience, is another body. */
const bodyOf = ({ digest, audience }: Received): string =>
  audience === undefined ? digest : sha256([digest, ...audience].join(' '));

/** The one reply for all that is over, unknown or not for this body: it tells nothing of which. */
function closedFlowReply(deps: FlowDeps, received: Received, stored?: StoredFlow): End {
  const error = new IdentityError('state_unknown');
  emitEvent(deps, 'closed', stored === undefined ? {} : aboutFlow(stored), error);
  if (received.way !== undefined) return endOf('closed');
  return replied('closed', received, deps.origins[0], errorAddress(deps, error));
}

/**
 * The service, or the wallet, hears where to send the browser, and nothing of why. A wallet that has read a code is on
 * another device: it hears nothing, and the page that shows the code goes there. So does the page to which the browser has
 * brought the answer.
 */
const replied = (transition: TransitionName, { way }: Received, origin: string, to: string): End =>
  endOf(transition, way === undefined || way === 'link' ? { location: `${origin}${to}` } : {});

/** There is no verdict, or none that lasts: a service sends the same again, and a wallet must be told. */
const unsettled = (
  transition: TransitionName,
  received: Received,
  { error, origin, to }: { readonly error: IdentityError; readonly origin: string; readonly to: string },
): End =>
  received.way === undefined ? replied(transition, received, origin, to) : endOf(transition, { error });

/** What a callback's body turned out to be. `open` is no verdict: the next delivery may bring one. */
type CallbackVerdict =
  | { readonly kind: 'accepted'; readonly result: FlowResult; readonly presentation: string }
  | { readonly kind: 'refused' | 'open'; readonly error: IdentityError };

/** Checks a callback against what the flow asked for. Changes nothing. */
async function verdictOn(
  deps: FlowDeps,
  { id, record }: StoredFlow,
  callback: Callback,
  named: Received['audience'],
): Promise<CallbackVerdict> {
  if (callback.kind === 'error') return { kind: 'refused', error: deps.service.errorOf(callback.error) };
  const { issuer, question, reveal, derived, variant, startedAt, wallets } = record;
  const { state, presentation } = callback;
  const verifier = deps.verifiers.get(issuer);
  // Started under another configuration: a process that still has it (or has it already) may check it.
  if (verifier === undefined) return { kind: 'open', error: new IdentityError('key_not_found') };
  const audience = wallets && (named ?? [wallets.clientId]);
  const expected = { issuer, state, reveal, derived, variant, startedAt: new Date(startedAt), audience };
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
      if (error instanceof IdentityError && error.code === 'busy' && wallets === undefined) throw error;
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
  readonly received: Received;
  readonly stored: StoredFlow;
  readonly result: FlowResult;
}

/** Takes a good presentation: the hook of the callback, then the swap. Undefined: read again. */
async function accept(
  deps: FlowDeps,
  { received, stored, result }: Acceptance,
  presentation: string,
): Promise<End | undefined> {
  const hook = deps.confirm === 'callback' ? 'onSuccess' : 'onVerified';
  if (deps.hooks[hook] === undefined) return await settle(deps, { received, stored, result });
  // Two: where the hook fails, onError runs under the same lease.
  const leased = await takeLease(deps, stored);
  if (leased === undefined) return undefined;
  const ran = await runHook(
    deps,
    hook,
    leased,
    hook === 'onVerified' ? { result, presentation } : { result },
  );
  if (ran.kind !== 'done') return await stop(deps, received, leased, ran);
  return await settle(deps, { received, stored: leased, result }, ran.redirectTo);
}

async function settle(
  deps: FlowDeps,
  { received, stored, result }: Acceptance,
  redirectTo?: string,
): Promise<End | undefined> {
  const { transition, to, changes } =
    deps.confirm === 'callback'
      ? confirmAtOnce(deps, stored.record, redirectTo)
      : awaitReturn(deps, stored, result, redirectTo);
  const written = await replaceUnleased(
    deps,
    stored,
    ({ status: _status, outcome: _, answered, ...record }) => ({
      status: transitions[transition].to,
      answered: [...answered, { body: bodyOf(received), to }],
      ...record,
      ...changes,
      ...answeredLeg(record, received.way),
    }),
  );
  if (written === undefined) return undefined;
  emitEvent(deps, transition, aboutFlow(written));
  return replied(transition, received, stored.record.origin, to);
}

/** The hook failed or refused. */
async function stop(
  deps: FlowDeps,
  received: Received,
  stored: StoredFlow,
  { kind, error, redirectTo }: HookStop,
): Promise<End | undefined> {
  const refused = kind === 'refused';
  const transition = refused ? 'callback_hook_refused' : 'callback_hook_failed';
  await reportInCallback(deps, transition, error, aboutFlow(stored));
  const to = redirectTo ?? errorAddress(deps, error, stored.id);
  const status = transitions.callback_hook_refused.to;
  const refusal = refusalWord(deps.service, error.serviceCode);
  const { origin } = stored.record;
  const written = await replaceUnleased(deps, stored, (record) =>
    refused
      ? {
          ...record,
          status,
          ...(refusal && { refusal }),
          ...outcomeOf(deps, record, error),
          answered: [...record.answered, { body: bodyOf(received), to }],
          ...answeredLeg(record, received.way),
        }
      : {
          ...record,
          ...outcomeOf(deps, record, error),
          ...(mayRunOn(error) && { lease: stored.record.lease }),
        },
  );
  if (written === undefined) return undefined;
  return refused
    ? replied(transition, received, origin, to)
    : unsettled(transition, received, { error, origin, to });
}

/** A flow of wallets knows the way of its answer, and nothing with which another one could be opened. */
export function answeredLeg(
  { wallets }: Pick<FlowRecord, 'wallets'>,
  way?: Way,
): Pick<FlowRecord, 'wallets'> {
  if (wallets === undefined) return {};
  const { ways, clientId } = wallets;
  return { wallets: { ways, clientId, ...(way !== undefined && { way }) } };
}

/** What came of the last answer, for the page that waits for a wallet. */
const outcomeOf = (
  deps: FlowDeps,
  { wallets }: Pick<FlowRecord, 'wallets'>,
  error: IdentityError,
): Pick<FlowRecord, 'outcome'> =>
  wallets === undefined ? {} : { outcome: namedCode(deps.service, error.code) };

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
  received: Received,
  stored: StoredFlow,
  { kind, error }: CallbackVerdict & { kind: 'refused' | 'open' },
): Promise<End | undefined> {
  const { record } = stored;
  const { origin, answered } = record;
  const to = errorAddress(deps, error, stored.id);
  const about = aboutFlow(stored);
  const outcome = outcomeOf(deps, record, error);
  if (kind === 'open' || answered.length >= maxRefusedBodies) {
    // Where another write comes first, the page has other news.
    if (outcome.outcome !== record.outcome) await deps.records.replace(stored, { ...record, ...outcome });
    const transition = kind === 'open' ? 'no_verdict' : 'body_refused_past_limit';
    emitEvent(deps, transition, about, error);
    if (kind === 'open') return unsettled(transition, received, { error, origin, to });
    return replied(transition, received, origin, to);
  }
  // Remembered first: of two deliveries of one bad body, only the one that wrote it tells the app.
  const next = { ...record, ...outcome, answered: [...answered, { body: bodyOf(received), to }] };
  const written = await deps.records.replace(stored, next);
  if (written === undefined) return undefined;
  await reportInCallback(deps, 'body_refused', error, about);
  return replied('body_refused', received, origin, to);
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

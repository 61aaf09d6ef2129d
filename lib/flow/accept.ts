import type { IdentityError } from '../errors.js';
import type { Delivery } from './answer.js';
import { type HookOutcome, errorAddress, report, runHook } from './hooks.js';
import type { FlowKit, FlowResult, HookArgs } from './kit.js';
import { isLeased, takeLease, waitForLease, writeUnderLease } from './lease.js';
import type { FlowRecord } from './record.js';
import { seal } from './seal.js';
import { newSecret, replyKey, resultKey, sha256 } from './secrets.js';
import type { Held } from './shelf.js';

/** At least this long the person has for the way back, however late the wallet was. */
const wayBackMs = 2 * 60_000;

export interface Acceptance {
  readonly state: string;
  readonly body: string;
  readonly held: Held;
  readonly result: FlowResult;
}

/** Takes a good presentation: the hooks that belong to the callback, then the swap. Undefined: read again. */
export async function accept<Req>(kit: FlowKit<Req>, acceptance: Acceptance): Promise<Delivery | undefined> {
  const { state, held } = acceptance;
  if (isLeased(kit, held.record)) {
    return (await waitForLease(kit, state, held)) ? undefined : { occasion: 'lease_held' };
  }
  const hooks = hooksOf(kit, held.record);
  if (hooks.length === 0) {
    const { next, delivery } = transition(kit, acceptance);
    const written = await kit.shelf.replace(state, held, next(held.record));
    return written && settle(kit, written, delivery);
  }
  const leased = await takeLease(kit, state, held, hooks.length);
  return leased && (await runUnderLease(kit, { ...acceptance, held: leased }, hooks));
}

interface CallbackHook {
  readonly name: 'onVerified' | 'onSuccess';
  readonly run: (args: HookArgs) => unknown;
}

/** The hooks that this callback has to run; one that is known to have run is left out. */
function hooksOf<Req>(kit: FlowKit<Req>, record: FlowRecord): CallbackHook[] {
  const { onVerified, onSuccess } = kit.hooks;
  const hooks: CallbackHook[] = [];
  if (onVerified !== undefined && record.hookDone === undefined) {
    hooks.push({ name: 'onVerified', run: onVerified });
  }
  if (onSuccess !== undefined && kit.confirm === 'callback') {
    hooks.push({ name: 'onSuccess', run: onSuccess as (args: HookArgs) => unknown });
  }
  return hooks;
}

async function runUnderLease<Req>(
  kit: FlowKit<Req>,
  acceptance: Acceptance,
  hooks: readonly CallbackHook[],
): Promise<Delivery | undefined> {
  const { state, held, result } = acceptance;
  const { origin, context } = held.record;
  let done: Partial<FlowRecord> = {};
  for (const { name, run } of hooks) {
    const outcome = await runHook(kit.hookTimeout, origin, (signal) => run({ result, context, signal }));
    if (outcome.kind !== 'done') return await unwind(kit, acceptance, done, outcome);
    done = { ...done, ...(outcome.redirectTo !== undefined && { redirectTo: outcome.redirectTo }) };
    if (name === 'onVerified') done = { ...done, hookDone: true };
  }
  const { redirectTo } = { ...held.record, ...done };
  const { next, delivery } = transition(kit, acceptance, redirectTo);
  const written = await writeUnderLease(kit, state, held, next);
  return written && settle(kit, written, delivery);
}

/** A hook failed or refused: the lease goes back, and what an earlier hook already did is kept. */
async function unwind<Req>(
  kit: FlowKit<Req>,
  { state, body, held, result }: Acceptance,
  done: Partial<FlowRecord>,
  outcome: HookOutcome & { error: IdentityError },
): Promise<Delivery> {
  const { origin, request, context } = held.record;
  const { error } = outcome;
  const about = { flow: held.id, request: result.request, origin, context };
  const failed = outcome.kind === 'failed';
  const occasion = failed ? 'callback_hook_failed' : 'callback_hook_refused';
  const chosen = failed ? undefined : outcome.redirectTo;
  const asked = await report(kit, occasion, error, { ...about, request });
  const to = asked ?? chosen ?? errorAddress(kit, error.code);
  await writeUnderLease(kit, state, held, (record) =>
    failed
      ? { ...record, ...done }
      : { ...record, status: 'failed', refused: [...record.refused, { body, to }] },
  );
  return { occasion, redirectUri: `${origin}${to}` };
}

interface Transition {
  readonly next: (record: FlowRecord) => FlowRecord;
  readonly delivery: Delivery & { redirectUri: string };
}

/** The record after this body was accepted, and the reply that goes with it. */
function transition<Req>(
  kit: FlowKit<Req>,
  { state, body, held, result }: Acceptance,
  redirectTo?: string,
): Transition {
  const { origin, returnTo, request } = held.record;
  const sealReply = (redirectUri: string): string => seal(replyKey(state, body), held.id, redirectUri);
  if (kit.confirm === 'callback') {
    const to = redirectTo ?? returnTo ?? kit.successRedirectOf(request);
    const redirectUri = `${origin}${to}`;
    const reply = sealReply(redirectUri);
    return {
      next: ({ hookDone: _done, ...record }) => ({ ...record, status: 'confirmed', reply }),
      delivery: { occasion: 'succeeded', redirectUri },
    };
  }
  const secret = newSecret();
  const redirectUri = `${origin}${kit.returnPath}?code=${held.id}.${secret}`;
  const sealed = {
    reply: sealReply(redirectUri),
    result: seal(resultKey(secret), held.id, JSON.stringify(result)),
    code: sha256(secret),
  };
  const expiresAt = Math.max(held.record.expiresAt, result.verifiedAt.getTime() + wayBackMs);
  return {
    next: ({ hookDone: _done, ...record }) => ({
      ...record,
      ...sealed,
      ...(redirectTo !== undefined && { redirectTo }),
      status: 'verified',
      expiresAt,
    }),
    delivery: { occasion: 'verified', redirectUri },
  };
}

function settle<Req>(kit: FlowKit<Req>, { id, record }: Held, delivery: Delivery): Delivery {
  const about = { flow: id, request: record.request };
  kit.emit({ type: 'flow.verified', ...about });
  if (delivery.occasion === 'succeeded') kit.emit({ type: 'flow.confirmed', ...about });
  return delivery;
}

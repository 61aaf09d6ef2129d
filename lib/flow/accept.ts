import type { IdentityError } from '../errors.js';
import type { Replied } from './delivery.js';
import { type HookOutcome, announce, errorAddress, report, runHook } from './hooks.js';
import type { FlowKit, FlowResult, HookArgs } from './deps.js';
import { takeLease, withoutLease, writeUnderLease } from './lease.js';
import { life } from './transitions.js';
import type { FlowRecord } from './record.js';
import { seal } from './seal.js';
import { newSecret, replyKey, resultKey, sha256 } from './secrets.js';
import type { Held } from './records.js';

/** At least this long the person has for the way back, however late the wallet was. */
const wayBackMs = 2 * 60_000;

export interface Acceptance {
  readonly state: string;
  readonly body: string;
  readonly held: Held;
  readonly result: FlowResult;
}

/** Takes a good presentation: the hooks that belong to the callback, then the swap. Undefined: read again. */
export async function accept<Req>(kit: FlowKit<Req>, acceptance: Acceptance): Promise<Replied | undefined> {
  const { state, held } = acceptance;
  const hooks = hooksOf(kit, held.record);
  if (hooks.length === 0) {
    const { next, reply } = transition(kit, acceptance);
    const written = await kit.shelf.replace(state, held, next(withoutLease(held.record)));
    return written && settle(kit, written, reply);
  }
  // One more than the hooks: where the last of them fails, onError runs under the same lease.
  const leased = await takeLease(kit, state, held, hooks.length + 1);
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
    hooks.push({ name: 'onSuccess', run: onSuccess });
  }
  return hooks;
}

async function runUnderLease<Req>(
  kit: FlowKit<Req>,
  acceptance: Acceptance,
  hooks: readonly CallbackHook[],
): Promise<Replied | undefined> {
  const { state, held, result } = acceptance;
  const { origin, context } = held.record;
  let done: Pick<FlowRecord, 'redirectTo' | 'hookDone'> = {};
  for (const { name, run } of hooks) {
    const outcome = await runHook(kit.hookTimeout, origin, (signal) => run({ result, context, signal }));
    if (outcome.kind !== 'done') return await unwind(kit, acceptance, done, outcome);
    if (name === 'onVerified') done = { ...done, hookDone: true };
    if (outcome.redirectTo !== undefined) done = { ...done, redirectTo: outcome.redirectTo };
  }
  const { next, reply } = transition(kit, acceptance, done.redirectTo);
  const written = await writeUnderLease(kit, state, held, next);
  return written && settle(kit, written, reply);
}

/** A hook failed or refused: the lease goes back, and what an earlier hook already did is kept. */
async function unwind<Req>(
  kit: FlowKit<Req>,
  { state, body, held }: Acceptance,
  done: Pick<FlowRecord, 'redirectTo' | 'hookDone'>,
  outcome: HookOutcome & { error: IdentityError },
): Promise<Replied | undefined> {
  const { origin, request, context } = held.record;
  const { error } = outcome;
  const refused = outcome.kind === 'refused';
  const occasion = refused ? 'callback_hook_refused' : 'callback_hook_failed';
  const asked = await report(kit, occasion, error, { flow: held.id, request, origin, context });
  const to = asked ?? (refused ? outcome.redirectTo : undefined) ?? errorAddress(kit, error.code);
  const written = await writeUnderLease(kit, state, held, (record) =>
    refused
      ? { ...record, status: life.callback_hook_refused.to, refused: [...record.refused, { body, to }] }
      : { ...record, ...done },
  );
  return written && { occasion, redirectUri: `${origin}${to}` };
}

interface Transition {
  readonly next: (record: FlowRecord) => FlowRecord;
  readonly reply: Replied;
}

/** The record after this body was accepted, and the reply that goes with it. */
function transition<Req>(kit: FlowKit<Req>, acceptance: Acceptance, redirectTo?: string): Transition {
  const { state, body, held, result } = acceptance;
  const { origin, returnTo, request } = held.record;
  const sealReply = (redirectUri: string): string => seal(replyKey(state, body), held.id, redirectUri);
  if (kit.confirm === 'callback') {
    const to = redirectTo ?? held.record.redirectTo ?? returnTo ?? kit.successRedirectOf(request);
    const redirectUri = `${origin}${to}`;
    const reply = sealReply(redirectUri);
    return {
      next: ({ hookDone: _done, ...record }) => ({ ...record, status: life.succeeded.to, reply }),
      reply: { occasion: 'succeeded', redirectUri },
    };
  }
  const secret = newSecret();
  const redirectUri = `${origin}${kit.returnPath}?code=${held.id}.${secret}`;
  const sealed = {
    reply: sealReply(redirectUri),
    result: seal(resultKey(secret), held.id, JSON.stringify(result)),
    code: sha256(secret),
  };
  return {
    next: ({ hookDone: _done, ...record }) => ({
      ...record,
      ...sealed,
      ...(redirectTo !== undefined && { redirectTo }),
      status: life.verified.to,
      expiresAt: Math.max(record.expiresAt, kit.clock().getTime() + wayBackMs),
    }),
    reply: { occasion: 'verified', redirectUri },
  };
}

function settle<Req>(kit: FlowKit<Req>, { id, record }: Held, reply: Replied): Replied {
  announce(kit, reply.occasion, { flow: id, request: record.request });
  return reply;
}

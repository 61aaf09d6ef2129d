import { IdentityError } from '../errors.js';
import type { Callback } from '../service/contract.js';
import { accept } from './accept.js';
import type { Delivery, Replied } from './delivery.js';
import { emitEvent, errorAddress } from './hooks.js';
import { type CallbackVerdict, verdictOn } from './verdict.js';
import type { FlowDeps } from './context.js';
import { isLeased, waitForLease } from './lease.js';
import { refuse } from './refuse.js';
import { open } from './encryption.js';
import { isSecret, replyKey, sha256 } from './secrets.js';
import type { FlowPlace, StoredFlow } from './records.js';
import { trace, traces } from './tracing.js';

/**
 * Handles one delivery of a callback: read, check, claim, hook, swap. Every delivery may be repeated, and two may
 * arrive at once, here or in another process; whoever loses a swap reads again and finds what the winner left.
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
    if (stored === undefined || stored === 'burnt') return closedFlowReply(deps);
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
        : await refuse(deps, { body, stored, verdict });
    if (delivery !== undefined) return delivery;
    lost = stored;
  }
}

/** What needs no check: a body already answered, and a flow that takes no more bodies. */
function replayReply(deps: FlowDeps, stored: StoredFlow, state: string, body: string): Replied | undefined {
  const { status, origin, refused, reply } = stored.record;
  const known = refused.find((it) => it.body === body);
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
  emitEvent(
    deps,
    'closed',
    stored === undefined ? {} : { flow: stored.id, request: stored.record.request },
    error,
  );
  return { transition: 'closed', redirectUri: `${deps.origins[0]}${errorAddress(deps, error)}` };
}

/** A digest of the parameters, not of the bytes: the same callback encoded another way is the same callback. */
function bodyDigest(callback: Callback): string {
  const { kind, state } = callback;
  const values = kind === 'error' ? [callback.error, callback.errorDescription] : [callback.presentation];
  return sha256(JSON.stringify([kind, state, ...values]));
}

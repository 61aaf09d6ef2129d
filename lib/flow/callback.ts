import { IdentityError } from '../errors.js';
import type { Callback } from '../protocol/callback.js';
import { accept } from './accept.js';
import type { Delivery, Replied } from './delivery.js';
import { announce, errorAddress } from './hooks.js';
import { judge, type Judgement } from './verdict.js';
import type { FlowKit } from './deps.js';
import { checkMoved, isLeased, waitForLease } from './lease.js';
import { refuse } from './refuse.js';
import { open } from './seal.js';
import { isSecret, replyKey, sha256 } from './secrets.js';
import type { Held } from './records.js';

/**
 * Answers one delivery of a callback: read, judge, claim, hook, swap. Every delivery may be repeated, and two may
 * arrive at once, here or in another process; whoever loses a swap reads again and finds what the winner left.
 */
export async function answer<Req>(kit: FlowKit<Req>, callback: Callback): Promise<Delivery> {
  const { state } = callback;
  if (!isSecret(state)) {
    throw new IdentityError('callback_malformed', { message: 'The state is not one of ours.' });
  }
  const body = bodyDigest(callback);
  let judgement: Judgement | undefined;
  let lost: Held | undefined;
  for (;;) {
    const held = await kit.shelf.read(state);
    if (held === undefined || held === 'burnt') return closed(kit);
    const settled = settledBefore(kit, held, state, body);
    if (settled !== undefined) return settled;
    if (isLeased(kit, held.record)) {
      if (await waitForLease(kit, state, held)) continue;
      return { occasion: 'lease_held', error: new IdentityError('busy') };
    }
    if (lost !== undefined) checkMoved(lost, held);
    judgement ??= await judge(kit, held.record, callback);
    const delivery =
      judgement.kind === 'accepted'
        ? await accept(kit, { state, body, held, result: judgement.result })
        : await refuse(kit, { state, body, held, judgement });
    if (delivery !== undefined) return delivery;
    lost = held;
  }
}

/** What needs no judgement: a body already answered, and a flow that takes no more bodies. */
function settledBefore<Req>(kit: FlowKit<Req>, held: Held, state: string, body: string): Replied | undefined {
  const { status, origin, refused, reply } = held.record;
  const known = refused.find((it) => it.body === body);
  if (known !== undefined) return { occasion: 'body_known', redirectUri: `${origin}${known.to}` };
  if (status === 'pending') return undefined;
  const redirectUri = reply === undefined ? undefined : open(replyKey(state, body), held.id, reply);
  return redirectUri === undefined ? closed(kit, held) : { occasion: 'body_known', redirectUri };
}

/** The one reply for all that is over, unknown or not for this body: it tells nothing of which. */
function closed<Req>(kit: FlowKit<Req>, held?: Held): Replied {
  const error = new IdentityError('state_unknown');
  announce(kit, 'closed', held === undefined ? {} : { flow: held.id, request: held.record.request }, error);
  return { occasion: 'closed', redirectUri: `${kit.origins[0]}${errorAddress(kit, error.code)}` };
}

/** A digest of the parameters, not of the bytes: the same callback encoded another way is the same callback. */
function bodyDigest(callback: Callback): string {
  const { kind, state } = callback;
  const values = kind === 'error' ? [callback.error, callback.errorDescription] : [callback.presentation];
  return sha256(JSON.stringify([kind, state, ...values]));
}

import { IdentityError } from '../errors.js';
import type { Callback } from '../protocol/callback.js';
import { accept } from './accept.js';
import { errorAddress, report } from './hooks.js';
import { judge, type Judgement } from './judge.js';
import type { FlowKit } from './kit.js';
import type { Occasion } from './life.js';
import { open } from './seal.js';
import { isSecret, replyKey, sha256 } from './secrets.js';
import type { Held } from './shelf.js';

/** How a delivery ended: what to answer (see the table in life.ts), with which address. */
export interface Delivery {
  readonly occasion: Occasion;
  /** Where the service is to send the browser; absent where it must come back later. */
  readonly redirectUri?: string;
}

/** How many refused bodies of a flow are remembered and told to `onError`. */
const refusedLimit = 5;

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
  for (;;) {
    const held = await kit.shelf.read(state);
    const settled = settledBefore(kit, held, state, body);
    if (settled !== undefined || held === undefined || held === 'burnt') return settled ?? closed(kit);
    judgement ??= await judge(kit, held.record, callback);
    const delivery =
      judgement.kind === 'accepted'
        ? await accept(kit, { state, body, held, result: judgement.result })
        : await refuse(kit, { state, body, held, judgement });
    if (delivery !== undefined) return delivery;
  }
}

/** What needs no judgement: a body already answered, and a flow that takes no more bodies. */
function settledBefore<Req>(
  kit: FlowKit<Req>,
  held: Held | 'burnt' | undefined,
  state: string,
  body: string,
): Delivery | undefined {
  if (held === undefined || held === 'burnt') return closed(kit);
  const { status, origin, refused, reply } = held.record;
  const known = refused.find((it) => it.body === body);
  if (known !== undefined) return { occasion: 'body_known', redirectUri: `${origin}${known.to}` };
  if (status === 'pending') return undefined;
  const redirectUri = reply && open(replyKey(state, body), held.id, reply);
  return redirectUri ? { occasion: 'body_known', redirectUri } : closed(kit, held);
}

/** The one reply for all that is over, unknown or not for this body: it tells nothing of which. */
function closed<Req>(kit: FlowKit<Req>, held?: Held): Delivery {
  const about = held === undefined ? {} : { flow: held.id, request: held.record.request };
  kit.emit({ type: 'callback.unknown', ...about, code: 'state_unknown' });
  return { occasion: 'closed', redirectUri: `${kit.origins[0]}${errorAddress(kit, 'state_unknown')}` };
}

interface Refusal {
  readonly state: string;
  readonly body: string;
  readonly held: Held;
  readonly judgement: Judgement & { kind: 'refused' | 'open' };
}

/** A bad body never ends a flow: the first few are remembered, each told to the app once. */
async function refuse<Req>(
  kit: FlowKit<Req>,
  { state, body, held, judgement }: Refusal,
): Promise<Delivery | undefined> {
  const { error } = judgement;
  const { origin, request, context, refused } = held.record;
  const about = { flow: held.id, request, origin, context };
  const to = errorAddress(kit, error.code);
  const redirectUri = `${origin}${to}`;
  if (judgement.kind === 'open') {
    const redirectTo = await report(kit, 'no_verdict', error, about);
    return { occasion: 'no_verdict', redirectUri: `${origin}${redirectTo ?? to}` };
  }
  if (refused.length >= refusedLimit) {
    await report(kit, 'body_refused_past_limit', error, about);
    return { occasion: 'body_refused_past_limit', redirectUri };
  }
  const written = await kit.shelf.replace(state, held, {
    ...held.record,
    refused: [...refused, { body, to }],
  });
  if (written === undefined) return undefined;
  const redirectTo = await report(kit, 'body_refused', error, about);
  if (redirectTo === undefined) return { occasion: 'body_refused', redirectUri };
  await sendElsewhere(kit, state, body, redirectTo);
  return { occasion: 'body_refused', redirectUri: `${origin}${redirectTo}` };
}

/** The app chose another page for a refused body: the same body must get the same reply from now on. */
async function sendElsewhere<Req>(kit: FlowKit<Req>, state: string, body: string, to: string): Promise<void> {
  for (;;) {
    const held = await kit.shelf.read(state);
    if (held === undefined || held === 'burnt') return;
    const refused = held.record.refused.map((it) => (it.body === body ? { body, to } : it));
    if ((await kit.shelf.replace(state, held, { ...held.record, refused })) !== undefined) return;
  }
}

/** A digest of the parameters, not of the bytes: the same callback encoded another way is the same callback. */
function bodyDigest(callback: Callback): string {
  const { kind, state } = callback;
  const values = kind === 'error' ? [callback.error, callback.errorDescription] : [callback.presentation];
  return sha256(JSON.stringify([kind, state, ...values]));
}

import type { Replied } from './delivery.js';
import { errorAddress, report } from './hooks.js';
import type { Judgement } from './verdict.js';
import type { FlowKit } from './deps.js';
import { rewrite } from './lease.js';
import type { Held } from './records.js';

/** How many refused bodies of a flow are remembered and told to `onError`. */
const refusedLimit = 5;

interface Refusal {
  readonly state: string;
  readonly body: string;
  readonly held: Held;
  readonly judgement: Judgement & { kind: 'refused' | 'open' };
}

/** A bad body never ends a flow: the first few are remembered, each told to the app once. Undefined: read again. */
export async function refuse<Req>(kit: FlowKit<Req>, refusal: Refusal): Promise<Replied | undefined> {
  const { state, body, held, judgement } = refusal;
  const { error } = judgement;
  const { origin, request, context, refused } = held.record;
  const about = { flow: held.id, request, origin, context };
  const to = errorAddress(kit, error.code);
  if (judgement.kind === 'open') {
    const redirectTo = await report(kit, 'no_verdict', error, about);
    return { occasion: 'no_verdict', redirectUri: `${origin}${redirectTo ?? to}` };
  }
  if (refused.length >= refusedLimit) {
    await report(kit, 'body_refused_past_limit', error, about);
    return { occasion: 'body_refused_past_limit', redirectUri: `${origin}${to}` };
  }
  // Remembered first: of two deliveries of one bad body, only the one that wrote it tells the app.
  const written = await kit.shelf.replace(state, held, {
    ...held.record,
    refused: [...refused, { body, to }],
  });
  if (written === undefined) return undefined;
  const redirectTo = await report(kit, 'body_refused', error, about);
  if (redirectTo !== undefined) await sendElsewhere(kit, state, written, body, redirectTo);
  return { occasion: 'body_refused', redirectUri: `${origin}${redirectTo ?? to}` };
}

/** The app chose another page for a refused body: the same body must get the same reply from now on. */
async function sendElsewhere<Req>(
  kit: FlowKit<Req>,
  state: string,
  written: Held,
  body: string,
  to: string,
): Promise<void> {
  await rewrite(kit, state, written, (record) => ({
    ...record,
    refused: record.refused.map((it) => (it.body === body ? { body, to } : it)),
  }));
}

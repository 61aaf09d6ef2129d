import type { Replied } from './delivery.js';
import { errorAddress, reportError } from './hooks.js';
import type { CallbackVerdict } from './verdict.js';
import type { FlowDeps } from './context.js';
import { rewrite } from './lease.js';
import type { StoredFlow } from './records.js';

/** How many refused bodies of a flow are remembered and told to `onError`. */
const refusedLimit = 5;

interface Refusal {
  readonly body: string;
  readonly stored: StoredFlow;
  readonly verdict: CallbackVerdict & { kind: 'refused' | 'open' };
}

/** A bad body never ends a flow: the first few are remembered, each told to the app once. Undefined: read again. */
export async function refuse(deps: FlowDeps, refusal: Refusal): Promise<Replied | undefined> {
  const { body, stored, verdict } = refusal;
  const { error } = verdict;
  const { origin, request, context, refused } = stored.record;
  const about = { flow: stored.id, request, origin, context };
  const to = errorAddress(deps, error);
  if (verdict.kind === 'open') {
    const redirectTo = await reportError(deps, 'no_verdict', error, about);
    return { transition: 'no_verdict', redirectUri: `${origin}${redirectTo ?? to}` };
  }
  if (refused.length >= refusedLimit) {
    await reportError(deps, 'body_refused_past_limit', error, about);
    return { transition: 'body_refused_past_limit', redirectUri: `${origin}${to}` };
  }
  // Remembered first: of two deliveries of one bad body, only the one that wrote it tells the app.
  const written = await deps.records.replace(stored, {
    ...stored.record,
    refused: [...refused, { body, to }],
  });
  if (written === undefined) return undefined;
  const redirectTo = await reportError(deps, 'body_refused', error, about);
  if (redirectTo !== undefined) await sendElsewhere(deps, written, body, redirectTo);
  return { transition: 'body_refused', redirectUri: `${origin}${redirectTo ?? to}` };
}

/** The app chose another page for a refused body: the same body must get the same reply from now on. */
async function sendElsewhere(deps: FlowDeps, written: StoredFlow, body: string, to: string): Promise<void> {
  await rewrite(deps, written, (record) => ({
    ...record,
    refused: record.refused.map((it) => (it.body === body ? { body, to } : it)),
  }));
}

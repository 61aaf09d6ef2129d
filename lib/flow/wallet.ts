import { IdentityError } from '../errors.js';
import { answeredLeg } from './callback.js';
import type { FlowDeps } from './context.js';
import { aboutFlow, emitEvent, reportError, toIdentityError } from './hooks.js';
import { isLeased, replaceUnleased } from './lease.js';
import { findFlow, type StoredFlow } from './records.js';
import { flowIdOf } from './secrets.js';
import { trace, traces } from './tracing.js';
import { type End, endOf, transitions } from './transitions.js';
import type { Way } from '../types/ways.js';

// What an app that asks wallets itself does with a flow besides its callback.

type Requested = End & { readonly request?: string };

/**
 * Makes the request that a wallet fetches, by `sign`, where the flow waits for an answer and allows this way. It may be
 * fetched again: nothing is written, and anyone who has seen a code can ask.
 */
export async function requestOf(
  deps: FlowDeps,
  { state, way }: { readonly state: string; readonly way: Way },
  sign: (stored: StoredFlow) => Promise<string>,
): Promise<Requested> {
  const stored = await findFlow(deps, flowIdOf(state, deps.path));
  if (stored?.record.status !== 'pending' || stored.record.wallets?.ways.includes(way) !== true) {
    return endOf('request_unknown');
  }
  const end = await signedFor(deps, stored, sign);
  if (end.request !== undefined) emitEvent(deps, 'requested', { ...aboutFlow(stored), way });
  return end;
}

/** Makes the request by itself. In the page of whoever started it stands for the browser, and no wallet has it by then. */
export async function signedFor(
  deps: FlowDeps,
  stored: StoredFlow,
  sign: (stored: StoredFlow) => Promise<string>,
): Promise<Requested> {
  const work = async (): Promise<Requested> => {
    try {
      return {
        ...endOf('requested'),
        request: await deps.concurrentRequests.run(async () => await sign(stored)),
      };
    } catch (cause) {
      const error = toIdentityError(cause);
      deps.log.fault(error, aboutFlow(stored));
      return endOf('request_unavailable', { error });
    }
  };
  return await trace(traces.request, work, stored.id, stored.record.question);
}

/** The person cancels on the page that waits. An answer that came first wins, and so does a hook that runs. */
export async function cancelFlow(deps: FlowDeps, found: StoredFlow): Promise<void> {
  for (
    let stored: StoredFlow | undefined = found;
    stored !== undefined;
    stored = await deps.records.read(stored)
  ) {
    if (stored.record.status !== 'pending' || isLeased(deps, stored.record)) return;
    const error = new IdentityError(transitions.cancelled.code);
    const written = await replaceUnleased(deps, stored, (record) => ({
      ...record,
      status: transitions.cancelled.to,
      outcome: error.code,
      ...answeredLeg(record),
    }));
    if (written === undefined) continue;
    await reportError(deps, 'cancelled', error, aboutFlow(written));
    return;
  }
}

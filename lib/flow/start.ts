import { IdentityError } from '../errors.js';
import { emitEvent, reportError } from './hooks.js';
import type { FlowDeps, RequestPlan } from './context.js';
import type { FlowRecord } from './record.js';
import type { FlowPlace } from './records.js';
import { newSecret } from './secrets.js';
import { trace, traces } from './tracing.js';

/** What a start needs to know, as plain values. */
export interface StartInput extends Pick<
  FlowRecord,
  'origin' | 'returnTo' | 'reason' | 'subject' | 'context'
> {
  readonly plan: RequestPlan;
  readonly sameDevice: boolean;
}

/** What the session must remember so that only it can end the flow. */
export interface FlowEntry extends Pick<FlowRecord, 'request' | 'expiresAt' | 'returnTo' | 'reason'> {
  readonly id: string;
  readonly state: string;
}

export type AddToSession = (entry: FlowEntry) => Promise<void>;

/** A start that failed: the error, and where `onError` wants the browser to go. */
export class StartFailed extends Error {
  readonly error: IdentityError;
  readonly redirectTo: string | undefined;
  /** True where the session was saved before the start failed. */
  readonly inSession: boolean;
  /** What a new start would be for. */
  readonly retry: Pick<FlowEntry, 'request' | 'returnTo' | 'reason'>;

  constructor(error: IdentityError, redirectTo: string | undefined, inSession: boolean, input: StartInput) {
    super(error.message);
    this.error = error;
    this.redirectTo = redirectTo;
    this.inSession = inSession;
    this.retry = { request: input.plan.name, ...pathOf(input) };
  }
}

/**
 * Begins a flow: record and session are saved before the service hears of it, and the session is not written
 * after. A flow that the service does not take leaves no record.
 */
export function startFlow(deps: FlowDeps, input: StartInput, addToSession: AddToSession) {
  const { plan, origin, context } = input;
  const state = newSecret();
  const place = deps.records.placeOf(state);
  const about = { flow: place.id, request: plan.name };
  let inSession = false;
  const addEntry = async (entry: FlowEntry): Promise<void> => {
    await addToSession(entry);
    inSession = true;
  };
  const begin = async () => {
    try {
      const record = newRecord(deps, input);
      const redirectUrl = await deps.proving.run(async () => {
        await deps.records.create(place, record);
        return await askService(deps, input, state, { ...place, record }, addEntry);
      });
      emitEvent(deps, 'started', about);
      return { flowId: place.id, redirectUrl, expiresAt: record.expiresAt };
    } catch (cause) {
      if (!(cause instanceof IdentityError)) throw cause;
      const redirectTo = await reportError(deps, 'start_failed', cause, { ...about, origin, context });
      throw new StartFailed(cause, redirectTo, inSession, input);
    }
  };
  return trace(traces.start, begin, place.id, plan.name);
}

/** A flow that the session does not know, or the service does not take, leaves no record. */
async function askService(
  deps: FlowDeps,
  { sameDevice }: StartInput,
  state: string,
  { id, key, record }: FlowPlace & { readonly record: FlowRecord },
  addToSession: AddToSession,
): Promise<string> {
  const { issuer, request, reveal, derived, expiresAt } = record;
  try {
    await addToSession({ id, state, request, expiresAt, ...pathOf(record) });
    const prove = () => deps.service.start({ issuer, reveal, derived, state, sameDevice });
    return (await trace(traces.prove, prove, id, request)).redirectUrl;
  } catch (error) {
    noteFailed(deps.failedStarts, id);
    await deps.records.remove({ id, key }).catch(() => undefined); // it expires by itself
    throw error;
  }
}

/** What the person was doing. */
function pathOf({ returnTo, reason }: Pick<FlowRecord, 'returnTo' | 'reason'>) {
  return { ...(returnTo !== undefined && { returnTo }), ...(reason !== undefined && { reason }) };
}

/**
 * The session is not written after the network call, so its entry for this flow is pruned by the next start: it must
 * not push a living one out. Few are remembered, and only here: an entry that is missed leaves by age.
 */
function noteFailed(failed: Set<string>, id: string): void {
  failed.add(id);
  const [oldest] = failed;
  if (failed.size > maxFailed && oldest !== undefined) failed.delete(oldest);
}

const maxFailed = 1_000;

function newRecord(deps: FlowDeps, input: StartInput): FlowRecord {
  const { plan, sameDevice: _sameDevice, ...more } = input;
  const { name: request, issuer, reveal, derived } = plan;
  const startedAt = deps.clock().getTime();
  return {
    ...more,
    status: 'pending',
    request,
    issuer,
    reveal,
    derived,
    question: deps.questionOf(plan),
    startedAt,
    expiresAt: startedAt + deps.flowTtl,
    refused: [],
  };
}

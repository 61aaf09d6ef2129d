import { IdentityError } from '../errors.js';
import type { Json } from '../types/json.js';
import { emitEvent, reportError } from './hooks.js';
import type { FlowDeps } from './context.js';
import type { RequestPlan } from './request-digest.js';
import type { FlowRecord } from './record.js';
import type { FlowPlace } from './records.js';
import { newSecret } from './secrets.js';
import { trace, traces } from './tracing.js';

/** What a start needs to know, as plain values. */
export interface StartInput {
  readonly plan: RequestPlan;
  readonly origin: string;
  readonly sameDevice: boolean;
  readonly returnTo?: string;
  readonly subject?: string;
  readonly context?: Json;
}

/** What the session must remember so that only it can end the flow. */
export interface FlowEntry {
  readonly id: string;
  readonly state: string;
  readonly request: string;
  readonly expiresAt: number;
  readonly returnTo?: string;
}

export interface StartedFlow {
  readonly flowId: string;
  readonly redirectUrl: string;
  readonly expiresAt: number;
}

/** A start that failed: the error, and where `onError` wants the browser to go. */
export class StartFailed extends Error {
  readonly error: IdentityError;
  readonly redirectTo: string | undefined;
  /** True where the session was saved before the start failed. */
  readonly inSession: boolean;
  /** What a new start would be for. */
  readonly retry: Pick<FlowEntry, 'request' | 'returnTo'>;

  constructor(
    error: IdentityError,
    redirectTo: string | undefined,
    inSession: boolean,
    { plan, returnTo }: StartInput,
  ) {
    super(error.message);
    this.error = error;
    this.redirectTo = redirectTo;
    this.inSession = inSession;
    this.retry = { request: plan.name, ...(returnTo !== undefined && { returnTo }) };
  }
}

/**
 * Begins a flow: record and session are saved before the service hears of it, and the session is not written
 * after. A flow that the service does not take leaves no record.
 */
export async function startFlow(
  deps: FlowDeps,
  input: StartInput,
  addToSession: (entry: FlowEntry) => Promise<void>,
): Promise<StartedFlow> {
  const state = newSecret();
  const place = deps.records.placeOf(state);
  const begin = (): Promise<StartedFlow> => beginFlow(deps, input, state, place, addToSession);
  return await trace(traces.start, begin, place.id, input.plan.name);
}

async function beginFlow(
  deps: FlowDeps,
  input: StartInput,
  state: string,
  place: FlowPlace,
  addToSession: (entry: FlowEntry) => Promise<void>,
): Promise<StartedFlow> {
  const { plan, origin, sameDevice, context } = input;
  const flowId = place.id;
  const about = { flow: flowId, request: plan.name };
  let inSession = false;
  const addEntry = async (entry: FlowEntry): Promise<void> => {
    await addToSession(entry);
    inSession = true;
  };
  try {
    deps.proving.check();
    const record = newRecord(deps, input);
    await deps.records.create(place, record);
    const redirectUrl = await askService(deps, { state, place, record, sameDevice }, addEntry);
    emitEvent(deps, 'started', about);
    return { flowId, redirectUrl, expiresAt: record.expiresAt };
  } catch (cause) {
    if (!(cause instanceof IdentityError)) throw cause;
    const redirectTo = await reportError(deps, 'start_failed', cause, { ...about, origin, context });
    throw new StartFailed(cause, redirectTo, inSession, input);
  }
}

interface Asking {
  readonly state: string;
  readonly place: FlowPlace;
  readonly record: FlowRecord;
  readonly sameDevice: boolean;
}

/** A flow that the session does not know, or the service does not take, leaves no record. */
async function askService(
  deps: FlowDeps,
  { state, place, record, sameDevice }: Asking,
  addToSession: (entry: FlowEntry) => Promise<void>,
): Promise<string> {
  const { issuer, request, reveal, derived, variant, expiresAt, returnTo } = record;
  try {
    await addToSession({
      id: place.id,
      state,
      request,
      expiresAt,
      ...(returnTo !== undefined && { returnTo }),
    });
    const asked = { issuer, revealed: reveal, state, same_device: sameDevice };
    const whole = variant === 'derived' ? { ...asked, derived } : asked;
    const prove = () => deps.client.prove(whole);
    const { redirectUrl } = await deps.proving.run(() => trace(traces.prove, prove, place.id, request));
    return redirectUrl;
  } catch (error) {
    noteFailed(deps.failedStarts, place.id);
    await deps.records.remove(place).catch(() => undefined); // it expires by itself
    throw error;
  }
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
  const { plan, origin, returnTo, subject, context } = input;
  const startedAt = deps.clock().getTime();
  return {
    status: 'pending',
    request: plan.name,
    issuer: plan.issuer,
    variant: deps.variant,
    reveal: plan.reveal,
    derived: plan.derived,
    question: deps.questionOf(plan),
    startedAt,
    expiresAt: startedAt + deps.flowTtl,
    origin,
    ...(returnTo !== undefined && { returnTo }),
    ...(subject !== undefined && { subject }),
    ...(context !== undefined && { context }),
    refused: [],
  };
}

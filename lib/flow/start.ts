import { IdentityError } from '../errors.js';
import type { Json } from '../contracts/values.js';
import { announce, report } from './hooks.js';
import type { FlowKit, RequestPlan } from './deps.js';
import type { FlowRecord } from './record.js';
import { newSecret } from './secrets.js';

/** What a start needs to know, as plain values. */
export interface Beginning {
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
}

export interface Begun {
  readonly flowId: string;
  readonly redirectUrl: string;
  readonly expiresAt: number;
}

/** A start that failed: the error, and where `onError` wants the browser to go. */
export class StartFailed extends Error {
  readonly error: IdentityError;
  readonly redirectTo: string | undefined;

  constructor(error: IdentityError, redirectTo: string | undefined) {
    super(error.message);
    this.error = error;
    this.redirectTo = redirectTo;
  }
}

/**
 * Begins a flow: record and session are saved before the service hears of it, and the session is not written
 * after. A flow that the service does not take leaves no record.
 */
export async function begin<Req>(
  kit: FlowKit<Req>,
  beginning: Beginning,
  remember: (entry: FlowEntry) => Promise<void>,
): Promise<Begun> {
  const { plan, origin, sameDevice, context } = beginning;
  const state = newSecret();
  const flowId = kit.shelf.idOf(state);
  const about = { flow: flowId, request: plan.name };
  try {
    kit.proving.check();
    const record = newRecord(kit, beginning);
    await kit.shelf.create(state, record);
    const redirectUrl = await askService(kit, state, record, sameDevice, remember);
    announce(kit, 'started', about);
    return { flowId, redirectUrl, expiresAt: record.expiresAt };
  } catch (cause) {
    if (!(cause instanceof IdentityError)) throw cause;
    throw new StartFailed(cause, await report(kit, 'start_failed', cause, { ...about, origin, context }));
  }
}

/** A flow that the session does not know, or the service does not take, leaves no record. */
async function askService<Req>(
  kit: FlowKit<Req>,
  state: string,
  { issuer, request, reveal, derived, variant, expiresAt }: FlowRecord,
  sameDevice: boolean,
  remember: (entry: FlowEntry) => Promise<void>,
): Promise<string> {
  try {
    await remember({ id: kit.shelf.idOf(state), state, request, expiresAt });
    const asked = { issuer, revealed: reveal, state, same_device: sameDevice };
    const whole = variant === 'derived' ? { ...asked, derived } : asked;
    const { redirectUrl } = await kit.proving.run(async () => await kit.client.prove(whole));
    return redirectUrl;
  } catch (error) {
    await kit.shelf.remove(state).catch(() => undefined); // it expires by itself
    throw error;
  }
}

function newRecord<Req>(kit: FlowKit<Req>, beginning: Beginning): FlowRecord {
  const { plan, origin, returnTo, subject, context } = beginning;
  const startedAt = kit.clock().getTime();
  return {
    status: 'pending',
    request: plan.name,
    issuer: kit.issuer,
    variant: kit.variant,
    reveal: plan.reveal,
    derived: plan.derived,
    startedAt,
    expiresAt: startedAt + kit.flowTtl,
    origin,
    ...(returnTo !== undefined && { returnTo }),
    ...(subject !== undefined && { subject }),
    ...(context !== undefined && { context }),
    refused: [],
  };
}

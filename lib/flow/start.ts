import { IdentityError } from '../errors.js';
import { emitEvent, reportError } from './hooks.js';
import type { Asked } from '../service/contract.js';
import type { Way } from '../types/ways.js';
import type { FlowDeps } from './context.js';
import type { Doing, FlowRecord } from './record.js';
import { newSecret } from './secrets.js';
import { trace, traces } from './tracing.js';
import { type End, Stop, endOf } from './transitions.js';

/** What a start needs to know, as plain values. */
export interface StartInput extends Pick<FlowRecord, 'origin' | 'returnTo' | 'subject' | 'context'> {
  readonly question: Asked;
  /** For a service. */
  readonly sameDevice: boolean;
  /** For wallets. */
  readonly ways: readonly Way[];
  /** The name of the reason that the start page showed: the session remembers it for a new try. */
  readonly reason?: string;
}

/** What the session remembers of the flow that it started last. */
export interface LastStart extends Pick<Doing, 'question' | 'returnTo' | 'reason'> {
  /** The flow's public name. The state stays out of the session. */
  readonly id: string;
  /** The flow's deadline. */
  readonly until: number;
}

/** Saves the session and returns a digest of its owner. What is no IdentityError ends the start untold. */
export type SaveSession = (start: LastStart) => Promise<string>;

/**
 * Begins a flow: session and record are saved, in this order, before the service hears of it, and the session is not
 * written after. A flow that the service does not take leaves no record.
 */
export async function startFlow(deps: FlowDeps, input: StartInput, saveSession: SaveSession): Promise<End> {
  const { question, origin, context, sameDevice } = input;
  const state = newSecret();
  const place = deps.records.placeOf(state);
  const about = { flow: place.id, question: question.name };
  const own = { id: place.id, question: question.name, ...pathOf(input) };
  const begin = async (): Promise<string> => {
    const startedAt = deps.clock().getTime();
    const until = startedAt + deps.flowTtl;
    const owner = await saveSession({ ...own, until });
    const record = newRecord(deps, input, { owner, startedAt, expiresAt: until });
    await deps.records.create(place, record);
    const { issuer, reveal, derived } = record;
    const prove = () => deps.service.start({ issuer, reveal, derived, state, sameDevice, origin });
    try {
      return (await trace(traces.prove, prove, place.id, question.name)).redirectUrl;
    } catch (error) {
      await deps.records.remove(place).catch(() => undefined); // it expires by itself
      throw error;
    }
  };
  const start = async (): Promise<string | End> => {
    try {
      const wallet = await deps.concurrentStarts.run(begin);
      emitEvent(deps, 'started', about);
      return wallet;
    } catch (error) {
      if (error instanceof Stop) return error.end; // nothing failed
      if (!(error instanceof IdentityError)) throw error;
      const location = await reportError(deps, 'start_failed', error, { ...about, origin, context });
      throw new Stop('start_failed', { error, own, ...(location !== undefined && { location }) });
    }
  };
  try {
    const done = await trace(traces.start, start, place.id, question.name);
    return typeof done === 'string' ? endOf('started', { own, location: done }) : done;
  } catch (stop) {
    if (stop instanceof Stop) return stop.end;
    throw stop;
  }
}

/** Where the person goes on, and why they were asked. */
function pathOf({ returnTo, reason }: Pick<StartInput, 'returnTo' | 'reason'>) {
  return { ...(returnTo !== undefined && { returnTo }), ...(reason !== undefined && { reason }) };
}

function newRecord(
  { service, log }: FlowDeps,
  { question, sameDevice: _sameDevice, reason: _reason, ways, ...more }: StartInput,
  known: Pick<FlowRecord, 'owner' | 'startedAt' | 'expiresAt'>,
): FlowRecord {
  const { name, issuer, reveal, derived } = question;
  const ofService = service.toRecord({ ways, now: known.startedAt, log });
  const asked = { question: name, issuer, reveal, derived, ...ofService };
  return { status: 'pending', answered: [], ...more, ...known, ...asked };
}

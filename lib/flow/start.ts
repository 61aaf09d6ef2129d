import { IdentityError } from '../errors.js';
import { emitEvent, reportError } from './hooks.js';
import type { FlowDeps, NamedQuestion } from './context.js';
import type { FlowRecord } from './record.js';
import { newSecret } from './secrets.js';
import { trace, traces } from './tracing.js';

/** What a start needs to know, as plain values. */
export interface StartInput extends Pick<FlowRecord, 'origin' | 'returnTo' | 'subject' | 'context'> {
  readonly question: NamedQuestion;
  readonly sameDevice: boolean;
  /** The name of the reason that the start page showed: the session remembers it for a new try. */
  readonly reason?: string;
}

/** What the session remembers of the flow that it started last. */
export interface LastStart extends Pick<StartInput, 'returnTo' | 'reason'> {
  readonly state: string;
  readonly question?: string;
  /** The flow's deadline. */
  readonly until: number;
}

/** Saves the session and returns a digest of its owner. What is no IdentityError ends the start untold. */
export type SaveSession = (start: LastStart) => Promise<string>;

/** A start that failed: the error, and where `onError` wants the browser to go. */
export class StartFailed extends Error {
  readonly error: IdentityError;
  readonly redirectTo: string | undefined;
  /** The flow that did not begin, and what a new start would be for. */
  readonly retry: Pick<LastStart, 'question' | 'returnTo' | 'reason'> & { readonly id?: string };

  constructor(error: IdentityError, redirectTo: string | undefined, input: StartInput, id: string) {
    super(error.message);
    this.error = error;
    this.redirectTo = redirectTo;
    this.retry = { id, question: input.question.name, ...pathOf(input) };
  }
}

/**
 * Begins a flow: session and record are saved, in this order, before the service hears of it, and the session is not
 * written after. A flow that the service does not take leaves no record.
 */
export function startFlow(deps: FlowDeps, input: StartInput, saveSession: SaveSession) {
  const { question, origin, context, sameDevice } = input;
  const state = newSecret();
  const place = deps.records.placeOf(state);
  const about = { flow: place.id, question: question.name };
  const begin = async () => {
    const startedAt = deps.clock().getTime();
    const until = startedAt + deps.flowTtl;
    const owner = await saveSession({ state, until, question: question.name, ...pathOf(input) });
    const record = newRecord(deps, input, { owner, startedAt, expiresAt: until });
    await deps.records.create(place, record);
    const { issuer, reveal, derived } = record;
    const prove = () => deps.service.start({ issuer, reveal, derived, state, sameDevice });
    try {
      const { redirectUrl } = await trace(traces.prove, prove, place.id, question.name);
      return { flowId: place.id, redirectUrl, expiresAt: until };
    } catch (error) {
      await deps.records.remove(place).catch(() => undefined); // it expires by itself
      throw error;
    }
  };
  const start = async () => {
    try {
      const started = await deps.concurrentStarts.run(begin);
      emitEvent(deps, 'started', about);
      return started;
    } catch (cause) {
      if (!(cause instanceof IdentityError)) throw cause;
      const redirectTo = await reportError(deps, 'start_failed', cause, { ...about, origin, context });
      throw new StartFailed(cause, redirectTo, input, place.id);
    }
  };
  return trace(traces.start, start, place.id, question.name);
}

/** What the person was doing. */
function pathOf({ returnTo, reason }: Pick<StartInput, 'returnTo' | 'reason'>) {
  return { ...(returnTo !== undefined && { returnTo }), ...(reason !== undefined && { reason }) };
}

function newRecord(
  { service }: FlowDeps,
  { question, sameDevice: _sameDevice, reason: _reason, ...more }: StartInput,
  known: Pick<FlowRecord, 'owner' | 'startedAt' | 'expiresAt'>,
): FlowRecord {
  const { name, issuer, reveal, derived } = question;
  const asked = { question: name, issuer, reveal, derived, ...service.expected };
  return { ...more, ...known, ...asked, status: 'pending', answered: [] };
}

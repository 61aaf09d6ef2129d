import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import { IdentityError, isKitErrorCode } from '../errors.js';
import { isServiceErrorCode } from '../service/prove/errors.js';
import { type TransitionName, transitions } from './transitions.js';

/** What a subscriber is told of a step: public names and codes, nothing of a person and no secret. */
interface Trace {
  /** The flow's public name. */
  readonly flow?: string;
  /** The named request. */
  readonly request?: string;
  /** Which call of the store, or which function of the app. */
  readonly operation?: Operation;
  /** How a callback or a return ended: a name of the table in transitions.ts. */
  outcome?: TransitionName;
  /** Why the step did not succeed. */
  code?: string;
}

type Operation = 'create' | 'read' | 'replace' | 'delete' | 'onVerified' | 'onSuccess' | 'onError' | 'keep';

type Traced = TracingChannel<unknown, Trace>;

const channelOf = (step: string): Traced => tracingChannel<unknown, Trace>(`pidgate:${step}`);

/** The steps whose time can be measured, with `node:diagnostics_channel`. */
export const traces = {
  start: channelOf('start'),
  prove: channelOf('prove'),
  callback: channelOf('callback'),
  verify: channelOf('verify'),
  return: channelOf('return'),
  hook: channelOf('hook'),
  store: channelOf('store'),
};

/**
 * Does a step of a flow. Without a subscriber that is all: no object is made, and the promise of the work itself is
 * returned, which is why this function is not async.
 */
export function trace<T>(
  channel: Traced,
  work: () => Promise<T>,
  flow?: string,
  request?: string,
  operation?: Operation,
): Promise<T> {
  if (!channel.hasSubscribers) return work();
  const trace = {
    ...(flow !== undefined && { flow }),
    ...(request !== undefined && { request }),
    ...(operation !== undefined && { operation }),
  };
  return publishTrace(channel, trace, work);
}

/**
 * The work given to `tracePromise` returns nothing and rejects with a mere code, because Node puts both on the object that
 * subscribers see.
 */
async function publishTrace<T>(channel: Traced, trace: Trace, work: () => Promise<T>): Promise<T> {
  let end!: () => T;
  const step = async (): Promise<void> => {
    try {
      const value = await work();
      end = () => value;
      const error = note(trace, value);
      if (error === undefined || error.status < 500) return;
    } catch (fault) {
      end = () => {
        throw fault;
      };
      // What is no error of the kit was thrown by a function of the app.
      if (note(trace, fault) === undefined) trace.code = 'hook_failed';
    }
    throw failedWith(trace.code);
  };
  await channel.tracePromise(step, trace).catch(() => undefined);
  return end();
}

/** An Error, because tools expect one: its message is the code, and it has no stack and no cause. */
function failedWith(code: string | undefined): Error {
  const error = new Error(code);
  delete error.stack;
  return error;
}

/** Notes how a step ended, and returns its error: a value that was returned or thrown is one, has one, or has none. */
function note(trace: Trace, ending: unknown): IdentityError | undefined {
  const { transition, error = ending } = (ending ?? {}) as { transition?: string; error?: unknown };
  if (transition !== undefined && isTransition(transition)) trace.outcome = transition;
  if (!(error instanceof IdentityError)) return undefined;
  const { code } = error;
  trace.code = isKitErrorCode(code) || isServiceErrorCode(code) ? code : 'service_error';
  return error;
}

function isTransition(name: string): name is TransitionName {
  return Object.hasOwn(transitions, name);
}

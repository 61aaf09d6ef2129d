import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import { IdentityError, listedCodeOf } from '../errors.js';
import { type TransitionName, transitions } from './transitions.js';

/** What a subscriber is told of a step: public names and codes, nothing of a person and no secret. */
interface Trace {
  /** The flow's public name. */
  readonly flow?: string;
  readonly question?: string;
  /** Which call of the store, or which function of the app. */
  readonly operation?: Operation;
  /** How a callback or a return ended: a name of the table in transitions.ts. */
  outcome?: TransitionName;
  /** Why the step did not succeed. */
  code?: string;
  /** The code again, where that is a fault. */
  error?: Error;
}

type Operation = 'create' | 'read' | 'replace' | 'delete' | 'onVerified' | 'onSuccess' | 'onError' | 'keep';

type Traced = TracingChannel<unknown, Trace>;

const channelOf = (step: string): Traced => tracingChannel<unknown, Trace>(`pidgate:${step}`);

/** The steps whose time can be measured, with `node:diagnostics_channel`. */
export const traces = {
  start: channelOf('start'),
  prove: channelOf('prove'),
  request: channelOf('request'),
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
  question?: string,
  operation?: Operation,
): Promise<T> {
  if (!channel.hasSubscribers) return work();
  const trace = {
    ...(flow !== undefined && { flow }),
    ...(question !== undefined && { question }),
    ...(operation !== undefined && { operation }),
  };
  return publishTrace(channel, trace, work);
}

/** As `tracePromise` of Node, but subscribers see neither what the work returns nor what it throws. */
async function publishTrace<T>(channel: Traced, trace: Trace, work: () => Promise<T>): Promise<T> {
  const publishEnd = (isFault: boolean): void => {
    if (isFault) {
      // An Error, because tools expect one; its message is the code, and it has no stack and no cause.
      trace.error = new Error(trace.code);
      delete trace.error.stack;
      channel.error.publish(trace);
    }
    channel.asyncStart.publish(trace);
    channel.asyncEnd.publish(trace);
  };
  const running = channel.start.runStores(trace, work);
  channel.end.publish(trace);
  try {
    const value = await running;
    publishEnd((note(trace, value)?.status ?? 0) >= 500);
    return value;
  } catch (fault) {
    // What is no error of the kit was thrown by a function of the app.
    if (note(trace, fault) === undefined) trace.code = 'hook_failed';
    publishEnd(true);
    throw fault;
  }
}

/** Notes how a step ended, and returns its error: a value that was returned or thrown is one, has one, or has none. */
function note(trace: Trace, ending: unknown): IdentityError | undefined {
  const { transition, error = ending } = (ending ?? {}) as { transition?: PropertyKey; error?: unknown };
  if (transition !== undefined && Object.hasOwn(transitions, transition)) {
    trace.outcome = transition as TransitionName;
  }
  if (!(error instanceof IdentityError)) return undefined;
  trace.code = listedCodeOf(error);
  return error;
}

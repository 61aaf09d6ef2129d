import type { AppRequest } from '../../options/options.js';
import { type IdentityError, kitError } from '../../errors.js';

// A hook that ran past its time may go on. Until its request ends, that has a session which belongs to no store.

/** The requests whose hook was late, each with the sentence that it is told. */
const lateRequests = new WeakMap<AppRequest, string>();

/**
 * From now on, what this request does with its session reaches no store. What is written can be read again, because
 * passport sets a member of a member; what has a callback is told by that, and nothing throws that an access log reads.
 */
export function disarmSession(req: AppRequest, sentence: string): void {
  lateRequests.set(req, sentence);
  const { session: held } = req as { session?: unknown };
  if (typeof held === 'object' && held !== null) refuseCalls(held, sentence);
  const inert = Object.create({ cookie: {}, touch: returnThis, resetMaxAge: returnThis }) as object;
  refuseCalls(inert, sentence);
  const property = { set: () => {}, configurable: true, enumerable: true };
  Object.defineProperty(req, 'session', { ...property, get: () => inert });
  // What has no id is neither saved nor touched by express-session, and no cookie is set for it.
  Object.defineProperty(req, 'sessionID', { ...property, get: () => undefined });
}

function refuseCalls(session: object, sentence: string): void {
  const refuse = (done?: unknown): void => {
    const error = kitError('hook_timeout', { message: sentence });
    if (typeof done !== 'function') throw error;
    setImmediate(done as (failed: IdentityError) => void, error);
  };
  for (const name of ['save', 'regenerate', 'reload', 'destroy']) {
    Object.defineProperty(session, name, { value: refuse, configurable: true, writable: true });
  }
}

function returnThis(this: unknown): unknown {
  return this;
}

export const isLate = (req: AppRequest): boolean => lateRequests.has(req);

/** Throws where the hook of this request was late: nothing of it is written any more. */
export function refuseLate(req: AppRequest): void {
  const sentence = lateRequests.get(req);
  if (sentence !== undefined) throw kitError('hook_timeout', { message: sentence });
}

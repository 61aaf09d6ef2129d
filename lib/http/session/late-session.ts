import type { AppRequest } from '../../options/options.js';
import { type IdentityError, kitError } from '../../errors.js';

// A hook that ran past its time may go on. Until its request ends, that has a session which belongs to no store.

interface Late {
  readonly sentence: string;
  /** While the kit responds, express-session must see none. */
  isHidden: boolean;
}

const lateRequests = new WeakMap<AppRequest, Late>();

/**
 * From now on, what this request does with its session reaches no store. What is written can be read again, because
 * passport sets a member of a member; what has a callback is told by that, and nothing throws that an access log reads.
 */
export function disarmSession(req: AppRequest, sentence: string): void {
  const late: Late = { sentence, isHidden: false };
  lateRequests.set(req, late);
  const { session: held } = req as { session?: unknown };
  if (typeof held === 'object' && held !== null) refuseCalls(held, sentence);
  const inert = Object.create({ cookie: {}, touch: returnThis, resetMaxAge: returnThis }) as object;
  refuseCalls(inert, sentence);
  const property = { set: () => {}, configurable: true, enumerable: true };
  Object.defineProperty(req, 'session', { ...property, get: () => (late.isHidden ? undefined : inert) });
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

/** Hides the session of a request whose hook was late, and returns what shows it again; undefined for any other. */
export function hideLateSession(req: AppRequest): (() => void) | undefined {
  const late = lateRequests.get(req);
  if (late === undefined) return undefined;
  late.isHidden = true;
  return () => {
    late.isHidden = false;
  };
}

/** Throws where the hook of this request was late: nothing of it is written any more. */
export function refuseLate(req: AppRequest): void {
  const late = lateRequests.get(req);
  if (late !== undefined) throw kitError('hook_timeout', { message: late.sentence });
}

import { OutgoingMessage } from 'node:http';
import { IdentityError, kitError } from '../../errors.js';
import type { Response } from 'express';
import type { AppRequest } from '../../options/options.js';
import { withTimeout } from '../../internal/timeouts.js';

/** What the kit needs from express-session, without its types. */
export interface Session {
  readonly cookie: { readonly secure?: unknown; readonly sameSite?: unknown };
  touch(): unknown;
  save(done: Done): unknown;
  [key: string]: unknown;
}

export interface StoredSession {
  readonly cookie: object;
  readonly [key: string]: unknown;
}

type Done = (error?: unknown) => void;

interface SessionStore {
  get(id: string, done: (error: unknown, session?: StoredSession | null) => void): void;
  destroy(id: string, done: Done): void;
  /** Sets `req.session` and `req.sessionID` to a new session. */
  generate(req: AppRequest): void;
  /** Sets `req.session` to these data, under `req.sessionID`. */
  createSession(req: AppRequest, data: StoredSession): unknown;
}

interface SessionRequest {
  session?: Session | null;
  sessionID?: string;
  sessionStore?: SessionStore;
}

/** A store that never calls back must not keep a request waiting forever. */
const storeTimeout = 5_000;

const view = (req: AppRequest): SessionRequest => req as AppRequest & SessionRequest;

/** The request's session, or the error that says what is wrong with the app's session middleware. */
export function sessionOf(req: AppRequest): Session {
  const { session, sessionStore } = view(req);
  if (session === undefined || session === null) throw new IdentityError('session_missing');
  const store: Partial<Record<keyof SessionStore, unknown>> = sessionStore ?? {};
  const able = (['get', 'destroy', 'generate', 'createSession'] as const).every(
    (name) => typeof store[name] === 'function',
  );
  if (able && typeof session['save'] === 'function') return session;
  throw new IdentityError('session_unsupported');
}

export const sessionIdOf = (req: AppRequest): string => view(req).sessionID ?? '';

/** What the store holds under this id now; undefined if there is nothing. Throws if the store fails: that proves neither. */
export function stored(req: AppRequest, id: string): Promise<StoredSession | undefined> {
  return callSessionStore((done) => {
    storeOf(req).get(id, (error, session) => done(isFault(error), session ?? undefined));
  });
}

/** Saves the request's session as it is, with its lifetime, as the app set it, counted from now. */
export async function save(req: AppRequest): Promise<void> {
  const session = sessionOf(req);
  session.touch();
  try {
    await callSessionStore<void>((done) => session.save((error) => done(Boolean(error))));
  } catch (error) {
    serialized(session); // the store may not be to blame
    throw error;
  }
}

/** A session as its store will serialize it. */
export function serialized(session: Session | StoredSession): string {
  try {
    return JSON.stringify(session);
  } catch {
    throw kitError('hook_failed', {
      message:
        'req.session contains a value that cannot be serialized as JSON, such as a BigInt or a circular reference: the app ' +
        'put it there.',
    });
  }
}

export function destroy(req: AppRequest, id: string): Promise<void> {
  return callSessionStore<void>((done) => {
    storeOf(req).destroy(id, (error) => done(Boolean(error)));
  });
}

/** Gives the request these data as its session, under the id that it has. */
export function load(req: AppRequest, data: StoredSession): Session {
  const store = storeOf(req);
  wrapSessionError(() => store.createSession(req, data));
  return sessionOf(req);
}

/** Gives the request a new session under a new id: unsaved, with these data, or empty. */
export function generate(req: AppRequest, data?: StoredSession): Session {
  const store = storeOf(req);
  const oldId = sessionIdOf(req);
  const putBack = snapshotSession(req);
  wrapSessionError(() => store.generate(req));
  if (sessionIdOf(req) === oldId) {
    putBack();
    throw kitError('session_unsupported', {
      message:
        'The option genid of express-session returned the id that this session already has: make ids random.',
    });
  }
  return data === undefined ? sessionOf(req) : load(req, data);
}

/** A request's session, to be put back later. */
export function snapshotSession(req: AppRequest): () => void {
  const { session, sessionID } = view(req);
  return () => {
    Object.assign(req, { session, sessionID });
  };
}

/** A copy by value, as a store would give it back. */
export const cloneSession = (session: Session | StoredSession): StoredSession =>
  JSON.parse(serialized(session)) as StoredSession;

/** Whether two sessions contain the same data, apart from this key and the cookie. */
export function equalExcept(key: string, a: StoredSession, b: StoredSession): boolean {
  const rest = (data: StoredSession): string => serialized({ ...data, [key]: 0, cookie: {} });
  return rest(a) === rest(b);
}

export function onSessionSave(req: AppRequest, saved: () => void): void {
  const session = sessionOf(req);
  const save = session.save.bind(session);
  const value = (done: Done): unknown => {
    saved();
    return save(done);
  };
  Object.defineProperty(session, 'save', { value, configurable: true, writable: true });
}

/**
 * Lets the response go out without a session: express-session then saves, touches and sets nothing, and (with
 * `unset: 'destroy'`) does not end the session whose cookie another site made a browser send. It is there again for
 * what the app does when the response has finished, such as an access log; not before, because a middleware that
 * compresses calls express-session when it has compressed everything.
 */
export function detach(res: Response): void {
  const req = res.req as AppRequest;
  const putBack = snapshotSession(req);
  Object.assign(req, { session: undefined, sessionID: undefined });
  res.prependOnceListener('finish', putBack).prependOnceListener('close', putBack);
}

/**
 * Whether a response is on its way, by Node's own word too: an adapter of another framework may let `headersSent` speak
 * of its reply alone (`@fastify/express` since 4.0.6).
 */
export const hasResponded = (res: Response): boolean =>
  res.headersSent || Reflect.get(OutgoingMessage.prototype, 'headersSent', res) === true;

function storeOf(req: AppRequest): SessionStore {
  const { sessionStore } = view(req);
  if (sessionStore === undefined) throw new IdentityError('session_unsupported');
  return sessionStore;
}

/** Some stores report a missing session as a file system error; express-session accepts that too. */
const isFault = (error: unknown): boolean =>
  Boolean(error) && (error as { code?: unknown }).code !== 'ENOENT';

function wrapSessionError(work: () => unknown): void {
  try {
    work();
  } catch {
    throw new IdentityError('session_save_failed');
  }
}

/** A store's own error may quote the session, whether it is passed on or thrown. */
async function callSessionStore<T>(ask: (done: (failed: boolean, answer: T) => void) => unknown): Promise<T> {
  try {
    const asked = () =>
      new Promise<T>((resolve, reject) => {
        ask((failed, answer) => (failed ? reject(new Error('The session store failed')) : resolve(answer)));
      });
    return await withTimeout(storeTimeout, asked);
  } catch {
    throw new IdentityError('session_save_failed');
  }
}

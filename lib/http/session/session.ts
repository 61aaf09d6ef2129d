import { OutgoingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { IdentityError, kitError } from '../../errors.js';
import type { Response } from 'express';
import type { AppRequest } from '../../options/options.js';
import { withTimeout } from '../../internal/timeouts.js';
import { isLate } from './late-session.js';
import { isKitKey } from './session-data.js';

/** What the kit needs from express-session, without its types. */
export interface Session {
  readonly cookie: {
    readonly secure?: unknown;
    readonly sameSite?: unknown;
    readonly expires?: Date | string | null;
    readonly originalMaxAge?: unknown;
  };
  touch(): unknown;
  save(done: Done): unknown;
  [key: string]: unknown;
}

export interface StoredSession {
  readonly cookie: object;
  readonly [key: string]: unknown;
}

export type Done = (error?: unknown) => void;

export interface SessionStore {
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
  if (session === undefined || session === null) {
    // express-session leaves its store at a request whose session the app has ended.
    if (sessionStore === undefined) throw new IdentityError('session_missing');
    throw kitError('session_missing', { message: session === null ? setToNull : sessionIsOver });
  }
  const store: Partial<Record<keyof SessionStore, unknown>> = sessionStore ?? {};
  const able = (['get', 'destroy', 'generate', 'createSession'] as const).every(
    (name) => typeof store[name] === 'function',
  );
  if (able && typeof session['save'] === 'function') return session;
  throw new IdentityError('session_unsupported');
}

const setToNull =
  'This request has set req.session to null, which logs out of cookie-session only. express-session goes on storing the ' +
  'session, and what it keeps counts for the next person at this device: call req.session.destroy().';
const sessionIsOver =
  'The session of this request has ended (req.session.destroy): read what you need of it before.';

export const sessionIdOf = (req: AppRequest): string => view(req).sessionID ?? '';

/** What stands in the request's session, where it has one. */
export const sessionDataOf = (req: AppRequest): Session | undefined => view(req).session ?? undefined;

/** Whether the browser brought this very session's id, however it is escaped. No cookie is parsed for it. */
export const namesSession = (req: AppRequest): boolean =>
  sessionIdOf(req) !== '' && unescaped(req.headers.cookie ?? '').includes(sessionIdOf(req));

/** Also where an escape beside it is no good one. */
const unescaped = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );

/** Whether it brought one of express-session's signed ids. */
export const bringsSession = (req: AppRequest): boolean => (req.headers.cookie ?? '').includes('=s%3A');

/** The same, and not the id of this session. */
export const bringsOtherSession = (req: AppRequest): boolean => bringsSession(req) && !namesSession(req);

/** What the store holds under this id now; undefined if there is nothing. Throws if the store fails: that proves neither. */
export function stored(req: AppRequest, id: string): Promise<StoredSession | undefined> {
  return callSessionStore((done) => {
    storeOf(req).get(id, (error, session) => done(isFault(error), session ?? undefined));
  });
}

/** A session, or a member of it, as its store will serialize it. */
export function serialized(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw kitError('hook_failed', {
      message:
        'req.session contains a value that cannot be serialized as JSON, such as a BigInt or a circular reference. The app ' +
        'put it there.',
    });
  }
}

/** A request's session, to be put back later. */
export function snapshotSession(req: AppRequest): () => void {
  const { session, sessionID } = view(req);
  return () => {
    Object.assign(req, { session, sessionID });
  };
}

/** A copy by value, as a store would give it back. */
const cloneSession = (session: Session | StoredSession): StoredSession =>
  JSON.parse(serialized(session)) as StoredSession;

/** These data with the cookie of a request's session: a lifetime that the app has set there counts, as on its own pages. */
export const withCookieOf = ({ cookie }: Session | StoredSession, data: StoredSession): StoredSession => ({
  ...data,
  ...cloneSession({ cookie }),
});

/** What stores write into a session themselves: connect-mongo with `touchAfter`, session-file-store. */
const namesOfStores: ReadonlySet<string> = new Set(['lastModified', '__lastAccess']);

const isLeftOut = (name: string): boolean => name === 'cookie' || isKitKey(name) || namesOfStores.has(name);

/** The members with such names. */
export const membersOf = (data: StoredSession, isMeant: (name: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(data).filter(([name]) => isMeant(name)));

/**
 * Whether a request's session is what is stored, apart from the kit's own keys and the cookie. If it is not, the request has
 * changed it, or another request has: which of the two, nobody but express-session knows. The cookie is no such change, as
 * little as it is for express-session: apps set its lifetime in each request. A store may have put the members into another
 * order.
 */
export function isAsStored(session: Session | StoredSession, held: StoredSession): boolean {
  const [mine, theirs] = [session, held].map((data) =>
    membersOf(cloneSession(data), (name) => !isLeftOut(name)),
  );
  return isDeepStrictEqual(mine, theirs);
}

/**
 * Lets the response go out without a session: express-session then saves, touches and sets nothing, and (with
 * `unset: 'destroy'`) does not end the session whose cookie another site made a browser send. It is there again for
 * what the app does when the response has finished, such as an access log; not before, because a middleware that
 * compresses calls express-session when it has compressed everything. That of a late hook has no store and no id already.
 */
export function detach(res: Response): void {
  const req = res.req as AppRequest;
  if (isLate(req)) return;
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

export function storeOf(req: AppRequest): SessionStore {
  const { sessionStore } = view(req);
  if (sessionStore === undefined) throw new IdentityError('session_unsupported');
  return sessionStore;
}

/** Whether the sessions of this app end with its process, as in the store that express-session has by default. */
export const endWithProcess = (req: AppRequest): boolean => storeOf(req).constructor.name === 'MemoryStore';

/**
 * Some stores report a missing session as a file that is not there; express-session accepts that too. A socket that is not
 * there is a store that is away.
 */
const isFault = (error: unknown): boolean => {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return Boolean(error) && (code !== 'ENOENT' || syscall === 'connect');
};

/** A store's own error may quote the session, whether it is passed on or thrown. */
export async function callSessionStore<T>(
  ask: (done: (failed: boolean, answer: T) => void) => unknown,
): Promise<T> {
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

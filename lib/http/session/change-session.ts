import { IdentityError, kitError } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import { isKitKey } from './session-data.js';
import {
  type Done,
  type Session,
  type StoredSession,
  callSessionStore,
  membersOf,
  serialized,
  sessionIdOf,
  sessionOf,
  snapshotSession,
  storeOf,
} from './session.js';

// All that the kit changes of a session goes through these six. Two files may: the one writer, and the copy under a new
// id (a layer rule).

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

/** Gives the request's session the kit's own keys of these data; the other keys stay. Returns the way back. */
export function takeOwnKeys(session: Session, data: StoredSession): () => void {
  const before = membersOf(session, isKitKey);
  const put = (own: Readonly<Record<string, unknown>>): void => {
    for (const name of Object.keys(session).filter(isKitKey))
      if (!Object.hasOwn(own, name)) delete session[name];
    Object.assign(session, own);
  };
  put(membersOf(data, isKitKey));
  return () => {
    put(before);
  };
}

/**
 * After a save that failed: the session counts as saved as it is now. express-session compares at the end with what was to
 * be saved last, and would write the whole copy over what other requests have stored meanwhile, even a log-out. It is told
 * by a save, of which the store hears nothing.
 */
export function countAsSaved(req: AppRequest, session: Session): void {
  const store = storeOf(req);
  const deaf = { set: (_id: string, _data: unknown, done: Done) => done() };
  try {
    Object.assign(req, { sessionStore: deaf });
    session.save(() => undefined);
  } catch {
    // Where it cannot be told, it is saved once more.
  } finally {
    Object.assign(req, { sessionStore: store });
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

function wrapSessionError(work: () => unknown): void {
  try {
    work();
  } catch {
    throw new IdentityError('session_save_failed');
  }
}

import { IdentityError, kitError } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import {
  type Session,
  type StoredSession,
  callSessionStore,
  serialized,
  sessionIdOf,
  sessionOf,
  snapshotSession,
  storeOf,
} from './session.js';

// All that the kit changes of a session goes through these four. Two files may: the one writer, and the copy under a new
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

import type { AppRequest } from '../../options/options.js';
import {
  cloneSession,
  equalExcept,
  sessionIdOf,
  sessionOf,
  stored,
  onSessionSave,
} from '../session/session.js';

/**
 * Watches whether express-session saves a session that nothing has changed, at the end of this request: that is
 * `resave: true`, by which a slow request brings back a session that was ended meanwhile. True where it is watched: then
 * the response must go out with the session still in place. For development.
 */
export async function watchResave(req: AppRequest, found: () => void): Promise<boolean> {
  try {
    const session = sessionOf(req);
    const now = await stored(req, sessionIdOf(req));
    if (now === undefined || !equalExcept('cookie', cloneSession(session), now)) return false;
    onSessionSave(req, found);
    return true;
  } catch {
    return false; // reported where the session is used
  }
}

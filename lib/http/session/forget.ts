import type { AppRequest } from '../../options/options.js';
import { readOwn, writeOwn } from './session-data.js';
import {
  cloneSession,
  load,
  snapshotSession,
  equalExcept,
  save,
  sessionIdOf,
  sessionOf,
  stored,
} from './session.js';

/**
 * Erases what was kept, in the stored session and in the request's. Where the store holds nothing, the session was
 * made by this request, or has ended: then the request's is all there is.
 */
export async function eraseKept(req: AppRequest, key: string): Promise<void> {
  const session = sessionOf(req);
  const now = await stored(req, sessionIdOf(req));
  const erase = (data: Record<string, unknown>): void => {
    if (Object.hasOwn(data, key)) data[key] = writeOwn({ ...readOwn(data, key), kept: {} });
  };
  const alone = now !== undefined && equalExcept(key, cloneSession(session), cloneSession(now));
  erase(session);
  if (now === undefined) return;
  if (alone) {
    // A save through the request's own session leaves express-session nothing to save at the end.
    await save(req);
    return;
  }
  // What else this request has changed is the app's to save, or express-session's at the end.
  const restoreSession = snapshotSession(req);
  try {
    erase(load(req, now));
    await save(req);
  } finally {
    restoreSession();
  }
}

import type { Response } from 'express';
import { kitError } from '../../errors.js';
import { withTimeout } from '../../internal/timeouts.js';
import type { AppRequest } from '../../options/options.js';
import { readOwn, writeOwn } from './session-data.js';
import {
  type StoredSession,
  cloneSession,
  destroy,
  generate,
  load,
  snapshotSession,
  save,
  serialized,
  sessionIdOf,
  sessionOf,
  stored,
} from './session.js';

/** A session with a new id, for one release. The old one is neither written nor seen by a hook from here on. */
export interface RegeneratedSession {
  /**
   * Makes the session that will be saved: the old one as it is stored now, with what a hook changed in the new one; that
   * is the new one as it is, where nobody wrote meanwhile. False where the old one has ended.
   */
  merge(): Promise<boolean>;
  /** Saves what `merge` made. */
  save(): Promise<void>;
  /**
   * The request has its old session again, and nothing is left under the new id. Only a hook that has answered the
   * request itself leaves the browser with the new one: a copy of the old one, with nothing of the release in it.
   */
  undo(res: Response): Promise<void>;
  /**
   * Ends the old session once the answer has gone out that tells the browser of the new one. False where it did not: then
   * the browser has the old one, and it stays.
   */
  destroyOldSession(res: Response): Promise<boolean>;
}

/** An answer without a body is out at once, or the line is dead. */
const answerMs = 5_000;

export function regenerateSession(req: AppRequest, key: string): RegeneratedSession {
  const oldId = sessionIdOf(req);
  const before = serialized(sessionOf(req));
  const restoreSession = snapshotSession(req);
  generate(req, parseSession(before));
  let newId = sessionIdOf(req);

  return {
    async merge() {
      const now = await stored(req, oldId);
      if (now === undefined) return false;
      const mine = hookSession(req);
      serialized(mine);
      const alone = JSON.stringify(now) === before && Object.hasOwn(mine, key);
      if (!alone) load(req, mergeSessions(key, parseSession(before), mine, now));
      return true;
    },

    async save() {
      await save(req);
      newId = sessionIdOf(req);
    },

    async undo(res) {
      const id = sessionIdOf(req) || newId;
      restoreSession();
      // A hook may have saved it.
      if (id !== oldId && !namesSession(res, id)) await destroy(req, id).catch(() => undefined);
    },

    async destroyOldSession(res) {
      // A Secure cookie on http, for one, is not set: the browser stays with the old session.
      if (!namesSession(res, newId)) return false;
      await outOf(res);
      // A loss after the bytes left this process cannot be seen.
      if (!res.writableFinished || req.socket.destroyed) return false;
      await destroy(req, oldId).catch(() => undefined);
      return true;
    },
  };
}

/** True for an answer on its way whose cookie tells the browser of this session. */
function namesSession(res: Response, id: string): boolean {
  return res.headersSent && String(res.getHeader('set-cookie') ?? '').includes(encodeURIComponent(id));
}

/** Waits until the answer is out, the line has broken, or the time is up. */
async function outOf(res: Response): Promise<void> {
  if (res.writableFinished || res.closed) return;
  const ended = new Promise((resolve) => res.once('finish', resolve).once('close', resolve));
  await withTimeout(answerMs, () => ended).catch(() => undefined);
}

function parseSession(text: string): StoredSession {
  return JSON.parse(text) as StoredSession;
}

/** The session that a hook left in place: its own data, and its cookie with the lifetime that the hook gave it. */
function hookSession(req: AppRequest): StoredSession {
  try {
    return sessionOf(req);
  } catch {
    throw kitError('session_save_failed', { message: 'onSuccess ended its own session.' });
  }
}

/**
 * What is stored now, with what a hook changed, added or deleted: nobody's change is lost. The kit's key is not the
 * hook's to delete with the rest, but `forget` in a hook counts.
 */
function mergeSessions(
  key: string,
  before: StoredSession,
  mine: StoredSession,
  now: StoredSession,
): StoredSession {
  // Without a prototype a member named __proto__ is one as any other.
  const all = Object.assign(Object.create(null) as Record<string, unknown>, now);
  for (const name of new Set([...Object.keys(before), ...Object.keys(mine)])) {
    if (JSON.stringify(before[name]) === JSON.stringify(mine[name])) continue;
    if (name === key) all[key] = writeOwn({ flows: readOwn(now, key).flows, kept: readOwn(mine, key).kept });
    else if (Object.hasOwn(mine, name)) all[name] = mine[name];
    else delete all[name];
  }
  if (!Object.hasOwn(mine, key)) all[key] = writeOwn(readOwn(now, key));
  return { ...all, cookie: copiedCookie(mine) };
}

function copiedCookie({ cookie }: StoredSession): StoredSession['cookie'] {
  return cloneSession({ cookie }).cookie;
}

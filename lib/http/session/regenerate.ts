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
  hasResponded,
  load,
  snapshotSession,
  save,
  serialized,
  sessionIdOf,
  sessionOf,
  stored,
} from './session.js';

/** A response without a body is sent at once, or the connection is dead. */
const answerMs = 5_000;

export type Regeneration = ReturnType<typeof prepareRegeneration>;

/** The request's session on its way to a new id, for one return. */
export function prepareRegeneration(req: AppRequest, key: string) {
  const oldId = sessionIdOf(req);
  const restoreSession = snapshotSession(req);
  let before = '';
  let newId = oldId;

  return {
    /** False where the session has ended meanwhile. */
    isStored: async (): Promise<boolean> => (await stored(req, oldId)) !== undefined,

    /** Gives the request a copy under a new id, unsaved: no function of the app writes or sees the old session. */
    start(): void {
      before = serialized(sessionOf(req));
      generate(req, parseSession(before));
      newId = sessionIdOf(req);
    },

    /**
     * Makes the session that will be saved: the old one as it is stored now, with what a hook changed in the new one;
     * that is the new one as it is, where nobody wrote meanwhile. False where the old one has ended.
     */
    async merge(): Promise<boolean> {
      const now = await stored(req, oldId);
      if (now === undefined) return false;
      const changed = hookSession(req);
      serialized(changed);
      const isCurrent = JSON.stringify(now) === before && Object.hasOwn(changed, key);
      if (!isCurrent) load(req, mergeSessions(key, parseSession(before), changed, now));
      return true;
    },

    async save(): Promise<void> {
      await save(req);
      newId = sessionIdOf(req);
    },

    /**
     * The request has its old session again, and nothing is left under the new id. Only a hook that has answered the
     * request itself leaves the browser with the new one: a copy of the old one, with nothing of the release in it.
     */
    async rollback(res: Response): Promise<void> {
      const id = sessionIdOf(req) || newId;
      restoreSession();
      // A hook may have saved it.
      if (id !== oldId && !namesSession(res, id)) await destroy(req, id).catch(() => undefined);
    },

    /**
     * Ends the old session once the answer has gone out that tells the browser of the new one. False where it did not:
     * then the browser has the old one, and it stays.
     */
    async destroyOldSession(res: Response): Promise<boolean> {
      // A Secure cookie on http, for example, is not set: the browser stays with the old session.
      if (!namesSession(res, newId)) return false;
      await waitForResponse(res);
      // A loss after the bytes left this process cannot be seen.
      if (!res.writableFinished || req.socket.destroyed) return false;
      await destroy(req, oldId).catch(() => undefined);
      return true;
    },
  };
}

/** True if a response is on its way whose cookie tells the browser of this session. */
const namesSession = (res: Response, id: string): boolean =>
  hasResponded(res) && String(res.getHeader('set-cookie') ?? '').includes(encodeURIComponent(id));

/** Waits until the response is sent, the connection is closed, or the time is up. */
async function waitForResponse(res: Response): Promise<void> {
  if (res.writableFinished || res.closed) return;
  const ended = new Promise((resolve) => res.once('finish', resolve).once('close', resolve));
  await withTimeout(answerMs, () => ended).catch(() => undefined);
}

const parseSession = (text: string): StoredSession => JSON.parse(text) as StoredSession;

/** The session that a hook left in place, with the cookie's lifetime that the hook gave it. */
function hookSession(req: AppRequest): StoredSession {
  try {
    return sessionOf(req);
  } catch {
    throw kitError('session_save_failed', { message: 'onSuccess ended its own session.' });
  }
}

/**
 * What is stored now, with what a hook changed, added or deleted: no change is lost. The kit's key is not the
 * hook's to delete with the rest, but `forget` in a hook counts.
 */
function mergeSessions(key: string, before: StoredSession, changed: StoredSession, now: StoredSession) {
  // It has no prototype, so that __proto__ is an ordinary property.
  const all = Object.assign(Object.create(null) as Record<string, unknown>, now);
  for (const name of new Set([...Object.keys(before), ...Object.keys(changed)])) {
    if (JSON.stringify(before[name]) === JSON.stringify(changed[name])) continue;
    if (name === key)
      all[key] = writeOwn({ flows: readOwn(now, key).flows, kept: readOwn(changed, key).kept });
    else if (Object.hasOwn(changed, name)) all[name] = changed[name];
    else delete all[name];
  }
  if (!Object.hasOwn(changed, key)) all[key] = writeOwn(readOwn(now, key));
  return { ...all, ...cloneSession({ cookie: changed.cookie }) };
}

import { Socket } from 'node:net';
import type { Response } from 'express';
import { kitError } from '../../errors.js';
import { withTimeout } from '../../internal/timeouts.js';
import type { AppRequest } from '../../options/options.js';
import { destroy, generate, load } from './change-session.js';
import { disarmSession } from './late-session.js';
import { type Owner, isKitKey, ownerKey, ownerOf } from './session-data.js';
import {
  type StoredSession,
  hasResponded,
  serialized,
  sessionIdOf,
  sessionOf,
  snapshotSession,
  stored,
  withCookieOf,
} from './session.js';

/** A response without a body is sent at once, or the connection is dead. */
const answerMs = 5_000;

const renewing = new WeakSet<AppRequest>();

/** True while the request has the copy: the kit will save it, so what is changed in it needs no save of its own. */
export const isRenewing = (req: AppRequest): boolean => renewing.has(req);

/** The request's session on its way to a new id, for one return. */
export function prepareRenewal(req: AppRequest, owner: Owner) {
  const oldId = sessionIdOf(req);
  const restoreSession = snapshotSession(req);
  let before = '';
  let newId = oldId;
  let isLate = false;

  async function destroyNew(id: string): Promise<void> {
    for (const made of new Set([id, newId])) {
      if (made !== oldId && made !== '') await destroy(req, made).catch(() => undefined);
    }
  }

  return {
    oldId,

    /** False where the session has ended meanwhile. */
    isStored: async (): Promise<boolean> => (await stored(req, oldId)) !== undefined,

    /** Gives the request a copy under a new id, unsaved: no function of the app writes or sees the old session. */
    start(): void {
      renewing.add(req);
      before = serialized(sessionOf(req));
      generate(req, parseSession(before));
      newId = sessionIdOf(req);
    },

    /** The hook was late: what it does with the session from now on reaches no store. */
    disarm(sentence: string, hook: unknown): void {
      isLate = true;
      renewing.delete(req);
      const id = sessionIdOf(req);
      disarmSession(req, sentence);
      void destroyNew(id);
      // A save that is under way now still succeeds.
      const destroyAgain = async (): Promise<void> => await destroyNew(id);
      void Promise.resolve(hook).then(destroyAgain, destroyAgain);
    },

    /** Whether the session as it is stored now is still that of the owner who began this. */
    isSameOwner: (now: StoredSession): boolean => ownerOf(now, oldId).digest === owner.digest,

    /**
     * Gives the request the session that will be saved: the old one as it is stored now, with what a hook changed in the
     * copy; that is the copy as it is, where nobody wrote meanwhile.
     */
    merge(now: StoredSession): void {
      const changed = hookSession(req);
      const isCurrent = JSON.stringify(now) === before && Object.hasOwn(changed, ownerKey);
      if (!isCurrent) load(req, mergeSessions(parseSession(before), changed, now));
      // Where none was stored, the owner is the one that the old id gives: it goes along.
      const session = sessionOf(req);
      if (!Object.hasOwn(session, ownerKey)) session[ownerKey] = { owner: owner.text };
      newId = sessionIdOf(req);
    },

    /**
     * The request has its old session again, and nothing is left under the new id. Only a hook that has answered the
     * request itself leaves the browser with the new one: a copy of the old one, with nothing of the release in it.
     */
    async rollback(res: Response): Promise<void> {
      if (isLate) return;
      renewing.delete(req);
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
      renewing.delete(req);
      // A Secure cookie on http, for example, is not set: the browser stays with the old session.
      if (!namesSession(res, newId)) return false;
      if (!(await isHandedOver(req, res))) return false;
      await destroy(req, oldId).catch(() => undefined);
      return true;
    },
  };
}

/** True if a response is on its way whose cookie tells the browser of this session. */
const namesSession = (res: Response, id: string): boolean =>
  hasResponded(res) && String(res.getHeader('set-cookie') ?? '').includes(encodeURIComponent(id));

/** False where the line is seen to have broken, so that the browser did not get the response. */
export const isConnected = (req: AppRequest): boolean =>
  (req as { socket?: Partial<Socket> }).socket?.destroyed !== true;

/** Waits until the response is sent, the connection is closed, or the time is up. A loss after that cannot be seen. */
async function isHandedOver(req: AppRequest, res: Response): Promise<boolean> {
  // An adapter for serverless functions has no line: what it was handed whole is sent.
  if (!(req.socket instanceof Socket)) return res.writableEnded;
  if (!res.writableFinished && !res.closed) {
    const ended = new Promise((resolve) => res.once('finish', resolve).once('close', resolve));
    await withTimeout(answerMs, () => ended).catch(() => undefined);
  }
  return res.writableFinished && isConnected(req);
}

const parseSession = (text: string): StoredSession => JSON.parse(text) as StoredSession;

/** The session that a hook left in place, with the cookie's lifetime that the hook gave it. */
function hookSession(req: AppRequest): StoredSession {
  try {
    return sessionOf(req);
  } catch {
    throw kitError('session_save_failed', {
      message:
        'onSuccess ended its own session (req.session.destroy), so the result could not be stored there.',
    });
  }
}

/**
 * What is stored now, with what a hook changed, added or deleted: no change is lost. The kit's own keys are not the
 * hook's to delete with the rest, but `forget` in a hook counts: its text is taken whole, whichever factory's it is.
 */
function mergeSessions(before: StoredSession, changed: StoredSession, now: StoredSession): StoredSession {
  // It has no prototype, so that __proto__ is an ordinary property.
  const all = Object.assign(Object.create(null) as Record<string, unknown>, now);
  for (const name of new Set([...Object.keys(before), ...Object.keys(changed)])) {
    if (serialized(before[name]) === serialized(changed[name])) continue;
    if (Object.hasOwn(changed, name)) all[name] = changed[name];
    else if (!isKitKey(name)) delete all[name];
  }
  return withCookieOf(changed, all);
}

import { kitError } from '../errors.js';
import { type ReturnSession, Stop } from '../flow/flow.js';
import { subjectOf } from './app-functions.js';
import type { Exchange } from './context.js';
import { sendWithSession } from './respond.js';
import { checkKept, withResult } from './session/keep-result.js';
import { isConnected, prepareRenewal } from './session/renew-session.js';
import { readOwn } from './session/own-data.js';
import { type Owner, ownerOf } from './session/session-data.js';
import { hasResponded, sessionIdOf } from './session/session.js';
import { newCookieEnd, writeSession } from './session/write-session.js';

const lateHook =
  'onSuccess took longer than limits.hookTimeout: what it does with req.session from now on reaches no session.';

/** A session of express-session, as a return needs it: on its way to a new id. */
export function returnSession({ kit, req, res }: Exchange, owner: Owner): ReturnSession {
  const renewal = prepareRenewal(req, owner);
  return {
    subject: () => subjectOf(kit, req),
    isStored: renewal.isStored,
    renew: () => renewal.start(),
    disarm(hook) {
      kit.log.warn(lateHook);
      renewal.disarm(lateHook, hook);
    },
    keep: (result) => kit.config.questions.get(result.question)?.keep?.(result as never),

    /** The copy is saved with what the hook did, what was stored meanwhile, and what is kept. */
    async save(opened, kept, destination) {
      if (hasResponded(res)) {
        const message = 'onSuccess sent a response itself: return { redirectTo } instead.';
        throw kitError('hook_failed', { message });
      }
      checkKept(kit, kept);
      if (res.closed || !isConnected(req)) throw new Stop('return_abandoned');
      let subject: string | undefined;
      const written = await writeSession(req, kit, {
        id: renewal.oldId,
        take(now) {
          if (!renewal.isSameOwner(now)) throw new Stop('session_left');
          renewal.merge(now);
          // Asked of what will be saved: a log-in inside the hook binds what is kept.
          subject = subjectOf(kit, req);
          const before = opened.record.subject;
          if (before !== undefined && subject !== before) throw new Stop('subject_changed');
        },
        change: (session) => ({
          owner: ownerOf(session, sessionIdOf(req)).text,
          own: withResult(kit, readOwn(session, kit), opened, { kept, subject }, destination),
          cookieEnds: newCookieEnd(session),
        }),
      });
      if (written === undefined) throw new Stop('session_left');
    },

    async release(location) {
      sendWithSession.redirect(res, location);
      return await renewal.destroyOldSession(res);
    },
    rollback: async () => await renewal.rollback(res),
  };
}

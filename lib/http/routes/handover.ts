import type { Response } from 'express';
import { kitError } from '../../errors.js';
import type { Handover, Released, ReturnCode } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import { lostInJson } from '../../internal/find-unserializable.js';
import { subjectOf } from '../request/subject.js';
import { type KeptRecord, liveKept, readOwn, withKept, writeOwn } from '../session/session-data.js';
import { type RegeneratedSession, regenerateSession } from '../session/regenerate.js';
import { sessionIdOf, sessionOf, stored } from '../session/session.js';
import type { RouteContext } from '../context.js';

/** How a result reaches the session of this request; `renewal` is there once that has been saved under its new id. */
export interface SessionHandover extends Handover {
  saved(): RegeneratedSession | undefined;
}

export function sessionHandover(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  code: ReturnCode,
): SessionHandover {
  const { config, key } = web;
  let renewal: RegeneratedSession | undefined;
  let saved: RegeneratedSession | undefined;

  return {
    async isThere() {
      return (await stored(req, sessionIdOf(req))) !== undefined;
    },

    open() {
      renewal = regenerateSession(req, key);
    },

    keep: (result) => config.requests.get(result.request)?.keep?.(result as never),

    async commit(released) {
      checkUnanswered(res);
      checkKept(web, released.kept);
      if (res.closed || req.socket.destroyed) return 'return_abandoned';
      if (!(await renewal?.merge())) return 'session_left';
      // Asked of the session as it will be: a log-in inside the hook binds what is kept.
      const subject = subjectOf(web, req);
      if (released.subject !== undefined && released.subject !== subject) return 'subject_changed';
      const now = config.clock().getTime();
      const keepFor = config.requests.get(released.result.request)?.keepFor ?? 0;
      const record = recordOf(released, subject, now, keepFor);
      const session = sessionOf(req);
      const own = readOwn(session, key);
      const live = { ...own, kept: liveKept(own, now, config.requests) };
      const flow = { id: code.id, destination: released.location };
      session[key] = writeOwn(withKept(live, flow, released.result.request, record));
      await renewal?.save();
      saved = renewal;
      return 'saved';
    },

    async undo() {
      await renewal?.undo(res);
    },

    saved: () => saved,
  };
}

function checkUnanswered({ headersSent }: Response): void {
  if (!headersSent) return;
  const message = 'onSuccess has answered the request itself: return { redirectTo } instead.';
  throw kitError('hook_failed', { message });
}

/** What cannot be stored is the app's fault, told as such; what would be stored as something else is at least said. */
function checkKept({ config, log }: RouteContext, kept: unknown): void {
  const bytes = jsonBytes(kept);
  const most = config.limits.keptBytes;
  if (bytes > most) {
    const message = `keep returned more than limits.keptBytes (${most} bytes as JSON).`;
    throw kitError('hook_failed', { message });
  }
  const lost = lostInJson(kept, 'kept');
  if (lost === undefined) return;
  log.once('keep returned something that JSON does not keep: it is lost or empty in the session.', lost);
}

function jsonBytes(kept: unknown): number {
  try {
    return Buffer.byteLength((JSON.stringify(kept) as string | undefined) ?? '');
  } catch {
    throw kitError('hook_failed', { message: 'keep returned something that JSON cannot carry.' });
  }
}

function recordOf(
  { result, kept, question, origin }: Released,
  subject: string | undefined,
  releasedAt: number,
  keepFor: number,
): KeptRecord {
  const { issuer, sandbox, verifiedAt, receipt } = result;
  return {
    issuer,
    sandbox,
    verifiedAt: verifiedAt.getTime(),
    receipt,
    kept,
    until: releasedAt + keepFor,
    releasedAt,
    question,
    origin,
    ...(subject !== undefined && { subject }),
  };
}

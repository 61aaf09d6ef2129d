import type { NextFunction, Response } from 'express';
import { toMilliseconds } from '../duration.js';
import { IdentityError, configInvalid } from '../errors.js';
import type { AppRequest, Duration } from '../options.js';
import type { KeptIdentity } from '../results.js';
import { sendJsonError } from './fail.js';
import { type KeptRecord, readOwn, withoutKept } from './own-data.js';
import { refresh, save, sessionOf } from './session.js';
import { subjectOf } from './subject.js';
import { startAddress, type Web } from './web.js';

/** What the guard asks for. */
export interface RequireOptions<Request extends PropertyKey = string> {
  /** How long ago the verification may have been. */
  readonly maxAge?: Duration | undefined;
  /** The named request; default is the one without a name. */
  readonly request?: Request | undefined;
}

export type Guard = (req: AppRequest, res: Response, next: NextFunction) => void;

/** What this session has kept of a request: young enough, and of the person who is logged in. */
export function kept(web: Web, req: AppRequest, request = 'default'): KeptIdentity<unknown> | undefined {
  checkKept(web, request);
  const record = usable(web, req, request);
  if (record === undefined) return undefined;
  const { issuer, sandbox, verifiedAt, receipt } = record;
  return { issuer, sandbox, verifiedAt: new Date(verifiedAt), receipt, kept: record.kept };
}

/** Lets a request through only with a confirmed identity; a page is led to the start, all others get a 401. */
export function guard(web: Web, { maxAge, request = 'default' }: RequireOptions = {}): Guard {
  checkKept(web, request);
  const age = maxAge === undefined ? Infinity : toMilliseconds(maxAge);
  if (age === undefined) throw configInvalid("require: maxAge must be milliseconds or a text such as '30d'.");
  return (req, res, next) => {
    try {
      const identity = kept(web, req, request);
      const oldest = web.config.clock().getTime() - age;
      if (identity !== undefined && identity.verifiedAt.getTime() >= oldest) {
        next();
        return;
      }
      const code = identity === undefined ? 'identity_required' : 'identity_stale';
      turnAway(web, req, res, request, new IdentityError(code));
    } catch (error) {
      next(error);
    }
  };
}

/** Erases what this session has kept. */
export async function forget(web: Web, req: AppRequest): Promise<void> {
  checkKept(web, 'default');
  if (!(await refresh(req))) return; // nothing is stored any more
  const session = sessionOf(req);
  const own = readOwn(session, web.key);
  session[web.key] = withoutKept(own, Object.keys(own.kept));
  await save(req);
}

function turnAway(web: Web, req: AppRequest, res: Response, request: string, error: IdentityError): void {
  res.set('Cache-Control', 'no-store');
  const start = startAddress(web, request);
  if (req.method === 'GET' && start !== undefined && req.accepts(['json', 'html']) === 'html') {
    res.redirect(303, startAddress(web, request, req.originalUrl) ?? start);
    return;
  }
  sendJsonError(res, error, { start });
}

function usable(web: Web, req: AppRequest, request: string): KeptRecord | undefined {
  const session = sessionOf(req);
  const own = readOwn(session, web.key);
  const record = Object.hasOwn(own.kept, request) ? own.kept[request] : undefined;
  if (record === undefined) return undefined;
  const subject = subjectOf(web, req);
  const mine = record.subject === undefined || record.subject === subject;
  if (!mine || record.until <= web.config.clock().getTime()) {
    session[web.key] = withoutKept(own, [request]);
    return undefined;
  }
  if (record.subject === undefined && subject !== undefined) {
    // Verified before the log-in: from now on it belongs to who is logged in.
    session[web.key] = { ...own, kept: { ...own.kept, [request]: { ...record, subject } } };
  }
  return record;
}

function checkKept({ config }: Web, request: string): void {
  if (config.confirm === 'callback') {
    throw configInvalid("Nothing enters the session with the option confirm: 'callback'.");
  }
  if (!config.requests.has(request)) throw configInvalid(`There is no request named ${request}.`);
}

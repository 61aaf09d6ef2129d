import type { NextFunction, Request, Response } from 'express';
import { IdentityError, configInvalid } from '../../errors.js';
import { knownOptions, optionalDuration } from '../../safe/check-options.js';
import type { AppRequest, Duration } from '../../options/options.js';
import { safePath } from '../../safe/urls.js';
import type { KeptIdentity } from '../../options/results.js';
import { sendJsonError } from '../reply/fail.js';
import { handler } from '../handler.js';
import { type KeptRecord, type OwnData, readOwn, withoutKept } from '../session/entry.js';
import { changeKey, sessionIdOf, sessionOf, store, stored } from '../session/session.js';
import { subjectOf } from '../request/subject.js';
import { startAddress, type Web } from '../web.js';

/** What the guard asks for. */
export interface RequireOptions<Request extends PropertyKey = string> {
  /** How long ago the verification may have been. */
  readonly maxAge?: Duration | undefined;
  /** The named request; default is the one without a name. */
  readonly request?: Request | undefined;
}

/** Middleware for any route: generic, so that the types of the route's own handlers stay as they are. */
export type Guard = <Params, ResBody, ReqBody, Query>(
  req: Request<Params, ResBody, ReqBody, Query>,
  res: Response<ResBody>,
  next: NextFunction,
) => void;

/** What this session has kept of a request: young enough, and of the person who is logged in. */
export function kept(
  web: Web,
  req: AppRequest,
  options: Pick<RequireOptions, 'request'> = {},
): KeptIdentity<unknown> | undefined {
  knownOptions(options, ['request'], 'identity.of');
  const { request = 'default' } = options;
  checkKept(web, request);
  const { record, change } = look(web, req, request);
  if (change !== undefined) tidyBehind(web, req, change);
  return record && identityOf(record);
}

/** Lets a request through only with a confirmed identity; a page is led to the start, all others get a 401. */
export function guard(web: Web, options: RequireOptions = {}): Guard {
  knownOptions(options, ['maxAge', 'request'], 'identity.require');
  const { maxAge, request = 'default' } = options;
  checkKept(web, request);
  const age = optionalDuration(maxAge, 'identity.require: maxAge') ?? Infinity;
  return handler(async (req, res, next) => {
    const record = await lookAndTidy(web, req, request);
    const oldest = web.config.clock().getTime() - age;
    if (record !== undefined && record.verifiedAt >= oldest) next();
    else turnAway(web, req, res, request, record === undefined ? 'identity_required' : 'identity_stale');
  });
}

/** Erases what this session has kept. */
export async function forget(web: Web, req: AppRequest): Promise<void> {
  checkKept(web, 'default');
  await changeKey(req, web.key, (data) => {
    const own = readOwn(data, web.key);
    return withoutKept(own, Object.keys(own.kept));
  });
}

function turnAway(
  web: Web,
  req: AppRequest,
  res: Response,
  request: string,
  code: 'identity_required' | 'identity_stale',
): void {
  res.set('Cache-Control', 'no-store');
  const start = startAddress(web, request);
  if (req.method === 'GET' && start !== undefined && req.accepts(['json', 'html']) === 'html') {
    // An address that could not be gone back to must not end on an error.
    const returnTo = safePath(req.originalUrl, web.config.origins[0]);
    res.redirect(303, startAddress(web, request, returnTo) ?? start);
  } else sendJsonError(res, new IdentityError(code), { start });
}

type Change = (own: OwnData) => OwnData;

/** The record that counts, and what the look at it shows should be written. */
function look(web: Web, req: AppRequest, request: string): { record?: KeptRecord; change?: Change } {
  const own = readOwn(sessionOf(req), web.key);
  const record = Object.hasOwn(own.kept, request) ? own.kept[request] : undefined;
  if (record === undefined) return {};
  const subject = subjectOf(web, req);
  const mine = record.subject === undefined || record.subject === subject;
  // Another tab may have brought a new one meanwhile: only what was seen here is changed.
  const only =
    (change: Change): Change =>
    (it) =>
      JSON.stringify(it.kept[request]) === JSON.stringify(record) ? change(it) : it;
  if (!mine || record.until <= web.config.clock().getTime()) {
    return { change: only((it) => withoutKept(it, [request])) };
  }
  if (record.subject !== undefined || subject === undefined) return { record };
  // Verified before the log-in: from now on it belongs to who is logged in.
  const bound = { ...record, subject };
  return { record, change: only((it) => ({ ...it, kept: { ...it.kept, [request]: bound } })) };
}

/** Looks, writes what there is to write, and looks again at what the session holds then. */
async function lookAndTidy(web: Web, req: AppRequest, request: string): Promise<KeptRecord | undefined> {
  const { record, change } = look(web, req, request);
  if (change === undefined) return record;
  const alive = await changeKey(req, web.key, (data) => change(readOwn(data, web.key)));
  return alive ? look(web, req, request).record : undefined;
}

/**
 * Writes for a caller that cannot wait: after the response, and into the stored session alone. Changed here, a
 * session that another tab ends meanwhile would come back to life when express-session saves it.
 */
function tidyBehind({ key }: Web, req: AppRequest, change: Change): void {
  const waiting = behind.get(req);
  if (waiting !== undefined) {
    waiting.push(change);
    return;
  }
  const changes = [change];
  behind.set(req, changes);
  const tidy = async (): Promise<void> => {
    const id = sessionIdOf(req);
    const now = await stored(req, id);
    if (now === undefined) return;
    const own = changes.reduce((it, next) => next(it), readOwn(now, key));
    await store(req, id, { ...now, [key]: own });
  };
  // A store that is away now: the next look tries again.
  req.res?.once('close', () => void tidy().catch(() => undefined));
}

/** What waits for the end of a request: one write for all of it. */
const behind = new WeakMap<AppRequest, Change[]>();

function identityOf({
  issuer,
  sandbox,
  verifiedAt,
  receipt,
  kept: value,
}: KeptRecord): KeptIdentity<unknown> {
  return { issuer, sandbox, verifiedAt: new Date(verifiedAt), receipt, kept: value };
}

function checkKept({ config }: Web, request: string): void {
  if (config.confirm === 'callback') {
    throw configInvalid("Nothing enters the session with the option confirm: 'callback'.");
  }
  if (!config.requests.has(request)) throw configInvalid(`There is no request named ${request}.`);
}

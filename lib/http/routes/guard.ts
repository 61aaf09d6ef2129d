import type { NextFunction, Request, Response } from 'express';
import { configInvalid, IdentityError, kitError } from '../../errors.js';
import { knownOptions, optionalDuration, optionalFunction } from '../../internal/former-validate.js';
import type { AppRequest } from '../../options/options.js';
import type { Duration } from '../../internal/timeouts.js';
import { ignoreRejection } from '../../internal/ignore-rejection.js';
import { safePath } from '../../internal/urls.js';
import type { RequestConfiguration } from '../../options/named-requests.js';
import type { KeptIdentity } from '../../options/result-types.js';
import { sendJsonError } from '../reply/send-error.js';
import { handler } from '../async-handler.js';
import { errorPage } from '../pages/error-page.js';
import { protect } from '../reply/headers.js';
import { sendPage } from '../reply/page.js';
import { reportErrorsOf } from '../dev-errors.js';
import { send } from '../reply/senders.js';
import { type KeptRecord, endOf, readKept } from '../session/session-data.js';
import { eraseKept } from '../session/forget.js';
import { sessionOf } from '../session/session.js';
import { subjectOf } from '../request/subject.js';
import { type MarkedAsVerified, markedAsVerified } from '../../types/test-marker.js';
import { sandboxIssuer } from '../../service/sandbox.js';
import { baseOf, requestIsMissing, startAddress, type RouteContext } from '../context.js';

/** What the guard asks for. */
export interface RequireOptions<Request extends string = string, Value = unknown> {
  /** How long ago the verification may have been. */
  readonly maxAge?: Duration | undefined;
  /** The named request; default is the one without a name. */
  readonly request?: Request | undefined;
  /** Whether what was kept is enough. Whoever gets `false` gets 403, and is not asked to verify again. */
  readonly allow?: ((getStoredIdentity: Value, req: AppRequest) => boolean) | undefined;
}

/** Middleware for any route: generic, so that the types of the route's own handlers stay as they are. */
export type Guard = <Params, ResBody, ReqBody, Query>(
  req: Request<Params, ResBody, ReqBody, Query>,
  res: Response<ResBody>,
  next: NextFunction,
) => void;

/** What this session has kept of a request: for what is asked now, and of the person who is logged in. */
export function kept(
  web: RouteContext,
  req: AppRequest,
  options: Pick<RequireOptions, 'request'> = {},
): KeptIdentity<unknown> | undefined {
  knownOptions(options, ['request'], 'identity.of');
  const plan = planOf(web, options.request, 'identity.of');
  const record = findValidRecord(web, req, plan, web.config.clock().getTime());
  return record && identityOf(record);
}

/**
 * Lets a request through only with a confirmed identity that is enough. Without one, a page is led to the start and all
 * others get a 401; one that is not enough is a 403.
 */
export function guard(web: RouteContext, options: RequireOptions = {}): Guard {
  knownOptions(options, ['maxAge', 'request', 'allow'], 'identity.require');
  const { maxAge, request } = options;
  const allow = reportErrorsOf(
    web.config.mode,
    'allow',
    optionalFunction(options.allow, 'identity.require: allow'),
  );
  const plan = planOf(web, request, 'identity.require');
  const age = optionalDuration(maxAge, 'identity.require: maxAge') ?? Infinity;
  return handler((req, res, next) => {
    const now = web.config.clock().getTime();
    const record = findValidRecord(web, req, plan, now);
    if (record === undefined || !(record.verifiedAt >= now - age)) {
      denyUnverified(web, req, res, plan.name, record === undefined ? 'identity_required' : 'identity_stale');
    } else if (allow === undefined || allows(web, () => allow(record.kept, req))) next();
    else return denyInsufficient(web, req, res);
    return undefined;
  });
}

/** Erases what this session has kept. */
export async function forget(web: RouteContext, req: AppRequest): Promise<void> {
  refuseWithoutSession(web);
  await eraseKept(req, web.key);
}

/** Only `true` opens: what throws, or answers later, lets nobody in. */
function allows({ log }: RouteContext, ask: () => unknown): boolean {
  try {
    const answer = ask();
    if (typeof answer === 'boolean') return answer;
    ignoreRejection(answer);
    log.once('identity.require: allow must return true or false, and no Promise. Nobody is let in.');
  } catch (cause) {
    log.fault(kitError('hook_failed', { message: 'identity.require: allow failed.', cause }));
  }
  return false;
}

/** No way into a new verification: the same person would arrive here again, for ever. */
async function denyInsufficient(web: RouteContext, req: AppRequest, res: Response): Promise<void> {
  protect(res);
  const error = new IdentityError('identity_insufficient');
  const { code, status } = error;
  if (req.accepts(['json', 'html']) !== 'html') sendJsonError(res, error);
  else await sendPage(web, req, res, (site) => errorPage(site, { status, code, start: undefined }));
}

function denyUnverified(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  request: string,
  code: 'identity_required' | 'identity_stale',
): void {
  res.set('Cache-Control', 'no-store');
  const start = startAddress(web, req, request);
  if (req.method === 'GET' && start !== undefined && req.accepts(['json', 'html']) === 'html') {
    // An address that could not be gone back to must not end on an error.
    const returnTo = safePath(req.originalUrl, baseOf(web, req));
    send.redirect(res, startAddress(web, req, request, returnTo) ?? start);
  } else sendJsonError(res, new IdentityError(code), { start });
}

/** Only reads: what does not count any more stays where it is until the next write of the session. */
function findValidRecord(
  web: RouteContext,
  req: AppRequest,
  plan: RequestConfiguration,
  now: number,
): KeptRecord | undefined {
  const question = web.flow.questionOf(plan);
  const marked = markedAsVerified(req, web.testMark, plan.name);
  if (marked !== undefined) return recordForTest(marked, question, web.config.origins[0]);
  const all = readKept(sessionOf(req), web.key);
  const record = Object.hasOwn(all, plan.name) ? all[plan.name] : undefined;
  // Nor if the clock returned no time.
  if (record === undefined || !(endOf(record, plan.keepFor) > now)) return undefined;
  if (record.question !== question || !web.config.isOwnOrigin(record.origin)) return undefined;
  const mine = web.config.subject === undefined || record.subject === subjectOf(web, req);
  return mine ? record : undefined;
}

/** What a test has made up: it is no secret that this proves nothing. */
function recordForTest({ kept, verifiedAt }: MarkedAsVerified, question: string, origin: string): KeptRecord {
  const receipt = { id: 'made-up-by-asVerified', presentationSha256: '' };
  return {
    issuer: sandboxIssuer,
    sandbox: true,
    verifiedAt: verifiedAt.getTime(),
    receipt,
    kept,
    until: Infinity,
    releasedAt: verifiedAt.getTime(),
    question,
    origin,
  };
}

function identityOf({
  issuer,
  sandbox,
  verifiedAt,
  receipt,
  kept: value,
}: KeptRecord): KeptIdentity<unknown> {
  return { issuer, sandbox, verifiedAt: new Date(verifiedAt), receipt, kept: value };
}

function planOf(web: RouteContext, request: string | undefined, caller: string): RequestConfiguration {
  refuseWithoutSession(web);
  const plan = web.config.requests.get(request ?? 'default');
  if (plan !== undefined) return plan;
  throw request === undefined
    ? requestIsMissing(web, caller)
    : configInvalid(`There is no request named ${request}.`);
}

function refuseWithoutSession({ config }: RouteContext): void {
  if (config.confirm !== 'callback') return;
  throw configInvalid("Nothing enters the session with the option confirm: 'callback'.");
}

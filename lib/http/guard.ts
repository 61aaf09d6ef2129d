import type { NextFunction, Request, Response } from 'express';
import { configInvalid, IdentityError } from '../errors.js';
import {
  invalid,
  knownOptions,
  nearMiss,
  optionalBoolean,
  optionalDuration,
  optionalFunction,
} from '../internal/validate.js';
import type { AppRequest } from '../options/options.js';
import type { Duration } from '../internal/timeouts.js';
import { questionDigestOf } from '../flow/flow.js';
import { returnToPath } from '../internal/urls.js';
import type { ResolvedQuestion } from '../options/questions.js';
import type { KeptIdentity } from '../options/result-types.js';
import { subjectOf } from './app-functions.js';
import { asyncHandler } from './async-handler.js';
import {
  baseOf,
  inSameLanguage,
  ownAddress,
  questionIsMissing,
  whyNoQuestion,
  staleReason,
  startAddress,
  type Exchange,
  type FindKept,
  type Kit,
} from './context.js';
import { errorPage } from './pages/error-page.js';
import { isScript, send, sendJsonError, setSecurityHeaders } from './respond.js';
import { isAllowed, meetsRule } from './rule.js';
import { sendPage } from './send-page.js';
import { forgetKept } from './session/write-session.js';
import { readOwn } from './session/own-data.js';
import { endOf, isFromFuture } from './session/session-data.js';
import { hasResponded, sessionOf } from './session/session.js';

/** What `identity.require` demands. */
export interface RequireOptions<Name extends string = string, Value = unknown> {
  /** How long ago the verification may have been, such as `'30d'`. */
  readonly maxAge?: Duration;
  /** The name of the question. Default: the question without a name. */
  readonly question?: Name | undefined;
  /** A further rule of this guard, after the `allow` of the question: returns true if what was kept is enough here. */
  readonly allow?: (kept: Value, req: AppRequest) => boolean;
  /** Why this page asks: a name in the question's `reasons`. */
  readonly reason?: string | undefined;
  /** A word of yours for people whom `allow` refuses. Their page is in `pages.texts`, beginning with `refused.<word>.title`. */
  readonly refused?: string | undefined;
}

/** Middleware for any route: generic, so that the types of the route's own handlers stay as they are. */
export type Guard = <Params, ResBody, ReqBody, Query>(
  req: Request<Params, ResBody, ReqBody, Query>,
  res: Response<ResBody>,
  next: NextFunction,
) => void;

/**
 * Lets a request through only with a confirmed identity that is enough. Without one, a page is redirected to the
 * start and everything else gets a 401; one that is not enough gets a 403.
 */
export function createGuard(kit: Kit, given: RequireOptions | undefined): Guard {
  const names = ['maxAge', 'question', 'allow', 'reason', 'refused'] as const;
  const options = knownOptions(given, names, 'identity.require:', ['maxAge', 'allow']) as RequireOptions;
  const { config } = kit;
  const question = questionOf(kit, options.question, 'identity.require');
  const { reason } = options;
  checkTexts(kit, question, options);
  const maxAge = optionalDuration(options.maxAge, 'identity.require: maxAge') ?? Infinity;
  const checked = optionalFunction(options.allow, 'identity.require: allow');
  const allow = kit.help.watch('allow', checked);
  const guard = asyncHandler(async (req, res, next) => {
    const now = config.clock().getTime();
    const found = kit.findKept(kit, req, question, now);
    const exchange = { kit, req, res };
    if (found === undefined) {
      denyUnverified(exchange, question, 'identity_required', reason);
      return;
    }
    const { kept, verifiedAt } = found.identity;
    if (!(verifiedAt.getTime() >= now - maxAge)) {
      denyUnverified(exchange, question, 'identity_stale', reason ?? staleReason);
    } else if (
      !meetsRule(kit, req, question, kept) ||
      (allow !== undefined && !isAllowed(kit, 'identity.require: allow', kept, () => allow(kept, req)))
    ) {
      await denyInsufficient(exchange, question.name, options, found.until && found.until - now);
    } else {
      if (allow === undefined && question.allow === undefined) kit.help.sawAdmitted(kit.log, kept, req);
      next();
    }
  });
  // Its answer is typed as nothing, so that an app on Express 4 may take it where no promise is expected.
  return (req, res, next): unknown => {
    // A handler that calls it would go on before the page that says no is sent.
    if (typeof next !== 'function') throw configInvalid(insideHandler);
    // A handler that awaits it goes on when the request is let through, and never otherwise: the guard has answered then, or
    // has handed an error to `next`. It is not rejected either, because Express 5 would forward that a second time.
    return new Promise<void>((goOn) => {
      guard(req as AppRequest, res, (...error: unknown[]) => {
        (next as (...error: unknown[]) => void)(...error);
        if (error.length === 0) goOn();
      });
    });
  };
}

const insideHandler =
  'identity.require() is middleware: put it before the handler of its route, app.get(path, identity.require(), handler). ' +
  'Inside a handler, read identity.of(req).';

/** A name that shows nothing would go unnoticed. */
function checkTexts(
  { config }: Kit,
  { reasons = {} }: ResolvedQuestion,
  { reason, refused }: RequireOptions,
): void {
  if (reason !== undefined && !Object.hasOwn(reasons, reason)) {
    throw invalid(
      'identity.require: reason',
      'must be a name in the reasons of its question',
      nearMiss(`${reason}`, Object.keys(reasons)),
    );
  }
  if (refused === undefined || config.pages.languages.some(({ own }) => own.has(`refused.${refused}.title`)))
    return;
  throw invalid(
    'identity.require: refused',
    `needs texts of that name in pages.texts, such as refused.${refused}.title`,
  );
}

/** What this session has kept of a question, as it is asked now, of the person who is logged in, and whom its rule allows. */
export function getKeptIdentity(
  kit: Kit,
  req: AppRequest,
  options: Pick<RequireOptions, 'question'> & { readonly evenIfRefused?: boolean | undefined } = {},
): KeptIdentity<unknown> | undefined {
  knownOptions(options, ['question', 'evenIfRefused'], 'identity.of');
  const question = questionOf(kit, options.question, 'identity.of');
  const evenIfRefused = optionalBoolean(options.evenIfRefused, 'identity.of: evenIfRefused');
  const identity = kit.findKept(kit, req, question, kit.config.clock().getTime())?.identity;
  if (identity === undefined || evenIfRefused === true) return identity;
  return meetsRule(kit, req, question, identity.kept) ? identity : undefined;
}

export async function forgetIdentity(kit: Kit, req: AppRequest): Promise<void> {
  refuseWithoutSession(kit);
  try {
    await forgetKept(req, kit);
  } catch (error) {
    if (error instanceof IdentityError) kit.log.fault(error);
    throw error;
  }
}

function denyUnverified(
  { kit, req, res }: Exchange,
  { name }: ResolvedQuestion,
  code: 'identity_required' | 'identity_stale',
  reason: string | undefined,
): void {
  res.set('Cache-Control', 'no-store');
  const start = startAddress(kit, req, name, { reason });
  if (req.method === 'GET' && start !== undefined && isPage(req)) {
    // An address that cannot be returned to must not end in an error.
    const returnTo = returnToPath(req.originalUrl, baseOf(kit, req));
    send.redirect(res, startAddress(kit, req, name, { returnTo, reason }) ?? start);
    return;
  }
  if (req.headers['hx-request'] !== undefined && start !== undefined) {
    const isWholePage = req.method === 'GET' && req.headers['hx-boosted'] === 'true';
    const returnTo = isWholePage ? returnToPath(req.originalUrl, baseOf(kit, req)) : currentPage(kit, req);
    res.set('HX-Redirect', startAddress(kit, req, name, { returnTo, reason }) ?? start);
  }
  sendJsonError(res, new IdentityError(code), { start });
}

/** Whether the browser shows what it gets as a page. */
const isPage = (req: AppRequest): boolean => req.accepts(['json', 'html']) === 'html' && !isScript(req);

/** The page of this app in which htmx is: what it asked for is a part of one, and nothing to come back to. */
function currentPage(kit: Kit, req: AppRequest): string | undefined {
  const base = baseOf(kit, req);
  const url = req.headers['hx-current-url'];
  return typeof url === 'string' && url.startsWith(`${base}/`)
    ? returnToPath(url.slice(base.length), base)
    : undefined;
}

/**
 * Redirects nobody to a new verification: the same person would end up here again and again. Its page has a link for people
 * who have another ID, as a parent has whose child pressed the button.
 */
async function denyInsufficient(
  exchange: Exchange,
  question: string,
  { refused, reason }: RequireOptions,
  keptFor: number | undefined,
): Promise<void> {
  const { kit, req, res } = exchange;
  setSecurityHeaders(res);
  const error = new IdentityError('identity_insufficient');
  const { code, status } = error;
  if (!isPage(req)) sendJsonError(res, error);
  else {
    const isRead = req.method === 'GET';
    const returnTo = isRead ? returnToPath(req.originalUrl, baseOf(kit, req)) : undefined;
    const start = inSameLanguage(exchange, startAddress(kit, req, question, { returnTo, reason }));
    const page = { status, code, start, question, refused, keptFor };
    const address = isRead ? ownAddress(exchange) : undefined;
    await sendPage(
      exchange,
      (site) => {
        if (hasResponded(res)) kit.help.tell(kit.log, answeredBeside);
        return errorPage(site, page);
      },
      send,
      address,
    );
  }
}

const answeredBeside =
  'A guard refuses somebody, and the app has answered before its page was sent. Something calls next beside the guard, or ' +
  'calls the guard and does not wait for it. Only the guard may call next: app.get(path, identity.require(), handler).';

const keptOfNobody =
  'what was kept while nobody was logged in does not count once somebody is logged in, so people verify again: let them ' +
  'log in before they verify, and mount the log-in above the router.';

/** Only reads: what no longer counts stays where it is until the next write of the session. */
export const findKept: FindKept = (kit, req, question, now) => {
  const { kept: all } = readOwn(sessionOf(req), kit);
  const record = Object.hasOwn(all, question.name) ? all[question.name] : undefined;
  if (record === undefined) return undefined;
  const until = endOf(record, question.keepFor);
  // Not `<=`: if the clock returned no time, `now` is NaN, and the result must not count.
  if (!(until > now)) return undefined;
  if (isFromFuture(record, now)) return undefined;
  if (record.asked !== questionDigestOf(kit.flow, question) || !kit.config.isOwnOrigin(record.origin))
    return undefined;
  if (kit.config.subject !== undefined && record.subject !== subjectOf(kit, req)) {
    if (record.subject === undefined) kit.help.tell(kit.log, keptOfNobody);
    return undefined;
  }
  const { issuer, sandbox, verifiedAt, receipt, kept } = record;
  return { identity: { issuer, sandbox, verifiedAt: new Date(verifiedAt), receipt, kept }, until };
};

function questionOf(kit: Kit, name: string | undefined, caller: string): ResolvedQuestion {
  refuseWithoutSession(kit);
  const question = kit.config.questions.get(name ?? 'default');
  if (question !== undefined) return question;
  throw name === undefined ? questionIsMissing(kit, caller) : configInvalid(whyNoQuestion(kit, name));
}

function refuseWithoutSession({ config }: Kit): void {
  if (config.confirm !== 'callback') return;
  throw configInvalid(
    "With the option confirm: 'callback' nothing is stored in the session, so there is nothing to read. Remove that option to use this function.",
  );
}

import type { Response } from 'express';
import { IdentityError, kitError } from '../errors.js';
import {
  type ReturnCode,
  type ReturnOutcome,
  type ReturnStop,
  type Visit,
  toIdentityError,
} from '../flow/flow.js';
import type { AppRequest } from '../options/options.js';
import type { IdentityPage } from '../options/pages/page-options.js';
import { isListedCode } from '../service/contract.js';
import {
  startAddress,
  publicPath,
  queryOf,
  retryableOf,
  type Exchange,
  type RouteContext,
} from './context.js';
import { unknownState } from './log.js';
import { errorPage, returnRedirectPage, startAgainPage, tryAgainPage } from './pages/error-page.js';
import type { PageContext } from './pages/page-model.js';
import { hintsFor, sendError, sendPage } from './send-page.js';
import { retryAfter, send, sendWithSession } from './respond.js';
import { findSetUpMistakes } from './setup-diagnostics.js';
import { subjectOf } from './app-functions.js';
import { type Regeneration, prepareRegeneration } from './session/regenerate.js';
import { type SessionFlow, readOwn } from './session/session-data.js';
import { hasResponded, sessionIdOf, sessionOf, stored } from './session/session.js';
import { checkKept, putKept } from './session/write-session.js';

/** A browser that came back. */
interface Returning extends Exchange {
  readonly code?: ReturnCode;
  /** The flow, where this session owns it. */
  readonly entry?: SessionFlow;
}

/** `GET /return`: the browser is back, with a code, or with the name of an error. */
export async function handleReturn(exchange: Exchange): Promise<void> {
  const { web, req } = exchange;
  const text = queryOf(req, 'code');
  const error = text === undefined ? queryOf(req, 'error') : undefined;
  if (typeof error === 'string') {
    await showError(exchange, isListedCode(web.config.service, error) ? error : 'service_error');
    return;
  }
  const code = web.flow.readCode(text);
  if (code === undefined) {
    await respond(exchange, await web.flow.rejectUnknownCode());
    return;
  }
  try {
    sessionOf(req);
  } catch (missing) {
    await sendError(exchange, missing as IdentityError);
    return;
  }
  try {
    await returnWithCode({ ...exchange, code });
  } catch (fault) {
    await respond({ ...exchange, code }, await web.flow.failReturn(code, fault));
  }
}

type WithCode = Returning & Required<Pick<Returning, 'code'>>;

async function returnWithCode(returning: WithCode): Promise<void> {
  const { web, req, code } = returning;
  const entry = readOwn(sessionOf(req), web.key).flows.find(({ id }) => id === code.id);
  if (entry === undefined) {
    await respond(returning, await judgeUnowned(returning));
  } else if (entry.destination !== undefined) {
    await respond({ ...returning, entry }, await web.flow.repeatReturn(code.id, entry.destination));
  } else await release({ ...returning, entry });
}

/**
 * A session that does not own the flow. A SameSite=Strict cookie does not come with a redirect from another site, but
 * with a step from this one; and the session may have a new id by now. A code is revoked by a browser that has come
 * twice from this site, or once with a session that is still there.
 */
async function judgeUnowned({ web, req, code }: WithCode): Promise<ReturnOutcome> {
  const reloads = reloadsOf(req);
  try {
    // A failing store has not said that this session owns nothing.
    const hasLeft =
      reloads === 0 || ((await stored(req, sessionIdOf(req))) === undefined && reloads < maxReloads);
    if (hasLeft) return { transition: 'session_left', answer: 'reload' };
    return await web.flow.revokeCode(code);
  } catch (fault) {
    return web.flow.failUnownedReturn(code, fault);
  }
}

/** Releases the result into a session with a new id; wherever that stops, the request has its old session again. */
async function release(returning: WithCode & Required<Returning>): Promise<void> {
  const { web, req, res, code, entry } = returning;
  const input = { ...code, state: entry.state, subject: subjectOf(web, req), sessionId: sessionIdOf(req) };
  const session = prepareRegeneration(req, web.key);
  const outcome = await web.flow.withVisit(input, async (visit) => {
    const saved = await saveResult(returning, visit, session);
    if ('location' in saved) return visit.confirm(saved.location);
    await session.rollback(res);
    return await visit.stop(saved);
  });
  await respond(returning, outcome, session);
}

/** Each step comes after the one before it. A function of the app sees only the session with the new id. */
async function saveResult(
  { web, req, res, code }: WithCode,
  visit: Visit,
  session: Regeneration,
): Promise<{ readonly location: string } | ReturnStop> {
  try {
    if (visit.hasWaited && !(await session.isStored())) return { transition: 'session_left' };
    session.start();
    const success = await visit.runOnSuccess(req);
    if ('transition' in success) return success;
    const kept = await visit.runKeep((result) =>
      web.config.requests.get(result.request)?.keep?.(result as never),
    );
    if (hasResponded(res)) {
      const message = 'onSuccess sent a response itself: return { redirectTo } instead.';
      throw kitError('hook_failed', { message });
    }
    checkKept(web, kept);
    if (res.closed || req.socket.destroyed) {
      return { transition: 'return_abandoned', error: new IdentityError('session_save_failed') };
    }
    if (!(await session.merge())) return { transition: 'session_left' };
    // Computed for the session as it will be: a log-in inside the hook binds what is kept.
    const subject = subjectOf(web, req);
    if (visit.subject !== undefined && visit.subject !== subject) {
      return { transition: 'subject_changed', error: new IdentityError('subject_changed') };
    }
    putKept(web, req, visit, { kept, subject }, { id: code.id, destination: success.location });
    await session.save();
    return success;
  } catch (fault) {
    return { transition: 'return_hook_failed', error: toIdentityError(fault) };
  }
}

/** Answers as the table in flow/transitions.ts says. */
async function respond(returning: Returning, outcome: ReturnOutcome, session?: Regeneration): Promise<void> {
  const { req, res, code } = returning;
  if (hasResponded(res) && outcome.answer !== 'release') return; // by a hook, which was told that it failed
  switch (outcome.answer) {
    case 'release':
      return await sendRelease(res, outcome, session);
    case 'redirect':
      return send.redirect(res, outcome.location);
    case 'try_again':
      return await sendTryAgain(returning, outcome.error);
    case 'reload':
      if (code !== undefined && reloadsOf(req) < maxReloads) return await sendReload(returning, code);
      return await sendStartAgain(returning);
    case 'start_again':
      return await sendStartAgain(returning);
    default:
      return outcome satisfies never;
  }
}

/** The flow ends once the browser has its new session and the old one has ended. */
async function sendRelease(
  res: Response,
  { location, complete }: ReturnOutcome & { answer: 'release' },
  session: Regeneration | undefined,
): Promise<void> {
  let received = false;
  try {
    if (hasResponded(res)) return;
    sendWithSession.redirect(res, location);
    received = (await session?.destroyOldSession(res)) ?? false;
  } finally {
    await complete(received);
  }
}

async function sendTryAgain(exchange: Exchange, error: IdentityError): Promise<void> {
  const { code, status } = error;
  if (status === 503) exchange.res.set('Retry-After', retryAfter);
  const page = { status, code, hints: hintsFor(exchange.web, error) };
  await sendPage(exchange, (site) => tryAgainPage(site, page));
}

async function sendReload(exchange: Exchange, { id, secret }: ReturnCode): Promise<void> {
  const { web, req } = exchange;
  const again = `${web.flow.returnPath}?code=${id}.${secret}&reload=${reloadsOf(req) + 1}`;
  await sendPage(exchange, (site) => returnRedirectPage(site, publicPath(web, req, again)));
}

async function sendStartAgain(returning: Returning): Promise<void> {
  const { web, req, entry } = returning;
  const start = startAddress(web, req, entry?.request, entry);
  const page = { status: 403, start, request: entry?.request, hints: causesFor(web, req) };
  const address = addressOf(returning, 'return_code_invalid'); // the same for everybody (F1)
  await sendPage(returning, (site) => startAgainPage(site, page), send, address);
}

/** One for a SameSite=Strict cookie, and one for a session that got a new id meanwhile. */
const maxReloads = 2;

/** How often this browser was sent on to the same address. */
function reloadsOf(req: AppRequest): number {
  const reloads = queryOf(req, 'reload');
  return reloads === '1' ? 1 : reloads === '2' ? 2 : 0;
}

/** In development, why the browser that started may look like a different one. */
function causesFor({ config }: RouteContext, req: AppRequest): string[] {
  if (config.mode !== 'development') return [];
  const found = findSetUpMistakes(req);
  return found.length > 0 ? found : [likelyCauses];
}

const likelyCauses =
  'if this browser started the verification, its session cookie was not sent. Likely causes: localhost mixed with ' +
  '127.0.0.1, a Secure cookie on http, "trust proxy" not set, or several processes with different session secrets, or with sessions or flows in memory.';

/**
 * The error is in the address: the browser was sent here with it, or a page of the kit just reported it. Only the session
 * that owns the flow learns what the person was doing, and the app's own word for a refusal.
 */
async function showError(exchange: Exchange, code: string): Promise<void> {
  const { web, req, res } = exchange;
  const unfinished = flowsOf(exchange).filter(({ destination }) => destination === undefined);
  const own = unfinished.find(({ id }) => id === queryOf(req, 'flow'));
  const refused = own && code === 'refused' ? await refusalOf(web, own) : undefined;
  // An address of the kit's own, or the one that all ended flows share, names no flow: then it is the session's last one.
  const last = own ?? unfinished.at(-1);
  if (web.config.errorRedirect !== undefined && !startAgainCodes.has(code)) {
    const error = { code, ...(refused !== undefined && { serviceCode: refused }) };
    const about = code === 'state_unknown' ? last : own;
    send.redirect(res, publicPath(web, req, web.flow.appErrorAddress(error, about)));
    return;
  }
  const start = startAddress(web, req, last?.request, last);
  const page = { status: 200, start, request: last?.request, refused };
  const retryable = retryableOf(web, code);
  const make = (site: PageContext): IdentityPage =>
    startAgainCodes.has(code)
      ? startAgainPage(site, { ...page, hints: causesFor(web, req) })
      : errorPage(site, { ...page, code, retryable, hints: whyFailed(exchange, code) });
  await sendPage(exchange, make, send, addressOf(exchange, code, own));
}

/** An address without a code that shows the same page. */
function addressOf({ web, req }: Exchange, error: string, own?: SessionFlow): string {
  const about = own === undefined ? '' : `&flow=${own.id}`;
  return publicPath(web, req, `${web.flow.returnPath}?error=${error}${about}`);
}

/** A store that fails costs no page. */
async function refusalOf({ flow }: RouteContext, { state }: SessionFlow): Promise<string | undefined> {
  return await flow.refusalOf(state).catch(() => undefined);
}

/** The flows of the request's session, where there is one. */
function flowsOf({ web, req }: Exchange): readonly SessionFlow[] {
  const { session } = req as AppRequest & { session?: Record<string, unknown> | null };
  return readOwn(session ?? {}, web.key).flows;
}

/** In development, what was logged about a flow of this session. */
function whyFailed(exchange: Exchange, code: string): string[] {
  const { config, log } = exchange.web;
  if (config.mode !== 'development') return [];
  if (code === 'state_unknown') return [unknownState];
  const told = flowsOf(exchange)
    .map(({ id }) => log.lastOf(id))
    .findLast((line) => line?.code === code);
  return told === undefined ? [] : [`${told.sentence} See pidgate/docs/errors.md#${code}.`];
}

const startAgainCodes: ReadonlySet<string> = new Set([
  'return_code_invalid',
  'return_wrong_browser',
  'subject_changed',
]);

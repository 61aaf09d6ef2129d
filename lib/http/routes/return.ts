import type { Response } from 'express';
import { type IdentityError, isKitErrorCode } from '../../errors.js';
import type { Arrival, ReturnCode } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import { isServiceErrorCode } from '../../service/prove/errors.js';
import { errorPage, startAgainPage } from '../pages/error-page.js';
import { fail } from '../reply/send-error.js';
import { sendPage } from '../reply/page.js';
import { subjectOf } from '../request/subject.js';
import { type SessionFlow, readOwn } from '../session/session-data.js';
import { sessionIdOf, sessionOf, stored } from '../session/session.js';
import { queryOf, startAddress, type RouteContext } from '../context.js';
import { sessionHandover } from './handover.js';
import { unknownState } from '../log.js';
import { type Returning, answerReturn, causesFor, hopsOf, maxRedirects } from './return-response.js';

/** `GET /return`: the browser is back, with a code, or with the name of an error. */
export async function handleReturn(web: RouteContext, req: AppRequest, res: Response): Promise<void> {
  const given = queryOf(req, 'code');
  const error = given === undefined ? queryOf(req, 'error') : undefined;
  if (typeof error === 'string') {
    await showError(web, req, res, closedCode(error));
    return;
  }
  const code = web.flow.readCode(given);
  if (code === undefined) {
    await answerReturn({ web, req, res }, await web.flow.rejectUnknownCode());
    return;
  }
  try {
    sessionOf(req);
  } catch (missing) {
    await fail(web, req, res, missing as IdentityError);
    return;
  }
  const returning = { web, req, res, code };
  try {
    await arrive(returning);
  } catch (fault) {
    await answerReturn(returning, await web.flow.failReturn(code, fault));
  }
}

type WithCode = Returning & { readonly code: ReturnCode };

async function arrive(returning: WithCode): Promise<void> {
  const { web, req, code } = returning;
  const own = readOwn(sessionOf(req), web.key);
  const entry = own.flows.find((it) => it.id === code.id);
  if (entry === undefined) {
    await arriveWithout(returning);
    return;
  }
  if (entry.destination === undefined) await release({ ...returning, entry });
  else await answerReturn(returning, await web.flow.repeated(code.id, entry.destination));
}

/**
 * A session that does not own the flow. A SameSite=Strict cookie does not come with a redirect from another site, but
 * with a step from this one; and the session may have a new id by now. A code is revoked by a browser that has come
 * twice from this site, or once with a session that is still there.
 */
async function arriveWithout(returning: WithCode): Promise<void> {
  const { web, req, code } = returning;
  const hops = hopsOf(req);
  let arrival: Arrival;
  try {
    // A store that fails has not said that this session owns nothing.
    const hasLeft =
      hops === 0 || ((await stored(req, sessionIdOf(req))) === undefined && hops < maxRedirects);
    arrival = hasLeft ? { transition: 'session_left' } : await web.flow.arriveElsewhere(code);
  } catch (fault) {
    arrival = web.flow.unavailable(code, fault);
  }
  await answerReturn(returning, arrival);
}

async function release(returning: WithCode & { readonly entry: SessionFlow }): Promise<void> {
  const { web, req, res, code, entry } = returning;
  const handover = sessionHandover(web, req, res, code);
  const ids = { id: code.id, state: entry.state, secret: code.secret, sessionId: sessionIdOf(req) };
  const visit = { ...ids, subject: subjectOf(web, req), req };
  let arrival: Arrival;
  try {
    arrival = await web.flow.confirm(visit, handover);
  } catch (fault) {
    arrival = await web.flow.failReturn(code, fault);
  }
  let received = false;
  try {
    received = await answerReturn(returning, arrival, handover.saved());
  } finally {
    await arrival.complete?.(received);
  }
}

/** The address names the error: it was sent here with it, or another page of the kit has just said so. */
async function showError(web: RouteContext, req: AppRequest, res: Response, code: string): Promise<void> {
  const start = startAgain(web, req);
  const page = { status: 200, start };
  await sendPage(web, req, res, (site) =>
    startAgainCodes.has(code)
      ? startAgainPage(site, { ...page, hints: causesFor(web, req) })
      : errorPage(site, { ...page, code, hints: whyFailed(web, req, code) }),
  );
}

/** In development, what the log was told of a flow of this session. */
function whyFailed({ config, key, log }: RouteContext, req: AppRequest, code: string): string[] {
  if (config.mode !== 'development') return [];
  if (code === 'state_unknown') return [unknownState];
  const { session } = req as AppRequest & { session?: Record<string, unknown> | null };
  const told = readOwn(session ?? {}, key)
    .flows.map(({ id }) => log.lastOf(id))
    .findLast((it) => it?.code === code);
  return told === undefined ? [] : [`${told.sentence} See pidgate/docs/errors/${code}.md.`];
}

const startAgainCodes: ReadonlySet<string> = new Set([
  'return_code_invalid',
  'return_wrong_browser',
  'subject_changed',
]);

/** Only a code of the closed list is taken from an address. */
function closedCode(code: string): string {
  return isKitErrorCode(code) || isServiceErrorCode(code) ? code : 'service_error';
}

/** Where the verification that failed began: the address names no flow, so it is the session's last one. */
function startAgain(web: RouteContext, req: AppRequest): string | undefined {
  const { session } = req as AppRequest & { session?: Record<string, unknown> | null };
  const last = readOwn(session ?? {}, web.key).flows.findLast((it) => it.destination === undefined);
  return startAddress(web, req, last?.request ?? 'default', last?.returnTo);
}

import type { Response } from 'express';
import { IdentityError } from '../../errors.js';
import type { Arrival, ReturnCode } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import { hopPage, startAgainPage, tryAgainPage } from '../pages/error-page.js';
import { hintsFor } from '../reply/send-error.js';
import { sendPage } from '../reply/page.js';
import { send, sendWithSession } from '../reply/senders.js';
import { setUpFaults } from '../request/setup-diagnostics.js';
import type { SessionFlow } from '../session/session-data.js';
import type { RegeneratedSession } from '../session/regenerate.js';
import { publicPath, queryOf, retryAfter, startAddress, type RouteContext } from '../context.js';

/** A browser that came back. */
export interface Returning {
  readonly web: RouteContext;
  readonly req: AppRequest;
  readonly res: Response;
  readonly code?: ReturnCode;
  /** The flow, where this session owns it. */
  readonly entry?: SessionFlow;
}

/** A SameSite=Strict cookie takes one, a session that got a new id meanwhile another. */
export const maxRedirects = 2;

/**
 * Answers a return. Where the session has got a new id, waits until the browser has that and the old session has ended;
 * true where both came about.
 */
export async function answerReturn(
  returning: Returning,
  arrival: Arrival,
  renewal?: RegeneratedSession,
): Promise<boolean> {
  const { web, req, res, code, entry } = returning;
  const { transition, location, error } = arrival;
  if (res.headersSent) return false; // by a hook, which was told that it failed
  const reply = renewal === undefined ? send : sendWithSession;
  if (location !== undefined) reply.redirect(res, location);
  else if (transition === 'session_left' && code !== undefined && hopsOf(req) < maxRedirects) {
    const again = `${web.flow.returnPath}?code=${code.id}.${code.secret}&hop=${hopsOf(req) + 1}`;
    await sendPage(web, req, res, (site) => hopPage(site, publicPath(web, req, again)));
  } else if (web.flow.answerTo(arrival) === 'try_again') {
    const { code: name, status } = error ?? new IdentityError('busy');
    if (status === 503) res.set('Retry-After', retryAfter);
    const hints = error === undefined ? [] : hintsFor(web, error);
    await sendPage(web, req, res, (site) => tryAgainPage(site, { status, code: name, hints }), reply);
  } else {
    const start = startAddress(web, req, entry?.request ?? 'default', entry?.returnTo);
    await sendPage(web, req, res, (site) =>
      startAgainPage(site, { status: 403, start, hints: causesFor(web, req) }),
    );
  }
  return (await renewal?.destroyOldSession(res)) ?? false;
}

/** How often this browser was sent on to the same address. */
export function hopsOf(req: AppRequest): number {
  const hops = queryOf(req, 'hop');
  return hops === '1' ? 1 : hops === '2' ? 2 : 0;
}

/** In development, why a browser that did start may look as if it had not. */
export function causesFor({ config }: RouteContext, req: AppRequest): string[] {
  return config.mode === 'development' ? [...setUpFaults(req), likelyCauses] : [];
}

const likelyCauses =
  'if this is the browser that started, its session cookie did not come along. Likely causes: localhost against ' +
  '127.0.0.1, a Secure cookie on http, "trust proxy" not set, or two processes with a session store in memory.';

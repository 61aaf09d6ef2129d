import type { Response } from 'express';
import { IdentityError, kitError } from '../../errors.js';
import { StartFailed } from '../../flow/flow.js';
import { knownOptions } from '../../internal/former-validate.js';
import type { AppRequest } from '../../options/options.js';
import { safePath } from '../../internal/urls.js';
import type { RequestConfiguration } from '../../options/named-requests.js';
import {
  type StartOptions,
  byOwnForm,
  isByOwnForm,
  judgeReturnTo,
  requestNamed,
  startRequestOf,
} from '../request/start-input.js';
import { fail, sendJsonError, wantsJson } from '../reply/send-error.js';
import { protect } from '../reply/headers.js';
import { fromThisApp } from '../request-origin.js';
import { walletPage } from '../pages/error-page.js';
import { startPage } from '../pages/start-page.js';
import { sendPage } from '../reply/page.js';
import { watchResave } from '../request/detect-resave.js';
import { setUpFaults } from '../request/setup-diagnostics.js';
import { send, sendWatched, sendWithSession } from '../reply/senders.js';
import { addFlow } from '../session/add-flow.js';
import { baseOf, publicPath, queryOf, startAddress, startPath, type RouteContext } from '../context.js';

/** `GET /start`: the page that tells what is asked. Nothing happens before its button. */
export async function showStart(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  request: RequestConfiguration,
): Promise<void> {
  await answering(web, req, res, async () => {
    const returnTo = judgeReturnTo(web, req, queryOf(req, 'returnTo'));
    await renderStartPage(web, req, res, request, { action: startAddress(web, req, request.name, returnTo) });
  });
}

/** `GET /start` where the options ask nothing at their top: only the questions in `requests` have a start. */
export async function showNoQuestion(web: RouteContext, req: AppRequest, res: Response): Promise<void> {
  const starts = [...web.config.requests.keys()].map((name) => startPath(web, name)).join(', ');
  const message = `Without reveal at the top of the options there is no start without a name, only ${starts}.`;
  await fail(web, req, res, kitError('not_found', { message }));
}

/** `POST /start`. */
export async function start(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  request: RequestConfiguration,
): Promise<void> {
  await answering(web, req, res, async () => {
    if (fromThisApp(req, web.config.origins)) {
      await startVerification(web, req, res, { request: request.name });
      return;
    }
    const returnTo = judgeReturnTo(web, req, queryOf(req, 'returnTo'));
    await refuseForeign(web, req, res, request, startAddress(web, req, request.name, returnTo));
  });
}

/** `identity.start()`, in a `POST` route of the app. */
export async function startFrom(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  overrides: StartOptions = {},
): Promise<void> {
  protect(res);
  if (req.method !== 'POST') {
    res.set('Allow', 'POST');
    sendJsonError(res, new IdentityError('method_not_allowed'));
    return;
  }
  await answering(web, req, res, async () => {
    knownOptions(overrides, ['request', 'returnTo', 'sameDevice', 'context'], 'identity.start');
    if (fromThisApp(req, web.config.origins)) await startVerification(web, req, res, overrides);
    else await refuseForeign(web, req, res, requestNamed(web, overrides.request), thisAddress(web, req));
  });
}

async function startVerification(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  overrides: StartOptions,
): Promise<void> {
  const input = await startRequestOf(web, req, res, overrides);
  const { redirectUrl, flowId, expiresAt } = await web.flow.start(input, async (entry) => {
    await addFlow(web, req, entry);
  });
  if (wantsJson(req)) {
    sendWithSession.json(res, 200, { redirectUrl, flowId, expiresAt: new Date(expiresAt).toISOString() });
  } else if (isByOwnForm(req) || !namesHtml(req)) sendWithSession.redirect(res, redirectUrl);
  // Chromium applies the form-action of the app's page to a redirect, and not to where the next page goes by itself.
  else await sendPage(web, req, res, (site) => walletPage(site, redirectUrl), sendWithSession);
}

/** Every browser that sends a form does; a program that takes whatever comes can follow a redirect. */
function namesHtml({ headers }: AppRequest): boolean {
  return headers.accept?.toLowerCase().includes('text/html') === true;
}

/** Where the app's own route is: its page's form comes back there, because only that route knows its overrides. */
function thisAddress(web: RouteContext, req: AppRequest): string | undefined {
  const path = safePath(req.originalUrl, baseOf(web, req));
  return path === undefined ? undefined : publicPath(web, req, path);
}

/** Another site's page, or no page at all, sent this POST: nothing happens, a person gets the start page. */
async function refuseForeign(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  request: RequestConfiguration,
  action?: string,
): Promise<void> {
  if (wantsJson(req) || !req.accepts('html')) sendJsonError(res, new IdentityError('cross_site'));
  else await renderStartPage(web, req, res, request, { action, refused: true });
}

async function renderStartPage(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  request: RequestConfiguration,
  { action, refused = false }: { action: string | undefined; refused?: boolean },
): Promise<void> {
  const { config } = web;
  const keepFor = config.confirm === 'return' ? request.keepFor : undefined;
  // Under no-referrer the form would send `Origin: null`.
  res.set('Referrer-Policy', 'same-origin');
  const sandbox = config.sandboxIssuers.has(request.issuer);
  const { hints, watched } = config.mode === 'development' ? await lookAtSetUp(web, req) : { hints: [] };
  const form = action === undefined ? '' : byOwnForm(action);
  const page = { request, keepFor, sandbox, action: form, hints, refused };
  await sendPage(web, req, res, (site) => startPage(site, page), watched ? sendWatched : send);
}

const resaving = new WeakSet<RouteContext>();

/** In development: what is wrong with session, cookie and proxy, before it costs the developer a lost return. */
async function lookAtSetUp(
  web: RouteContext,
  req: AppRequest,
): Promise<{ hints: string[]; watched?: boolean }> {
  const hints = [...setUpFaults(req), ...(resaving.has(web) ? [resaves] : [])];
  for (const hint of hints) web.log.once(hint);
  // What the app's own template writes into the session would look like resave, and be saved.
  if (web.config.pages.render !== undefined) return { hints };
  // Seen at the end of this response: told in the terminal now, and on the next page.
  const watched = await watchResave(req, () => {
    resaving.add(web);
    web.log.once(resaves);
  });
  return { hints, watched };
}

const resaves =
  'The session middleware saves sessions that nothing has changed: a slow request brings back a session that was ' +
  'ended meanwhile. Set resave: false.';

/** Answers the person whatever goes wrong; what is not just a wrong request is an event. */
async function answering(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StartFailed) {
      const { redirectTo, retry, inSession } = error;
      const sender = inSession ? sendWithSession : send;
      await fail(web, req, res, error.error, { redirectTo, retry, sender }); // already told
      return;
    }
    if (!(error instanceof IdentityError)) throw error;
    if (error.status >= 500 || error.code === 'origin_not_allowed') web.flow.startImpossible(error);
    await fail(web, req, res, error);
  }
}

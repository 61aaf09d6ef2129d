import { IdentityError, kitError } from '../errors.js';
import { StartFailed } from '../flow/flow.js';
import { knownOptions } from '../internal/validate.js';
import type { AppRequest } from '../options/options.js';
import type { RequestConfiguration } from '../options/named-requests.js';
import { safePath } from '../internal/urls.js';
import {
  baseOf,
  chosenLanguage,
  isFromThisApp,
  ownAddress,
  publicPath,
  queryOf,
  startAddress,
  startPath,
  type Exchange,
} from './context.js';
import { walletPage } from './pages/error-page.js';
import { startPage } from './pages/start-page.js';
import {
  isNavigation,
  send,
  sendJsonError,
  sendWithSession,
  setSecurityHeaders,
  wantsJson,
} from './respond.js';
import { hintIn, lastLanguage, sendError, sendPage } from './send-page.js';
import { addFlow } from './session/write-session.js';
import { checkSetUp } from './setup-diagnostics.js';
import {
  type StartOptions,
  checkReturnTo,
  isKitForm,
  kitFormAddress,
  readStartInput,
  reasonOf,
  requestNamed,
} from './start-input.js';

/** `GET /start`: the page that says what is requested. Nothing happens until its button is pressed. */
export async function showStart(exchange: Exchange, request: RequestConfiguration): Promise<void> {
  await sendErrors(exchange, request.name, () =>
    sendStartPage(exchange, request, kitAddress(exchange, request)),
  );
}

/** `GET /start` where the options have no question at their top: only those in `requests` have a start. */
export async function showNoQuestion(exchange: Exchange): Promise<void> {
  const { web } = exchange;
  const starts = [...web.config.requests.keys()].map((name) => startPath(web, name)).join(', ');
  const message = `The options have no reveal at their top, so every start needs the name of a request: ${starts}.`;
  await sendError(exchange, kitError('not_found', { message }));
}

/** `POST /start`. */
export async function startRequest(exchange: Exchange, request: RequestConfiguration): Promise<void> {
  await sendErrors(exchange, request.name, async () => {
    if (isFromThisApp(exchange)) await startFlow(exchange, { request: request.name });
    else await refuseCrossSite(exchange, request, kitAddress(exchange, request));
  });
}

/** `identity.start()`, in a `POST` route of the app. */
export async function startFromRoute(exchange: Exchange, overrides: StartOptions = {}): Promise<void> {
  const { web, req, res } = exchange;
  setSecurityHeaders(res);
  if (req.method !== 'POST') {
    res.set('Allow', 'POST');
    sendJsonError(res, new IdentityError('method_not_allowed'));
    return;
  }
  await sendErrors(exchange, overrides.request ?? 'default', async () => {
    knownOptions(overrides, ['request', 'returnTo', 'sameDevice', 'context'], 'identity.start');
    if (isFromThisApp(exchange)) await startFlow(exchange, overrides);
    else await refuseCrossSite(exchange, requestNamed(web, overrides.request), ownAddress(exchange));
  });
}

async function startFlow(exchange: Exchange, overrides: StartOptions): Promise<void> {
  const { web, req, res } = exchange;
  const input = await readStartInput(exchange, overrides);
  const lang = chosenLanguage(web, req) ?? lastLanguage(web, req);
  const { redirectUrl, flowId, expiresAt } = await web.flow.start(input, (entry) =>
    addFlow(web, req, { ...entry, lang }),
  );
  if (wantsJson(req)) {
    sendWithSession.json(res, 200, { redirectUrl, flowId, expiresAt: new Date(expiresAt).toISOString() });
  } else if (isKitForm(req) || !isNavigation(req)) sendWithSession.redirect(res, redirectUrl);
  // Chromium applies the form-action of the app's page to a redirect, and not to where the next page goes by itself.
  else await sendPage(exchange, (site) => walletPage(site, redirectUrl), sendWithSession);
}

/** Another site's page, or no page at all, sent this POST: nothing happens, a person gets the start page. */
async function refuseCrossSite(
  exchange: Exchange,
  request: RequestConfiguration,
  address: string | undefined,
): Promise<void> {
  const { web, req, res } = exchange;
  const start = startAddress(web, req, request.name) ?? 'the page with the button';
  const message = `A page of another origin sent this: it may link to ${start}, and not post or fetch it.`;
  const error = kitError('cross_site', { message });
  if (wantsJson(req) || !req.accepts('html')) sendJsonError(res, error, hintIn(web, error));
  else await sendStartPage(exchange, request, address, true);
}

async function sendStartPage(
  exchange: Exchange,
  request: RequestConfiguration,
  address: string | undefined,
  refused = false,
): Promise<void> {
  const { config } = exchange.web;
  const keepFor = config.confirm === 'return' ? request.keepFor : undefined;
  const sandbox = config.sandboxIssuers.has(request.issuer);
  const action = address === undefined ? '' : kitFormAddress(address);
  // Under no-referrer the form would send `Origin: null`.
  exchange.res.set('Referrer-Policy', 'same-origin');
  const inDevelopment = config.mode === 'development';
  const { hints, sender } = inDevelopment ? await checkSetUp(exchange) : { hints: [], sender: send };
  const reason = reasonOf(exchange.req, request);
  const verifiedAt = verifiedAtOf(exchange, request);
  const isEnough = verifiedAt !== undefined && reason === undefined;
  const onward = isEnough ? onwardPath(exchange, request) : undefined;
  const page = { request, keepFor, sandbox, action, reason, verifiedAt, onward, hints, refused };
  await sendPage(exchange, (site) => startPage(site, page), sender, refused ? undefined : address);
}

/** When the result was made that the session still has of this question. */
function verifiedAtOf({ web, req }: Exchange, request: RequestConfiguration): Date | undefined {
  const { session } = req as AppRequest & { session?: object | null };
  if (!Object.hasOwn(session ?? {}, web.key) || web.config.confirm === 'callback') return undefined;
  return web.findKept(web, req, request, web.config.clock().getTime())?.verifiedAt;
}

/** Where this start would end, for a person who need not verify again. */
function onwardPath({ web, req }: Exchange, { successRedirect }: RequestConfiguration): string {
  return publicPath(web, req, safePath(queryOf(req, 'returnTo'), baseOf(web, req)) ?? successRedirect);
}

/**
 * Where the kit's own start route is, with the query of this request: `context` reads it when the form comes. Of
 * `returnTo` and the reason only what was checked.
 */
function kitAddress({ web, req }: Exchange, request: RequestConfiguration): string | undefined {
  const returnTo = checkReturnTo(web, req, queryOf(req, 'returnTo'));
  const address = startAddress(web, req, request.name, { returnTo, reason: reasonOf(req, request) });
  const [, query = ''] = /\?(.*)/s.exec(req.originalUrl) ?? [];
  const own = [...new URLSearchParams(query)].filter(([name]) => !/^(returnTo|reason|form)(\[|$)/.test(name));
  if (address === undefined || own.length === 0) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(own).toString()}`;
}

/** The person gets a response whatever goes wrong; anything but a malformed request is an event. */
async function sendErrors(exchange: Exchange, request: string, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    if (error instanceof StartFailed) {
      await sendError(exchange, error.error, error, error.inSession ? sendWithSession : send); // already told
      return;
    }
    if (!(error instanceof IdentityError)) throw error;
    if (error.status >= 500 || error.code === 'origin_not_allowed') exchange.web.flow.startImpossible(error);
    await sendError(exchange, error, { retry: { request } });
  }
}

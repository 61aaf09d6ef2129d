import type { Response } from 'express';
import { IdentityError } from '../errors.js';
import { report } from '../flow/hooks.js';
import { StartFailed, begin, type Beginning, type FlowEntry } from '../flow/start.js';
import type { AppRequest } from '../options.js';
import type { Json } from '../ports.js';
import { sandboxIssuer } from '../protocol/issuers.js';
import { safePath } from '../protocol/safe-path.js';
import type { RequestConfiguration } from '../resolve-options.js';
import { fail, wantsJson } from './fail.js';
import { readForm } from './form.js';
import { fromThisApp, originOf } from './origin.js';
import { readOwn, withFlow } from './own-data.js';
import { sendPage } from './pages/page.js';
import { startPage } from './pages/start-page.js';
import { looksMobile } from './same-device.js';
import { refresh, save, sessionIdOf, sessionOf } from './session.js';
import { subjectOf } from './subject.js';
import { startAddress, type Web } from './web.js';

/** What a start in the app's own code may set. */
export interface StartOverrides {
  /** The named request. */
  readonly request?: string | undefined;
  /** Path of this app to end at. */
  readonly returnTo?: string | undefined;
  readonly sameDevice?: boolean | undefined;
  /** In place of the option `context`. */
  readonly context?: unknown;
}

const formLimit = 16 * 1024;

/** `GET /start`: the page that tells what is asked. Nothing happens before its button. */
export async function showStart(web: Web, req: AppRequest, res: Response): Promise<void> {
  try {
    show(web, req, res, {
      request: requestOf(web, req),
      returnTo: judgeReturnTo(web, req, req.query['returnTo']),
    });
  } catch (error) {
    fail(web, req, res, ours(error));
  }
}

/** `POST /start`, and `identity.start()` in the app's own route. */
export async function start(
  web: Web,
  req: AppRequest,
  res: Response,
  overrides: StartOverrides = {},
): Promise<void> {
  let begun = false;
  try {
    if (!fromThisApp(req, web.config.origins)) {
      refuseForeign(web, req, res, overrides);
      return;
    }
    const beginning = await beginningOf(web, req, res, overrides);
    begun = true;
    const { redirectUrl, flowId, expiresAt } = await begin(web.kit, beginning, (entry) =>
      remember(web, req, entry),
    );
    if (wantsJson(req)) res.json({ redirectUrl, flowId, expiresAt: new Date(expiresAt).toISOString() });
    else res.redirect(303, redirectUrl);
  } catch (fault) {
    if (fault instanceof StartFailed) {
      fail(web, req, res, fault.error, fault.redirectTo);
      return;
    }
    const error = ours(fault);
    // What the caller did wrong is the caller's to know; what is wrong here is told to the app.
    const told = begun || error.status >= 500;
    const about = { origin: web.config.origins[0] };
    fail(web, req, res, error, told ? await report(web.kit, 'start_failed', error, about) : undefined);
  }
}

/** Another site's page, or no page at all, sent this POST: nothing happens, a person gets the start page. */
function refuseForeign(web: Web, req: AppRequest, res: Response, overrides: StartOverrides): void {
  if (wantsJson(req) || !req.accepts('html')) {
    fail(web, req, res, new IdentityError('cross_site'));
    return;
  }
  const request = requestOf(web, req, overrides.request);
  show(web, req, res, { request, returnTo: judgeReturnTo(web, req, req.query['returnTo']), refused: true });
}

function show(
  web: Web,
  req: AppRequest,
  res: Response,
  shown: { request: RequestConfiguration; returnTo: string | undefined; refused?: boolean },
): void {
  const { config } = web;
  const { request, returnTo, refused = false } = shown;
  const action = startAddress(web, request.name, returnTo) ?? req.originalUrl;
  const keepFor = config.confirm === 'return' ? config.keepFor : undefined;
  // Under no-referrer the form would send `Origin: null`.
  res.set('Referrer-Policy', 'same-origin');
  sendPage(res, startPage({ request, action, keepFor, sandbox: config.issuer === sandboxIssuer, refused }));
}

async function beginningOf(
  web: Web,
  req: AppRequest,
  res: Response,
  overrides: StartOverrides,
): Promise<Beginning> {
  const plan = requestOf(web, req, overrides.request);
  const origin = requestOrigin(web, req);
  const asked = overrides.returnTo ?? req.query['returnTo'] ?? (await returnToOfForm(req, res));
  const returnTo = judgeReturnTo(web, req, asked);
  sessionOf(req);
  const subject = subjectOf(web, req);
  const context = contextOf(web, req, overrides);
  return {
    plan,
    origin,
    sameDevice: overrides.sameDevice ?? sameDevice(web, req),
    ...(returnTo !== undefined && { returnTo }),
    ...(subject !== undefined && { subject }),
    ...(context !== undefined && { context }),
  };
}

function requestOf({ config }: Web, req: AppRequest, named?: string): RequestConfiguration {
  const name = named ?? (req.params as Record<string, string | undefined>)['request'] ?? 'default';
  const request = config.requests.get(name);
  if (request === undefined) throw new IdentityError('not_found');
  return request;
}

function requestOrigin({ config }: Web, req: AppRequest): string {
  const origin = originOf(req, config.origins);
  if (origin !== undefined) return origin;
  const message = `The request's host is none of appUrl (${config.origins.join(', ')}); behind a proxy, see "trust proxy".`;
  throw new IdentityError('origin_unknown', { message });
}

function judgeReturnTo(web: Web, req: AppRequest, returnTo: unknown): string | undefined {
  if (returnTo === undefined) return undefined;
  const path = safePath(returnTo, requestOrigin(web, req));
  if (path === undefined) throw new IdentityError('return_to_invalid');
  return path;
}

/** A form of the app may carry `returnTo` as a field. */
async function returnToOfForm(req: AppRequest, res: Response): Promise<unknown> {
  const { body } = req as { body?: unknown };
  const parsed = typeof body === 'object' && body !== null && !Buffer.isBuffer(body);
  const readable = !req.readableDidRead && req.is('application/x-www-form-urlencoded') !== false;
  const form =
    parsed && Object.keys(body).length > 0
      ? body
      : readable && hasBody(req) && (await readForm(req, res, formLimit));
  return form && Object.hasOwn(form, 'returnTo') ? (form as { returnTo: unknown }).returnTo : undefined;
}

function hasBody(req: AppRequest): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

function contextOf({ config }: Web, req: AppRequest, overrides: StartOverrides): Json | undefined {
  const context = 'context' in overrides ? overrides.context : config.context?.(req);
  const text = context === undefined ? undefined : JSON.stringify(context);
  if (text === undefined) return undefined;
  if (Buffer.byteLength(text) <= config.limits.context) return JSON.parse(text) as Json;
  throw new IdentityError('config_invalid', { message: `The context is larger than limits.context.` });
}

function sameDevice({ config }: Web, req: AppRequest): boolean {
  if (typeof config.sameDevice === 'function') return config.sameDevice(req);
  return config.sameDevice === 'auto' ? looksMobile(req) : config.sameDevice;
}

async function remember(web: Web, req: AppRequest, entry: FlowEntry): Promise<void> {
  const { config, key, releases } = web;
  const done = await releases.turn(sessionIdOf(req));
  try {
    if (!(await refresh(req))) {
      throw new IdentityError('session_save_failed', { message: 'The session ended before the start.' });
    }
    const session = sessionOf(req);
    const now = config.clock().getTime();
    session[key] = withFlow(readOwn(session, key), entry, now, config.limits.unfinished);
    await save(req);
  } finally {
    done();
  }
}

/** A function of the app (subject, context, sameDevice) that throws is a failed hook. */
function ours(error: unknown): IdentityError {
  return error instanceof IdentityError ? error : new IdentityError('hook_failed', { cause: error });
}

import type { Response } from 'express';
import { IdentityError, kitError } from '../../errors.js';
import type { IdentityPage } from '../../options/pages/options.js';
import type { AppRequest } from '../../options/options.js';
import { TimeoutError, withTimeout } from '../../internal/timeouts.js';
import { isPrefetch } from '../request-origin.js';
import { ownPagesPolicy } from '../pages/theme.js';
import { renderPage } from '../pages/page.js';
import type { PageContext } from '../pages/page-model.js';
import { publicPath, queryOf, type RouteContext } from '../context.js';
import { type Sender, send } from './senders.js';
import { siteOf } from './page-context.js';

/** Sends a page: as the app's own function renders it, where there is one and the address holds no code. */
export async function sendPage(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  make: (site: PageContext) => IdentityPage,
  sender: Sender = send,
): Promise<void> {
  const site = siteOf(web, req);
  const page = make(site);
  if (web.config.pages.render === undefined || isOurs(req, page)) {
    sendOwn(web, res, page, site, sender);
  } else if (holdsCode(web, req)) {
    // Scripts and pictures of the app's page would see the code.
    const clean = `${web.flow.returnPath}?error=${page.code ?? 'return_code_invalid'}`;
    sender.redirect(res, publicPath(web, req, clean));
  } else {
    const html = await renderedBy(web, req, res, page);
    if (res.headersSent) return;
    if (html === undefined) sendOwn(web, res, page, site, sender);
    else sender.html(res.status(page.status), html);
  }
}

/** Two pages have a code in their address; HEAD, and a browser that only looks ahead, show none to anybody. */
function isOurs(req: AppRequest, { name }: IdentityPage): boolean {
  return name === 'hop' || name === 'try_again' || req.method === 'HEAD' || isPrefetch(req);
}

/** A policy that the app has set before is replaced by the kit's own strict one. */
function sendOwn(
  { look }: RouteContext,
  res: Response,
  page: IdentityPage,
  { logo }: PageContext,
  sender: Sender,
): void {
  prepare(res, page, look.policy);
  sender.html(res, renderPage(page, look, logo));
}

function prepare(res: Response, { status }: IdentityPage, policy: string): void {
  res.status(status).type('html');
  res.set('Content-Security-Policy', policy);
  res.removeHeader('Content-Security-Policy-Report-Only');
}

function holdsCode({ flow }: RouteContext, req: AppRequest): boolean {
  return `${req.baseUrl}${req.path}` === flow.returnPath && queryOf(req, 'code') !== undefined;
}

/** What the app's function returns, under headers that it may still change; undefined where it fails. */
async function renderedBy(
  { config, log }: RouteContext,
  req: AppRequest,
  res: Response,
  page: IdentityPage,
): Promise<string | undefined> {
  prepare(res, page, ownPagesPolicy);
  try {
    const html: unknown = await withTimeout(config.limits.hookTimeout, () =>
      config.pages.render?.(page, { req, res }),
    );
    if (typeof html === 'string' && html !== '') return html;
    throw kitError('hook_failed', {
      message: 'Option pages.render: the function must return a string.',
    });
  } catch (cause) {
    log.fault(failureOf(cause));
    return undefined;
  }
}

function failureOf(cause: unknown): IdentityError {
  if (cause instanceof IdentityError) return cause;
  if (cause instanceof TimeoutError) return new IdentityError('hook_timeout');
  return kitError('hook_failed', { message: 'Option pages.render: the function failed.', cause });
}

import type { Response } from 'express';
import type { AppRequest } from '../../options/options.js';
import { type Page, renderPage } from '../pages/page.js';
import { contentSecurityPolicy } from '../pages/style.js';
import { detach } from '../session/session.js';

/** The ways in which the kit answers. */
export interface Sender {
  page(res: Response, page: Page): void;
  json(res: Response, status: number, body: object): void;
  redirect(res: Response, location: string): void;
}

/** Without a session: express-session then saves, touches and sets nothing. */
export const send: Sender = {
  /** A policy that the app has set before is replaced by the kit's own strict one. */
  page(res, page) {
    preparePage(res, page);
    detach(res.req as AppRequest);
    res.send(renderPage(page));
  },
  json(res, status, body) {
    detach(res.req as AppRequest);
    res.status(status).json(body);
  },
  redirect(res, location) {
    detach(res.req as AppRequest);
    res.redirect(303, location);
  },
};

/** After a write of the session: the browser must hear of its id and lifetime. */
export const sendWithSession: Sender = {
  page(res, page) {
    preparePage(res, page);
    finish(res, renderPage(page));
  },
  json(res, status, body) {
    res.status(status).type('json');
    finish(res, JSON.stringify(body));
  },
  redirect(res, location) {
    res.status(303).location(location);
    finish(res, '');
  },
};

export function sendNothing(res: Response, status: number): void {
  detach(res.req as AppRequest);
  res.status(status).end();
}

function preparePage(res: Response, { status }: Page): void {
  res.status(status).type('html');
  res.set('Content-Security-Policy', contentSecurityPolicy);
  res.removeHeader('Content-Security-Policy-Report-Only');
}

/** Headers first, with the session's cookie; then without the session, which express-session would save once more. */
function finish(res: Response, body: string): void {
  res.set('Content-Length', String(Buffer.byteLength(body)));
  res.writeHead(res.statusCode);
  detach(res.req as AppRequest);
  res.end(body);
}

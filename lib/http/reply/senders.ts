import type { Response } from 'express';
import type { AppRequest } from '../../options/options.js';
import { detach } from '../session/session.js';

/** The ways in which the kit answers. */
export interface Sender {
  html(res: Response, html: string): void;
  json(res: Response, status: number, body: object): void;
  redirect(res: Response, location: string): void;
}

/** Without a session: express-session then saves, touches and sets nothing. */
export const send: Sender = {
  html(res, html) {
    withoutSession(res);
    res.send(html);
  },
  json(res, status, body) {
    withoutSession(res);
    res.status(status).json(body);
  },
  redirect(res, location) {
    withoutSession(res);
    res.redirect(303, location);
  },
};

/** With the session in place, so that express-session does at the end what it does for the app's own pages. */
export const sendWatched: Sender = {
  ...send,
  html(res, html) {
    res.send(html);
  },
};

/** After a write of the session: the browser must hear of its id and lifetime. */
export const sendWithSession: Sender = {
  html: finish,
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
  withoutSession(res);
  res.status(status).end();
}

/** Headers first, with the session's cookie; then without the session, which express-session would save once more. */
function finish(res: Response, body: string): void {
  res.set('Content-Length', String(Buffer.byteLength(body)));
  res.writeHead(res.statusCode);
  withoutSession(res);
  res.end(body);
}

function withoutSession(res: Response): void {
  detach(res.req as AppRequest, res);
}

import type { Response } from 'express';
import { type IdentityError, errorCodes, isKitErrorCode } from '../errors.js';
import type { AppRequest } from '../options/options.js';
import { detach } from './session/session.js';

/** The ways in which the kit responds. */
export type Sender = ReturnType<typeof senderWith>;

function senderWith(end: (res: Response, body: string) => void) {
  return {
    html: end,
    json(res: Response, status: number, body: object): void {
      res.status(status).type('json');
      end(res, JSON.stringify(body));
    },
    redirect(res: Response, location: string): void {
      res.status(303).location(location);
      end(res, '');
    },
  };
}

/** Sets the length of a body, whatever has been set before, and returns what is sent of it: for HEAD, nothing. */
function withLength(res: Response, body: string): string {
  res.set('Content-Length', String(Buffer.byteLength(body)));
  return res.req.method === 'HEAD' ? '' : body;
}

/** Without a session: express-session then saves, touches and sets nothing. */
function endDetached(res: Response, body: string): void {
  detach(res);
  res.end(withLength(res, body));
}

export const send = senderWith(endDetached);

/**
 * After the session was written: the browser must learn its id and lifetime. Headers first, with the session's cookie;
 * then without the session, which express-session would save once more.
 */
export const sendWithSession = senderWith((res, body) => {
  const sent = withLength(res, body);
  res.writeHead(res.statusCode);
  detach(res);
  res.end(sent);
});

/** Without a session, in a media type that is not one of the kit's own. */
export function sendText(res: Response, mediaType: string, text: string): void {
  endDetached(res.type(mediaType), text);
}

export function sendNothing(res: Response, status: number): void {
  detach(res);
  res.status(status).end();
}

/** The headers of every response of the kit: it is not stored, framed or sniffed, and its address is not passed on. */
export function setSecurityHeaders(res: Response): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('X-Frame-Options', 'DENY');
}

/** Whether the caller is a program that asked for JSON by name. */
export const wantsJson = (req: AppRequest): boolean => req.accepts(['html', 'json']) === 'json';

/** Whether a script fetches this, to put what comes into a page: htmx asks for HTML too. Old browsers say nothing. */
export const isScript = ({ headers }: AppRequest): boolean =>
  headers['sec-fetch-dest'] === 'empty' || headers['hx-request'] !== undefined;

/** Whether a browser opens a page, as a form does. Safari before 16.4 says nothing; a program can follow a redirect. */
export function isNavigation({ headers }: AppRequest): boolean {
  const { accept, 'sec-fetch-mode': mode, 'user-agent': agent = '' } = headers;
  const isOld = mode === undefined && agent.startsWith('Mozilla/') && accept?.includes('text/html') === true;
  return isOld || mode === 'navigate' || headers['upgrade-insecure-requests'] === '1';
}

/** Sends an error as JSON: its code and that code's own sentence, nothing from inside. */
export function sendJsonError(
  res: Response,
  error: IdentityError,
  more: object = {},
  sender: Sender = send,
): void {
  const { code } = error;
  const status = statusOf(error);
  if (status === 503) res.set('Retry-After', retryAfter);
  const error_description = errorCodes[isKitErrorCode(code) ? code : 'service_error'];
  sender.json(res, status, { error: code, error_description, ...more });
}

/** The same as 503, whatever the error's own status: the same again may succeed. */
export function sendLater(res: Response, { code }: IdentityError): void {
  const error_description = errorCodes[isKitErrorCode(code) ? code : 'service_error'];
  res.set('Retry-After', retryAfter);
  send.json(res, 503, { error: code, error_description });
}

/** The status for the caller: a service that rejects our request to it is not the caller's mistake. */
export function statusOf({ code, status }: IdentityError): number {
  return isKitErrorCode(code) && code !== 'service_error' ? status : 502;
}

/** Seconds after which trying again may help. */
export const retryAfter = '1';

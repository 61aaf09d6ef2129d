import type { Request, RequestHandler } from 'express';

/**
 * Refuses a request by another name: a page elsewhere could have its own name resolve to this machine. Without a host
 * the names are those of loopback.
 */
export function onlyUnderOwnName(host?: string): RequestHandler {
  return (req, res, next) => {
    if (host === undefined ? isOwnName(req) : req.headers.host === host) next();
    else
      res
        .status(421)
        .type('text/plain')
        .send('This is the pidgate sandbox; it answers only under its own address.\n');
  };
}

/** Refuses whatever a page of another site sends: only its links may lead here. */
export function notFromOtherSites(): RequestHandler {
  return (req, res, next) => {
    const isLink = req.method === 'GET' && req.headers['sec-fetch-mode'] === 'navigate';
    if (isLink || !fromOtherSite(req)) next();
    else res.status(403).type('text/plain').send('A page of another site may not ask this.\n');
  };
}

/** Whether a form was sent by a page of the sandbox. Who sends neither header is not a browser. */
export function fromOwnPage(req: Request): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return !hasForeignOrigin(req);
}

function fromOtherSite(req: Request): boolean {
  const site = req.headers['sec-fetch-site'];
  return (site !== undefined && site !== 'same-origin' && site !== 'none') || hasForeignOrigin(req);
}

function hasForeignOrigin({ headers: { origin, host } }: Request): boolean {
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

function isOwnName({ headers, socket }: Request): boolean {
  return headers.host === `127.0.0.1:${socket.localPort}` || headers.host === `localhost:${socket.localPort}`;
}

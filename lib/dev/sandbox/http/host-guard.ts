import type { Request, RequestHandler, Response } from 'express';

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

/** Refuses whatever a page of another site sends: only its links may lead here. Who tells nothing is not a browser. */
export function notFromOtherSites(refuse: (res: Response) => void): RequestHandler {
  return (req, res, next) => {
    const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = req.headers;
    const isLink = req.method === 'GET' && (mode === 'navigate' || site === 'none');
    const isOwn = site === undefined ? !hasForeignOrigin(req) : site === 'same-origin';
    if (isLink || isOwn) next();
    else refuse(res);
  };
}

function hasForeignOrigin({ headers: { origin, host } }: Request): boolean {
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

function isOwnName({ headers, socket }: Request): boolean {
  return headers.host === `127.0.0.1:${socket.localPort}` || headers.host === `localhost:${socket.localPort}`;
}

import type { Request, RequestHandler } from 'express';

/** Refuses a request by another name: a page elsewhere could have its own name resolve to this machine. */
export function onlyUnderOwnName(): RequestHandler {
  return (req, res, next) => {
    if (isOwnName(req)) next();
    else
      res
        .status(421)
        .type('text/plain')
        .send('This is the pidgate sandbox; it answers only under its own address.\n');
  };
}

/** Whether a form was sent by a page of the sandbox. Who sends neither header is not a browser. */
export function fromOwnPage(req: Request): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = req.headers;
  return origin === undefined || origin === `http://${req.headers.host}`;
}

function isOwnName({ headers, socket }: Request): boolean {
  return headers.host === `127.0.0.1:${socket.localPort}` || headers.host === `localhost:${socket.localPort}`;
}

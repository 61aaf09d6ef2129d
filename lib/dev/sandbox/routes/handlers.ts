import type { Response, Request, RequestHandler } from 'express';

const maxStreams = 50;
let open = 0;

/**
 * Tells a page when it is out of date (server-sent events). A change between the page and its stream counts too:
 * `stale` says whether there was one.
 */
export function streamChanges(res: Response, stale: boolean, watch: (tell: () => void) => () => void): void {
  if (open >= maxStreams) {
    res.status(503).set('Retry-After', '5').type('text/plain').send('Too many pages are waiting.\n');
    return;
  }
  open += 1;
  res.status(200).type('text/event-stream').set('X-Accel-Buffering', 'no');
  res.write('retry: 1000\n\n');
  const tell = (): void => {
    res.write('data: changed\n\n');
  };
  const stop = watch(tell);
  res.once('close', () => {
    open -= 1;
    stop();
  });
  if (stale) tell();
}

/** Express 4 does not look at a handler's promise; this hands what it rejects with to `next`, under 4 and 5. */
export function asyncRoute(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
  return (req, res, next) => {
    handler(req, res).catch(next);
  };
}

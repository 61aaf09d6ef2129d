import type { Response } from 'express';

const maxStreams = 50;
let open = 0;

/**
 * Tells a page when it is out of date (server-sent events). A change between the page and its stream counts too:
 * `stale` says whether there was one.
 */
export function streamChanges(res: Response, stale: boolean, watch: (tell: () => void) => () => void): void {
  if (open >= maxStreams) {
    res.status(503).set('Retry-After', '5').type('text/plain').send('Too many pages wait.\n');
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

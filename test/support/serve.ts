import { type RequestListener, createServer } from 'node:http';
import { closeAfter } from './close-after.js';
import { closeServer, listenOn } from './listen.js';

/** A server on a free port of this machine, until the test is over; returns its address. */
export async function serve(listener: RequestListener, host?: string): Promise<string> {
  const server = createServer(listener);
  const url = await listenOn(server, host);
  closeAfter(async () => await closeServer(server));
  return url;
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { listen } from './listen.js';

/** An Express app itself, or a server. */
export type Handler = ((req: IncomingMessage, res: ServerResponse) => unknown) | Server;

/**
 * An address on this machine for an app that does not listen itself. It is known before the app is made, so that the
 * app's `appUrl` can name it.
 */
export interface Front {
  readonly origin: string;
  /** Puts an app behind the address. */
  serve(app: Handler): string;
  close(): Promise<void>;
}

export async function openFront(): Promise<Front> {
  const { server, url } = await listen(0);
  let app: Handler | undefined;
  server.on('request', (req, res) => {
    if (app === undefined) res.writeHead(503).end('No app is under test.\n');
    else if (typeof app === 'function') app(req, res);
    else app.emit('request', req, res);
  });
  return {
    origin: url,
    serve(given) {
      app = given;
      return url;
    },
    close: async () => await closeServer(server),
  };
}

export async function closeServer(server: Pick<Server, 'close' | 'closeAllConnections'>): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

import { once } from 'node:events';
import { type Server, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { configInvalid } from '../../errors.js';

/** Listens on this machine alone, so that no one else on the network reaches the sandbox. */
export async function listen(port: number): Promise<{ server: Server; url: string }> {
  const server = createServer();
  const address = await whenListening(server, port, '127.0.0.1');
  return { server, url: `http://127.0.0.1:${address.port}` };
}

async function whenListening(server: Server, port: number, host: string): Promise<AddressInfo> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw configInvalid(`createSandbox: port ${port} is in use on ${host}.`);
    throw configInvalid(`createSandbox: cannot listen on port ${port} at ${host} (${code}).`);
  }
  return server.address() as AddressInfo; // a string only for a pipe
}

/** An Express app itself, or a server. */
export type Handler = ((req: IncomingMessage, res: ServerResponse) => unknown) | Server;

/**
 * An address on this machine for an app that does not listen itself. It is known before the app is made, so that the
 * app's `appUrl` can name it.
 */
export interface AppListener {
  readonly origin: string;
  /** Puts an app behind the address. */
  serve(app: Handler): string;
  close(): Promise<void>;
}

export async function openAppListener(): Promise<AppListener> {
  const { server, url } = await listen(0);
  let app: Handler | undefined;
  server.on('request', (req, res) => {
    if (app === undefined) res.writeHead(503).end('No app is under test.\n');
    else if (typeof app === 'function') app(req, res);
    else app.emit('request', req, res);
  });
  return {
    origin: url,
    serve(handler) {
      app = handler;
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

import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Has a server listen on a free port of this machine, or on this one, and answers its address. */
export async function listenOn(server: Server, host = '127.0.0.1', port = 0): Promise<string> {
  // Of a crowd, a busy machine resets whoever finds the queue of 511 full, which is Node's own.
  server.listen({ port, host, backlog: 4_096 });
  await once(server, 'listening');
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Closes a server and the connections that are still open. */
export async function closeServer(server: HttpServer): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A service that takes every start; the address of its wallet ends with the state, so that the test knows it. */
export interface ProveService {
  readonly url: string;
  close(): Promise<void>;
}

export async function startProveService(): Promise<ProveService> {
  const server = createServer((req, res) => {
    void json(req).then((body) => {
      const { state } = body as { state: string };
      const reply = { success: true, redirect_url: `https://wallet.example/#${state}` };
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

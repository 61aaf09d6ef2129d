import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { closeServer, listenOn } from '../../support/listen.js';

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
  return { url: await listenOn(server), close: async () => await closeServer(server) };
}

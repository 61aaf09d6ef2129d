import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { closeServer, listenOn } from '../support/listen.js';

export interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Reply = (res: ServerResponse) => void;
export type Answer = (res: ServerResponse, req: IncomingMessage) => void;

/** A service that replies as a test says, and remembers what it was asked and by which connections. */
export async function startService(server = createServer()) {
  const seen: Seen[] = [];
  const connections = new Set<Socket>();
  let answer: Answer = json(500, {});
  server.on('request', (req, res) => {
    void text(req).then((body) => {
      seen.push({ method: req.method, url: req.url, headers: req.headers, body });
      answer(res, req);
    });
  });
  server.on('connection', (socket) => connections.add(socket));
  return {
    baseUrl: await listenOn(server),
    seen,
    connections,
    /** From now on, with nothing seen yet. */
    answers(next: Answer) {
      seen.length = 0;
      answer = next;
    },
    stop: async () => await closeServer(server),
  };
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** A whole reply. */
export function raw(status: number, headers: Record<string, string>, body: string | Uint8Array = ''): Reply {
  return (res) => res.writeHead(status, headers).end(body);
}

export function json(status: number, body: unknown): Reply {
  return raw(status, { 'content-type': 'application/json; charset=utf-8' }, JSON.stringify(body));
}

export function started(redirect_url: unknown): Reply {
  return json(200, { success: true, redirect_url });
}

export function failed(status: number, error: string, error_description = 'No.'): Reply {
  return json(status, { success: false, error: { error, error_description } });
}

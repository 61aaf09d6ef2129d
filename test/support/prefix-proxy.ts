import { createServer, request as send } from 'node:http';
import { closeServer, listenOn } from './listen.js';

/** A reverse proxy on a port of its own, which takes a prefix off the address, as `location /shop/` with nginx does. */
export interface PrefixProxy {
  readonly url: string;
  /** Where each prefix leads. */
  readonly targets: Map<string, string>;
  close(): Promise<void>;
}

export async function startPrefixProxy(): Promise<PrefixProxy> {
  const targets = new Map<string, string>();
  const server = createServer((req, res) => {
    const { method, headers, url = '' } = req;
    const [, prefix = '', rest = ''] = /^(\/[^/?]+)(\/.*)$/.exec(url) ?? [];
    const target = targets.get(prefix);
    if (target === undefined) {
      res.writeHead(404).end('The proxy knows no such app.');
      return;
    }
    const forwarded = {
      ...headers,
      'x-forwarded-host': headers.host,
      'x-forwarded-proto': 'http',
      host: new URL(target).host,
    };
    const passed = send(`${target}${rest}`, { method, headers: forwarded }, (reply) => {
      res.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(res);
    });
    passed.on('error', () => void res.writeHead(502).end());
    req.pipe(passed);
  });
  return { url: await listenOn(server), targets, close: async () => await closeServer(server) };
}

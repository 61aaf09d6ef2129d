// An app in a function: `handler` is for AWS Lambda, behind a function URL or an HTTP API (payload 2.0). It runs the
// Express app as it is, on a port of the function's own. Instances share sessions and flows by REDIS_URL. Try it as a
// server, with both in memory:
//   npx pidgate dev examples/serverless.ts
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RedisStore } from 'connect-redis';
import express from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';
import { redisStore } from 'pidgate/redis';
import { createClient } from 'redis';

const { NODE_ENV, PORT = 0, REDIS_URL, SESSION_SECRET } = process.env;
const secret = SESSION_SECRET || (NODE_ENV === 'development' && 'only for development');
if (!secret) throw new Error('SESSION_SECRET is not set');
if (NODE_ENV === 'production' && !REDIS_URL) throw new Error('REDIS_URL is not set');
const client = REDIS_URL
  ? await createClient({ url: REDIS_URL }).on('error', console.error).connect()
  : undefined;

const app = express();
app.set('trust proxy', 'loopback'); // handler, below: it hands on what the function's front has said
app.use(
  session({
    secret,
    resave: false,
    saveUninitialized: false,
    cookie: { secure: 'auto' },
    ...(client && { store: new RedisStore({ client }) }),
  }),
);
const identity = identityVerification({
  reveal: ['given_name'],
  keep: ({ attributes }) => ({ name: attributes.given_name }),
  ...(client && { store: redisStore({ client }) }),
});
app.use('/identity', identity);
app.get('/club', identity.require(), (req, res) => {
  res.json(identity.of(req)?.kept);
});
const server = app.listen(Number(PORT), '127.0.0.1');

interface FunctionEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly requestContext: { readonly http: { readonly method: string } };
}

export async function handler(event: FunctionEvent) {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const cookie = event.cookies?.join('; ');
  const sent = request({
    host: '127.0.0.1',
    port,
    method: event.requestContext.http.method,
    path: `${event.rawPath}?${event.rawQueryString}`,
    headers: { ...event.headers, ...(cookie && { cookie }), 'content-length': String(body.length) },
  }).end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const { 'set-cookie': cookies = [], ...headers } = reply.headers;
  const text = Buffer.concat((await reply.toArray()) as Buffer[]).toString();
  return { statusCode: reply.statusCode, headers, cookies, body: text };
}

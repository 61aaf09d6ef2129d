import { Agent, globalAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as TlsAgent, request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Network } from './network.js';
import { codeOf } from './system-code.js';
import type { Cancellation } from './timeouts.js';

/** A request without secrets in its address. */
export interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** What is posted; without it, it is a GET. */
  readonly body?: string;
  /** The longest body that is read of the reply: of a compressed one, on the wire and inflated. */
  readonly maxBytes: number;
  /** Asks for gzip and reads it. Without it a compressed reply is refused. */
  readonly gzip?: boolean;
}

/** A reply whose whole body was read, within the limit. */
export interface BoundedReply {
  readonly status: number;
  /** Returns the values of a header, joined by commas. */
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

/** The reply is not a string within the limit. `what` says why and quotes nothing of it. */
export class UnusableReply extends Error {
  readonly what:
    | 'too large'
    | 'not UTF-8'
    | 'compressed'
    | 'compressed, and not with gzip alone'
    | 'not the gzip that it says it is';

  constructor(what: UnusableReply['what']) {
    super(what);
    this.what = what;
  }
}

/** Node's own agents have it where `NODE_USE_ENV_PROXY` says that the environment names proxies. */
const { proxyEnv } = (globalAgent as { options?: { proxyEnv?: unknown } }).options ?? {};
/** Many servers close a connection that was idle for five seconds. Node keeps to a time that the server names itself. */
const kept = { keepAlive: true, timeout: 4_000, proxyEnv };
const agents = { 'http:': new Agent(kept), 'https:': new TlsAgent(kept) };

/** Sends a request to an address that `secureUrl` has checked. A redirect is a reply like any other. */
export async function requestBounded(
  { fetch, agent }: Network,
  address: string,
  request: HttpRequest,
  deadline: Cancellation,
): Promise<BoundedReply> {
  if (fetch !== undefined) {
    const { headers, body, maxBytes } = request;
    const init = { headers, signal: deadline.signal, ...(body !== undefined && { method: 'POST', body }) };
    return await fetchBounded(fetch, address, init, maxBytes);
  }
  const url = new URL(address);
  const through = agent ?? agents[url.protocol as keyof typeof agents];
  for (;;) {
    const reply = await sendByNode(through, url, request, deadline);
    if (reply !== undefined) return reply;
  }
}

/** Fetches without following redirects and reads at most `maxBytes` of the body. */
export async function fetchBounded(
  fetch: typeof globalThis.fetch,
  address: string,
  init: RequestInit & { readonly signal: AbortSignal },
  maxBytes: number,
): Promise<BoundedReply & { readonly headers: Headers }> {
  const { status, headers, body } = await fetch(address, { redirect: 'manual', ...init });
  const text = await readText((body ?? []) as AsyncIterable<Uint8Array>, maxBytes);
  return { status, headers, header: (name) => headers.get(name) ?? undefined, text };
}

/**
 * Sends a request once, and returns undefined where the server had closed the kept connection before a byte was sent.
 *
 * The race: a server closes an idle connection while this process is busy. The close waits unread in the socket, so
 * Node's agent hands the connection out, and a request that is written at once is lost with ECONNRESET. With plain
 * keep-alive that happens to 7 of 15 POSTs. So the connection is heard first, and where it is closed, even a POST may be
 * sent on another one. Once a byte is on its way, nobody can know whether the server has acted on it: a connection that
 * breaks from then on is an error.
 */
async function sendByNode(
  agent: Agent,
  { protocol, hostname, port, pathname, search }: URL,
  request: HttpRequest,
  deadline: Cancellation,
): Promise<BoundedReply | undefined> {
  const { headers, body, gzip } = request;
  return await new Promise((resolve, reject) => {
    const sent = (protocol === 'https:' ? requestHttps : requestHttp)({
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: `${pathname}${search}`,
      method: body === undefined ? 'GET' : 'POST',
      // Without the second header a server may choose any compression. The first is there because some refuse without it.
      headers: { 'user-agent': 'pidgate', 'accept-encoding': gzip ? 'gzip' : 'identity', ...headers },
      agent,
    });
    let canResend = true;
    const write = () => {
      if (sent.destroyed) return;
      canResend = false;
      sent.end(body);
    };
    const giveUp = (error: Error) => {
      if (sent.reusedSocket && canResend) resolve(undefined);
      else reject(error);
      sent.destroy();
    };
    // Between the two steps every socket is polled: that is when the close of this one is heard.
    sent.once('socket', () => (sent.reusedSocket ? setImmediate(setImmediate, write) : write()));
    sent.once('response', (reply) => {
      sent.off('close', closed);
      if (canResend) giveUp(new Error('A reply came before the request.'));
      else readReply(reply, request).then(resolve, giveUp);
    });
    const closed = () => giveUp(new Error('The connection was closed.'));
    sent.once('close', closed);
    sent.on('error', giveUp);
    deadline.onLate(() => {
      canResend = false;
      sent.destroy();
    });
  });
}

async function readReply(reply: IncomingMessage, { maxBytes, gzip }: HttpRequest): Promise<BoundedReply> {
  const { statusCode: status = 0, headersDistinct } = reply;
  const header = (name: string) => headersDistinct[name]?.join(', ');
  const encoding = (header('content-encoding') ?? 'identity').toLowerCase();
  if (encoding === 'identity') return { status, header, text: await readText(reply, maxBytes) };
  if (!gzip) throw new UnusableReply('compressed');
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new UnusableReply('compressed, and not with gzip alone');
  return { status, header, text: await readGzip(reply, maxBytes) };
}

/** Inflates as it reads, so that a bomb is refused as soon as it is larger than the limit. */
async function readGzip(reply: IncomingMessage, maxBytes: number): Promise<string> {
  try {
    const inflate = async (inflated: AsyncIterable<Uint8Array>) => await readText(inflated, maxBytes);
    return await pipeline(bounded(reply, maxBytes), createGunzip(), inflate);
  } catch (error) {
    if (codeOf(error)?.startsWith('Z_')) throw new UnusableReply('not the gzip that it says it is');
    throw error;
  }
}

/** Passes on at most so many bytes. To leave the loop is to cancel the body. */
async function* bounded(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new UnusableReply('too large');
    yield chunk;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(body, maxBytes)) chunks.push(chunk);
  try {
    return utf8.decode(Buffer.concat(chunks));
  } catch {
    throw new UnusableReply('not UTF-8');
  }
}

/** Returns the media type of a reply or request, without its parameters. */
export const mediaType = (header: string | null | undefined): string =>
  (header ?? '').replace(/;.*/s, '').trim().toLowerCase();

// An app without Express, on node:http, that asks an identity verification service. `createProveClient`, `parseCallback`,
// `verifyPresentation` and `callbackReply` are its four steps. To bind the result to the right browser is then its own
// task: this is the least that keeps a result from a stranger (docs/hooks.md says why it waits for the return).
// `npx pidgate dev` does not start it. Try it with a sandbox, as a test does:
//   const sandbox = await createSandbox(); // from pidgate/sandbox
//   await sandbox.complete(createServer(sandbox.options));
import { randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import {
  type Callback,
  type Trust,
  callbackReply,
  createProveClient,
  parseCallback,
  verifyPresentation,
} from 'pidgate';

export interface Settings {
  readonly appUrl: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly issuer: string;
  readonly trust: Trust;
}

interface Flow {
  readonly browser: string;
  readonly startedAt: Date;
  body?: string;
  code?: Promise<string>;
}

interface Result {
  readonly browser: string;
  /** Undefined if there is no proof. */
  readonly name: string | undefined;
}

const newSecret = (): string => randomBytes(32).toString('base64url');

export function createServer({ appUrl, baseUrl, apiKey, issuer, trust }: Settings): http.Server {
  const client = createProveClient({ baseUrl, apiKey });
  // Yours: a store that all processes share, and that forgets after minutes.
  const flows = new Map<string, Flow>();
  const results = new Map<string, Result>();

  async function start(_req: IncomingMessage, res: ServerResponse) {
    const state = newSecret();
    const browser = newSecret();
    flows.set(state, { browser, startedAt: new Date() });
    const { redirectUrl } = await client.prove({ issuer, revealed: ['given_name'], state });
    // In production: the name __Host-flow, and Secure.
    res.setHeader('set-cookie', `flow=${browser}; Path=/; HttpOnly; SameSite=Lax`);
    res.writeHead(303, { location: redirectUrl }).end();
  }

  async function callback(req: IncomingMessage, res: ServerResponse) {
    let body = '';
    for await (const chunk of req.setEncoding('utf8')) {
      if ((body += chunk).length > 65_536) return req.destroy();
    }
    const answer = parseCallback(parse(body)); // of a doubled field, parse makes a list, which is refused
    const flow = flows.get(answer.state);
    if (flow === undefined) return res.writeHead(400).end();
    // A callback that comes twice gets the same answer, and any other one nothing.
    if ((flow.body ??= body) !== body) return res.writeHead(404).end();
    flow.code ??= settle(flow, answer);
    const reply = callbackReply(`${appUrl}/identity/return?code=${await flow.code}`);
    return res.setHeader('content-type', 'application/json').end(JSON.stringify(reply));
  }

  async function settle({ browser, startedAt }: Flow, answer: Callback): Promise<string> {
    const code = newSecret();
    results.set(code, { browser, name: await nameIn(answer, startedAt) });
    return code;
  }

  async function nameIn(answer: Callback, startedAt: Date): Promise<string | undefined> {
    if (answer.kind === 'error') return undefined;
    const expected = { issuer, state: answer.state, reveal: ['given_name'] as const, startedAt };
    const verdict = await verifyPresentation(answer.presentation, expected, trust);
    return verdict.valid ? verdict.attributes.given_name : undefined;
  }

  function comeBack(req: IncomingMessage, res: ServerResponse) {
    const code = new URL(req.url ?? '', appUrl).searchParams.get('code') ?? '';
    const result = results.get(code);
    // Only the browser that started, and only once.
    const isSame = req.headers.cookie?.split('; ').includes(`flow=${result?.browser}`);
    if (!result || !isSame || !results.delete(code)) return res.writeHead(403).end('Please start again.');
    const isKnown = result.name !== undefined;
    res.writeHead(isKnown ? 200 : 403, { 'content-type': 'text/plain; charset=utf-8' });
    return res.end(isKnown ? `Welcome, ${result.name}` : 'No proof.');
  }

  const routes: Record<string, (req: IncomingMessage, res: ServerResponse) => unknown> = {
    'POST /identity/start': start,
    'POST /identity/callback': callback,
    'GET /identity/return': comeBack,
  };
  async function answer(req: IncomingMessage, res: ServerResponse) {
    const route = routes[`${req.method} ${req.url?.split('?')[0]}`];
    if (route === undefined) return res.writeHead(404).end();
    try {
      return await route(req, res);
    } catch {
      return res.headersSent ? res.destroy() : res.writeHead(400).end();
    }
  }
  return http.createServer((req, res) => void answer(req, res));
}

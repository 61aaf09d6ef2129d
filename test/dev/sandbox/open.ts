import type { Sandbox, SandboxOptions } from '../../../lib/dev/sandbox/index.js';
import { openSandbox } from '../../support/app.js';

export { aCustomer } from './customer.js';

/** A sandbox that is closed after the test; it never really waits. */
export async function sandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return await openSandbox({ wait: async () => {}, ...options });
}

let states = 0;

/** A valid request, always with a new state. */
export function request(more: Record<string, unknown> = {}): Record<string, unknown> {
  states += 1;
  return {
    issuer: 'xx-sandbox',
    revealed: ['given_name'],
    state: `the-state-number-${states}-of-this-test`,
    ...more,
  };
}

interface ProveReply {
  readonly success: boolean;
  readonly redirect_url: string;
  readonly error?: Record<string, string>;
}

/** `POST /prove`; strings are sent as they are. */
export async function prove(
  to: Sandbox,
  body: unknown,
  headers: Record<string, string> = {},
  send = fetch,
): Promise<{ status: number; body: ProveReply }> {
  const bytes = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
  const response = await send(`${to.url}/prove`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${to.accounts.working.apiKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : bytes,
  });
  return { status: response.status, body: (await response.json()) as ProveReply };
}

/** The wallet page of a new verification. */
export async function start(to: Sandbox, more: Record<string, unknown> = {}): Promise<string> {
  return (await prove(to, request(more))).body.redirect_url;
}

/** Posts a form as the sandbox's own page would. */
export async function post(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<{ status: number; location: string | null; text: string }> {
  const init = { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' } as const;
  const response = await fetch(url, init);
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

/** The page of the newest flow, and its path. */
export async function timelineOf({ url }: Sandbox): Promise<{ path: string; text: string }> {
  const home = await (await fetch(url)).text();
  const path = /href="(\/timeline\/[^"]+)"/.exec(home)?.[1] ?? '';
  return { path, text: await (await fetch(url + path)).text() };
}

/** Markup without the white space between its tags. */
export function folded(markup: string): string {
  return markup.replaceAll(/>\s+</g, '><');
}

import { createSandbox } from '../../../lib/dev/sandbox/index.js';
import { type Running, startApp } from '../../support/app.js';
import type { Browser } from '../../support/browser.js';
import { decide } from '../../support/wallet.js';

interface Flow {
  readonly state: string;
  /** A good presentation for it. */
  readonly presentation: string;
  /** The whole body that the service would send. */
  readonly callback: string;
  readonly browser: Browser;
}

/** An app under fire: one flow waits for its callback, one for its browser. */
export interface Target {
  readonly app: Running;
  readonly port: number;
  readonly waiting: Flow;
  readonly verified: Flow & { readonly reply: string; readonly code: string; readonly cookie: string };
  /** The reply that all closed flows share. */
  readonly closedReply: string;
  /** How often each event came. */
  readonly events: ReadonlyMap<string, number>;
  /** Both flows, to their end: the statuses of callback and returns, and what was kept. */
  complete(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

export async function openTarget(): Promise<Target> {
  const held: string[] = [];
  const events = new Map<string, number>();
  const sandbox = await createSandbox({
    // The callbacks are for the test to send.
    fetch: async (_url, init) => {
      held.push(typeof init?.body === 'string' ? init.body : '');
      return Response.json({ redirect_uri: 'https://held.example/' });
    },
  });
  const app = await startApp({
    sandbox,
    options: {
      flowTtl: '2h',
      keep: () => 'kept',
      onEvent: ({ type }: { type: string }) => events.set(type, (events.get(type) ?? 0) + 1),
    },
  });
  sandbox.redirectUrl = `${app.url}/identity/callback`;

  const begin = async (): Promise<Flow> => {
    const browser = app.browser();
    await decide(await app.start(browser), 'approve');
    const callback = held.pop() ?? '';
    const fields = new URLSearchParams(callback);
    const [state, presentation] = [fields.get('state') ?? '', fields.get('presentation') ?? ''];
    return { state, presentation, callback, browser };
  };
  const answered = async (callback: string) => {
    const response = await app.callback(callback);
    const text = await response.text();
    return {
      status: response.status,
      text,
      address: (JSON.parse(text) as { redirect_uri: string }).redirect_uri,
    };
  };

  const [waiting, flow] = [await begin(), await begin()];
  const { text: reply, address } = await answered(flow.callback);
  const [cookie = ''] = [...flow.browser.cookies].map(([name, value]) => `${name}=${value}`);
  const code = new URL(address).searchParams.get('code') ?? '';
  const closedReply = JSON.stringify({ redirect_uri: `${app.url}/identity/return?error=state_unknown` });
  return {
    app,
    port: Number(new URL(app.url).port),
    waiting,
    verified: { ...flow, reply, code, cookie },
    closedReply,
    events,
    async complete() {
      const late = await answered(waiting.callback);
      const returns = [await waiting.browser.get(late.address), await flow.browser.get(address)];
      return [late.status, ...returns.map(({ status, location }) => [status, location])];
    },
    async close() {
      await app.close();
      await sandbox.close();
    },
  };
}

import { type Browser, createBrowser, type Shown } from '../../support/browser.js';

/** The address under which the people see the app; a balancer would stand there. */
export const appUrl = 'https://app.example';

/** Where a request is led to: a process, by its own address. */
export interface Target {
  readonly url: string;
}

/** What a balancer adds. */
export const forwarded = { 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https' };

/** What the service reads of the reply to a callback. */
export interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly redirectUri: string | undefined;
}

export const walletPage = (state: string): string => `/identity/wallet?state=${state}`;

/** Posts a callback as the service, or a wallet, would. */
export async function deliver({ url }: Target, form: Record<string, string>): Promise<Reply> {
  const body = new URLSearchParams(form);
  const response = await fetch(`${url}/identity/callback`, { method: 'POST', headers: forwarded, body });
  const { redirect_uri: redirectUri } = (await response.json()) as { redirect_uri?: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), redirectUri };
}

/** Somebody with a browser, whom each request may lead to another process. */
export interface Person {
  readonly browser: Browser;
  /** Starts as a script does: answers the state, as the service knows it, and the flow's public name. */
  start(target: Target): Promise<{ readonly state: string; readonly flow: string }>;
  /** Opens an address of the app. */
  open(target: Target, address: string): Promise<Shown>;
  /** What the page that waits for a wallet hears of its flow. */
  poll(target: Target, state: string): Promise<unknown>;
  /** Cancels on that page. */
  cancel(target: Target, state: string): Promise<Shown>;
  /** Opens the address that the service redirects to, and takes the steps that the kit's page may ask for: two at most. */
  comeBack(target: Target, redirectUri: string): Promise<Shown>;
  statusOf(target: Target, flow: string): Promise<unknown>;
  /** What the app has kept. */
  kept(target: Target): Promise<unknown>;
}

export function newPerson(): Person {
  const browser = createBrowser();
  const open: Person['open'] = async ({ url }, address) => {
    const { pathname, search } = new URL(address, appUrl);
    return await browser.get(`${url}${pathname}${search}`, forwarded);
  };
  return {
    browser,
    open,
    async start({ url }) {
      const headers = { ...forwarded, accept: 'application/json' };
      const shown = await browser.post(`${url}/identity/start`, undefined, headers);
      if (shown.status !== 200) throw new Error(`The start answered ${shown.status}: ${shown.text}`);
      const { redirectUrl, flowId } = shown.json() as { redirectUrl: string; flowId: string };
      const { hash, searchParams } = new URL(redirectUrl);
      return { state: searchParams.get('state') ?? hash.slice(1), flow: flowId };
    },
    poll: async ({ url }, state) => {
      const headers = { ...forwarded, accept: 'application/json' };
      return (await browser.get(`${url}${walletPage(state)}`, headers)).json();
    },
    cancel: async ({ url }, state) => await browser.post(`${url}${walletPage(state)}`, {}, forwarded),
    async comeBack(target, redirectUri) {
      let shown = await open(target, redirectUri);
      for (let hops = 0; hops < 2; hops += 1) {
        const hop = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(shown.text)?.[1];
        if (hop === undefined) break;
        shown = await open(target, hop.replaceAll('&amp;', '&'));
      }
      return shown;
    },
    statusOf: async (target, flow) => {
      const shown = await open(target, `/identity/status?flow=${flow}`);
      return (shown.json() as { status?: unknown }).status;
    },
    kept: async (target) => (await open(target, '/me')).json(),
  };
}

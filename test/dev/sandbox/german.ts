import { randomBytes } from 'node:crypto';
import type { Sandbox } from '../../../lib/dev/sandbox/index.js';
import { type Verdict } from '../../../lib/types/trust.js';
import { verifyPresentation } from '../../../lib/verify/verify-presentation.js';
import { type Browser, createBrowser } from '../../support/browser.js';
import { aCustomer, prove, sandbox } from './open.js';

export interface GermanFlow {
  readonly service: Sandbox;
  readonly state: string;
  /** The page that `redirect_url` leads to. */
  readonly page: string;
  readonly browser: Browser;
  readonly callbacks: Awaited<ReturnType<typeof aCustomer>>['callbacks'];
  /** Judges the presentation of the last callback as the kit would. */
  verdict(): Promise<Verdict>;
}

type Given = NonNullable<Parameters<typeof sandbox>[0]> & {
  readonly request?: Record<string, unknown>;
  readonly service?: Sandbox;
};

/** A flow of the simulated German issuer, as far as `/prove`. */
export async function germanFlow({
  request = {},
  service: given,
  ...options
}: Given = {}): Promise<GermanFlow> {
  const { redirectUrl, callbacks } = await aCustomer();
  const service = given ?? (await sandbox({ issuer: 'de-ausweis', ...options }));
  service.redirectUrl = redirectUrl;
  const state = randomBytes(32).toString('base64url');
  const asked = { issuer: 'de-ausweis', revealed: ['given_name'], same_device: true, ...request };
  const { body } = await prove(service, { ...asked, state });
  return {
    service,
    state,
    page: body.redirect_url,
    browser: createBrowser(),
    callbacks,
    async verdict() {
      const presentation = callbacks.at(-1)?.body.get('presentation') ?? '';
      const expected = { issuer: 'de-ausweis', state, reveal: asked.revealed as ['given_name'] };
      return await verifyPresentation(presentation, expected, service.options.trust);
    },
  };
}

export function headingOf(markup: string): string {
  return /<h1>([^]*?)<\/h1>/.exec(markup)?.[1]?.trim() ?? markup;
}

/** Opens the page of the wallet, and returns its address. */
export async function openWallet({ page, browser }: GermanFlow): Promise<string> {
  await browser.get(page);
  return page;
}

/** A flow as far as its wallet. */
export async function openedWallet(given?: Given): Promise<{ flow: GermanFlow; wallet: string }> {
  const flow = await germanFlow(given);
  return { flow, wallet: await openWallet(flow) };
}

/** Shares the card of an opened wallet, and returns where that leads. */
export async function agree({ browser }: GermanFlow, wallet: string, own = browser) {
  await own.post(wallet, { decision: 'approve' });
  return await own.post(wallet, { decision: 'pin', pin: '123456' });
}

/** What a stream has told when the first news come. */
export async function news({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  let text = '';
  while (!text.includes('data:')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
  await reader?.cancel();
  return text;
}

import { createServer } from 'node:http';
import jsQR from 'jsqr';
import type { Account } from '../../bridge/accounts.js';
import { createApp } from '../../bridge/app.js';
import { createLog } from '../../bridge/log.js';
import { createJobs } from '../../bridge/jobs.js';
import { memoryStore } from '../../bridge/kit.js';
import type { Settings } from '../../bridge/settings.js';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import { sha256 } from '../../lib/internal/sha256.js';
import type { Expected, Trust } from '../../lib/types/trust.js';
import { foreignWallet, type ForeignWallet, type Opened, worldOf } from '../support/foreign-wallet.js';
import { openSandbox, type Running, startApp } from '../support/app.js';
import { testClock, type TestClock } from '../support/clock.js';
import { type Browser, createBrowser, type Shown } from '../support/browser.js';
import { closeAfter } from '../support/close-after.js';
import { storeAround } from '../support/stores.js';
import { closeServer, listenOn } from '../support/listen.js';
import { eudiploStub } from './stubs/eudiplo.js';
import { euStub } from './stubs/eu-verifier.js';

/** The stubs of verifiers, each until the test is over. */
export const stubs = {
  eu: async () => closed(await euStub()),
  eudiplo: async () => closed(await eudiploStub()),
};
export interface Stubs {
  readonly eu: Awaited<ReturnType<typeof euStub>>;
  readonly eudiplo: Awaited<ReturnType<typeof eudiploStub>>;
}
export type Stub = Stubs[keyof Stubs];

function closed<T extends { readonly close: () => Promise<void> }>(stub: T): T {
  closeAfter(stub.close);
  return stub;
}

export const apiKey = 'the-key-of-the-shop';

/** The settings of a bridge in front of a stub. */
export function settingsFor(
  stub: Stub,
  redirectUrl: string,
  accounts: readonly Pick<Account, 'apiKey' | 'redirectUrl'>[] = [{ apiKey: [apiKey], redirectUrl }],
): Settings {
  return {
    port: 0,
    host: undefined,
    publicUrl: undefined,
    hookUrl: undefined,
    verifier: stub.name,
    verifierUrl: stub.url,
    verifierOptions:
      stub.name === 'eudiplo'
        ? { trusted_authorities: [{ type: 'etsi_tl', values: ['<TENANT_URL>/trust-list/pid'] }] }
        : {},
    clientId: stub.name === 'eudiplo' ? stub.client.client_id : undefined,
    clientSecret: stub.name === 'eudiplo' ? stub.client.client_secret : undefined,
    accounts: [...accounts.map((account) => ({ ...account, name: 'Shop' })), { apiKey: ['not-set-up'] }],
    issuer: 'de-ausweis',
    vct: ['urn:eudi:pid:de:1', 'urn:eudi:pid:1'],
    store: 'memory',
    secrets: undefined,
  };
}

/** The trust of an app behind the bridge: the sandbox issues the PIDs, the stub asks for them. */
function trustBehind(bridgeUrl: string, stub: Stub, sandbox: Sandbox): Trust {
  const { derivedBy: _, ...entry } = sandbox.options.trust['de-ausweis'];
  const audience = stub.access.clientId;
  const nonce = stub.name === 'eu' ? 'state-sha256' : nonceOf(bridgeUrl);
  return { 'de-ausweis': { ...entry, keyBinding: { nonce, audience } } };
}

/** As the bridge's README has it. */
const nonceOf =
  (bridgeUrl: string) =>
  async ({ state }: Expected) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const reply = await fetch(`${bridgeUrl}/nonce/${sha256(state)}`, { headers });
    if (!reply.ok) throw new Error(`The bridge answered ${reply.status}.`);
    return ((await reply.json()) as { nonce: string }).nonce;
  };

export interface Scene<S extends Stub = Stub> {
  readonly stub: S;
  readonly app: Running;
  readonly bridgeUrl: string;
  /** Where an address below the public one is in this test. */
  here(address: string): string;
  readonly storeMood: { isAway: boolean };
  readonly wallet: ForeignWallet;
  readonly clock: ReturnType<typeof testClock>;
  readonly lines: readonly string[];
  /** All that the bridge keeps of the job of a page, unsealed. */
  kept(page: string): Promise<string>;
  /** What arrives at the app's Redirect URL. */
  readonly callbacks: Callbacks;
  /** Starts in the app, and opens the page of the bridge. */
  begin(): Promise<Begun>;
}

interface Callbacks {
  count: number;
  /** Refuses the connection, or answers with this status, before the kit hears of it. */
  mood: 'well' | 'down' | number;
  /** What such an answer has in it. */
  text: string;
}

export interface Begun {
  readonly browser: Browser;
  readonly page: string;
  readonly shown: Shown;
  /** What the page leads a wallet to. */
  readonly link: string;
  /** The request, opened in a wallet. */
  readonly opened: Opened;
  /** Where the browser ends that asks for the page, or another address, now. */
  end(at?: string): Promise<End>;
}

/** In the app, as whoever is verified or with an error's code; or at a page of the bridge. */
export type End =
  | { readonly kept: unknown }
  | { readonly error: string }
  | { readonly status: number; readonly title: string };

interface SceneOptions {
  /** Who issues the PIDs, and when: a sandbox of its own, if there is none. */
  readonly issuer?: { readonly sandbox: Sandbox; readonly clock: TestClock };

  readonly sameDevice?: boolean;
  /** The keys of each customer. The first key is the app's. */
  readonly accounts?: readonly (readonly string[])[];
  /** An address under which nothing is: what leads there is looked up at the bridge's own. */
  readonly publicUrl?: string;
}

/** An app with the kit, a bridge in this process, a stub of a verifier, and a wallet of other people's libraries. */
export async function openScene<N extends keyof Stubs>(
  verifier: N | Stubs[N],
  options?: SceneOptions,
): Promise<Scene<Stubs[N]>>;
export async function openScene(
  verifier: keyof Stubs | Stub,
  { sameDevice = false, accounts = [[apiKey]], publicUrl, issuer }: SceneOptions = {},
): Promise<Scene> {
  const clock = issuer?.clock ?? testClock();
  const [sandbox, stub] = [
    issuer?.sandbox ?? (await openSandbox({ issuer: 'de-ausweis', clock })),
    typeof verifier === 'string' ? await stubs[verifier]() : verifier,
  ];
  const server = createServer();
  const bridgeUrl = await listenOn(server);
  closeAfter(async () => await closeServer(server));
  const callbacks: Callbacks = { count: 0, mood: 'well', text: '' };
  const app = await startApp({
    sandbox,
    before: (express) => {
      express.post('/identity/callback', (_req, res, next) => {
        callbacks.count += 1;
        if (callbacks.mood === 'well') next();
        else if (callbacks.mood === 'down') res.destroy();
        else res.status(callbacks.mood).json({ text: callbacks.text });
      });
    },
    options: {
      baseUrl: bridgeUrl,
      apiKey,
      sameDevice,
      clock,
      trust: trustBehind(bridgeUrl, stub, sandbox),
      keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name,
    },
    after: (express, identity) => {
      express.get('/club', identity.require(), (req, res) => void res.json(identity.of(req)?.kept));
    },
  });
  const lines: string[] = [];
  const storeMood = { isAway: false };
  const now = () => clock().getTime();
  const world = {
    publicUrl: publicUrl ?? bridgeUrl,
    store: storeAround(async (_call, work) => {
      if (storeMood.isAway) throw new Error('no store');
      return await work();
    }, memoryStore({ clock })),
    secrets: ['for this test alone, and for no other one'] as [string],
    now,
    log: createLog({ write: (line) => void lines.push(line) }),
  };
  const jobs = createJobs(world.store, world.secrets, now);
  const customers = accounts.map((keys, nth) => ({
    apiKey: [...keys],
    redirectUrl: `${app.url}/identity/callback${nth === 0 ? '' : `?customer=${nth}`}`,
  }));
  server.on('request', createApp(settingsFor(stub, customers[0]?.redirectUrl ?? '', customers), world));
  const wallet = await foreignWallet(worldOf(sandbox, stub.access.anchors));
  const here = (address: string): string => address.replace(world.publicUrl, bridgeUrl);
  return {
    stub,
    app,
    bridgeUrl,
    here,
    storeMood,
    wallet,
    clock,
    lines,
    callbacks,
    kept: async (page) => JSON.stringify(await jobs.read(page.split('/').at(-1) ?? '')),
    async begin() {
      const browser = createBrowser();
      const page = here(await app.start(browser, '?returnTo=/club'));
      const shown = await openPage(browser, page, here);
      const link = sameDevice ? linkOn(shown.text) : scan(shown.text);
      const opened = await wallet.open(link);
      return { browser, page, shown, link, opened, end: async (at = page) => await endOf(browser, at) };
    },
  };
}

/** Opens a page of the bridge as a browser does: with the cookie that it has been given. */
export async function openPage(browser: Browser, at: string, here = (url: string) => url): Promise<Shown> {
  const shown = await browser.get(at);
  const isAskedAgain = shown.location?.includes('again=1') === true;
  return isAskedAgain ? await browser.get(here(shown.location ?? '')) : shown;
}

export async function endOf(browser: Browser, at: string): Promise<End> {
  const { status, text, location } = await openPage(browser, at);
  if (location === undefined) return { status, title: /<h1>(.*)<\/h1>/.exec(text)?.[1] ?? text };
  const error = new URL(location).searchParams.get('error');
  if (error !== null) return { error };
  const returned = await browser.get(location);
  if (returned.location === undefined) return { error: `return: ${returned.status}` };
  return { kept: (await browser.get(returned.location)).json() };
}

/** The link on a page that opens a wallet. */
function linkOn(markup: string): string {
  return (/href="((?:haip-vp|openid4vp):[^"]*)"/.exec(markup)?.[1] ?? '').replaceAll('&amp;', '&');
}

/** Reads the QR code of a page as a camera would, eight pixels to a module. */
function scan(markup: string): string {
  const size = Number(/viewBox="0 0 (\d+)/.exec(markup)?.[1] ?? 0);
  const width = size * 8;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x = '', y = '', modules = ''] of markup.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    for (let row = Number(y) * 8; row < Number(y) * 8 + 8; row += 1) {
      const at = (row * width + Number(x) * 8) * 4;
      for (let byte = at; byte < at + 32 * Number(modules); byte += 1) if (byte % 4 !== 3) pixels[byte] = 0;
    }
  }
  return jsQR.default(pixels, width, width)?.data ?? '';
}

import { beforeAll } from '@jest/globals';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import jsQR from 'jsqr';
import { createAccess } from '../../lib/dev/sandbox/issuers/access.js';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import type { SdJwtVcTrust } from '../../lib/types/trust.js';
import type { Way } from '../../lib/types/ways.js';
import { type AppSetup, openSandbox, type Running, startApp } from './app.js';
import type { Browser, Shown } from './browser.js';
import { foreignWallet, type ForeignWallet, type Opened, type World, worldOf } from './foreign-wallet.js';

type Given = Readonly<Record<string, unknown>>;

/** What an authority of wallets has certified, as an app's options have it. */
export interface TestAccess {
  readonly clientId: string;
  readonly entry: { readonly certificate: string; readonly key: string; readonly registration: string };
  /** Who has certified it, in PEM: a wallet trusts these. */
  readonly anchors: readonly string[];
}

export async function accessOf(now = new Date()): Promise<TestAccess> {
  const { anchors, clientId, ...entry } = await createAccess(now, false);
  return { clientId, anchors, entry };
}

/** The entry of a sandbox's issuer as an app has it that asks wallets itself. */
export function entryOf(sandbox: Sandbox): SdJwtVcTrust {
  const { derivedBy: _, keyBinding: __, ...entry } = sandbox.options.trust['de-ausweis'];
  return entry;
}

/** The options of an app that asks wallets itself, in place of those of a sandbox's service. */
export const walletOptions = (sandbox: Sandbox, access: TestAccess): Given => ({
  baseUrl: undefined,
  apiKey: undefined,
  variant: undefined,
  issuer: 'de-ausweis',
  trust: { 'de-ausweis': entryOf(sandbox) },
  wallets: access.entry,
});

export interface WalletApp extends Running {
  readonly access: TestAccess;
  /** A wallet of other people's libraries, with a PID of the sandbox. */
  readonly wallet: ForeignWallet;
  /** Starts, and opens the page that waits. */
  readonly begin: (query?: string, browser?: Browser) => Promise<Waiting>;
  /** Starts, and opens the request of this way in the wallet. */
  readonly asked: (way: LinkedWay, query?: string) => Promise<Waiting & { readonly opened: Opened }>;
}

/** The ways by which a wallet itself fetches the request. */
type LinkedWay = Exclude<Way, 'browser'>;

/** A page that waits for a wallet. */
export interface Waiting {
  readonly browser: Browser;
  readonly page: string;
  readonly state: string;
  readonly shown: Shown;
  /** The links that lead a wallet to the request, by their ways: the one that the page shows, and the one in its code. */
  readonly links: Readonly<Record<LinkedWay, string | undefined>>;
  /** What the page polls. */
  readonly poll: (by?: Browser) => Promise<{ readonly status: number; readonly body: Polled }>;
  /** The page, once more. */
  readonly again: () => Promise<Shown>;
  /** The request that the page would hand over to the browser, or an empty text. */
  readonly request: string;
  /** Posts what the browser has brought, as the page's script does: in this browser, or in another. */
  readonly bring: (
    form: Record<string, string>,
    headers?: Record<string, string>,
    by?: Browser,
  ) => Promise<Shown>;
}

export interface Polled {
  readonly status?: string;
  readonly notice?: string;
  readonly error?: string;
}

/** What a certificate of the file's own, or other PIDs, make otherwise. */
interface Own {
  readonly access?: TestAccess;
  readonly issuePid?: World['issuePid'];
}

/** One sandbox, and one certificate, for the tests of a file: what they make of them is their own. */
interface WalletWorld {
  readonly sandbox: () => Sandbox;
  readonly access: () => TestAccess;
  /** An app of this world that keeps all that a wallet shows, and tells it at GET /me to whom it has verified. */
  readonly openApp: (options?: Given, own?: Own, setup?: AppSetup) => Promise<WalletApp>;
}

export function walletWorld(): WalletWorld {
  const world: { sandbox?: Sandbox; access?: TestAccess } = {};
  beforeAll(async () => {
    [world.sandbox, world.access] = [await openSandbox({ issuer: 'de-ausweis' }), await accessOf()];
  });
  const opened = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The world of the wallets is not open yet.');
    return value;
  };
  const [sandbox, access] = [() => opened(world.sandbox), () => opened(world.access)];
  return {
    sandbox,
    access,
    openApp: async (options = {}, own = {}, setup = {}) =>
      await startWalletApp(
        {
          sandbox: sandbox(),
          ...setup,
          options: { keep: all, ...options },
          after: (app, identity) => {
            app.get('/me', identity.require(), (req, res) => void res.json(identity.of(req)?.kept));
            setup.after?.(app, identity);
          },
        },
        { access: access(), ...own },
      ),
  };
}

const all = ({ attributes }: { attributes: unknown }): unknown => attributes;

/** Whom a browser is by now, for an app of `openApp`: what it has proved, or the status of the way to the start. */
export async function whoIs({ url }: WalletApp, browser: Browser): Promise<unknown> {
  const shown = await browser.get(`${url}/me`);
  return shown.status === 200 ? shown.json() : shown.status;
}

/** What `whoIs` says of somebody who has shown the PID of the sandbox, and of somebody who has not. */
export const erika = { given_name: 'ERIKA', birth_date: '1964-08-12' };
export const nobody = 303; // to the start

/** Starts an app that asks wallets itself, and a wallet that has a PID, until the test is over. */
export async function startWalletApp(setup: AppSetup = {}, world: Own = {}): Promise<WalletApp> {
  const access = world.access ?? (await accessOf());
  const sandbox = setup.sandbox ?? (await openSandbox({ issuer: 'de-ausweis' }));
  const options = { ...walletOptions(sandbox, access), ...setup.options };
  const app = await startApp({ ...setup, sandbox, options });
  let opened: Promise<ForeignWallet> | undefined;
  // Many tests look at the app alone.
  const its = async (): Promise<ForeignWallet> =>
    await (opened ??= foreignWallet({
      ...worldOf(sandbox, access.anchors),
      ...(world.issuePid && { issuePid: world.issuePid }),
    }));
  const wallet: ForeignWallet = {
    open: async (link) => await (await its()).open(link),
    openByBrowser: async (...asked) => await (await its()).openByBrowser(...asked),
  };
  const begin: WalletApp['begin'] = async (query, browser = app.browser()) => {
    const page = await app.start(browser, query);
    const shown = await browser.get(page);
    const state = new URL(page).searchParams.get('state') ?? '';
    const { request = '', action = `/identity/answer?state=${state}` } = browserOn(shown.text) ?? {};
    return {
      browser,
      page,
      state,
      shown,
      links: linksOn(shown.text),
      async poll(by = browser) {
        const { status, text } = await by.get(page, { accept: 'application/json' });
        return { status, body: JSON.parse(text) as Polled };
      },
      again: async () => await browser.get(page),
      request,
      bring: async (form, headers, by = browser) => await by.post(`${app.url}${action}`, form, headers),
    };
  };
  return {
    ...app,
    access,
    wallet,
    begin,
    async asked(way, query) {
      const waiting = await begin(query);
      return { ...waiting, opened: await wallet.open(waiting.links[way] ?? '') };
    },
  };
}

/** Closes an answer for the key of a request, by jose: as it must be, or with another header. */
export async function closed(
  { client_metadata: { jwks } }: Pick<Opened['request'], 'client_metadata'>,
  answer: object | string,
  header: object = {},
): Promise<string> {
  const [jwk] = jwks.keys;
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const encrypt = new CompactEncrypt(Buffer.from(text)).setProtectedHeader({
    alg: 'ECDH-ES',
    enc: 'A128GCM',
    kid: String(jwk?.['kid']),
    ...header,
  });
  return await encrypt.encrypt(await importJWK(jwk as JWK, 'ECDH-ES'));
}

/** What a page leads a wallet to: by its link, and by the code that its picture holds, which is read when it is asked for. */
export function linksOn(page: string): Waiting['links'] {
  return {
    get link() {
      return /href="((?:openid4vp|haip-vp):[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    },
    get code() {
      return readQrCode(page);
    },
  };
}

/** What a page would hand over to the browser, and where its script posts what comes of that. */
export function browserOn(page: string): { readonly request: string; readonly action: string } | undefined {
  const [, request, action] = /data-request="([^"]+)"\s+data-action="([^"]+)"/.exec(page) ?? [];
  return request && action ? { request, action: action.replaceAll('&amp;', '&') } : undefined;
}

/** Reads the code of a page as a camera would, from its squares: each is one pixel. */
function readQrCode(page: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) \1"[^>]*role="img"/.exec(page)?.[1]);
  const squares = /<path d="(M[^"]*)"[^>]*fill="#000"/.exec(page)?.[1];
  if (squares === undefined) return undefined;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y, run] of squares.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    const at = (Number(y) * size + Number(x)) * 4;
    for (let byte = at; byte < at + Number(run) * 4; byte += 1) if (byte % 4 !== 3) pixels[byte] = 0;
  }
  return jsQR.default(pixels, size, size, { inversionAttempts: 'dontInvert' })?.data;
}

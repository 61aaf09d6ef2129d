import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import express, { type Express } from 'express';
import session, { MemoryStore, type SessionOptions } from 'express-session';
import { type IdentityVerification, identityVerification } from '../../lib/identity-verification.js';
import type { IdentityEvent } from '../../lib/types/events.js';
import { createSandbox, type Sandbox } from '../../lib/dev/sandbox/index.js';
import { createBrowser, type Browser } from './browser.js';
import { closeAfter } from './close-after.js';
import { closeServer, listenOn } from './listen.js';
import { decide } from './wallet.js';

export { testClock } from './clock.js';

export type Identity = IdentityVerification;

/** Options that no type has judged. */
type Given = Readonly<Record<string, unknown>>;

/** Makes a factory with options that only the test's author has judged. */
export function identityWith(options: Given): Identity {
  return identityVerification(options as never);
}

/** What of these events tells that a verification was started, or that a start failed. */
export const startsAmong = (events: readonly IdentityEvent[]): IdentityEvent[] =>
  events.filter(({ type }) => type === 'flow.started' || type === 'start.failed');

export interface Running {
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly identity: Identity;
  readonly app: Express;
  readonly sessions: MemoryStore;
  readonly events: IdentityEvent[];
  /** A browser on this app. */
  browser(): Browser;
  /** Posts the start form and answers the address of the wallet. */
  start(browser: Browser, query?: string): Promise<string>;
  /** Start and wallet: answers the return address. */
  toReturn(browser: Browser, query?: string): Promise<string>;
  /** A browser whose person has agreed in the wallet, and the return address that waits for it. */
  waiting(query?: string): Promise<{ readonly browser: Browser; readonly back: string }>;
  /** A browser that has come back: what was kept is in its session. */
  released(query?: string): Promise<Browser>;
  /** The sessions as they are stored now, by id. */
  stored(): Record<string, string>;
  /** Posts a callback as the service would. */
  callback(form: Record<string, string> | string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface AppSetup {
  readonly options?: Given;
  /** Further origins of this app. */
  readonly origins?: readonly string[];
  readonly session?: Partial<SessionOptions> | false;
  /** Runs after the session and before the kit is mounted. */
  readonly before?: (app: Express) => void;
  /** Runs after the kit is mounted. */
  readonly after?: (app: Express, identity: Identity) => void;
  /** Share a sandbox: the one who made it closes it. */
  readonly sandbox?: Sandbox;
  /** Options of a sandbox of its own. */
  readonly wallet?: Parameters<typeof createSandbox>[0];
}

/** What an app under test seals its flows with. */
export const appSecret = 'a secret of an app under test, 32 characters or more';

/** A code of the right form that no flow has. */
export const noCode = `${'A'.repeat(43)}.${'A'.repeat(43)}`;

/** A state of the right form that no flow has. */
export const unknownState = (): string => randomBytes(32).toString('base64url');

/** A hook, a clock or whatever else an app may name, that throws this. */
export const throws =
  (fault: unknown = new Error('marker')) =>
  (): never => {
    throw fault;
  };

/** The states of the starts, as the service is sent them, by the option `fetch`. */
export function sentStates() {
  const states: string[] = [];
  return {
    states,
    fetch: async (address: string, init: RequestInit): Promise<Response> => {
      const { state } = JSON.parse(typeof init.body === 'string' ? init.body : '{}') as { state?: string };
      if (state !== undefined) states.push(state); // the keys are fetched too
      return await fetch(address, init);
    },
  };
}

/** A sandbox, until the test is over. */
export async function openSandbox(options?: Parameters<typeof createSandbox>[0]): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  closeAfter(async () => await sandbox.close());
  return sandbox;
}

/** Starts an app with the kit, against a sandbox, both on free ports of this machine, until the test is over. */
export async function startApp(setup: AppSetup = {}): Promise<Running> {
  const app = express();
  app.set('env', 'production'); // Express prints no stack
  const server = createServer(app);
  const url = await listenOn(server);
  const sandbox = setup.sandbox ?? (await openSandbox(setup.wallet));
  if (setup.sandbox === undefined) sandbox.redirectUrl = `${url}/identity/callback`;
  const given = setup.session === false ? undefined : setup.session?.store;
  const sessions = given instanceof MemoryStore ? given : new MemoryStore();
  const events: IdentityEvent[] = [];
  if (setup.session !== false) {
    app.use(
      session({
        secret: 'only for tests',
        resave: false,
        saveUninitialized: false,
        store: sessions,
        ...setup.session,
      }),
    );
  }
  setup.before?.(app);
  const identity = identityWith({
    ...sandbox.options,
    appUrl: [url, ...(setup.origins ?? [])],
    reveal: ['given_name', 'birth_date'],
    onEvent: (event: IdentityEvent) => void events.push(event),
    logger: false,
    secret: appSecret,
    ...setup.options,
  });
  app.use('/identity', identity);
  setup.after?.(app, identity);

  const start: Running['start'] = async (browser, query = '') => {
    const shown = await browser.post(`${url}/identity/start${query}`);
    if (shown.status !== 303 || shown.location === undefined) {
      throw new Error(`The start answered ${shown.status}: ${shown.text}`);
    }
    return shown.location;
  };

  const toReturn: Running['toReturn'] = async (browser, query) =>
    await decide(await start(browser, query), 'approve');
  const waiting: Running['waiting'] = async (query) => {
    const browser = createBrowser();
    return { browser, back: await toReturn(browser, query) };
  };

  return {
    url,
    sandbox,
    identity,
    app,
    sessions,
    events,
    browser: createBrowser,
    start,
    toReturn,
    waiting,
    async released(query) {
      const { browser, back } = await waiting(query);
      const { status } = await browser.get(back);
      if (status !== 303) throw new Error(`The return answered ${status}.`);
      return browser;
    },
    stored: () => sessions['sessions' as never],
    callback: async (form, headers = {}) =>
      await fetch(`${url}/identity/callback`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      }),
    close: closeAfter(async () => await closeServer(server)),
  };
}

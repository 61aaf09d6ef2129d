import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import express, { type Express } from 'express';
import { MemoryStore, type SessionOptions } from 'express-session';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { type Sandbox, type SandboxIssuerId, createSandbox } from 'pidgate/sandbox';
import type { PersonName } from '../../lib/dev/sandbox/people/people.js';
import { createApp } from '../../example-app/app.js';
import { chromiumPath } from '../support/chromium.js';
import { closeServer, listenOn } from '../support/listen.js';
import { inMode } from '../support/mode.js';

/** What a test may change about the example app. */
export interface Setup {
  readonly issuer?: SandboxIssuerId;
  /** Who is at the wallet. */
  readonly person?: PersonName;
  readonly cookie?: SessionOptions['cookie'];
  /** How long the sandbox waits for the app's reply to a callback. */
  readonly timeout?: number;
  /** Routes of the test's own, in front of the app. */
  readonly front?: (app: Express, sandbox: Sandbox) => void;
  readonly log?: (line: string) => void;
  /** The mode in which the app is made; in development it tells its sandbox what it does. */
  readonly mode?: 'development';
}

/** The example app on `localhost` and its sandbox on 127.0.0.1: two sites, as in life. */
interface Running {
  readonly url: string;
  readonly sandbox: Sandbox;
  readonly sessions: MemoryStore;
  /** What the app wrote in this test. */
  readonly log: string[];
}

export interface RunningApp extends Running {
  /** A page in a browser of its own: no cookie is shared with another. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** What a page complained about since this was last asked: errors, and what a policy blocked. */
  complaints(): string[];
}

/** Chromium is there or the tests are skipped; the reporter tells why, and CI forbids it. */
export const describeInChromium = chromiumPath() === undefined ? describe.skip : describe;

/** Runs the app and Chromium for the tests of a `describe`; every page that complains fails its test. */
export function runInChromium(setup: Setup = {}): RunningApp {
  let browser: Browser;
  let running: Running & { close(): Promise<void> };
  let heard: string[] = [];

  beforeAll(async () => {
    const executablePath = chromiumPath();
    if (executablePath === undefined) throw new Error('No Chromium');
    [browser, running] = await Promise.all([chromium.launch({ executablePath, args }), start(setup)]);
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map(async (context) => await context.close()));
    running.log.length = 0;
    expect(heard.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await running.close();
  });

  return {
    get url() {
      return running.url;
    },
    get sandbox() {
      return running.sandbox;
    },
    get sessions() {
      return running.sessions;
    },
    get log() {
      return running.log;
    },
    async open(options) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(30_000); // before jest's own, so that it is said what was waited for
      context.on('weberror', (error) => heard.push(error.error().message));
      context.on('console', (message) => {
        const isStatus =
          message.location().url === message.page()?.url() && /status of [45]/.test(message.text());
        if (message.type() === 'error' && !isStatus) heard.push(message.text());
      });
      return await context.newPage();
    },
    complaints: () => {
      const before = heard;
      heard = [];
      return before;
    },
  };
}

const args = [
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--disable-features=IsolateOrigins,site-per-process',
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
];

async function start({
  cookie,
  timeout = 30_000,
  issuer = 'xx-sandbox',
  person = 'erika',
  front,
  log = () => {},
  mode,
}: Setup): Promise<Running & { close(): Promise<void> }> {
  const app = express();
  const server = createServer(app);
  const url = await listenOn(server, 'localhost');
  const sandbox = await createSandbox({
    issuer,
    person,
    redirectUrl: `${url}/identity/callback`,
    timeout,
    wait: async () => {}, // the pauses between two deliveries
  });
  const sessions = new MemoryStore();
  const lines: string[] = [];
  front?.(app, sandbox);
  const example = await inMode(mode, () =>
    createApp({
      identity: sandbox.options,
      session: { secret: 'only for tests', store: sessions, ...(cookie !== undefined && { cookie }) },
      log: (line) => {
        lines.push(line);
        log(line);
      },
    }),
  );
  example.locals['sandboxUrl'] = sandbox.url;
  app.use(example);
  return {
    url,
    sandbox,
    sessions,
    log: lines,
    async close() {
      await closeServer(server);
      await sandbox.close();
    },
  };
}

import { createServer } from 'node:http';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createApp } from '../../example-app/app.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { callbackApps } from '../support/callbacks.js';
import { type Browser, createBrowser } from '../support/browser.js';
import { appSecret, openSandbox } from '../support/app.js';
import { closeAfter } from '../support/close-after.js';
import { closeServer, listenOn } from '../support/listen.js';
import { decide } from '../support/wallet.js';

const crowd = { 'x-forwarded-for': '203.0.113.66' };
const visitor = { 'x-forwarded-for': '198.51.100.7' };
const places = 80;

jest.setTimeout(30_000); // some 500 requests, on a machine that may be busy

/** How often each status was answered. */
async function tally(
  count: number,
  request: () => Promise<{ readonly status: number }>,
): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  const one = async (): Promise<void> => {
    const { status } = await request();
    found[status] = (found[status] ?? 0) + 1;
  };
  for (let left = count; left > 0; left -= 20)
    await Promise.all(Array.from({ length: Math.min(20, left) }, one));
  return found;
}

describe('F60 a flood of starts from one address', () => {
  let url: string;

  beforeEach(async () => {
    const sandbox = await openSandbox();
    const server = createServer();
    url = await listenOn(server);
    closeAfter(async () => await closeServer(server));
    sandbox.redirectUrl = `${url}/identity/callback`;
    const store = memoryStore({ max: places });
    const app = createApp({
      identity: { ...sandbox.options, appUrl: url, store, secret: appSecret },
      log: () => {},
    });
    server.on('request', app.set('trust proxy', 1));
  });

  const start = async (browser: Browser, from: Record<string, string>) =>
    await browser.post(`${url}/identity/start`, undefined, from);

  test("F60 the example app's limiters keep other visitors served", async () => {
    const junk = { method: 'POST', headers: crowd, body: new URLSearchParams({ state: 'x', error: 'y' }) };
    const starts = await tally(2 * places, async () => await start(createBrowser(), crowd));
    expect(starts).toEqual({ 303: 60, 429: 100 });
    const callbacks = await tally(320, async () => await fetch(`${url}/identity/callback`, junk));
    expect(callbacks).toEqual({ 400: 300, 429: 20 });

    const browser = createBrowser();
    await browser.post(`${url}/log-in`, { person: 'erika' }, visitor);
    const { status, location = '' } = await start(browser, visitor);
    expect(status).toBe(303);
    expect((await browser.visit(await decide(location, 'approve'))).url).toBe(`${url}/membership`);
  });
});

describe('F60 without a limiter', () => {
  const open = callbackApps();

  test('F60 the store fills for everybody, and a flow that has started reaches its end', async () => {
    const app = await open({ options: { store: memoryStore({ max: places }) } });
    const begun = await app.begin();
    const start = async () => await app.browser().post(`${app.url}/identity/start`);
    const answers = await tally(2 * places, start);
    expect(answers).toEqual({ 303: places - 1, 503: places + 1 });
    expect((await start()).text).toContain('store_full');
    const { status, body } = await app.deliver({ presentation: 'good', state: begun.state });
    expect(status).toBe(200);
    expect((await begun.browser.get(body.redirect_uri ?? '')).status).toBe(303);
  });
});

import { createServer } from 'node:http';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { memoryStore } from '../../lib/index.js';
import { createApp } from '../../example-app/app.js';
import { callbackApps } from '../support/callbacks.js';
import { type Browser, createBrowser } from '../support/browser.js';
import { appSecret, openSandbox } from '../support/app.js';
import { closeAfter } from '../support/close-after.js';
import { closeServer, listenOn } from '../support/listen.js';
import { decide } from '../support/wallet.js';

const crowd = { 'x-forwarded-for': '203.0.113.66' };
const visitor = { 'x-forwarded-for': '198.51.100.7' };
const places = 400;

jest.setTimeout(120_000); // some 2,500 requests, on a machine that may be busy

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

/** How a flow ends in the wallet: where the browser is sent, or what came instead. */
const inWallet = async (location: string, decision: 'approve' | 'decline'): Promise<string> =>
  await decide(location, decision).catch((fault: Error) => fault.message);

describe('strangers, and the example app behind a proxy', () => {
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
      session: { secret: 'only for tests' },
      log: () => {},
    });
    server.on('request', app.set('trust proxy', 1));
  });

  const start = async (browser: Browser, from: Record<string, string>) =>
    await browser.post(`${url}/identity/start`, undefined, from);

  test("F60 the example app's limiter keeps other visitors served", async () => {
    const junk = { method: 'POST', headers: crowd, body: new URLSearchParams({ state: 'x', error: 'y' }) };
    const head = { method: 'HEAD', headers: crowd };
    expect(await tally(560, async () => await fetch(`${url}/identity/start`, head))).toEqual({ 204: 560 });
    const starts = await tally(60, async () => await start(createBrowser(), crowd));
    expect(starts).toEqual({ 303: 40, 429: 20 });
    const callbacks = await tally(400, async () => await fetch(`${url}/identity/callback`, junk));
    expect(callbacks).toEqual({ 400: 400 });

    const browser = createBrowser();
    await browser.post(`${url}/log-in`, { person: 'erika' }, visitor);
    const { status, location = '' } = await start(browser, visitor);
    expect(status).toBe(303);
    expect((await browser.visit(await decide(location, 'approve'))).url).toBe(`${url}/membership`);
  });

  test('F92 five addresses cancel 60 verifications each: every honest callback of that minute is taken', async () => {
    const ends: string[] = [];
    const honest: string[] = [];
    const play = async (from: string, decision: 'approve' | 'decline'): Promise<string> => {
      const { location = '' } = await start(createBrowser(), { 'x-forwarded-for': from });
      const end = await inWallet(location, decision);
      return end.replace(/\?.*/, '');
    };
    for (let round = 0; round < 60; round += 1) {
      const cancelled = [1, 2, 3, 4, 5].map(async (nth) => await play(`198.51.100.${nth}`, 'decline'));
      ends.push(...(await Promise.all(cancelled)));
      honest.push(await play(`203.0.113.${round}`, 'approve'));
    }
    expect(ends).toEqual(Array(300).fill(`${url}/identity/return`));
    expect(honest).toEqual(Array(60).fill(`${url}/identity/return`));
  });
});

describe('F60 without a limiter', () => {
  const open = callbackApps();
  const few = 80;

  test('F60 the store fills for everybody, and a flow that has started reaches its end', async () => {
    const app = await open({ options: { store: memoryStore({ max: few }) } });
    const begun = await app.begin();
    const start = async () => await app.browser().post(`${app.url}/identity/start`);
    const answers = await tally(2 * few, start);
    expect(answers).toEqual({ 303: few - 1, 503: few + 1 });
    expect((await start()).text).toContain('store_full');
    const { status, body } = await app.deliver({ presentation: 'good', state: begun.state });
    expect(status).toBe(200);
    expect((await begun.browser.get(body.redirect_uri ?? '')).status).toBe(303);
  });
});

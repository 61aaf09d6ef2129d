import { describe, expect, test } from '@jest/globals';
import { startApp } from '../support/app.js';
import type { Browser } from '../support/browser.js';
import { type CallbackApp, callbackApps } from '../support/callbacks.js';
import { cuttableStore } from '../support/stores.js';
import { decide } from '../support/wallet.js';

const openApp = callbackApps();

describe('F12 every start is its own flow', () => {
  async function open(options: Record<string, unknown> = {}) {
    const released: unknown[] = [];
    const onSuccess = ({ context }: { context: unknown }): void => void released.push(context);
    const context = (req: { query: Record<string, unknown> }): unknown => req.query['tab'] ?? null;
    const app = await startApp({ options: { onSuccess, context, ...options } });
    const browser = app.browser();
    /** Starts in a tab of this browser; returns the address of the wallet. */
    const tab = async (name: string): Promise<string> =>
      await app.start(browser, `?tab=${name}&returnTo=%2F${name}`);
    return { app, released, browser, tab };
  }

  test('F12 two tabs both complete, whichever comes back first', async () => {
    const { app, released, browser, tab } = await open();
    const first = await tab('one');
    const second = await tab('two');
    const backs = [await decide(second, 'approve'), await decide(first, 'approve')];
    const places = [];
    for (const back of backs) places.push((await browser.get(back)).location);
    expect(places).toEqual([`${app.url}/two`, `${app.url}/one`]);
    expect(released).toEqual(['two', 'one']);
  });

  test('F12 two starts of one session at the same moment both complete', async () => {
    const { released, browser, tab } = await open();
    await tab('cookie');
    const wallets = await Promise.all(['a', 'b', 'c'].map(async (name) => await tab(name)));
    for (const address of wallets) {
      expect((await browser.get(await decide(address, 'approve'))).status).toBe(303);
    }
    expect(new Set(released)).toEqual(new Set(['a', 'b', 'c']));
  });

  test('F12 however many are begun and left, each can still be finished', async () => {
    const { released, browser, tab } = await open();
    const names = Array.from({ length: 12 }, (_, index) => `${index}`);
    const wallets = [];
    for (const name of names) wallets.push(await tab(name));
    for (const address of wallets.toReversed()) {
      expect((await browser.get(await decide(address, 'approve'))).status).toBe(303);
    }
    expect(released).toEqual(names.toReversed());
  });

  test('F12 what a parallel write takes back costs no flow', async () => {
    const { app, released, browser, tab } = await open();
    const first = await tab('first');
    const before = { ...app.stored() };
    const second = await tab('second');
    // Another process read the session before the second start and writes it after.
    Object.assign(app.stored(), before);
    for (const address of [second, first]) {
      expect((await browser.get(await decide(address, 'approve'))).status).toBe(303);
    }
    expect(released).toEqual(['second', 'first']);
  });

  /** The flow is verified, and its browser comes back. */
  async function ends(app: CallbackApp, browser: Browser, state: string): Promise<number> {
    const { body } = await app.deliver({ presentation: 'good', state });
    return (await browser.get(body.redirect_uri ?? '')).status;
  }

  test('F12 starts that failed do not push a living one out', async () => {
    let status = 200;
    const success = { success: true, redirect_url: 'https://wallet.example/' };
    const app = await openApp({ options: { fetch: () => Response.json(success, { status }) } });
    const { state, browser } = await app.begin();
    status = 500;
    for (let tries = 0; tries < 7; tries += 1) {
      expect((await browser.post(`${app.url}/identity/start`)).status).toBe(502);
    }
    status = 200;
    const last = await app.begin('', browser);
    for (const living of [state, last.state]) expect(await ends(app, browser, living)).toBe(303);
  });

  test('F12 a flow store that fails at a start takes nothing from the flows before it', async () => {
    const { store, cut, restore } = cuttableStore();
    const app = await openApp({ options: { store } });
    const first = await app.begin();
    const { browser } = first;
    cut('read');
    const second = await app.begin('', browser);
    cut('create');
    expect((await browser.post(`${app.url}/identity/start`)).status).toBe(503);
    restore();
    for (const { state } of [first, second]) expect(await ends(app, browser, state)).toBe(303);
  });
});

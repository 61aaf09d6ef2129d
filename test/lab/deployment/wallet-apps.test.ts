import { describe, expect, test } from '@jest/globals';
import { createBrowser } from '../../support/browser.js';
import { foreignWallet, worldOf } from '../../support/foreign-wallet.js';
import { nightly } from '../../support/seed.js';
import { browserOn, entryOf, linksOn, walletWorld } from '../../support/wallets.js';
import { freshName, serverPath, withServer } from '../../stores/servers.js';
import { type Kind, startKind } from './wallet-app.js';

// Apps of each kind that ask wallets themselves, with the built package: every pair of Express, module system and store
// is in one of them, and a wallet of other people's libraries answers by each way.

const all: readonly Kind[] = [
  { express: 'express', modules: 'ES modules', store: 'memory' },
  { express: 'express4', modules: 'CommonJS', store: 'memory' },
  { express: 'express', modules: 'CommonJS', store: 'redis' },
  { express: 'express4', modules: 'ES modules', store: 'redis' },
  { express: 'express', modules: 'CommonJS', store: 'postgres' },
  { express: 'express4', modules: 'ES modules', store: 'postgres' },
];

// By day, one that keeps its flows in itself, and one that shares them.
const kinds = nightly ? all : [0, 3].flatMap((at) => all[at] ?? []);

const world = walletWorld();
const erika = { given_name: 'ERIKA', birth_date: '1964-08-12' };

describe.each(kinds)('$express, $modules, $store', (kind) => {
  const withStore = kind.store === 'memory' ? describe : withServer(kind.store);
  withStore('with a wallet of other libraries', () => {
    test('by the link, by the code and by the browser, who agreed gets in', async () => {
      const { entry, anchors } = world.access();
      const at = { path: kind.store === 'memory' ? '' : serverPath(kind.store), space: freshName() };
      const trust = { 'de-ausweis': entryOf(world.sandbox()) };
      const { url } = await startKind(kind, at, { trust, wallets: entry });
      const wallet = await foreignWallet(worldOf(world.sandbox(), anchors));
      for (const way of ['link', 'code'] as const) {
        const browser = createBrowser();
        const { location: page = '' } = await browser.post(`${url}/identity/start?returnTo=/me`);
        const links = linksOn((await browser.get(page)).text);
        const opened = await wallet.open(links[way] ?? '');
        const { status, body } = await opened.send(await opened.respond());
        expect([status, body.redirect_uri !== undefined]).toEqual([200, way === 'link']);
        const polled = await browser.get(page, { accept: 'application/json' });
        expect(polled.json()).toEqual({ status: way === 'link' ? 'verified' : 'over' });
        const shown = await browser.visit(body.redirect_uri ?? page);
        expect([shown.url, shown.json()]).toEqual([`${url}/me`, erika]);
      }
      const browser = createBrowser();
      const { location: page = '' } = await browser.post(`${url}/identity/start?returnTo=/me`);
      const { request = '', action = '' } = browserOn((await browser.get(page)).text) ?? {};
      const opened = await wallet.openByBrowser(request, url);
      const brought = await browser.post(`${url}${action}`, { response: await opened.respond() });
      const shown = await browser.visit(brought.location ?? '');
      expect([shown.url, shown.json()]).toEqual([`${url}/me`, erika]);
    });
  });
});

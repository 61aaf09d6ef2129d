import { MemoryStore } from 'express-session';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../lib/index.js';
import { type AppSetup, type Running, startApp } from '../support/app.js';
import { type PrefixProxy, startPrefixProxy } from '../support/prefix-proxy.js';
import { decide } from '../support/wallet.js';

describe('behind a proxy that takes a prefix off', () => {
  let proxy: PrefixProxy;
  beforeEach(async () => {
    proxy = await startPrefixProxy();
  });
  afterEach(async () => {
    await proxy.close();
  });

  const at = (path: string): string => `${proxy.url}/shop${path}`;

  async function open(prefix: string, { options, ...setup }: AppSetup = {}): Promise<Running> {
    const app = await startApp({
      ...setup,
      before: (its) => {
        its.set('trust proxy', 'loopback');
        setup.before?.(its);
      },
      options: { appUrl: `${proxy.url}${prefix}`, ...options },
      after: (its, identity) => {
        its.get('/club', identity.require(), (req, res) => void res.json(identity.of(req)?.issuer));
      },
    });
    proxy.targets.set(prefix, app.url);
    app.sandbox.redirectUrl = `${proxy.url}${prefix}/identity/callback`;
    return app;
  }

  test('a flow goes round, and every address of it has the prefix', async () => {
    const app = await open('/shop', { session: { cookie: { sameSite: 'strict' } } });
    const browser = app.browser();

    const guarded = await browser.get(at('/club?a=1'));
    expect(guarded.location).toBe('/shop/identity/start?returnTo=%2Fclub%3Fa%3D1');
    const page = await browser.get(`${proxy.url}${guarded.location}`);
    expect(page.text).toContain('action="/shop/identity/start?returnTo=%2Fclub%3Fa%3D1&amp;form=kit"');
    expect(page.text).toContain('<a href="/shop/">Cancel</a>');
    const started = await browser.post(`${proxy.url}${guarded.location}`);
    const back = await decide(started.location ?? '', 'approve');
    expect(back).toMatch(new RegExp(`^${at('/identity/return')}\\?code=`));

    const other = await app.browser().get(back);
    expect(other.text).toMatch(/content="0;url=\/shop\/identity\/return\?code=[^"]+&amp;reload=1"/);
    const done = await browser.get(back);
    expect([done.status, done.location]).toEqual([303, at('/club?a=1')]);
    expect((await browser.get(at('/club'))).json()).toBe('xx-sandbox');
  });

  test('so have the addresses of errors, of status and of JSON', async () => {
    const app = await open('/shop', {
      options: { errorRedirect: '/oops', pages: { logo: '/logo.png', privacyUrl: '/privacy' } },
    });
    const browser = app.browser();
    const json = { accept: 'application/json' };
    expect((await browser.get(at('/club'), json)).json()).toMatchObject({ start: '/shop/identity/start' });
    const { location = '' } = await browser.post(at('/identity/start'));
    const declined = await decide(location, 'decline');
    expect(declined).toContain(at('/identity/return?error=not_shared&flow='));
    const page = await browser.get(at('/identity/return?error=return_code_invalid'));
    expect((await browser.get(declined)).location).toMatch(
      /^\/shop\/oops\?error=not_shared&request=default&flow=[\w-]{43}$/,
    );
    expect(page.text).toContain('<a class="button" href="/shop/identity/start">');
    expect(page.text).toContain('<a href="/shop/"><img src="/shop/logo.png"');
    expect(page.text).toContain('<a href="/shop/privacy">');
  });

  test.each(['/../bank', '/%2e%2e/bank', '/club/../../bank', '/..', '/.%2E/shop2/x'])(
    'a returnTo of %s leaves the app, and is refused',
    async (returnTo) => {
      const app = await open('/shop');
      const shown = await app
        .browser()
        .get(`${proxy.url}/shop/identity/start?returnTo=${encodeURIComponent(returnTo)}`);
      expect([shown.status, shown.text.includes('<code>return_to_invalid</code>')]).toEqual([400, true]);
    },
  );

  test.each([
    ['/club/../bar?a=/../x#y', '/bar?a=/../x#y'],
    ['/', '/'],
    ['/shop/x', '/shop/x'],
  ])('a returnTo of %s stays in the app', async (returnTo, path) => {
    const app = await open('/shop');
    const browser = app.browser();
    const query = `?returnTo=${encodeURIComponent(returnTo)}`;
    const { location = '' } = await browser.post(`${proxy.url}/shop/identity/start${query}`);
    const done = await browser.get(await decide(location, 'approve'));
    expect(done.location).toBe(`${proxy.url}/shop${path}`);
  });

  test('two apps of one origin, with one session store and one flow store, never meet', async () => {
    const store = new MemoryStore();
    const flows = memoryStore();
    const shop = await open('/shop', { session: { store }, options: { store: flows } });
    await open('/bank', { session: { store }, options: { store: flows }, sandbox: shop.sandbox });
    shop.sandbox.redirectUrl = `${proxy.url}/shop/identity/callback`;
    const browser = shop.browser();
    const flow = async (): Promise<string> => {
      const { location = '' } = await browser.post(`${proxy.url}/shop/identity/start`);
      return await decide(location, 'approve');
    };
    expect((await browser.visit((await flow()).replace('/shop/', '/bank/'))).status).toBe(403);
    expect((await browser.get(await flow())).location).toBe(`${proxy.url}/shop/`);
    expect((await browser.get(`${proxy.url}/shop/club`)).status).toBe(200);
    expect((await browser.get(`${proxy.url}/bank/club`)).location).toMatch(/^\/bank\/identity\/start/);
  });

  test('so have the addresses that hooks and options name', async () => {
    let hook: 'onSuccess' | 'onError' | undefined;
    let full = false;
    const flows = memoryStore();
    const to = (name: typeof hook) => () => (hook === name ? { redirectTo: '/of-hook' } : undefined);
    const app = await open('/shop', {
      options: {
        successRedirect: '/done',
        onSuccess: to('onSuccess'),
        onError: to('onError'),
        store: {
          ...flows,
          create: async (...args: Parameters<typeof flows.create>) => !full && (await flows.create(...args)),
        },
      },
    });
    const browser = app.browser();
    const ends = async (how: 'approve' | 'decline'): Promise<string> => {
      const { location = '' } = await browser.post(at('/identity/start'));
      return await decide(location, how);
    };
    expect((await browser.get(await ends('approve'))).location).toBe(at('/done'));
    hook = 'onSuccess';
    expect((await browser.get(await ends('approve'))).location).toBe(at('/of-hook'));
    hook = 'onError';
    full = true;
    const failed = await browser.post(at('/identity/start'));
    full = false;
    expect([failed.status, failed.location]).toEqual([303, '/shop/of-hook']);
    hook = undefined;
    const evil = { 'x-forwarded-host': 'evil.example' };
    const lost = await app.browser().post(`${app.url}/identity/start`, undefined, evil);
    expect(lost.status).toBe(400);
    expect(lost.text).toContain(`<a class="button" href="${at('/identity/start')}">`);
    expect(lost.text).not.toContain('evil');
  });

  test('several origins, each with its own prefix: the browser stays where it began', async () => {
    const app = await open('/shop', {
      options: { appUrl: ['https://www.shop.example', `${proxy.url}/shop`] },
    });
    const browser = app.browser();
    expect((await browser.get(`${proxy.url}/shop/club`)).location).toBe(
      '/shop/identity/start?returnTo=%2Fclub',
    );
    const other = await browser.get(`${app.url}/club`, { 'x-forwarded-host': 'www.shop.example' });
    expect(other.location).toBe('/identity/start?returnTo=%2Fclub');
  });
});

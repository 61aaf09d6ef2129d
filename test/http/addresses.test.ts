import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import { MemoryStore } from 'express-session';
import request from 'supertest';
import { memoryStore } from '../../lib/index.js';
import { good } from '../options/settings.js';
import {
  type AppSetup,
  identityWith,
  noCode,
  type Running,
  startApp,
  throws,
  unknownState,
} from '../support/app.js';
import { type CallbackApp, callbackApps, type CallbackSetup } from '../support/callbacks.js';
import { type PrefixProxy, startPrefixProxy } from '../support/prefix-proxy.js';
import { listen } from '../support/lines.js';
import { cuttableStore } from '../support/stores.js';
import { decide } from '../support/wallet.js';

describe('origin', () => {
  /** Each base has a prefix of its own: the form of the start page shows which one was chosen. */
  const bases = ['https://shop.example/a', 'https://www.shop.example:8443/b', 'http://localhost:3000/c'];

  function appUnder(appUrl: readonly string[], trust: boolean | string | number = false): express.Express {
    const identity = identityWith({ ...good, baseUrl: 'http://localhost:4000', logger: false, appUrl });
    return express().set('trust proxy', trust).use('/identity', identity);
  }

  /** The base that the kit takes a request with these headers to have come in under. */
  async function baseFor(
    headers: Record<string, string>,
    { trust, list = bases }: { trust?: boolean | string | number; list?: readonly string[] } = {},
  ): Promise<string | undefined> {
    const shown = await request(appUnder(list, trust)).get('/identity/start?returnTo=/x').set(headers);
    if (shown.status === 400 && shown.text.includes('origin_not_allowed')) return undefined;
    const [, prefix] = /action="(\/\w)\/identity\/start/.exec(shown.text) ?? [];
    return list.find((base) => base.endsWith(String(prefix))) ?? `${shown.status} ${shown.text}`;
  }

  describe('the public origin of a request', () => {
    test.each([
      ['shop.example', 'https://shop.example/a'],
      ['SHOP.example', 'https://shop.example/a'],
      ['shop.example:443', 'https://shop.example/a'],
      ['www.shop.example:8443', 'https://www.shop.example:8443/b'],
      ['localhost:3000', 'http://localhost:3000/c'],
    ])('Host %s is %s', async (host, base) => {
      expect(await baseFor({ host })).toBe(base);
    });

    const others =
      'evil.example shop.example.evil.example www.shop.example localhost:3001 shop.example:80 shop.example:99999 [::1';
    const hidden =
      'evil.example@shop.example shop.example/evil.example shop.example/a shop.example? shop.example#evil.example';
    test.each([
      ...`${others} ${hidden}`.split(' '),
      'a b',
      'shop.example\\evil.example',
      'shop%2eexample',
      'shop.example:',
      'shop.example:0443',
      'shop.example.',
      '',
    ])('F26 Host %s is none of them', async (host) => {
      expect(await baseFor({ host })).toBeUndefined();
    });

    test('F26 X-Forwarded-Host counts only behind a trusted proxy, and only its first value', async () => {
      const headers = { host: 'internal', 'x-forwarded-host': 'shop.example , proxy.internal' };
      expect(await baseFor(headers)).toBeUndefined();
      expect(await baseFor(headers, { trust: true })).toBe('https://shop.example/a');
      expect(await baseFor(headers, { trust: 'loopback' })).toBe('https://shop.example/a');
      expect(await baseFor(headers, { trust: '10.0.0.1' })).toBeUndefined();
      const evil = { ...headers, 'x-forwarded-host': 'evil.example' };
      expect(await baseFor(evil, { trust: true })).toBeUndefined();
      expect(await baseFor({ host: 'shop.example' }, { trust: true })).toBe('https://shop.example/a');
    });

    test('of two origins with one host, the scheme decides; a proxy may leave it unknown', async () => {
      const list = ['https://localhost:8080/a', 'http://localhost:8080/b'];
      expect(await baseFor({ host: 'localhost:8080' }, { list })).toBe('http://localhost:8080/b');
      const proxied = { host: 'localhost:8080', 'x-forwarded-proto': 'https' };
      expect(await baseFor(proxied, { list, trust: true })).toBe('https://localhost:8080/a');
      expect(await baseFor({ host: 'shop.example' })).toBe('https://shop.example/a'); // TLS ends before the app
    });
  });

  describe('whether a page of the app sent a start', () => {
    /** Without a session a start gets no further than that. */
    async function isOurs(headers: Record<string, string>): Promise<boolean> {
      const posted = await request(appUnder(bases))
        .post('/identity/start')
        .set({ host: 'shop.example', accept: 'application/json', ...headers });
      const { error } = posted.body as { error: string };
      expect(['cross_site', 'session_missing']).toContain(error);
      return error === 'session_missing';
    }

    test.each([
      ['same-origin', 'https://shop.example', true],
      ['same-origin', 'https://evil.example', true],
      ['same-site', 'https://shop.example', false],
      ['cross-site', 'https://shop.example', false],
      ['none', 'https://shop.example', false],
      ['', 'https://shop.example', false],
      ['Same-Origin', 'https://shop.example', false],
      ['same-origin, same-origin', 'https://shop.example', false],
    ])(
      'F10 where a browser sends Sec-Fetch-Site, that alone decides: %j with %s',
      async (site, origin, is) => {
        expect(await isOurs({ origin, 'sec-fetch-site': site })).toBe(is);
      },
    );

    test('F10 of two origins of the app, either may start; an Origin header has no path', async () => {
      expect(await isOurs({ origin: 'https://shop.example' })).toBe(true);
      expect(await isOurs({ origin: 'https://www.shop.example:8443' })).toBe(true);
      expect(await isOurs({ origin: 'http://shop.example' })).toBe(false);
      expect(await isOurs({ origin: 'https://shop.example:443' })).toBe(false);
    });
  });
});

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
      /^\/shop\/oops\?error=not_shared&question=default&flow=[\w-]{43}&supportCode=[\w-]{9}$/,
    );
    expect(page.text).toContain('<a class="button other" href="/shop/identity/start">');
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

describe('headers', () => {
  const openApp = callbackApps();
  const json = { accept: 'application/json' };

  interface Answer {
    readonly status: number;
    readonly headers: Headers;
  }

  type Case = readonly [
    name: string,
    status: number,
    ask: (app: CallbackApp) => Promise<Answer>,
    setup?: CallbackSetup,
  ];

  const { store: down, cut } = cuttableStore();
  cut();

  const failing: CallbackSetup = { hooks: { onSuccess: throws() } };
  const serviceDown: CallbackSetup = {
    options: { fetch: async () => Response.json({ success: false, error: {} }, { status: 500 }) },
  };
  const goingAway = cuttableStore();

  type Ask = Case[2];
  const get =
    (path: string, headers = {}): Ask =>
    async (app) =>
      await app.browser().get(`${app.url}${path}`, headers);
  const post =
    (path: string, headers = {}): Ask =>
    async (app) =>
      await app.browser().post(`${app.url}${path}`, undefined, headers);
  const plain =
    (path: string, method: string): Ask =>
    async ({ url }) =>
      await fetch(`${url}${path}`, { method });
  const deliver =
    (presentation: string, state: (app: CallbackApp) => unknown = unknownState): Ask =>
    async (app) =>
      await app.deliver({ presentation, state: (await state(app)) as string });
  const ofFlow = async (app: CallbackApp): Promise<string> => (await app.begin()).state;
  const release: Ask = async (app) => {
    const { browser, back: address } = await app.verified();
    return await browser.get(address);
  };

  const appRoute: CallbackSetup = {
    after: (its, identity) =>
      its.post('/app-route', async (req, res) => await identity.start(req, res, { question: 'constructor' })),
  };

  const start = '/identity/start';
  const back = '/identity/return';
  const crossSite = { 'sec-fetch-site': 'cross-site' };

  const startPages: readonly Case[] = [
    ['GET start', 200, get(start)],
    ["another site's POST start", 403, post(start, crossSite)],
  ];

  const others: readonly Case[] = [
    ['POST start', 303, post(start)],
    ['POST start for a program', 200, post(start, json)],
    ["another site's POST start for a program", 403, post(start, { ...json, ...crossSite })],
    ['POST start with the service down', 502, post(start), serviceDown],
    ['POST start with the store down', 503, post(start), { options: { store: down } }],
    ['POST start without a session', 500, post(start), { session: false }],
    ['a returnTo that is refused', 400, get(`${start}?returnTo=//evil.example`)],
    ['a request that nobody named', 404, post('/app-route'), appRoute],
    ['a good callback', 200, deliver('good', ofFlow)],
    ['a bad callback', 200, deliver('junk', ofFlow)],
    ['a callback for no flow', 200, deliver('good')],
    ['a callback without a state', 400, async (app) => await app.deliver({ presentation: 'good' })],
    ['a callback that is too large', 413, deliver('x'.repeat(300_000))],
    [
      'a callback as JSON',
      415,
      async (app) => await app.deliver('{}', { 'content-type': 'application/json' }),
    ],
    ['a callback with the store down', 503, deliver('good'), { options: { store: down } }],
    ['a return that is released', 303, release],
    [
      'the same return again',
      303,
      async (app) => {
        const { browser, back: address } = await app.verified();
        await browser.get(address);
        return await browser.get(address);
      },
    ],
    [
      'the page that loads a return again',
      200,
      async (app) => {
        const shown = await app.browser().get((await app.verified()).back);
        expect(shown.text).toContain('http-equiv="refresh"');
        return shown;
      },
    ],
    [
      'a return in another browser',
      403,
      async (app) => await app.browser().get(`${(await app.verified()).back}&reload=2`),
    ],
    ['a return whose code fits nothing', 403, get(`${back}?code=x`)],
    ['a return whose hook fails', 500, release, failing],
    [
      'a return with the store down',
      503,
      async (app) => {
        const { browser, back: address } = await app.verified();
        goingAway.cut();
        return await browser.get(address);
      },
      { options: { store: goingAway.store } },
    ],
    ['a return without a session', 500, get(`${back}?code=${noCode}`), { session: false }],
    ['the page of an error', 200, get(`${back}?error=refused`)],
    [
      'the status',
      200,
      async (app) => {
        const { browser, flow } = await app.begin();
        return await browser.get(`${app.url}/identity/status?flow=${flow}`);
      },
    ],
    ['the status of no flow', 404, get('/identity/status?flow=x')],
    ...['start', 'callback', 'return', 'status'].flatMap((path): Case[] => [
      [`${path} by another method`, 405, plain(`/identity/${path}`, 'DELETE')],
      [`HEAD ${path}`, path === 'callback' ? 405 : 204, plain(`/identity/${path}`, 'HEAD')],
      [`a prefetch of ${path}`, 503, get(`/identity/${path}`, { 'sec-purpose': 'prefetch' })],
    ]),
    [
      'a kit that is mounted elsewhere',
      500,
      get('/elsewhere/start'),
      { after: (app, identity) => app.use('/elsewhere', identity) },
    ],
  ];

  /** What an app, or a middleware of it, may have set before. */
  const careless: CallbackSetup['before'] = (it) =>
    it.use((_req, res, next) => {
      res.set({
        'Cache-Control': 'public, max-age=600',
        'Referrer-Policy': 'unsafe-url',
        'X-Frame-Options': 'SAMEORIGIN',
      });
      next();
    });

  function guards({ headers }: Answer): readonly (string | null)[] {
    const names = ['cache-control', 'x-content-type-options', 'x-frame-options', 'referrer-policy'];
    return names.map((name) => headers.get(name));
  }

  describe('F8 the headers of every answer', () => {
    const headersOf = async ([, , ask, setup = {}]: Case): Promise<unknown[]> => {
      const answer = await ask(await openApp({ before: careless, ...setup }));
      return [answer.status, ...guards(answer)];
    };

    test.each(startPages)('F8 %s: the page tells its own site where it came from', async (...row) => {
      expect(await headersOf(row)).toEqual([row[1], 'no-store', 'nosniff', 'DENY', 'same-origin']);
    });

    test.each(others)('F8 %s: the address is told nobody', async (...row) => {
      expect(await headersOf(row)).toEqual([row[1], 'no-store', 'nosniff', 'DENY', 'no-referrer']);
    });
  });
});

describe('errorRedirect as a function of the code', () => {
  const ignored = 'Option errorRedirect: the function must return a path of this app';

  /** Where a person who has declined is sent from the return, if anywhere, and what the log says of it. */
  async function declinedWith(errorRedirect: (code: string) => unknown) {
    const { lines, logger } = listen();
    const app = await startApp({ options: { logger, errorRedirect } });
    const browser = app.browser();
    const { location = '' } = await browser.post(`${app.url}/identity/start`);
    const page = await browser.get(await decide(location, 'decline'));
    return { status: page.status, location: page.location, lines };
  }

  test('chooses a page of the app, which is told the code', async () => {
    const asked: string[] = [];
    const { location } = await declinedWith((code) => {
      asked.push(code);
      return '/sorry?from=wallet';
    });
    expect(location).toMatch(
      /^\/sorry\?from=wallet&error=not_shared&question=default&flow=[\w-]{43}&supportCode=[\w-]{9}$/,
    );
    expect(asked).toEqual(['not_shared']);
  });

  test('may leave a code to the page of the kit', async () => {
    const declined = await declinedWith((code) => (code === 'timed_out' ? '/sorry' : undefined));
    expect(declined).toEqual({ status: 200, location: undefined, lines: [] });
  });

  test.each<[string, () => unknown]>([
    ['names another site', () => 'https://evil.example/'],
    ['names nothing', () => 1],
    ['answers later, and fails', async () => await Promise.reject(new Error('away'))],
    [
      'throws',
      () => {
        throw new Error('away');
      },
    ],
  ])('costs no page where it %s: the log says so', async (_what, errorRedirect) => {
    const { status, location, lines } = await declinedWith(errorRedirect);
    expect([status, location]).toEqual([200, undefined]);
    expect(lines.filter((line) => line.includes(ignored))).toHaveLength(1);
  });
});

import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { failed } from '../service/service.js';
import { idsOf, login, showing, shownTo } from '../support/account.js';
import { type AppSetup, type Running, startApp } from '../support/app.js';
import { type Asked, startAsking, wallet } from '../support/asked-service.js';
import { gate } from '../support/callbacks.js';
import { root } from '../support/root.js';
import { sessionsAround } from '../support/stores.js';
import { decide } from '../support/wallet.js';

describe('start condition', () => {
  /** What the README shows: a condition stands above the kit as ordinary middleware. */
  describe('F10 a condition before the start', () => {
    let app: Asked;
    let open = false;
    beforeAll(async () => {
      app = await startAsking({
        options: { questions: { age: { reveal: ['birth_date'] } } },
        before: (its) => {
          its.use('/identity/start', (_req, res, next) => {
            if (open) next();
            else res.redirect(303, '/log-in');
          });
        },
      });
    });

    const addresses = ['', '/', '/age', '?returnTo=/club', '/age?x'];
    test.each(addresses)('F10 neither page nor flow passes it: %s', async (rest) => {
      open = false;
      const browser = app.browser();
      for (const method of ['get', 'post'] as const) {
        const shown = await browser[method](`${app.url}/identity/start${rest}`);
        expect([shown.status, shown.location]).toEqual([303, '/log-in']);
      }
      const json = { accept: 'application/json' };
      expect((await browser.post(`${app.url}/identity/start${rest}`, {}, json)).location).toBe('/log-in');
      expect(app.store.created).toEqual([]);
    });

    test('F10 where it is met, everything is as ever', async () => {
      open = true;
      const browser = app.browser();
      expect((await browser.get(`${app.url}/identity/start/age`)).status).toBe(200);
      expect((await browser.post(`${app.url}/identity/start`)).status).toBe(303);
    });
  });
});

describe('start cookie', () => {
  const hour = 3_600_000;

  async function open(maxAge: number, options: Record<string, unknown> = {}) {
    const app = await startApp({ session: { cookie: { maxAge } }, before: login(), options });
    const browser = app.browser();
    /** Whether the answer of a start has the session's cookie. */
    const renews = async (path = ''): Promise<boolean> => {
      const { headers } = await browser.post(`${app.url}/identity/start${path}`);
      return headers.getSetCookie().length > 0;
    };
    return { app, browser, renews };
  }

  describe('F89 the cookie lasts as long as the flow, and goes over no other one', () => {
    test('F89 one that the app has sent is renewed once: nobody knows when, and each request has put its session off', async () => {
      const { app, browser, renews } = await open(hour);
      await browser.post(`${app.url}/login`);
      await browser.get(`${app.url}/identity/start`);
      expect([await renews(), await renews(), await renews()]).toEqual([true, false, false]);
    });

    test('F89 a start that fails has sent it too', async () => {
      const { app, browser, renews } = await open(hour, {
        fetch: async () => await Promise.resolve(new Response('', { status: 500 })),
      });
      await browser.post(`${app.url}/login`);
      expect([await renews(), await renews()]).toEqual([true, false]);
    });

    test('F89 after a release it is that of the release', async () => {
      const { app, browser, renews } = await open(hour);
      await browser.get(await decide(await app.start(browser), 'approve'));
      expect(await renews()).toBe(false);
    });

    test('F89 one that ends before the flow is renewed each time', async () => {
      const { renews } = await open(60_000);
      expect([await renews(), await renews(), await renews()]).toEqual([true, true, true]);
    });
  });
});

describe('start names', () => {
  const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'];

  describe('F41 names from outside are looked up as own keys', () => {
    let app: Asked;
    beforeAll(async () => {
      app = await startAsking({
        options: { questions: { age: { reveal: ['birth_date'] } }, keep: () => 1 },
        after: (its, identity) => {
          its.post('/own/:name', (req, res) => identity.start(req, res, { question: req.params.name }));
        },
      });
    });

    test.each([...inherited, 'ages', 'AGE', 'age%20'])('F41 /start/%s is 404', async (name) => {
      const browser = app.browser();
      const shown = await browser.get(`${app.url}/identity/start/${name}`);
      const posted = await browser.post(`${app.url}/identity/start/${name}`);
      const own = await browser.post(`${app.url}/own/${name}`);
      const asked = await browser.post(
        `${app.url}/identity/start/${name}`,
        {},
        { accept: 'application/json' },
      );
      expect([shown.status, posted.status, own.status, asked.status]).toEqual([404, 404, 404, 404]);
      expect(own.text).toContain('<code>not_found</code>');
      expect(shown.text).not.toContain('not_found'); // no address of the kit: the app's own 404
      expect([...browser.cookies]).toEqual([]);
      expect([app.service.seen, app.store.created, app.told, app.events]).toEqual([[], [], [], []]);
    });

    test.each(inherited)('F41 the guard knows no question named %s', (name) => {
      expect(() => app.identity.require({ question: name })).toThrow(
        expect.objectContaining({
          code: 'config_invalid',
          message: expect.stringMatching(`^There is no question named ${name}\\. `),
        }),
      );
    });

    test.each(inherited)('F41 an error page is not found under %s', async (name) => {
      const shown = await app.browser().get(`${app.url}/identity/return?error=${name}`);
      expect(shown.text).toContain('<code>service_error</code>');
      expect(shown.text).toContain('The verification did not succeed');
    });

    test.each(inherited)('F41 returnTo is no inherited %s of a form', async (name) => {
      const reply = await fetch(`${app.url}/identity/start`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ [name]: '//evil.example' }),
      });
      expect(reply.status).toBe(303);
    });
  });
});

describe('start log in', () => {
  /** Where the form of a page leads. */
  const formOf = (text: string): string =>
    /<form method="post" action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

  /** An app whose second look at a session, that of a start, waits at the gate. */
  async function open() {
    const [looking, goOn] = [gate(), gate()];
    let looks = Infinity;
    const inner = new MemoryStore();
    const sessions = sessionsAround(async (call, work) => {
      if (call === 'get' && (looks -= 1) === 0) {
        looking.open();
        await goOn.opened;
      }
      return await work();
    }, inner);
    const app = await startApp({
      session: { store: sessions },
      before: (it) => {
        it.post('/basket', (req, res) => {
          Object.assign(req.session, { basket: 'full' });
          res.end();
        });
        it.post('/login', (req, res) => {
          const { basket } = req.session as unknown as { basket?: string };
          req.session.regenerate(() => {
            Object.assign(req.session, { user: 'erika', basket });
            res.end();
          });
        });
      },
      after: showing(['user', 'basket']),
    });
    return {
      app,
      looking: looking.opened,
      goOn: goOn.open,
      /** From now on; the first look is the session middleware's. */
      stopAtSecondLook: () => void (looks = 2),
    };
  }

  describe('F89 a start whose session gets another id meanwhile', () => {
    test('F89 by a log-in of the app: the person presses once more, and stays logged in', async () => {
      const { app, looking, goOn, stopAtSecondLook } = await open();
      const [tab, other] = [app.browser(), app.browser()];
      await tab.post(`${app.url}/basket`);
      for (const [name, value] of tab.cookies) other.cookies.set(name, value);

      stopAtSecondLook();
      const starting = tab.post(`${app.url}/identity/start?returnTo=/club`);
      await looking;
      await other.post(`${app.url}/login`);
      goOn();
      const { status, headers, text } = await starting;
      expect([status, headers.getSetCookie()]).toEqual([200, []]);

      for (const [name, value] of other.cookies) tab.cookies.set(name, value); // one browser has both tabs
      const again = await tab.post(`${app.url}${formOf(text)}`);
      expect([again.status, again.headers.getSetCookie()]).toEqual([303, []]);
      expect(await shownTo(app, tab)).toEqual(['erika', 'full', null]);
    });

    test.each(['/identity', '/other'])(
      'F89 a script is told, and gets no other session, where that of the kit at %s ends meanwhile',
      async (path) => {
        let isEnding = false;
        const app = await startApp({
          before: (its) => {
            its.post('/identity/start', (req, _res, next) => {
              if (isEnding) app.sessions.destroy(req.sessionID, next);
              else next();
            });
          },
        });
        const browser = app.browser();
        await app.start(browser);
        const [id = ''] = idsOf(app);
        app.stored()[id] = app.stored()[id]?.replace('pidgate /identity', `pidgate ${path}`) ?? '';
        isEnding = true;
        const shown = await browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
        expect([shown.status, shown.headers.getSetCookie()]).toEqual([503, []]);
        expect(shown.json()).toMatchObject({ error: 'session_save_failed' });
      },
    );
  });
});

describe('start prefetch', () => {
  const looksAhead: [string, Record<string, string>][] = [
    ['Sec-Purpose: prefetch', { 'sec-purpose': 'prefetch' }],
    ['Sec-Purpose: prefetch;prerender', { 'sec-purpose': 'prefetch;prerender' }],
    ['Purpose: prefetch', { purpose: 'prefetch' }],
    ['X-Moz: prefetch', { 'x-moz': 'prefetch' }],
    ['Purpose: Prefetch', { purpose: 'Prefetch' }],
  ];

  describe('F11 looking ahead has no effect', () => {
    let app: Running;
    const hooks: string[] = [];
    beforeAll(async () => {
      app = await startApp({
        options: {
          onVerified: () => void hooks.push('onVerified'),
          onSuccess: () => void hooks.push('onSuccess'),
          onError: () => void hooks.push('onError'),
        },
      });
    });

    test.each(looksAhead)('F11 start with %s', async (_, headers) => {
      const browser = app.browser();
      app.events.length = 0;
      const shown = await browser.get(`${app.url}/identity/start`, headers);
      const posted = await browser.post(`${app.url}/identity/start`, {}, headers);
      for (const { status, text } of [shown, posted]) expect([status, text]).toEqual([503, '']);
      expect([[...browser.cookies], app.events]).toEqual([[], []]);
    });

    test.each(looksAhead)('F11 return with %s', async (_, headers) => {
      const { browser, back } = await app.waiting();
      hooks.length = 0;
      const ahead = await browser.get(back, headers);
      expect([ahead.status, ahead.text]).toEqual([503, '']);
      expect(ahead.headers.get('cache-control')).toBe('no-store');
      expect(hooks).toEqual([]);
      const real = await browser.get(back);
      expect([real.status, real.location]).toEqual([303, `${app.url}/`]);
      expect(hooks).toEqual(['onSuccess']);
    });

    test.each(looksAhead)('F11 callback with %s', async (_, headers) => {
      hooks.length = 0;
      app.events.length = 0;
      const reply = await app.callback({ state: 'A'.repeat(43), error: 'access_denied' }, headers);
      expect([reply.status, await reply.text()]).toEqual([503, '']);
      expect([hooks, app.events]).toEqual([[], []]);
    });

    test('F11 HEAD on start, callback, return and status', async () => {
      const { browser, back } = await app.waiting();
      hooks.length = 0;
      app.events.length = 0;
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const head = async (url: string): Promise<number> =>
        (await fetch(url, { method: 'HEAD', redirect: 'manual', headers: { cookie, accept: 'text/html' } }))
          .status;
      expect(await head(back)).toBe(204);
      expect(await head(`${back}&reload=1`)).toBe(204);
      for (const route of ['start', 'status?flow=x']) {
        expect(await head(`${app.url}/identity/${route}`)).toBe(204);
      }
      expect(await head(`${app.url}/identity/callback`)).toBe(405);
      expect([hooks, app.events]).toEqual([[], []]);
      expect((await browser.get(back)).status).toBe(303);
      expect(hooks).toEqual(['onSuccess']);
    });

    test('F11 a HEAD of the return by a stranger revokes nothing', async () => {
      const browser = app.browser();
      const wallet = await app.start(browser);
      const back = await decide(wallet, 'approve');
      await fetch(`${back}&reload=1`, { method: 'HEAD' });
      expect((await browser.get(back)).location).toBe(`${app.url}/`);
    });
  });
});

describe('start again', () => {
  const named = { questions: { age: { reveal: ['birth_date'] } } };
  const again = 'href="/identity/start/age?returnTo=%2Fclub"';

  async function open(setup: AppSetup = {}): Promise<Running> {
    return await startApp({ ...setup, options: { ...named, ...setup.options } });
  }

  /** Starts the named question and comes back from the wallet with this decision. */
  async function after(app: Running, decision: 'approve' | 'decline') {
    const browser = app.browser();
    const shown = await browser.post(`${app.url}/identity/start/age?returnTo=%2Fclub`);
    return { browser, back: await decide(shown.location ?? '', decision) };
  }

  describe('F59 "start again" leads to the question that failed', () => {
    test('F59 after a decline', async () => {
      const app = await open();
      const { browser, back } = await after(app, 'decline');
      const shown = await browser.get(back);
      expect([shown.status, shown.text.includes(again)]).toEqual([200, true]);
    });

    test('F59 where somebody else is logged in at the return', async () => {
      let user = 'anna';
      const app = await open({ options: { subject: () => user } });
      const { browser, back } = await after(app, 'approve');
      user = 'bert';
      const shown = await browser.visit(back);
      expect([shown.status, shown.text.includes(again)]).toEqual([403, true]);
    });

    test('F59 where the service does not take the start', async () => {
      const app = await startAsking({ options: named });
      app.service.answers(failed(500, 'error_internal'));
      const shown = await app.browser().post(`${app.url}/identity/start/age?returnTo=%2Fclub`);
      expect([shown.status, shown.text.includes(again)]).toEqual([502, true]);
    });

    test('F59 where it is not known which it was, only the way home; of one question, that one', async () => {
      const unknown = `${'A'.repeat(43)}.${'A'.repeat(43)}`;
      const shownBy = async (app: Running): Promise<boolean[]> => {
        const pages = ['code=' + unknown, 'error=return_wrong_browser', 'error=state_unknown'].map(
          async (query) => await app.browser().visit(`${app.url}/identity/return?${query}`),
        );
        const texts = (await Promise.all(pages)).map(({ text }) => text);
        for (const text of texts) expect(text).toMatch(/<a (class="button" )?href="\/">Back to /);
        for (const text of texts.slice(0, 2)) expect(text).toContain('or you have logged in or out since');
        return texts.map((text) => text.includes('/identity/start'));
      };
      expect(await shownBy(await open())).toEqual([false, false, false]);
      expect(await shownBy(await startApp())).toEqual([true, true, true]);
      expect(await shownBy(await open({ options: { reveal: undefined } }))).toEqual([true, true, true]);
    });

    test('F59 at an address of the app that is not the main one', async () => {
      const app = await open({ options: { appUrl: 'http://localhost:1' } });
      const shown = await app.browser().post(`${app.url}/identity/start/age`);
      const again = shown.text.includes('href="http://localhost:1/identity/start/age"');
      expect([shown.status, again]).toEqual([400, true]);
    });

    test('F59 after a flow that went well, the page of another error does not lead to it', async () => {
      const app = await open();
      const { browser, back } = await after(app, 'approve');
      await browser.get(back);
      const shown = await browser.get(`${app.url}/identity/return?error=service_error`);
      expect([shown.status, shown.text.includes('/identity/start')]).toEqual([200, false]);
    });

    test('F59 from /status of a flow that failed', async () => {
      const app = await open({ options: { onSuccess: () => ({ refuse: 'under_age' }) } });
      const { browser, back } = await after(app, 'approve');
      await browser.get(back);
      await app.start(browser); // of another question, so that this flow is not the session's last one
      const flow = new URL(back).searchParams.get('code')?.split('.')[0] ?? '';
      const shown = await browser.get(`${app.url}/identity/status?flow=${flow}`);
      expect(shown.json()).toEqual({ status: 'failed', start: '/identity/start/age?returnTo=%2Fclub' });
    });
  });

  describe('F59 another spelling of the mount path', () => {
    test.each(['/IDENTITY/start', '/Identity/callback', '/%69dentity/start', '/identity%2Fstart'])(
      "F59 %s is nobody's address, and no fault of the app",
      async (path) => {
        const app = await open();
        for (const method of ['GET', 'POST']) {
          const reply = await fetch(`${app.url}${path}`, { method, headers: { accept: 'text/html' } });
          expect(reply.status).toBe(404);
          expect(await reply.text()).not.toContain('config_invalid');
        }
        expect(app.events).toEqual([]);
      },
    );
  });
});

describe('F10 only a page of this app starts', () => {
  let app: Asked;
  beforeAll(async () => {
    app = await startAsking({
      options: { questions: { age: { reveal: ['birth_date'] } } },
      after: (express, identity) => {
        express.post('/verify', async (req, res) => await identity.start(req, res, { returnTo: '/club' }));
        express.get('/verify', async (req, res) => await identity.start(req, res));
      },
    });
  });
  beforeEach(() => {
    app.service.seen.length = 0;
    app.store.created.length = 0;
    app.events.length = 0;
    app.told.length = 0;
  });

  const own = (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('own', app.url)]));

  const nothingHappened = (): void => {
    expect([app.service.seen, app.store.created, app.events, app.told]).toEqual([[], [], [], []]);
  };

  const post = async (headers: Record<string, string>, path = '/identity/start'): Promise<Response> =>
    await fetch(`${app.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', ...headers },
    });

  test('F10 GET shows the page, sets no cookie and starts nothing', async () => {
    const reply = await fetch(`${app.url}/identity/start`, { headers: { accept: 'text/html' } });
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain('<form method="post" action="/identity/start?form=kit">');
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect(reply.headers.get('referrer-policy')).toBe('same-origin');
    nothingHappened();
  });

  test.each([
    ['Sec-Fetch-Site same-origin', { 'sec-fetch-site': 'same-origin' }],
    ['Sec-Fetch-Site same-origin under no-referrer', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['without Sec-Fetch-Site, an Origin of appUrl', { origin: 'own' }],
  ] as [string, Record<string, string>][])('F10 %s passes', async (_, given) => {
    const reply = await post(own(given), '/identity/start?form=kit');
    expect([reply.status, reply.headers.get('location')]).toEqual([303, wallet]);
    expect(app.service.seen).toHaveLength(1);
  });

  const foreign: [string, Record<string, string>][] = [
    ['neither header', {}],
    ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
    ['Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }],
    ['an empty Sec-Fetch-Site', { 'sec-fetch-site': '' }],
    ['a made-up Sec-Fetch-Site', { 'sec-fetch-site': 'Same-Origin' }],
    ['two values of Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['Origin null', { origin: 'null' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
  ];

  test.each([
    ...foreign,
    ['Sec-Fetch-Site cross-site with the own Origin', { 'sec-fetch-site': 'cross-site', origin: 'own' }],
    ['an Origin that begins like the own', { origin: 'own.evil.example' }],
    ['an Origin with a path', { origin: 'own/' }],
  ] as [string, Record<string, string>][])(
    'F10 %s: 403, and the start page for a person',
    async (_, given) => {
      const reply = await post(own(given), '/identity/start/age?returnTo=%2Fclub%3Fa%3D1');
      const page = await reply.text();
      expect(reply.status).toBe(403);
      expect(page).toContain('did not come from this page');
      expect(page).toContain(
        '<form method="post" action="/identity/start/age?returnTo=%2Fclub%3Fa%3D1&amp;form=kit">',
      );
      expect(page).toContain('Date of birth');
      expect(reply.headers.getSetCookie()).toEqual([]);
      nothingHappened();
    },
  );

  test.each(foreign)('F10 %s: 403 as JSON for a program', async (_, headers) => {
    const reply = await post({ ...headers, accept: 'application/json' });
    expect(reply.status).toBe(403);
    expect(await reply.json()).toEqual({
      error: 'cross_site',
      error_description: 'Only a page of this app may start a verification.',
    });
    nothingHappened();
  });

  test.each(foreign)("F10 %s: the app's own route refuses it too", async (_, headers) => {
    const reply = await post(headers, '/verify');
    const page = await reply.text();
    expect(reply.status).toBe(403);
    expect(page).toContain('<form method="post" action="/verify?form=kit">'); // only this route knows its overrides
    expect(reply.headers.get('cache-control')).toBe('no-store');
    nothingHappened();
  });

  test.each([
    ['/verify?a=%20b', '/verify?a=%20b&amp;form=kit'],
    ['/verify?form=kit', '/verify?form=kit'],
    ['/verify?a=%0d', undefined], // no address that is safe to name: the form goes where the page came from
  ])("F10 the page of the app's own route leads back to it: %s", async (path, action) => {
    const page = await (await post({}, path)).text();
    expect(/<form method="post" (?:action="([^"]*)")?>/.exec(page)).toMatchObject({ 1: action });
  });

  test("F10 a GET of the app's own route starts nothing either", async () => {
    const get = async (accept: string) =>
      await fetch(`${app.url}/verify`, { headers: { 'sec-fetch-site': 'same-origin', accept } });
    const reply = await get('application/json');
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await reply.json()).toMatchObject({ error: 'method_not_allowed' });
    const page = await get('text/html');
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'POST']);
    const html = await page.text();
    expect(html).toContain('href="/identity/start');
    expect(html).not.toContain('identity.start needs');
    nothingHappened();
  });
});

describe("F120 the query of a form of the app's own route", () => {
  /** An app whose route starts a flow, and tells the query that it got. */
  async function open() {
    const queries: unknown[] = [];
    const app = await startAsking({
      after: (express, identity) => {
        express.post('/own', async (req, res) => {
          queries.push({ ...req.query });
          await identity.start(req, res);
        });
      },
    });
    return { app, queries };
  }

  const actionOf = (text: string): string =>
    /<form method="post" action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

  test.each([
    ['next=/list?page=2', 'next=/list?page=2'],
    ['next=/list?page=2?x&a', 'next=/list?page=2?x&a'],
    ['?form=kit', '?form=kit'], // a parameter whose name begins with a question mark
    ['a=form=kit&forms=kit&form[a]=kit', 'a=form=kit&forms=kit&form[a]=kit'],
    ['%66orm=x&form=y&size=2', '%66orm=x&form=y&size=2'],
    ['%66orm=kit&form=%6bit&form=fresh&a=1', 'a=1'],
    ['f%6frm=fresh', ''],
  ])('F120 is kept whole, but for the mark of the kit: %s', async (query, kept) => {
    const { app } = await open();
    const page = await app.browser().post(`${app.url}/own?${query}`, {}, { 'sec-fetch-site': 'cross-site' });
    expect([page.status, actionOf(page.text)]).toEqual([403, `/own?${kept}${kept && '&'}form=kit`]);
    expect(app.store.created).toEqual([]);
  });

  test.each([
    '',
    '?%66orm=x',
    '?form=x',
    '?form[a]=x',
    '?form=x&form=y',
    '?form=fresh&%66orm=kit',
    '?next=/a?b',
  ])('F120 whose session has ended presses once more, and is at the wallet: /own%s', async (query) => {
    const { app, queries } = await open();
    const browser = app.browser();
    browser.cookies.set('connect.sid', 's%3Aended.AAAA');
    const shown = await browser.post(`${app.url}/own${query}`, {});
    expect([shown.status, app.store.created]).toEqual([200, []]);
    const again = await browser.post(`${app.url}${actionOf(shown.text)}`, {});
    expect([again.status, again.location, app.store.created.length]).toEqual([303, wallet, 1]);
    const { form: _, ...first } = queries[0] as Record<string, unknown>;
    expect(queries[1]).toMatchObject(first);
  });
});

describe("F121 a first visitor who has another middleware's signed cookie", () => {
  const own: AppSetup = {
    after: (express, identity) => {
      express.post('/own', async (req, res) => await identity.start(req, res));
    },
  };
  const open = async () => {
    const app = await startAsking(own);
    const browser = app.browser();
    browser.cookies.set('language', 's%3Ade.AAAA');
    return { app, browser };
  };
  const formOf = (text: string): string => /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? '';

  test('F121 presses a form of the app twice, as the documents say, and has lost nothing', async () => {
    const { app, browser } = await open();
    const shown = await browser.post(`${app.url}/own`, {});
    expect([shown.status, shown.headers.getSetCookie(), app.store.created]).toEqual([200, [], []]);
    expect(formOf(shown.text)).toBe('/own?form=fresh');
    const again = await browser.post(`${app.url}/own?form=fresh`, {});
    expect([again.status, again.location, app.store.created.length]).toEqual([303, wallet, 1]);
    expect(readFileSync(`${root}/docs/architecture.md`, 'utf8')).toMatch(
      /the signed cookie of cookie-parser counts as that of a session too/,
    );
  });

  test("F121 presses the kit's own form once, and a script that wants JSON asks once", async () => {
    const { app, browser } = await open();
    const page = await browser.get(`${app.url}/identity/start`);
    const started = await browser.post(`${app.url}${formOf(page.text)}`, {});
    expect([started.status, started.location]).toEqual([303, wallet]);
    const other = app.browser();
    other.cookies.set('language', 's%3Ade.AAAA');
    const json = await other.post(`${app.url}/own`, {}, { accept: 'application/json' });
    expect([json.status, json.json()]).toMatchObject([200, { redirectUrl: wallet }]);
  });
});

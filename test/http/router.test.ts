import { beforeAll, describe, expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type Request } from 'express';
import request from 'supertest';
import { asyncHandler } from '../../lib/http/async-handler.js';
import { ask, memoryStore } from '../../lib/index.js';
import { good } from '../options/settings.js';
import {
  type AppSetup,
  type Identity,
  identityWith,
  openSandbox,
  type Running,
  startApp,
  testClock,
  throws,
} from '../support/app.js';
import { bothForms, callbackApps, valid } from '../support/callbacks.js';
import { listen } from '../support/lines.js';
import { inMode } from '../support/mode.js';
import { decide } from '../support/wallet.js';
import { openedSessions } from '../support/sealed.js';

describe('router', () => {
  const settings = { ...good, baseUrl: 'http://localhost:4000', appUrl: 'http://localhost:3000' };

  const host = 'localhost:3000';

  describe('the router', () => {
    let app: Running;
    beforeAll(async () => {
      app = await startApp();
    });

    test.each([
      ['/start', 'PUT', 'GET, POST'],
      ['/return', 'POST', 'GET'],
      ['/status', 'POST', 'GET'],
      ['/status', 'OPTIONS', 'GET'],
    ])('%s does not answer %s, and says what it answers', async (path, method, allow) => {
      const reply = await fetch(`${app.url}/identity${path}`, { method });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow]);
      expect(await reply.json()).toEqual({
        error: 'method_not_allowed',
        error_description: 'This address does not accept this method.',
      });
    });

    test('what is not a route of the kit is left to the app', async () => {
      const reply = await fetch(`${app.url}/identity/elsewhere`);
      expect(reply.status).toBe(404);
      expect(await reply.text()).toContain('Cannot GET /identity/elsewhere');
    });

    test.each(['/verify', '/a/identity'])('mounted at %s it says so, naming both paths', async (at) => {
      const mounted = express().use(at, identityWith(settings));
      const message = `The kit is mounted at ${at}, but its option path is /identity: make them the same, app.use('/identity', identity).`;
      for (const mode of ['production', 'test', 'development']) {
        const made = await inMode(mode, () => express().use(at, identityWith(settings)));
        const page = await request(made).get(`${at}/start`).set('Accept', 'text/html');
        const isDeveloper = mode === 'development';
        expect([page.status, page.text.replaceAll('&#39;', "'").includes(message)]).toEqual([
          500,
          isDeveloper,
        ]);
        expect(page.text.includes('For the developer')).toBe(isDeveloper);
      }
      const program = await request(mounted).get(`${at}/start`).set('Accept', 'application/json');
      const service = await request(mounted).post(`${at}/callback`).type('form').send('state=x&error=y');
      const body = { error: 'config_invalid', error_description: message };
      for (const reply of [program, service]) expect([reply.status, reply.body]).toEqual([500, body]);
    });

    test("in development the log names an address that is almost its own; the reply stays the app's", async () => {
      const { lines, logger } = listen();
      const options = {
        ...settings,
        reveal: undefined,
        questions: { age: { reveal: ['birth_date'] } },
        logger,
      };
      const ask = async (mode: string): Promise<string[]> => {
        const made = await inMode(mode, () => express().use('/identity', identityWith(options)));
        await request(made)
          .get('/identity/start/aeg')
          .expect(404, /Cannot GET/);
        await request(made)
          .post('/identity/calback')
          .expect(404, /Cannot POST/);
        await request(made).post('/identity/return/').expect(404);
        await request(made).get('/identity/reset').expect(404);
        await request(made).get('/identity/start/%61eg').expect(404);
        return lines.splice(0);
      };
      expect(await ask('development')).toEqual([
        'warn pidgate: there is nothing at /identity/start/aeg. Did you mean /identity/start/age?',
        'warn pidgate: there is nothing at /identity/calback. Did you mean /identity/callback?',
        'warn pidgate: there is nothing at /identity/return/. Did you mean /identity/return?',
      ]);
      expect(await ask('production')).toEqual([]);
    });

    test('mounted at the root it says so', async () => {
      const reply = await request(express().use(identityWith(settings)))
        .get('/start')
        .set('Accept', 'application/json');
      expect(reply.body).toMatchObject({ error_description: expect.stringContaining('mounted at /, but') });
    });

    test('routes are renamed, or left out', async () => {
      const identity = identityWith({
        ...settings,
        path: '/id/v1',
        confirm: 'callback',
        errorRedirect: '/sorry',
        routes: { start: '/begin', callback: '/hooks/proof', return: false, status: false },
      });
      const app4 = express().use('/id/v1', identity);
      const status = async (path: string): Promise<number> =>
        (await request(app4).get(`/id/v1${path}`).set('Host', host)).status;
      expect(
        await Promise.all(['/begin', '/hooks/proof', '/start', '/return', '/status'].map(status)),
      ).toEqual([200, 405, 404, 404, 404]);
      const begin = await request(app4).get('/id/v1/begin').set('Host', host);
      expect(begin.text).toContain('action="/id/v1/begin?form=kit"');
    });

    test('the callback may be left out too', async () => {
      const app4 = express().use('/identity', identityWith({ ...settings, routes: { callback: false } }));
      expect((await request(app4).post('/identity/callback')).status).toBe(404);
    });

    test('under a router of the app, path is the whole way', async () => {
      const inner = express.Router().use('/identity', identityWith({ ...settings, path: '/shop/identity' }));
      const page = await request(express().use('/shop', inner)).get('/shop/identity/start').set('Host', host);
      expect([page.status, page.text.includes('action="/shop/identity/start?form=kit"')]).toEqual([
        200,
        true,
      ]);
    });
  });

  describe('an async handler', () => {
    test('hands every rejection to Express once, whatever it is', async () => {
      const seen: unknown[] = [];
      const app = express();
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what an app's code may do
      const reject = async (reason: unknown): Promise<void> => await Promise.reject(reason);
      const fails: Record<string, () => Promise<void>> = {
        '/error': async () => await reject(new TypeError('broken')),
        '/route': async () => await reject('route'),
        '/nothing': async () => await reject(undefined),
        '/sync': throws(new RangeError('at once')),
      };
      for (const [path, fail] of Object.entries(fails)) app.get(path, asyncHandler(fail));
      app.use((_req, res) => void res.status(404).end()); // next('route') would end here
      app.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
        seen.push(error);
        res.status(500).end();
      });
      for (const path of Object.keys(fails)) expect((await request(app).get(path)).status).toBe(500);
      expect(seen).toMatchObject([
        new TypeError('broken'),
        { message: 'A handler threw no Error', cause: 'route' },
        { message: 'A handler threw no Error', cause: undefined },
        new RangeError('at once'),
      ]);
    });
  });
});

describe('callback', () => {
  const open = callbackApps();

  describe.each(bothForms)("the callback route, confirm '%s'", (confirm) => {
    test('F34 a store that is away answers 503 with Retry-After and nothing from inside', async () => {
      const fault = new Error('redis://user:password@10.0.0.7 refused');
      const store = { ...memoryStore(), read: async () => await Promise.reject(fault) };
      const app = await open({ confirm, options: { store } });
      const begun = await app.begin();
      const { status, headers, text } = await app.deliver({ presentation: 'good', state: begun.state });
      expect([status, headers.get('retry-after'), text]).toEqual([
        503,
        '1',
        '{"error":"store_unavailable","error_description":"The flow store did not respond."}',
      ]);
      expect(app.ran).toEqual([]);
      expect(app.events.at(-1)).toMatchObject({ type: 'callback.refused', code: 'store_unavailable' });
    });

    test('what the kit did not foresee goes to the error handler of the app, once', async () => {
      let broken = false;
      const faults: unknown[] = [];
      const clock = (): Date => (broken ? throws(new TypeError('broken clock'))() : new Date());
      const failed: ErrorRequestHandler = (fault, _req, res, _next) => {
        faults.push(fault);
        res.status(500).json({});
      };
      const options = { clock, store: memoryStore() };
      const app = await open({ confirm, options, after: (it) => it.use(failed) });
      const { state } = await app.begin();
      broken = true;
      expect((await app.deliver({ presentation: 'good', state })).status).toBe(500);
      broken = false;
      expect(faults).toEqual([new TypeError('broken clock')]);
    });

    test('the routes may have other names, and the reply follows', async () => {
      const app = await open({ confirm, options: { routes: { return: '/back' } } });
      const { state, flow } = await app.begin();
      const { body } = await app.deliver({ presentation: 'junk', state });
      const address = `${app.url}/identity/back?error=presentation_invalid`;
      const about = confirm === 'return' ? `&flow=${flow}` : '';
      expect(body.redirect_uri).toBe(address + about);
    });
  });
});

describe('changed settings', () => {
  type Wallet = NonNullable<AppSetup['wallet']>;

  /** An app before a deployment, and after it: two processes on one store, with the new one at the callback. */
  async function deployed(wallet: Wallet, changed: (before: Running) => Record<string, unknown>) {
    const sandbox = await openSandbox(wallet);
    const seen: unknown[] = [];
    const shared = {
      store: memoryStore(),
      onVerified: ({ result }: { result: { issuer: string; attributes: object } }) =>
        void seen.push([result.issuer, { ...result.attributes }]),
    };
    const before = await startApp({ sandbox, options: shared });
    const after = await startApp({
      sandbox,
      origins: [before.url],
      options: { ...shared, ...changed(before) },
    });
    sandbox.redirectUrl = `${after.url}/identity/callback`;
    return { before, seen };
  }

  const erika = { given_name: 'Erika', birth_date: '1964-08-12' };

  describe('a verification that began before a deployment and is answered after it', () => {
    test.each([
      ['base', 'derived'],
      ['derived', 'base'],
    ] as const)('is judged under its own variant: %s, then %s', async (variant, next) => {
      const { before, seen } = await deployed({ variant }, () => ({ variant: next }));
      const browser = before.browser();
      const back = await decide(await before.start(browser), 'approve');
      expect(seen).toEqual([['xx-sandbox', erika]]);
      expect((await browser.get(back)).location).toBe(`${before.url}/`);
    });

    test('is judged by its own issuer, while its entry stays in trust', async () => {
      const { before, seen } = await deployed({}, ({ sandbox }) => ({
        issuer: 'xx-next',
        trust: { ...sandbox.options.trust, 'xx-next': () => valid },
      }));
      const browser = before.browser();
      const back = await decide(await before.start(browser), 'approve');
      expect(seen).toEqual([['xx-sandbox', erika]]);
      expect((await browser.get(back)).location).toBe(`${before.url}/`);
    });
  });
});

describe('many customers', () => {
  /** A factory for each customer, made when it is first needed, on one store and one session. */
  async function open() {
    const made = new Map<string, Identity>();
    const sandboxes = { acme: await openSandbox(), bravo: await openSandbox() };
    const store = memoryStore();
    const factoryOf = (customer: 'acme' | 'bravo', appUrl: string): Identity => {
      const identity =
        made.get(customer) ??
        identityWith({
          ...sandboxes[customer].options,
          appUrl,
          store,
          path: `/${customer}/identity`,
          reveal: ['given_name'],
          keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name,
          logger: false,
        });
      made.set(customer, identity);
      return identity;
    };
    const named = (req: Request): 'acme' | 'bravo' => req.params['customer'] as 'acme' | 'bravo';
    let url = '';
    const app: Running = await startApp({
      after(it) {
        it.use('/:customer/identity', (req, res, next) => factoryOf(named(req), url)(req, res, next));
        it.get('/:customer/club', (req, res, next) => factoryOf(named(req), url).require()(req, res, next));
        it.get('/:customer/club', (req, res) => void res.json(factoryOf(named(req), url).of(req)?.kept));
      },
    });
    url = app.url;
    for (const customer of ['acme', 'bravo'] as const) {
      sandboxes[customer].redirectUrl = `${url}/${customer}/identity/callback`;
    }
    return { app, sandboxes };
  }

  test('a flow of one customer is none of the other, in one session and on one store', async () => {
    const { app } = await open();
    const browser = app.browser();
    const started = await browser.post(`${app.url}/acme/identity/start?returnTo=/acme/club`);
    const back = await decide(started.location ?? '', 'approve');

    const elsewhere = await browser.get(back.replace('/acme/', '/bravo/'));
    expect([elsewhere.status, elsewhere.location]).toEqual([200, undefined]); // a page that asks once more
    expect((await browser.get(`${app.url}/bravo/club`)).status).toBe(303);
    const shown = await browser.get(back);
    expect([shown.status, shown.location]).toEqual([303, `${app.url}/acme/club`]);
    expect((await browser.get(`${app.url}/acme/club`)).json()).toBe('Erika');
    const guarded = await browser.get(`${app.url}/bravo/club`);
    expect([guarded.status, guarded.location]).toEqual([
      303,
      '/bravo/identity/start?returnTo=%2Fbravo%2Fclub',
    ]);
  });

  test('a callback of one customer is unknown to the other', async () => {
    const { app, sandboxes } = await open();
    sandboxes.acme.redirectUrl = `${app.url}/bravo/identity/callback`;
    const browser = app.browser();
    await browser.get(`${app.url}/bravo/club`);
    const started = await browser.post(`${app.url}/acme/identity/start?returnTo=/acme/club`);
    const back = await decide(started.location ?? '', 'approve');
    expect(back).toBe(`${app.url}/bravo/identity/return?error=state_unknown`);
    expect((await browser.get(`${app.url}/acme/club`)).status).toBe(303);
  });
});

describe('questions', () => {
  const age = ask({
    reveal: ['birth_date'],
    keep: ({ attributes }) => attributes.birth_date,
    keepFor: '10m',
    successRedirect: '/in',
  });
  const name = ask({ reveal: ['given_name'], keep: ({ attributes }) => attributes.given_name });

  /** An app whose factory asks these two questions and no other. */
  const open = async (mode = 'test', clock = testClock()): Promise<Running> =>
    await inMode(mode, async () =>
      startApp({
        options: { reveal: undefined, keep: undefined, questions: { age, name }, clock },
        after: (its, identity) => {
          for (const question of ['age', 'name']) {
            its.get(`/${question}`, identity.require({ question }), (req, res) =>
              res.json(identity.of(req, { question })?.kept),
            );
          }
          its.post('/verify', async (req, res) => await identity.start(req, res));
        },
      }),
    );

  const json = { accept: 'application/json' };

  test('a factory without reveal has a start for each question, and none without a name', async () => {
    const app = await open();
    const browser = app.browser();
    expect((await browser.get(`${app.url}/identity/start/age`)).status).toBe(200);
    const shown = await browser.get(`${app.url}/identity/start`);
    expect(shown.status).toBe(404);
    expect(shown.text).not.toContain('For the developer');
    expect((await browser.get(`${app.url}/identity/start`, json)).json()).toMatchObject({
      error: 'not_found',
    });
    const posted = await browser.post(`${app.url}/identity/start`, undefined, json);
    expect([posted.status, posted.json()]).toMatchObject([404, { error: 'not_found' }]);
    expect((await fetch(`${app.url}/identity/start`, { method: 'PUT' })).headers.get('allow')).toBe(
      'GET, POST',
    );
  });

  test('in development the page at that address names the addresses that there are', async () => {
    const app = await open('development');
    const shown = await app.browser().get(`${app.url}/identity/start`);
    expect(shown.status).toBe(404);
    expect(shown.text).toContain('needs the name of a question: /identity/start/age, /identity/start/name');
  });

  test('require, of and start say that they need a question', async () => {
    const app = await open();
    const message = (caller: string): string =>
      `${caller} needs the option question, because the options have no reveal of their own: age, name.`;
    expect(() => app.identity.require()).toThrow(message('identity.require'));
    expect(() => app.identity.require({ question: 'agee' })).toThrow('There is no question named agee.');
    for (const question of [5, Symbol('age'), Object.create(null)] as never[]) {
      const told = 'A question is told by its name. Known questions: age, name.';
      expect(() => app.identity.require({ question })).toThrow(told);
    }
    expect(() => app.identity.of(null as never)).toThrow(message('identity.of'));
    const started = await app.browser().post(`${app.url}/verify`, undefined, json);
    expect([started.status, started.json()]).toMatchObject([500, { error: 'config_invalid' }]);
  });

  test('what is kept counts as long as its own question says, and the page says how long', async () => {
    const clock = testClock();
    const app = await open('test', clock);
    const browser = app.browser();
    expect((await browser.get(`${app.url}/identity/start/age`)).text).toContain('10 minutes');
    expect((await browser.get(`${app.url}/identity/start/name`)).text).toContain('8 hours');
    for (const question of ['age', 'name']) {
      const address = await app.toReturn(browser, `/${question}`);
      expect((await browser.get(address)).location).toBe(app.url + (question === 'age' ? '/in' : '/'));
    }
    expect((await browser.get(`${app.url}/age`)).json()).toBe('1964-08-12');
    clock.forward(10 * 60_000);
    expect((await browser.get(`${app.url}/age`, json)).json()).toMatchObject({ error: 'identity_required' });
    expect((await browser.get(`${app.url}/name`)).json()).toBe('Erika');
    // The next write of the session erases the one that has run out, and only that.
    await browser.post(`${app.url}/identity/start/age`);
    const stored = openedSessions(app);
    expect([stored.includes('1964-08-12'), stored.includes('Erika')]).toEqual([false, true]);
  });
});

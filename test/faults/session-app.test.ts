import { createGzip } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import expressSession, { MemoryStore, type SessionOptions } from 'express-session';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import { idsOf, login, me, showing, shownTo } from '../support/account.js';
import {
  type AppSetup,
  noCode,
  openSandbox,
  type Running,
  startApp,
  testClock,
  throws,
} from '../support/app.js';
import { gate, turns } from '../support/callbacks.js';

describe('session app', () => {
  afterEach(() => void jest.restoreAllMocks());

  type WithSession = { session: Record<string, unknown>; res: Response; sessionID: string };

  const after: NonNullable<AppSetup['after']> = (app, identity) => {
    login()(app);
    showing(['user'])(app, identity);
    app.get('/club', identity.require(), (_req, res) => void res.send('open'));
    app.post('/forget', (req, res, next) => void identity.forget(req).then(() => res.end(), next));
  };

  async function open(setup: AppSetup = {}) {
    const told: { readonly step: string; readonly error: Error & { code: string } }[] = [];
    const options = {
      keep: () => 'kept',
      onError: (failure: (typeof told)[number]) => void told.push(failure),
      ...setup.options,
    };
    const app = await startApp({ after, ...setup, options });
    return { app, browser: app.browser(), told };
  }

  describe('F69 what the app does when a response has finished', () => {
    test.each(['finish', 'close'] as const)('F69 an access log reads the session at "%s"', async (event) => {
      const lines: string[] = [];
      const { app, browser } = await open({
        before: (its) =>
          its.use((req, res, next) => {
            res.on(event, () => {
              const { session, sessionID } = req as unknown as WithSession;
              const user = session['user'] === 'erika' ? 'erika' : '-';
              lines.push(`${req.method} ${req.originalUrl.split('?')[0]} ${user} ${typeof sessionID}`);
            });
            next();
          }),
      });
      await browser.post(`${app.url}/login`);
      const back = await app.toReturn(browser);
      lines.length = 0;
      const returns = ['/identity/return?error=x', `/identity/return?code=${noCode}`];
      for (const path of ['/identity/start', '/club', ...returns, '/identity/status']) {
        await browser.get(`${app.url}${path}`);
      }
      await fetch(`${app.url}/identity/start`, { method: 'HEAD' });
      await app.callback({ state: 'A'.repeat(43), error: 'x' });
      await browser.get(back);
      await browser.post(`${app.url}/identity/start`);
      const known = ['GET /identity/start', 'GET /club', 'GET /identity/return', 'GET /identity/return'];
      expect(lines).toEqual([
        ...[...known, 'GET /identity/status'].map((line) => `${line} erika string`),
        'HEAD /identity/start - string',
        'POST /identity/callback - string',
        'GET /identity/return erika string',
        'POST /identity/start erika string',
      ]);
    });
  });

  describe('F70 a session id that does not change', () => {
    /** The same id for everybody: of the client's address, say. */
    const session = { genid: () => 'of-the-client', cookie: { maxAge: 60_000 } };

    test('F70 at a return: told before the hook, and the session with its log-in is as it was', async () => {
      let runs = 0;
      const { app, browser, told } = await open({ session, options: { onSuccess: () => void (runs += 1) } });
      await browser.post(`${app.url}/login`);
      const back = await app.toReturn(browser);
      const shown = await browser.get(back);
      const isNamed = shown.text.includes('<code>session_unsupported</code>');
      expect([shown.status, isNamed, runs]).toEqual([500, true, 0]);
      const message =
        'The option genid of express-session returned the id that this session already has: make ids random.';
      expect(told).toMatchObject([{ step: 'return', error: { code: 'session_unsupported', message } }]);
      expect(await shownTo(app, browser)).toEqual(['erika', null]);
    });

    test('F70 at a start whose session has ended: nothing is written under its id again', async () => {
      const { app, browser, told } = await open({ session });
      await browser.post(`${app.url}/login`);
      await new Promise((resolve) => app.sessions.clear(resolve));
      const asked = await browser.post(`${app.url}/identity/start`);
      const again = /<form method="post" action="([^"]+)"/.exec(asked.text)?.[1] ?? '';
      const shown = await browser.post(`${app.url}${again}`);
      expect([shown.status, told.map(({ error }) => error.code)]).toEqual([500, ['session_unsupported']]);
      expect(app.stored()).toEqual({});
    });
  });

  describe('F71 an onSuccess that has answered the request itself', () => {
    const sentence = 'onSuccess sent a response itself: return { redirectTo } instead.';
    const ways: [string, (res: Response) => unknown, number][] = [
      ['res.redirect', (res) => res.redirect('/elsewhere'), 302],
      ['res.json', (res) => res.json({ own: true }), 200],
      ['res.end', (res) => res.end(), 200],
    ];

    test.each(ways)(
      'F71 with %s is hook_failed, nothing is kept, and the log-in stays',
      async (_, answer, status) => {
        let answers = true;
        const onSuccess = ({ req }: { req: WithSession }): void => void (answers && answer(req.res));
        const { app, browser, told } = await open({ options: { onSuccess } });
        await browser.post(`${app.url}/login`);
        const back = await app.toReturn(browser);
        expect((await browser.get(back)).status).toBe(status);
        while (told.length === 0) await turns(1);
        expect(told).toMatchObject([{ error: { code: 'hook_failed', message: sentence } }]);
        expect(await shownTo(app, browser)).toEqual(['erika', null]);
        answers = false;
        expect((await browser.get(back)).status).toBe(303);
        expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
      },
    );

    test('F71 and then throws: the connection stays, and the error is what it threw', async () => {
      const { app, browser, told } = await open({
        options: {
          onSuccess: ({ req }: { req: WithSession }) => {
            req.res.send('mine');
            throw new Error('late');
          },
        },
      });
      const shown = await browser.get(await app.toReturn(browser));
      expect([shown.status, shown.text]).toEqual([200, 'mine']);
      while (told.length === 0) await turns(1);
      expect(told.map(({ error }) => error)).toMatchObject([
        { code: 'hook_failed', cause: new Error('late') },
      ]);
    });
  });

  describe('F71 a session that JSON cannot carry is the fault of the app, and it is told so', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const values: [string, unknown][] = [
      ['a BigInt', 1n],
      ['a circle', circle],
      ['a toJSON that throws', { toJSON: throws(new TypeError('marker')) }],
    ];
    const message =
      'req.session contains a value that cannot be serialized as JSON, such as a BigInt or a circular reference. The app put it there.';

    test.each(values)(
      'F71 %s that onSuccess put there: nothing is kept, the log-in stays',
      async (_, value) => {
        let puts = true;
        const onSuccess = ({ req }: { req: WithSession }): void =>
          void (puts && (req.session['put'] = value));
        const { app, browser, told } = await open({ options: { onSuccess } });
        await browser.post(`${app.url}/login`);
        const back = await app.toReturn(browser);
        expect((await browser.get(back)).status).toBe(500);
        expect(told).toMatchObject([{ step: 'return', error: { code: 'hook_failed', message } }]);
        expect(await shownTo(app, browser)).toEqual(['erika', null]);
        puts = false;
        expect((await browser.get(back)).status).toBe(303);
      },
    );

    test('F71, F167 where another request writes meanwhile, it is told the same', async () => {
      const { app, browser, told } = await open({
        options: {
          onSuccess: ({ req }: { req: WithSession }) => {
            for (const [id, text] of Object.entries(app.stored()))
              app.stored()[id] = text.replace('{', '{"meanwhile":1,');
            req.session['put'] = circle;
          },
        },
      });
      expect((await browser.get(await app.toReturn(browser))).status).toBe(500);
      expect(told).toMatchObject([{ step: 'return', error: { code: 'hook_failed', message } }]);
    });

    test('F167 a return makes no text of its session but the one that is stored', async () => {
      let texts = 0;
      const counted = { toJSON: () => (texts += 1) && 'put' };
      const { app, browser } = await open({
        options: { onSuccess: ({ req }: { req: WithSession }) => void (req.session['put'] = counted) },
      });
      expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
      expect(texts).toBe(1);
      expect(Object.values(app.stored()).join()).toContain('"put":"put"');
    });

    test.each(values)(
      'F71 %s that middleware put there, at a start, a return and a forget',
      async (_, value) => {
        let puts = false;
        let runs = 0;
        const { app, browser, told } = await open({
          options: { onSuccess: () => void (runs += 1) },
          before: (its) =>
            its.use(['/identity', '/forget'], (req, _res, next) => {
              if (puts) Object.assign(req.session, { put: value });
              next();
            }),
          after: (its, identity) => {
            its.post('/forget', (req, res) => {
              const answer = (said: string): void => {
                delete (req as unknown as WithSession).session['put'];
                res.send(said);
              };
              identity.forget(req).then(
                () => answer('done'),
                ({ message: said }: Error) => answer(said),
              );
            });
          },
        });
        const back = await app.toReturn(browser);
        puts = true;
        expect((await browser.get(back)).status).toBe(500);
        expect((await app.browser().post(`${app.url}/identity/start`)).status).toBe(500);
        const error = { code: 'hook_failed', message };
        expect(told).toMatchObject([
          { step: 'return', error },
          { step: 'start', error },
        ]);
        expect(runs).toBe(0);
        expect((await browser.post(`${app.url}/forget`)).text).toBe(message);
      },
    );
  });

  describe('F85 what of a session the kit writes', () => {
    test('F85 its lifetime is counted from the write of a start', async () => {
      const hour = 3_600_000;
      const { app, browser } = await open({ session: { cookie: { maxAge: hour } } });
      await browser.post(`${app.url}/login`);
      const expiry = (): number => {
        const [text = ''] = Object.values(app.stored());
        return Date.parse((JSON.parse(text) as { cookie: { expires: string } }).cookie.expires);
      };
      const before = expiry();
      const now = Date.now.bind(Date);
      jest.spyOn(Date, 'now').mockImplementation(() => now() + hour / 2);
      await app.start(browser);
      expect(expiry() - before).toBeGreaterThanOrEqual(hour / 2);
    });

    test('F85 a member named __proto__ that a hook adds changes no other member', async () => {
      const { app, browser } = await open({
        options: {
          onSuccess: async ({ req }: { req: WithSession }) => {
            const value = { user: 'mallory', admin: true };
            Object.defineProperty(req.session, '__proto__', { value, enumerable: true });
            // Another request writes meanwhile, so that both have to be merged.
            const [id = ''] = idsOf(app);
            const held = JSON.parse(app.stored()[id] ?? '') as object;
            await new Promise((resolve) => app.sessions.set(id, { ...held, cart: 1 } as never, resolve));
          },
        },
        after: (its, identity) => {
          after(its, identity);
          its.get('/admin', (req, res) => {
            const { admin, cart } = (req as unknown as WithSession).session;
            res.json([admin ?? null, cart ?? null]);
          });
        },
      });
      await browser.post(`${app.url}/login`);
      expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
      expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
      expect((await browser.get(`${app.url}/admin`)).json()).toEqual([null, 1]);
    });
  });
});

describe('session compressed', () => {
  /** What a middleware that compresses does: the end comes when everything has been compressed, in a later turn. */
  const compressing: RequestHandler = (_req, res, next) => {
    const write = res.write.bind(res) as (part: Buffer) => boolean;
    const [end, writeHead] = [res.end.bind(res) as () => Response, res.writeHead.bind(res)];
    const gzip = createGzip();
    gzip.on('data', write).on('end', end);
    res.writeHead = ((...args: Parameters<typeof writeHead>) => {
      res.removeHeader('Content-Length');
      res.setHeader('Content-Encoding', 'gzip');
      return writeHead(...args);
    }) as typeof writeHead;
    res.write = ((part: string | Buffer) => gzip.write(part)) as typeof res.write;
    res.end = ((part?: string | Buffer) => {
      if (!res.headersSent) res.writeHead(res.statusCode);
      gzip.end(part ?? '');
      return res;
    }) as typeof res.end;
    next();
  };

  const settings = [
    {},
    { resave: true, rolling: true },
    { saveUninitialized: true },
    { unset: 'destroy' as const },
  ];
  const places = ['before express-session', 'after express-session'];
  const cases = settings.flatMap((setting) => places.map((place) => ({ place, setting })));

  describe('F45, F65 behind a middleware that compresses', () => {
    test.each(cases)(
      'F45, F65 mounted $place: a release ends well, and reading writes nothing ($setting)',
      async ({ place, setting }) => {
        const store = new MemoryStore();
        const sessions = expressSession({
          secret: 'only for tests',
          resave: false,
          saveUninitialized: false,
          store,
          ...setting,
        });
        const seen: unknown[] = [];
        const app = await startApp({
          session: false,
          options: { keep: () => 'kept' },
          before: (its) => {
            its.use(...(place.startsWith('before') ? [compressing, sessions] : [sessions, compressing]));
            its.use((req, res, next) => {
              res.on('finish', () => seen.push(typeof req.session));
              next();
            });
            login()(its);
          },
          after: showing(['user']),
        });
        const browser = app.browser();
        await browser.post(`${app.url}/login`);
        const back = await app.toReturn(browser);
        const shown = await browser.get(back);
        expect([shown.status, shown.headers.get('content-encoding')]).toEqual([303, 'gzip']);
        expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
        expect(Object.keys(store['sessions' as never])).toHaveLength(1); // the old one has ended
        expect(app.events.filter(({ type }) => type === 'return.refused')).toEqual([]);
        const begun = await browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
        const { flowId } = begun.json() as { flowId: string };

        const calls: string[] = [];
        for (const name of ['set', 'touch', 'destroy'] as const) {
          Object.assign(store, { [name]: () => calls.push(name) });
        }
        const before = JSON.stringify(store['sessions' as never]);
        for (const [path, status] of [
          [`/identity/status?flow=${flowId}`, 200],
          ['/identity/start', 200],
          ['/identity/return?error=declined', 200],
          [`/identity/return?code=${noCode}`, 200],
          [`/identity/return?code=${noCode}&reload=1`, 403],
          [back.replace(app.url, ''), 303],
        ] as const) {
          const answer = await browser.get(`${app.url}${path}`);
          expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, status, []]);
        }
        expect([calls, JSON.stringify(store['sessions' as never])]).toEqual([[], before]);
        expect(new Set(seen)).toEqual(new Set(['object'])); // F69
      },
    );
  });
});

describe('session middleware', () => {
  /** As cookie-session does it: a plain object that lives in the cookie. */
  const cookieSession = (app: Express): void => {
    app.use((req, _res, next) => {
      Object.assign(req, { session: { isNew: true }, sessionOptions: {} });
      next();
    });
  };

  /** As cookie-session tells of one that the app has ended. */
  const endedSession = (app: Express): void => {
    app.use((req, _res, next) => {
      Object.assign(req, { session: null });
      next();
    });
  };

  /** Like express-session in part: it saves, but nobody can read the store again. */
  const halfSession = (app: Express): void => {
    app.use((req, _res, next) => {
      const session = { save: () => undefined, regenerate: () => undefined, reload: () => undefined };
      Object.assign(req, { session, sessionID: 'x' });
      next();
    });
  };

  describe('F42 session middleware', () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await openSandbox();
    });

    const mode = process.env['NODE_ENV'];
    afterEach(async () => {
      process.env['NODE_ENV'] = mode;
    });
    async function open(setup: AppSetup): Promise<{ app: Running; told: unknown[] }> {
      const told: unknown[] = [];
      const onError = ({ error, step }: { error: { code: string }; step: string }): void =>
        void told.push([step, error.code]);
      const app = await startApp({ sandbox, ...setup, options: { onError, ...setup.options } });
      return { app, told };
    }

    const missing = 'There is no session: mount express-session above the kit, and above routes that use it.';
    const unsupported =
      'This session cannot be saved, read again and given a new id on the server (cookie-session cannot do this): use express-session.';
    const cookies = { session: false, before: cookieSession } as const;
    const noStore = { session: false, before: halfSession } as const;
    const broken: [string, Omit<AppSetup, 'options'>, string, string][] = [
      ['is missing', { session: false }, 'session_missing', missing],
      ['has ended', { session: false, before: endedSession }, 'session_missing', missing],
      ['is cookie-session', cookies, 'session_unsupported', unsupported],
      ['has no store to read again', noStore, 'session_unsupported', unsupported],
    ];

    test.each(broken)('F42 it %s: the start says so in one sentence', async (_, setup, code, sentence) => {
      const { app, told } = await open(setup);
      const browser = app.browser();
      const asked = await browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
      expect([asked.status, asked.json()]).toEqual([500, { error: code, error_description: sentence }]);
      expect([told, app.events.map((event) => event.code)]).toEqual([[], [code]]);
      const shown = await browser.post(`${app.url}/identity/start`);
      expect([shown.status, shown.text.includes(`<code>${code}</code>`)]).toEqual([500, true]);
      expect(shown.text).not.toContain(sentence); // only in development
    });

    test.each(broken)(
      'F42 it %s: in development the page itself tells the fix',
      async (_, setup, code, sentence) => {
        process.env['NODE_ENV'] = 'development';
        const { app } = await open(setup);
        const shown = await app.browser().post(`${app.url}/identity/start`);
        const link = /<a href="http:\/\/127\.0\.0\.1:\d+\/errors\/(\w+)">\1<\/a>/g;
        expect(shown.text.replaceAll(link, '$1')).toContain(`${sentence} See ${code}`);
      },
    );

    test.each(broken)('F42 it %s: return, status, guard and forget say so', async (_, setup, code) => {
      const errors: unknown[] = [];
      const { app } = await open({
        ...setup,
        after: (its, identity) => {
          its.get('/club', identity.require(), (_req, res) => void res.end('in'));
          its.get('/of', (req, res) => void res.json(identity.of(req) ?? null));
          its.get('/forget', (req, res, next) => void identity.forget(req).then(() => res.end('done'), next));
          const failed: ErrorRequestHandler = (error, _req, res, _next) => {
            errors.push(error);
            res.status(500).end();
          };
          its.use(failed);
        },
      });
      const browser = app.browser();
      const back = await browser.get(`${app.url}/identity/return?code=${noCode}`);
      expect([back.status, back.text.includes(`<code>${code}</code>`)]).toEqual([500, true]);
      const status = await browser.get(`${app.url}/identity/status?flow=x`);
      expect([status.status, status.json()]).toMatchObject([500, { error: code }]);
      for (const path of ['/club', '/of', '/forget']) {
        expect((await browser.get(`${app.url}${path}`)).text).toBe('');
      }
      expect(errors).toMatchObject([{ code }, { code }, { code }]);
    });

    test.each(broken)('F42 it %s: the start page shows, and the callback needs none', async (_, setup) => {
      const { app } = await open(setup);
      expect((await app.browser().get(`${app.url}/identity/start`)).status).toBe(200);
      const reply = await app.callback({ state: 'A'.repeat(43), error: 'access_denied' });
      expect([reply.status, await reply.json()]).toEqual([
        200,
        { redirect_uri: `${app.url}/identity/return?error=state_unknown` },
      ]);
    });

    test('F42 express-session, set to null in the same request as in a log-out of cookie-session: the error says so', async () => {
      const errors: unknown[] = [];
      const { app } = await open({
        after: (its, identity) => {
          its.get('/out', (req, res) => {
            Object.assign(req, { session: null });
            res.json(identity.of(req) ?? null);
          });
          const failed: ErrorRequestHandler = (error, _req, res, _next) => {
            errors.push(error);
            res.status(500).end();
          };
          its.use(failed);
        },
      });
      expect((await app.browser().get(`${app.url}/out`)).status).toBe(500);
      const message = expect.stringContaining('call req.session.destroy()');
      expect(errors).toMatchObject([{ code: 'session_missing', message }]);
    });

    test.each([
      ['development', true],
      ['test', false],
    ])('F42 a return without its session, in %s: the likely causes are named (%p)', async (mode, isTold) => {
      process.env['NODE_ENV'] = mode;
      const { app } = await open({});
      sandbox.redirectUrl = `${app.url}/identity/callback`;
      const shown = await app.browser().visit((await app.waiting()).back);
      expect(shown.status).toBe(403);
      const text = shown.text.replaceAll('&quot;', '"');
      const causes = ['localhost mixed with 127.0.0.1', 'Secure cookie on http', 'trust proxy'];
      for (const cause of causes) expect(text.includes(cause)).toBe(isTold);
    });
  });
});

describe('session reads', () => {
  const open = async (options: object = {}, session: Partial<SessionOptions> = {}): Promise<Running> =>
    await startApp({
      session,
      options: { keep: () => 'kept', keepFor: '1h', ...options },
      before: login(),
      after: (app, identity) => {
        app.get('/club', identity.require(), (_req, res) => void res.send('open'));
        me(app, identity);
      },
    });

  /** A session store that fails at each read, until the test lets it work again. */
  function failReads(sessions: MemoryStore, fault: Error): () => void {
    const get = sessions.get.bind(sessions);
    sessions.get = (_id, done) => done(fault);
    return () => void (sessions.get = get);
  }

  /** Every call that changes the store, from now on. */
  function watch(sessions: MemoryStore): string[] {
    const calls: string[] = [];
    for (const name of ['set', 'touch', 'destroy'] as const) {
      const call = (sessions[name] as (...args: unknown[]) => void).bind(sessions);
      Object.assign(sessions, {
        [name]: (...args: unknown[]) => {
          calls.push(name);
          call(...args);
        },
      });
    }
    return calls;
  }

  const settings: Partial<SessionOptions>[] = [
    {},
    { resave: true },
    { rolling: true, cookie: { maxAge: 60_000 } },
    { saveUninitialized: true },
    { unset: 'destroy' },
  ];

  describe('F45 reading never writes', () => {
    test.each(settings)(
      "F45 the kit's own answers leave session and store as they are (%o)",
      async (session) => {
        const clock = testClock();
        const app = await open({ clock }, session);
        const browser = app.browser();
        await browser.post(`${app.url}/login`);
        await browser.visit(await app.toReturn(browser));
        const begun = await browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
        const { flowId } = begun.json() as { flowId: string };
        clock.forward(3_600_000); // what was kept has run out
        const before = JSON.stringify(app.stored());
        const calls = watch(app.sessions);
        for (const [path, status] of [
          ['/club', 303],
          [`/identity/status?flow=${flowId}`, 200],
          ['/identity/status?flow=x', 404],
          ['/identity/start', 200],
          ['/identity/start?returnTo=//x', 400],
          ['/identity/return?error=declined', 200],
          ['/identity/return?code=x', 403],
          [`/identity/return?code=${noCode}`, 200],
          [`/identity/return?code=${noCode}&reload=1`, 403],
        ] as const) {
          const shown = await browser.get(`${app.url}${path}`);
          expect([path, shown.status, shown.headers.getSetCookie()]).toEqual([path, status, []]);
        }
        const foreign = { 'sec-fetch-site': 'cross-site' };
        expect((await browser.post(`${app.url}/identity/start`, {}, foreign)).status).toBe(403);
        expect(calls).toEqual([]);
        expect(JSON.stringify(app.stored())).toBe(before);
      },
    );

    test('F45 a page that asks of() does to its session what it does without asking', async () => {
      const clock = testClock();
      const app = await open({ clock });
      app.app.get('/plain', (_req, res) => void res.json(null));
      const browser = await app.released();
      clock.forward(3_600_000);
      const calls = watch(app.sessions);
      await browser.get(`${app.url}/plain`);
      const plain = calls.splice(0);
      expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
      expect(calls).toEqual(plain);
    });
  });

  describe('F46 a session store that fails is not "no session"', () => {
    test('F46 a stranger with the code revokes nothing while the store fails', async () => {
      const errors: string[] = [];
      const onError = ({ error }: { error: { code: string } }) => void errors.push(error.code);
      const app = await open({ onError });
      const { browser, back } = await app.waiting();
      const restore = failReads(app.sessions, new Error('marker words of the store'));
      const stranger = await app.browser().get(`${back}&reload=1`);
      expect([stranger.status, stranger.headers.get('retry-after')]).toEqual([503, '1']);
      expect(stranger.text).toContain('Try again');
      expect(stranger.text).not.toContain('marker');
      expect(errors).toEqual([]);
      expect(app.events.at(-1)).toMatchObject({ type: 'return.refused', code: 'session_save_failed' });
      restore();
      expect((await browser.get(back)).status).toBe(303);
      expect((await browser.get(`${app.url}/me`)).json()).toBe('kept');
    });

    test('F46 a store of files that finds no file has said that the session is not there', async () => {
      const app = await open();
      const back = await app.toReturn(app.browser());
      failReads(app.sessions, Object.assign(new Error('no such file'), { code: 'ENOENT' }));
      expect((await app.browser().get(`${back}&reload=2`)).status).toBe(403);
      expect(app.events.at(-1)).toMatchObject({ type: 'flow.failed', code: 'return_wrong_browser' });
    });

    test('F46 one whose socket is not there has said nothing', async () => {
      const app = await open();
      const { browser, back } = await app.waiting();
      const gone = Object.assign(new Error('no socket'), { code: 'ENOENT', syscall: 'connect' });
      const restore = failReads(app.sessions, gone);
      expect((await app.browser().get(`${back}&reload=1`)).status).toBe(503);
      restore();
      expect((await browser.get(back)).status).toBe(303);
    });

    test('F46 its own return says try again, and the same address works afterwards', async () => {
      const [inside, hook] = [gate(), gate()];
      const onSuccess = async (): Promise<void> => {
        inside.open();
        await hook.opened;
      };
      const app = await open({ onSuccess });
      const { browser, back } = await app.waiting();
      const returning = browser.get(back);
      await inside.opened;
      const restore = failReads(app.sessions, new Error('away'));
      hook.open();
      const shown = await returning;
      expect([shown.status, shown.headers.getSetCookie()]).toEqual([503, []]);
      expect(shown.text).toContain('Try again');
      restore();
      expect((await browser.get(back)).status).toBe(303);
      expect((await browser.get(`${app.url}/me`)).json()).toBe('kept');
    });
  });
});

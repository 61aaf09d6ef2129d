import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import type { ErrorRequestHandler, Express, Request, RequestHandler } from 'express';
import { MemoryStore } from 'express-session';
import { login, showing, shownTo } from '../support/account.js';
import { openSandbox, startApp } from '../support/app.js';
import { type Asked, startAsking, wallet } from '../support/asked-service.js';
import type { Browser, Shown } from '../support/browser.js';
import { decide } from '../support/wallet.js';

// What apps do with the session in each request: they set its lifetime, or fill every new session.

const hour = 3_600_000;
const day = 24 * hour;

/** A store whose `touch` only prolongs what is stored, as those of connect-redis and connect-pg-simple do. */
class Prolonging extends MemoryStore {
  override touch(_id: string, _data: unknown, done?: () => void): void {
    setImmediate(() => done?.());
  }
}

const cookieDays = ({ headers }: Shown): number | undefined => {
  const expires = /Expires=([^;]+)/.exec(headers.getSetCookie().join())?.[1];
  return expires === undefined ? undefined : Math.round((Date.parse(expires) - Date.now()) / day);
};

const told: ErrorRequestHandler = (error, _req, res, _next) => {
  const { code, status } = error as { code?: string; status?: number };
  res.status(status ?? 500).json(code);
};

describe('F152 an app that sets the lifetime of its cookie in each request', () => {
  /** "Stay logged in", by the way that the app sets it. */
  const habits: readonly (readonly [string, (req: Request) => void])[] = [
    ['cookie.maxAge', (req) => void (req.session.cookie.maxAge = 30 * day)],
    ['cookie.expires', (req) => void (req.session.cookie.expires = new Date(Date.now() + 30 * day))],
  ];
  const all = habits.flatMap(([name, set]) =>
    [Prolonging, MemoryStore].map((Store) => [name, Store.name, set, Store] as const),
  );

  async function open(set: (req: Request) => void, store: MemoryStore) {
    const sandbox = await openSandbox();
    const app = await startApp({
      sandbox,
      session: { store, cookie: { maxAge: hour } },
      options: { keep: () => 'kept' },
      before: (its) => {
        its.use((req, _res, next) => {
          if ((req.session as { user?: unknown }).user !== undefined) set(req);
          next();
        });
        login({ user: 'erika', cart: 1 })(its);
      },
      after: (its, identity) => {
        showing(['user', 'cart'])(its, identity);
        its.post('/forget', (req, res, next) => void identity.forget(req).then(() => res.end(), next));
        its.post('/go', (req, res, next) => void identity.start(req, res).catch(next));
        its.use(told);
      },
    });
    sandbox.redirectUrl = `${app.url}/identity/callback`;
    const browser = app.browser();
    await browser.post(`${app.url}/login`);
    await browser.get(`${app.url}/shown`);
    return { app, browser };
  }

  test.each(all)('F152 forgets and starts at the first try (%s, %s)', async (_, _store, set, Store) => {
    const { app, browser } = await open(set, new Store());
    await browser.get(await app.toReturn(browser));
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    expect((await browser.post(`${app.url}/forget`)).status).toBe(200);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
    expect((await browser.post(`${app.url}/go?form=kit`)).status).toBe(303);
  });

  test.each(all)(
    'F152 start and return send a cookie of that lifetime (%s, %s)',
    async (_, _store, set, Store) => {
      const { app, browser } = await open(set, new Store());
      const started = await browser.post(`${app.url}/identity/start`);
      expect([started.status, cookieDays(started)]).toEqual([303, 30]);
      const returned = await browser.get(await app.toReturn(browser));
      expect([returned.status, cookieDays(returned)]).toEqual([303, 30]);
      expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    },
  );

  test('F152 a millisecond that express-session loses is no change', async () => {
    const { app, browser } = await open(() => undefined, new MemoryStore());
    await browser.get(await app.toReturn(browser));
    const read = app.sessions.get.bind(app.sessions);
    let reads = 0;
    app.sessions.get = (id, done) => {
      read(id, (error, session) => {
        reads += 1;
        if (reads === 2 && session) session.cookie.originalMaxAge = hour - 1;
        done(error, session);
      });
    };
    expect((await browser.post(`${app.url}/forget`)).status).toBe(200);
    expect(reads).toBe(2);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
  });

  test('F152 of two requests that set a lifetime, the one counts that saves last', async () => {
    const store = new Prolonging();
    const { app, browser } = await open((req) => void (req.session.cookie.maxAge = 30 * day), store);
    await browser.get(await app.toReturn(browser));
    const [id = ''] = Object.keys(app.stored());
    const session = JSON.parse(app.stored()[id] ?? '') as { cookie: { originalMaxAge: number } };
    session.cookie.originalMaxAge = 7 * day;
    app.stored()[id] = JSON.stringify(session);
    await browser.post(`${app.url}/forget`);
    const saved = JSON.parse(app.stored()[id] ?? '') as typeof session;
    expect(Math.round(saved.cookie.originalMaxAge / day)).toBe(30);
  });
});
describe('F153 an app whose middleware fills every new session', () => {
  async function open(): Promise<Asked> {
    return await startAsking({
      before: (its) => {
        its.use((req, _res, next) => {
          const session = req.session as unknown as { views?: number };
          session.views ??= 1;
          next();
        });
      },
      after: (its, identity) => {
        its.post('/go', (req, res, next) => void identity.start(req, res).catch(next));
        its.use(told);
      },
    });
  }

  const viewsOf = (app: Asked): unknown[] =>
    Object.values(app.stored()).map((text) => (JSON.parse(text) as { views?: number }).views ?? null);
  const json = { accept: 'application/json' };
  const jars: readonly (readonly [string, Record<string, string>])[] = [
    ['no cookie', {}],
    ['a cookie of analytics', { _ga: '1' }],
    ['the cookie of an expired session', { 'connect.sid': 's%3Aended.AAAA' }],
  ];
  const browserOf = (app: Asked, cookies: Record<string, string>): Browser => {
    const browser = app.browser();
    for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value);
    return browser;
  };

  test.each(jars)(
    "F153 a first visitor's script with %s starts, and what fills the session is kept",
    async (_, jar) => {
      const app = await open();
      const started = await browserOf(app, jar).post(`${app.url}/go`, {}, json);
      expect([started.status, started.json()]).toMatchObject([200, { redirectUrl: wallet }]);
      expect(viewsOf(app)).toEqual([1]);
    },
  );

  test.each(jars.slice(0, 2))("F153 a first visitor's form with %s starts too", async (_, jar) => {
    const app = await open();
    const started = await browserOf(app, jar).post(`${app.url}/go`, {});
    expect([started.status, started.location]).toEqual([303, wallet]);
    expect(viewsOf(app)).toEqual([1]);
  });

  test("F153 whose session has expired is at the wallet with the kit's own button", async () => {
    const app = await open();
    const browser = browserOf(app, { 'connect.sid': 's%3Aended.AAAA' });
    const shown = await browser.post(`${app.url}/go`, {});
    const action = /<form method="post" action="([^"]+)"/.exec(shown.text)?.[1];
    expect([shown.status, action, viewsOf(app)]).toEqual([200, '/go?form=fresh', []]);
    const started = await browser.post(`${app.url}/go?form=fresh`);
    expect([started.status, started.location]).toEqual([303, wallet]);
    expect(viewsOf(app)).toEqual([1]);
  });

  test.each([
    ['a script', '/go', json],
    ["the kit's own button", '/go?form=fresh', {}],
  ])(
    'F153 what was put into a session that ends during the request is dropped: %s',
    async (_, path, headers) => {
      let end = (): void => undefined;
      const app = await startAsking({
        before: (its) => {
          login()(its);
          its.post('/go', (req, _res, next) => {
            (req.session as unknown as { role?: string }).role = 'admin';
            end();
            next();
          });
        },
        after: (its, identity) => {
          its.post('/go', (req, res, next) => void identity.start(req, res).catch(next));
        },
      });
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      const [old = ''] = Object.keys(app.stored());
      end = () => {
        app.sessions.clear();
      };
      const started = await browser.post(`${app.url}${path}`, undefined, headers);
      expect([200, 303]).toContain(started.status);
      const [[id, text] = ['', '']] = Object.entries(app.stored());
      expect(id).not.toBe(old);
      expect(JSON.parse(text)).not.toHaveProperty('role');
      expect(JSON.parse(text)).not.toHaveProperty('user');
    },
  );
});

/** The part of passport 0.7 that is used here. Its own types would add to every request of this project. */
interface Passport {
  serializeUser(write: (user: string, done: (error: null, id: string) => void) => void): void;
  deserializeUser(read: (id: string, done: (error: null, user: string) => void) => void): void;
  session(): RequestHandler;
}
const { Passport } = createRequire(import.meta.url)('passport') as { readonly Passport: new () => Passport };
type WithPassport = Request & {
  readonly user?: string;
  logIn(user: string, options: object, done: (error?: unknown) => void): void;
  logOut(options: object, done: (error?: unknown) => void): void;
};

describe('F153 libraries and time-outs that apps have', () => {
  /** What connect-flash 0.1 does to a session when a layout reads all messages: it fills it, and empties it again. */
  const flash = (its: Express): void => {
    its.use((req, res, next) => {
      const session = req.session as unknown as { flash?: object };
      res.locals['messages'] = session.flash ?? {};
      session.flash = {};
      next();
    });
  };

  const passport = (its: Express): void => {
    const own = new Passport();
    own.serializeUser((user, done) => done(null, user));
    own.deserializeUser((id, done) => done(null, id));
    its.use(own.session());
    its.post('/login', (req, res, next) => {
      (req as WithPassport).logIn('erika', { keepSessionInfo: true }, (error) => {
        if (error) next(error);
        else res.end();
      });
    });
  };

  /** An idle time-out, which changes the session in each request. */
  const idle = (its: Express): void => {
    let requests = 0;
    its.use((req, _res, next) => {
      (req.session as unknown as { lastActivity?: number }).lastActivity = requests += 1;
      next();
    });
  };

  async function open(before: (its: Express) => void) {
    const sandbox = await openSandbox();
    const app = await startApp({
      sandbox,
      options: { keep: () => 'kept' },
      before,
      after: (its, identity) => {
        showing(['flash', 'lastActivity'])(its, identity);
        its.post('/forget', (req, res, next) => void identity.forget(req).then(() => res.end(), next));
        its.post('/go', (req, res, next) => void identity.start(req, res).catch(next));
        // What session_changed advises.
        its.post('/saved-forget', (req, res, next) => {
          req.session.save((error) => {
            if (error) next(error);
            else identity.forget(req).then(() => res.end(), next);
          });
        });
        its.post('/saved-go', (req, res, next) => {
          req.session.save((error) => {
            if (error) next(error);
            else identity.start(req, res).catch(next);
          });
        });
        its.post('/leave', (req, res, next) => {
          identity.forget(req).then(() => {
            (req as WithPassport).logOut({ keepSessionInfo: true }, (error) => {
              if (error) next(error);
              else res.end();
            });
          }, next);
        });
        its.get('/user', (req, res) => void res.json((req as WithPassport).user ?? null));
        its.use(told);
      },
    });
    sandbox.redirectUrl = `${app.url}/identity/callback`;
    const browser = app.browser();
    browser.cookies.set('_ga', 'GA1.1.1');
    const kept = async (): Promise<unknown> => ((await shownTo(app, browser)) as unknown[]).at(-1);
    /** A start of a route of the app, and all that follows. */
    const verified = async (path: string): Promise<void> => {
      const { status, location = '' } = await browser.post(`${app.url}${path}?form=kit`, {});
      expect(status).toBe(303);
      expect((await browser.get(await decide(location, 'approve'))).status).toBe(303);
      expect(await kept()).toBe('kept');
    };
    return { app, browser, kept, verified };
  }

  test('F153 connect-flash in a layout, and a cookie of analytics: start and forget at the first try', async () => {
    const { app, browser, kept, verified } = await open(flash);
    await verified('/go');
    expect((await browser.post(`${app.url}/forget`)).status).toBe(200);
    expect(await shownTo(app, browser)).toEqual([{}, null, null]);
    await verified('/go');
    expect(await kept()).toBe('kept');
  });

  test("F160 passport's log-in with keepSessionInfo carries what is kept along, and forget goes before its log-out", async () => {
    const { app, browser, kept, verified } = await open(passport);
    await verified('/go');
    const before = browser.cookies.get('connect.sid');
    await browser.post(`${app.url}/login`);
    expect([browser.cookies.get('connect.sid') === before, await kept()]).toEqual([false, 'kept']);
    expect((await browser.post(`${app.url}/forget`)).status).toBe(200);
    expect([await kept(), (await browser.get(`${app.url}/user`)).json()]).toEqual([null, 'erika']);
    await verified('/go');
    expect((await browser.post(`${app.url}/leave`)).status).toBe(200);
    expect([await kept(), (await browser.get(`${app.url}/user`)).json()]).toEqual([null, null]);
    await verified('/go');
  });

  test('F153 an idle time-out that writes in each request: start and forget once it is saved', async () => {
    const { app, browser, kept, verified } = await open(idle);
    await verified('/saved-go');
    for (const path of ['/forget', '/go?form=kit']) {
      const refused = await browser.post(`${app.url}${path}`, {}, { accept: 'application/json' });
      expect([refused.status, refused.text.includes('session_changed')]).toEqual([409, true]);
    }
    expect((await browser.post(`${app.url}/saved-forget`)).status).toBe(200);
    expect(await kept()).toBeNull();
    await verified('/saved-go');
  });
});

describe('F156 an earlier return, opened again after a second one was finished', () => {
  test('F156 says that this verification has ended; a link that was sent is warned of as before', async () => {
    const app = await startApp({ options: { keep: () => 'kept' } });
    const browser = app.browser();
    const first = await app.toReturn(browser);
    await browser.get(first);
    await browser.get(await app.toReturn(browser));
    const again = await browser.get(`${first}&reload=2`);
    expect([again.status, again.text.includes('This verification has ended')]).toEqual([403, true]);
    expect(again.text).not.toContain('send you this link');
    expect(again.text).toMatch(/<a [^>]*href="\/"/);
    const { back } = await app.waiting();
    const sent = await browser.get(`${back}&reload=2`);
    expect([sent.status, sent.text.includes('send you this link')]).toEqual([403, true]);
    const stranger = await app.browser().get(`${first}&reload=2`);
    expect([stranger.status, stranger.text.includes('send you this link')]).toEqual([403, true]);
  });
});

describe('F158 the further query of a start page', () => {
  const query = (length: number): string => `a=${'x'.repeat(length - 2)}`;

  test('F158 of 1 kB is carried on, and context reads it; one character more is not, and the page stays small', async () => {
    const contexts: unknown[] = [];
    const app = await startApp({
      options: { context: (req: Request) => void contexts.push((req.query['a'] as string).length) },
    });
    const browser = app.browser();
    const shown = async (more: string): Promise<string> =>
      (await browser.get(`${app.url}/identity/start?${more}&returnTo=/club`)).text;
    const formOf = (text: string): string =>
      /<form method="post" action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const kept = formOf(await shown(query(1_024)));
    expect(kept).toBe(`/identity/start?returnTo=%2Fclub&${query(1_024)}&form=kit`);
    await browser.post(`${app.url}${kept}`);
    expect(contexts).toEqual([1_022]);
    expect(formOf(await shown(query(1_025)))).toBe('/identity/start?returnTo=%2Fclub&form=kit');
    const [plain, long] = [await shown(''), await shown(query(8_000))];
    expect(long.length - plain.length).toBeLessThan(100);
  });
});

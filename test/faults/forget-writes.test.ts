import { describe, expect, test } from '@jest/globals';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { MemoryStore, type SessionData } from 'express-session';
import { idsOf, login, showing, shownTo } from '../support/account.js';
import {
  type AppSetup,
  type Identity,
  type Running,
  identityWith,
  openSandbox,
  startApp,
} from '../support/app.js';
import type { Browser } from '../support/browser.js';
import { gate, turns } from '../support/callbacks.js';
import { listen } from '../support/lines.js';
import { openedSession, openedSessions, sealedSession } from '../support/sealed.js';

type Data = Record<string, unknown>;
type Work = (identity: Identity, req: Request, data: Data) => Promise<unknown>;

/** A store that writes the session that `touch` is given, as some do. */
class TouchWrites extends MemoryStore {
  override touch(id: string, data: SessionData, done?: () => void): void {
    this.set(id, data, done);
  }
}

/** Erika has come back, and 'kept' is in her session. POST /work runs what the test says; POST /write is another request. */
async function open(work: Work, setup: AppSetup = {}) {
  const sandbox = await openSandbox();
  const app = await startApp({
    sandbox,
    before: login({ user: 'erika', cart: 1 }),
    ...setup,
    options: { keep: () => 'kept', ...setup.options },
    after: (its, identity) => {
      showing(['user', 'cart'])(its, identity);
      its.post('/log-out', (req, res, next) => {
        req.session.destroy((error: unknown) => (error ? next(error) : res.redirect(303, '/')));
      });
      its.post('/write', (req, res) => {
        const data = req.session as unknown as Data;
        if (req.query['out'] === undefined) data['cart'] = 2;
        else delete data['user'];
        res.end();
      });
      its.post('/work', (req, res, next) => {
        work(identity, req, req.session as unknown as Data).then((said) => {
          const of = (req.session as unknown) === undefined ? null : (identity.of(req)?.kept ?? null);
          if (!res.headersSent) res.json({ said: said ?? null, of });
        }, next);
      });
      its.use(((error, _req, res, _next) => {
        const { code, status } = error as { code?: string; status?: number };
        res.status(status ?? 500).json(code);
      }) satisfies ErrorRequestHandler);
    },
  });
  sandbox.redirectUrl = `${app.url}/identity/callback`;
  const browser = app.browser();
  await browser.post(`${app.url}/login`);
  await browser.get(await app.toReturn(browser));
  expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
  return { app, browser };
}

const post = async (app: Running, browser: Browser, path: string): Promise<unknown> => {
  const shown = await browser.post(`${app.url}${path}`);
  await turns();
  return [shown.status, shown.text === '' ? '' : shown.json()];
};

const forgotten = [200, { said: null, of: null }];
const changed = [409, 'session_changed'];

/** The code with which it fails. */
const codeOf = async (call: Promise<unknown>): Promise<unknown> =>
  await call.then(
    () => 'done',
    (error: unknown) => (error as { code?: unknown }).code,
  );

/** Every combination of what an app may say to express-session. */
const sessions = [false, true].flatMap((resave) =>
  [false, true].flatMap((rolling) =>
    [MemoryStore, TouchWrites].map((Store) => [Store.name, resave, rolling, Store] as const),
  ),
);

describe('F115 forget saves nothing but what it erases', () => {
  test.each([
    ['?out', [null, 1, 'kept'], [null, 1, null]],
    ['', ['erika', 2, 'kept'], ['erika', 2, null]],
  ] as const)(
    'F115 what another request stored before forget (/write%s) stays: it is refused, and works when tried again',
    async (query, afterwards, erased) => {
      const [inside, other] = [gate(), gate()];
      const { app, browser } = await open(async (identity, req) => {
        inside.open();
        await other.opened;
        await identity.forget(req);
      });
      const working = post(app, browser, '/work');
      await inside.opened;
      await browser.post(`${app.url}/write${query}`);
      other.open();
      expect(await working).toEqual(changed);
      expect(await shownTo(app, browser)).toEqual(afterwards);
      expect(await post(app, browser, '/work')).toEqual(forgotten);
      expect(await shownTo(app, browser)).toEqual(erased);
    },
  );

  test('F115 a session that is destroyed while the route works on after forget stays destroyed', async () => {
    const { app, browser } = await open(async (identity, req) => {
      const said = await codeOf(identity.forget(req));
      await browser.post(`${app.url}/log-out`);
      return said;
    });
    expect(await post(app, browser, '/work')).toEqual([200, { said: 'done', of: null }]);
    expect(idsOf(app)).toEqual([]);
  });

  test('F115 it stays destroyed too where another request had written before forget', async () => {
    const { app, browser } = await open(async (identity, req) => {
      await browser.post(`${app.url}/write`);
      const said = await codeOf(identity.forget(req));
      await browser.post(`${app.url}/log-out`);
      return said;
    });
    expect(await post(app, browser, '/work')).toEqual([200, { said: 'session_changed', of: 'kept' }]);
    expect(idsOf(app)).toEqual([]);
  });

  test.each(sessions)(
    'F115 a change after forget and the erasure are both stored (%s, resave %s, rolling %s)',
    async (_, resave, rolling, Store) => {
      const session = { resave, rolling, store: new Store(), cookie: { maxAge: 60_000 } };
      const { app, browser } = await open(
        async (identity, req, data) => {
          await identity.forget(req);
          delete data['user'];
        },
        { session },
      );
      expect(await post(app, browser, '/work')).toEqual(forgotten);
      expect(await shownTo(app, browser)).toEqual([null, 1, null]);
      expect(openedSessions(app)).toContain('"kept":{}');
    },
  );

  test.each(sessions)(
    'F115 what is erased stays erased at the end of the request (%s, resave %s, rolling %s)',
    async (_, resave, rolling, Store) => {
      const session = { resave, rolling, store: new Store(), cookie: { maxAge: 60_000 } };
      const { app, browser } = await open(async (identity, req) => await identity.forget(req), { session });
      expect(await post(app, browser, '/work')).toEqual(forgotten);
      expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
      expect(openedSessions(app)).toContain('"kept":{}');
    },
  );

  test('F115 a change before forget is refused, and nothing is erased; the change is the app’s', async () => {
    const { app, browser } = await open(async (identity, req, data) => {
      delete data['user'];
      const said = [await codeOf(identity.forget(req)), await codeOf(identity.forget(req))];
      return [...said, data['user'] ?? null];
    });
    const said = ['session_changed', 'session_changed', null];
    expect(await post(app, browser, '/work')).toEqual([200, { said, of: 'kept' }]);
    expect(await shownTo(app, browser)).toEqual([null, 1, 'kept']);
  });

  test("F115 what the kit has stored meanwhile is no change of the app's", async () => {
    const { app, browser } = await open(async (identity, req) => {
      await app.start(browser);
      return await codeOf(identity.forget(req));
    });
    expect(await post(app, browser, '/work')).toEqual([200, { said: 'done', of: null }]);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
  });

  test('F115 a member that is changed before forget and saved is kept', async () => {
    const { app, browser } = await open(async (identity, req, data) => {
      data['cart'] = 2;
      const refused = await codeOf(identity.forget(req));
      await new Promise((resolve) => req.session.save(resolve));
      return [refused, await codeOf(identity.forget(req))];
    });
    const said = ['session_changed', 'done'];
    expect(await post(app, browser, '/work')).toEqual([200, { said, of: null }]);
    expect(await shownTo(app, browser)).toEqual(['erika', 2, null]);
  });

  test.each(['pidgateCart', 'pidgate-cart', 'pidgate/cart'])(
    "F159 an app's key that begins like one of the kit's (%s) is the app's: its change is refused, and stays",
    async (name) => {
      const { app, browser } = await open(async (identity, req, data) => {
        data[name] = 2;
        return await codeOf(identity.forget(req));
      });
      expect(await post(app, browser, '/work')).toEqual([200, { said: 'session_changed', of: 'kept' }]);
      expect(JSON.parse(Object.values(app.stored())[0] ?? '')).toMatchObject({ [name]: 2 });
    },
  );

  test('F157 a forget that throws writes a line', async () => {
    const { lines, logger } = listen();
    const { app, browser } = await open(
      async (identity, req, data) => {
        data['cart'] = 2;
        return await codeOf(identity.forget(req));
      },
      { options: { logger } },
    );
    expect(await post(app, browser, '/work')).toEqual([200, { said: 'session_changed', of: 'kept' }]);
    expect(lines).toEqual([expect.stringMatching(/^warn pidgate: session_changed\. .* On Express 4, pass/)]);
  });

  test('F157 an app that changes its session in each request saves it, and then forgets', async () => {
    const { app, browser } = await open(async (identity, req, data) => {
      data['lastActivity'] = Date.now();
      delete data['user'];
      await new Promise<void>((done, fail) => {
        req.session.save((error: unknown) => {
          if (error) fail(error as Error);
          else identity.forget(req).then(() => done(), fail);
        });
      });
    });
    expect(await post(app, browser, '/work')).toEqual(forgotten);
    expect(await shownTo(app, browser)).toEqual([null, 1, null]);
  });

  test('F115, F152 the lifetime that is changed before forget is saved with it', async () => {
    const { app, browser } = await open(async (identity, req) => {
      req.session.cookie.maxAge = 7_000;
      return await codeOf(identity.forget(req));
    });
    expect(await post(app, browser, '/work')).toEqual([200, { said: 'done', of: null }]);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
    const { cookie } = JSON.parse(Object.values(app.stored())[0] ?? '') as { cookie: Data };
    // express-session reads the clock twice, so it may be a millisecond less.
    expect(Math.round(Number(cookie['originalMaxAge']) / 1_000)).toBe(7);
  });

  test('F115 a store that orders the members anew, and writes one of its own, is no change', async () => {
    class Anew extends MemoryStore {
      override set(id: string, data: SessionData, done?: (error?: unknown) => void): void {
        const members = Object.entries(JSON.parse(JSON.stringify(data)) as Data).toReversed();
        super.set(
          id,
          Object.assign(Object.fromEntries(members), { lastModified: new Date() }) as never,
          done,
        );
      }
    }
    const { app, browser } = await open(
      async (identity, req, data) => {
        Object.assign(data, { note: { of: 1, by: 2 } });
        await new Promise((resolve) => req.session.save(resolve));
        await identity.forget(req);
      },
      { session: { store: new Anew() } },
    );
    expect(await post(app, browser, '/work')).toEqual(forgotten);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
  });

  test('F115 a session that the app ends while forget reads is not stored again', async () => {
    const { app, browser } = await open(async (identity, req) => {
      const { session } = req;
      const forgetting = codeOf(identity.forget(req));
      await new Promise((resolve) => session.destroy(resolve));
      return await forgetting;
    });
    expect(await post(app, browser, '/work')).toEqual([200, { said: 'session_ended', of: null }]);
    expect(idsOf(app)).toEqual([]);
  });

  test('F115 identity.start in a route refuses a change that is not saved, and takes one that is', async () => {
    let isSaved = false;
    const { app, browser } = await open(async (identity, req, data) => {
      data['cart'] = 2;
      if (isSaved) await new Promise((resolve) => req.session.save(resolve));
      await identity.start(req, req.res as Response);
    });
    const unsaved = await browser.post(`${app.url}/work`, undefined, { accept: 'application/json' });
    expect([unsaved.status, unsaved.json()]).toMatchObject([409, { error: 'session_changed' }]);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    isSaved = true;
    expect((await browser.post(`${app.url}/work`)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 2, 'kept']);
  });
});

describe('F116 forget twice in one request', () => {
  /** What the second factory has kept is a copy of what the first has. */
  const two = async (work: (first: Identity, second: Identity, req: Request) => Promise<unknown>) => {
    const { options } = await openSandbox();
    const second = identityWith({
      ...options,
      appUrl: 'http://localhost',
      reveal: ['given_name'],
      path: '/second',
      logger: false,
      secret: 'a secret of forty letters, only for tests',
    });
    const opened = await open(async (identity, req, data) => {
      Object.assign(data, sealedSession(second, openedSession(identity, data), data));
      await new Promise((resolve) => req.session.save(resolve));
      return await work(identity, second, req);
    });
    const { app } = opened;
    const kept = (): number =>
      [app.identity, second].filter((factory) => openedSessions(app, factory).includes('"default":')).length;
    return { ...opened, kept };
  };

  test.each(['at once', 'one after the other'])('F116 of two factories, %s: both are erased', async (how) => {
    const { app, browser, kept } = await two(async (first, second, req) => {
      if (how === 'at once') await Promise.all([first.forget(req), second.forget(req)]);
      else {
        await first.forget(req);
        await second.forget(req);
      }
    });
    expect(kept()).toBe(1);
    expect(await post(app, browser, '/work')).toEqual(forgotten);
    expect(kept()).toBe(0);
  });

  test('F116 of one factory, at once: both succeed', async () => {
    const { app, browser, kept } = await two(async (first, _, req) => {
      return await Promise.all([codeOf(first.forget(req)), codeOf(first.forget(req))]);
    });
    expect(await post(app, browser, '/work')).toEqual([200, { said: ['done', 'done'], of: null }]);
    expect(kept()).toBe(1); // the other factory's
  });

  test('F116 over a stale copy both are refused, and what another request stored stays', async () => {
    const { app, browser, kept } = await two(async (first, second, req) => {
      await browser.post(`${app.url}/write`);
      return await Promise.all([codeOf(first.forget(req)), codeOf(second.forget(req))]);
    });
    const said = ['session_changed', 'session_changed'];
    expect(await post(app, browser, '/work')).toEqual([200, { said, of: 'kept' }]);
    expect([await shownTo(app, browser), kept()]).toEqual([['erika', 2, 'kept'], 2]);
  });

  test('F116 the second is erased although the first fails', async () => {
    const { app, browser, kept } = await two(async (first, second, req) => {
      failOnce(app);
      return await Promise.all([codeOf(first.forget(req)), codeOf(second.forget(req))]);
    });
    const said = ['session_save_failed', 'done'];
    expect(await post(app, browser, '/work')).toEqual([200, { said, of: 'kept' }]);
    expect(kept()).toBe(1);
  });
});

/** The next write of the session store fails. */
function failOnce({ sessions: store }: Running): void {
  const set = store.set.bind(store);
  store.set = (_id, _data, done) => {
    store.set = set;
    done?.(new Error('full'));
  };
}

describe('F117 a forget that fails changes nothing in the request', () => {
  test.each(sessions)(
    'F117 of says what is stored, and what the app changes then is saved (%s, resave %s, rolling %s)',
    async (_, resave, rolling, Store) => {
      const session = { resave, rolling, store: new Store(), cookie: { maxAge: 60_000 } };
      const { app, browser } = await open(
        async (identity, req, data) => {
          failOnce(app);
          const said = await codeOf(identity.forget(req));
          delete data['user'];
          return [said, req.session === (data as unknown), data['cart']];
        },
        { session },
      );
      const said = ['session_save_failed', true, 1];
      expect(await post(app, browser, '/work')).toEqual([200, { said, of: 'kept' }]);
      expect(await shownTo(app, browser)).toEqual([null, 1, 'kept']);
    },
  );

  test('F117 what the app changes while it fails is saved', async () => {
    const { app, browser } = await open(async (identity, req, data) => {
      const failing = gate();
      app.sessions.set = (_id, _data, done) => {
        delete (app.sessions as Partial<MemoryStore>).set;
        data['cart'] = 2;
        void failing.opened.then(() => done?.(new Error('full')));
      };
      const said = codeOf(identity.forget(req));
      failing.open();
      return await said;
    });
    expect(await post(app, browser, '/work')).toEqual([200, { said: 'session_save_failed', of: 'kept' }]);
    expect(await shownTo(app, browser)).toEqual(['erika', 2, 'kept']);
  });

  test.each(['/log-out', '/write', '/write?out'])(
    'F117 what another request does after it (%s) stays done',
    async (path) => {
      const { app, browser } = await open(async (identity, req) => {
        failOnce(app);
        const said = await codeOf(identity.forget(req));
        await browser.post(`${app.url}${path}`);
        return said;
      });
      expect(await post(app, browser, '/work')).toEqual([200, { said: 'session_save_failed', of: 'kept' }]);
      const is = { '/log-out': [null, null, null], '/write': ['erika', 2, 'kept'] }[path] ?? [
        null,
        1,
        'kept',
      ];
      expect(await shownTo(app, browser)).toEqual(is);
    },
  );

  test('F117 the store hears of it once, and not again at the end of the request', async () => {
    let writes = 0;
    const { app, browser } = await open(async (identity, req) => {
      app.sessions.set = (_id, _data, done) => {
        writes += 1;
        done?.(new Error('full'));
      };
      return await codeOf(identity.forget(req));
    });
    expect(await post(app, browser, '/work')).toEqual([200, { said: 'session_save_failed', of: 'kept' }]);
    expect(writes).toBe(1);
  });

  test('F117 it can be tried again in the same request', async () => {
    const { app, browser } = await open(async (identity, req) => {
      failOnce(app);
      return [await codeOf(identity.forget(req)), await codeOf(identity.forget(req))];
    });
    const said = ['session_save_failed', 'done'];
    expect(await post(app, browser, '/work')).toEqual([200, { said, of: null }]);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
  });
});

import { type EventEmitter, once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import type { ErrorRequestHandler } from 'express';
import { MemoryStore, type SessionData } from 'express-session';
import { idsOf, showing, shownTo } from '../support/account.js';
import { type AppSetup, type Running, startApp } from '../support/app.js';
import { gate } from '../support/callbacks.js';
import { holdTimers, pass } from '../support/held-timers.js';
import { openedSessions } from '../support/sealed.js';

const day = 86_400_000;
type Saving = { session: Record<string, unknown> & { save(done: (error?: unknown) => void): void } };

/** An app, and a browser that is logged in. */
async function open({ options, before, after, ...more }: AppSetup = {}) {
  const app = await startApp({
    ...more,
    options: { keep: () => 'kept', ...options },
    before: (its) => {
      its.post('/login', (req, res) => {
        Object.assign(req.session, { user: 'erika', cart: 1 });
        req.session.cookie.maxAge = 30 * day;
        res.end();
      });
      before?.(its);
    },
    after: (its, identity) => {
      showing(['user', 'cart'])(its, identity);
      its.post('/forget', (req, res, next) => void identity.forget(req).then(() => res.end(), next));
      after?.(its, identity);
    },
  });
  const browser = app.browser();
  await browser.post(`${app.url}/login`);
  return { app, browser };
}

describe('F47 a release writes the new session first', () => {
  test('F47 a store that refuses the write costs neither log-in nor cart, and the same address works again', async () => {
    const { app, browser } = await open();
    const back = await app.toReturn(browser);
    const before = idsOf(app);
    const set = app.sessions.set.bind(app.sessions);
    app.sessions.set = (_id, _data, done) => done?.(new Error('full'));
    const shown = await browser.get(back);
    expect([shown.status, shown.headers.getSetCookie()]).toEqual([503, []]);
    app.sessions.set = set;
    expect(idsOf(app)).toEqual(before);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
    expect((await browser.get(back)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    expect(idsOf(app)).toHaveLength(1);
    expect(idsOf(app)).not.toEqual(before);
  });

  test('F47 a line that breaks before the answer leaves everything as it was, and the same address works again', async () => {
    const inside = gate();
    let runs = 0;
    const { app, browser } = await open({
      options: {
        onSuccess: async ({ req }: { req: { socket: EventEmitter } }) => {
          runs += 1;
          inside.open();
          if (runs === 1) await once(req.socket, 'close');
        },
      },
    });
    const back = await app.toReturn(browser);
    const before = idsOf(app);
    const cutOff = new AbortController();
    const headers = { cookie: `connect.sid=${browser.cookies.get('connect.sid')}` };
    const first = fetch(back, { headers, signal: cutOff.signal, redirect: 'manual' });
    await inside.opened;
    cutOff.abort();
    await expect(first).rejects.toThrow('abort');
    expect((await browser.get(back)).status).toBe(303);
    expect(runs).toBe(2);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    expect(idsOf(app)).toHaveLength(1);
    expect(idsOf(app)).not.toEqual(before);
  });
});

describe('F48 a session store that never calls back', () => {
  holdTimers();

  test('F48 at a start: it ends by a deadline, and the next request of that session works', async () => {
    const { app, browser } = await open();
    const get = app.sessions.get.bind(app.sessions);
    const asked = gate();
    let reads = 0;
    app.sessions.get = (id, done) => {
      reads += 1;
      if (reads === 1) get(id, done);
      else asked.open();
    };
    const starting = browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
    await asked.opened;
    pass(5_000);
    const shown = await starting;
    expect([shown.status, shown.json()]).toMatchObject([503, { error: 'session_save_failed' }]);
    app.sessions.get = get;
    expect((await browser.post(`${app.url}/identity/start`)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
  });

  test('F48 at a return: the page says try again, and the same address works afterwards', async () => {
    const { app, browser } = await open();
    const back = await app.toReturn(browser);
    const set = app.sessions.set.bind(app.sessions);
    const asked = gate();
    app.sessions.set = () => asked.open();
    const returning = browser.get(back);
    await asked.opened;
    pass(5_000);
    const shown = await returning;
    expect([shown.status, shown.text.includes('Try again')]).toEqual([503, true]);
    app.sessions.set = set;
    expect((await browser.get(back)).status).toBe(303);
  });
});

describe('F49 forget', () => {
  test('F49 a session that was renewed in the same request must be saved first', async () => {
    const { app, browser } = await open({
      after: (its, identity) => {
        its.post('/renew-and-forget', (req, res, next) => {
          const data = Object.assign({}, req.session) as unknown as Record<string, unknown>;
          delete data['cookie'];
          req.session.regenerate(() => {
            Object.assign(req.session, data);
            const forget = (): void => void identity.forget(req).then(() => res.end(), next);
            if (req.query['save'] === undefined) forget();
            else req.session.save(forget);
          });
        });
        its.use(((error, _req, res, _next) => {
          const { code, status } = error as { code: string; status: number };
          res.status(status).send(code);
        }) satisfies ErrorRequestHandler);
      },
    });
    await browser.get(await app.toReturn(browser));
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    const unsaved = await browser.post(`${app.url}/renew-and-forget`);
    expect([unsaved.status, unsaved.text]).toEqual([409, 'session_ended']);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    expect((await browser.post(`${app.url}/renew-and-forget?save`)).status).toBe(200);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
    expect(openedSessions(app)).toContain('"kept":{}');
  });

  test.each(['get', 'set'] as const)('F49 throws where the store fails to %s', async (name) => {
    const errors: unknown[] = [];
    let failing = false;
    const { app, browser } = await open({
      before: (its) => {
        its.use((_req, _res, next) => {
          const inner = app.sessions[name].bind(app.sessions) as (...args: unknown[]) => void;
          // The session of this request is read already.
          Object.assign(app.sessions, {
            [name]: (...args: unknown[]) => {
              if (failing) (args.at(-1) as (error: Error) => void)(new Error('marker of the store'));
              else inner(...args);
            },
          });
          next();
        });
      },
      after: (its, identity) => {
        its.post('/late', (req, res) => {
          failing = true;
          identity.forget(req).then(
            () => res.end('forgotten'),
            (error: unknown) => {
              failing = false;
              errors.push(error);
              res.end('not forgotten');
            },
          );
        });
      },
    });
    await browser.get(await app.toReturn(browser));
    expect((await browser.post(`${app.url}/late`)).text).toBe('not forgotten');
    expect(errors).toMatchObject([{ code: 'session_save_failed' }]);
    expect(JSON.stringify(errors)).not.toContain('marker');
  });
});

/** A store that works out how long to keep a session, as stores do: by `maxAge`, or by `expires`. */
class TimedStore extends MemoryStore {
  readonly kept: [byMaxAge: number, byExpires: number][] = [];

  override set(id: string, data: SessionData, done?: (error?: unknown) => void): void {
    const { maxAge, expires } = data.cookie as { maxAge?: number; expires?: unknown };
    this.kept.push([Math.round((maxAge ?? 0) / day), Math.round((Number(expires) - Date.now()) / day)]);
    super.set(id, data, done);
  }
}

describe('F51 the lifetime that the app gave its session', () => {
  test('F51 survives start, return and forget, by maxAge as well as by expires', async () => {
    const store = new TimedStore();
    const { app, browser } = await open({
      session: { store },
      after: (its, identity) => {
        its.post('/forget-and-order', (req, res, next) => {
          identity.forget(req).then(() => {
            Object.assign(req.session, { cart: 2 });
            res.end();
          }, next);
        });
      },
    });
    const back = await app.toReturn(browser);
    const released = await browser.get(back);
    await browser.post(`${app.url}/forget-and-order`);
    expect(await shownTo(app, browser)).toEqual(['erika', 2, null]);
    await browser.post(`${app.url}/forget`);
    expect(store.kept.length).toBeGreaterThanOrEqual(5);
    expect(new Set(store.kept.map((it) => it.join()))).toEqual(new Set(['30,30']));
    const expires = /Expires=([^;]+)/.exec(released.headers.getSetCookie().join())?.[1] ?? '';
    expect(Math.round((Date.parse(expires) - Date.now()) / day)).toBe(30);
  });
});

describe('F58 what another request writes meanwhile', () => {
  const write = async (app: Running, id: string, change: (data: Record<string, unknown>) => void) => {
    const data = JSON.parse(app.stored()[id] ?? '') as Record<string, unknown>;
    change(data);
    await new Promise((resolve) => app.sessions.set(id, data as never, resolve));
  };

  test.each([
    ['as it is', (value: string) => value],
    ['in quotes', (value: string) => `"${value}"`],
  ])('F58 during a start is still there afterwards, a soft log-out too, the cookie %s', async (_, spell) => {
    let id = '';
    const { app, browser } = await open({
      before: (its) => {
        // Before the kit, after express-session has read the session: another tab is faster.
        its.post('/identity/start', (_req, _res, next) => {
          write(app, id, (data) => {
            data['cart'] = 2;
            delete data['user'];
          }).then(() => next(), next);
        });
      },
    });
    [id = ''] = idsOf(app);
    browser.cookies.set('connect.sid', spell(browser.cookies.get('connect.sid') ?? ''));
    expect((await browser.post(`${app.url}/identity/start`)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual([null, 2, null]);
  });

  /** As a log-in inside the hook does it: a new id, and the data come along. */
  const renewed = async (req: Saving): Promise<void> => {
    const { cookie: _cookie, ...data } = { ...req.session } as Record<string, unknown>;
    await new Promise((resolve) => (req.session['regenerate'] as (done: unknown) => void)(resolve));
    Object.assign(req.session, data);
    await new Promise<unknown>((resolve) => req.session.save(resolve));
  };

  test.each([
    ['onSuccess', async () => await Promise.resolve()],
    ['an onSuccess that renews the session', renewed],
  ])(
    'F8, F58 during %s is still there afterwards, beside what it wrote; a soft log-out too',
    async (_, then) => {
      let id = '';
      const { app, browser } = await open({
        options: {
          onSuccess: async ({ req }: { req: Saving }) => {
            req.session['mine'] = true;
            await write(app, id, (data) => {
              data['cart'] = 2;
              delete data['user'];
            });
            await then(req);
          },
        },
        after: (its) => {
          its.get('/mine', (req, res) => {
            res.json((req.session as unknown as Record<string, unknown>)['mine'] ?? null);
          });
        },
      });
      const back = await app.toReturn(browser);
      [id = ''] = idsOf(app);
      for (const _time of [1, 2]) expect((await browser.get(back)).status).toBe(303);
      expect(await shownTo(app, browser)).toEqual([null, 2, 'kept']);
      expect((await browser.get(`${app.url}/mine`)).json()).toBe(true);
    },
  );

  test('F58 what onSuccess deletes is gone, although another request writes meanwhile', async () => {
    let id = '';
    const { app, browser } = await open({
      options: {
        onSuccess: async ({ req }: { req: Saving }) => {
          delete req.session['cart'];
          await write(app, id, (data) => void (data['user'] = 'anna'));
        },
      },
    });
    const back = await app.toReturn(browser);
    [id = ''] = idsOf(app);
    expect((await browser.get(back)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['anna', null, 'kept']);
  });

  test.each([
    ['of onSuccess, where that sets one', 7],
    ['of the return, although another request sets another one', 30],
  ])('F51, F58, F152 the lifetime counts %s', async (who, days) => {
    const isHook = who.includes('onSuccess');
    let id = '';
    const { app, browser } = await open({
      options: {
        onSuccess: async ({ req }: { req: Saving }) => {
          if (isHook) Object.assign(req.session['cookie'] as object, { maxAge: 7 * day });
          await write(app, id, (data) => {
            data['cart'] = 2;
            if (!isHook) Object.assign(data['cookie'] as object, { originalMaxAge: 90 * day });
          });
        },
      },
    });
    const back = await app.toReturn(browser);
    [id = ''] = idsOf(app);
    const released = await browser.get(back);
    const expires = /Expires=([^;]+)/.exec(released.headers.getSetCookie().join())?.[1] ?? '';
    expect(Math.round((Date.parse(expires) - Date.now()) / day)).toBe(days);
    expect(await shownTo(app, browser)).toEqual(['erika', 2, 'kept']);
  });

  test('F58 a session value named __proto__ changes nobody', async () => {
    const { app, browser } = await open();
    const sessions = app.stored();
    const [id = ''] = idsOf(app);
    sessions[id] = (sessions[id] ?? '').replace('{', '{"__proto__":{"user":"mallory","admin":true},');
    expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect(Object.values(sessions).join()).not.toContain('mallory');
  });
});

import { describe, expect, test } from '@jest/globals';
import type { RequestHandler } from 'express';
import { memoryStore } from '../../lib/stores/memory.js';
import { idsOf, me } from '../support/account.js';
import { type AppSetup, type Running, startApp, testClock } from '../support/app.js';
import { turns } from '../support/callbacks.js';
import type { Browser } from '../support/browser.js';

type WithUser = { session: { user?: string } & Record<string, unknown>; sessionID: string };
const user = (req: unknown): WithUser['session'] => (req as WithUser).session;

/** A log-in, a log-out by another tab, and who the server thinks is there. */
const account: NonNullable<AppSetup['before']> = (app) => {
  app.post('/login/:name', (req, res) => {
    user(req).user = req.params.name;
    res.end();
  });
  app.get('/who', (req, res) => {
    res.json(user(req)?.user ?? null);
  });
};

describe('a log-out stays a log-out', () => {
  async function open(setup: AppSetup): Promise<Running> {
    return await startApp({ ...setup, before: account });
  }

  const who = async (app: Running, browser: Browser): Promise<unknown> =>
    (await browser.get(`${app.url}/who`)).json();

  /** Another tab ends the session. */
  const endSession = async (app: Running, id: string): Promise<void> => {
    await new Promise((resolve) => app.sessions.destroy(id, resolve));
  };

  test.each([
    ['answers', 200, () => undefined],
    [
      'throws',
      500,
      () => {
        throw new Error('away');
      },
    ],
  ])('F31 during an onSuccess that wrote into the session and %s', async (_, status, then) => {
    let id = '';
    const app = await open({
      session: { rolling: true, resave: true },
      options: {
        onSuccess: async ({ req }: { req: WithUser }) => {
          req.session['seen'] = true;
          await endSession(app, id);
          then();
        },
      },
    });
    const browser = app.browser();
    await browser.post(`${app.url}/login/erika`);
    const back = await app.toReturn(browser);
    [id = ''] = idsOf(app);
    const shown = await browser.get(back);
    expect(shown.status).toBe(status);
    expect(shown.headers.getSetCookie()).toEqual([]);
    expect(await who(app, browser)).toBeNull();
  });

  test('F31 of the same request, before forget: it is not undone', async () => {
    const app = await open({
      options: { keep: () => 'kept' },
      after: (app, identity) => {
        const logOut: RequestHandler = (req, res, next) => {
          delete user(req).user;
          identity.forget(req).then(() => res.end(), next);
        };
        app.post('/logout', logOut);
        me(app, identity);
      },
    });
    const browser = app.browser();
    await browser.post(`${app.url}/login/erika`);
    await browser.get(await app.toReturn(browser));
    expect([await who(app, browser), (await browser.get(`${app.url}/me`)).json()]).toEqual(['erika', 'kept']);
    await browser.post(`${app.url}/logout`);
    expect([await who(app, browser), (await browser.get(`${app.url}/me`)).json()]).toEqual([null, null]);
  });

  test('F40 of the same request, before the guard: it stays shut', async () => {
    const app = await open({
      options: { keep: () => 'kept', subject: (req: unknown) => user(req).user },
      after: (app, identity) => {
        app.use('/club', (req, _res, next) => {
          if (req.query['out'] === undefined) next();
          else {
            // The kit's own answers write nothing: what the app changes before them, it saves.
            delete user(req).user;
            req.session.save(next);
          }
        });
        app.get('/club', identity.require(), (_req, res) => {
          res.send('open');
        });
      },
    });
    const browser = app.browser();
    await browser.post(`${app.url}/login/erika`);
    await browser.get(await app.toReturn(browser));
    expect((await browser.get(`${app.url}/club`)).text).toBe('open');
    expect((await browser.get(`${app.url}/club?out`)).status).toBe(303);
    expect(await who(app, browser)).toBeNull();
  });

  test('F36 while a page is made that finds what was kept to be over: of() writes nothing back', async () => {
    const clock = testClock();
    const app = await open({
      options: { clock, keep: () => 'kept' },
      after: (its, identity) =>
        its.get('/slow', (req, res, next) => {
          const kept = identity.of(req)?.kept ?? null;
          endSession(app, req.sessionID).then(() => res.json(kept), next);
        }),
    });
    const browser = app.browser();
    await browser.post(`${app.url}/login/erika`);
    await browser.get(await app.toReturn(browser));
    clock.forward(9 * 3_600_000);
    expect((await browser.get(`${app.url}/slow`)).json()).toBeNull();
    expect(await who(app, browser)).toBeNull();
  });

  test('F8 an onSuccess that logs in with a new session of its own', async () => {
    const app = await open({
      options: {
        keep: () => 'kept',
        onSuccess: async ({ req }: { req: { session: { regenerate(done: () => void): void } } }) => {
          await new Promise<void>((resolve) => {
            req.session.regenerate(resolve);
          });
          user(req).user = 'erika';
        },
      },
      after: me,
    });
    const browser = app.browser();
    const back = await app.toReturn(browser);
    expect((await browser.get(back)).status).toBe(303);
    expect([await who(app, browser), (await browser.get(`${app.url}/me`)).json()]).toEqual(['erika', 'kept']);
    expect((await browser.get(back)).status).toBe(303);
  });

  test('F34 the flow store fails at the last write: the identity is there, and onSuccess runs no second time', async () => {
    const inner = memoryStore();
    let [runs, errors] = [0, 0];
    let down = false;
    const app = await open({
      options: {
        store: {
          ...inner,
          replace: async (id: string, version: number, value: string, ttl: number) => {
            if (down) throw new Error('away');
            return await inner.replace(id, version, value, ttl);
          },
        },
        keep: () => {
          down = true;
          return 'kept';
        },
        onSuccess: () => void (runs += 1),
        onError: () => void (errors += 1),
      },
    });
    const browser = app.browser();
    const back = await app.toReturn(browser);
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(back)).status).toBe(303);
    while (app.events.at(-1)?.type !== 'return.refused') await turns(1);
    expect(app.events.slice(-2).map(({ type, code }) => [type, code])).toEqual([
      ['flow.confirmed', undefined],
      ['return.refused', 'store_unavailable'],
    ]);
    expect([runs, errors]).toEqual([1, 0]);
  });
});

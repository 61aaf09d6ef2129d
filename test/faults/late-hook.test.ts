import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import type { Express, Request, RequestHandler, Response } from 'express';
import { MemoryStore, type SessionData } from 'express-session';
import { idsOf, login, showing, shownTo } from '../support/account.js';
import { type AppSetup, startApp } from '../support/app.js';
import { gate, turns } from '../support/callbacks.js';
import { holdTimers, pass } from '../support/held-timers.js';

/** The part of passport 0.7 that is used here. Its own types would add to every request of this project. */
interface Passport {
  serializeUser(write: (user: { id: string }, done: (error: null, id: string) => void) => void): void;
  deserializeUser(read: (id: string, done: (error: null, user: { id: string }) => void) => void): void;
  session(): RequestHandler;
}
const { Passport } = createRequire(import.meta.url)('passport') as { readonly Passport: new () => Passport };

type LogIn = (user: { id: string }, options: object, done: (error?: unknown) => void) => void;

/** The hook's own time is held, however short; a return that comes while the lock lasts really waits for it. */
const hookTimeout = 250;
const sentence = /took longer than limits\.hookTimeout/;

type Hook = (args: { req: Request; signal: AbortSignal }) => unknown;

/** A browser with a log-in and a cart, at an app whose onSuccess takes too long the first time. */
async function open(
  late: (req: Request, held: Request['session']) => Promise<unknown>,
  setup: AppSetup = {},
) {
  const begun = gate();
  const ended = gate();
  let isLate = true;
  let said: unknown;
  const onSuccess: Hook = async ({ req, signal }) => {
    if (!isLate) return undefined;
    const held = req.session;
    begun.open();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    said = await late(req, held).catch((error: unknown) => error);
    ended.open();
    return undefined;
  };
  const lines: string[] = [];
  const logger = {
    error: (line: string) => void lines.push(line),
    warn: (line: string) => void lines.push(line),
  };
  const app = await startApp({
    before: login({ user: 'erika', cart: 1 }),
    after: showing(['user', 'cart', 'admin']),
    ...setup,
    options: { onSuccess, logger, keep: () => 'kept', limits: { hookTimeout }, ...setup.options },
  });
  const browser = app.browser();
  await browser.post(`${app.url}/login`);
  const back = await app.toReturn(browser);
  const before = idsOf(app);
  /** Comes back, lets the hook's time pass, and waits until the hook has ended too. */
  async function comeBack() {
    const returning = browser.get(back);
    await begun.opened;
    pass(hookTimeout);
    const shown = await returning;
    await ended.opened;
    await turns(50);
    isLate = false;
    return shown;
  }
  return { app, browser, back, before, comeBack, lines, said: () => said };
}

const saving = async (req: Request): Promise<void> =>
  await new Promise((resolve, reject) => {
    req.session.save((error: unknown) => (error ? reject(error as Error) : resolve()));
  });

describe('F87 a late hook reaches no session', () => {
  holdTimers();

  test.each<[string, (req: Request) => Promise<unknown>]>([
    ['writes and saves', async (req) => (Object.assign(req.session, { admin: 1 }), await saving(req))],
    [
      'regenerates',
      async (req) =>
        await new Promise((resolve, reject) => {
          req.session.regenerate((error: unknown) => {
            Object.assign(req.session, { admin: 1 });
            if (error) reject(error as Error);
            else req.session.save(resolve);
          });
        }),
    ],
    ['reloads', async (req) => await new Promise((_, reject) => req.session.reload(reject))],
    ['destroys', async (req) => await new Promise((_, reject) => req.session.destroy(reject))],
  ])('F87 one that %s: told by its callback, and the session of before stays', async (_, late) => {
    const { app, browser, back, before, comeBack, lines, said } = await open(late);
    const shown = await comeBack();
    expect([shown.status, shown.text.includes('Almost done')]).toEqual([504, true]);
    expect(said()).toMatchObject({ message: expect.stringMatching(sentence) });
    expect(idsOf(app)).toEqual(before);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null, null]);
    expect(lines.filter((line) => sentence.test(line))).toHaveLength(1);
    expect((await browser.get(back)).status).toBe(503); // the lock runs out first
  });

  test('F87 the copy that it holds is disarmed too, and what it writes can be read again by its request alone', async () => {
    let seen: unknown;
    const { app, browser, before, comeBack, said } = await open(async (req, held) => {
      Object.assign(req.session, { admin: { deep: 1 } });
      seen = [(req.session as unknown as { admin: unknown }).admin, req.sessionID];
      req.session = { admin: 2 } as never; // ignored
      await saving({ session: held } as Request);
    });
    await comeBack();
    expect(seen).toEqual([{ deep: 1 }, undefined]);
    expect(said()).toMatchObject({ message: expect.stringMatching(sentence) });
    expect(idsOf(app)).toEqual(before);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null, null]);
  });

  test('F87 without a callback it is thrown, and forget and start reject', async () => {
    const errors: unknown[] = [];
    const { comeBack, app } = await open(async (req) => {
      try {
        req.session.save();
      } catch (error) {
        errors.push(error);
      }
      expect(app.identity.of(req)).toBeUndefined();
      await app.identity.forget(req).catch((error: unknown) => errors.push(error));
    });
    await comeBack();
    expect(errors).toHaveLength(2);
    for (const error of errors) expect(error).toMatchObject({ message: expect.stringMatching(sentence) });
  });

  test('F87 a save that is under way when the time is over leaves nothing', async () => {
    const writing = gate();
    class SlowStore extends MemoryStore {
      slow = false;
      override set(id: string, data: SessionData, done?: (error?: unknown) => void): void {
        if (this.slow) void writing.opened.then(() => super.set(id, data as never, done));
        else super.set(id, data as never, done);
      }
    }
    const store = new SlowStore();
    const begun = gate();
    const ended = gate();
    const app = await startApp({
      before: login({ user: 'erika', cart: 1 }),
      after: showing(['user', 'cart', 'admin']),
      session: { store },
      options: {
        limits: { hookTimeout },
        keep: () => 'kept',
        onSuccess: (async ({ req, signal }) => {
          Object.assign(req.session, { admin: 1 });
          const over = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          store.slow = true;
          const saved = saving(req);
          begun.open();
          await over;
          writing.open();
          await saved;
          ended.open();
        }) satisfies Hook,
      },
    });
    const browser = app.browser();
    await browser.post(`${app.url}/login`);
    const back = await app.toReturn(browser);
    const before = idsOf(app);
    const returning = browser.get(back);
    await begun.opened;
    pass(hookTimeout);
    expect((await returning).status).toBe(504);
    await ended.opened;
    await turns(50);
    expect(idsOf(app)).toEqual(before);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null, null]);
  });

  test('F87 a regenerate that is under way when the response goes out throws at nobody', async () => {
    const [begun, answering, regenerated] = [gate(), gate(), gate()];
    const thrown: unknown[] = [];
    class SlowStore extends MemoryStore {
      isSlow = false;
      override destroy(id: string, done?: (error?: unknown) => void): void {
        if (!this.isSlow || done === undefined) return super.destroy(id, done);
        this.isSlow = false;
        void answering.opened
          .then(() => done())
          .catch((error: unknown) => thrown.push(error))
          .finally(regenerated.open);
      }
    }
    const store = new SlowStore();
    const app = await startApp({
      // As a middleware that compresses does: the response ends when all of it has been worked on.
      before: (its) => {
        its.use('/identity/return', (_req, res, next) => {
          const end = res.end.bind(res) as () => Response;
          res.end = ((...what: []) => {
            answering.open();
            void regenerated.opened.then(() => end(...what));
            return res;
          }) as typeof res.end;
          next();
        });
      },
      session: { store },
      options: {
        limits: { hookTimeout },
        keep: () => 'kept',
        onSuccess: (async ({ req, signal }) => {
          store.isSlow = true;
          req.session.regenerate(() => {});
          begun.open();
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        }) satisfies Hook,
      },
    });
    const browser = app.browser();
    const returning = browser.get(await app.toReturn(browser));
    await begun.opened;
    pass(hookTimeout);
    expect((await returning).status).toBe(504);
    expect(thrown).toEqual([]);
  });
});

describe('F87 with passport', () => {
  holdTimers();

  test.each([{ keepSessionInfo: true }, { keepSessionInfo: false }])(
    'F87 a late log-in (%p) logs nobody in, ends no process, and an access log may read the session',
    async (options) => {
      const logged: unknown[] = [];
      const own = new Passport();
      own.serializeUser((user, done) => void setImmediate(done, null, user.id));
      own.deserializeUser((id, done) => done(null, { id }));
      const before = (its: Express): void => {
        its.use((req, res, next) => {
          res.once('finish', () => void logged.push(req.session as unknown, req.sessionID));
          next();
        });
        its.use(own.session());
        login({ user: 'erika', cart: 1 })(its);
        its.get('/user', (req, res) => void res.json((req as { user?: unknown }).user ?? null));
      };
      const {
        app,
        browser,
        comeBack,
        said,
        before: ids,
      } = await open(
        async (req) =>
          await new Promise((resolve, reject) => {
            (req as unknown as { logIn: LogIn }).logIn({ id: 'mallory' }, options, (error) =>
              error ? reject(error as Error) : resolve(undefined),
            );
          }),
        { before },
      );
      const shown = await comeBack();
      expect([shown.status, logged.length > 0]).toEqual([504, true]);
      expect(said()).toMatchObject({ message: expect.stringMatching(sentence) });
      expect(idsOf(app)).toEqual(ids);
      expect(await shownTo(app, browser)).toEqual(['erika', 1, null, null]);
      expect((await browser.get(`${app.url}/user`)).json()).toBeNull();
    },
  );
});

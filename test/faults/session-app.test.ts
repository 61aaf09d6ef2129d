import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Response } from 'express';
import { idsOf, login, showing, shownTo } from '../support/account.js';
import { type AppSetup, noCode, startApp, throws } from '../support/app.js';
import { turns } from '../support/callbacks.js';

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
    expect(told.map(({ error }) => error)).toMatchObject([{ code: 'hook_failed', cause: new Error('late') }]);
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
    'req.session contains a value that cannot be serialized as JSON, such as a BigInt or a circular reference: the app put it there.';

  test.each(values)(
    'F71 %s that onSuccess put there: nothing is kept, the log-in stays',
    async (_, value) => {
      let puts = true;
      const onSuccess = ({ req }: { req: WithSession }): void => void (puts && (req.session['put'] = value));
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

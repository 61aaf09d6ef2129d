import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { ErrorRequestHandler } from 'express';
import { idsOf, login, showing, shownTo } from '../support/account.js';
import { type AppSetup, type Running, startApp } from '../support/app.js';
import type { Browser } from '../support/browser.js';
import { gate, turns } from '../support/callbacks.js';

async function open(setup: AppSetup = {}) {
  const app = await startApp({
    before: login({ user: 'erika', cart: 1 }),
    ...setup,
    options: { keep: () => 'kept', ...setup.options },
    after: (its, identity) => {
      showing(['user', 'cart'])(its, identity);
      its.post('/log-out', (req, res, next) => {
        req.session.destroy((error: unknown) => (error ? next(error) : res.redirect(303, '/')));
      });
      its.post('/forget', (req, res, next) => {
        identity.forget(req).then(() => void res.send('forgotten'), next);
      });
      setup.after?.(its, identity);
      its.use(((error, _req, res, _next) => {
        const { code, status } = error as { code?: string; status?: number };
        res.status(status ?? 500).send(code);
      }) satisfies ErrorRequestHandler);
    },
  });
  const browser = app.browser();
  await browser.post(`${app.url}/login`);
  return { app, browser };
}

/** A POST whose body is held open: what is sent then ends it. */
function holdOpen(app: Running, browser: Browser, path: string) {
  const [url, cookie] = [
    new URL(path, app.url),
    [...browser.cookies].map(([n, v]) => `${n}=${v}`).join('; '),
  ];
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '3' };
  const answered = gate();
  let status = 0;
  const req = request(url, { method: 'POST', headers }, (res) => {
    status = res.statusCode ?? 0;
    res.resume().once('end', answered.open);
  });
  req.write('a=');
  return async (): Promise<number> => {
    req.end('b');
    await answered.opened;
    return status;
  };
}

describe('F88 forget revives nothing and leaves nothing', () => {
  test.each(['released', 'begun'])(
    'F88 a request held open by its body while the person logs out (%s): the session stays gone',
    async (what) => {
      const arrived = gate();
      const { app, browser } = await open({
        before: (its) => {
          login({ user: 'erika', cart: 1 })(its);
          // A parser of the app that stands before the route.
          its.use('/forget', (req, _res, next) => {
            arrived.open();
            req.resume().once('end', () => next());
          });
        },
      });
      const back = await app.toReturn(browser);
      if (what === 'released') await browser.get(back);
      const finish = holdOpen(app, browser, '/forget');
      await arrived.opened;
      expect((await browser.post(`${app.url}/log-out`)).status).toBe(303);
      expect(idsOf(app)).toEqual([]);
      expect(await finish()).toBe(409);
      expect(idsOf(app)).toEqual([]);
      expect(await shownTo(app, browser)).toEqual([null, null, null]);
    },
  );

  test('F88 where nothing of the kit is in the session, there is nothing to throw about', async () => {
    const arrived = gate();
    const { app, browser } = await open({
      before: (its) => {
        login({ user: 'erika', cart: 1 })(its);
        its.use('/forget', (req, _res, next) => {
          arrived.open();
          req.resume().once('end', () => next());
        });
      },
    });
    const finish = holdOpen(app, browser, '/forget');
    await arrived.opened;
    await browser.post(`${app.url}/log-out`);
    expect([await finish(), idsOf(app)]).toEqual([200, []]);
  });

  test('F88 a log-out during forget stays a log-out, whatever express-session does at the end', async () => {
    const { app, browser } = await open({
      after: (its, identity) => {
        its.post('/slow-forget', (req, res, next) => {
          identity
            .forget(req)
            .then(async () => await out())
            .then(() => void res.send('forgotten'), next);
        });
      },
    });
    const out = async (): Promise<void> => {
      await browser.post(`${app.url}/log-out`);
    };
    await browser.get(await app.toReturn(browser));
    expect((await browser.post(`${app.url}/slow-forget`)).status).toBe(200);
    await turns();
    expect(idsOf(app)).toEqual([]);
  });

  test('F88 the documented log-out clicked twice is never an error page', async () => {
    const { app, browser } = await open();
    await browser.get(await app.toReturn(browser));
    const both = await Promise.all([1, 2].map(async () => await browser.post(`${app.url}/log-out`)));
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect((await browser.post(`${app.url}/log-out`)).status).toBe(303);
    expect(idsOf(app)).toEqual([]);
  });

  test('F88 a session that is renewed and saved first is erased; one that is not stays as it is', async () => {
    const { app, browser } = await open({
      after: (its, identity) => {
        its.post('/renew', (req, res, next) => {
          const { user, cart } = req.session as unknown as Record<string, unknown>;
          const own = Object.entries(req.session).filter(([name]) => name.startsWith('pidgate'));
          req.session.regenerate(() => {
            Object.assign(req.session, { user, cart }, Object.fromEntries(own));
            const forget = (): void => {
              identity.forget(req).then(() => void res.send('forgotten'), next);
            };
            if (req.query['save'] === undefined) forget();
            else req.session.save(forget);
          });
        });
      },
    });
    await browser.get(await app.toReturn(browser));
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    const unsaved = await browser.post(`${app.url}/renew`);
    expect([unsaved.status, unsaved.text]).toEqual([409, 'session_ended']);
    const saved = await browser.post(`${app.url}/renew?save`);
    expect([saved.status, await shownTo(app, browser)]).toEqual([200, ['erika', 1, null]]);
  });

  test('F88 after forget what was begun before is handed to nobody, and what begins then is', async () => {
    const { app, browser } = await open();
    const before = await app.toReturn(browser);
    expect((await browser.post(`${app.url}/forget`)).status).toBe(200);
    expect((await browser.visit(before)).status).toBe(403);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
    expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
  });
});

import { describe, expect, test } from '@jest/globals';
import { idsOf, me, showing, shownTo } from '../support/account.js';
import { type AppSetup, type Running, startApp } from '../support/app.js';
import { gate } from '../support/callbacks.js';
import { decide } from '../support/wallet.js';

describe('session and store', () => {
  async function open(setup: AppSetup = {}): Promise<Running> {
    return await startApp({
      ...setup,
      options: {
        keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name,
        ...setup.options,
      },
      after: (app, identity) => {
        me(app, identity);
        setup.after?.(app, identity);
      },
    });
  }

  test('F31 a request that overlaps the callback and saves its old session loses nothing', async () => {
    const [arrived, held] = [gate(), gate()];
    const app = await open({
      before: (app) =>
        app.get('/slow', (req, res) => {
          arrived.open();
          void held.opened.then(() => {
            Object.assign(req.session, { seen: true });
            res.end();
          });
        }),
    });
    const browser = app.browser();
    const wallet = await app.start(browser);
    const slow = browser.get(`${app.url}/slow`);
    await arrived.opened;
    const back = await decide(wallet, 'approve');
    held.open();
    await slow;
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
  });

  test('F31 the kit re-reads before it writes: what another request stored during onSuccess stays', async () => {
    let id = '';
    const app = await open({
      options: {
        onSuccess: () => {
          const session = JSON.parse(app.stored()[id] ?? '') as object;
          app.stored()[id] = JSON.stringify({ ...session, basket: 3 });
        },
      },
      after: showing(['basket']),
    });
    const { browser, back } = await app.waiting();
    [id = ''] = idsOf(app);
    await browser.get(back);
    expect(await shownTo(app, browser)).toEqual([3, 'Erika']);
    expect(idsOf(app)).not.toContain(id);
  });

  test('F31 what JSON does not have, in the session of a request, is no value of the session', async () => {
    const app = await open({
      before: (app) =>
        app.use((req, _res, next) => {
          Object.assign(req.session, { greet: () => 'hello', nothing: undefined });
          next();
        }),
    });
    const browser = await app.released();
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
    const [session = ''] = Object.values(app.stored());
    const names = Object.keys(JSON.parse(session) as object);
    expect(names.filter((name) => !/^pidgate\b/.test(name))).toEqual(['cookie']);
  });

  test('F31 a store that cannot make the new session: nothing runs, and the same address works at once', async () => {
    let broken = true;
    let ran = 0;
    const app = await open({
      options: { onSuccess: () => void (ran += 1) },
      before: (app) =>
        app.use('/identity/return', ({ sessionStore }, _res, next) => {
          const { generate } = sessionStore;
          const fails = (): never => {
            sessionStore.generate = generate;
            throw new Error('marker');
          };
          if (broken) sessionStore.generate = fails;
          next();
        }),
    });
    const { browser, back } = await app.waiting();
    const failed = await browser.get(back);
    expect(failed.status).toBe(503);
    expect(failed.text).not.toContain('marker');
    expect(ran).toBe(0);
    expect(app.events.at(-1)).toMatchObject({ type: 'hook.failed', code: 'session_save_failed' });
    broken = false;
    expect((await browser.get(back)).status).toBe(303);
    expect(ran).toBe(1);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
  });

  test.each([{ resave: false }, { resave: true, rolling: true }])(
    'F31 two returns of one session at once both finish and the session stays usable (%o)',
    async (session) => {
      const app = await open({
        session,
        options: { requests: { name: { reveal: ['family_name'], keep: () => 'name' } } },
        after: showing([], 'name'),
      });
      const browser = app.browser();
      const first = await app.toReturn(browser);
      const shown = await browser.post(`${app.url}/identity/start/name`);
      const second = await decide(shown.location ?? '', 'approve');
      const both = await Promise.all([browser.visit(first), browser.visit(second)]);
      expect(both.map((it) => it.url)).toEqual([`${app.url}/`, `${app.url}/`]);
      expect(await shownTo(app, browser)).toEqual(['Erika', 'name']);
      expect(idsOf(app)).toHaveLength(1);
    },
  );

  test('F31 a return on an old session id that no longer leads anywhere releases nothing', async () => {
    let succeeded = 0;
    const app = await open({ options: { onSuccess: () => void (succeeded += 1) } });
    const { browser, back } = await app.waiting();
    await new Promise((resolve) => app.sessions.clear(resolve));
    expect((await browser.visit(back)).status).toBe(403);
    expect(succeeded).toBe(0);
  });
});

// How starts, callbacks and returns end, as browser, service, app and stores see it: nothing here knows the flow's parts.
import { describe, expect, jest, test } from '@jest/globals';
import { supportCodeOf } from '../../lib/internal/support-code.js';
import type { Request, Response } from 'express';
import { MemoryStore } from 'express-session';
import { memoryStore } from '../../lib/index.js';
import { failed } from '../service/service.js';
import { throws } from '../support/app.js';
import { startAsking } from '../support/asked-service.js';
import { type CallbackSetup, callbackApps, turns } from '../support/callbacks.js';
import { storeAround } from '../support/stores.js';

const openApp = callbackApps();

describe('a start that begins no flow', () => {
  /** A session store that takes nothing. */
  class FullStore extends MemoryStore {
    override set = (_id: string, _session: unknown, done?: (error?: unknown) => void): void =>
      done?.(new Error('full'));
  }
  const away = async (): Promise<never> => await Promise.reject(new Error('away'));

  const scenes = [
    ['the service', 'error_internal', 1, {}],
    ['the flow store', 'store_unavailable', 0, { options: { store: { ...memoryStore(), create: away } } }],
    ['the session store', 'session_save_failed', 0, { session: { store: new FullStore() } }],
  ] as const;

  test.each(scenes)(
    '%s refuses it: one event, one run of onError, no record',
    async (_, code, asked, setup) => {
      const { app, start } = await failing(setup);
      const shown = await start('?returnTo=/club', { accept: 'application/json' });
      expect([shown.status >= 500, shown.json()]).toEqual([true, expect.objectContaining({ error: code })]);
      expect(app.told).toEqual([{ code, step: 'start', context: undefined }]);
      const flow = expect.stringMatching(/^[\w-]{43}$/);
      const supportCode = supportCodeOf(app.events[0]?.flow ?? '');
      const at = expect.any(Date);
      expect(app.events).toEqual([
        { type: 'start.failed', at, flow, supportCode, question: 'default', code },
      ]);
      expect([app.store.held.size, app.service.seen.length]).toEqual([0, asked]);
    },
  );

  test.each(scenes)('%s refuses it: the page leads to the same start', async (_, _code, _asked, setup) => {
    const { start } = await failing(setup);
    const { status, text } = await start('?returnTo=/club');
    expect(status).toBeGreaterThanOrEqual(500);
    expect(text).toContain('href="/identity/start?returnTo=%2Fclub"');
  });

  test.each(scenes)(
    "%s refuses it: the app's page is told what for, in which flow",
    async (_, code, _asked, setup) => {
      const { app, start } = await failing(setup, { errorRedirect: '/sorry' });
      const { status, headers } = await start('?returnTo=/club');
      const { pathname, searchParams } = new URL(headers.get('location') ?? '', app.url);
      expect([status, pathname]).toEqual([303, '/sorry']);
      expect(Object.fromEntries(searchParams)).toEqual({
        error: code,
        question: 'default',
        returnTo: '/club',
        flow: app.events[0]?.flow,
        supportCode: app.events[0]?.supportCode,
      });
    },
  );

  test.each(scenes)(
    '%s refuses it: onError decides before the page of the app',
    async (_, _code, _asked, setup) => {
      const onError = () => ({ redirectTo: '/mine' });
      const { start } = await failing(setup, { onError, errorRedirect: '/sorry' });
      const { status, headers } = await start();
      expect([status, headers.get('location')]).toEqual([303, '/mine']);
    },
  );

  async function failing(setup: (typeof scenes)[number][3], options: Record<string, unknown> = {}) {
    const given = 'options' in setup ? setup.options : {};
    const app = await startAsking({ ...setup, options: { ...given, ...options } });
    app.service.answers(failed(500, 'error_internal'));
    const start = async (query = '', headers: Record<string, string> = {}) =>
      await app.browser().post(`${app.url}/identity/start${query}`, {}, headers);
    return { app, start };
  }
});

describe('a callback that no flow takes is an event, and no hook runs', () => {
  const consume = (req: Request, _res: Response, next: () => void): void =>
    void req.resume().once('end', () => next());
  const whole = { presentation: 'good' };

  test.each([
    ['the app has read its body', 'body_consumed', 500, whole, consume],
    ['it is too large', 'callback_too_large', 413, { presentation: 'x'.repeat(2_000_000) }, undefined],
    ['it is none', 'callback_malformed', 400, { presentation: 'good', error: 'x' }, undefined],
  ] as const)('where %s', async (_, code, status, form, middleware) => {
    const app = await openApp({
      ...(middleware && { before: (express) => express.use('/identity/callback', middleware) }),
    });
    const begun = await app.begin();
    const reply = await app.deliver({ ...form, state: begun.state });
    expect([reply.status, reply.body.error]).toEqual([status, code]);
    const events = app.events.slice(1).map(({ at: _at, ...event }) => event);
    expect([events, app.ran]).toEqual([[{ type: 'callback.refused', code }], []]);
    expect(await app.statusOf(begun)).toBe('pending');
  });

  test('where the store is away: the service may come back', async () => {
    let isAway = false;
    const store = storeAround(async (_call, work) => {
      if (isAway) throw new Error('away');
      return await work();
    }, memoryStore());
    const app = await openApp({ options: { store } });
    const begun = await app.begin();
    isAway = true;
    const reply = await app.deliver({ presentation: 'good', state: begun.state });
    isAway = false;
    const code = 'store_unavailable';
    expect([reply.status, reply.headers.get('retry-after'), reply.body.error]).toEqual([503, '1', code]);
    const events = app.events.slice(1).map(({ at: _at, ...event }) => event);
    expect([events, app.ran]).toEqual([[{ type: 'callback.refused', code }], []]);
    expect(await app.statusOf(begun)).toBe('pending');
  });
});

describe('the order of a return', () => {
  /** Everything that somebody outside sees of it, in its order. */
  async function watched(hooks: CallbackSetup) {
    const seen: string[] = [];
    const store = storeAround(async (call, work, args) => {
      const what = String(args.at(-2)).startsWith('lock.') ? 'lock' : 'flow';
      const done = await work();
      seen.push(call === 'read' ? 'flow read' : `${what} ${call}`);
      return done;
    }, memoryStore());
    const sessions = new MemoryStore();
    const app = await openApp({
      ...hooks,
      session: { store: sessions },
      hooks: { onSuccess: () => void seen.push('onSuccess'), ...hooks.hooks },
      options: {
        store,
        keep: () => {
          seen.push('keep');
          return 'kept';
        },
        onEvent: ({ type }: { type: string }) => void seen.push(`event ${type}`),
        ...hooks.options,
      },
      before: (express) =>
        express.use((_req, res, next) => {
          const writeHead = res.writeHead.bind(res);
          res.writeHead = (...args: [number]) => {
            seen.push(`answer ${args[0]}`);
            return writeHead(...args);
          };
          next();
        }),
    });
    for (const name of ['get', 'set', 'destroy'] as const) {
      const real = sessions[name].bind(sessions) as (...args: unknown[]) => unknown;
      jest.spyOn(sessions, name).mockImplementation(((...args: unknown[]) => {
        seen.push(`session ${name}`);
        return real(...args);
      }) as never);
    }
    const { browser, back } = await app.verified();
    seen.length = 0;
    return { app, seen, browser, back };
  }

  /** The same of its own browser, until the lock is given back. */
  async function returned(setup: CallbackSetup) {
    const { seen, browser, back } = await watched(setup);
    const answer = await browser.get(back);
    while (!seen.includes('lock replace')) await turns(1);
    return { seen, answer };
  }

  test('that goes well: saved before anybody hears of it, erased after the browser has it, the lock at the end', async () => {
    const { seen, answer } = await returned({});
    expect(answer.status).toBe(303);
    expect(seen).toEqual([
      'session get', // by express-session
      'lock create',
      'flow read',
      'onSuccess',
      'keep',
      'session get',
      'session set',
      'event flow.confirmed',
      'answer 303',
      'session destroy',
      'flow replace',
      'flow read', // of the lock: is it still this return's?
      'lock replace',
    ]);
  });

  test('whose hook throws: nothing is saved, and the lock is given back once the app has heard', async () => {
    const { seen, answer } = await returned({ hooks: { onSuccess: throws(new Error('failed')) } });
    expect(answer.status).toBe(500);
    expect(seen).toEqual([
      'session get',
      'lock create',
      'flow read',
      'session destroy', // of the new id: a hook may have saved it
      'event hook.failed',
      'flow read', // of the lock: is it still this return's?
      'lock replace',
      'answer 500',
    ]);
  });

  test('whose hook refuses: the flow has ended before the app hears of it', async () => {
    const { seen, answer } = await returned({ hooks: { onSuccess: () => ({ refuse: 'own_code' }) } });
    expect(answer.status).toBe(303);
    expect(seen).toEqual([
      'session get',
      'lock create',
      'flow read',
      'session destroy',
      'flow replace',
      'event flow.failed',
      'flow read', // of the lock: is it still this return's?
      'lock replace',
      'answer 303',
    ]);
  });

  test('in a session in which nothing was started: no lock, and a look at the flow only where the cookie is known', async () => {
    const { app, seen, back } = await watched({
      after: (express) =>
        express.get('/visit', (req, res) => {
          Object.assign(req.session, { visited: true });
          res.send('hello');
        }),
    });
    const stranger = app.browser();
    expect((await stranger.get(back)).status).toBe(200);
    expect(seen).toEqual(['answer 200']);
    await stranger.get(`${app.url}/visit`);
    seen.length = 0;
    expect((await stranger.get(back)).status).toBe(200);
    expect(seen).toEqual(['session get', 'flow read', 'answer 200']);
  });

  test('of somebody else than at the start: the address is opened once more, in case a cookie comes only then', async () => {
    const subject = ({ query }: Request): unknown => query['user'];
    const app = await openApp({ hooks: { onSuccess: () => undefined }, options: { subject } });
    const { browser, back } = await app.verified('?user=erika');
    const first = await browser.get(back);
    expect([first.status, first.text.includes('reload=1')]).toEqual([200, true]);
    expect((await browser.get(`${back}&reload=1`)).status).toBe(403);
    expect(app.ran).toEqual([]);
    expect((await browser.get(`${back}&user=erika&reload=1`)).status).toBe(303);
  });

  test('during which another request forgets: nothing is kept, and the session stays the forgotten one', async () => {
    const app = await openApp({
      hooks: { onSuccess: async () => void (await browser.get(`${app.url}/forget`)) },
      after: (express, identity) => {
        express.get('/forget', async (req, res) => {
          await identity.forget(req);
          res.send('forgotten');
        });
        express.get('/me', (req, res) => res.json(identity.of(req) ?? null));
      },
    });
    const { browser, back } = await app.verified();
    const { status, location } = await browser.get(back);
    expect([status, location, app.ran]).toEqual([200, undefined, ['onSuccess']]);
    expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
    expect((await browser.get(`${back}&reload=2`)).status).toBe(403);
    expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
  });
});

import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import fc from 'fast-check';
import { memoryStore } from '../../lib/index.js';
import { raw, started } from '../service/service.js';
import { idsOf, login, showing, shownTo } from '../support/account.js';
import { openSandbox, type Running, startApp } from '../support/app.js';
import { startAsking, wallet } from '../support/asked-service.js';
import type { Browser, Shown } from '../support/browser.js';
import { type CallbackApp, callbackApps, gate, turns } from '../support/callbacks.js';
import { closeAfter } from '../support/close-after.js';
import { deep } from '../support/deep.js';
import { closeServer, listenOn } from '../support/listen.js';
import { nightly, seed } from '../support/seed.js';
import { cuttableStore, sessionsAround, storeAround } from '../support/stores.js';
import { decide } from '../support/wallet.js';
import { openedSessions } from '../support/sealed.js';

describe('start race', () => {
  /** So many turns of the event loop before and after each call of a store. */
  type Pauses = () => number;

  async function wait(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  interface World {
    readonly apps: readonly [Running, Running];
    readonly pick: () => Running;
  }

  /** One app, or two processes of it, on stores that take their time. */
  async function open(pauses: Pauses, session: object, count: 1 | 2): Promise<World> {
    const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
      await wait(pauses());
      const done = await work();
      await wait(pauses());
      return done;
    };
    const inner = new MemoryStore();
    const sessions = sessionsAround(async (_call, work) => await slowly(work), inner);
    const store = storeAround(async (_call, work) => await slowly(work), memoryStore());
    const sandbox = await openSandbox({
      fetch: async (url, init) => {
        await wait(pauses()); // the callback
        return await fetch(url, init);
      },
    });
    const make = async (origins: readonly string[]): Promise<Running> =>
      await startApp({
        sandbox,
        origins,
        session: { store: sessions, ...session },
        before: (its) => {
          its.use(async (_req, _res, next) => {
            await wait(pauses());
            next();
          });
          login({ user: 'erika', cart: 1 })(its);
        },
        after: showing(['user', 'cart'], 'age'),
        options: {
          store,
          questions: { age: { reveal: ['birth_date'], keep: () => 'of age' } },
          keep: () => 'kept',
        },
      });
    const first = await make([]);
    const second = count === 1 ? first : await make([first.url]);
    sandbox.redirectUrl = `${first.url}/identity/callback`;
    let turn = 0;
    return { apps: [first, second], pick: () => ([first, second] as const)[(turn += 1) % 2] ?? first };
  }

  /** Starts as a person does: what shows the start page once more is pressed once more. */
  async function press(app: Running, browser: Browser, path: string): Promise<string> {
    let shown: Shown = await browser.post(`${app.url}${path}`);
    for (let times = 0; times < 3 && shown.status === 200; times += 1) {
      const action = /<form method="post" action="([^"]+)"/.exec(shown.text)?.[1] ?? '';
      shown = await browser.post(`${app.url}${action.replaceAll('&amp;', '&')}`);
    }
    expect(shown.status).toBe(303);
    return shown.location ?? '';
  }

  const kinds: [string, object][] = [
    ['cookies of the session', {}],
    ['cookie.maxAge', { cookie: { maxAge: 86_400_000 } }],
    ['rolling', { rolling: true, cookie: { maxAge: 86_400_000 } }],
  ];

  // There all origins of this machine are one app.
  const mode = process.env['NODE_ENV'];
  beforeAll(() => void (process.env['NODE_ENV'] = 'development'));
  afterAll(() => void (process.env['NODE_ENV'] = mode));

  // What a release and a start do to each other takes more orders to show than two starts do.
  const [runs, runsOfClicks] = nightly ? [40, 40] : [3, 1];

  describe.each(kinds)('F89 no start is lost, with %s', (_, session) => {
    deep.test.each([1, 2] as const)(
      'F89 a double click, in %i process(es): each flow ends verified',
      async (count) => {
        await fc.assert(
          fc.asyncProperty(fc.infiniteStream(fc.nat(6)), async (stream) => {
            const { apps, pick } = await open(() => stream.next().value as number, session, count);
            const [app] = apps;
            const browser = app.browser();
            await browser.post(`${app.url}/login`);
            await app.start(browser); // the kit has the session already, or not
            const wallets = await Promise.all(
              [1, 2].map(async () => await press(pick(), browser, '/identity/start')),
            );
            for (const wallet of wallets) {
              expect((await browser.visit(await decide(wallet, 'approve'))).status).not.toBe(403);
            }
            expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept', null]);
          }),
          { seed, numRuns: runsOfClicks },
        );
      },
    );

    deep.test.each([1, 2] as const)(
      'F89 a start during a release, in %i process(es): both are kept in the session that the browser ends with',
      async (count) => {
        await fc.assert(
          fc.asyncProperty(fc.infiniteStream(fc.nat(6)), fc.nat(40), async (stream, offset) => {
            const { apps, pick } = await open(() => stream.next().value as number, session, count);
            const [app] = apps;
            const browser = app.browser();
            await browser.post(`${app.url}/login`);
            const back = await app.toReturn(browser);
            const starting = async (): Promise<string> => {
              await wait(offset);
              return await press(pick(), browser, '/identity/start/age');
            };
            const [shown, wallet] = await Promise.all([browser.visit(back), starting()]);
            expect(new URL(shown.url).pathname).toBe('/');
            const second = await browser.visit(await decide(wallet, 'approve'));
            expect(new URL(second.url).pathname).toBe('/');
            expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept', 'of age']);
          }),
          { seed, numRuns: runs },
        );
      },
    );
  });
});

describe('start order', () => {
  /** A little while. */
  const pause = async (): Promise<void> => await turns(5);

  describe('F15 everything is saved before the service hears of it', () => {
    test.each([
      ['the defaults', {}],
      ['resave, rolling and saveUninitialized', { resave: true, rolling: true, saveUninitialized: true }],
    ])('F15 session, record, service, and the session is not written after: %s', async (_, options) => {
      const said: string[] = [];
      const told =
        (what: string) =>
        async <T>(call: string, work: () => Promise<T>): Promise<T> => {
          if (call !== 'create' && call !== 'set') return await work();
          said.push(`${what} save begins`);
          await pause();
          const done = await work();
          said.push(`${what} saved`);
          return done;
        };
      const app = await startAsking({
        session: { ...options, store: sessionsAround(told('session')) },
        options: { store: storeAround(told('record')) },
      });
      app.service.answers((res) => {
        said.push('service asked');
        started(wallet)(res);
      });
      const browser = app.browser();
      const saved = ['session', 'record'].flatMap((what) => [`${what} save begins`, `${what} saved`]);
      const order = [...saved, 'service asked'];
      // With a new session, and with one that is there already.
      for (let visits = 0; visits < 2; visits += 1) {
        said.length = 0;
        expect((await browser.post(`${app.url}/identity/start`)).location).toBe(wallet);
        expect(said).toEqual(order);
      }
    });

    test('F15 a log-out in another tab during the call stays a log-out', async () => {
      const app = await startAsking({
        session: { resave: true, rolling: true },
        before: (its) => {
          login()(its);
          its.post('/out', (req, res) => void req.session.destroy(() => res.end()));
        },
        after: showing(['user']),
      });
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      const [asked, answer] = [gate(), gate()];
      app.service.answers((res) => {
        asked.open();
        void answer.opened.then(() => started(wallet)(res));
      });
      const starting = browser.post(`${app.url}/identity/start`);
      await asked.opened;
      expect(await shownTo(app, browser)).toEqual(['erika', null]);
      await browser.post(`${app.url}/out`);
      answer.open();
      expect((await starting).status).toBe(303);
      expect(await shownTo(app, browser)).toEqual([null, null]);
      expect(idsOf(app)).toEqual([]);
    });

    test('F15 after a log-out just before the session is saved the page asks once more, and nothing is brought back', async () => {
      let out = (): void => undefined;
      const app = await startAsking({
        options: {
          context: () => {
            out();
            return null;
          },
        },
      });
      const browser = app.browser();
      await app.start(browser);
      app.service.seen.length = 0;
      const [before] = idsOf(app);
      out = () => app.sessions.clear();
      const asked = await browser.post(`${app.url}/identity/start`);
      expect([asked.status, asked.text.includes('<form method="post"')]).toEqual([200, true]);
      expect([app.told, app.service.seen, idsOf(app)]).toEqual([[], [], []]);
      out = () => undefined;
      const page = await browser.get(`${app.url}/identity/start`);
      const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const shown = await browser.post(new URL(action, app.url).href);
      expect([shown.status, app.service.seen.length]).toEqual([303, 1]);
      const ids = idsOf(app);
      expect(ids).toHaveLength(1);
      expect(ids).not.toContain(before);
      expect(shown.headers.getSetCookie().join()).toContain(ids[0]);
    });

    test('F15 a session that cannot be saved ends the start before the service hears of it', async () => {
      const app = await startAsking();
      app.sessions.set = (_id, _data, done) => done?.(new Error('session store: connect ECONNREFUSED'));
      const shown = await app.browser().post(`${app.url}/identity/start`);
      expect([shown.status, shown.text.includes('<code>session_save_failed</code>')]).toEqual([503, true]);
      expect(shown.text).not.toContain('ECONNREFUSED');
      expect([app.service.seen, [...app.store.held]]).toEqual([[], []]);
    });

    test('F15 a record that cannot be saved ends the start before the service hears of it', async () => {
      const { store, cut } = cuttableStore();
      cut('create');
      const app = await startAsking({ options: { store } });
      const shown = await app.browser().post(`${app.url}/identity/start`);
      expect([shown.status, shown.text.includes('<code>store_unavailable</code>')]).toEqual([503, true]);
      expect(app.told).toEqual([{ code: 'store_unavailable', step: 'start', context: undefined }]);
      expect(app.service.seen).toEqual([]);
    });

    test('F15 the API key goes to the service and nowhere else', async () => {
      const apiKey = 'marker-key-0b7e';
      const app = await startAsking({ options: { apiKey: () => apiKey } });
      const browser = app.browser();
      const shown = [
        await browser.get(`${app.url}/identity/start`),
        await browser.post(`${app.url}/identity/start`),
        await browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' }),
      ];
      expect(app.service.seen.map(({ headers }) => headers.authorization)).toEqual([
        `Bearer ${apiKey}`,
        `Bearer ${apiKey}`,
      ]);
      app.service.answers(raw(500, { 'content-type': 'text/plain' }, apiKey));
      shown.push(await browser.post(`${app.url}/identity/start`));
      const out = JSON.stringify([
        shown.map(({ text, headers }) => [text, ...headers]),
        [...browser.cookies],
        app.stored(),
        openedSessions(app),
        app.events,
        app.told,
      ]);
      expect(out).not.toContain(apiKey);
    });

    test('F15 the call follows no redirect: whom it points to hears nothing', async () => {
      const heard: unknown[] = [];
      const elsewhere = createServer((req, res) => {
        heard.push(req.headers);
        res.end();
      });
      const origin = await listenOn(elsewhere);
      closeAfter(async () => await closeServer(elsewhere));
      const app = await startAsking();
      app.service.answers(raw(307, { location: `${origin}/prove` }));
      const shown = await app.browser().post(`${app.url}/identity/start`);
      expect([shown.status, app.told]).toEqual([
        502,
        [{ code: 'service_reply_invalid', step: 'start', context: undefined }],
      ]);
      expect(heard).toEqual([]);
    });
  });
});

describe('start many', () => {
  const openApp = callbackApps();

  describe('F12 every start is its own flow', () => {
    async function open(options: Record<string, unknown> = {}) {
      const released: unknown[] = [];
      const onSuccess = ({ context }: { context: unknown }): void => void released.push(context);
      const context = (req: { query: Record<string, unknown> }): unknown => req.query['tab'] ?? null;
      const app = await startApp({ options: { onSuccess, context, ...options } });
      const browser = app.browser();
      /** Starts in a tab of this browser; returns the address of the wallet. */
      const tab = async (name: string): Promise<string> =>
        await app.start(browser, `?tab=${name}&returnTo=%2F${name}`);
      return { app, released, browser, tab };
    }

    test('F12 two tabs both complete, whichever comes back first', async () => {
      const { app, released, browser, tab } = await open();
      const first = await tab('one');
      const second = await tab('two');
      const backs = [await decide(second, 'approve'), await decide(first, 'approve')];
      const places = [];
      for (const back of backs) places.push((await browser.get(back)).location);
      expect(places).toEqual([`${app.url}/two`, `${app.url}/one`]);
      expect(released).toEqual(['two', 'one']);
    });

    test('F12 two starts of one session at the same moment both complete', async () => {
      const { released, browser, tab } = await open();
      await tab('cookie');
      const wallets = await Promise.all(['a', 'b', 'c'].map(async (name) => await tab(name)));
      for (const address of wallets) {
        expect((await browser.get(await decide(address, 'approve'))).status).toBe(303);
      }
      expect(new Set(released)).toEqual(new Set(['a', 'b', 'c']));
    });

    deep.test('F12 however many are begun and left, each can still be finished', async () => {
      const { released, browser, tab } = await open();
      const names = Array.from({ length: 12 }, (_, index) => `${index}`);
      const wallets = [];
      for (const name of names) wallets.push(await tab(name));
      for (const address of wallets.toReversed()) {
        expect((await browser.get(await decide(address, 'approve'))).status).toBe(303);
      }
      expect(released).toEqual(names.toReversed());
    });

    test('F12 what a parallel write takes back costs no flow', async () => {
      const { app, released, browser, tab } = await open();
      const first = await tab('first');
      const before = { ...app.stored() };
      const second = await tab('second');
      // Another process read the session before the second start and writes it after.
      Object.assign(app.stored(), before);
      for (const address of [second, first]) {
        expect((await browser.get(await decide(address, 'approve'))).status).toBe(303);
      }
      expect(released).toEqual(['second', 'first']);
    });

    /** The flow is verified, and its browser comes back. */
    async function ends(app: CallbackApp, browser: Browser, state: string): Promise<number> {
      const { body } = await app.deliver({ presentation: 'good', state });
      return (await browser.get(body.redirect_uri ?? '')).status;
    }

    test('F12 starts that failed do not push a living one out', async () => {
      let status = 200;
      const success = { success: true, redirect_url: 'https://wallet.example/' };
      const app = await openApp({ options: { fetch: () => Response.json(success, { status }) } });
      const { state, browser } = await app.begin();
      status = 500;
      for (let tries = 0; tries < 7; tries += 1) {
        expect((await browser.post(`${app.url}/identity/start`)).status).toBe(502);
      }
      status = 200;
      const last = await app.begin('', browser);
      for (const living of [state, last.state]) expect(await ends(app, browser, living)).toBe(303);
    });

    test('F12 a flow store that fails at a start takes nothing from the flows before it', async () => {
      const { store, cut, restore } = cuttableStore();
      const app = await openApp({ options: { store } });
      const first = await app.begin();
      const { browser } = first;
      cut('read');
      const second = await app.begin('', browser);
      cut('create');
      expect((await browser.post(`${app.url}/identity/start`)).status).toBe(503);
      restore();
      for (const { state } of [first, second]) expect(await ends(app, browser, state)).toBe(303);
    });
  });
});

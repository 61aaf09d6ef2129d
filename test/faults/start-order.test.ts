import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { raw, started } from '../service/service.js';
import { idsOf, login, showing, shownTo } from '../support/account.js';
import { startAsking, wallet } from '../support/asked-service.js';
import { gate, turns } from '../support/callbacks.js';
import { closeAfter } from '../support/close-after.js';
import { closeServer, listenOn } from '../support/listen.js';
import { cuttableStore, sessionsAround, storeAround } from '../support/stores.js';

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

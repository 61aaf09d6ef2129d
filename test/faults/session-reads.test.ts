import { describe, expect, test } from '@jest/globals';
import type { MemoryStore, SessionOptions } from 'express-session';
import { login, me } from '../support/account.js';
import { type Running, noCode, startApp, testClock } from '../support/app.js';
import { gate } from '../support/callbacks.js';

const open = async (options: object = {}, session: Partial<SessionOptions> = {}): Promise<Running> =>
  await startApp({
    session,
    options: { keep: () => 'kept', keepFor: '1h', ...options },
    before: login(),
    after: (app, identity) => {
      app.get('/club', identity.require(), (_req, res) => void res.send('open'));
      me(app, identity);
    },
  });

/** A session store that fails at each read, until the test lets it work again. */
function failReads(sessions: MemoryStore, fault: Error): () => void {
  const get = sessions.get.bind(sessions);
  sessions.get = (_id, done) => done(fault);
  return () => void (sessions.get = get);
}

/** Every call that changes the store, from now on. */
function watch(sessions: MemoryStore): string[] {
  const calls: string[] = [];
  for (const name of ['set', 'touch', 'destroy'] as const) {
    const call = (sessions[name] as (...args: unknown[]) => void).bind(sessions);
    Object.assign(sessions, {
      [name]: (...args: unknown[]) => {
        calls.push(name);
        call(...args);
      },
    });
  }
  return calls;
}

const settings: Partial<SessionOptions>[] = [
  {},
  { resave: true },
  { rolling: true, cookie: { maxAge: 60_000 } },
  { saveUninitialized: true },
  { unset: 'destroy' },
];

describe('F45 reading never writes', () => {
  test.each(settings)(
    "F45 the kit's own answers leave session and store as they are (%o)",
    async (session) => {
      const clock = testClock();
      const app = await open({ clock }, session);
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      await browser.visit(await app.toReturn(browser));
      const begun = await browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
      const { flowId } = begun.json() as { flowId: string };
      clock.forward(3_600_000); // what was kept has run out
      const before = JSON.stringify(app.stored());
      const calls = watch(app.sessions);
      for (const [path, status] of [
        ['/club', 303],
        [`/identity/status?flow=${flowId}`, 200],
        ['/identity/status?flow=x', 404],
        ['/identity/start', 200],
        ['/identity/start?returnTo=//x', 400],
        ['/identity/return?error=declined', 200],
        ['/identity/return?code=x', 403],
        [`/identity/return?code=${noCode}`, 200],
        [`/identity/return?code=${noCode}&reload=1`, 403],
      ] as const) {
        const shown = await browser.get(`${app.url}${path}`);
        expect([path, shown.status, shown.headers.getSetCookie()]).toEqual([path, status, []]);
      }
      const foreign = { 'sec-fetch-site': 'cross-site' };
      expect((await browser.post(`${app.url}/identity/start`, {}, foreign)).status).toBe(403);
      expect(calls).toEqual([]);
      expect(JSON.stringify(app.stored())).toBe(before);
    },
  );

  test('F45 a page that asks of() does to its session what it does without asking', async () => {
    const clock = testClock();
    const app = await open({ clock });
    app.app.get('/plain', (_req, res) => void res.json(null));
    const browser = await app.released();
    clock.forward(3_600_000);
    const calls = watch(app.sessions);
    await browser.get(`${app.url}/plain`);
    const plain = calls.splice(0);
    expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
    expect(calls).toEqual(plain);
  });
});

describe('F46 a session store that fails is not "no session"', () => {
  test('F46 a stranger with the code revokes nothing while the store fails', async () => {
    const errors: string[] = [];
    const onError = ({ error }: { error: { code: string } }) => void errors.push(error.code);
    const app = await open({ onError });
    const { browser, back } = await app.waiting();
    const restore = failReads(app.sessions, new Error('marker words of the store'));
    const stranger = await app.browser().get(`${back}&reload=1`);
    expect([stranger.status, stranger.headers.get('retry-after')]).toEqual([503, '1']);
    expect(stranger.text).toContain('Try again');
    expect(stranger.text).not.toContain('marker');
    expect(errors).toEqual([]);
    expect(app.events.at(-1)).toMatchObject({ type: 'return.refused', code: 'session_save_failed' });
    restore();
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('kept');
  });

  test('F46 a store of files that finds no file has said that the session is not there', async () => {
    const app = await open();
    const back = await app.toReturn(app.browser());
    failReads(app.sessions, Object.assign(new Error('no such file'), { code: 'ENOENT' }));
    expect((await app.browser().get(`${back}&reload=2`)).status).toBe(403);
    expect(app.events.at(-1)).toMatchObject({ type: 'flow.failed', code: 'return_wrong_browser' });
  });

  test('F46 its own return says try again, and the same address works afterwards', async () => {
    const [inside, hook] = [gate(), gate()];
    const onSuccess = async (): Promise<void> => {
      inside.open();
      await hook.opened;
    };
    const app = await open({ onSuccess });
    const { browser, back } = await app.waiting();
    const returning = browser.get(back);
    await inside.opened;
    const restore = failReads(app.sessions, new Error('away'));
    hook.open();
    const shown = await returning;
    expect([shown.status, shown.headers.getSetCookie()]).toEqual([503, []]);
    expect(shown.text).toContain('Try again');
    restore();
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('kept');
  });
});

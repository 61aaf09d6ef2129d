import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../lib/index.js';
import { type CallbackApp, bothForms, callbackApps } from '../support/callbacks.js';
import { testClock } from '../support/clock.js';

const openApp = callbackApps();

/** Posts with headers that no browser would let a page set. */
async function forge(url: string, headers: Record<string, string>, body: string) {
  const sent = request(url, { method: 'POST', headers }).end(body);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: reply.statusCode, text: await text(reply) };
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const start = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };
const encode = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

describe.each(bothForms)("F26 the address of the reply, confirm '%s'", (confirm) => {
  const path = confirm === 'return' ? '/identity/return?code=' : '/';
  const listed = 'https://shop.example';

  async function postStart(app: CallbackApp, headers: Record<string, string>) {
    return await forge(`${app.url}/identity/start`, { ...start, ...headers }, '');
  }

  test('F26 the reply is exactly one JSON field with an absolute address', async () => {
    const app = await openApp({ confirm });
    const { state } = await app.begin();
    const { headers, text, body } = await app.deliver({ presentation: 'good', state });
    expect(text).toBe(JSON.stringify({ redirect_uri: body.redirect_uri }));
    expect(headers.get('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/);
    expect(body.redirect_uri?.startsWith(`${app.url}${path}`)).toBe(true);
  });

  test.each([
    ['Host', { host: 'evil.example' }],
    ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }],
    ['Forwarded', { forwarded: 'host=evil.example;proto=https' }],
    ['a Host that hides the right one', { host: 'evil.example, 127.0.0.1' }],
  ])('F26 a forged %s at the callback is not looked at', async (_name, headers) => {
    const app = await openApp({ confirm, before: (it) => it.set('trust proxy', true) });
    const { state } = await app.begin();
    const callback = encode({ presentation: 'good', state });
    const address = `${app.url}/identity/callback`;
    const reply = await forge(address, { ...form, ...headers }, callback);
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain('evil');
    expect(reply.text).toContain(`"${app.url}${path}`);
    const noFlow = encode({ error: 'x', state: 'A'.repeat(43) });
    const unknown = await forge(address, { ...form, ...headers }, noFlow);
    expect(unknown.text).toBe(`{"redirect_uri":"${app.url}/identity/return?error=state_unknown"}`);
  });

  test.each([
    ['Host', false, { host: 'evil.example' }],
    ['Host', true, { host: 'evil.example' }],
    ['X-Forwarded-Host', true, { 'x-forwarded-host': 'evil.example' }],
    ['first X-Forwarded-Host', true, { 'x-forwarded-host': 'evil.example, shop.example' }],
  ])('F26 a forged %s at the start (trust proxy %s) starts nothing', async (_name, trusted, headers) => {
    const app = await openApp({
      confirm,
      options: { appUrl: [listed] },
      before: (it) => it.set('trust proxy', trusted),
    });
    const { status, text: said } = await postStart(app, headers);
    expect([status, (JSON.parse(said) as { error: string }).error]).toEqual([400, 'origin_not_allowed']);
    expect(app.events.map(({ type }) => type)).not.toContain('flow.started');
  });

  test('F26 without trust proxy X-Forwarded-Host counts for nothing', async () => {
    const app = await openApp({ confirm, options: { appUrl: [listed] } });
    const { status } = await postStart(app, { host: 'evil.example', 'x-forwarded-host': 'shop.example' });
    expect(status).toBe(400);
  });

  test('F26 the start picks a listed origin, and the callback answers with that one', async () => {
    const states: string[] = [];
    const app = await openApp({
      confirm,
      before: (it) => it.set('trust proxy', true),
      options: {
        appUrl: ['https://first.example', listed],
        fetch: async (_url: string, { body }: { body: string }) => {
          states.push((JSON.parse(body) as { state: string }).state);
          return Response.json({ success: true, redirect_url: 'https://wallet.example/' });
        },
      },
    });
    const started = await postStart(app, {
      'x-forwarded-host': 'shop.example',
      'x-forwarded-proto': 'https',
    });
    expect(started.status).toBe(200);
    const callback = encode({ presentation: 'good', state: states[0] ?? '' });
    const headers = { ...form, host: 'first.example' };
    const reply = await forge(`${app.url}/identity/callback`, headers, callback);
    expect(reply.text).toContain(`"${listed}${path}`);
  });
});

describe.each(bothForms)("F27 no session, no cookie, confirm '%s'", (confirm) => {
  test('F27 sets no cookie and makes no session, also with saveUninitialized and rolling', async () => {
    const app = await openApp({ confirm, session: { saveUninitialized: true, rolling: true, resave: true } });
    const { state } = await app.begin();
    const before = { ...app.stored() };
    for (const fields of [{ presentation: 'good', state }, { presentation: 'good', state }, { state }]) {
      const { headers } = await app.deliver(fields as Record<string, string>);
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(app.stored()).toEqual(before);
  });

  test.each(['keep', 'destroy'] as const)(
    'F27 a cookie that comes along is not used, and its session stays as it is (unset: %s)',
    async (unset) => {
      const app = await openApp({ confirm, session: { rolling: true, unset } });
      const { state, browser } = await app.begin();
      const before = { ...app.stored() };
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const reply = await app.deliver({ presentation: 'good', state }, { cookie });
      expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, []]);
      expect(app.stored()).toEqual(before);
    },
  );

  test('F27 needs no session middleware', async () => {
    const clock = testClock();
    const options = { clock, store: memoryStore({ clock }) };
    const app = await openApp({ confirm, options });
    const bare = await openApp({ confirm, session: false, options: { ...options, appUrl: app.url } });
    const { state } = await app.begin();
    const { status, body } = await bare.deliver({ presentation: 'good', state });
    expect([status, body.redirect_uri?.startsWith(app.url)]).toEqual([200, true]);
  });

  test("F27 the app's CSRF protection, mounted after the kit, guards the app and not the callback", async () => {
    const app = await openApp({
      confirm,
      after: (it) => {
        it.use((req, res, next) => {
          if (req.method === 'POST' && req.headers['x-csrf-token'] === undefined) res.status(403).end();
          else next();
        });
        it.post('/pay', (_req, res) => void res.end('paid'));
      },
    });
    const { state } = await app.begin();
    expect((await app.deliver({ presentation: 'good', state })).status).toBe(200);
    expect((await fetch(`${app.url}/pay`, { method: 'POST' })).status).toBe(403);
  });
});

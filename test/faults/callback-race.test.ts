import { request, Agent } from 'node:http';
import session, { MemoryStore } from 'express-session';
import { rateLimit } from 'express-rate-limit';
import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../lib/stores/memory.js';
import {
  type Begun,
  bothForms,
  type CallbackApp,
  type CallbackSetup,
  callbackApps,
  gate,
  type Reply,
  turns,
  valid,
} from '../support/callbacks.js';
import { testClock } from '../support/clock.js';

const openApp = callbackApps();

/** Collects replies as they come in. */
function collect(replies: readonly Promise<Reply>[]): Reply[] {
  const came: Reply[] = [];
  for (const reply of replies) void reply.then((it) => came.push(it));
  return came;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turns(1);
}

const eight = Array.from({ length: 8 }, (_, index) => index);
const busy = '{"error":"busy","error_description":"Too many verifications are in progress in this process."}';

describe.each(bothForms)("F23 eight deliveries at the same moment, confirm '%s'", (confirm) => {
  const ran = confirm === 'return' ? ['onVerified'] : ['onVerified', 'onSuccess'];

  /** One process; two of them share store, sessions and address. */
  async function twoProcesses(setup: CallbackSetup): Promise<[CallbackApp, CallbackApp]> {
    const clock = testClock();
    const shared = { store: memoryStore({ clock }), clock };
    const session = { store: new MemoryStore() };
    const first = await openApp({ confirm, ...setup, session, options: shared });
    const appUrl = first.url;
    return [first, await openApp({ confirm, ...setup, session, options: { ...shared, appUrl } })];
  }

  test('F23 without hooks: one verdict is written, and all eight get the same reply', async () => {
    const [one, two] = await twoProcesses({});
    const { state } = await one.begin();
    const replies = await Promise.all(
      eight.map(async (index) => await (index % 2 ? one : two).deliver({ presentation: 'good', state })),
    );
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(200);
    const events = [...one.events, ...two.events].map(({ type }) => type);
    expect(events).toEqual(['flow.started', confirm === 'return' ? 'flow.verified' : 'flow.confirmed']);
  });

  test('F23 one process: the hook once, one waits, six hear at once that they are to come later', async () => {
    const hook = gate();
    const app = await openApp({
      confirm,
      hooks: { onVerified: () => hook.opened, onSuccess: () => undefined },
    });
    const { state } = await app.begin();
    const came = collect(eight.map(async () => await app.deliver({ presentation: 'good', state })));
    await until(() => came.length === 6);
    expect(came.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(6).fill(`503 ${busy}`));
    expect(came.map(({ headers }) => headers.get('retry-after'))).toEqual(Array(6).fill('1'));
    expect(app.ran).toEqual(['onVerified']);
    hook.open();
    await until(() => came.length === 8);
    const [first, second] = came.slice(6);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(first?.text).toBe(second?.text);
    expect((await app.deliver({ presentation: 'good', state })).text).toBe(first?.text);
    expect(app.ran).toEqual(ran);
  });

  test('F23 two processes: the hook once in all, one waits in each', async () => {
    const hook = gate();
    const hooks = { onVerified: () => hook.opened, onSuccess: () => undefined };
    const [one, two] = await twoProcesses({ hooks });
    const begun = await one.begin();
    const { state } = begun;
    const came = collect(
      eight.map(async (index) => await (index % 2 ? one : two).deliver({ presentation: 'good', state })),
    );
    await until(() => came.length === 5);
    expect(came.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(5).fill(`503 ${busy}`));
    expect(came.map(({ headers }) => headers.get('retry-after'))).toEqual(Array(5).fill('1'));
    expect([...one.ran, ...two.ran]).toEqual(['onVerified']);
    hook.open();
    await until(() => came.length === 8);
    expect(came.slice(5).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(came.slice(5).map(({ text }) => text)).size).toBe(1);
    expect([...one.ran, ...two.ran]).toEqual(ran);
    expect(await one.statusOf(begun)).toBe(confirm === 'return' ? 'verified' : 'confirmed');
  });

  test('F23 the callback at one process, the return at the other', async () => {
    const [one, two] = await twoProcesses({ hooks: { onSuccess: () => undefined } });
    const begun = await one.begin('?returnTo=/club');
    const { body } = await two.deliver({ presentation: 'good', state: begun.state });
    let address = body.redirect_uri;
    if (confirm === 'return') {
      address = (await begun.browser.get((address ?? '').replace(one.url, two.url))).location;
    }
    expect(address).toBe(`${one.url}/club`);
    expect([one.ran, two.ran]).toEqual([[], ['onSuccess']]);
    expect(await one.statusOf(begun)).toBe('confirmed');
  });

  test('F23 a good and seven bad bodies at once: the good one wins, onError hears of five at most', async () => {
    const [one, two] = await twoProcesses({ hooks: { onVerified: async () => await turns(3) } });
    const begun: Begun = await one.begin();
    const { state } = begun;
    const replies = await Promise.all(
      eight.map(async (index) => {
        const presentation = index === 3 ? 'good' : `junk ${index}`;
        return await (index % 2 ? one : two).deliver({ presentation, state });
      }),
    );
    const all = [...one.ran, ...two.ran];
    expect(all.filter((name) => name === 'onVerified')).toHaveLength(1);
    expect(all.filter((name) => name.startsWith('onError')).length).toBeLessThanOrEqual(5);
    for (const { status, headers } of replies) {
      expect(['200 null', '503 1']).toContain(`${status} ${headers.get('retry-after')}`);
    }
    expect(await one.statusOf(begun)).toBe(confirm === 'return' ? 'verified' : 'confirmed');
  });
});

/** Posts with one connection for each, as a crowd does; answers status and Retry-After. */
async function crowd(count: number, url: string, body: (index: number) => string): Promise<string[]> {
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    accept: 'application/json',
  };
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      return await new Promise<string>((resolve, reject) => {
        request(url, { method: 'POST', agent, headers }, (res) => {
          res.resume().once('end', () => {
            resolve(`${res.statusCode} ${res.headers['retry-after'] ?? '-'}`);
          });
        })
          .once('error', reject)
          .end(body(index));
      });
    }),
  );
}

const count = (all: readonly string[], one: string): number => all.filter((it) => it === one).length;

describe('F30 under a crowd', () => {
  test('F30 a rate limiter in front of the callback is one line', async () => {
    const limiter = rateLimit({ windowMs: 60_000, limit: 3, legacyHeaders: false });
    const app = await openApp({
      hooks: { onVerified: () => undefined },
      before: (it) => it.post('/identity/callback', limiter),
    });
    const { state } = await app.begin();
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const response = await app.callback({ presentation: 'good', state });
      statuses.push(response.status);
      await response.text();
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(app.ran).toEqual(['onVerified']);
  });

  test('F30 a rate limiter in front of the start is one line', async () => {
    const limiter = rateLimit({ windowMs: 60_000, limit: 2, legacyHeaders: false });
    const app = await openApp({ before: (it) => it.post('/identity/start', limiter) });
    const browser = app.browser();
    const statuses: number[] = [];
    for (let index = 0; index < 3; index += 1) {
      statuses.push((await browser.post(`${app.url}/identity/start`)).status);
    }
    expect(statuses).toEqual([303, 303, 429]);
  });

  /** Every address beside the one with the limiter, in an app for which they are different addresses. */
  const beside = (path: string): string[] => [
    `/identity/${path.toUpperCase()}`,
    `/identity/${path}/`,
    `/identity/${path}//`,
    `/identity//${path}`,
    `/identity/%${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
  ];
  /** Set before anything is mounted, or Express does not look at them. */
  const exactly = (limited: string): Pick<CallbackSetup, 'session' | 'before'> => ({
    session: false,
    before: (it) => {
      it.enable('case sensitive routing');
      it.enable('strict routing');
      it.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
      it.post(limited, rateLimit({ windowMs: 60_000, limit: 1, legacyHeaders: false }));
    },
  });

  test('F30 another spelling of the callback does not pass by its limiter', async () => {
    const app = await openApp(exactly('/identity/callback'));
    const { state } = await app.begin();
    const body = new URLSearchParams({ presentation: 'good', state });
    for (const path of beside('callback')) {
      const reply = await fetch(`${app.url}${path}`, { method: 'POST', body });
      expect([path, reply.status]).toEqual([path, 404]);
    }
    expect(app.judged).toEqual([]);
    expect((await app.deliver({ presentation: 'good', state })).status).toBe(200);
  });

  test('F30 another spelling of the start does not pass by its limiter', async () => {
    const app = await openApp(exactly('/identity/start'));
    const browser = app.browser();
    for (const path of beside('start')) {
      expect([path, (await browser.post(`${app.url}${path}`)).status]).toEqual([path, 404]);
    }
    expect(app.events).toEqual([]);
    expect((await browser.post(`${app.url}/identity/start`)).status).toBe(303);
  });

  test.each(['/identity/CALLBACK', '/identity/callback/', '/identity//callback'])(
    'F30 in an app with the usual routing %s does not pass by the limiter either',
    async (path) => {
      const limiter = rateLimit({ windowMs: 60_000, limit: 1, legacyHeaders: false });
      const app = await openApp({ before: (it) => it.post('/identity/callback', limiter) });
      const { state } = await app.begin();
      const body = new URLSearchParams({ presentation: 'good', state });
      expect((await fetch(`${app.url}${path}`, { method: 'POST', body })).status).toBe(404);
      expect(app.judged).toEqual([]);
    },
  );

  test('F30 1,000 callbacks at once: no more than the cap are judged, the others hear 503', async () => {
    let [running, most] = [0, 0];
    const judging = gate();
    const app = await openApp({
      judge: async () => {
        running += 1;
        most = Math.max(most, running);
        await judging.opened;
        running -= 1;
        return valid;
      },
      options: { limits: { verifyTimeout: '60s' } },
    });
    const begun = await app.begin();
    const posts = crowd(1_000, `${app.url}/identity/callback`, (index) =>
      new URLSearchParams({ presentation: `good ${index}`, state: begun.state }).toString(),
    );
    await until(() => app.events.filter(({ code }) => code === 'busy').length === 900);
    expect([running, most]).toEqual([100, 100]);
    judging.open();
    const replies = await posts;
    expect([count(replies, '200 -'), count(replies, '503 1')]).toEqual([100, 900]);
    expect(app.events.filter(({ type }) => type === 'flow.verified')).toHaveLength(1);
    expect(await app.statusOf(begun)).toBe('verified');
  });

  test('F30 1,000 starts at once: no more than the cap reach the service, the others hear 503', async () => {
    let [running, most] = [0, 0];
    const answering = gate();
    const app = await openApp({
      options: {
        fetch: async () => {
          running += 1;
          most = Math.max(most, running);
          await answering.opened;
          running -= 1;
          return Response.json({ success: true, redirect_url: 'https://wallet.example/' });
        },
        limits: { requestTimeout: '60s' },
      },
    });
    const posts = crowd(1_000, `${app.url}/identity/start`, () => '');
    await until(() => app.events.filter(({ code }) => code === 'busy').length === 950);
    await until(() => running === 50);
    answering.open();
    const replies = await posts;
    expect(most).toBe(50);
    expect([count(replies, '200 -'), count(replies, '503 1')]).toEqual([50, 950]);
  });
});

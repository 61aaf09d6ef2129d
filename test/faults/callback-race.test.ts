import { request, Agent } from 'node:http';
import { MemoryStore } from 'express-session';
import { rateLimit } from 'express-rate-limit';
import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../lib/index.js';
import {
  badBodies,
  type Begun,
  bothForms,
  type CallbackApp,
  type CallbackSetup,
  callbackApps,
  gate,
  hookOf,
  type Reply,
  turns,
  valid,
} from '../support/callbacks.js';
import { testClock } from '../support/clock.js';
import { configured } from '../options/settings.js';
import { deep } from '../support/deep.js';
import { holdTimers } from '../support/held-timers.js';

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
  const own = hookOf(confirm);

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

  /** Eight deliveries: so many hear at once that they are to come later; the others, when the hook ends, the same. */
  async function deliverEight([one, other]: readonly [CallbackApp, CallbackApp], later: number) {
    const { state, ...begun } = await one.begin();
    const presentation = 'good';
    const came = collect(
      eight.map(async (index) => await (index % 2 ? one : other).deliver({ presentation, state })),
    );
    await until(() => came.length === later);
    expect(came.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(later).fill(`503 ${busy}`));
    expect(came.map(({ headers }) => headers.get('retry-after'))).toEqual(Array(later).fill('1'));
    return async () => {
      await until(() => came.length === 8);
      const waited = came.slice(later);
      expect(waited.map(({ status }) => status)).toEqual(Array(8 - later).fill(200));
      expect(new Set(waited.map(({ text }) => text)).size).toBe(1);
      expect((await one.deliver({ presentation, state })).text).toBe(waited[0]?.text);
      return { state, ...begun };
    };
  }

  test.each([
    ['one process: one waits', 1, 6],
    ['two processes: one waits in each', 2, 5],
  ])('F23 %s, the others are to come later, and the hook runs once in all', async (_what, count, later) => {
    const hook = gate();
    const hooks = { [own]: () => hook.opened };
    const [one, two] = await twoProcesses({ hooks });
    const ended = await deliverEight([one, count === 1 ? one : two], later);
    expect([...one.ran, ...two.ran]).toEqual([own]);
    hook.open();
    const begun = await ended();
    expect([...one.ran, ...two.ran]).toEqual([own]);
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

  test('F23 a good and many bad bodies at once: the good one wins, onError hears of as many as are remembered', async () => {
    const [one, two] = await twoProcesses({ hooks: { [own]: async () => await turns(3) } });
    const begun: Begun = await one.begin();
    const { state } = begun;
    const replies = await Promise.all(
      [...badBodies, 'good', 'junk 1', 'junk 2'].map(
        async (presentation, index) => await (index % 2 ? one : two).deliver({ presentation, state }),
      ),
    );
    const all = [...one.ran, ...two.ran];
    expect(all.filter((name) => name === own)).toHaveLength(1);
    expect(all.filter((name) => name.startsWith('onError')).length).toBeLessThanOrEqual(badBodies.length);
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
  holdTimers(); // a busy machine needs longer than a body and a verdict may take

  test('F30 a rate limiter in front of the start is one line', async () => {
    const limiter = rateLimit({ windowMs: 60_000, limit: 2, legacyHeaders: false });
    const app = await openApp({ before: (it) => it.post('/identity/start', limiter) });
    const browser = app.browser();
    const send = async (): Promise<number> => (await browser.post(`${app.url}/identity/start`)).status;
    expect([await send(), await send(), await send()]).toEqual([303, 303, 429]);
  });

  /** Counts how many run at once, and lets them stand still. */
  function counter() {
    const [end, count] = [gate(), { running: 0, most: 0 }];
    const work = async (): Promise<void> => {
      count.running += 1;
      count.most = Math.max(count.most, count.running);
      await end.opened;
      count.running -= 1;
    };
    return { work, count, end: end.open };
  }

  deep.test('F30 1,000 callbacks at once: no more than the cap are judged, the others hear 503', async () => {
    const { work, count: judged, end } = counter();
    const app = await openApp({ judge: async () => await work().then(() => valid) });
    const begun = await app.begin();
    const posts = crowd(1_000, `${app.url}/identity/callback`, (index) =>
      new URLSearchParams({ presentation: `good ${index}`, state: begun.state }).toString(),
    );
    const cap = configured().limits.concurrentVerifications;
    await until(() => app.events.filter(({ code }) => code === 'busy').length === 1_000 - cap);
    expect(judged).toEqual({ running: cap, most: cap });
    end();
    const replies = await posts;
    expect([count(replies, '200 -'), count(replies, '503 1')]).toEqual([cap, 1_000 - cap]);
    expect(app.events.filter(({ type }) => type === 'flow.verified')).toHaveLength(1);
    expect(await app.statusOf(begun)).toBe('verified');
  });

  deep.test(
    'F30 1,000 starts at once: no more than the cap reach the service, the others hear 503',
    async () => {
      const { work, count: proved, end } = counter();
      const reply = { success: true, redirect_url: 'https://wallet.example/' };
      const app = await openApp({
        options: { fetch: async () => await work().then(() => Response.json(reply)) },
      });
      const posts = crowd(1_000, `${app.url}/identity/start`, () => '');
      const cap = configured().limits.concurrentStarts;
      await until(() => app.events.filter(({ code }) => code === 'busy').length === 1_000 - cap);
      await until(() => proved.running === cap);
      end();
      const replies = await posts;
      expect(proved.most).toBe(cap);
      expect([count(replies, '200 -'), count(replies, '503 1')]).toEqual([cap, 1_000 - cap]);
    },
  );
});

import { describe, expect, test } from '@jest/globals';
import { newSecret } from '../../lib/flow/secrets.js';
import type { FlowStore } from '../../lib/types/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { type CallbackApp, type CallbackSetup, callbackApps } from '../support/callbacks.js';

const openApp = callbackApps();
const json = { accept: 'application/json' };

interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

type Case = readonly [
  name: string,
  status: number,
  ask: (app: CallbackApp) => Promise<Answer>,
  setup?: CallbackSetup,
];

/** A flow that was started, and whose good presentation is in. */
async function verified(app: CallbackApp, query = '') {
  const begun = await app.begin(query);
  const { body } = await app.deliver({ presentation: 'good', state: begun.state });
  return { ...begun, address: body.redirect_uri ?? '' };
}

const away = async (): Promise<never> => await Promise.reject(new Error('The store is away.'));
const down: FlowStore = { create: away, read: away, replace: away, delete: away };

/** A store that is away from the moment the test says so. */
function leaving(): { readonly store: FlowStore; leave(): void } {
  let inner: FlowStore = memoryStore();
  return {
    store: {
      create: async (...args) => await inner.create(...args),
      read: async (...args) => await inner.read(...args),
      replace: async (...args) => await inner.replace(...args),
      delete: async (id) => await inner.delete(id),
    },
    leave() {
      inner = down;
    },
  };
}

const failing: CallbackSetup = {
  hooks: {
    onSuccess: () => {
      throw new Error('The database is away.');
    },
  },
};
const serviceDown: CallbackSetup = {
  options: { fetch: async () => Response.json({ success: false, error: {} }, { status: 500 }) },
};
const goingAway = leaving();

const startPages: readonly Case[] = [
  ['GET start', 200, async (app) => await app.browser().get(`${app.url}/identity/start`)],
  [
    "another site's POST start",
    403,
    async (app) =>
      await app.browser().post(`${app.url}/identity/start`, {}, { 'sec-fetch-site': 'cross-site' }),
  ],
];

const others: readonly Case[] = [
  ['POST start', 303, async (app) => await app.browser().post(`${app.url}/identity/start`)],
  [
    'POST start for a program',
    200,
    async (app) => await app.browser().post(`${app.url}/identity/start`, {}, json),
  ],
  [
    "another site's POST start for a program",
    403,
    async (app) =>
      await app.browser().post(`${app.url}/identity/start`, {}, { ...json, 'sec-fetch-site': 'cross-site' }),
  ],
  [
    'POST start with the service down',
    502,
    async (app) => await app.browser().post(`${app.url}/identity/start`),
    serviceDown,
  ],
  [
    'POST start with the store down',
    503,
    async (app) => await app.browser().post(`${app.url}/identity/start`),
    { options: { store: down } },
  ],
  [
    'POST start without a session',
    500,
    async (app) => await app.browser().post(`${app.url}/identity/start`),
    { session: false },
  ],
  [
    'a returnTo that is refused',
    400,
    async (app) => await app.browser().get(`${app.url}/identity/start?returnTo=//evil.example`),
  ],
  [
    'a request that nobody named',
    404,
    async (app) => await app.browser().post(`${app.url}/own`),
    {
      after: (its, identity) =>
        its.post('/own', async (req, res) => await identity.start(req, res, { request: 'constructor' })),
    },
  ],
  [
    'a good callback',
    200,
    async (app) => await app.deliver({ presentation: 'good', state: (await app.begin()).state }),
  ],
  [
    'a bad callback',
    200,
    async (app) => await app.deliver({ presentation: 'junk', state: (await app.begin()).state }),
  ],
  [
    'a callback for no flow',
    200,
    async (app) => await app.deliver({ presentation: 'good', state: newSecret() }),
  ],
  ['a callback without a state', 400, async (app) => await app.deliver({ presentation: 'good' })],
  [
    'a callback that is too large',
    413,
    async (app) => await app.deliver({ presentation: 'x'.repeat(300_000), state: newSecret() }),
  ],
  ['a callback as JSON', 415, async (app) => await app.deliver('{}', { 'content-type': 'application/json' })],
  [
    'a callback with the store down',
    503,
    async (app) => await app.deliver({ presentation: 'good', state: newSecret() }),
    { options: { store: down } },
  ],
  [
    'a return that is released',
    303,
    async (app) => {
      const { browser, address } = await verified(app);
      return await browser.get(address);
    },
  ],
  [
    'the same return again',
    303,
    async (app) => {
      const { browser, address } = await verified(app);
      await browser.get(address);
      return await browser.get(address);
    },
  ],
  [
    'the page of the hop',
    200,
    async (app) => {
      const shown = await app.browser().get((await verified(app)).address);
      expect(shown.text).toContain('http-equiv="refresh"');
      return shown;
    },
  ],
  [
    'a return in another browser',
    403,
    async (app) => await app.browser().get(`${(await verified(app)).address}&hop=2`),
  ],
  [
    'a return whose code fits nothing',
    403,
    async (app) => await app.browser().get(`${app.url}/identity/return?code=x`),
  ],
  [
    'a return whose hook fails',
    500,
    async (app) => {
      const { browser, address } = await verified(app);
      return await browser.get(address);
    },
    failing,
  ],
  [
    'a return with the store down',
    503,
    async (app) => {
      const { browser, address } = await verified(app);
      goingAway.leave();
      return await browser.get(address);
    },
    { options: { store: goingAway.store } },
  ],
  [
    'a return without a session',
    500,
    async (app) => await app.browser().get(`${app.url}/identity/return?code=${newSecret()}.${newSecret()}`),
    { session: false },
  ],
  [
    'the page of an error',
    200,
    async (app) => await app.browser().get(`${app.url}/identity/return?error=refused`),
  ],
  [
    'the status',
    200,
    async (app) => {
      const { browser, flow } = await app.begin();
      return await browser.get(`${app.url}/identity/status?flow=${flow}`);
    },
  ],
  ['the status of no flow', 404, async (app) => await app.browser().get(`${app.url}/identity/status?flow=x`)],
  ...['start', 'callback', 'return', 'status'].flatMap((path): Case[] => [
    [
      `${path} by another method`,
      405,
      async ({ url }) => await fetch(`${url}/identity/${path}`, { method: 'DELETE' }),
    ],
    [`HEAD ${path}`, 204, async ({ url }) => await fetch(`${url}/identity/${path}`, { method: 'HEAD' })],
    [
      `a prefetch of ${path}`,
      503,
      async (app) => await app.browser().get(`${app.url}/identity/${path}`, { 'sec-purpose': 'prefetch' }),
    ],
  ]),
  [
    'a kit that is mounted elsewhere',
    500,
    async (app) => await app.browser().get(`${app.url}/elsewhere/start`),
    { after: (it, identity) => it.use('/elsewhere', identity) },
  ],
];

/** What an app, or a middleware of it, may have set before. */
const careless: CallbackSetup['before'] = (it) =>
  it.use((_req, res, next) => {
    res.set({
      'Cache-Control': 'public, max-age=600',
      'Referrer-Policy': 'unsafe-url',
      'X-Frame-Options': 'SAMEORIGIN',
    });
    next();
  });

function guards({ headers }: Answer): readonly (string | null)[] {
  const names = ['cache-control', 'x-content-type-options', 'x-frame-options', 'referrer-policy'];
  return names.map((name) => headers.get(name));
}

describe('F8 the headers of every answer', () => {
  test.each(startPages)('F8 %s: the page tells its own site where it came from', async (...given) => {
    const [, status, ask, setup = {}] = given;
    const answer = await ask(await openApp({ before: careless, ...setup }));
    expect([answer.status, ...guards(answer)]).toEqual([
      status,
      'no-store',
      'nosniff',
      'DENY',
      'same-origin',
    ]);
  });

  test.each(others)('F8 %s: the address is told nobody', async (...given) => {
    const [, status, ask, setup = {}] = given;
    const answer = await ask(await openApp({ before: careless, ...setup }));
    expect([answer.status, ...guards(answer)]).toEqual([
      status,
      'no-store',
      'nosniff',
      'DENY',
      'no-referrer',
    ]);
  });
});

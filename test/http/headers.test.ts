import { describe, expect, test } from '@jest/globals';
import { noCode, throws, unknownState } from '../support/app.js';
import { type CallbackApp, type CallbackSetup, callbackApps } from '../support/callbacks.js';
import { cuttableStore } from '../support/stores.js';

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

const { store: down, cut } = cuttableStore();
cut();

const failing: CallbackSetup = { hooks: { onSuccess: throws() } };
const serviceDown: CallbackSetup = {
  options: { fetch: async () => Response.json({ success: false, error: {} }, { status: 500 }) },
};
const goingAway = cuttableStore();

type Ask = Case[2];
const get =
  (path: string, headers = {}): Ask =>
  async (app) =>
    await app.browser().get(`${app.url}${path}`, headers);
const post =
  (path: string, headers = {}): Ask =>
  async (app) =>
    await app.browser().post(`${app.url}${path}`, undefined, headers);
const plain =
  (path: string, method: string): Ask =>
  async ({ url }) =>
    await fetch(`${url}${path}`, { method });
const deliver =
  (presentation: string, state: (app: CallbackApp) => unknown = unknownState): Ask =>
  async (app) =>
    await app.deliver({ presentation, state: (await state(app)) as string });
const ofFlow = async (app: CallbackApp): Promise<string> => (await app.begin()).state;
const release: Ask = async (app) => {
  const { browser, back: address } = await app.verified();
  return await browser.get(address);
};

const appRoute: CallbackSetup = {
  after: (its, identity) =>
    its.post('/app-route', async (req, res) => await identity.start(req, res, { request: 'constructor' })),
};

const start = '/identity/start';
const back = '/identity/return';
const crossSite = { 'sec-fetch-site': 'cross-site' };

const startPages: readonly Case[] = [
  ['GET start', 200, get(start)],
  ["another site's POST start", 403, post(start, crossSite)],
];

const others: readonly Case[] = [
  ['POST start', 303, post(start)],
  ['POST start for a program', 200, post(start, json)],
  ["another site's POST start for a program", 403, post(start, { ...json, ...crossSite })],
  ['POST start with the service down', 502, post(start), serviceDown],
  ['POST start with the store down', 503, post(start), { options: { store: down } }],
  ['POST start without a session', 500, post(start), { session: false }],
  ['a returnTo that is refused', 400, get(`${start}?returnTo=//evil.example`)],
  ['a request that nobody named', 404, post('/app-route'), appRoute],
  ['a good callback', 200, deliver('good', ofFlow)],
  ['a bad callback', 200, deliver('junk', ofFlow)],
  ['a callback for no flow', 200, deliver('good')],
  ['a callback without a state', 400, async (app) => await app.deliver({ presentation: 'good' })],
  ['a callback that is too large', 413, deliver('x'.repeat(300_000))],
  ['a callback as JSON', 415, async (app) => await app.deliver('{}', { 'content-type': 'application/json' })],
  ['a callback with the store down', 503, deliver('good'), { options: { store: down } }],
  ['a return that is released', 303, release],
  [
    'the same return again',
    303,
    async (app) => {
      const { browser, back: address } = await app.verified();
      await browser.get(address);
      return await browser.get(address);
    },
  ],
  [
    'the page that loads a return again',
    200,
    async (app) => {
      const shown = await app.browser().get((await app.verified()).back);
      expect(shown.text).toContain('http-equiv="refresh"');
      return shown;
    },
  ],
  [
    'a return in another browser',
    403,
    async (app) => await app.browser().get(`${(await app.verified()).back}&reload=2`),
  ],
  ['a return whose code fits nothing', 403, get(`${back}?code=x`)],
  ['a return whose hook fails', 500, release, failing],
  [
    'a return with the store down',
    503,
    async (app) => {
      const { browser, back: address } = await app.verified();
      goingAway.cut();
      return await browser.get(address);
    },
    { options: { store: goingAway.store } },
  ],
  ['a return without a session', 500, get(`${back}?code=${noCode}`), { session: false }],
  ['the page of an error', 200, get(`${back}?error=refused`)],
  [
    'the status',
    200,
    async (app) => {
      const { browser, flow } = await app.begin();
      return await browser.get(`${app.url}/identity/status?flow=${flow}`);
    },
  ],
  ['the status of no flow', 404, get('/identity/status?flow=x')],
  ...['start', 'callback', 'return', 'status'].flatMap((path): Case[] => [
    [`${path} by another method`, 405, plain(`/identity/${path}`, 'DELETE')],
    [`HEAD ${path}`, path === 'callback' ? 405 : 204, plain(`/identity/${path}`, 'HEAD')],
    [`a prefetch of ${path}`, 503, get(`/identity/${path}`, { 'sec-purpose': 'prefetch' })],
  ]),
  [
    'a kit that is mounted elsewhere',
    500,
    get('/elsewhere/start'),
    { after: (app, identity) => app.use('/elsewhere', identity) },
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
  const headersOf = async ([, , ask, setup = {}]: Case): Promise<unknown[]> => {
    const answer = await ask(await openApp({ before: careless, ...setup }));
    return [answer.status, ...guards(answer)];
  };

  test.each(startPages)('F8 %s: the page tells its own site where it came from', async (...row) => {
    expect(await headersOf(row)).toEqual([row[1], 'no-store', 'nosniff', 'DENY', 'same-origin']);
  });

  test.each(others)('F8 %s: the address is told nobody', async (...row) => {
    expect(await headersOf(row)).toEqual([row[1], 'no-store', 'nosniff', 'DENY', 'no-referrer']);
  });
});

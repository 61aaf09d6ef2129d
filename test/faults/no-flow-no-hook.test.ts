import { describe, expect, test } from '@jest/globals';
import { newSecret } from '../../lib/flow/secrets.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { type CallbackApp, type CallbackSetup, callbackApps } from '../support/callbacks.js';

const open = callbackApps();

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const fails = (): never => {
  throw new Error('a function of the app');
};
const down = async (): Promise<never> => await Promise.reject(new Error('ECONNREFUSED'));

/** Requests that anyone can send, as often as they like. */
const strangers: readonly (readonly [
  name: string,
  type: string,
  send: (app: CallbackApp) => Promise<number>,
  setup?: CallbackSetup,
])[] = [
  [
    'POST start under another host',
    'start.failed',
    async (app) => await start(app, 'POST', { 'x-forwarded-host': 'evil.example' }),
    { before: (its) => void its.set('trust proxy', true) },
  ],
  [
    'GET start under another host',
    'start.failed',
    async (app) => await start(app, 'GET', { 'x-forwarded-host': 'evil.example' }, '?returnTo=/x'),
    { before: (its) => void its.set('trust proxy', true) },
  ],
  ['a start without a session', 'start.failed', async (app) => await start(app), { session: false }],
  [
    'a start whose subject fails',
    'start.failed',
    async (app) => await start(app),
    { options: { subject: fails } },
  ],
  [
    'a start whose context fails',
    'start.failed',
    async (app) => await start(app),
    { options: { context: fails } },
  ],
  [
    'a callback whose body is gone',
    'callback.refused',
    async (app) => (await app.deliver({ presentation: 'good', state: newSecret() })).status,
    {
      before: (its) =>
        its.use('/identity/callback', (req, _res, next) => {
          req.resume().once('end', () => void next());
        }),
    },
  ],
  [
    'a callback with two results',
    'callback.refused',
    async (app) => (await app.deliver({ presentation: 'good', error: 'x', state: newSecret() })).status,
  ],
  [
    'a callback while the store is down',
    'callback.refused',
    async (app) => (await app.deliver({ presentation: 'good', state: newSecret() })).status,
    { options: { store: { ...memoryStore(), read: down } } },
  ],
  [
    'a callback for no flow',
    'callback.unknown',
    async (app) => (await app.deliver({ presentation: 'good', state: newSecret() })).status,
  ],
  ['a return with no code', 'return.refused', async (app) => await come(app, '')],
  [
    'a return with a code of no flow',
    'return.refused',
    async (app) => await come(app, `${codeOf()}&reload=2`),
  ],
  [
    'a return while the store is down',
    'return.refused',
    async (app) => await come(app, `${codeOf()}&reload=2`),
    { options: { store: { ...memoryStore(), read: down } } },
  ],
];

function codeOf(): string {
  return `?code=${newSecret()}.${newSecret()}`;
}

async function start(app: CallbackApp, method = 'POST', headers = {}, query = ''): Promise<number> {
  const same = { 'sec-fetch-site': 'same-origin', accept: 'text/html' };
  const init = { method, headers: { ...same, ...form, ...headers }, redirect: 'manual' as const };
  return (await fetch(`${app.url}/identity/start${query}`, init)).status;
}

async function come(app: CallbackApp, query: string): Promise<number> {
  return (await app.browser().get(`${app.url}/identity/return${query}`)).status;
}

describe('F70 a request that never was a flow calls no onError', () => {
  test.each(strangers)('F70 %s is an event', async (_name, type, send, setup = {}) => {
    const app = await open(setup);
    for (let times = 0; times < 3; times += 1) expect(await send(app)).toBeGreaterThanOrEqual(200);
    expect(app.ran).toEqual([]);
    expect(app.events.map((event) => event.type)).toEqual([type, type, type]);
  });

  test('F70 a start that has become one and fails does call it', async () => {
    const app = await open({ options: { fetch: async () => Response.json({}, { status: 500 }) } });
    expect(await start(app)).toBe(502);
    expect(app.ran).toEqual(['onError start service_reply_invalid']);
  });
});

import { describe, expect, test } from '@jest/globals';
import { noCode, throws, unknownState } from '../support/app.js';
import { type CallbackApp, type CallbackSetup, callbackApps } from '../support/callbacks.js';
import { cuttableStore } from '../support/stores.js';

const open = callbackApps();

const evil = { 'x-forwarded-host': 'evil.example' };
const behindProxy: CallbackSetup = { before: (its) => void its.set('trust proxy', true) };
const bodyGone: CallbackSetup = {
  before: (its) =>
    its.use('/identity/callback', (req, _res, next) => void req.resume().once('end', () => next())),
};
const { store: down, cut } = cuttableStore();
cut();
const storeDown: CallbackSetup = { options: { store: down } };

type Send = (app: CallbackApp) => Promise<{ readonly status: number }>;
const start =
  (method = 'POST', headers = {}, query = ''): Send =>
  async ({ url }) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const same = { 'sec-fetch-site': 'same-origin', accept: 'text/html', ...form };
    return await fetch(`${url}/identity/start${query}`, { method, headers: { ...same, ...headers } });
  };
const deliver =
  (more = {}): Send =>
  async (app) =>
    await app.deliver({ presentation: 'good', state: unknownState(), ...more });
const comeBack =
  (query = ''): Send =>
  async (app) =>
    await app.browser().get(`${app.url}/identity/return${query}`);
const wrongCode = `?code=${noCode}&reload=2`;

/** Requests that anyone can send, as often as they like. */
const strangers: readonly (readonly [name: string, type: string, send: Send, setup?: CallbackSetup])[] = [
  ['POST start under another host', 'start.failed', start('POST', evil), behindProxy],
  ['GET start under another host', 'start.failed', start('GET', evil, '?returnTo=/x'), behindProxy],
  ['a start without a session', 'start.failed', start(), { session: false }],
  ['a start whose subject fails', 'start.failed', start(), { options: { subject: throws() } }],
  ['a start whose context fails', 'start.failed', start(), { options: { context: throws() } }],
  ['a callback whose body is gone', 'callback.refused', deliver(), bodyGone],
  ['a callback with two results', 'callback.refused', deliver({ error: 'x' })],
  ['a callback while the store is down', 'callback.refused', deliver(), storeDown],
  ['a callback for no flow', 'callback.unknown', deliver()],
  ['a return with no code', 'return.refused', comeBack()],
  ['a return with a code of no flow', 'return.refused', comeBack(wrongCode)],
  ['a return while the store is down', 'return.refused', comeBack(wrongCode), storeDown],
];

describe('F70 a request that never was a flow calls no onError', () => {
  test.each(strangers)('F70 %s is an event', async (_name, type, send, setup = {}) => {
    const app = await open(setup);
    for (let times = 0; times < 3; times += 1) await send(app);
    expect(app.ran).toEqual([]);
    expect(app.events.map((event) => event.type)).toEqual([type, type, type]);
  });

  test('F70 a start that has become one and fails does call it', async () => {
    const app = await open({ options: { fetch: async () => Response.json({}, { status: 500 }) } });
    expect(await start()(app)).toMatchObject({ status: 502 });
    expect(app.ran).toEqual(['onError start service_reply_invalid']);
  });
});

import { runInNewContext } from 'node:vm';
import { type Options, rateLimit } from 'express-rate-limit';
import type { RequestHandler } from 'express';
import { describe, expect, jest, test } from '@jest/globals';
import { blocksOf, documents } from '../house/documents.js';
import { type Begun, type CallbackApp, type CallbackSetup, callbackApps } from '../support/callbacks.js';

jest.setTimeout(60_000); // some 2,000 requests, on a machine that may be busy

const open = callbackApps();

const limits = documents()
  .flatMap((path) => blocksOf(path))
  .flatMap(({ place, code }) => code.split('\n').map((line) => ({ place, line })))
  .filter(({ line }) => /^\s*app\.use\(.*rateLimit\(/.test(line));

/** An app behind one proxy with the rate limit of docs/your-app.md in front of it, line by line as it stands there. */
async function openAsDocumented(setup: CallbackSetup = {}): Promise<CallbackApp> {
  const lines = limits.filter(({ place }) => place.startsWith('docs/your-app.md')).map(({ line }) => line);
  const made: { app?: CallbackApp } = {};
  // A minute that the requests of a slow machine do not outlast.
  const limit = (options: Partial<Options>): RequestHandler => rateLimit({ ...options, windowMs: 3_600_000 });
  const busy: RequestHandler = (req, res, next) => made.app?.identity.busy(req, res, next);
  made.app = await open({
    ...setup,
    before: (app) => {
      app.set('trust proxy', 1);
      runInNewContext(lines.join('\n'), { app, rateLimit: limit, identity: { busy } });
    },
  });
  return made.app;
}

/** All callbacks of all customers come from here. */
const service = { 'x-forwarded-for': '192.0.2.1' };

async function start(app: CallbackApp, address: string): Promise<number> {
  const { status } = await app
    .browser()
    .post(`${app.url}/identity/start`, undefined, { 'x-forwarded-for': address });
  return status;
}

/** Somebody begins a flow from their own address. */
async function begin(app: CallbackApp, address: string): Promise<Begun> {
  const browser = app.browser();
  const post = browser.post.bind(browser);
  const from = { 'x-forwarded-for': address };
  browser.post = async (url, form, headers) => await post(url, form, { ...headers, ...from });
  return await app.begin('', browser);
}

async function deliver(app: CallbackApp, form: Record<string, string>): Promise<number> {
  return (await app.deliver(form, service)).status;
}

describe('F92 nobody can use up the limit of others', () => {
  test('F92 five addresses cancel 60 verifications each: every honest callback of that minute is 200', async () => {
    const app = await openAsDocumented();
    const cancelled: number[] = [];
    const honest: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      for (let attacker = 1; attacker <= 5; attacker += 1) {
        const { state } = await begin(app, `198.51.100.${attacker}`);
        cancelled.push(await deliver(app, { state, error: 'user_cancelled' }));
      }
      const { state } = await begin(app, `203.0.113.${round}`);
      honest.push(await deliver(app, { state, presentation: 'good' }));
    }
    expect(cancelled).toEqual(Array(300).fill(200));
    expect(honest).toEqual(Array(60).fill(200));
  });

  test('F92 a hundred people behind one address of a carrier all start in one minute', async () => {
    const app = await openAsDocumented();
    const from = { 'x-forwarded-for': '100.64.0.1' };
    const statuses: number[] = [];
    for (let person = 0; person < 100; person += 1) {
      const browser = app.browser();
      statuses.push((await browser.get(`${app.url}/identity/start`, from)).status);
      statuses.push((await browser.post(`${app.url}/identity/start`, undefined, from)).status);
    }
    expect(statuses).toEqual(Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? 200 : 303)));
  });

  test('F92 a flood from one address is still stopped, and nobody else with it', async () => {
    const app = await openAsDocumented();
    const head = async (): Promise<number> =>
      (
        await fetch(`${app.url}/identity/start`, {
          method: 'HEAD',
          headers: { 'x-forwarded-for': '198.51.100.1' },
        })
      ).status;
    for (let request = 0; request < 600; request += 1) expect(await head()).toBe(204);
    expect(await start(app, '198.51.100.1')).toBe(429);
    expect(await start(app, '198.51.100.2')).toBe(303);
  });

  test('F92 no document puts a limiter in front of the callback, or of all routes', () => {
    expect(limits).not.toEqual([]);
    for (const { line } of limits) expect(line).toContain("app.use('/identity/start', ");
  });
});

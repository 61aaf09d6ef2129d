import express from 'express';
import request from 'supertest';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Running, identityWith, startApp, throws } from '../support/app.js';
import { good } from '../options/settings.js';
import { listen } from '../support/lines.js';
import { inMode } from '../support/mode.js';
import { asyncHandler } from '../../lib/http/async-handler.js';

const settings = { ...good, baseUrl: 'http://localhost:4000', appUrl: 'http://localhost:3000' };

const host = 'localhost:3000';

describe('the router', () => {
  let app: Running;
  beforeAll(async () => {
    app = await startApp();
  });

  test.each([
    ['/start', 'PUT', 'GET, POST'],
    ['/return', 'POST', 'GET'],
    ['/status', 'POST', 'GET'],
    ['/status', 'OPTIONS', 'GET'],
  ])('%s does not answer %s, and says what it answers', async (path, method, allow) => {
    const reply = await fetch(`${app.url}/identity${path}`, { method });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow]);
    expect(await reply.json()).toEqual({
      error: 'method_not_allowed',
      error_description: 'This address does not accept this method.',
    });
  });

  test('what is not a route of the kit is left to the app', async () => {
    const reply = await fetch(`${app.url}/identity/elsewhere`);
    expect(reply.status).toBe(404);
    expect(await reply.text()).toContain('Cannot GET /identity/elsewhere');
  });

  test.each(['/verify', '/a/identity'])('mounted at %s it says so, naming both paths', async (at) => {
    const mounted = express().use(at, identityWith(settings));
    const message = `The kit is mounted at ${at}, but its option path is /identity: make them the same.`;
    for (const mode of ['production', 'test', 'development']) {
      const made = await inMode(mode, () => express().use(at, identityWith(settings)));
      const page = await request(made).get(`${at}/start`).set('Accept', 'text/html');
      const isDeveloper = mode === 'development';
      expect([page.status, page.text.includes(message)]).toEqual([500, isDeveloper]);
      expect(page.text.includes('For the developer')).toBe(isDeveloper);
    }
    const program = await request(mounted).get(`${at}/start`).set('Accept', 'application/json');
    const service = await request(mounted).post(`${at}/callback`).type('form').send('state=x&error=y');
    const body = { error: 'config_invalid', error_description: message };
    for (const reply of [program, service]) expect([reply.status, reply.body]).toEqual([500, body]);
  });

  test("in development the log names an address that is almost its own; the reply stays the app's", async () => {
    const { lines, logger } = listen();
    const options = { ...settings, reveal: undefined, requests: { age: { reveal: ['birth_date'] } }, logger };
    const ask = async (mode: string): Promise<string[]> => {
      const made = await inMode(mode, () => express().use('/identity', identityWith(options)));
      await request(made)
        .get('/identity/start/aeg')
        .expect(404, /Cannot GET/);
      await request(made)
        .post('/identity/calback')
        .expect(404, /Cannot POST/);
      await request(made).post('/identity/return/').expect(404);
      await request(made).get('/identity/reset').expect(404);
      await request(made).get('/identity/start/%61eg').expect(404);
      return lines.splice(0);
    };
    expect(await ask('development')).toEqual([
      'warn pidgate: there is nothing at /identity/start/aeg. Did you mean /identity/start/age?',
      'warn pidgate: there is nothing at /identity/calback. Did you mean /identity/callback?',
      'warn pidgate: there is nothing at /identity/return/. Did you mean /identity/return?',
    ]);
    expect(await ask('production')).toEqual([]);
  });

  test('mounted at the root it says so', async () => {
    const reply = await request(express().use(identityWith(settings)))
      .get('/start')
      .set('Accept', 'application/json');
    expect(reply.body).toMatchObject({ error_description: expect.stringContaining('mounted at /, but') });
  });

  test('routes are renamed, or left out', async () => {
    const identity = identityWith({
      ...settings,
      path: '/id/v1',
      confirm: 'callback',
      errorRedirect: '/sorry',
      routes: { start: '/begin', callback: '/hooks/proof', return: false, status: false },
    });
    const app4 = express().use('/id/v1', identity);
    const status = async (path: string): Promise<number> =>
      (await request(app4).get(`/id/v1${path}`).set('Host', host)).status;
    expect(await Promise.all(['/begin', '/hooks/proof', '/start', '/return', '/status'].map(status))).toEqual(
      [200, 405, 404, 404, 404],
    );
    const begin = await request(app4).get('/id/v1/begin').set('Host', host);
    expect(begin.text).toContain('action="/id/v1/begin?form=kit"');
  });

  test('the callback may be left out too', async () => {
    const app4 = express().use('/identity', identityWith({ ...settings, routes: { callback: false } }));
    expect((await request(app4).post('/identity/callback')).status).toBe(404);
  });

  test('under a router of the app, path is the whole way', async () => {
    const inner = express.Router().use('/identity', identityWith({ ...settings, path: '/shop/identity' }));
    const page = await request(express().use('/shop', inner)).get('/shop/identity/start').set('Host', host);
    expect([page.status, page.text.includes('action="/shop/identity/start?form=kit"')]).toEqual([200, true]);
  });
});

describe('an async handler', () => {
  test('hands every rejection to Express once, whatever it is', async () => {
    const seen: unknown[] = [];
    const app = express();
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what an app's code may do
    const reject = async (reason: unknown): Promise<void> => await Promise.reject(reason);
    const fails: Record<string, () => Promise<void>> = {
      '/error': async () => await reject(new TypeError('broken')),
      '/route': async () => await reject('route'),
      '/nothing': async () => await reject(undefined),
      '/sync': throws(new RangeError('at once')),
    };
    for (const [path, fail] of Object.entries(fails)) app.get(path, asyncHandler(fail));
    app.use((_req, res) => void res.status(404).end()); // next('route') would end here
    app.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
      seen.push(error);
      res.status(500).end();
    });
    for (const path of Object.keys(fails)) expect((await request(app).get(path)).status).toBe(500);
    expect(seen).toMatchObject([
      new TypeError('broken'),
      { message: 'A handler threw no Error', cause: 'route' },
      { message: 'A handler threw no Error', cause: undefined },
      new RangeError('at once'),
    ]);
  });
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import { type AppSetup, type Running, openSandbox, startApp, testClock } from '../support/app.js';

describe('F103 a script is not a page', () => {
  const clock = testClock();
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({ clock });
  });

  const open = async (setup: AppSetup = {}): Promise<Running> =>
    await startApp({
      sandbox,
      ...setup,
      options: { keep: () => 'kept', clock, reasons: { prices: 'For the prices.' }, ...setup.options },
      after: (app, identity) => {
        app.all('/prices', identity.require({ reason: 'prices' }), (_req, res) => void res.send('fragment'));
        app.get('/fresh', identity.require({ maxAge: '1m' }), (_req, res) => void res.send('fragment'));
        app.get('/none', identity.require({ allow: () => false }), (_req, res) => void res.send('fragment'));
      },
    });

  const ask = async (app: Running, path: string, headers: Record<string, string>, method = 'GET') => {
    const asked = { accept: 'text/html', ...headers };
    const reply = await fetch(`${app.url}${path}`, { method, headers: asked, redirect: 'manual' });
    const [location, redirect] = ['location', 'hx-redirect'].map((name) => reply.headers.get(name));
    return { status: reply.status, location, redirect, text: await reply.text() };
  };

  const start = '/identity/start?reason=prices';
  const required = JSON.stringify({
    error: 'identity_required',
    error_description: 'A verified identity is required.',
    start,
  });

  test.each(['text/html', 'text/html, application/xhtml+xml', '*/*', 'application/json'])(
    'F103 one that fetches %s gets 401, and no page',
    async (accept) => {
      const app = await open();
      const reply = await ask(app, '/prices', {
        accept,
        'sec-fetch-dest': 'empty',
        'sec-fetch-mode': 'cors',
      });
      expect(reply).toEqual({ status: 401, location: null, redirect: null, text: required });
    },
  );

  test.each(['document', 'iframe', undefined])(
    'F103 a page (%s) is redirected to the start',
    async (dest) => {
      const app = await open();
      const reply = await ask(app, '/prices', dest === undefined ? {} : { 'sec-fetch-dest': dest });
      const location = '/identity/start?returnTo=%2Fprices&reason=prices';
      expect(reply).toMatchObject({ status: 303, location, redirect: null });
    },
  );

  const htmx = { 'hx-request': 'true' };

  test.each(['GET', 'POST', 'PUT', 'DELETE'])(
    'F103 htmx (%s) is sent to the start, and back to its page',
    async (method) => {
      const app = await open();
      const headers = { ...htmx, 'hx-current-url': `${app.url}/shop?page=2#prices` };
      expect(await ask(app, '/prices', headers, method)).toEqual({
        status: 401,
        location: null,
        redirect: '/identity/start?returnTo=%2Fshop%3Fpage%3D2%23prices&reason=prices',
        text: required,
      });
    },
  );

  test('F103 a boosted link to a guarded page comes back to that page', async () => {
    const app = await open();
    const headers = { ...htmx, 'hx-boosted': 'true', 'hx-current-url': `${app.url}/shop` };
    const back = '/identity/start?returnTo=%2Fprices%3Fpage%3D2&reason=prices';
    expect(await ask(app, '/prices?page=2', headers)).toMatchObject({ status: 401, redirect: back });
    const fromPage = '/identity/start?returnTo=%2Fshop&reason=prices';
    expect(await ask(app, '/prices', headers, 'POST')).toMatchObject({ status: 401, redirect: fromPage });
  });

  test('F103 htmx in an app behind a prefix', async () => {
    const app = await open({ options: { appUrl: 'http://localhost:8080/shop' } });
    app.app.set('trust proxy', 1);
    const from = { ...htmx, 'x-forwarded-host': 'localhost:8080' };
    const inside = { ...from, 'hx-current-url': 'http://localhost:8080/shop/list' };
    const back = '/shop/identity/start?returnTo=%2Flist&reason=prices';
    expect((await ask(app, '/prices', inside)).redirect).toBe(back);
    for (const path of ['/other', '/shopping', '/shop']) {
      const outside = { ...from, 'hx-current-url': `http://localhost:8080${path}` };
      expect((await ask(app, '/prices', outside)).redirect).toBe('/shop/identity/start?reason=prices');
    }
  });

  test.each([
    ['none', undefined],
    ['of another site', 'https://evil.example/prices'],
    ['of a host that begins like ours', (url: string) => `${url}.evil.example/`],
    ['of another origin', (url: string) => url.replace('http:', 'https:') + '/shop'],
    ['with a user', (url: string) => url.replace('//', '//x@') + '/shop'],
    ['that leads elsewhere', (url: string) => `${url}//evil.example`],
    ['that is no URL', 'prices'],
    ['that is too long', (url: string) => `${url}/${'a'.repeat(3_000)}`],
  ])('F103 htmx in a page %s comes back to none, and not to the fragment', async (_what, page) => {
    const app = await open();
    const current = typeof page === 'function' ? page(app.url) : page;
    const headers = { ...htmx, ...(current !== undefined && { 'hx-current-url': current }) };
    expect(await ask(app, '/prices', headers)).toMatchObject({ status: 401, redirect: start });
  });

  test('F103 a result that is too old, and one that is not enough', async () => {
    const app = await open();
    sandbox.redirectUrl = `${app.url}/identity/callback`;
    const browser = await app.released();
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, ...htmx, 'hx-current-url': `${app.url}/shop` };
    expect(await ask(app, '/prices', headers)).toMatchObject({ status: 200, text: 'fragment' });
    clock.forward(120_000);
    expect(await ask(app, '/fresh', headers)).toMatchObject({
      status: 401,
      redirect: '/identity/start?returnTo=%2Fshop&reason=stale',
    });
    const refused = await ask(app, '/none', headers);
    expect([refused.status, refused.redirect, JSON.parse(refused.text)]).toMatchObject([
      403,
      null,
      { error: 'identity_insufficient' },
    ]);
  });

  test('F103 without a start of the kit there is nowhere to send htmx', async () => {
    const app = await open({ options: { routes: { start: false } } });
    expect(await ask(app, '/prices', htmx)).toMatchObject({ status: 401, redirect: null });
  });
});

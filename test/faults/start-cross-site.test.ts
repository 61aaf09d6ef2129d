import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Asked, startAsking, wallet } from '../support/asked-service.js';

describe('F10 only a page of this app starts', () => {
  let app: Asked;
  beforeAll(async () => {
    app = await startAsking({
      options: { requests: { age: { reveal: ['birth_date'] } } },
      after: (express, identity) => {
        express.post('/verify', async (req, res) => await identity.start(req, res, { returnTo: '/club' }));
        express.get('/verify', async (req, res) => await identity.start(req, res));
      },
    });
  });
  beforeEach(() => {
    app.service.seen.length = 0;
    app.store.created.length = 0;
    app.events.length = 0;
    app.told.length = 0;
  });

  const own = (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('own', app.url)]));

  const nothingHappened = (): void => {
    expect([app.service.seen, app.store.created, app.events, app.told]).toEqual([[], [], [], []]);
  };

  const post = async (headers: Record<string, string>, path = '/identity/start'): Promise<Response> =>
    await fetch(`${app.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', ...headers },
    });

  test('F10 GET shows the page, sets no cookie and starts nothing', async () => {
    const reply = await fetch(`${app.url}/identity/start`, { headers: { accept: 'text/html' } });
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain('<form method="post" action="/identity/start?form=kit">');
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect(reply.headers.get('referrer-policy')).toBe('same-origin');
    nothingHappened();
  });

  test.each([
    ['Sec-Fetch-Site same-origin', { 'sec-fetch-site': 'same-origin' }],
    ['Sec-Fetch-Site same-origin under no-referrer', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['without Sec-Fetch-Site, an Origin of appUrl', { origin: 'own' }],
  ] as [string, Record<string, string>][])('F10 %s passes', async (_, given) => {
    const reply = await post(own(given), '/identity/start?form=kit');
    expect([reply.status, reply.headers.get('location')]).toEqual([303, wallet]);
    expect(app.service.seen).toHaveLength(1);
  });

  const foreign: [string, Record<string, string>][] = [
    ['neither header', {}],
    ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
    ['Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }],
    ['an empty Sec-Fetch-Site', { 'sec-fetch-site': '' }],
    ['a made-up Sec-Fetch-Site', { 'sec-fetch-site': 'Same-Origin' }],
    ['two values of Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['Origin null', { origin: 'null' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
  ];

  test.each([
    ...foreign,
    ['Sec-Fetch-Site cross-site with the own Origin', { 'sec-fetch-site': 'cross-site', origin: 'own' }],
    ['an Origin that begins like the own', { origin: 'own.evil.example' }],
    ['an Origin with a path', { origin: 'own/' }],
  ] as [string, Record<string, string>][])(
    'F10 %s: 403, and the start page for a person',
    async (_, given) => {
      const reply = await post(own(given), '/identity/start/age?returnTo=%2Fclub%3Fa%3D1');
      const page = await reply.text();
      expect(reply.status).toBe(403);
      expect(page).toContain('was not started from this page');
      expect(page).toContain(
        '<form method="post" action="/identity/start/age?returnTo=%2Fclub%3Fa%3D1&amp;form=kit">',
      );
      expect(page).toContain('Date of birth');
      expect(reply.headers.getSetCookie()).toEqual([]);
      nothingHappened();
    },
  );

  test.each(foreign)('F10 %s: 403 as JSON for a program', async (_, headers) => {
    const reply = await post({ ...headers, accept: 'application/json' });
    expect(reply.status).toBe(403);
    expect(await reply.json()).toEqual({
      error: 'cross_site',
      error_description: 'Only a page of this app may start a verification.',
    });
    nothingHappened();
  });

  test.each(foreign)("F10 %s: the app's own route refuses it too", async (_, headers) => {
    const reply = await post(headers, '/verify');
    const page = await reply.text();
    expect(reply.status).toBe(403);
    expect(page).toContain('<form method="post" action="/verify?form=kit">'); // only this route knows its overrides
    expect(reply.headers.get('cache-control')).toBe('no-store');
    nothingHappened();
  });

  test.each([
    ['/verify?a=%20b', '/verify?a=%20b&amp;form=kit'],
    ['/verify?form=kit', '/verify?form=kit'],
    ['/verify?a=%0d', undefined], // no address that is safe to name: the form goes where the page came from
  ])("F10 the page of the app's own route leads back to it: %s", async (path, action) => {
    const page = await (await post({}, path)).text();
    expect(/<form method="post" (?:action="([^"]*)")?>/.exec(page)).toMatchObject({ 1: action });
  });

  test("F10 a GET of the app's own route starts nothing either", async () => {
    const reply = await fetch(`${app.url}/verify`, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await reply.json()).toMatchObject({ error: 'method_not_allowed' });
    nothingHappened();
  });
});

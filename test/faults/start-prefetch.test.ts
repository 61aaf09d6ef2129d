import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Running, startApp } from '../support/app.js';
import { decide } from '../support/wallet.js';

const looksAhead: [string, Record<string, string>][] = [
  ['Sec-Purpose: prefetch', { 'sec-purpose': 'prefetch' }],
  ['Sec-Purpose: prefetch;prerender', { 'sec-purpose': 'prefetch;prerender' }],
  ['Purpose: prefetch', { purpose: 'prefetch' }],
  ['X-Moz: prefetch', { 'x-moz': 'prefetch' }],
  ['Purpose: Prefetch', { purpose: 'Prefetch' }],
];

describe('F11 looking ahead has no effect', () => {
  let app: Running;
  const hooks: string[] = [];
  beforeAll(async () => {
    app = await startApp({
      options: {
        onVerified: () => void hooks.push('onVerified'),
        onSuccess: () => void hooks.push('onSuccess'),
        onError: () => void hooks.push('onError'),
      },
    });
  });

  test.each(looksAhead)('F11 start with %s', async (_, headers) => {
    const browser = app.browser();
    app.events.length = 0;
    const shown = await browser.get(`${app.url}/identity/start`, headers);
    const posted = await browser.post(`${app.url}/identity/start`, {}, headers);
    for (const { status, text } of [shown, posted]) expect([status, text]).toEqual([503, '']);
    expect([[...browser.cookies], app.events]).toEqual([[], []]);
  });

  test.each(looksAhead)('F11 return with %s', async (_, headers) => {
    const { browser, back } = await app.waiting();
    hooks.length = 0;
    const ahead = await browser.get(back, headers);
    expect([ahead.status, ahead.text]).toEqual([503, '']);
    expect(ahead.headers.get('cache-control')).toBe('no-store');
    expect(hooks).toEqual([]);
    const real = await browser.get(back);
    expect([real.status, real.location]).toEqual([303, `${app.url}/`]);
    expect(hooks).toEqual(['onSuccess']);
  });

  test.each(looksAhead)('F11 callback with %s', async (_, headers) => {
    hooks.length = 0;
    app.events.length = 0;
    const reply = await app.callback({ state: 'A'.repeat(43), error: 'access_denied' }, headers);
    expect([reply.status, await reply.text()]).toEqual([503, '']);
    expect([hooks, app.events]).toEqual([[], []]);
  });

  test('F11 HEAD on start, callback, return and status', async () => {
    const { browser, back } = await app.waiting();
    hooks.length = 0;
    app.events.length = 0;
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const head = async (url: string): Promise<number> =>
      (await fetch(url, { method: 'HEAD', redirect: 'manual', headers: { cookie, accept: 'text/html' } }))
        .status;
    expect(await head(back)).toBe(204);
    expect(await head(`${back}&reload=1`)).toBe(204);
    for (const route of ['start', 'status?flow=x']) {
      expect(await head(`${app.url}/identity/${route}`)).toBe(204);
    }
    expect(await head(`${app.url}/identity/callback`)).toBe(405);
    expect([hooks, app.events]).toEqual([[], []]);
    expect((await browser.get(back)).status).toBe(303);
    expect(hooks).toEqual(['onSuccess']);
  });

  test('F11 a HEAD of the return by a stranger revokes nothing', async () => {
    const browser = app.browser();
    const wallet = await app.start(browser);
    const back = await decide(wallet, 'approve');
    await fetch(`${back}&reload=1`, { method: 'HEAD' });
    expect((await browser.get(back)).location).toBe(`${app.url}/`);
  });
});

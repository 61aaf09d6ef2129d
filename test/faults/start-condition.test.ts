import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Asked, startAsking } from '../support/asked-service.js';

/** What the README shows: a condition stands above the kit as ordinary middleware. */
describe('F10 a condition before the start', () => {
  let app: Asked;
  let open = false;
  beforeAll(async () => {
    app = await startAsking({
      options: { requests: { age: { reveal: ['birth_date'] } } },
      before: (its) => {
        its.use('/identity/start', (_req, res, next) => {
          if (open) next();
          else res.redirect(303, '/log-in');
        });
      },
    });
  });

  const addresses = ['', '/', '/age', '?returnTo=/club', '/age?x'];
  test.each(addresses)('F10 neither page nor flow passes it: %s', async (rest) => {
    open = false;
    const browser = app.browser();
    for (const method of ['get', 'post'] as const) {
      const shown = await browser[method](`${app.url}/identity/start${rest}`);
      expect([shown.status, shown.location]).toEqual([303, '/log-in']);
    }
    const json = { accept: 'application/json' };
    expect((await browser.post(`${app.url}/identity/start${rest}`, {}, json)).location).toBe('/log-in');
    expect(app.store.created).toEqual([]);
  });

  test('F10 where it is met, everything is as ever', async () => {
    open = true;
    const browser = app.browser();
    expect((await browser.get(`${app.url}/identity/start/age`)).status).toBe(200);
    expect((await browser.post(`${app.url}/identity/start`)).status).toBe(303);
  });
});

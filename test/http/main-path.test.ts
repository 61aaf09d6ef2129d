import { afterEach, describe, expect, test } from '@jest/globals';
import { type Running, startApp } from '../support/app.js';

describe('the main path', () => {
  let running: Running | undefined;
  afterEach(async () => await running?.close());

  test('start, wallet, callback, return: the person is verified and the app sees what it keeps', async () => {
    const succeeded: unknown[] = [];
    running = await startApp({
      options: {
        keep: ({ attributes }: { attributes: { given_name: string } }) => ({ name: attributes.given_name }),
        onSuccess: ({ result }: { result: unknown }) => void succeeded.push(result),
      },
      after: (app, identity) =>
        app.get('/club', identity.require({ maxAge: '30d' }), (req, res) => {
          res.json(identity.of(req)?.kept);
        }),
    });
    const { url } = running;
    const browser = running.browser();

    const guarded = await browser.get(`${url}/club`);
    expect(guarded.status).toBe(303);
    expect(guarded.location).toBe('/identity/start?returnTo=%2Fclub');
    const page = await browser.get(`${url}${guarded.location}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Given name');

    const back = await running.toReturn(browser, '?returnTo=%2Fclub');
    expect(back).toMatch(/\/identity\/return\?code=/);
    expect(succeeded).toEqual([]);
    const done = await browser.get(back);
    expect([done.status, done.location]).toEqual([303, `${url}/club`]);
    expect(succeeded).toMatchObject([
      {
        request: 'default',
        issuer: 'xx-sandbox',
        sandbox: true,
        attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
        derived: {},
      },
    ]);
    const club = await browser.get(`${url}/club`);
    expect(club.json()).toEqual({ name: 'Erika' });
  });
});

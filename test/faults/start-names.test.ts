import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Asked, startAsking } from '../support/asked-service.js';

const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'];

describe('F41 names from outside are looked up as own keys', () => {
  let app: Asked;
  beforeAll(async () => {
    app = await startAsking({
      options: { requests: { age: { reveal: ['birth_date'] } }, keep: () => 1 },
      after: (its, identity) => {
        its.post('/own/:name', (req, res) => identity.start(req, res, { request: req.params.name }));
      },
    });
  });

  test.each([...inherited, 'ages', 'AGE', 'age%20'])('F41 /start/%s is 404', async (name) => {
    const browser = app.browser();
    const shown = await browser.get(`${app.url}/identity/start/${name}`);
    const posted = await browser.post(`${app.url}/identity/start/${name}`);
    const own = await browser.post(`${app.url}/own/${name}`);
    const asked = await browser.post(`${app.url}/identity/start/${name}`, {}, { accept: 'application/json' });
    expect([shown.status, posted.status, own.status, asked.status]).toEqual([404, 404, 404, 404]);
    expect(own.text).toContain('<code>not_found</code>');
    expect(shown.text).not.toContain('not_found'); // no address of the kit: the app's own 404
    expect([...browser.cookies]).toEqual([]);
    expect([app.service.seen, app.store.created, app.told, app.events]).toEqual([[], [], [], []]);
  });

  test.each(inherited)('F41 the guard knows no request named %s', (name) => {
    expect(() => app.identity.require({ request: name })).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringMatching(`^There is no request named ${name}\\. `),
      }),
    );
  });

  test.each(inherited)('F41 an error page is not found under %s', async (name) => {
    const shown = await app.browser().get(`${app.url}/identity/return?error=${name}`);
    expect(shown.text).toContain('<code>service_error</code>');
    expect(shown.text).toContain('Your identity was not verified');
  });

  test.each(inherited)('F41 returnTo is no inherited %s of a form', async (name) => {
    const reply = await fetch(`${app.url}/identity/start`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ [name]: '//evil.example' }),
    });
    expect(reply.status).toBe(303);
  });
});

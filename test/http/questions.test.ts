import { expect, test } from '@jest/globals';
import { ask } from '../../lib/index.js';
import { type Running, startApp, testClock } from '../support/app.js';
import { inMode } from '../support/mode.js';

const age = ask({
  reveal: ['birth_date'],
  keep: ({ attributes }) => attributes.birth_date,
  keepFor: '10m',
  successRedirect: '/in',
});
const name = ask({ reveal: ['given_name'], keep: ({ attributes }) => attributes.given_name });

/** An app whose factory asks these two questions and no other. */
const open = async (mode = 'test', clock = testClock()): Promise<Running> =>
  await inMode(mode, async () =>
    startApp({
      options: { reveal: undefined, keep: undefined, requests: { age, name }, clock },
      after: (its, identity) => {
        for (const request of ['age', 'name']) {
          its.get(`/${request}`, identity.require({ request }), (req, res) =>
            res.json(identity.of(req, { request })?.kept),
          );
        }
        its.post('/verify', async (req, res) => await identity.start(req, res));
      },
    }),
  );

const json = { accept: 'application/json' };

test('a factory without reveal has a start for each question, and none without a name', async () => {
  const app = await open();
  const browser = app.browser();
  expect((await browser.get(`${app.url}/identity/start/age`)).status).toBe(200);
  const shown = await browser.get(`${app.url}/identity/start`);
  expect(shown.status).toBe(404);
  expect(shown.text).not.toContain('For the developer');
  expect((await browser.get(`${app.url}/identity/start`, json)).json()).toMatchObject({ error: 'not_found' });
  const posted = await browser.post(`${app.url}/identity/start`, undefined, json);
  expect([posted.status, posted.json()]).toMatchObject([404, { error: 'not_found' }]);
  expect((await fetch(`${app.url}/identity/start`, { method: 'PUT' })).headers.get('allow')).toBe(
    'GET, POST',
  );
});

test('in development the page at that address names the addresses that there are', async () => {
  const app = await open('development');
  const shown = await app.browser().get(`${app.url}/identity/start`);
  expect(shown.status).toBe(404);
  expect(shown.text).toContain('needs the name of a request: /identity/start/age, /identity/start/name');
});

test('require, of and start say that they need a request', async () => {
  const app = await open();
  const message = (caller: string): string =>
    `${caller} needs the option request, because the options have no reveal of their own: age, name.`;
  expect(() => app.identity.require()).toThrow(message('identity.require'));
  expect(() => app.identity.require({ request: 'agee' })).toThrow('There is no request named agee.');
  for (const request of [5, Symbol('age'), Object.create(null)] as never[]) {
    const told = 'A request is told by its name. Known requests: age, name.';
    expect(() => app.identity.require({ request })).toThrow(told);
  }
  expect(() => app.identity.of(null as never)).toThrow(message('identity.of'));
  const started = await app.browser().post(`${app.url}/verify`, undefined, json);
  expect([started.status, started.json()]).toMatchObject([500, { error: 'config_invalid' }]);
});

test('what is kept counts as long as its own question says, and the page says how long', async () => {
  const clock = testClock();
  const app = await open('test', clock);
  const browser = app.browser();
  expect((await browser.get(`${app.url}/identity/start/age`)).text).toContain('10 minutes');
  expect((await browser.get(`${app.url}/identity/start/name`)).text).toContain('8 hours');
  for (const request of ['age', 'name']) {
    const address = await app.toReturn(browser, `/${request}`);
    expect((await browser.get(address)).location).toBe(app.url + (request === 'age' ? '/in' : '/'));
  }
  expect((await browser.get(`${app.url}/age`)).json()).toBe('1964-08-12');
  clock.forward(10 * 60_000);
  expect((await browser.get(`${app.url}/age`, json)).json()).toMatchObject({ error: 'identity_required' });
  expect((await browser.get(`${app.url}/name`)).json()).toBe('Erika');
  // The next write of the session erases the one that has run out, and only that.
  await browser.post(`${app.url}/identity/start/age`);
  const stored = JSON.stringify(app.sessions);
  expect([stored.includes('1964-08-12'), stored.includes('Erika')]).toEqual([false, true]);
});

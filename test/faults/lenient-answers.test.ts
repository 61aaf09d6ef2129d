import { describe, expect, test } from '@jest/globals';
import { startApp } from '../support/app.js';
import { callbackApps } from '../support/callbacks.js';
import { listen } from '../support/lines.js';
import { storeAround } from '../support/stores.js';

describe('F66 cousins: what else an app answers', () => {
  const open = callbackApps();

  test.each<[string, unknown]>([
    ['OK', 'OK'],
    ['a number', 1],
    ['an object', { rowCount: 0 }],
    ['nothing', undefined],
  ])('F66 a flow store whose replace returns %s has not swapped: no hook runs', async (_name, answer) => {
    const store = storeAround(async (call, work) => {
      const done = await work();
      return call === 'replace' ? answer : done;
    });
    const { lines, logger } = listen();
    const app = await open({ hooks: { onVerified: () => undefined }, options: { store, logger } });
    const begun = await app.begin();
    const { status } = await app.deliver({ presentation: 'good', state: begun.state });
    expect([status, app.ran]).toEqual([503, []]);
    expect(lines[0]).toContain('create and replace of the flow store must return true or false.');
  });

  test('F66 a clock that returns no time keeps the guard shut', async () => {
    let works = true;
    const app = await startApp({
      options: { clock: () => (works ? new Date() : new Date(Number.NaN)) },
      after: (its, identity) => {
        its.get('/club', identity.require(), (_req, res) => void res.end('in'));
      },
    });
    const browser = await app.released();
    expect((await browser.get(`${app.url}/club`)).status).toBe(200);
    works = false;
    expect((await browser.get(`${app.url}/club`)).status).toBe(303);
  });
});

import { expect, test } from '@jest/globals';
import { type Running, startApp } from '../../support/app.js';
import { decide } from '../../support/wallet.js';

test('a session whose id did not come in the header Cookie is written as the store holds it now', async () => {
  let changed = false;
  const app: Running = await startApp({
    before: (its) =>
      its.use((req, _res, next) => {
        delete req.headers.cookie; // express-session also takes what a cookie parser has read elsewhere
        if (!changed) {
          next();
          return;
        }
        const held = JSON.parse(app.stored()[req.sessionID] ?? '') as object;
        app.stored()[req.sessionID] = JSON.stringify({ ...held, meanwhile: 'written' });
        next();
      }),
  });
  const browser = app.browser();
  const first = await app.start(browser);
  changed = true;
  const second = await app.start(browser);
  const all = Object.values(app.stored());
  expect(all).toHaveLength(1);
  const [text = ''] = all;
  expect(JSON.parse(text)).toMatchObject({ meanwhile: 'written' });
  changed = false;
  for (const wallet of [first, second]) {
    expect((await browser.get(await decide(wallet, 'approve'))).status).toBe(303);
  }
});

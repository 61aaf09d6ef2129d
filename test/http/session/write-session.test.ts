import { afterEach, expect, test } from '@jest/globals';
import { type Running, startApp } from '../../support/app.js';

let app: Running | undefined;
afterEach(async () => {
  await app?.close();
});

test('a session whose id did not come in the header Cookie is written as the store holds it now', async () => {
  let changed = false;
  app = await startApp({
    before: (its) =>
      its.use((req, _res, next) => {
        delete req.headers.cookie; // express-session also takes what a cookie parser has read elsewhere
        if (!changed) {
          next();
          return;
        }
        const { sessions } = app as Running;
        sessions.get(req.sessionID, (_error, held) => {
          if (held !== undefined && held !== null) Object.assign(held, { meanwhile: 'written' });
          if (held !== undefined && held !== null) sessions.set(req.sessionID, held, next);
          else next();
        });
      }),
  });
  const browser = app.browser();
  await app.start(browser);
  changed = true;
  await app.start(browser);
  const { sessions } = app;
  const all = Object.values((sessions as unknown as { sessions: Record<string, string> }).sessions);
  expect(all).toHaveLength(1);
  const [text = ''] = all;
  expect(JSON.parse(text)).toMatchObject({ meanwhile: 'written' });
  expect(text.match(/expiresAt/g)).toHaveLength(2);
});

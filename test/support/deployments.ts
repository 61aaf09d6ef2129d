import { beforeEach } from '@jest/globals';
import type { MemoryStore } from 'express-session';
import { me } from './account.js';
import { type AppSetup, type Running, startApp } from './app.js';
import type { Browser } from './browser.js';

const open: Running[] = [];
beforeEach(() => {
  open.length = 0;
});

/** An app over this session store: the same one as those before it in this test, with other options now. */
export async function deployed(
  store: MemoryStore,
  options: NonNullable<AppSetup['options']>,
): Promise<Running> {
  const app = await startApp({
    session: { store },
    origins: open.map(({ url }) => url),
    options,
    after: (its, identity) => {
      me(its, identity);
      its.get('/club', identity.require({ allow: Boolean }), (_req, res) => {
        res.send('open');
      });
    },
  });
  open.push(app);
  return app;
}

/** What is kept, and whether the guard lets it in. */
export const seenBy = async (app: Running, browser: Browser): Promise<unknown> => [
  (await browser.get(`${app.url}/me`)).json(),
  (await browser.get(`${app.url}/club`)).status,
];

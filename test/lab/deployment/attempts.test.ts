import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { createBrowser } from '../../support/browser.js';
import { freePort } from '../../support/free-port.js';
import { type App, endAll, runServer } from '../../support/run-app.js';
import { root } from '../../support/root.js';
import { servers } from '../../support/servers.mjs';

afterEach(endAll);

/** The limit of docs/cookbook.md for each account, in an app with a log-in. */
const app = `
import express from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';

const app = express();
app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
app.get('/log-in/:person', (req, res) => {
  req.session.userId = req.params.person;
  res.send('in');
});
const identity = identityVerification({
  reveal: ['given_name'],
  pages: { otherWay: { url: '/shop', text: 'Come to the shop' } },
});
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import { createClient } from 'redis';

declare module 'express-session' {
  interface SessionData {
    userId?: string;
  }
}

const redis = createClient({ url: process.env.REDIS_URL ?? 'redis://localhost' });
redis.on('error', (error) => console.warn(error.message)); // without a listener, a lost connection ends the process
await redis.connect();
const attempts = rateLimit({
  windowMs: 3_600_000,
  limit: 5,
  skip: (req) => req.method !== 'POST', // the page that asks is no attempt
  keyGenerator: (req) => req.session.userId ?? ipKeyGenerator(req.ip ?? ''),
  store: new RedisStore({ sendCommand: (...args: string[]) => redis.sendCommand(args) }),
  handler: identity.busy,
});
app.use('/identity/start', attempts); // below the session and the login, above the router
app.use('/identity', identity);
app.listen(process.env.PORT);
`;

test('the sixth start in an hour, over two processes, is a page with another way', async () => {
  const port = await freePort();
  const redis = await servers.redis.start({ port: `${port}`, bind: '127.0.0.1' });
  try {
    const run = async (): Promise<App> => {
      const dev = [join(root, 'dist/dev/cli/main.mjs'), 'dev'];
      const running = await runServer(app, dev, { REDIS_URL: `redis://127.0.0.1:${port}` });
      await running.says('Your app runs');
      return running;
    };
    const apps = [await run(), await run()];
    const starts = async (person: string, times: number): Promise<unknown[]> => {
      const browsers = apps.map(() => createBrowser());
      for (const [index, { url }] of apps.entries()) await browsers[index]?.get(`${url}/log-in/${person}`);
      const found: unknown[] = [];
      for (let nth = 0; nth < times; nth += 1) {
        const browser = browsers[nth % 2] ?? createBrowser();
        const url = `${apps[nth % 2]?.url}/identity/start`;
        await browser.get(url);
        const { status, text } = await browser.post(url);
        found.push(status === 429 ? />Come to the shop<.a>/.exec(text)?.[0] : status);
      }
      return found;
    };
    const page = '>Come to the shop</a>';
    expect(await starts('erika', 7)).toEqual([303, 303, 303, 303, 303, page, page]);
    expect(await starts('max', 1)).toEqual([303]);
  } finally {
    await endAll();
    await redis.stop();
  }
});

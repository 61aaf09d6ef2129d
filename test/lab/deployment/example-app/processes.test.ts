import { afterEach, describe, expect, test } from '@jest/globals';
import { type Browser, createBrowser } from '../../../support/browser.js';
import { freePort } from '../../../support/free-port.js';
import { servers } from '../../../support/servers.mjs';
import { decide } from '../../../support/wallet.js';
import { root } from '../../../support/root.js';
import { type App, endAll, runNode } from '../../../support/run-app.js';
import { type Balancer, createBalancer } from './balancer.js';
import { type Named, onServers } from './engines.js';
import { withServer } from '../../../stores/servers.js';

const command = ['dist/dev/cli/main.mjs', 'dev', 'example-app/scaled.ts'];
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await endAll();
  for (const close of closing.splice(0)) await close();
});

/** `example-app/scaled.ts` with an engine named, behind a balancer. */
async function startExample(
  engine: Named,
  env: Record<string, string> = {},
): Promise<{ app: App; balancer: Balancer }> {
  closing.push(async () => await engine.close());
  const port = `${await freePort()}`;
  const balancer = await createBalancer(Number(port));
  closing.push(async () => await balancer.close());
  const args = [...command, '--callback', `${balancer.url}/identity/callback`];
  const app = await runNode(args, root, { ...engine.env, ...env, PORT: port });
  await app.says('Your app runs');
  return { app, balancer };
}

interface Turns {
  readonly start: number;
  readonly callback: number;
  readonly back: number;
}

/** Verifies the person, each step in the process that is named. */
async function verify(browser: Browser, balancer: Balancer, turns: Turns): Promise<string> {
  const { url } = balancer;
  const steps = { '/identity/start': turns.start, '/identity/callback': turns.callback };
  balancer.choose = (path) => ({ ...steps, '/identity/return': turns.back })[path] ?? 1;
  const start = await browser.post(`${url}/identity/start`);
  const shown = await browser.visit(await decide(start.location ?? '', 'approve'));
  return shown.url.replace(url, '');
}

await onServers((engine, place) => {
  describe('the example app on three processes', () => {
    test('verifies from process to process, and all of them know', async () => {
      const { app, balancer } = await startExample(await place(), { PROCESSES: '3' });
      const { url } = balancer;
      const browser = createBrowser();
      /** Where each process leads, or which one says that it has answered. */
      const onEach = async (path: string): Promise<(string | number)[]> => {
        const found = [];
        for (const each of [1, 2, 3]) {
          balancer.choose = () => each;
          const { location, headers } = await browser.get(url + path);
          found.push(location ?? Number(headers.get('x-process')));
        }
        return found;
      };
      const post = async (path: string, by: number): Promise<void> => {
        balancer.choose = () => by;
        expect((await browser.post(url + path, { person: 'erika' })).status).toBe(303);
      };
      const toStart = '/identity/start?returnTo=%2Fmembership&reason=counter';

      await post('/log-in', 3);
      expect(await verify(browser, balancer, { start: 1, callback: 2, back: 1 })).toBe('/membership');
      expect(await onEach('/membership')).toEqual([1, 2, 3]);
      await post('/forget', 2);
      expect(await onEach('/membership')).toEqual([toStart, toStart, toStart]);

      expect(await verify(browser, balancer, { start: 3, callback: 1, back: 2 })).toBe('/membership');
      expect(await onEach('/membership')).toEqual([1, 2, 3]);
      await post('/log-out', 1);
      const toLogIn = '/log-in?next=%2Fdoor';
      expect(await onEach('/door')).toEqual([toLogIn, toLogIn, toLogIn]);
      await post('/log-in', 2);
      expect(await onEach('/membership')).toEqual([toStart, toStart, toStart]);

      const kit = balancer.passed.filter(([path]) => /^\/identity\/(start|callback|return)$/.test(path));
      expect(kit.map(([, process]) => process)).toEqual([1, 2, 1, 3, 1, 2]);
      expect(await app.end('SIGTERM')).toEqual([0, null]);
      expect(app.said().match(/^process \d: flow\.\w+$/gm)).toEqual([
        'process 1: flow.started',
        'process 2: flow.verified',
        'process 1: flow.confirmed',
        'process 3: flow.started',
        'process 1: flow.verified',
        'process 2: flow.confirmed',
      ]);
      expect(app.said()).not.toMatch(/^\w+: E\w+$|failed/m);
    });
  });

  test('an address where nothing answers ends the command with one sentence', async () => {
    const { name, nowhere } = engine.variable;
    const app = await runNode(command, root, { [name]: `${nowhere}:${await freePort()}` });
    expect(await app.end()).toEqual([1, null]);
    const [sentence, ...more] = app.said().trim().split('\n');
    expect(sentence).toBe(`The server that ${name} names cannot be used (ECONNREFUSED): is it running?`);
    expect(more).toEqual([
      expect.stringMatching(/^pidgate: the app ended with exit code 1 before it responded on port \d+\.$/),
    ]);
  });
});

withServer('redis')('an engine that goes away while the example app runs', () => {
  test('is a page of each of the two processes that says so, and none ends', async () => {
    const redisPort = `${await freePort()}`;
    const redis = await servers.redis.start({ port: redisPort });
    const env = { REDIS_URL: `redis://127.0.0.1:${redisPort}` };
    const { app, balancer } = await startExample({ env, close: async () => await redis.stop() });
    const { url } = balancer;
    const browser = createBrowser();
    await browser.post(`${url}/log-in`, { person: 'erika' });
    // One that does not know its server yet would end without it.
    for (const each of [1, 2]) {
      balancer.choose = () => each;
      expect((await browser.get(url)).status).toBe(200);
    }
    await redis.halt();
    for (const each of [1, 2]) {
      balancer.choose = () => each;
      const { status, text } = await browser.get(url);
      expect([status, text]).toEqual([503, expect.stringContaining('Please try again in a moment.')]);
    }
    expect(app.said()).toMatch(/^process 1: a page failed: \w+$/m);

    await redis.resume();
    for (const each of [1, 2]) {
      balancer.choose = () => each;
      while ((await browser.get(url)).status !== 200); // each looks for its server by itself
    }
    expect(await app.end('SIGTERM')).toEqual([0, null]);
  });
});

import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import { blocksOf } from '../house/documents.js';
import { type Browser, type Shown, createBrowser } from '../support/browser.js';
import { chromiumPath } from '../support/chromium.js';
import { root } from '../support/root.js';
import { type App, endAll, runNode, runServer } from '../support/run-app.js';
import { decide } from '../support/wallet.js';
import { describeInChromium } from './running-app.js';
import { arrive, arriveAtWallet, press, share } from './steps.js';

afterEach(endAll);

const banner = 'Your app runs against a local identity service.';

/** As `npx pidgate dev examples/…`: that very file, against a sandbox of its own. */
async function dev(name: string, ...more: string[]): Promise<App> {
  const app = await runNode(['dist/dev/cli/main.mjs', 'dev', `examples/${name}.ts`, ...more], root);
  await app.says(banner);
  return app;
}

/** What a reader copies first: a file, and the lines of the README in an app that is there already. */
const firstCode = {
  'examples/quickstart.ts': {
    run: async (...more: string[]) => await dev('quickstart', ...more),
    words: [
      'Your wallet shares your date of birth. Of it, The Corner Club keeps only whether you are 18 or over.',
      'Whether you are 18 or over',
    ],
  },
  "README's first code": {
    run: async (...more: string[]) => {
      const code = blocksOf('README.md').find((block) => block.language === 'ts')?.code ?? '';
      const around = `import express from 'express';
        import session from 'express-session';
        const app = express();
        app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
        ${code}
        app.get('/', (_req, res) => res.send('<a href="/club">Enter the club</a>'));
        app.listen(process.env.PORT);`;
      const app = await runServer(around, [join(root, 'dist/dev/cli/main.mjs'), 'dev', ...more]);
      await app.says(banner);
      return app;
    },
    words: [],
  },
};

/** Opens a guarded page, and goes over the start page and the wallet back to it. */
async function reach(browser: Browser, url: string): Promise<Shown & { url: string }> {
  const { location = '' } = await browser.get(url);
  const start = new URL(location, url).href;
  expect((await browser.get(start)).text).toContain('Continue to my wallet');
  const { location: wallet = '' } = await browser.post(start);
  return await browser.visit(await decide(wallet, 'approve'));
}

describe('examples/', () => {
  it.each(Object.entries(firstCode))('%s as it stands: Erika, born in 1964, gets in', async (_, first) => {
    const app = await first.run();
    const browser = createBrowser();
    const [, link = ''] = /<a href="([^"]+)">/.exec((await browser.get(app.url)).text) ?? [];
    const { location = '' } = await browser.get(app.url + link);
    const start = await browser.get(app.url + location);
    for (const words of ['You must be 18 or over to enter the club.', ...first.words])
      expect(start.text).toContain(words);
    const club = await reach(browser, app.url + link);
    expect([club.status, club.url, club.text]).toEqual([200, `${app.url}/club`, 'Welcome to the club.']);
  });

  it.each(Object.entries(firstCode))(
    '%s as it stands: Leon, who is 17, gets the page that says no',
    async (_, { run }) => {
      const app = await run('--person', 'minor');
      const club = await reach(createBrowser(), `${app.url}/club`);
      expect([club.status, club.url]).toEqual([403, `${app.url}/club`]);
      expect(club.text).toContain('You cannot use this page');
      expect(club.text).not.toContain('Welcome to the club.');
    },
  );

  it('age-gate.ts: an adult gets in', async () => {
    const app = await dev('age-gate');
    const browser = createBrowser();
    const start = await browser.get(`${app.url}/identity/start?returnTo=/spirits`);
    for (const words of [
      'You must be 18 or over to buy spirits.',
      'Whether you are 18 or over',
      'href="/shop"',
    ]) {
      expect(start.text).toContain(words);
    }
    const page = await reach(browser, `${app.url}/spirits`);
    expect([page.status, page.url]).toEqual([200, `${app.url}/spirits`]);
    expect(page.text).toContain('Rum, gin and whisky.');
  });

  it('age-gate.ts: Leon, who is 17, is refused, and not sent to the wallet again', async () => {
    const app = await dev('age-gate', '--person', 'minor');
    const browser = createBrowser();
    const page = await reach(browser, `${app.url}/spirits`);
    expect([page.status, page.url]).toEqual([403, `${app.url}/spirits`]);
    expect(page.text).toContain('Spirits are for people from 18');
    expect((await browser.get(`${app.url}/spirits`)).status).toBe(403);
  });

  it('log-in.ts: each customer is verified as the one whose account it is, until the log-out', async () => {
    const app = await dev('log-in');
    const account = `${app.url}/account`;
    const logIn = async (browser: Browser, id: string) =>
      (await browser.post(`${app.url}/log-in`, { id })).location;

    const erika = createBrowser();
    expect((await erika.get(account)).location).toBe('/');
    expect((await erika.get(`${app.url}/identity/start`)).location).toBe('/');
    expect((await erika.get(app.url)).text).toContain('I am Erika Mustermann');
    expect(await logIn(erika, '1')).toBe('/account');
    expect((await reach(erika, account)).text).toContain('You are verified.');
    expect((await erika.post(`${app.url}/log-out`)).location).toBe('/');
    expect((await erika.get(account)).location).toBe('/');
    await logIn(erika, '1');
    expect((await erika.get(account)).location).toContain('/identity/start');

    const max = createBrowser();
    await logIn(max, '2'); // and the wallet has Erika's card
    expect((await reach(max, account)).text).toContain('You cannot continue here');
    expect((await max.get(account)).location).toContain('/identity/start');
    await logIn(max, 'nobody');
    expect((await max.get(account)).location).toBe('/');
  });

  // All examples have the same two lines: test/house/readme.test.ts compares them, and runs them in each NODE_ENV.
  it('F99 quickstart.ts does not start outside development without its secret', async () => {
    const env = { NODE_ENV: 'production' };
    const app = await runNode(['--import', 'tsx', 'examples/quickstart.ts'], root, env);
    expect(await app.end()).toEqual([1, null]);
    expect(app.said()).toContain('Error: SESSION_SECRET is not set');
  });
});

describeInChromium('examples/ in a browser', () => {
  it('single-page-app.ts: its script leads to the wallet, and shows what was kept', async () => {
    const app = await dev('single-page-app');
    const browser = await chromium.launch({ executablePath: chromiumPath() ?? '' });
    const page = await browser.newPage();
    await page.goto(app.url);
    await page.getByText('For members only.').waitFor();
    await press(page, 'Verify my identity');
    await arrive(page, 'Prove who you are');
    await press(page, 'Continue to my wallet');
    await arriveAtWallet(page);
    await share(page);
    await page.getByText('Welcome, Erika').waitFor();
    expect(page.url()).toBe(`${app.url}/`);
    await browser.close();
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { Express } from 'express';
import { type Browser, type Page, chromium } from 'playwright-core';
import { describeInChromium } from '../e2e/running-app.js';
import { arrive, arriveAtWallet, press, share } from '../e2e/steps.js';
import { type Identity, type Running, startApp } from '../support/app.js';
import { chromiumPath } from '../support/chromium.js';
import { run } from './workplace.js';

jest.setTimeout(300_000); // installs, on a machine that may be busy

const packages = [
  'htmx2@npm:htmx.org@2.0.11',
  'htmx4@npm:htmx.org@4.0.1',
  '@hotwired/turbo@8.0.23',
  'jquery@3.8.0',
  'jquery-pjax@2.0.1',
];
const files = {
  turbo: '@hotwired/turbo/dist/turbo.es2017-umd.js',
  jquery: 'jquery/dist/jquery.js',
  pjax: 'jquery-pjax/jquery.pjax.js',
};

const recipe = `
app.get('/shop', (_req, res) => {
  res.send(\`<!doctype html><title>Shop</title><script src="/htmx.js"></script><h1>Shop</h1>
    <button hx-get="/prices" hx-target="#prices">Prices for members</button><div id="prices"></div>
    <a href="/identity/start?returnTo=/shop" hx-boost="false">Verify my identity</a>\`);
});
app.get('/prices', identity.require(), (_req, res) => {
  res.send('<p>9 euros</p>');
});
`;

const page = (title: string, scripts: readonly string[], body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>
    ${scripts.map((name) => `<script src="/${name}.js"></script>`).join('')}</head>
    <body><h1>${title}</h1><div id="main">${body}</div></body></html>`;

let home: string;
let browser: Browser;

/** The app with a part for members and what the other libraries need. */
async function open(htmx: string): Promise<Running> {
  const app = await startApp({
    options: { keep: () => 'kept' },
    after: (its: Express, identity: Identity) => {
      const serve = (path: string, file: string): void => {
        its.get(path, (_req, res) => res.sendFile(join(home, 'node_modules', file)));
      };
      serve('/htmx.js', `${htmx}/dist/htmx.js`);
      for (const [name, file] of Object.entries(files)) serve(`/${name}.js`, file);
      runInNewContext(recipe, { app: its, identity });
      const link = '<a href="/club">Club</a>';
      const frame = '<turbo-frame id="part"><a href="/club">Part</a></turbo-frame>';
      its.get('/turbo', (_req, res) => void res.send(page('Turbo', ['turbo'], link)));
      its.get('/frame', (_req, res) => void res.send(page('Frame', ['turbo'], frame)));
      const pjax = '<script>$(document).pjax("a", "#main")</script>';
      its.get('/pjax', (_req, res) => void res.send(page('Pjax', ['jquery', 'pjax'], `${link}${pjax}`)));
      its.get('/club', identity.require(), (_req, res) => void res.send(page('Club', [], 'Welcome')));
    },
  });
  app.sandbox.redirectUrl = `${app.url}/identity/callback`;
  return app;
}

/** The start page is whole: it has the kit's own style, and nothing of the page before. */
async function verify(at: Page, start: string): Promise<void> {
  await arrive(at, /^Prove /);
  expect(at.url()).toBe(start);
  expect(await at.locator('h1').count()).toBe(1);
  expect(await at.locator('head style').count()).toBe(1);
  await press(at, 'Continue to my wallet');
  await arriveAtWallet(at);
  await share(at);
}

describeInChromium('F103 a guarded part of a page', () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'pidgate-fragments-'));
    await run(
      `npm install ${packages.join(' ')} --prefer-offline --ignore-scripts --no-audit --no-fund`,
      home,
    );
    browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: ['--disable-gpu'] });
  });
  afterAll(async () => {
    await browser.close();
    await rm(home, { recursive: true });
  });

  let shown: Page;
  beforeEach(async () => {
    shown = await (await browser.newContext({ locale: 'en' })).newPage();
  });
  afterEach(async () => {
    await shown.context().close();
  });

  test.each(['htmx2', 'htmx4'])(
    'F103 %s: to the whole start page, and back to the page that had it',
    async (htmx) => {
      const { url } = await open(htmx);
      await shown.goto(`${url}/shop`);
      await press(shown, 'Prices for members');
      await verify(shown, `${url}/identity/start?returnTo=%2Fshop`);
      await arrive(shown, 'Shop');
      expect(shown.url()).toBe(`${url}/shop`);
      await press(shown, 'Prices for members');
      await shown.getByText('9 euros').waitFor();
      expect(await shown.locator('h1').textContent()).toBe('Shop');
    },
  );

  test.each(['Turbo', 'Pjax'])('F103 %s: loads the guarded page anew', async (name) => {
    const { url } = await open('htmx2');
    await shown.goto(`${url}/${name.toLowerCase()}`);
    await shown.getByRole('link', { name: 'Club' }).click();
    await verify(shown, `${url}/identity/start?returnTo=%2Fclub`);
    await arrive(shown, 'Club');
    expect(shown.url()).toBe(`${url}/club`);
  });

  test('F103 a Turbo frame stays as it is', async () => {
    const { url } = await open('htmx2');
    await shown.goto(`${url}/frame`);
    const [reply] = await Promise.all([
      shown.waitForResponse((response) => response.url() === `${url}/club`),
      shown.getByRole('link', { name: 'Part' }).click(),
    ]);
    expect(reply.status()).toBe(401);
    await shown.locator('#part:not([busy])').waitFor();
    expect([shown.url(), await shown.locator('#part').textContent()]).toEqual([`${url}/frame`, 'Part']);
  });
});

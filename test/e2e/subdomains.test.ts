import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { chromiumPath } from '../support/chromium.js';
import { read } from '../house/documents.js';
import { root } from '../support/root.js';
import { endAll, runServer } from '../support/run-app.js';
import { describeInChromium } from './running-app.js';
import { arrive, arriveAtWallet, follow, press, share } from './steps.js';

describeInChromium('one app with a subdomain for a customer', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: ['--disable-gpu'] });
  });
  afterAll(async () => await browser.close());
  afterEach(endAll);

  test('localhost and acme.localhost: each verification comes back to its own name', async () => {
    const appUrl = 'appUrl: [`http://localhost:${PORT}`, `http://acme.localhost:${PORT}`],';
    const code = read('examples/quickstart.ts')
      .replace("reveal: ['age_over_18'],", `${appUrl} reveal: ['age_over_18'],`)
      .replace("'Welcome to the club.'", '`Welcome to ${_req.hostname}`');
    expect(code).toContain('acme.localhost');
    const app = await runServer(code, [join(root, 'dist/dev/cli/main.mjs'), 'dev']);
    await app.says('Your app runs against a local identity service.');
    const page = await (await browser.newContext({ locale: 'en' })).newPage();
    for (const name of ['localhost', 'acme.localhost']) {
      const url = app.url.replace('localhost', name);
      await page.goto(url);
      await follow(page, 'Enter the club');
      await arrive(page, /^Prove /); // a session of one name says nothing at the other
      expect(page.url()).toBe(`${url}/identity/start?returnTo=%2Fclub`);
      await press(page, 'Continue to my wallet');
      await arriveAtWallet(page);
      await share(page);
      await page.getByText(`Welcome to ${name}`).waitFor();
      expect(page.url()).toBe(`${url}/club`);
    }
  });
});

import { expect, test } from '@jest/globals';
import type { Express } from 'express';
import helmet from 'helmet';
import type { Sandbox } from 'pidgate/sandbox';
import { describeInChromium, setStage } from './stage.js';
import { arrive, arriveAtWallet, goToWallet, logIn, press, share } from './steps.js';

const ownForm = `<!doctype html><html lang="en"><title>Own form</title><link rel="icon" href="/icon.svg" /><h1>Own form</h1>
  <form method="post" action="/identity/start"><button>Verify</button></form></html>`;

/** A form of the app's own in place of the link to the start page. */
function ownForms(app: Express, sandbox: Sandbox): void {
  app.get('/blocked', helmet(), (_req, res) => {
    res.send(ownForm);
  });
  const formAction = ["'self'", sandbox.url];
  app.get('/allowed', helmet({ contentSecurityPolicy: { directives: { formAction } } }), (_req, res) => {
    res.send(ownForm);
  });
}

describeInChromium('In a browser, an app under helmet’s defaults', () => {
  const stage = setStage({ front: ownForms });

  test('F10: by a link to the start page, as documented: it completes', async () => {
    const page = await stage.open();
    const home = await page.goto(stage.url);
    expect(home?.headers()['content-security-policy']).toContain("form-action 'self';");
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page);
    await share(page);
    await arrive(page, 'Thank you, that is you');
  });

  test('F10: by its own form, with the wallet’s origin in form-action: it completes', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    const form = await page.goto(`${stage.url}/allowed`);
    expect(form?.headers()['content-security-policy']).toContain(`form-action 'self' ${stage.sandbox.url};`);
    await press(page, 'Verify');
    await arriveAtWallet(page);
    await share(page);
    await arrive(page, 'Thank you, that is you');
  });

  test('by its own form, without that directive: Chromium stops the way to the wallet', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await page.goto(`${stage.url}/blocked`);
    const [said] = await Promise.all([page.waitForEvent('console'), press(page, 'Verify')]);
    expect(said.text()).toContain("form-action 'self'");
    expect(stage.complaints()).toEqual([said.text()]);
    expect(page.url()).toBe(`${stage.url}/blocked`);
  });
});

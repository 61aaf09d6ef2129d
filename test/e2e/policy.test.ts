import { expect, test } from '@jest/globals';
import type { Express } from 'express';
import helmet from 'helmet';
import { describeInChromium, runInChromium } from './running-app.js';
import { arrive, arriveAtWallet, goToWallet, logIn, press, share } from './steps.js';

const ownForm = (query = ''): string => `<!doctype html><html lang="en"><title>Own form</title>
  <link rel="icon" href="/icon.svg" /><h1>Own form</h1>
  <form method="post" action="/identity/start${query}"><button>Verify</button></form></html>`;

/** A form of the app's own in place of the link to the start page. */
function ownForms(app: Express): void {
  app.get('/own', helmet(), (_req, res) => {
    res.send(ownForm());
  });
  app.get('/like-the-kit', helmet(), (_req, res) => {
    res.send(ownForm('?form=kit'));
  });
}

describeInChromium('In a browser, an app under helmet’s defaults', () => {
  const running = runInChromium({ front: ownForms });

  test('F10: by a link to the start page, as documented: it completes', async () => {
    const page = await running.open();
    const home = await page.goto(running.url);
    expect(home?.headers()['content-security-policy']).toContain("form-action 'self';");
    await logIn(page, running.url, 'Erika');
    await goToWallet(page);
    await share(page);
    await arrive(page, 'Your membership');
  });

  test('F10: by its own form: it completes, and the way back leads to the form', async () => {
    const page = await running.open();
    await logIn(page, running.url, 'Erika');
    const form = await page.goto(`${running.url}/own`);
    expect(form?.headers()['content-security-policy']).toContain("form-action 'self';");
    await press(page, 'Verify');
    await arriveAtWallet(page);
    await page.goBack();
    expect(page.url()).toBe(`${running.url}/own`);
    await press(page, 'Verify');
    await arriveAtWallet(page);
    await share(page);
    await arrive(page, 'Your membership');
  });

  test('by a form that says it is the kit’s: Chromium stops the redirect to the wallet', async () => {
    const page = await running.open();
    await logIn(page, running.url, 'Erika');
    await page.goto(`${running.url}/like-the-kit`);
    const [said] = await Promise.all([page.waitForEvent('console'), press(page, 'Verify')]);
    expect(said.text()).toContain("form-action 'self'");
    expect(running.complaints()).toEqual([said.text()]);
    expect(page.url()).toBe(`${running.url}/like-the-kit`);
  });
});

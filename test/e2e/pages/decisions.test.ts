import { expect, test } from '@jest/globals';
import { describeInChromium, runInChromium } from '../running-app.js';
import {
  arrive,
  expectNotVerified,
  follow,
  goToWallet,
  logIn,
  press,
  share,
  openAtWallet,
} from '../steps.js';

describeInChromium('In a browser, what the person decides', () => {
  const running = runInChromium();

  test('approve: the guard leads over the wallet to the page, with what is kept on it', async () => {
    const page = await running.open();
    const returns: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/identity/return') && returns.push(request.url()),
    );
    await logIn(page, running.url, 'Erika');
    await goToWallet(page, 'My membership');
    expect(new URL(page.url()).origin).toBe(running.sandbox.url);
    await share(page);
    await arrive(page, 'Your membership');
    expect(page.url()).toBe(`${running.url}/membership`);
    const kept = await page.locator('dd').allInnerTexts();
    expect(kept).toEqual([
      'Erika Mustermann',
      '12 August 1964',
      'D-100001',
      expect.stringMatching(/ at \d\d:\d\d$/),
      expect.any(String),
    ]);
    expect(running.log).toContain(`verified: default, receipt ${kept[4]}`);
    expect(returns).toHaveLength(1); // a Lax cookie needs no second step
    await page.reload();
    await arrive(page, 'Your membership');
    await page.goBack(); // the way back through history releases nothing twice
    expect(running.log.filter((line) => line.startsWith('verified'))).toHaveLength(1);
  });

  test('decline: the app says so, and nothing is released', async () => {
    const page = await openAtWallet(running);
    await press(page, 'Decline');
    await arrive(page, 'Your wallet shared nothing');
    expect(page.url()).toContain(`${running.url}/not-verified?error=not_shared&request=default`);
    expect(running.log).toContain('not verified: not_shared (callback)');
    await expectNotVerified(page, running.url);
  });

  test('an error from the service: its page names a code, and a new try works', async () => {
    const page = await openAtWallet(running);
    await page.getByText('Make something go wrong').click();
    await page.getByLabel('What should happen?').selectOption('credential_missing');
    await press(page, 'Run this scenario');
    await arrive(page, 'Your wallet shared nothing');
    expect(page.url()).toContain(`${running.url}/not-verified?error=not_shared&request=default`);
    expect(running.log).toContain('not verified: not_shared (callback)');
    await goToWallet(page, 'Try again');
    await share(page);
    await arrive(page, 'Your membership');
  });

  test('forget my data: what was kept is gone from the session, the log-in stays', async () => {
    const page = await openAtWallet(running);
    await share(page);
    await arrive(page, 'Your membership');
    const stored = (): string => JSON.stringify(Reflect.get(running.sessions, 'sessions'));
    const receipt = await page.locator('dd code').innerText();
    expect(stored()).toContain(receipt);
    await follow(page, 'All that we keep about you');
    await follow(page, 'Erase my data …');
    await press(page, 'Erase my data');
    await page.getByText('Your data is erased.').waitFor();
    await follow(page, 'Drehmoment');
    await page.getByRole('heading', { name: 'Hello, Erika Mustermann' }).waitFor();
    expect(stored()).not.toContain(receipt);
    await expectNotVerified(page, running.url);
  });

  test('log out: the session is destroyed', async () => {
    const page = await openAtWallet(running, 'Erika', 'Go to the machines');
    await share(page);
    await arrive(page, 'Machines');
    await press(page, 'Log out');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.goto(`${running.url}/door`);
    expect(page.url()).toBe(`${running.url}/log-in?next=%2Fdoor`);
  });
});

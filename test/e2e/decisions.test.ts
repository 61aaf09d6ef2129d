import { expect, test } from '@jest/globals';
import { describeInChromium, setStage } from './running-app.js';
import { arrive, expectNotVerified, follow, goToWallet, logIn, press, share } from './steps.js';

describeInChromium('In a browser, what the person decides', () => {
  const stage = setStage();

  test('approve: the guard leads over the wallet to the page, with what is kept on it', async () => {
    const page = await stage.open();
    const returns: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/identity/return') && returns.push(request.url()),
    );
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page, 'My membership');
    expect(new URL(page.url()).origin).toBe(stage.sandbox.url);
    await share(page);
    await arrive(page, 'Your membership');
    expect(page.url()).toBe(`${stage.url}/membership`);
    const kept = await page.locator('dd').allInnerTexts();
    expect(kept).toEqual([
      'Erika Mustermann',
      '1964-08-12',
      'D-100001',
      expect.stringMatching(/ at \d\d:\d\d$/),
      expect.any(String),
    ]);
    expect(stage.log).toContain(`verified: default, receipt ${kept[4]}`);
    expect(returns).toHaveLength(1); // a Lax cookie needs no second step
    await page.reload();
    await arrive(page, 'Your membership');
    await page.goBack(); // the way back through history releases nothing twice
    expect(stage.log.filter((line) => line.startsWith('verified'))).toHaveLength(1);
  });

  test('approve, from the app’s own link: the success page', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page);
    await share(page);
    await arrive(page, 'Your membership');
    await follow(page, 'Get the door code');
    await arrive(page, 'Door of the workshop');
  });

  test('approve a second, named request: yes or no, and no more', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page, 'See my price');
    await share(page);
    await arrive(page, 'Price for residents');
    await page.getByText('You pay half').waitFor();
    await expectNotVerified(page, stage.url); // one answer is not the other
  });

  test('decline: the app says so, and nothing is released', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page);
    await press(page, 'Decline');
    await arrive(page, 'You kept your data to yourself');
    expect(page.url()).toBe(`${stage.url}/not-verified?error=declined`);
    expect(stage.log).toContain('not verified: declined (callback)');
    await expectNotVerified(page, stage.url);
  });

  test('an error from the service: its page names a code, and a new try works', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page);
    await page.getByText('Make something go wrong').click();
    await page.getByLabel('What shall happen?').selectOption('credential_missing');
    await press(page, 'Let it happen');
    await arrive(page, 'Your wallet has no identity that fits');
    expect(page.url()).toBe(`${stage.url}/not-verified?error=credential_missing`);
    expect(stage.log).toContain('not verified: credential_missing (callback)');
    await goToWallet(page, 'My membership');
    await share(page);
    await arrive(page, 'Your membership');
  });

  test('a proof of another name is refused by the app’s own hook', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Max');
    await goToWallet(page);
    await share(page);
    await arrive(page, 'This is not your account');
    await expectNotVerified(page, stage.url);
  });

  test('forget my data: what was kept is gone from the session, the log-in stays', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page);
    await share(page);
    await arrive(page, 'Your membership');
    const stored = (): string => JSON.stringify(Reflect.get(stage.sessions, 'sessions'));
    const receipt = await page.locator('dd code').innerText();
    expect(stored()).toContain(receipt);
    await follow(page, 'All that we keep about you');
    await press(page, 'Forget my data');
    await page.getByText('No verification is stored.').waitFor();
    await follow(page, 'Drehmoment');
    await page.getByRole('heading', { name: 'Hello, Erika Mustermann' }).waitFor();
    expect(stored()).not.toContain(receipt);
    await expectNotVerified(page, stage.url);
  });

  test('log out: the session is destroyed', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page, 'Go to the machines');
    await share(page);
    await arrive(page, 'Machines');
    await press(page, 'Log out');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.goto(`${stage.url}/door`);
    expect(page.url()).toBe(`${stage.url}/log-in?next=%2Fdoor`);
  });
});

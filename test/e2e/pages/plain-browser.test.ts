import { expect, test } from '@jest/globals';
import { describeInChromium, runInChromium } from '../running-app.js';
import { enter } from '../keys.js';
import { arrive, arriveAtWallet, follow, goToWallet, logIn, press, share } from '../steps.js';

describeInChromium('In a browser', () => {
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

  test('without JavaScript: the whole flow, and the data forgotten', async () => {
    const page = await running.open({ javaScriptEnabled: false });
    await logIn(page, running.url, 'Erika');
    await goToWallet(page, 'Go to the machines');
    await share(page);
    await arrive(page, 'Machines');
    await follow(page, 'All that we keep about you');
    await follow(page, 'Erase my results');
    await press(page, 'Erase my results');
    await page.getByText('Your results are erased.').waitFor();
  });

  test('with the keyboard alone: the whole flow, and the data forgotten', async () => {
    const page = await running.open();
    await page.goto(running.url);
    await enter(page, 'Log in as Erika');
    await page.getByRole('heading', { name: 'Hello, Erika Mustermann' }).waitFor();
    await enter(page, 'Go to the machines');
    await arrive(page, 'Prove who you are');
    await enter(page, 'Continue to my wallet');
    await arriveAtWallet(page);
    await enter(page, 'Share');
    await arrive(page, 'Machines');
    await enter(page, 'All that we keep about you');
    await enter(page, 'Erase my results');
    await arrive(page, 'Erase your results?');
    await enter(page, 'Erase my results');
    await page.getByText('Your results are erased.').waitFor();
  });

  test('by keys alone, without JavaScript: the other language, and the account erased', async () => {
    const page = await running.open({ javaScriptEnabled: false });
    await page.goto(running.url);
    await enter(page, 'Skip to the content');
    await enter(page, 'Erase my account');
    await arrive(page, 'Prove who you are');
    await enter(page, 'Deutsch');
    await arrive(page, 'Weisen Sie sich aus');
    await enter(page, 'Weiter zu meiner Wallet');
    await arriveAtWallet(page);
    await enter(page, 'Share');
    await arrive(page, 'Ihr Konto löschen?');
    await enter(page, 'Mein Konto löschen');
    await arrive(page, 'Ihr Konto ist gelöscht');
  });

  test('with the keyboard alone: decline, and start again', async () => {
    const page = await running.open();
    await page.goto(running.url);
    await enter(page, 'Log in as Erika');
    await page.getByRole('heading', { name: 'Hello, Erika Mustermann' }).waitFor();
    await enter(page, 'Verify my identity');
    await arrive(page, 'Prove who you are');
    await enter(page, 'Continue to my wallet');
    await arriveAtWallet(page);
    await enter(page, 'Decline');
    await arrive(page, 'Your wallet shared nothing');
    await enter(page, 'Try again');
    await arrive(page, 'Prove who you are');
  });
});

describeInChromium('In a browser without JavaScript, with a SameSite=Strict session cookie', () => {
  const running = runInChromium({ cookie: { sameSite: 'strict' } });

  test('the step on the app’s own site needs no script', async () => {
    const page = await running.open({ javaScriptEnabled: false });
    await logIn(page, running.url, 'Erika');
    await goToWallet(page, 'Go to the machines');
    await share(page);
    await arrive(page, 'Machines');
  });
});

import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { start } from '../../dev/sandbox/open.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, follow, logIn, goToWallet, press, share, shareWithPin } from '../steps.js';

// Pages that go on by themselves, and pages that are used by keys alone.

describeInChromium('The sandbox', () => {
  const deliveries = new EventEmitter();
  const running = runInChromium({
    timeout: 10_000, // enough to look at the page that says that the app has not answered
    front: (app) => {
      app.post('/reply/never', () => void deliveries.emit('delivered'));
    },
  });

  async function asked(): Promise<string> {
    const state = randomBytes(32).toString('base64url');
    return await start(running.sandbox, { revealed: ['given_name'], state, same_device: true });
  }

  test('what is open on a timeline stays open when news come', async () => {
    const page = await running.open();
    const address = await asked();
    await page.goto(running.sandbox.url);
    await page.locator('.flows a').first().click();
    await page.locator('#sent-0 summary').click();
    const body = new URLSearchParams({ decision: 'approve' });
    await fetch(address, { method: 'POST', body, redirect: 'manual' });
    await page.getByText('service → app').waitFor();
    await page.locator('#sent-0[open]').waitFor();
    expect(await page.locator('#received-0').getAttribute('open')).toBeNull();
  });

  test('a second tab says that the request is answered, or that the answer is on its way', async () => {
    const page = await running.open();
    const address = await asked();
    await page.goto(address);
    const other = await page.context().newPage();
    await other.goto(address);
    await press(page, 'Share');
    await arrive(page, 'We cannot find this verification'); // the app did not begin it
    await arrive(other, 'This request is answered');

    running.sandbox.redirectUrl = `${running.url}/reply/never`;
    const next = await asked();
    await page.goto(next);
    const delivered = once(deliveries, 'delivered');
    const sending = share(page);
    await delivered;
    await other.goto(next);
    await arrive(other, 'On its way');
    await sending;
    await arrive(page, 'The app took too long');
  });
});

describeInChromium('The German wallet', () => {
  const running = runInChromium({ issuer: 'de-ausweis', mode: 'development' });

  test('an app that does not take the callback gets it again', async () => {
    const page = await running.open();
    await logIn(page, running.url, 'Erika');
    await goToWallet(page);
    const { redirectUrl } = running.sandbox;
    running.sandbox.redirectUrl = `${running.url}/nobody-here`;
    await shareWithPin(page);
    await arrive(page, 'The app answered 403');
    running.sandbox.redirectUrl = redirectUrl;
    await press(page, 'Send the callback again');
    await arrive(page, 'Your membership');
  });
});

describeInChromium('The tour', () => {
  const running = runInChromium({ issuer: 'de-ausweis', mode: 'development' });

  /** From a stop of the tour, over the start page of the app, to the end of it. */
  async function take(page: Page, stop: string): Promise<void> {
    await page.goto(`${running.sandbox.url}/#try`);
    await page.locator(`a[href="/try/${stop}"]`).click();
    await press(page, 'Continue to my wallet');
    await arriveAtWallet(page);
    await shareWithPin(page);
  }

  test('Erika, Leon and a forged card in one browser: each page is of the one whom the step names', async () => {
    const page = await running.open();
    await take(page, 'erika');
    await arrive(page, 'Machines');
    await page.getByText('Of your date of birth we stored only: yes.').waitFor();
    await take(page, 'leon');
    await arrive(page, 'Not yet: machines are for people from 18');
    await take(page, 'forged');
    await arrive(page, 'Your proof was not accepted');
    await page.goto(`${running.url}/machines`);
    await arrive(page, 'Prove your age');
  });

  test('Play all three: a yes, a no and a forgery refused by its number', async () => {
    const page = await running.open();
    await page.goto(running.sandbox.url);
    await press(page, 'Play all three');
    await arrive(page, 'One question, three answers');
    await page.getByText('Refused: no government signed this card. (K02)').waitFor();
    await page.getByText('in this app for').nth(1).waitFor();
    expect(await page.locator('.outcome').allInnerTexts()).toEqual([
      'Yes: /machines opens.',
      'No: the proof is good, and /machines stays closed.',
      'Refused: no government signed this card. (K02)',
    ]);
    await follow(page, 'Every step: A forged card');
    await page.getByText('Your app reports the same check.').waitFor();
  });

  test('by keys alone, without JavaScript', async () => {
    const page = await running.open({ javaScriptEnabled: false });
    await page.goto(running.sandbox.url);
    const focus = page.locator(':focus');
    const enter = async (name: string): Promise<void> => {
      for (let steps = 0; steps < 20; steps += 1) {
        await page.keyboard.press('Tab');
        if ((await focus.count()) === 0 || (await focus.innerText()) !== name) continue;
        await page.keyboard.press('Enter');
        return;
      }
      throw new Error(`20 Tabs did not lead to "${name}"`);
    };
    await enter('Play all three');
    await arrive(page, 'One question, three answers');
    await page.getByText('Refused: no government signed this card. (K02)').waitFor();
    await enter('Be Erika');
    await enter('Continue to my wallet');
    await arriveAtWallet(page);
    await enter('Share');
    await arrive(page, 'Enter your PIN');
    await page.keyboard.type('123456'); // the field has the focus
    await page.keyboard.press('Enter');
    await arrive(page, 'Machines');
    await enter('The timeline of this verification');
    await arrive(page, 'age: verified');
    await enter('Be Leon');
    await arrive(page, 'Prove your age');
  });
});

describeInChromium('The kit', () => {
  let sabotage = 0;
  const running = runInChromium({
    log: (line) => {
      if (line.startsWith('verified') && sabotage-- > 0) throw new Error('The app has a fault.');
    },
  });

  test('the app fails at the last step: the same page again works', async () => {
    const page = await running.open();
    await logIn(page, running.url, 'Erika');
    await goToWallet(page);
    sabotage = 1;
    await share(page);
    await arrive(page, 'Almost done');
    await follow(page, 'Try again');
    await arrive(page, 'Your membership');
  });
});

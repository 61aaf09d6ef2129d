import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { emptyShots, shoot } from './shots.js';
import { describeInChromium, setStage } from '../running-app.js';
import { arrive, enterPin, follow, goToHandOver, press, shareWithPin } from '../steps.js';

emptyShots('german');

async function both(page: Page, name: string): Promise<void> {
  await shoot(page, name);
  await shoot(page, name, 'dark');
}

describeInChromium('Pictures of the German identity card', () => {
  const stage = setStage({ issuer: 'de-ausweis' });

  async function toWallet(): Promise<Page> {
    const page = await stage.open();
    await goToHandOver(page, stage.url);
    await press(page, 'On this device');
    await follow(page, "Open the sandbox's wallet");
    await arrive(page, 'Share your identity?');
    return page;
  }

  test('this device', async () => {
    const page = await stage.open();
    await goToHandOver(page, stage.url);
    await both(page, 'german-choice');
    await press(page, 'On this device');
    await arrive(page, 'Open your wallet');
    await both(page, 'german-link');
    await page.getByText('Use a wallet of your own').click();
    await shoot(page, 'german-link-own-wallet');
    const link = page.url();
    await follow(page, "Open the sandbox's wallet");
    await arrive(page, 'Share your identity?');
    await both(page, 'german-ask');
    await page.getByText('Make something go wrong').click();
    await shoot(page, 'german-ask-scenarios');
    await page.getByLabel('Whose identity card is this?').selectOption('long_names');
    await press(page, 'Change card');
    await shoot(page, 'german-ask-long-names');
    await page.getByLabel('Whose identity card is this?').selectOption('erika');
    await press(page, 'Change card');
    const wallet = page.url();
    await press(page, 'Share');
    await arrive(page, 'Enter your PIN');
    await both(page, 'german-pin');
    await press(page, 'Continue');
    await arrive(page, 'That PIN is wrong');
    await both(page, 'german-pin-wrong');
    await enterPin(page, '123456');
    await arrive(page, 'Your membership');
    await page.goto(link);
    await arrive(page, 'This request is answered');
    await shoot(page, 'german-answered');
    await page.goto(wallet);
    await arrive(page, 'Done');
    await both(page, 'german-done');
  });

  test('another device', async () => {
    const desktop = await stage.open();
    await goToHandOver(desktop, stage.url);
    await press(desktop, 'On another device');
    await arrive(desktop, 'Scan this with your phone');
    await both(desktop, 'german-qr');
    const other = await stage.open();
    await other.goto(desktop.url());
    await arrive(other, 'Open in another browser');
    await shoot(other, 'german-elsewhere');
  });

  test('three wrong PINs: the card is blocked, and the app says that it did not work', async () => {
    const page = await toWallet();
    await press(page, 'Share');
    for (const tries of [1, 2, 3]) await enterPin(page, `00000${tries}`);
    await arrive(page, 'This card is blocked');
    await both(page, 'german-blocked');
    await press(page, 'Back to the app');
    await arrive(page, 'That did not work');
  });

  test('an app that does not take the callback', async () => {
    const page = await toWallet();
    const { redirectUrl } = stage.sandbox;
    stage.sandbox.redirectUrl = `${stage.url}/nobody-here`;
    await shareWithPin(page);
    await arrive(page, 'The app answered 403');
    await shoot(page, 'german-problem');
    stage.sandbox.redirectUrl = redirectUrl;
    await press(page, 'Send the callback again');
    await arrive(page, 'This request is answered'); // the way back was the wallet's, once
    await page.goto(`${stage.sandbox.url}/holder/nothing`);
    await shoot(page, 'german-gone');
  });

  test('the developer’s pages: home, timeline, simulate', async () => {
    const page = await toWallet();
    await page.getByText('Make something go wrong').click();
    await page.getByLabel('What shall happen?').selectOption('wrong_nonce');
    await press(page, 'Let it happen');
    await enterPin(page, '123456');
    await arrive(page, 'Your proof was not accepted');
    await page.goto(stage.sandbox.url);
    await arrive(page, 'The identity verification service, on this machine');
    await both(page, 'german-home');
    await page.locator('.flows a').first().click();
    await page.getByRole('heading', { name: 'Verification at' }).waitFor();
    await page.getByText('presentation_invalid').first().waitFor();
    await page.getByText('Sent').first().click();
    await both(page, 'german-timeline');
    await page.goto(`${stage.sandbox.url}/simulate`);
    await both(page, 'german-simulate');
    await page.getByLabel('A page of your app').fill(`${stage.url}/machines`);
    await page.getByLabel('Scenario').selectOption('declined');
    await press(page, 'Start');
    await arrive(page, 'All is as it should be');
    await shoot(page, 'german-simulated');
    await page.goto(`${stage.sandbox.url}/simulate`);
    await page.getByLabel('A page of your app').fill(`${stage.url}/`);
    await page.getByLabel('Scenario').selectOption('approve');
    stage.sandbox.redirectUrl = `${stage.url}/nobody-here`;
    await press(page, 'Start');
    await arrive(page, '1 of 1 went wrong');
    expect(await page.getByText('Read on').count()).toBe(1);
    await both(page, 'german-simulated-wrong');
    await page.goto(`${stage.sandbox.url}/simulate`);
    await page.getByLabel('A page of your app').fill('https://shop.example/');
    await press(page, 'Start');
    await page.getByRole('alert').waitFor();
    await shoot(page, 'german-simulate-refused');
  });
});

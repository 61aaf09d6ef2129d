import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { languages as appTexts } from '../../../example-app/texts/index.js';
import { languages as sandboxTexts } from '../../../lib/dev/sandbox/pages/texts/languages.js';
import { builtIn } from '../../../lib/options/pages/languages.js';
import { scenarioIds } from '../../../lib/dev/sandbox/scenarios/catalogue.js';
import { emptyShots, shoot, shootAt, shootWhen } from './shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import {
  arrive,
  arriveAtWallet,
  enterPin,
  follow,
  goToHandOver,
  press,
  share,
  shareWithPin,
} from '../steps.js';

emptyShots('german');

describeInChromium('Pictures of the German identity card', () => {
  const running = runInChromium({ issuer: 'de-ausweis' });

  async function toWallet(): Promise<Page> {
    const page = await running.open();
    await goToHandOver(page, running.url);
    await press(page, 'On this device');
    await follow(page, "Open the sandbox's wallet");
    await arrive(page, 'Share this information?');
    return page;
  }

  test('this device', async () => {
    const page = await running.open();
    await goToHandOver(page, running.url);
    await shoot(page, 'german-choice', 'both');
    await press(page, 'On this device');
    await shootWhen(page, 'Open your wallet', 'german-link', 'both');
    const cancel = await page.getByRole('button', { name: 'Cancel and go back' }).boundingBox();
    const valid = await page.getByText('Valid until').boundingBox();
    expect((valid?.y ?? 0) - (cancel?.y ?? 0) - (cancel?.height ?? 0)).toBeGreaterThanOrEqual(8); // a gap between them
    await page.getByText('Use your own wallet').click();
    await shoot(page, 'german-link-own-wallet');
    const link = page.url();
    await follow(page, "Open the sandbox's wallet");
    await shootWhen(page, 'Share this information?', 'german-ask', 'both');
    await page.getByText('Make something go wrong').click();
    await shoot(page, 'german-ask-scenarios');
    await page.getByLabel('Whose identity card is this?').selectOption('long_names');
    await press(page, 'Change card');
    await shoot(page, 'german-ask-long-names');
    await page.getByLabel('Whose identity card is this?').selectOption('erika');
    await press(page, 'Change card');
    const wallet = page.url();
    await press(page, 'Share');
    await shootWhen(page, 'Enter your PIN', 'german-pin', 'both');
    await enterPin(page, '000000');
    await shootWhen(page, 'That PIN is wrong', 'german-pin-wrong', 'both');
    await enterPin(page, '123456');
    await arrive(page, 'Your membership');
    await page.goto(link);
    await shootWhen(page, 'This request is answered', 'german-answered');
    await page.goto(wallet);
    await shootWhen(page, 'Done', 'german-done', 'both');
  });

  test('another device', async () => {
    const desktop = await running.open();
    await goToHandOver(desktop, running.url);
    await press(desktop, 'On another device');
    await shootWhen(desktop, 'Scan this with your phone', 'german-qr', 'both');
    const other = await running.open();
    await other.goto(desktop.url());
    await shootWhen(other, 'This page is open in another browser', 'german-elsewhere');
  });

  const others = Object.entries(appTexts).filter(([lang]) => lang !== 'en');
  test.each(others)('P15 in %s, for a browser that asks for it', async (lang, { notVerified }) => {
    const say = sandboxTexts.find((texts) => texts.lang === lang);
    const texts = await builtIn[lang]?.();
    if (say === undefined || texts === undefined) throw new Error(`Not everybody speaks ${lang}.`);
    const page = await running.open({ locale: lang });
    const take = async (name: string): Promise<void> =>
      await shoot(page, `german-${lang}-${name}`, 'light', lang);
    await page.goto(`${running.url}/membership`);
    await press(page, texts.start_button);
    await arriveAtWallet(page);
    await take('choice');
    await press(page, say.onAnotherDevice);
    await arrive(page, say.scanTitle);
    await take('qr');
    await press(page, say.useThisDevice);
    await arrive(page, say.openWalletTitle);
    await take('link');
    await follow(page, say.openBuiltIn);
    await arrive(page, say.shareTitle);
    await page.getByText(say.goWrong).click();
    await take('ask');
    await share(page);
    await arrive(page, say.pinTitle);
    await take('pin');
    const pin = page.getByLabel(say.pinLabel);
    for (const title of [say.pinWrong, say.pinWrong, say.blockedTitle]) {
      await pin.fill('000000');
      await press(page, say.continue);
      await arrive(page, title);
      await take(title === say.pinWrong ? 'pin-wrong' : 'blocked');
    }
    await press(page, say.backToApp);
    await arrive(page, notVerified.cardBlocked.title);
  });

  test('three wrong PINs: the card is blocked, and the app says that it did not work', async () => {
    const page = await toWallet();
    await press(page, 'Share');
    for (const tries of [1, 2, 3]) await enterPin(page, `00000${tries}`);
    await shootWhen(page, 'This card is blocked', 'german-blocked', 'both');
    await press(page, 'Back to the website');
    await arrive(page, 'Your identity card is blocked');
  });

  test('an app that does not take the callback', async () => {
    const page = await toWallet();
    const { redirectUrl } = running.sandbox;
    running.sandbox.redirectUrl = `${running.url}/nobody-here`;
    await shareWithPin(page);
    await shootWhen(page, 'The app answered 403', 'german-problem');
    running.sandbox.redirectUrl = redirectUrl;
    await press(page, 'Send the callback again');
    await arrive(page, 'This request is answered'); // the way back was the wallet's, once
    await shootAt(page, `${running.sandbox.url}/holder/nothing`, 'german-gone');
  });

  test('the developer’s pages: home, timeline, simulate', async () => {
    const page = await toWallet();
    await page.getByText('Make something go wrong').click();
    await page.getByLabel('What should happen?').selectOption('wrong_nonce');
    await press(page, 'Run this scenario');
    await enterPin(page, '123456');
    await arrive(page, 'Your proof was not accepted');
    await page.goto(running.sandbox.url);
    await shootWhen(page, 'The identity service, on this machine', 'german-home', 'both');
    await page.locator('.flows a').first().click();
    await arrive(page, 'Date of birth');
    await page.locator('#checks-passed summary').click();
    await page.getByText('presentation_invalid').first().waitFor();
    await page.locator('#sent-0 summary').click();
    await shoot(page, 'german-timeline', 'both');
    await shootAt(page, `${running.sandbox.url}/simulate`, 'german-simulate', 'both');
    await page.getByLabel('A page of your app').fill(`${running.url}/machines`);
    await page.getByRole('button', { name: 'Play: The person declines.' }).click();
    await page.getByText(/\d+ passed/).waitFor();
    await page.getByText('What passed').click();
    await shoot(page, 'german-simulated');
    await page.goto(`${running.sandbox.url}/simulate`);
    await page.getByLabel('A page of your app').fill(`${running.url}/`);
    running.sandbox.redirectUrl = `${running.url}/nobody-here`;
    await page.getByRole('button', { name: 'Play: The person shares' }).click();
    await page.getByText('1 of 1 went wrong.').waitFor();
    expect(await page.getByText('See: ').count()).toBe(1);
    await shoot(page, 'german-simulated-wrong', 'both');
    await page.goto(`${running.sandbox.url}/simulate`);
    await page.getByLabel('A page of your app').fill('https://shop.example/');
    await press(page, `Play all ${scenarioIds.length}`);
    await page.getByRole('alert').waitFor();
    await shoot(page, 'german-simulate-refused');
  });
});

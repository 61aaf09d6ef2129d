import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { emptyShots, shoot, shootAt } from './shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, follow, press, share, shareWithPin } from '../steps.js';

emptyShots('tour');

describeInChromium('Pictures of the tour', () => {
  const running = runInChromium({ issuer: 'de-ausweis', mode: 'development' });

  /** From a stop of the tour, over the start page of the app, to the end of it. */
  async function take(page: Page, stop: string): Promise<void> {
    await page.goto(`${running.sandbox.url}/#try`);
    await page.locator(`a[href="/try/${stop}"]`).click();
    await press(page, 'Continue to my wallet');
    await arriveAtWallet(page);
    await press(page, 'On this device');
    await follow(page, "Open the sandbox's wallet");
    if (stop !== 'erika') await shoot(page, `tour-wallet-${stop}`);
    await shareWithPin(page);
  }

  /** Each stop in a browser of its own, so that the app has no result yet. */
  const open = async (more: BrowserContextOptions = {}): Promise<Page> => await running.open(more);

  test('P22 Erika, Leon and a forged card, and what each timeline shows', async () => {
    await shootAt(await open(), running.sandbox.url, 'tour-home', 'both');
    const erika = await open();
    await take(erika, 'erika');
    await arrive(erika, 'Machines');
    const leon = await open();
    await take(leon, 'leon');
    await leon.getByText('18').first().waitFor();
    const forged = await open();
    await take(forged, 'forged');
    await arrive(forged, 'Your proof was not accepted');

    const page = await open();
    await page.goto(running.sandbox.url);
    await page.getByText('{"adult":true}').waitFor();
    await page.getByText('{"adult":false}').waitFor();
    await page.getByText('K02').first().waitFor();
    await shoot(page, 'tour-home-after', 'both');
    await page.getByRole('link', { name: 'The timeline' }).first().click();
    await page.getByText('released').first().waitFor();
    expect(await page.locator('.facts dd').allInnerTexts()).toEqual([
      'Date of birth',
      'Date of birth',
      expect.stringMatching(/^\d+ checks passed\. Every check$/),
      '{"adult":true}',
    ]);
    await shoot(page, 'tour-timeline', 'both');
    await page.goto(running.sandbox.url);
    await page.getByRole('link', { name: 'The timeline' }).last().click();
    await page.getByText('Your app reports the same check.').waitFor();
    await page.locator('#checks-passed summary').click();
    await page.locator('#checks-unmet summary').click();
    await shoot(page, 'tour-timeline-forged', 'both');
  });

  test('P22 by keys alone, without JavaScript', async () => {
    const page = await open({ javaScriptEnabled: false });
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
    await enter('Be Erika');
    await enter('Continue to my wallet');
    await arriveAtWallet(page);
    await enter('On this device');
    await enter("Open the sandbox's wallet");
    await arrive(page, 'Share this information?');
    await enter('Share');
    await arrive(page, 'Enter your PIN');
    await page.keyboard.type('123456'); // the field has the focus
    await page.keyboard.press('Enter');
    await arrive(page, 'Machines');
    await page.goto(running.sandbox.url);
    await enter('The timeline');
    await arrive(page, 'age');
    await enter('Next: Leon, a no');
    await arrive(page, 'Prove your age');
  });
});

describeInChromium('Pictures of the wallet of xx-sandbox', () => {
  const running = runInChromium({ mode: 'development' });

  test('P33 says why, and lets one choose the person', async () => {
    const page = await running.open();
    await page.goto(`${running.sandbox.url}/try/leon`);
    await press(page, 'Continue to my wallet');
    await arrive(page, 'Drehmoment asks for this information');
    await page.getByText('Make something go wrong').click();
    await shoot(page, 'tour-wallet-xx', 'both');
    await page.getByLabel('Whose identity card is this?').selectOption('erika');
    await share(page);
    await arrive(page, 'Machines');
  });
});

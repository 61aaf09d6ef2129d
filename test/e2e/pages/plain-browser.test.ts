import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInChromium, setStage } from '../running-app.js';
import { arrive, arriveAtWallet, follow, goToWallet, logIn, press, share } from '../steps.js';

const most = 20;

/** Moves the focus with the Tab key to a control with this name, where the focus can be seen. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focus = page.locator(':focus');
  for (let steps = 0; steps < most; steps += 1) {
    await page.keyboard.press('Tab');
    if ((await focus.count()) === 0 || (await focus.innerText()) !== name) continue;
    const outline = await focus.evaluate((element) => getComputedStyle(element).outlineStyle);
    expect([name, outline]).toEqual([name, 'solid']);
    return;
  }
  throw new Error(`${most} Tabs did not lead to "${name}"`);
}

async function enter(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

describeInChromium('In a browser', () => {
  const stage = setStage();

  test('without JavaScript: the whole flow, and the data forgotten', async () => {
    const page = await stage.open({ javaScriptEnabled: false });
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page, 'Go to the machines');
    await share(page);
    await arrive(page, 'Machines');
    await follow(page, 'All that we keep about you');
    await press(page, 'Forget my data');
    await page.getByText('No verification is stored.').waitFor();
  });

  test('with the keyboard alone: the whole flow, and the data forgotten', async () => {
    const page = await stage.open();
    await page.goto(stage.url);
    await enter(page, 'Log in as Erika');
    await page.getByRole('heading', { name: 'Hello, Erika Mustermann' }).waitFor();
    await enter(page, 'Go to the machines');
    await arrive(page, 'Prove who you are');
    await enter(page, 'Continue to my wallet');
    await arriveAtWallet(page);
    await enter(page, 'Share');
    await arrive(page, 'Machines');
    await enter(page, 'All that we keep about you');
    await enter(page, 'Forget my data');
    await page.getByText('No verification is stored.').waitFor();
  });

  test('with the keyboard alone: decline, and start again', async () => {
    const page = await stage.open();
    await page.goto(stage.url);
    await enter(page, 'Log in as Erika');
    await page.getByRole('heading', { name: 'Hello, Erika Mustermann' }).waitFor();
    await enter(page, 'Verify my identity');
    await arrive(page, 'Prove who you are');
    await enter(page, 'Continue to my wallet');
    await arriveAtWallet(page);
    await enter(page, 'Decline');
    await arrive(page, 'You kept your data to yourself');
    await enter(page, 'My membership');
    await arrive(page, 'Prove who you are');
  });
});

describeInChromium('In a browser without JavaScript, with a SameSite=Strict session cookie', () => {
  const stage = setStage({ cookie: { sameSite: 'strict' } });

  test('the step on the app’s own site needs no script', async () => {
    const page = await stage.open({ javaScriptEnabled: false });
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page, 'Go to the machines');
    await share(page);
    await arrive(page, 'Machines');
  });
});

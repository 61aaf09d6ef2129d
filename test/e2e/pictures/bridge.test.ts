import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openScene, type Scene } from '../../bridge/scene.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive } from '../steps.js';
import { emptyShots, shoot } from './shots.js';

emptyShots('bridge');

/** Starts in the app behind a bridge, and comes to the bridge's page. */
async function toBridge({ app }: Scene, page: Page): Promise<void> {
  await page.goto(`${app.url}/identity/start?returnTo=/club`);
  await page.getByRole('button').first().click();
  await arrive(page, `${new URL(app.url).host} asks for your identity`);
}

/** Has a wallet answer the request on a page. */
async function answer({ wallet }: Scene, page: Page): Promise<void> {
  const link = await page.locator('a[href^="haip-vp:"]').getAttribute('href');
  const opened = await wallet.open(link ?? '');
  await opened.send(await opened.respond());
}

describeInChromium('The pages of the bridge', () => {
  const running = runInChromium();

  test.each([
    ['link', true],
    ['code', false],
  ])('a %s to the wallet, and another browser', async (name, sameDevice) => {
    const scene = await openScene('eu', { sameDevice });
    const [page, other] = [await running.open(), await running.open()];
    await toBridge(scene, page);
    await shoot(page, `bridge-${name}`);
    await other.goto(page.url());
    await shoot(other, `bridge-elsewhere-${name}`);
  });

  test('an app that does not answer, one that refuses, and a job that is over', async () => {
    const scene = await openScene('eu');
    const page = await running.open({ javaScriptEnabled: false });
    await toBridge(scene, page);
    await answer(scene, page);
    scene.callbacks.mood = 503;
    await arrive(page, `Your answer is on its way to ${new URL(scene.app.url).host}`);
    scene.callbacks.mood = 400;
    await arrive(page, `${new URL(scene.app.url).host} could not take your answer`);
    const withScripts = await running.open();
    await withScripts.context().addCookies(await page.context().cookies());
    await withScripts.goto(page.url());
    await shoot(withScripts, 'bridge-refused');
    await withScripts.goto(`${scene.bridgeUrl}/verify/nobody`);
    await shoot(withScripts, 'bridge-over');
  });

  test.each([true, false])('the page goes on by itself, with JavaScript %s', async (javaScriptEnabled) => {
    const scene = await openScene('eu');
    const page = await running.open({ javaScriptEnabled });
    await toBridge(scene, page);
    await answer(scene, page);
    await page.waitForURL(`${scene.app.url}/club`);
    expect(await page.textContent('body')).toBe('"ERIKA"');
  });

  test('by keyboard: the focus is seen, stays while the page asks, and Cancel leads back', async () => {
    const scene = await openScene('eu', { sameDevice: true });
    const page = await running.open();
    await toBridge(scene, page);
    const asked = page.waitForRequest((request) => request.resourceType() === 'fetch');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Open my wallet');
    await page.keyboard.press('Tab');
    await (await asked).response();
    const focus = page.locator(':focus');
    expect(await focus.innerText()).toContain('Cancel, and go back to');
    expect(await focus.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
    await page.keyboard.press('Enter');
    await page.waitForURL(/error=declined/);
  });
});

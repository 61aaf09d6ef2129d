import { expect, test } from '@jest/globals';
import jsQR from 'jsqr';
import type { Page } from 'playwright-core';
import { expectNoAxe } from './axe.js';
import { emptyShots, shoot } from './pictures/shots.js';
import { describeInChromium, setStage } from './stage.js';
import { arrive, follow, logIn, press } from './steps.js';

emptyShots('german');

/** What a phone's camera would read from the screen. */
async function scan(page: Page): Promise<string> {
  const picture = (await page.locator('svg.qr').screenshot()).toString('base64');
  const decoder = await page.context().newPage();
  const { dark, width, height } = await decoder.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const { width: across, height: down } = image;
    const context = new OffscreenCanvas(across, down).getContext('2d');
    context?.drawImage(image, 0, 0);
    const bytes = context?.getImageData(0, 0, across, down).data ?? new Uint8ClampedArray();
    // One character a pixel: a list of numbers would take seconds on its way.
    const pixels = Array.from({ length: across * down }, (_, at) => ((bytes[4 * at] ?? 0) < 128 ? '1' : '0'));
    return { dark: pixels.join(''), width: across, height: down };
  }, picture);
  await decoder.close();
  const rgba = Uint8ClampedArray.from(
    Array.from(dark).flatMap((pixel) => (pixel === '1' ? [0, 0, 0, 255] : [255, 255, 255, 255])),
  );
  return jsQR.default(rgba, width, height)?.data ?? '';
}

describeInChromium('In a browser, the way of the German identity card', () => {
  const stage = setStage({ issuer: 'de-ausweis' });

  async function toService(page: Page): Promise<void> {
    await logIn(page, stage.url, 'Erika');
    await follow(page, 'Verify my identity');
    await press(page, 'Continue to my wallet');
    await page.getByRole('heading', { name: 'asks for your identity' }).waitFor();
  }

  async function shareAndPin(wallet: Page): Promise<void> {
    await arrive(wallet, 'Share your identity?');
    await press(wallet, 'Share');
    await arrive(wallet, 'Enter your PIN');
    await wallet.getByLabel('PIN of your identity card').fill('123456');
    await press(wallet, 'Continue');
  }

  test('this device: link, PIN, back to the app', async () => {
    const page = await stage.open();
    await toService(page);
    await expectNoAxe(page);
    await shoot(page, 'german-choice');
    await press(page, 'On this device');
    await arrive(page, 'Open your wallet');
    await expectNoAxe(page);
    await shoot(page, 'german-link');
    await shoot(page, 'german-link', 'dark');
    await follow(page, "Open the sandbox's wallet");
    await arrive(page, 'Share your identity?');
    await expectNoAxe(page);
    await shoot(page, 'german-ask');
    await shoot(page, 'german-ask', 'dark');
    await press(page, 'Share');
    await arrive(page, 'Enter your PIN');
    await expectNoAxe(page);
    await shoot(page, 'german-pin');
    await press(page, 'Continue');
    await arrive(page, 'That PIN is wrong');
    await expectNoAxe(page);
    await shoot(page, 'german-pin-wrong');
    await page.getByLabel('PIN of your identity card').fill('123456');
    await press(page, 'Continue');
    await arrive(page, 'Thank you, that is you');
  });

  test('another device: the QR code on the screen, the phone in a browser of its own', async () => {
    const desktop = await stage.open();
    await toService(desktop);
    await press(desktop, 'On another device');
    await arrive(desktop, 'Scan this with your phone');
    await expectNoAxe(desktop);
    const scanned = new URL(await scan(desktop));
    expect(scanned.protocol).toBe('openid4vp:');
    const phone = await stage.open({ viewport: { width: 390, height: 844 } });
    // The phone has the sandbox's wallet for this kind of link.
    await phone.goto(`${stage.sandbox.url}/holder${scanned.search}`);
    await shareAndPin(phone);
    await arrive(phone, 'Done');
    await expectNoAxe(phone);
    await shoot(phone, 'german-done');
    await arrive(desktop, 'Thank you, that is you');
    expect(desktop.url()).toBe(`${stage.url}/verified`);
  });

  test('a page that was sent on opens in no second browser', async () => {
    const desktop = await stage.open();
    await toService(desktop);
    await press(desktop, 'On another device');
    await arrive(desktop, 'Scan this with your phone');
    await shoot(desktop, 'german-qr');
    await shoot(desktop, 'german-qr', 'dark');
    const other = await stage.open();
    await other.goto(desktop.url());
    await arrive(other, 'Open in another browser');
    await expectNoAxe(other);
    await shoot(other, 'german-elsewhere');
  });

  test('three wrong PINs: the card is blocked, and the app says that it did not work', async () => {
    const page = await stage.open();
    await toService(page);
    await press(page, 'On this device');
    await follow(page, "Open the sandbox's wallet");
    await press(page, 'Share');
    for (const tries of [1, 2, 3]) {
      await page.getByLabel('PIN of your identity card').fill(`00000${tries}`);
      await press(page, 'Continue');
    }
    await arrive(page, 'This card is blocked');
    await expectNoAxe(page);
    await shoot(page, 'german-blocked');
    await press(page, 'Back to the app');
    await arrive(page, 'That did not work');
  });

  test('with the keyboard alone, as somebody else, without JavaScript', async () => {
    const page = await stage.open({ javaScriptEnabled: false });
    await toService(page);
    await page.getByRole('button', { name: 'On this device' }).press('Enter');
    await page.getByRole('link', { name: "Open the sandbox's wallet" }).press('Enter');
    await page.getByLabel('Whose identity card is this?').selectOption('minor');
    await page.getByRole('button', { name: 'Change card' }).press('Enter');
    await page.getByText('LEON', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).press('Enter');
    await page.getByLabel('PIN of your identity card').fill('123456');
    await page.getByLabel('PIN of your identity card').press('Enter');
    await arrive(page, 'This is not your account');
  });

  test('without JavaScript the page that waits goes on by itself', async () => {
    const desktop = await stage.open({ javaScriptEnabled: false });
    await toService(desktop);
    await press(desktop, 'On another device');
    await arrive(desktop, 'Scan this with your phone');
    const link = await desktop
      .getByRole('link', { name: "Open the sandbox's wallet in a new window" })
      .getAttribute('href');
    const phone = await stage.open();
    await phone.goto(link ?? '');
    await shareAndPin(phone);
    await arrive(desktop, 'Thank you, that is you');
  });

  test('the developer’s pages: home, timeline, simulate', async () => {
    const page = await stage.open();
    await page.goto(stage.sandbox.url);
    await arrive(page, 'The identity verification service, on this machine');
    await expectNoAxe(page);
    await shoot(page, 'german-home');
    await shoot(page, 'german-home', 'dark');
    await page.locator('.flows a').first().click();
    await page.getByRole('heading', { name: 'Verification at' }).waitFor();
    await page.getByText('Sent').first().click();
    await expectNoAxe(page);
    await shoot(page, 'german-timeline');
    await shoot(page, 'german-timeline', 'dark');
    await page.goto(`${stage.sandbox.url}/simulate`);
    await expectNoAxe(page);
    await shoot(page, 'german-simulate');
    await page.getByLabel('A page of your app').fill(`${stage.url}/machines`);
    await page.getByLabel('Scenario').selectOption('declined');
    await press(page, 'Start');
    await arrive(page, 'All is as it should be');
    await expectNoAxe(page);
    await shoot(page, 'german-simulated');
  });
});

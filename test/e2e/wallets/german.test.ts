import { expect, test } from '@jest/globals';
import jsQR from 'jsqr';
import type { Page } from 'playwright-core';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, goToHandOver, press, shareWithPin } from '../steps.js';

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
  const running = runInChromium({ issuer: 'de-ausweis' });

  test('another device: the QR code on the screen, the phone in a browser of its own', async () => {
    const desktop = await running.open();
    await goToHandOver(desktop, running.url);
    await press(desktop, 'On another device');
    await arrive(desktop, 'Scan this with your phone');
    const scanned = new URL(await scan(desktop));
    expect(scanned.protocol).toBe('openid4vp:');
    const other = await running.open();
    await other.goto(desktop.url());
    await arrive(other, 'This page is open in another browser');
    const phone = await running.open({ viewport: { width: 390, height: 844 } });
    // The phone has the sandbox's wallet for this kind of link.
    await phone.goto(`${running.sandbox.url}/holder${scanned.search}`);
    await shareWithPin(phone);
    await arrive(phone, 'Done');
    await arrive(desktop, 'Your membership');
    expect(desktop.url()).toBe(`${running.url}/membership`);
  });

  test('with the keyboard alone, as somebody else, without JavaScript', async () => {
    const page = await running.open({ javaScriptEnabled: false });
    await goToHandOver(page, running.url);
    await page.getByRole('button', { name: 'On this device' }).press('Enter');
    await page.getByRole('link', { name: "Open the sandbox's wallet" }).press('Enter');
    await page.getByRole('button', { name: 'Leon (17)' }).press('Enter');
    await page.getByText('LEON', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).press('Enter');
    await page.getByLabel('PIN of your identity card').fill('123456');
    await page.getByLabel('PIN of your identity card').press('Enter');
    await arrive(page, 'This ID does not fit the account');
  });

  test('without JavaScript the page that waits goes on by itself', async () => {
    const desktop = await running.open({ javaScriptEnabled: false });
    await goToHandOver(desktop, running.url);
    await press(desktop, 'On another device');
    await arrive(desktop, 'Scan this with your phone');
    const link = await desktop
      .getByRole('link', { name: "Open the sandbox's wallet in a new window" })
      .getAttribute('href');
    const phone = await running.open();
    await phone.goto(link ?? '');
    await shareWithPin(phone);
    await arrive(desktop, 'Your membership');
  });
});

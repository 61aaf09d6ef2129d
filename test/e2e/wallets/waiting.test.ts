import { expect, test } from '@jest/globals';
import type { RequestHandler } from 'express';
import jsQR from 'jsqr';
import type { Page } from 'playwright-core';
import { linksOn } from '../../support/wallets.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { enter, tabTo } from '../keys.js';
import { arrive, follow, press } from '../steps.js';
import { answer, asked, begin, decline, openScene, pass, phone } from './scene.js';

// The page that waits for a wallet, in a browser: it is the one page of the kit with a script.

describeInChromium('The page that waits for a wallet', () => {
  const running = runInChromium();

  test('goes on by itself after an answer by the code, under its own policy', async () => {
    const scene = await openScene();
    const page = await running.open();
    await begin(scene, page);
    await answer(scene, page, 'code');
    await page.waitForURL(`${scene.url}/club`);
    expect(running.complaints()).toEqual([]);
  });

  test('after an answer by the link it never gets the code, and goes where the return in another tab led', async () => {
    const scene = await openScene();
    const page = await running.open();
    const heard: string[] = [];
    page.on('response', (response) => {
      heard.push(response.url(), response.headers()['location'] ?? '');
      void response.text().then(
        (text) => heard.push(text),
        () => {}, // a redirect has none
      );
    });
    await begin(scene, page);
    const back = await answer(scene, page, 'link');
    await arrive(page, 'Your wallet has answered');
    await asked(page);
    await page.getByRole('link', { name: 'Start again' }).waitFor();
    expect(linksOn(await page.content())).toEqual({});
    const secret = /code=([^&]+)/.exec(back)?.[1] ?? '';
    expect(secret).toHaveLength(87);
    expect(heard.join(' ')).not.toContain(secret.slice(44));
    const other = await page.context().newPage();
    await other.goto(back);
    await arrive(other, 'Club');
    await page.waitForURL(`${scene.url}/club`);
    expect(heard.join(' ')).not.toContain(secret.slice(44));
  });

  test('a notice appears above the code without leaving, and the same code can be answered', async () => {
    const scene = await openScene();
    const page = await running.open();
    await begin(scene, page);
    const before = page.url();
    const { code } = linksOn(await page.content());
    await decline(scene, page);
    const notice = page.getByRole('status').getByText('An answer came, but it does not count');
    await notice.waitFor();
    expect(await notice.innerText()).toMatch(/“Your wallet shared nothing”.*\w{4}-\w{4} \(not_shared\)$/);
    expect([page.url(), linksOn(await page.content()).code]).toEqual([before, code]);
    const top = async (selector: string): Promise<number> =>
      (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
    expect(await top('#notice')).toBeLessThan(await top('svg.qr'));
    await answer(scene, page, 'code');
    await page.waitForURL(`${scene.url}/club`);
  });

  test('Cancel says that you cancelled, and the wallet’s answer comes too late', async () => {
    const scene = await openScene();
    const page = await running.open();
    await begin(scene, page);
    const opened = await scene.wallet.open(linksOn(await page.content()).code ?? '');
    await press(page, 'Cancel this request');
    await arrive(page, 'You cancelled');
    await opened.send(await opened.respond());
    expect(scene.events.map(({ type }) => type)).not.toContain('flow.verified');
    await follow(page, 'Start again');
    await arrive(page, 'Prove who you are');
    expect(new URL(page.url()).searchParams.get('returnTo')).toBe('/club');
  });

  test.each<[string, RequestHandler]>([
    ['is not there', (req) => void req.socket.destroy()],
    ['answers 429', (_req, res) => void res.status(429).set('Retry-After', '20').send('slow down')],
    ['answers 503', (_req, res) => void res.status(503).send('<h1>Maintenance</h1>')],
    ['is another program', (_req, res) => void res.send('<h1>Maintenance</h1>')],
    ['has no such page', (_req, res) => void res.status(404).send('<h1>Not found</h1>')],
  ])('while the app %s it stays, says so after a minute, and goes on afterwards', async (_name, trouble) => {
    const scene = await openScene();
    const page = await running.open();
    await page.clock.install();
    await begin(scene, page);
    const away = page.getByText('Nordlicht is not responding at the moment.');
    scene.trouble = trouble;
    await pass(page, 30);
    expect(await away.isVisible()).toBe(false);
    await pass(page, 61);
    await away.waitFor();
    expect(await page.getByText('Did your wallet show an error?').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Back to Nordlicht' }).waitFor();
    running.complaints(); // what the network has said
    scene.trouble = undefined;
    await pass(page, 31);
    await away.waitFor({ state: 'hidden' });
    await answer(scene, page, 'code');
    await pass(page, 31);
    await page.waitForURL(`${scene.url}/club`);
  });

  test('says so after a minute without an answer, and two minutes before the end', async () => {
    const scene = await openScene();
    const page = await running.open();
    await page.clock.install();
    await begin(scene, page);
    const slow = page.getByRole('status').getByText('Did your wallet show an error?');
    const soon = page.getByRole('status').getByText('ends in less than two minutes');
    await pass(page, 30);
    expect([await slow.isVisible(), await soon.isVisible()]).toEqual([false, false]);
    await pass(page, 31);
    await slow.waitFor();
    expect(await soon.isVisible()).toBe(false);
    await pass(page, 7 * 60);
    await soon.waitFor();
    await pass(page, 2 * 60);
    await soon.waitFor({ state: 'hidden' });
  });

  test('tells the end of the request by the clock of the browser', async () => {
    const scene = await openScene();
    const page = await running.open({ timezoneId: 'Asia/Kathmandu' });
    await page.clock.install({ time: new Date('2026-11-28T22:30:00Z') });
    await begin(scene, page);
    await page.getByText(/^This request is open until 4:(?:24|25) AM\./).waitFor();
  });

  test('a page that slept goes on when it wakes', async () => {
    const scene = await openScene();
    const page = await running.open();
    await begin(scene, page);
    const { code = '' } = linksOn(await page.content());
    const browser = await page.context().newCDPSession(page);
    await browser.send('Page.setWebLifecycleState', { state: 'frozen' });
    const opened = await scene.wallet.open(code);
    await opened.send(await opened.respond());
    expect(page.url()).toContain('/identity/wallet');
    await browser.send('Page.setWebLifecycleState', { state: 'active' });
    await page.waitForURL(`${scene.url}/club`);
  });

  test('by keys alone: the focus is seen, and stays while the page asks', async () => {
    const scene = await openScene();
    const page = await running.open();
    await page.goto(`${scene.url}/identity/start?returnTo=/club`);
    await enter(page, 'Continue to my wallet');
    await arrive(page, 'Continue in your wallet');
    await enter(page, 'My wallet is on this device');
    await tabTo(page, 'Open my wallet');
    await decline(scene, page);
    await page.getByText('An answer came, but it does not count').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Open my wallet');
    await enter(page, 'Cancel this request');
    await arrive(page, 'You cancelled');
    await enter(page, 'Start again');
    await enter(page, 'Continue to my wallet');
    await arrive(page, 'Continue in your wallet');
    await answer(scene, page, 'code');
    await page.waitForURL(`${scene.url}/club`);
  });

  test('without JavaScript, by the code', async () => {
    const scene = await openScene();
    const page = await running.open({ javaScriptEnabled: false });
    await begin(scene, page);
    await follow(page, 'My wallet has answered');
    await arrive(page, 'Continue in your wallet');
    await answer(scene, page, 'code');
    await follow(page, 'My wallet has answered');
    await page.waitForURL(`${scene.url}/club`);
  });

  test('without JavaScript, by the link', async () => {
    const scene = await openScene();
    const page = await running.open({ javaScriptEnabled: false, ...phone });
    await begin(scene, page);
    const back = await answer(scene, page, 'link');
    await follow(page, 'My wallet has answered');
    await arrive(page, 'Your wallet has answered');
    const other = await page.context().newPage();
    await other.goto(back);
    await arrive(other, 'Club');
    await page.reload();
    await page.waitForURL(`${scene.url}/club`);
  });

  test('two tabs with two flows: each goes where its own start wanted', async () => {
    const scene = await openScene();
    const page = await running.open();
    await begin(scene, page, '/club/first');
    const other = await page.context().newPage();
    await begin(scene, other, '/club/second');
    await answer(scene, page, 'code');
    await page.waitForURL(`${scene.url}/club/first`);
    await asked(other);
    await arrive(other, 'Continue in your wallet');
    await answer(scene, other, 'code');
    await other.waitForURL(`${scene.url}/club/second`);
  });

  test('a browser that keeps no cookies is told so, and the same address works when they come', async () => {
    const scene = await openScene();
    const page = await running.open();
    await begin(scene, page);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await arrive(page, 'Nordlicht does not recognise this browser'); // once: it asks no more
    await page.getByText('Perhaps this browser blocks cookies.').waitFor();
    await page.context().addCookies(cookies);
    await page.reload();
    await arrive(page, 'Continue in your wallet');
  });

  test('on a phone the button is first, and the code folded; on a computer the whole code is in sight', async () => {
    const scene = await openScene();
    const sizes = { phone: { width: 390, height: 664 }, computer: { width: 1366, height: 657 } };
    for (const locale of ['en', 'de', 'fr']) {
      const ofPhone = await running.open({ locale, viewport: sizes.phone, ...phone });
      await begin(scene, ofPhone);
      const bottom = async (page: Page, selector: string): Promise<number> => {
        const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: Number.NaN, height: 0 };
        return y + height;
      };
      expect(await bottom(ofPhone, 'a[href^="openid4vp:"]')).toBeLessThan(sizes.phone.height);
      expect(await bottom(ofPhone, 'summary')).toBeLessThan(sizes.phone.height);
      expect(await ofPhone.locator('svg.qr').isVisible()).toBe(false);
      await ofPhone.locator('summary').click();
      expect(await bottom(ofPhone, 'svg.qr')).toBeLessThan(await bottom(ofPhone, 'form button'));

      const page = await running.open({ locale, viewport: sizes.computer });
      await begin(scene, page);
      expect(await bottom(page, 'svg.qr')).toBeLessThan(sizes.computer.height);
    }
  });

  test('in forced colours a button keeps the colours of the system under the pointer', async () => {
    const scene = await openScene();
    const page = await running.open({ ...phone, forcedColors: 'active' });
    await begin(scene, page);
    for (const button of await page.locator('.button:visible').all()) {
      const colour = async (): Promise<string> =>
        await button.evaluate((element) => getComputedStyle(element).backgroundColor);
      const before = await colour();
      await button.hover();
      expect([await button.innerText(), await colour()]).toEqual([await button.innerText(), before]);
    }
  });

  test('a camera can read the code in the dark, in forced colours, at 320 pixels and at 400 %', async () => {
    const scene = await openScene();
    const page = await running.open();
    const camera = await running.open();
    await begin(scene, page);
    const { code } = linksOn(await page.content());
    for (const [width, height, look] of [
      [1280, 800, {}],
      [1280, 800, { colorScheme: 'dark' }],
      [1280, 800, { forcedColors: 'active', colorScheme: 'dark' }],
      [320, 256, { colorScheme: 'dark' }], // 1280 × 1024 at 400 %
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', ...look });
      const picture = await page.locator('svg.qr').screenshot();
      const [size, seen] = await camera.evaluate(async (png) => {
        const image = new Image();
        image.src = `data:image/png;base64,${png}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
        canvas?.drawImage(image, 0, 0);
        const data = canvas?.getImageData(0, 0, image.width, image.height).data ?? [];
        const reds = [...data].filter((_, at) => at % 4 === 0);
        return [image.width, String.fromCodePoint(...reds)] as const;
      }, picture.toString('base64'));
      const pixels = [...Buffer.from(seen, 'latin1')].flatMap((grey) => [grey, grey, grey, 255]);
      const read = jsQR.default(Uint8ClampedArray.from(pixels), size, seen.length / size);
      expect([width, look, read?.data]).toEqual([width, look, code]);
    }
  });
});

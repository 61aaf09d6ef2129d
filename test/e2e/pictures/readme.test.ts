import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Html, html } from '../../../example-app/pages/html.js';
import { emptyShots } from './shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, enterPin, press, share } from '../steps.js';

emptyShots('verification');

/** A strip of 1200 × 500, whose type can be read where it is shown 800 wide. */
const size = { width: 1200, height: 500 };
const frame = { width: 272, height: 300 };

/** The pages are narrow, so that their type is large in the strip. */
const phone = { width: 246, height: 640 };

const css = `
* { box-sizing: border-box; margin: 0; }
body { width: 1200px; height: 500px; padding: 16px 20px; display: grid; grid-template-rows: auto 1fr auto; gap: 14px;
  font: 600 19px/1.3 system-ui, sans-serif; color: #1f2328; background: #fff; }
body.dark { color: #e6edf3; background: #0d1117; }
code { font: 20px/1.3 ui-monospace, monospace; }
.bar { display: flex; align-items: center; gap: 14px; padding: 11px 18px; border-radius: 10px; background: #eef1f4; }
.dark .bar { background: #1c222b; }
.bar .end { margin-left: auto; }
.name { color: #57606a; }
.dark .name { color: #9aa4af; }
.good { color: #1a7f37; }
.dark .good { color: #56d364; }
.word { color: #0550ae; }
.dark .word { color: #79c0ff; }
.frames { display: grid; grid-template-columns: repeat(4, 272px); justify-content: space-between; align-items: start; }
figure { position: relative; }
figcaption { padding-bottom: 8px; white-space: nowrap; }
.frames div { border: 1px solid #8c959f; border-radius: 12px; overflow: hidden; }
.frames img { display: block; width: 272px; height: 300px; mask-image: linear-gradient(#000 85%, transparent); }
figure + figure::before { content: '→'; position: absolute; left: -24px; top: 160px; font-size: 24px; }`;

const pictures = { light: 'docs/verification.webp', dark: 'docs/verification-dark.webp' } as const;

/** The page from a heading on, without what says that it is a test. */
async function shot(page: Page, from = 'h1'): Promise<string> {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('[role=note], .note')) part.remove();
  });
  const top = (await page.locator(from).first().boundingBox())?.y ?? 0;
  const height = (frame.height / frame.width) * phone.width;
  const clip = { x: 0, y: Math.max(0, top - 10), width: phone.width, height };
  return (await page.screenshot({ clip, fullPage: true })).toString('base64');
}

/** The strip as WebP, which is half of a PNG, and what size it and the committed one have. */
async function toWebp(sheet: Page, png: Buffer, committed: Buffer) {
  return await sheet.evaluate(
    async (sources) => {
      const images = await Promise.all(
        sources.map(async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          return image;
        }),
      );
      const canvas = document.createElement('canvas');
      const [image] = images;
      if (image === undefined) return { webp: '', sizes: [] };
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      const sizes = images.map((one) => [one.width, one.height]);
      return { webp: canvas.toDataURL('image/webp', 0.92), sizes };
    },
    [
      `data:image/png;base64,${png.toString('base64')}`,
      `data:image/webp;base64,${committed.toString('base64')}`,
    ],
  );
}

describeInChromium('the picture of the README', () => {
  const running = runInChromium({ issuer: 'de-ausweis' });

  test.each(['light', 'dark'] as const)(
    'is a strip of real pages, in %s; to renew it: cp test-results/screenshots/verification*.webp docs',
    async (colorScheme) => {
      const page = await running.open({
        viewport: phone,
        deviceScaleFactor: frame.width / phone.width,
        colorScheme,
      });
      const frames: [string, string][] = [];
      await page.goto(`${running.url}/machines`);
      await arrive(page, 'Prove your age');
      frames.push(['1. Your app says why', await shot(page)]);
      await page.reload(); // with what the picture left out
      await press(page, 'Continue to my wallet');
      await arriveAtWallet(page);
      frames.push(['2. The person agrees', await shot(page, 'h2')]);
      await page.reload();
      await share(page);
      await arrive(page, 'Enter your PIN');
      await page.getByLabel('PIN of your identity card').fill('123456');
      frames.push(['3. Card and PIN prove it', await shot(page)]);
      await page.reload();
      await enterPin(page, '123456');
      await arrive(page, 'Machines');
      frames.push(['4. You know: 18 or over', await shot(page)]);
      // What is kept is sealed, so the session says nothing of it; the app's own page of it does.
      await page.goto(`${running.url}/kept`);
      expect(await page.locator('main').innerText()).toMatch(/At least 18\s+yes/);
      const stored = '{"adult":true}';

      const sheet = await running.open({ viewport: size });
      const figure = ([title, picture]: [string, string]): Html =>
        html`<figure>
          <figcaption>${title}</figcaption>
          <div><img alt="" src="data:image/png;base64,${picture}" /></div>
        </figure>`;
      await sheet.setContent(
        html`<body class="${colorScheme}">
          <div class="bar">
            <span class="name">One line guards a page:</span>
            <code>identity.<span class="word">require</span>({ question: 'age' })</code>
          </div>
          <div class="frames">${frames.map(figure)}</div>
          <div class="bar">
            <span class="name">You store</span><code>${stored}</code>
            <span class="good end">✓ all checks of the proof passed</span>
          </div>
        </body>`.markup,
      );
      await sheet.addStyleTag({ content: css });
      const whole = await sheet.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.scrollHeight,
      ]);
      expect(whole).toEqual([size.width, size.height]); // nothing is cut
      const kept = pictures[colorScheme];
      const { webp, sizes } = await toWebp(sheet, await sheet.screenshot(), readFileSync(kept));
      writeFileSync(
        kept.replace('docs', 'test-results/screenshots'),
        Buffer.from(webp.replace(/^.*,/, ''), 'base64'),
      );
      expect(sizes).toEqual([
        [size.width, size.height],
        [size.width, size.height],
      ]);
      expect(statSync(kept).size).toBeLessThan(300_000);
    },
  );
});

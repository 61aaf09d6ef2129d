import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Html, html } from '../../../example-app/pages/html.js';
import { endAll, runNode } from '../../support/run-app.js';
import { root } from '../../support/root.js';
import { phone } from '../wallets/scene.js';
import { emptyShots } from './shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, enterPin, follow, press, share } from '../steps.js';

emptyShots('verification');
afterAll(endAll);

/**
 * Tall, because type can be read where a phone shows it 360 wide; and wide, so that it leaves room for the words
 * beside it on a computer, which shows it 838 wide.
 */
const layouts = {
  tall: { width: 800, height: 1370 },
  wide: { width: 1676, height: 524 },
} as const;
const frame = { width: 372, height: 352 };

/** The pages are narrow, so that their type is large in the picture. */
const viewport = { width: 246, height: 640 };

const css = `
* { box-sizing: border-box; margin: 0; }
body { display: grid; font: 600 25px/1.3 system-ui, sans-serif; color: #1f2328; background: #fff; }
body.tall { width: 800px; height: 1370px; padding: 18px 20px; grid-template-rows: auto 1fr; gap: 18px; }
body.wide { width: 1676px; height: 524px; padding: 8px 0; grid-template-rows: auto 1fr; gap: 16px; }
body.dark { color: #e6edf3; background: #0d1117; }
code { font: 25px/1.3 ui-monospace, monospace; }
.bar { padding: 12px 18px; border-radius: 12px; background: #eef1f4; }
.dark .bar { background: #1c222b; }
.tall .bar code { display: block; white-space: nowrap; }
.name { color: #57606a; }
.dark .name { color: #9aa4af; }
.good { color: #1a7f37; }
.dark .good { color: #56d364; }
.bad { color: #b42318; }
.dark .bad { color: #ff8f85; }
.word { color: #0550ae; }
.dark .word { color: #79c0ff; }
.frames { display: grid; align-content: space-between; }
.tall .frames { grid-template-columns: 372px 372px; gap: 18px 16px; }
.wide .frames { grid-template-columns: repeat(5, minmax(0, 1fr)); gap: 18px; }
.wide figcaption, .wide .kept, .wide .kept code { font-size: 23px; }
figcaption { padding-bottom: 8px; white-space: nowrap; }
figure div { border: 1px solid #8c959f; border-radius: 14px; overflow: hidden; }
figure img { display: block; width: 100%; aspect-ratio: 372 / 352; mask-image: linear-gradient(#000 85%, transparent); }
.store dl { margin-top: 16px; }
.store dd { margin: 4px 0 0; }
.kept { padding-top: 8px; white-space: nowrap; }
.tall .kept, .wide .store { display: none; }`;

const pictureOf = (layout: keyof typeof layouts, colorScheme: 'light' | 'dark'): string =>
  `docs/verification${layout === 'tall' ? '-tall' : ''}${colorScheme === 'dark' ? '-dark' : ''}.webp`;

/** The page from a heading on, without what says that it is a test. */
async function shot(page: Page, from = 'h1'): Promise<string> {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('[role=note], .note')) part.remove();
  });
  const top = (await page.locator(from).first().boundingBox())?.y ?? 0;
  const height = (frame.height / frame.width) * viewport.width;
  const clip = { x: 0, y: Math.max(0, top - 10), width: viewport.width, height };
  return (await page.screenshot({ clip, fullPage: true })).toString('base64');
}

/** The picture as WebP, which is half of a PNG, and what size it and the committed one have. */
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
  const running = runInChromium();

  test.each(['light', 'dark'] as const)(
    'is made of real pages of an app that asks a wallet itself, in %s; to renew it: cp test-results/screenshots/verification*.webp docs',
    async (colorScheme) => {
      const cli = ['dist/dev/cli/main.mjs', 'dev', 'example-app/main.ts', '--wallets'];
      const app = await runNode(cli, root);
      await app.says('PIN');
      const [, sandbox = ''] = /Play +(http:\S+)/.exec(app.said()) ?? [];
      const deviceScaleFactor = frame.width / viewport.width;
      const page = await running.open({ ...phone, viewport, deviceScaleFactor, colorScheme });
      const frames: [string, string, ('good' | 'bad')?][] = [];

      /** From a stop of the tour over the app's page to the wallet. */
      const toWallet = async (stop: string): Promise<void> => {
        await page.goto(`${sandbox}/try/${stop}`);
        await arrive(page, 'Prove your age');
        if (frames.length === 0) frames.push(['1. Your app says why', await shot(page)]);
        await press(page, 'Continue to my wallet');
        await arrive(page, 'Continue in your wallet');
        await follow(page, 'Open my wallet');
        await arriveAtWallet(page);
        if (frames.length === 1)
          frames.push(['2. The person agrees', await shot(page, 'h2:has-text("Will be shared")')]);
      };
      const agree = async (stop: string): Promise<void> => {
        await toWallet(stop);
        await share(page);
        await arrive(page, 'Enter your PIN');
        await enterPin(page, '123456');
      };
      // What is kept is sealed, so the session says nothing of it; the app's own page of it does.
      const kept = async (): Promise<string> => {
        await page.goto(`${app.url}/kept`);
        return await page.locator('main').innerText();
      };

      await agree('erika');
      await arrive(page, 'Machines');
      frames.push(['✓ Erika, born in 1964', await shot(page), 'good']);
      expect(await kept()).toMatch(/At least 18\s+yes/);
      await agree('leon');
      await arrive(page, 'Not yet: machines are for people from 18');
      frames.push(['✗ Leon, 17: stays out', await shot(page), 'bad']);
      expect(await kept()).toMatch(/At least 18\s+no/);
      await agree('forged');
      await arrive(page, 'Your proof was not accepted');
      frames.push(['✗ A forged card: refused', await shot(page), 'bad']);
      expect(await kept()).not.toMatch(/At least 18/);

      const stored = ['{"adult":true}', '{"adult":false}', 'nothing'];
      const outcomes = ['Erika', 'Leon', 'The forger'];
      const whatIsStored = (which: number): Html =>
        html`<dl class="bar">
          <dt class="name">${outcomes[which]}</dt>
          <dd><code>${stored[which]}</code></dd>
        </dl>`;
      const figure = ([title, picture, look]: (typeof frames)[number], at: number): Html =>
        html`<figure>
          <figcaption class="${look ?? ''}">${title}</figcaption>
          <div><img alt="" src="data:image/png;base64,${picture}" /></div>
          <p class="kept">
            ${at < 2 ? '' : html`<span class="name">stored:</span> <code>${stored[at - 2]}</code>`}
          </p>
        </figure>`;

      for (const layout of ['tall', 'wide'] as const) {
        const size = layouts[layout];
        const sheet = await running.open({ viewport: size });
        await sheet.setContent(
          html`<body class="${colorScheme} ${layout}">
            <div class="bar">
              <span class="name">One line guards a page:</span>
              <code>identity.<span class="word">require</span>({ question: 'age' })</code>
            </div>
            <div class="frames">
              ${frames.map(figure)}
              <figure class="store">
                <figcaption>What you store</figcaption>
                ${stored.map((_what, which) => whatIsStored(which))}
              </figure>
            </div>
          </body>`.markup,
        );
        await sheet.addStyleTag({ content: css });
        const whole = await sheet.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.scrollHeight,
        ]);
        expect(whole).toEqual([size.width, size.height]); // nothing is cut
        const committed = pictureOf(layout, colorScheme);
        const { webp, sizes } = await toWebp(sheet, await sheet.screenshot(), readFileSync(committed));
        writeFileSync(
          committed.replace('docs', 'test-results/screenshots'),
          Buffer.from(webp.replace(/^.*,/, ''), 'base64'),
        );
        expect(sizes).toEqual([
          [size.width, size.height],
          [size.width, size.height],
        ]);
        expect(statSync(committed).size).toBeLessThan(300_000);
      }
    },
  );
});

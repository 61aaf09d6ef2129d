import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { html } from '../../../example-app/pages/html.js';
import { emptyShots, unstick } from './shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, enterPin, follow, logIn, press, share } from '../steps.js';

emptyShots('readme');

const css = `
body { margin: 0; padding: 10px; display: flex; gap: 8px; font-family: sans-serif; font-size: 13px; }
body { color: #333; background: #fff; }
.dark { color: #ddd; background: #0d1117; }
figure { margin: 0; }
figcaption { padding: 0 0 8px 4px; }
img { width: 230px; border: 1px solid #888; border-radius: 10px; display: block; }
span { padding-top: 220px; font-size: 24px; }`;

const pictures = { light: 'docs/verification.webp', dark: 'docs/verification-dark.webp' } as const;

describeInChromium('people P20 the picture of the README', () => {
  const running = runInChromium({ issuer: 'de-ausweis' });

  test.each(['light', 'dark'] as const)(
    'is what the pages look like, whole, in %s; if not: cp test-results/screenshots/verification*.webp docs',
    async (colorScheme) => {
      const phone = await running.open({
        viewport: { width: 390, height: 720 },
        deviceScaleFactor: 460 / 390, // a pixel of the page is a pixel of the sheet
        colorScheme,
      });
      const shot = async (): Promise<string> => {
        await unstick(phone);
        return (await phone.screenshot({ fullPage: true })).toString('base64');
      };
      await logIn(phone, running.url, 'Erika');
      await follow(phone, 'Verify my identity');
      await arrive(phone, 'Prove who you are');
      const asked = await shot();
      await press(phone, 'Continue to my wallet');
      await press(phone, 'On this device');
      await follow(phone, "Open the sandbox's wallet");
      await arrive(phone, 'Share this information?');
      expect(await phone.textContent('main')).toContain(new URL(running.url).host);
      const wallet = await shot();
      await share(phone);
      await enterPin(phone, '123456');
      await arrive(phone, 'Your membership');
      const verified = await shot();

      const sheet = await running.open({ viewport: { width: 800, height: 840 }, deviceScaleFactor: 2 });
      const step = (title: string, picture: string) =>
        html`<figure>
          <figcaption>${title}</figcaption>
          <img alt="" src="data:image/png;base64,${picture}" />
        </figure>`;
      await sheet.setContent(
        html`<body class="${colorScheme}">
          ${step('1. What your app asks, and why', asked)}<span>→</span>
          ${step('2. The wallet: who asks for what', wallet)}<span>→</span>
          ${step('3. Your app, with verified data', verified)}
        </body>`.markup,
      );
      await sheet.addStyleTag({ content: css });
      const { width, height } = await sheet.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        height: document.documentElement.scrollHeight,
      }));
      expect([width, height]).toEqual([800, 840]); // nothing is cut
      const picture = `data:image/png;base64,${(await sheet.screenshot()).toString('base64')}`;
      const kept = pictures[colorScheme];
      const committed = `data:image/webp;base64,${readFileSync(kept).toString('base64')}`;
      // As WebP it is half of a PNG.
      const { webp, sizes } = await sheet.evaluate(
        async (sources) => {
          const images = await Promise.all(
            sources.map(async (source) => {
              const image = new Image();
              image.src = source;
              await image.decode();
              return image;
            }),
          );
          const [image] = images;
          const canvas = document.createElement('canvas');
          if (image === undefined) return { webp: '', sizes: [] };
          [canvas.width, canvas.height] = [image.width, image.height];
          canvas.getContext('2d')?.drawImage(image, 0, 0);
          return {
            webp: canvas.toDataURL('image/webp', 0.9),
            sizes: images.map((one) => [one.width, one.height]),
          };
        },
        [picture, committed],
      );
      const bytes = Buffer.from(webp.replace(/^.*,/, ''), 'base64');
      writeFileSync(kept.replace('docs', 'test-results/screenshots'), bytes);
      expect(sizes).toEqual([
        [1600, 1680],
        [1600, 1680],
      ]);
      expect(statSync(kept).size).toBeLessThan(200_000);
    },
  );
});

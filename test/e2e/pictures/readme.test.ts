import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { html } from '../../../example-app/pages/html.js';
import { emptyShots } from './shots.js';
import { describeInChromium, setStage } from '../running-app.js';
import { arrive, enterPin, follow, logIn, press, share } from '../steps.js';

emptyShots('readme');

const kept = 'docs/verification.png';
const made = 'test-results/screenshots/readme-verification.png';

describeInChromium('The picture of the README', () => {
  const stage = setStage({ issuer: 'de-ausweis' });

  test(`is what the pages look like; if not: cp ${made} ${kept}`, async () => {
    const phone = await stage.open({ viewport: { width: 390, height: 720 }, deviceScaleFactor: 2 });
    const shot = async (): Promise<string> => (await phone.screenshot()).toString('base64');
    await logIn(phone, stage.url, 'Erika');
    await follow(phone, 'Verify my identity');
    await arrive(phone, 'Prove who you are');
    const asked = await shot();
    await press(phone, 'Continue to my wallet');
    await press(phone, 'On this device');
    await follow(phone, "Open the sandbox's wallet");
    await arrive(phone, 'Share your identity?');
    const wallet = await shot();
    await share(phone);
    await enterPin(phone, '123456');
    await arrive(phone, 'Your membership');
    const verified = await shot();

    const sheet = await stage.open({ viewport: { width: 860, height: 560 } });
    const step = (title: string, picture: string) =>
      html`<figure>
        <figcaption>${title}</figcaption>
        <img alt="" src="data:image/png;base64,${picture}" />
      </figure>`;
    await sheet.setContent(
      html`<style>
          body {
            margin: 0;
            padding: 12px;
            display: flex;
            gap: 14px;
            background: #fff;
            font-family: sans-serif;
          }
          figure {
            margin: 0;
          }
          figcaption {
            padding: 0 0 8px 4px;
            font-size: 15px;
            color: #333;
          }
          img {
            width: 268px;
            border: 1px solid #bbb;
            border-radius: 14px;
            display: block;
          }
        </style>
        ${step('1. What your app asks, and why', asked)} ${step('2. The wallet, and consent', wallet)}
        ${step('3. Your app, with verified data', verified)}`.markup,
    );
    const picture = await sheet.screenshot({ path: made });
    const committed = readFileSync(kept);
    const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];
    expect(sizeOf(committed)).toEqual(sizeOf(picture));
    expect(committed.length).toBeLessThan(150_000);
  });
});

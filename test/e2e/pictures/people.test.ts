import { describe, expect, test } from '@jest/globals';
import type { PersonName } from '../../../lib/dev/sandbox/people/people.js';
import { nightly } from '../../support/seed.js';
import { emptyShots, shoot } from './shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, enterPin, follow, press, share } from '../steps.js';

emptyShots('person');

const people = ['erika', 'long_names', 'umlauts', 'one_name', 'greek'] as const satisfies PersonName[];

const words = {
  en: { start: 'Continue to my wallet', membership: 'Your membership', erase: 'Erase my account' },
  de: {
    start: 'Weiter zu meiner Ausweis-App',
    membership: 'Ihre Mitgliedschaft',
    erase: 'Mein Konto löschen',
  },
} as const;

describeInChromium('people P10 names and sizes of real people', () => {
  describe.each(people)('%s', (person) => {
    const running = runInChromium({ person });

    // In German the longest names, and at night all.
    test.each(nightly || person === 'long_names' ? (['en', 'de'] as const) : (['en'] as const))(
      'people P10 in %s: every page that shows the name',
      async (lang) => {
        const page = await running.open({ locale: lang });
        const take = async (name: string): Promise<void> =>
          await shoot(page, `person-${person}-${name}-${lang}`, 'light', lang);
        /** Over the start page and the wallet, back to where the question was asked. */
        const prove = async (path: string): Promise<void> => {
          await page.goto(running.url + path);
          await press(page, words[lang].start);
          await arriveAtWallet(page);
          if (path === '/membership') await take('wallet');
          await share(page);
          await page.waitForURL(`**${path}`);
          await take(path.slice(1));
        };
        await prove('/membership');
        for (const path of ['/machines', '/voting-card', '/door', '/erasure']) await prove(path);
        for (const [name, path] of Object.entries(others)) {
          await page.goto(running.url + path);
          await take(name);
        }
        await page.goto(`${running.url}/erasure`);
        await press(page, words[lang].erase);
        await page.waitForURL('**/erased');
        await take('erased');
      },
      300_000,
    );
  });
});

/** The head of each of these has the name. Two failures stand for eleven: the others are app.test.ts's. */
const others = {
  home: '/',
  kept: '/kept',
  forget: '/forget',
  counter: '/counter',
  'not-shared': '/not-verified?error=not_shared',
  'other-person': '/not-verified?error=other_person',
  'not-found': '/no-such-page',
} as const;

describe.each(people)('people P10 the German identity card of %s', (person) => {
  describeInChromium('in the wallet', () => {
    const running = runInChromium({ issuer: 'de-ausweis', person });

    test('people P10 capitals are for the card, not for the app', async () => {
      const page = await running.open();
      const take = async (name: string): Promise<void> => await shoot(page, `person-${person}-card-${name}`);
      await page.goto(`${running.url}/membership`);
      await press(page, words.en.start);
      await arriveAtWallet(page);
      await press(page, 'On this device');
      await follow(page, "Open the sandbox's wallet");
      await arrive(page, 'Share your identity?');
      await take('ask');
      await share(page);
      await arrive(page, 'Enter your PIN');
      await enterPin(page, '123456');
      await arrive(page, words.en.membership);
      await page.getByText(written[person]).first().waitFor();
      await take('membership');
    });
  });
});

/** How each name stands on the card, in capitals, and in the app. */
const written = {
  erika: 'Erika Mustermann',
  long_names: /^Maximiliane.*Mustermann/,
  umlauts: 'Änne Jörg Größmann-Übelacker',
  one_name: 'Mustermann',
  greek: 'Ελένη Παπαδοπούλου',
} as const satisfies Record<(typeof people)[number], string | RegExp>;

describeInChromium('people P10 the fold', () => {
  const running = runInChromium();

  test.each([
    { width: 640, height: 400, fontSize: '' },
    { width: 1280, height: 900, fontSize: '200%' },
  ])(
    'people P10 the main button is above it at $width × $height $fontSize',
    async ({ fontSize, ...size }) => {
      const page = await running.open({ viewport: size });
      await page.goto(`${running.url}/identity/start`);
      await page.evaluate((given) => {
        document.documentElement.style.fontSize = given;
      }, fontSize);
      const button = page.getByRole('button', { name: words.en.start });
      const endOf = async (): Promise<number> => {
        const box = await button.boundingBox();
        return box === null ? Infinity : box.y + box.height;
      };
      expect(await endOf()).toBeLessThanOrEqual(size.height);
      await page.screenshot({ path: `test-results/screenshots/people-fold-${size.width}.png` });
      // Nothing stays below the button, and it covers nothing once the page has been read.
      await page.evaluate(() => {
        scrollTo(0, document.body.scrollHeight);
      });
      const cancel = await page.getByRole('link', { name: 'Cancel' }).boundingBox();
      expect(cancel?.y).toBeGreaterThan(await endOf());
    },
  );
});

import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Language, languages as texts } from '../../../example-app/texts/index.js';
import type { PersonName } from '../../../lib/dev/sandbox/people/people.js';
import { nightly } from '../../support/seed.js';
import { emptyShots, shoot, shootWhen } from './shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, enterPin, follow, press, share } from '../steps.js';

emptyShots('app');
emptyShots('person');

const languages = Object.keys(texts) as Language[];

const words = { start: 'Continue to my wallet', membership: 'Your membership' } as const;

/** One code of each family. */
const failures = [
  'declined',
  'not_shared',
  'card_blocked',
  'attribute_invalid',
  'timed_out',
  'credential_missing',
  'presentation_invalid',
  'credential_expired',
  'other_person',
  'service_unreachable',
  'config_invalid',
  'service_error',
];

/** Goes through every page of the app, in the order in which a person meets them. */
async function walk(
  page: Page,
  url: string,
  lang: Language,
  take: (name: string) => Promise<void>,
): Promise<void> {
  const open = async (path: string, name: string): Promise<void> => {
    await page.goto(url + path);
    await take(name);
  };
  await open('/', 'home');
  await open('/kept', 'kept-nothing');
  await open('/door', 'log-in');
  // Over the start page and the wallet, back to where the question was asked.
  for (const path of ['/machines', '/membership', '/voting-card', '/door', '/erasure']) {
    await open(path, `start-${path.slice(1)}`);
    await page.locator('form button.button').click();
    await arriveAtWallet(page);
    if (path === '/membership') await take('wallet');
    await share(page);
    await page.waitForURL(`**${path}`);
    await take(path.slice(1));
    if (path === '/machines') {
      await page.locator('button[value=hammer]').click();
      await page.getByRole('status').waitFor();
      await take('machines-reserved');
      await open('/kept', 'kept-age');
    }
  }
  await open('/machines', 'machines-member');
  await open('/forget', 'forget');
  await open('/counter', 'counter');
  await open('/kept', 'kept');
  await open('/', 'home-verified');
  for (const error of failures) {
    await open(`/not-verified?error=${error}&question=age&returnTo=/machines`, `failed-${error}`);
  }
  await open('/no-such-page', 'not-found');
  await page.goto(`${url}/erasure`);
  await press(page, texts[lang].links.eraseAccount);
  await page.waitForURL('**/erased');
  await take('erased');
}

describeInChromium('Pictures of the example app', () => {
  const running = runInChromium();

  test.each(languages)(
    'every page, in %s',
    async (lang) => {
      // Colours have no language: English is seen in both looks, and at night all are.
      const looks = nightly || lang === 'en' ? 'both' : 'light';
      const page = await running.open({ locale: lang });
      await walk(page, running.url, lang, async (name) => {
        await shoot(page, `app-${name}-${lang}`, looks, lang);
      });
    },
    300_000,
  );
});

const people = ['erika', 'long_names', 'umlauts', 'one_name', 'greek'] as const satisfies PersonName[];

/** The pages that show the name; of the failures, whose head has it, two stand for all. */
const named =
  /^(home|kept|wallet|membership|machines-member|voting-card|door|erasure|forget|counter|failed-(not_shared|other_person)|not-found|erased)$/;

/** How each name stands on the card, in capitals, and in the app. */
const written = {
  erika: 'Erika Mustermann',
  long_names: /^Maximiliane.*Mustermann/,
  umlauts: 'Änne Jörg Größmann-Übelacker',
  one_name: 'Mustermann',
  greek: 'Ελένη Παπαδοπούλου',
} as const satisfies Record<(typeof people)[number], string | RegExp>;

describe.each(people)('people P10 names and sizes of real people: %s', (person) => {
  describeInChromium('in the app', () => {
    const running = runInChromium({ person });

    // The longest names in the languages with the longest words, and at night all.
    test.each(nightly ? languages : person === 'long_names' ? (['en', 'de'] as const) : (['en'] as const))(
      'people P10 in %s: every page that shows the name',
      async (lang) => {
        const page = await running.open({ locale: lang });
        await walk(page, running.url, lang, async (name) => {
          if (named.test(name)) await shoot(page, `person-${person}-${name}-${lang}`, 'light', lang);
        });
      },
      300_000,
    );
  });

  describeInChromium('on the German identity card', () => {
    const running = runInChromium({ issuer: 'de-ausweis', person });

    test('people P10 capitals are for the card, not for the app', async () => {
      const page = await running.open();
      await page.goto(`${running.url}/membership`);
      await press(page, words.start);
      await arriveAtWallet(page);
      await press(page, 'On this device');
      await follow(page, "Open the sandbox's wallet");
      await shootWhen(page, 'Share this information?', `person-${person}-card-ask`);
      await share(page);
      await arrive(page, 'Enter your PIN');
      await enterPin(page, '123456');
      await arrive(page, words.membership);
      await page.getByText(written[person]).first().waitFor();
      await shoot(page, `person-${person}-card-membership`);
    });
  });
});

describeInChromium('people P32 what is kept, on paper', () => {
  const running = runInChromium();

  test('P32 no button is printed, and no word is broken', async () => {
    const page = await running.open({ colorScheme: 'dark', viewport: { width: 700, height: 1000 } });
    for (const path of ['/membership', '/door']) {
      await page.goto(running.url + path);
      await press(page, words.start);
      await arriveAtWallet(page);
      await share(page);
      await page.waitForURL(`**${path}`);
    }
    await page.emulateMedia({ media: 'print' });
    await page.goto(`${running.url}/kept`);
    const { shown, broken, ink } = await page.evaluate(() => {
      const isShown = (element: Element): boolean => element.getClientRects().length > 0;
      const pieces = [...document.querySelectorAll('th, td, h1, h2')].flatMap((element) => [
        ...element.childNodes,
      ]);
      const linesOf = (text: Node, start: number, end: number): number => {
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, end);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      };
      return {
        shown: [...document.querySelectorAll('button, nav a, .button, summary')].filter(isShown).length,
        broken: pieces.flatMap((text) =>
          [...(text.textContent ?? '').matchAll(/[^\s-]+/g)]
            .filter(
              ({ 0: word, index }) => text.nodeType === 3 && linesOf(text, index, index + word.length) > 1,
            )
            .map(([word]) => word),
        ),
        ink: getComputedStyle(document.body).color,
      };
    });
    expect({ shown, broken, ink }).toEqual({ shown: 0, broken: [], ink: 'rgb(0, 0, 0)' });
    await page.getByText('Kept until').waitFor();
    await page.screenshot({ path: 'test-results/screenshots/app-kept-print.png', fullPage: true });
  });
});

describeInChromium('people P28 the start page at usual sizes', () => {
  const running = runInChromium();

  test.each([
    { locale: 'en', width: 1280, height: 800 },
    { locale: 'de', width: 1280, height: 800 },
    { locale: 'fr', width: 1280, height: 800 },
    { locale: 'en', width: 390, height: 844 },
    { locale: 'de', width: 390, height: 844 },
    { locale: 'fr', width: 390, height: 844 },
  ] as const)(
    'P28 the button covers nothing, what is not stored is in sight, and the mark of the test is one line: $locale, $width',
    async ({ locale, ...viewport }) => {
      const page = await running.open({ locale, viewport });
      for (const path of ['/age', '', '/erasure']) {
        await page.goto(`${running.url}/identity/start${path}`);
        const { stuck, below, lines } = await page.evaluate(() => {
          const bottoms = [...document.querySelectorAll('h2, li')].map(
            (part) => part.getBoundingClientRect().bottom,
          );
          const note = document.createRange();
          note.selectNodeContents(document.querySelector('.note p') ?? document.body);
          const [form] = document.forms;
          const topOf = (): number => form?.getBoundingClientRect().top ?? 0;
          const shown = topOf();
          if (form !== undefined) form.style.position = 'static';
          return {
            stuck: topOf() - shown,
            below: Math.max(...bottoms) - innerHeight,
            lines: new Set([...note.getClientRects()].map(({ top }) => top)).size,
          };
        });
        expect({ path, stuck, lines, inSight: below <= 0 }).toEqual({
          path,
          stuck: 0,
          lines: 1,
          inSight: true,
        });
      }
    },
  );
});

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
      const button = page.getByRole('button', { name: words.start });
      const endOf = async (): Promise<number> => {
        const box = await button.boundingBox();
        return box === null ? Infinity : box.y + box.height;
      };
      expect(await endOf()).toBeLessThanOrEqual(size.height);
      // Nothing stays below the button, and it covers nothing once the page has been read.
      await page.evaluate(() => {
        scrollTo(0, document.body.scrollHeight);
      });
      const cancel = await page.getByRole('link', { name: 'Cancel' }).boundingBox();
      expect(cancel?.y).toBeGreaterThan(await endOf());
    },
  );
});

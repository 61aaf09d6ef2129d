import { describe, expect, test } from '@jest/globals';
import type { PersonName } from '../../../lib/dev/sandbox/people/people.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, enterPin, press, share } from '../steps.js';

const startButton = 'Continue to my wallet';

describeInChromium('the start page at usual sizes', () => {
  const running = runInChromium();

  test.each([
    { locale: 'en', width: 1280, height: 800 },
    { locale: 'de', width: 1280, height: 800 },
    { locale: 'fr', width: 1280, height: 800 },
    { locale: 'en', width: 390, height: 844 },
    { locale: 'de', width: 390, height: 844 },
    { locale: 'fr', width: 390, height: 844 },
  ] as const)(
    'the button covers nothing, what is not stored is in sight, and the mark of the test is one line: $locale, $width',
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

describeInChromium('the main button', () => {
  const running = runInChromium();
  const sizes = { phone: { width: 390, height: 664 }, laptop: { width: 1366, height: 657 } };

  test.each(['en', 'de', 'fr'])(
    'is in sight before anybody scrolls, whatever is asked: %s',
    async (locale) => {
      for (const [device, viewport] of Object.entries(sizes)) {
        const page = await running.open({ locale, viewport });
        await page.goto(running.url);
        await page.locator('form[action="/log-in"] button').first().click();
        for (const path of ['', '/age', '/vote', '/door', '/erasure', '/age?reason=stale']) {
          await page.goto(`${running.url}/identity/start${path}`);
          const { y, height } = (await page.locator('form button').boundingBox()) ?? { y: NaN, height: 0 };
          expect([device, path, y + height < viewport.height]).toEqual([device, path, true]);
        }
      }
    },
  );
});

describeInChromium('the button of a consent list', () => {
  const running = runInChromium();

  test.each([
    { width: 844, height: 390, fontSize: '' },
    { width: 320, height: 640, fontSize: '' },
    { width: 390, height: 844, fontSize: '200%' },
    { width: 1280, height: 700, fontSize: '' },
  ])('comes after every item of the list at $width × $height $fontSize', async ({ fontSize, ...size }) => {
    const page = await running.open({ viewport: size, locale: 'de' });
    for (const path of ['/age', '']) {
      await page.goto(`${running.url}/identity/start${path}`);
      await page.evaluate((given) => {
        document.documentElement.style.fontSize = given;
      }, fontSize);
      const covered = await page.evaluate(() => {
        const [form] = document.forms;
        const found: string[] = [];
        for (let y = 0; y < document.body.scrollHeight; y += 40) {
          scrollTo(0, y);
          const { top = 0 } = form?.getBoundingClientRect() ?? {};
          for (const item of document.querySelectorAll('main > section :is(h2, li)')) {
            const box = item.getBoundingClientRect();
            if (box.top < innerHeight && box.bottom > top + 1) found.push(`${item.textContent} at ${y}`);
          }
        }
        return found;
      });
      expect({ path, covered }).toEqual({ path, covered: [] });
    }
  });
});

/** How each name stands in the app; on the card it is in capitals. */
const written: Partial<Record<PersonName, string | RegExp>> = {
  long_names: /^Maximiliane.*Mustermann/,
  umlauts: 'Änne Jörg Größmann-Übelacker',
  one_name: 'Mustermann',
  greek: 'Ελένη Παπαδοπούλου',
};

describe.each(Object.entries(written))('names of real people: %s', (person, name) => {
  describeInChromium('on the German identity card', () => {
    const running = runInChromium({ issuer: 'de-ausweis', person: person as PersonName });

    test('capitals are for the card, not for the app', async () => {
      const page = await running.open();
      await page.goto(`${running.url}/membership`);
      await press(page, startButton);
      await arriveAtWallet(page);
      await share(page);
      await arrive(page, 'Enter your PIN');
      await enterPin(page, '123456');
      await arrive(page, 'Your membership');
      await page.getByText(name).first().waitFor();
    });
  });
});

describeInChromium('what is kept, on paper', () => {
  const running = runInChromium();

  test('no button is printed, and no word is broken', async () => {
    const page = await running.open({ colorScheme: 'dark', viewport: { width: 700, height: 1000 } });
    for (const path of ['/membership', '/door']) {
      await page.goto(running.url + path);
      await press(page, startButton);
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
  });
});

import { test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { emptyShots, shoot } from './shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arriveAtWallet, press, share } from '../steps.js';

emptyShots('app');

/** A page of the app in both looks, wide and narrow, with its drawer open where it has one. */
async function both(page: Page, name: string, lang: string): Promise<void> {
  const drawer = page.locator('details.drawer summary');
  if ((await drawer.count()) === 1) await drawer.click();
  await shoot(page, `${name}-${lang}`, 'light', lang);
  await shoot(page, `${name}-${lang}`, 'dark', lang);
}

const languages = {
  en: { logIn: 'Log in as Erika', start: 'Continue to my wallet', erase: 'Erase my account' },
  de: { logIn: 'Als Erika anmelden', start: 'Weiter zu meiner Ausweis-App', erase: 'Mein Konto löschen' },
} as const;

describeInChromium('Pictures of the example app', () => {
  const running = runInChromium();

  for (const [lang, words] of Object.entries(languages)) {
    test(`every page, in ${lang}`, async () => {
      const page = await running.open({ locale: lang });
      const open = async (path: string): Promise<void> => void (await page.goto(running.url + path));
      const goThrough = async (): Promise<void> => {
        await press(page, words.start);
        await arriveAtWallet(page);
        await share(page);
      };
      await open('/');
      await both(page, 'app-home', lang);
      await open('/kept');
      await both(page, 'app-kept-nothing', lang);
      await open('/door');
      await both(page, 'app-log-in', lang);
      await open('/machines');
      await both(page, 'app-start', lang);
      await goThrough();
      await page.waitForURL('**/machines');
      await both(page, 'app-machines', lang);
      await open('/');
      await press(page, words.logIn);
      await page.waitForURL(`${running.url}/`);
      await both(page, 'app-home-logged-in', lang);
      await open('/voting-card');
      await both(page, 'app-start-vote', lang);
      await goThrough();
      await page.waitForURL('**/voting-card');
      await both(page, 'app-voting-card', lang);
      await open('/membership');
      await both(page, 'app-start-membership', lang);
      await goThrough();
      await page.waitForURL('**/membership');
      await both(page, 'app-membership', lang);
      await open('/door');
      await both(page, 'app-start-door', lang);
      await goThrough();
      await page.waitForURL('**/door');
      await both(page, 'app-door', lang);
      await open('/erasure');
      await both(page, 'app-start-erasure', lang);
      await goThrough();
      await page.waitForURL('**/erasure');
      await both(page, 'app-erasure', lang);
      await open('/forget');
      await both(page, 'app-forget', lang);
      await open('/counter');
      await both(page, 'app-counter', lang);
      await open('/kept');
      await both(page, 'app-kept', lang);
      await open('/');
      await both(page, 'app-home-verified', lang);
      for (const error of failures) {
        await open(`/not-verified?error=${error}&request=age&returnTo=/machines`);
        await both(page, `app-failed-${error}`, lang);
      }
      await open('/no-such-page');
      await both(page, 'app-not-found', lang);
      await open('/erasure');
      await press(page, words.erase);
      await page.waitForURL('**/erased');
      await both(page, 'app-erased', lang);
    }, 300_000);
  }
});

/** One code of each family. */
const failures = [
  'declined',
  'not_shared',
  'card_blocked',
  'attribute_invalid',
  'timed_out',
  'credential_missing',
  'presentation_invalid',
  'other_person',
  'service_unreachable',
  'config_invalid',
  'service_error',
];

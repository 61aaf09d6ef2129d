import { beforeAll, expect, test } from '@jest/globals';
import { type Running, startApp } from '../../../support/app.js';

let app: Running;

beforeAll(async () => {
  app = await startApp({
    options: {
      reveal: ['birth_date', 'nationality', 'family_name', 'given_name'],
      derived: { nationality: 'FR' },
    },
  });
});

const plain = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

test.each(['en', 'de'])('P15 the wallet page shows the same list as the start page, in %s', async (lang) => {
  const browser = app.browser();
  const headers = { 'accept-language': lang };
  const start = await browser.get(`${app.url}/identity/start`, headers);
  const list = /<ul[^>]*>([^]*?)<\/ul>/.exec(start.text)?.[1] ?? '';
  const asked = [...list.matchAll(/<li[^>]*>([^]*?)<\/li>/g)].map(([, item = '']) => plain(item));
  const wallet = await browser.get(await app.start(browser), headers);
  const shown = [...wallet.text.matchAll(/<dt[^>]*>([^]*?)<\/dt>/g)].map(([, item = '']) => plain(item));
  expect(asked).toHaveLength(5);
  expect(shown).toEqual(asked);
});

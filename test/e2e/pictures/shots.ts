import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectNoAxe } from './axe.js';

const folder = 'test-results/screenshots';

/** Removes the pictures of an earlier run whose names begin with this. */
export function emptyShots(prefix: string): void {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (name.startsWith(`${prefix}-`)) rmSync(`${folder}/${name}`);
  });
}

const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;

/** Takes a page's picture, wide and narrow, and checks what holds for every page. */
export async function shoot(
  page: Page,
  name: string,
  look: 'light' | 'dark' = 'light',
  lang = 'en',
): Promise<void> {
  await page.emulateMedia({ colorScheme: look });
  for (const size of sizes) {
    await page.setViewportSize(size);
    const facts = await page.evaluate(() => {
      const { documentElement: root, title } = document;
      const tooWide = root.scrollWidth - root.clientWidth;
      return {
        tooWide,
        lang: root.lang,
        titled: title !== '',
        headings: document.querySelectorAll('h1').length,
      };
    });
    expect({ name, ...facts }).toEqual({ name, tooWide: 0, lang, titled: true, headings: 1 });
    await expectNoAxe(page, name);
    await page.screenshot({
      path: `${folder}/${name}${look === 'dark' ? '-dark' : ''}-${size.width}.png`,
      fullPage: true,
    });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

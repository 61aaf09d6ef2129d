import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { beforeAll, expect } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { arrive } from '../steps.js';

const folder = 'test-results/screenshots';

/** Removes the pictures of an earlier run whose names begin with this. */
export function emptyShots(prefix: string): void {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (name.startsWith(`${prefix}-`)) rmSync(`${folder}/${name}`);
  });
}

const wide = { width: 1280, height: 800 } as const;
const phone = { width: 390, height: 844 } as const;
const small = { width: 320, height: 640 } as const;

export type Look = 'light' | 'dark' | 'both';

/**
 * Takes a page's picture, wide and narrow, and narrow in the dark, and checks what holds for every page, at every size of
 * page and text. axe, which costs most, looks once at each scheme and each layout. `dark` takes it wide and in the dark.
 */
export async function shoot(page: Page, name: string, look: Look = 'light', lang = 'en'): Promise<void> {
  const take = async (size: typeof wide | typeof phone, scheme: 'light' | 'dark'): Promise<void> => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(size);
    await (scheme === 'dark' || size === wide ? expectWell : expectFits)(
      page,
      `${name} at ${size.width}, ${scheme}`,
      lang,
    );
    await unstick(page);
    const ending = `${scheme === 'dark' ? '-dark' : ''}-${size.width}`;
    await page.screenshot({ path: `${folder}/${name}${ending}.png`, fullPage: true });
  };
  if (look !== 'light') await take(wide, 'dark');
  if (look !== 'dark') {
    await take(wide, 'light');
    await take(phone, 'dark');
    await take(phone, 'light');
    await page.setViewportSize(small);
    await expectFits(page, `${name} at 320`, lang);
    await page.setViewportSize(phone);
    await setTextSize(page, '200%');
    await expectWell(page, `${name} at 390, text at 200 %`, lang);
    await page.setViewportSize(wide);
    await expectFits(page, `${name} at 1280, text at 200 %`, lang);
    await setTextSize(page, '');
    await page.emulateMedia({ media: 'print' });
    await expectFits(page, `${name} in print`, lang);
    await page.emulateMedia({ media: null });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Opens a page, and takes its picture. */
export async function shootAt(page: Page, address: string, name: string, look?: Look): Promise<void> {
  await page.goto(address);
  await shoot(page, name, look);
}

/** The same of a page that comes by itself. */
export async function shootWhen(page: Page, heading: string, name: string, look?: Look): Promise<void> {
  await arrive(page, heading);
  await shoot(page, name, look);
}

/** A picture of the whole page has the button in its place, not over the text at the end of the window. */
export async function unstick(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const form of document.forms) form.style.position = 'static';
  });
}

async function expectWell(page: Page, name: string, lang: string): Promise<void> {
  await expectFits(page, name, lang);
  await expectAccessible(page, name);
}

/** No policy of a page forbids what a script does to a style. */
async function setTextSize(page: Page, size: string): Promise<void> {
  await page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
}

/** Nothing of a page, or of what is clipped in it, is wider than its place; nothing sensible scrolls sideways. */
async function expectFits(page: Page, name: string, lang: string): Promise<void> {
  const facts = await page.evaluate(() => {
    const { documentElement: root, title } = document;
    const isWide = ({ scrollWidth, clientWidth }: Element): boolean => scrollWidth > clientWidth + 1;
    const tooWide = [root, ...document.querySelectorAll('header, nav, main, section, li, p, h1, h2, dd')]
      .filter(isWide)
      .map(
        ({ tagName, className, scrollWidth, clientWidth }) =>
          `${tagName} ${className} ${scrollWidth} > ${clientWidth}`,
      );
    return {
      tooWide,
      lang: root.lang,
      titled: title !== '',
      headings: document.querySelectorAll('h1').length,
    };
  });
  expect({ name, ...facts }).toEqual({ name, tooWide: [], lang, titled: true, headings: 1 });
}

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Expects that axe finds nothing on a page. It runs beside the page's policy, which allows no script of ours. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const run = Reflect.get(globalThis, 'axe') as { run(): Promise<{ violations: Finding[] }> };
    return (await run.run()).violations;
  });
  expect({ name, found: found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`) }).toEqual({
    name,
    found: [],
  });
}

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { env } from 'node:process';
import { beforeAll, expect } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const folder = 'test-results/screenshots';

/** Pictures are for people, who are not where .ci/run forbids skipping. */
const isSeen = env['PIDGATE_FORBID_SKIP'] !== '1';

/** Removes the pictures of an earlier run whose names begin with this. */
export function emptyShots(prefix: string): void {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (name.startsWith(prefix)) rmSync(`${folder}/${name}`);
  });
}

/** A width of the window, and the state in which a page is seen there. */
interface View {
  readonly width: number;
  readonly height?: number;
  readonly state?: 'dark' | 'text at 200 %' | 'print' | 'forced colours' | 'text spacing';
  /** axe looks at it: with all rules, or with those that can find more here. */
  readonly axe?: { readonly runOnly?: readonly string[] };
  readonly picture?: true;
}

/** For people. What does not fit in one of these does not fit in a view that is harder. */
const pictures: readonly View[] = [
  { width: 1280, picture: true },
  { width: 768, picture: true },
  { width: 390, picture: true },
  { width: 320, picture: true },
];

/** What longer words may break. */
const views: readonly View[] = [
  ...(isSeen ? pictures : []),
  { width: 320, state: 'text spacing' },
  { width: 390, state: 'text at 200 %' },
];

const viewsInEnglish: readonly View[] = [
  ...views.slice(0, -1),
  { width: 1280, axe: {} },
  {
    width: 390,
    state: 'text at 200 %',
    axe: { runOnly: ['scrollable-region-focusable', 'target-size'] },
    picture: true,
  },
  { width: 390, state: 'dark', axe: { runOnly: ['color-contrast', 'link-in-text-block'] }, picture: true },
  { width: 1280, state: 'text at 200 %' },
  { width: 1280, state: 'print' },
  { width: 844, height: 390 },
  { width: 390, state: 'forced colours', picture: true },
];

/** In the other languages the same pages have other words. */
const viewsIn: Readonly<Record<string, readonly View[]>> = {
  en: viewsInEnglish,
  ar: [...views, { width: 1280, axe: {} }], // from right to left
};

/** Looks at a page in every view: nothing is wider than its place, and axe finds nothing. */
export async function shoot(page: Page, name: string, lang = 'en'): Promise<void> {
  for (const { width, height = 800, state, ...also } of viewsIn[lang] ?? views) {
    const where = `${name} at ${width}${state === undefined ? '' : `, ${state}`}`;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({
      colorScheme: state === 'dark' ? 'dark' : 'light',
      media: state === 'print' ? 'print' : null,
      forcedColors: state === 'forced colours' ? 'active' : 'none',
    });
    await setText(page, state);
    await expectFits(page, where, lang);
    if (also.axe) await expectAccessible(page, where, also.axe);
    if (also.picture && isSeen) {
      const ending = state === undefined ? width : `${state}-${width}`;
      await page.screenshot({ path: `${folder}/${name}-${ending}.png`, fullPage: true });
    }
  }
  await setText(page);
  await page.emulateMedia({ colorScheme: 'light', media: null });
}

/** Twice as large, or with the spacing that a person may set (WCAG 2.2, 1.4.12). No policy of a page forbids it to a script. */
async function setText(page: Page, state?: View['state']): Promise<void> {
  await page.evaluate((its) => {
    const { style } = document.documentElement;
    const isSpaced = its === 'text spacing';
    if (isSpaced || style.lineHeight !== '') {
      const spacing = { letterSpacing: '0.12em', wordSpacing: '0.16em', lineHeight: '1.5' };
      for (const element of document.querySelectorAll<HTMLElement>('html, html *')) {
        for (const [name, value] of Object.entries(spacing))
          Reflect.set(element.style, name, isSpaced ? value : '');
      }
    }
    style.fontSize = its === 'text at 200 %' ? '200%' : '';
  }, state);
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
async function expectAccessible(page: Page, name: string, options: NonNullable<View['axe']>): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (asked) => {
    const its = Reflect.get(globalThis, 'axe') as {
      run(options: unknown): Promise<{ violations: Finding[] }>;
    };
    return (await its.run(asked)).violations;
  }, options);
  expect({ name, found: found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`) }).toEqual({
    name,
    found: [],
  });
}

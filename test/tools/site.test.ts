import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Page as Tab, chromium } from 'playwright-core';
import { buildSite } from '../../tools/site/build.js';
import { brokenLinks } from '../../tools/site/links.js';
import { searchOver } from '../../tools/site/search/rank.js';
import { root } from '../../tools/contents.js';
import { entries } from '../../tools/entries.mjs';
import { chromiumPath } from '../support/chromium.js';

jest.setTimeout(300_000); // compiles lib, on a machine that may be busy

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pidgate-site-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the links of a folder', () => {
  it('must lead to a page in it, to an element that there is, and to no Markdown', () => {
    mkdirSync(join(folder, 'docs'));
    writeFileSync(
      join(folder, 'index.html'),
      `<h1 id="top"></h1><a href="#top"></a><a href="#none"></a><a href="docs/a.html#part-%C3%A4"></a>
       <a href="docs/a.html#gone"></a><a href="docs"></a><a href="../outside.html"></a><script src="x.js"></script>
       <a href="https://shop.example/nowhere"></a><a href="mailto:erika@shop.example"></a>
       <a href="docs/a.md#top"></a><a href="http://SECURITY.md"></a><a href="https://shop.example/a.md"></a>`,
    );
    writeFileSync(join(folder, 'docs/a.md'), '# Top');
    writeFileSync(join(folder, 'docs/a.html'), '<h2 id="part-ä"></h2><a href="../index.html?q=1#top"></a>');
    expect(brokenLinks(folder)).toEqual({
      checked: 10,
      broken: [
        '#none',
        'docs/a.html#gone',
        'docs',
        '../outside.html',
        'x.js',
        'docs/a.md#top',
        'http://SECURITY.md',
      ].map((link) => `index.html -> ${link}`),
    });
  });
});

/** people P19, P41: what people look for, and the page that answers it, or says why not. */
const questions: Readonly<Record<string, string>> = {
  install: 'docs/existing-app.html',
  'age check': 'docs/cookbook.html',
  redis: 'docs/scaling.html',
  'rate limit': 'docs/going-live.html#4-before-the-first-visitor',
  'trust proxy': 'docs/existing-app.html',
  'express 4': 'docs/existing-app.html',
  translate: 'docs/pages.html',
  delete: 'docs/privacy.html',
  GDPR: 'docs/privacy.html',
  'log out': 'docs/sessions.html',
  declined: 'docs/errors.html',
  CommonJS: 'docs/existing-app.html',
  upgrade: 'docs/going-live.html#upgrading',
  Prisma: 'docs/stacks.html#prisma-and-drizzle',
  Drizzle: 'docs/stacks.html#prisma-and-drizzle',
  debug: 'docs/going-live.html#it-failed-what-now',
  'Next.js': 'docs/stacks.html#nextjs',
  htmx: 'docs/cookbook.html',
  CI: 'docs/testing.html',
  price: 'docs/going-live.html#what-it-costs',
  'another device': 'docs/faq.html#does-a-verification-count-on-another-device',
  bun: 'docs/stacks.html#bun-and-deno',
  'cost per request': 'docs/going-live.html#what-it-costs',
  'users table': 'docs/cookbook.html',
  'no wallet': 'docs/faq.html',
  'cookie-session': 'docs/sessions.html',
  'which attributes': 'docs/faq.html#what-can-i-ask-for',
  countries: 'docs/faq.html#which-countries-can-i-ask',
  'service is down': 'docs/faq.html#what-if-the-service-or-the-wallet-does-not-answer',
  'privacy notice': 'docs/faq.html#what-do-i-write-into-my-privacy-notice',
  // Ten that were written down before they were tried.
  docker: 'docs/stacks.html#a-read-only-container',
  csp: 'docs/existing-app.html',
  'double click': 'docs/sessions.html',
  'passport login': 'docs/sessions.html',
  revoked: 'docs/errors.html',
  prometheus: 'docs/observability.html',
  'load balancer': 'docs/scaling.html',
  iframe: 'docs/faq.html#can-i-put-it-into-an-iframe-or-a-web-view',
  accessibility: 'docs/pages.html',
  serverless: 'docs/faq.html',
  // Names, codes and whole questions.
  not_shared: 'docs/errors.html',
  isAtLeast: 'api/functions/pidgate.isAtLeast.html',
  identityVerification: 'api/functions/pidgate.identityVerification.html',
  "How do I delete a user's data?": 'docs/privacy.html',
  'why it failed in production': 'docs/going-live.html#it-failed-what-now',
  'rolling deploy': 'docs/going-live.html#upgrading',
  // Ten that were written down before they were tried, again.
  'rotate secret': 'docs/going-live.html#upgrading',
  'web view': 'docs/faq.html#can-i-put-it-into-an-iframe-or-a-web-view',
  'verify again': 'docs/faq.html#how-do-i-make-people-verify-again',
  'same person twice': 'docs/faq.html#does-it-prove-who-is-at-the-screen',
  iphone: 'docs/comparison.html#why-a-redirect-on-an-iphone-too',
  'do I need redis': 'docs/faq.html#do-i-need-redis-or-a-database',
  'test persons': 'docs/sandbox.html#people',
  'server crashes': 'docs/faq.html#what-if-the-service-or-the-wallet-does-not-answer',
  photo: 'docs/faq.html#what-can-i-ask-for',
  'apply for a certificate': 'docs/bridge.html',
  'support code': 'docs/going-live.html#it-failed-what-now',
  // Of fifteen that a second reader wrote down, the six whose answer was there but did not come first.
  'How do I try it on my laptop without a real wallet?': 'docs/sandbox.html',
  'How do I let only people over 18 into one route?': 'docs/cookbook.html#age-check-keep-one-boolean',
  'Where do I put our relying party access certificate and its key?': 'docs/bridge.html#2-the-verifier',
  'Which credential formats and protocol versions work?': 'docs/faq.html#which-wallets-work',
  'Is the answer of the wallet encrypted, with which algorithms?':
    'docs/presentations.html#what-you-and-the-service-owe-the-wallet',
  'certificate expires': 'docs/presentations.html#renewing-the-access-certificate',
};

/** What axe finds on a page. */
async function violations(tab: Tab): Promise<string[]> {
  await tab.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core') });
  return await tab.evaluate<string[]>('axe.run().then((found) => found.violations.map(({ id }) => id))');
}

const describeInChromium = chromiumPath() === undefined ? describe.skip : describe;

describe('people P19, P41 the site', () => {
  let site: string;
  let isComplete: boolean;
  beforeAll(async () => {
    site = mkdtempSync(join(tmpdir(), 'pidgate-site-'));
    isComplete = await buildSite(site);
  });
  afterAll(() => {
    rmSync(site, { recursive: true });
  });
  const page = (path: string): string => readFileSync(join(site, path), 'utf8');
  const search = (): ReturnType<typeof searchOver> =>
    searchOver(JSON.parse(page('assets/sections.js').replace(/^[^=]*=/, '')));

  it('has the documents under their own paths, and every entry of the package, and links that lead to pages', () => {
    expect(isComplete).toBe(true);
    const { checked, broken } = brokenLinks(site);
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(0);
    expect(page('docs/errors.html')).toContain('<h2 id="presentation_invalid"');
    expect(page('docs/index.html')).toContain('href="hooks.html"');
    expect(page('api/functions/pidgate.identityVerification.html')).toContain(
      'Makes the router that asks a person',
    );
    expect(page('docs/cryptography.html')).toMatch(/role="main"[^]*<table tabindex="0">/);
    expect(page('docs/hooks.html')).toMatch(
      /<details open>.*<a href="..\/index.html">Overview<.*href="hooks.html" class="current" aria-current="page">Hooks</,
    );
    expect(page('docs/hooks.html')).toMatch(
      /<a rel="prev" href="[\w-]+.html">←.*<a rel="next" href="[\w-]+.html">/,
    );
    expect(page('api/modules/pidgate.html')).toContain('aria-current="page">pidgate<');
    for (const { specifier } of entries) {
      expect(page(`api/modules/${specifier.replace('/', '_')}.html`)).toContain(specifier);
    }
    expect(page('llms.txt')).toBe(readFileSync(join(root, 'llms.txt'), 'utf8'));
    expect(page('docs/scaling.md')).toContain('# Stores and scaling');
  });

  it('begins with one title, the words and the picture of the README, and one button', () => {
    const first = page('index.html');
    expect(first.match(/<h1[ >]/g)).toHaveLength(1);
    expect(first.match(/<picture>/g)).toHaveLength(1);
    expect(first).toMatch(
      /<h1 id="landing-title">[^]*class="landing-try" href="#npm-start"[^]*<picture>[^]*role="main"/,
    );
    expect(first).toMatch(/<pre id="npm-start">/);
  });

  it('shows its pages before a script has run, and loads what it searches in only for who searches', () => {
    for (const path of ['index.html', 'docs/hooks.html', 'api/modules/pidgate.html']) {
      expect(page(path)).not.toMatch(/<script>|display ?= ?"none"|sections\.js/);
    }
  });

  it.each(Object.entries(questions))('finds %s', (question, expected) => {
    const { url = '' } = search()(question)[0]?.section ?? {};
    expect(expected.includes('#') ? url : url.replace(/#.*/, '')).toBe(expected);
  });

  it('leads to a section that there is, with the words that were looked for', () => {
    const hits = search()('delete');
    for (const { section } of hits) {
      const [path = '', anchor] = section.url.split('#');
      expect(page(path)).toContain(anchor === undefined ? '<h1' : ` id="${anchor}"`);
    }
    expect(hits[0]?.section.url).toContain('#');
    expect(hits[0]?.excerpt.filter(({ found }) => found).map(({ text }) => text)).toContain('delete');
    expect(search()('xyzzy')).toEqual([]);
    expect(search()('?')).toEqual([]);
  });

  describeInChromium('in a browser', () => {
    it('is searched with the keyboard alone, and shows all without a script', async () => {
      const browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: ['--no-sandbox'] });
      try {
        const tab = await browser.newPage();
        await tab.goto(pathToFileURL(join(site, 'docs/hooks.html')).href);
        await tab.keyboard.press('/');
        await tab.getByText('Type a word').waitFor();
        await tab.keyboard.type('xyzzy');
        await tab.getByText('Nothing here has “xyzzy”').waitFor();
        expect(await tab.getByRole('dialog').getByRole('link', { name: 'Cookbook' }).count()).toBe(1);
        await tab.keyboard.press('ControlOrMeta+a');
        await tab.keyboard.type('delete');
        await tab.getByText('Enter opens the first').waitFor();
        expect(await violations(tab)).toEqual([]);
        const links = tab.getByRole('dialog').getByRole('link');
        const [first, second] = [
          await links.nth(0).getAttribute('href'),
          await links.nth(1).getAttribute('href'),
        ];
        await tab.keyboard.press('ArrowDown');
        await tab.keyboard.press('ArrowDown');
        await tab.keyboard.press('Enter');
        await tab.waitForURL(new URL(second ?? '', tab.url()).href);
        await tab.goBack();
        await tab.keyboard.press('/');
        await tab.getByText('Type a word').waitFor();
        await tab.keyboard.type('delete');
        await tab.keyboard.press('Enter');
        await tab.waitForURL(new URL(first ?? '', pathToFileURL(join(site, 'docs/hooks.html'))).href);

        await tab.goto(pathToFileURL(join(site, 'index.html')).href);
        expect(await violations(tab)).toEqual([]);

        const plain = await browser.newPage({ javaScriptEnabled: false });
        await plain.goto(pathToFileURL(join(site, 'docs/hooks.html')).href);
        expect(await plain.getByRole('heading', { name: 'Hooks', level: 1 }).isVisible()).toBe(true);
        await plain.getByRole('link', { name: 'Search' }).click();
        await plain.waitForURL(/docs\/index\.html$/);
      } finally {
        await browser.close();
      }
    });
  });
});

describe('the reference', () => {
  it.each([
    ['refused', 'an export without a comment', 'export const secret = 1;\n', false],
    [
      'refused',
      'a link to a name that is not there',
      '/** See {@link nobody}. */\nexport const secret = 1;\n',
      false,
    ],
    ['made', 'comments', '/** It is not told. */\nexport const secret = 1;\n', true],
  ])('is %s with %s', async (_outcome, _what, text, passes) => {
    const seeded = join(folder, 'seeded.ts');
    const tsconfig = join(folder, 'tsconfig.json');
    writeFileSync(seeded, text);
    writeFileSync(tsconfig, '{ "files": ["seeded.ts"] }');
    expect(await buildSite(join(folder, 'out'), { entries: { seeded }, tsconfig })).toBe(passes);
  });
});

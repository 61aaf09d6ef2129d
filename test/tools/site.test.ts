import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildSite } from '../../tools/site/build.js';
import { brokenLinks } from '../../tools/site/links.js';
import { root } from '../../tools/contents.js';
import { entries } from '../../tools/entries.mjs';

jest.setTimeout(300_000); // compiles lib, on a machine that may be busy

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pidgate-site-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('the links of a folder', () => {
  it('must lead to a file in it, and to an element that there is', () => {
    mkdirSync(join(folder, 'docs'));
    writeFileSync(
      join(folder, 'index.html'),
      `<h1 id="top"></h1><a href="#top"></a><a href="#none"></a><a href="docs/a.html#part-%C3%A4"></a>
       <a href="docs/a.html#gone"></a><a href="docs"></a><a href="../outside.html"></a><script src="x.js"></script>
       <a href="https://shop.example/nowhere"></a><a href="mailto:erika@shop.example"></a>`,
    );
    writeFileSync(join(folder, 'docs/a.html'), '<h2 id="part-ä"></h2><a href="../index.html?q=1#top"></a>');
    expect(brokenLinks(folder)).toEqual({
      checked: 8,
      broken: ['#none', 'docs/a.html#gone', 'docs', '../outside.html', 'x.js'].map(
        (link) => `index.html -> ${link}`,
      ),
    });
  });
});

/** people P19: what people look for, and the page that has it. */
const questions: Readonly<Record<string, string>> = {
  install: 'docs/existing-app.html',
  'age check': 'docs/cookbook.html',
  redis: 'docs/scaling.html',
  'rate limit': 'SECURITY.html',
  'trust proxy': 'docs/existing-app.html',
  'express 4': 'docs/existing-app.html',
  translate: 'docs/pages.html',
  delete: 'docs/privacy.html',
  GDPR: 'docs/privacy.html',
  'log out': 'docs/sessions.html',
  declined: 'docs/errors.html',
  CommonJS: 'docs/existing-app.html',
};

interface Lunr {
  Index: { load(index: unknown): { search(query: string): { ref: string; score: number }[] } };
}

/** The first page that the site's own search shows for each question: the words as its script asks for them. */
function firstFor(script: string): Record<string, string | undefined> {
  const [, packed = ''] = /"([^"]+)"/.exec(script) ?? [];
  const { rows, index } = JSON.parse(inflateSync(Buffer.from(packed, 'base64')).toString()) as {
    rows: { name: string; url: string }[];
    index: unknown;
  };
  const lunr = createRequire(createRequire(import.meta.url).resolve('typedoc'))('lunr') as Lunr;
  const search = lunr.Index.load(index);
  const first = (question: string): string | undefined => {
    const asked = question.toLowerCase();
    const found = search
      .search(
        asked
          .split(' ')
          .map((word) => `*${word}*`)
          .join(' '),
      )
      .map(({ ref, score }) => {
        const { name = '', url = '' } = rows[Number(ref)] ?? {};
        const isName = name.toLowerCase().startsWith(asked);
        return { url, score: score * (isName ? 10 / (1 + Math.abs(name.length - asked.length)) : 1) };
      });
    return found.toSorted((a, b) => b.score - a.score)[0]?.url;
  };
  return Object.fromEntries(Object.keys(questions).map((question) => [question, first(question)]));
}

describe('people P19 the site', () => {
  it('has the documents under their own paths, and every entry of the package, and links that lead somewhere', async () => {
    expect(await buildSite(folder)).toBe(true);
    const { checked, broken } = brokenLinks(folder);
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(0);
    const page = (path: string): string => readFileSync(join(folder, path), 'utf8');
    expect(page('docs/errors.html')).toContain('<h2 id="presentation_invalid"');
    expect(page('api/functions/pidgate.identityVerification.html')).toContain(
      'Makes the routes that ask a person',
    );
    expect(page('index.html')).toMatch(
      /<h1 id="landing-title">.*<.h1>\n<p><strong>Ready for [^]*Get started<.a>/,
    );
    expect(page('index.html').match(/not yet proven|data that a government signed/g)).toHaveLength(2);
    expect(page('docs/cryptography.html')).toMatch(/role="main"[^]*<table tabindex="0">/);
    expect(page('docs/hooks.html')).toMatch(
      /<details open>.*<a href="..\/index.html">README<.*href="hooks.html" class="current" aria-current="page">Hooks</,
    );
    expect(page('docs/hooks.html')).toMatch(
      /<a rel="prev" href="[\w-]+.html">←.*<a rel="next" href="[\w-]+.html">/,
    );
    expect(page('api/modules/pidgate.html')).toContain('aria-current="page">pidgate<');
    expect(firstFor(page('assets/search.js'))).toEqual(questions);
    for (const { specifier } of entries) {
      expect(page(`api/modules/${specifier.replace('/', '_')}.html`)).toContain(specifier);
    }
    expect(page('llms.txt')).toBe(readFileSync(join(root, 'llms.txt'), 'utf8'));
    expect(page('docs/scaling.md')).toContain('# Stores and scaling');
  });

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

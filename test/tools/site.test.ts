import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildSite } from '../../tools/site/build.js';
import { brokenLinks } from '../../tools/site/links.js';
import { root } from '../../tools/contents.js';

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

describe('the site', () => {
  it('has the documents under their own paths, and every entry of the package, and links that lead somewhere', async () => {
    expect(await buildSite(folder)).toBe(true);
    const { checked, broken } = brokenLinks(folder);
    expect(broken).toEqual([]);
    expect(checked).toBeGreaterThan(1000);
    const page = (path: string): string => readFileSync(join(folder, path), 'utf8');
    expect(page('docs/errors/busy.html')).toContain('<h2 id="what-happened"');
    expect(page('api/functions/pidgate.identityVerification.html')).toContain(
      'Makes the routes that ask a person',
    );
    for (const entry of ['sd-jwt', 'redis', 'postgres', 'sandbox', 'testing']) {
      expect(page(`api/modules/pidgate_${entry}.html`)).toContain(`pidgate/${entry}`);
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

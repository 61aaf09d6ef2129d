import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contents, read, root } from '../../tools/contents.js';
import { made } from '../../tools/docs.js';

describe('the list of documents', () => {
  const listed = contents().flatMap(({ pages }) => pages.map(({ path }) => path));

  it('has every page of docs once, and no page that is not there', () => {
    const pages = readdirSync(join(root, 'docs')).filter(
      (name) => name.endsWith('.md') && name !== 'README.md',
    );
    expect(listed.filter((path) => path.startsWith('docs/')).toSorted()).toEqual(
      pages.map((name) => posix.join('docs', name)).toSorted(),
    );
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('is refused where a line is not a page', () => {
    expect(() => contents('# D\n\n## Use\n\n- [A](a.md) without a colon\n')).toThrow('docs/README.md: not');
    expect(contents('# D\n\n## Use\n\n- [A](../a.md): all of it\n')).toEqual([
      { name: 'Use', pages: [{ title: 'A', path: 'a.md', about: 'all of it' }] },
    ]);
  });
});

describe('a document that is made from others', () => {
  it.each(Object.entries(made))('%s is up to date; if not: npm run docs', (path, make) => {
    expect(read(path)).toBe(make());
  });

  it('llms.txt has a title, a summary and sections of links, as llmstxt.org asks', () => {
    expect(read('llms.txt')).toMatch(/^# pidgate\n\n> .+\n\n(## .+\n\n(- \[.+\]\(.+\): .+\n)+\n?)+$/);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { checks } from '../../lib/verify/checks.js';
import { faults, filesByFault, made, retired } from '../faults/index.mjs';
import { promised } from '../faults/promises.mjs';
import { deep } from '../support/deep.js';
import { root } from '../support/root.js';
import { titlesIn } from '../support/titles.mjs';
import { untested } from '../../tools/untested.js';

describe('F72 the faults and the promises', () => {
  const tested = filesByFault();

  deep.test.each(Object.entries(made))('are in %s as `npm run docs` writes them', (path, make) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(make());
  });

  it('have a sentence for every number that a test bears, and a test for every sentence', () => {
    expect([...tested.keys()].toSorted()).toEqual(Object.keys(faults).toSorted());
  });

  it('have no number that is retired, and what took it over has a test', () => {
    expect(Object.keys(retired).filter((name) => tested.has(name) || Object.hasOwn(faults, name))).toEqual(
      [],
    );
    const now = Object.values(retired).map(([, took]) => took);
    const files = now.flatMap((took) => [...took.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const numbers = now.flatMap((took) => took.match(/\bF\d+/g) ?? []);
    expect(numbers.filter((name) => !tested.has(name))).toEqual([]);
  });

  it('name numbers of tests and of checks, and no others', () => {
    const isKnown = (name: string) => tested.has(name) || Object.hasOwn(checks, name);
    expect(promised().size).toBeGreaterThan(150);
    expect([...promised()].filter((name) => !isKnown(name))).toEqual([]);
  });
});

describe('F72 the rows of documents that are made', () => {
  deep.test('have tests: numbers, checks, codes, mistakes and transitions', () => {
    expect(untested()).toEqual([]);
  });

  it('are named where they have none', () => {
    const none = new Set<string>();
    const missing = untested({ titles: new Set(['F2']), words: none, scenes: none });
    expect(missing).toEqual(
      expect.arrayContaining([
        'F1: no title of a test begins with it',
        'K02: no test has this check',
        'store_full: no test names this code',
        'trust-proxy: no test names this mistake',
        'started: test/flow/transitions.test.ts has no scene of it',
      ]),
    );
    expect(missing).not.toContainEqual(expect.stringMatching(/^F2:/));
  });
});

describe('the titles of a source', () => {
  it('are those of tests and groups that run', () => {
    const source = `
      // it('F1 in a comment', () => {});
      const text = "F2 a string";
      it.skip('F3 skipped', () => {});
      describe.skip('F4 skipped', () => {});
      xit('F5 skipped', () => {});
      it.todo('F6 to do');
      describe('F7 a group', () => { it(\`F8 \${name}\`, () => {}); });
      test.each([['F9', 1]])('%s a row', () => {});
      deep.describe('F10 a deep group', () => { deep.test('F11', () => {}); deep.test.each([['F12']])('%s', () => {}); });
      deep.test.skip('F13 skipped', () => {});`;
    expect(titlesIn('a.test.ts', source)).toEqual([
      { group: true, text: 'F7 a group' },
      { group: false, text: 'F8 ${name}' },
      { group: false, text: 'F9 a row' },
      { group: true, text: 'F10 a deep group' },
      { group: false, text: 'F11' },
      { group: false, text: 'F12' },
    ]);
  });
});

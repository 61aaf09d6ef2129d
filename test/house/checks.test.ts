import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { checks } from '../../lib/verify/checks.js';
import { root } from '../../tools/contents.js';
import { numberedChecks } from '../../tools/checks.js';

const numbers = Object.keys(checks);
const refusing = Object.entries(checks).flatMap(([check, entry]) =>
  typeof entry === 'string' ? [check] : [],
);

/** The sources in a folder as one text. */
function sourcesIn(folder: string): string {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && file !== 'checks.ts');
  return sources.map((file) => readFileSync(join(root, folder, file), 'utf8')).join('\n');
}

const unique = (found: Iterable<RegExpExecArray>): readonly string[] =>
  [...new Set([...found].map(([, check = '']) => check))].toSorted();

describe('docs/checks.md', () => {
  it('has every number that can refuse once', () => {
    const listed = [...numberedChecks().matchAll(/^- ([A-Z]\d\d) \S/gm)].map(([, check]) => check);
    expect(listed).toEqual(refusing);
  });
});

describe('the table of checks', () => {
  it('has the numbers that the code refuses with, and no other that refuses', () => {
    const used = unique(sourcesIn('lib/verify').matchAll(/'([A-Z]\d\d)'/g));
    expect(used).toEqual(refusing.toSorted());
  });

  it('says of a number that no refusal names which numbers do', () => {
    const implied = Object.values(checks).flatMap((entry) =>
      typeof entry !== 'string' && 'refusedAs' in entry ? [...entry.refusedAs] : [],
    );
    expect(implied.filter((check) => !refusing.includes(check))).toEqual([]);
  });

  /** Whether one fails without its check, only bench/checks says. */
  it('has a test for every number, and no test has another', () => {
    const sources = sourcesIn('test/verify') + sourcesIn('test/support/verify');
    const named = unique(sources.matchAll(/(?:['`"]|\[\s*')([A-EG-Z]\d\d)(?= |',)/g));
    expect(named).toEqual(numbers.toSorted());
  });
});

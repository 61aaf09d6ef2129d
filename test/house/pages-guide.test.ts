import { expect, test } from '@jest/globals';
import { en } from '../../lib/options/pages/en.js';
import { read } from './documents.js';

test('docs/pages.md lists every text of the pages, and no other', () => {
  const [, table = ''] = read('docs/pages.md').split('<!-- texts -->');
  const rows = [...table.matchAll(/^\| +`(\w+)` +\| (.*?) +\|$/gm)].map(([, key = '', text = '']) => [
    key,
    text,
  ]);
  expect(Object.fromEntries(rows)).toEqual(en);
});

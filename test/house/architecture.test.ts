import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { transitions } from '../../lib/flow/transitions.js';
import { lifeTable } from '../flow/transitions-table.js';

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');

/** Cells without the padding that a formatter gives them. */
const cells = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^-+$/, '---')),
    );

describe("the table of a flow's life", () => {
  test('has a row for everything that can happen, each as wide as its head', () => {
    const [head = [], rule = [], ...rows] = cells(lifeTable());
    expect(rule).toEqual(head.map(() => '---'));
    expect(rows.map(([name]) => name)).toEqual(Object.keys(transitions).map((name) => `\`${name}\``));
    expect(rows.filter((row) => row.length !== head.length || row.includes(''))).toEqual([]);
  });

  test('docs/architecture.md shows it as the code has it', () => {
    const shown = /<!-- life -->\n([^]*?)\n<!-- life -->/.exec(page)?.[1];
    expect(cells(shown ?? 'no table between two <!-- life --> lines')).toEqual(cells(lifeTable()));
  });
});

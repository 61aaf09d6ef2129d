import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { transitions } from '../../lib/flow/transitions.js';
import { lifeList } from '../flow/transitions-list.js';

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');

describe("the list of a flow's life", () => {
  test('has a line for everything that can happen', () => {
    const names = lifeList()
      .split('\n')
      .map((line) => /^- `(\w+)`(?: \(\w+\))?: \S/.exec(line)?.[1]);
    expect(names).toEqual(Object.keys(transitions));
  });

  test('docs/architecture.md shows it as the code has it', () => {
    const shown = /<!-- life -->\n([^]*?)\n<!-- life -->/.exec(page)?.[1];
    expect(shown ?? 'no list between two <!-- life --> lines').toBe(lifeList());
  });
});

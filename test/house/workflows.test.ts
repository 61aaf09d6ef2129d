import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/root.js';

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));

describe('what runs on GitHub', () => {
  it('is pinned by commit, each action with its version beside', () => {
    const uses = workflows.flatMap(({ text }) =>
      [...text.matchAll(/uses: (.+)/g)].map(([, what = '']) => what),
    );
    expect(uses).not.toEqual([]);
    expect(
      uses.filter((what) => !/^(?:\.\/.+\.yml|[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(what)),
    ).toEqual([]);
  });

  it.each(workflows.map(({ name, text }) => [name, text] as const))(
    '%s may only read, by default',
    (_, text) => {
      expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import { read } from '../../tools/contents.js';
import { ends, expresses, nodes, table } from '../../tools/versions/matrix.js';

describe('the versions that are tested', () => {
  const manifest = JSON.parse(read('package.json')) as {
    engines: { node: string };
    peerDependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };

  it('begin with the oldest that the package allows', () => {
    expect(manifest.engines.node).toBe(`>=${nodes[0]}`);
    expect(manifest.peerDependencies['express']).toBe(`^${expresses.express421} || ^5.0.0`);
  });

  it('are those of the development dependencies', () => {
    expect(manifest.devDependencies['express']).toBe(expresses.express5);
    expect(manifest.devDependencies['express4']).toBe(`npm:express@${expresses.express4}`);
  });

  it('are tested in CI at both ends', () => {
    expect(ends.map(({ node }) => node)).toEqual([nodes[0], nodes.at(-1)]);
    expect(read('.ci/run')).toContain('npm run test:versions --ignore-scripts -- ends\n');
    expect(read('.github/workflows/check.yml')).toContain('- run: .ci/run\n');
    expect(read('.github/workflows/release.yml')).toContain('uses: ./.github/workflows/check.yml\n');
  });
});

describe('the version table', () => {
  it('has a row for each Node and a column for each project', () => {
    const count = { passed: 12, failed: 0, skipped: 0 };
    const rows = new Map([
      ['20.19.0', { unit: count, express5: { passed: 9, failed: 2, skipped: 1 } }],
      ['26.10.0', { unit: count }],
    ]);
    expect(table(rows)).toBe(
      [
        '              Express 5.3.0                  unit',
        'Node 20.19.0  2 failed, 9 passed, 1 skipped  12 passed',
        'Node 26.10.0  not run                        12 passed',
        '',
      ].join('\n'),
    );
  });
});

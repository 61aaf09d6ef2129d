import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/root.js';

const mistakes = 'test/consumers/files/mistakes.ts';

// TypeScript 5.4 is asked in test/consumers, with the packed package.
test('an editor shows the questions and results, and each typical mistake is told in three lines', () => {
  const args = ['test/consumers/files/words.mjs', mistakes];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect([status, stdout.trim(), stderr]).toEqual([0, 'TypeScript 6.0.3: as expected', '']);
});

test('TypeScript 7 declares the same types', () => {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  const outDir = mkdtempSync(join(root, 'test-results/words-'));
  try {
    const options =
      '--ignoreConfig --declaration --emitDeclarationOnly --module nodenext --target es2022 --strict --skipLibCheck';
    const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
    const args = [
      tsc,
      mistakes,
      ...options.split(' '),
      '--types',
      'node',
      '--rootDir',
      root,
      '--outDir',
      outDir,
    ];
    spawnSync(process.execPath, args, { cwd: root });
    const declared = readFileSync(join(outDir, mistakes.replace(/ts$/, 'd.ts')), 'utf8');
    const oneLine = declared.replaceAll(/import\("[^"]+"\)\./g, '').replaceAll(/\s+/g, ' ');
    const age = 'Ask<"birth_date", never, { adult: boolean; }>';
    expect(oneLine).toContain(`age: ${age}`);
    expect(oneLine).toContain(`identity: IdentityVerification<{ age: ${age}; }, undefined>`);
    expect(oneLine).toContain(
      'flat: IdentityVerification<{ default: Ask<"birth_date" | "given_name", never, { name: string; }>; }, undefined>',
    );
  } finally {
    rmSync(outDir, { recursive: true });
  }
});

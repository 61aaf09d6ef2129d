import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/root.js';
import { blocksOf, read } from '../house/documents.js';

const run = promisify(execFile);
let cwd = '';

beforeAll(() => {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  cwd = mkdtempSync(join(root, 'test-results/guide-'));
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(root, join(cwd, 'node_modules/pidgate'));
  writeFileSync(join(cwd, 'package.json'), '{}'); // a customer's app, in CommonJS
  for (const { code } of blocksOf('docs/testing.md')) {
    const name = /^\/\/ ([\w.-]+\.js)\n/.exec(code)?.[1];
    if (name !== undefined) writeFileSync(join(cwd, name), code);
  }
});
afterAll(() => {
  rmSync(cwd, { recursive: true, force: true });
});

const env = { PATH: process.env['PATH'] };

test('the examples of docs/testing.md run in node:test as they stand', async () => {
  const { stdout } = await run(process.execPath, ['--test', 'club.node-test.js'], { cwd, env });
  expect(stdout).toMatch(/^# pass 1$/m);
}, 60_000);

// CommonJS in jest needs the package's CommonJS build: without one there is nothing to run.
const { exports } = JSON.parse(read('package.json')) as { exports: { '.': object } };
if ('require' in exports['.']) {
  test('the examples of docs/testing.md run in jest as they stand', async () => {
    const bin = join(root, 'node_modules/jest/bin/jest.js');
    const { stderr } = await run(process.execPath, [bin], { cwd, env });
    expect(stderr).toMatch(/^Tests: +6 passed, 6 total$/m);
  }, 120_000);
}

import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import config from '../../jest.config.mjs';
import deep from '../../jest.deep.config.mjs';
import versions from '../../jest.versions.config.mjs';
import { ends } from '../../tools/versions/matrix.js';
import { promised } from '../faults/promises.mjs';
import { root } from '../support/root.js';

describe('the projects of the test run', () => {
  /** What the globs of jest match; of its marks they use `*` and a folder's `**`. */
  const matcher = (glob: string): RegExp =>
    new RegExp(
      `^${glob
        .replace('<rootDir>/', '')
        .replaceAll('.', '\\.')
        .replaceAll(/\*\*\/|\*/g, (mark) => (mark === '*' ? '[^/]*' : '(.*/)?'))}$`,
    );

  it('run every test file', async () => {
    const entries = await readdir(join(root, 'test'), { recursive: true });
    const files = entries.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
    const projects = [...config.projects, ...deep.projects].map(({ displayName, testMatch }) => ({
      displayName,
      patterns: testMatch.map(matcher),
    }));
    const runs = (file: string): string[] =>
      projects.flatMap(({ displayName, patterns }) =>
        patterns.some((pattern) => pattern.test(file)) ? [displayName] : [],
      );
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => runs(file).filter((name) => name !== 'express4').length !== 1)).toEqual([]);
  });

  it('run all that touches HTTP on Express 4 too', () => {
    const globs = (named: string): readonly string[] | undefined =>
      versions.projects.find(({ displayName }) => displayName === named)?.testMatch;
    const web = config.projects.find(({ displayName }) => displayName === 'express5')?.testMatch;
    expect(web).not.toBeUndefined();
    for (const each of ['express421', 'express4', 'express5']) expect(globs(each)).toEqual(web);
    expect(ends[0].projects).toContain('express421');
  });
});

/** A run of jest with the reporter and the environment of this project, over one file of tests. */
async function run(body: string, env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pidgate-run-'));
  const [reporter, summary] = [join(root, 'test/support/reporter.mjs'), join(folder, 'summary')];
  await writeFile(join(folder, 'a.test.cjs'), body);
  const testEnvironment = join(root, 'test/support/environment.mjs');
  const project = { displayName: 'e2e', testMatch: ['**/*.test.cjs'], rootDir: folder, testEnvironment };
  const reporters = ['summary', [reporter, { name: 'this run' }]];
  const settings = { projects: [project], reporters };
  await writeFile(join(folder, 'jest.config.json'), JSON.stringify(settings));
  const args = [join(root, 'node_modules/jest/bin/jest.js'), '--config', join(folder, 'jest.config.json')];
  const clean = {
    ...process.env,
    PIDGATE_FORBID_SKIP: '',
    PIDGATE_TEST_SUMMARY: summary,
    FORCE_COLOR: '0',
    ...env,
  };
  const { code, stderr } = await execute(args, { env: clean, cwd: folder });
  const passed = await readFile(join(folder, 'test-results/passed/this-run.json'), 'utf8');
  const text = await readFile(summary, 'utf8');
  await rm(folder, { recursive: true });
  return { code, stderr, summary: text, passed: JSON.parse(passed) as string[] };
}

async function execute(args: readonly string[], options: ExecFileOptions = {}) {
  return await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { ...options, encoding: 'utf8' }, (error, _stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stderr });
    });
  });
}

describe('a skipped test', () => {
  it('is told of in plain words, and fails the run where skipping is forbidden', async () => {
    const body = `test('a', () => {}); test.skip('b', () => {});`;
    const { code, stderr, summary } = await run(body);
    const last =
      /^Left out: 1 tests of "e2e" \(no Chromium on PATH .* apt-get install chromium-headless-shell\)\n$/m;
    expect([code, stderr, summary]).toEqual([0, expect.stringMatching(last), expect.stringMatching(last)]);
    expect(summary).toMatch(/^this run:\n[^]*^Tests: {7}0 failed, 1 skipped, 1 passed, 2 total$/m);
    const forbidden = { PIDGATE_FORBID_SKIP: '1' };
    expect((await run(body, forbidden)).code).toBe(1);
    expect((await run(`test('a', () => {});`, forbidden)).code).toBe(0);
  });
});

describe('F72 the numbers of the tests that have passed', () => {
  it('are written down: of tests and groups, and of no test that was skipped, failed or only named', async () => {
    const { passed } = await run(`
      test('F1, F31 a', () => {});
      describe('F2 a group', () => { test('B03 b', () => {}); test.skip('F4 c', () => {}); });
      test.skip('F5 d', () => {});
      test('F6 e', () => { throw new Error(); });
      describe.skip('F7 f', () => { test('F8 g', () => {}); });
      // test('F9 h', () => {});
      test('i F10', () => {});`);
    expect(passed).toEqual(['B03', 'F1', 'F2', 'F31']);
  });

  it('fail the build where two runs together lack a promise, and only there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pidgate-passed-'));
    const judged = async (...runs: readonly (readonly string[])[]) => {
      for (const [index, numbers] of runs.entries()) {
        await writeFile(join(folder, `${index}.json`), JSON.stringify(numbers));
      }
      return await execute([join(root, 'test/faults/promises.mjs'), folder]);
    };
    const [first = '', second = '', ...others] = promised();
    expect(await judged([first, 'F999'], [second, ...others])).toEqual({ code: 0, stderr: '' });
    expect(await judged([first], others)).toEqual({
      code: 1,
      stderr: `Promised in SECURITY.md or README.md, and shown by no test that passed: ${second}\n`,
    });
    await rm(folder, { recursive: true });
  });
});

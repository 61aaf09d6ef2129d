import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import config, { deepFiles } from '../../jest.config.mjs';
import deepConfig, { nightFiles } from '../../jest.deep.config.mjs';
import versions from '../../jest.versions.config.mjs';
import { ends } from '../../tools/versions/matrix.js';
import { deep } from '../support/deep.js';
import { tooSlow } from '../support/reporter.mjs';
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

  const markers = /\bdeep\.(test|describe)\b/;
  interface Run {
    readonly displayName: string;
    readonly testMatch: readonly string[];
    readonly testPathIgnorePatterns?: readonly string[];
  }
  /** Says which projects of a run have a file. */
  function projectsOf(run: { readonly projects: readonly Run[] }): (file: string) => string[] {
    const projects = run.projects.map(({ displayName, testMatch, testPathIgnorePatterns: without = [] }) => ({
      displayName,
      with: testMatch.map(matcher),
      without: without.map((pattern) => new RegExp(pattern)),
    }));
    return (file) =>
      projects
        .filter((its) => !its.without.some((pattern) => pattern.test(`/${file}`)))
        .filter((its) => its.with.some((pattern) => pattern.test(file)))
        .map(({ displayName }) => displayName);
  }

  it('run every test file by day or by night: in both runs where something in it is marked as deep, else in one', async () => {
    const entries = await readdir(join(root, 'test'), { recursive: true });
    const files = entries.filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`);
    const [quickOf, deepOf] = [projectsOf(config), projectsOf(deepConfig)];
    for (const file of files) {
      const quick = quickOf(file);
      const rest = deepOf(file).filter((name) => name !== 'express4');
      const isMarked = markers.test(await readFile(join(root, file), 'utf8'));
      const once = [...quick, ...rest].slice(0, 1);
      const isOfNight = nightFiles.some((name) => file === `test/${name}.test.ts`);
      expect([file, once.length]).toEqual([file, isOfNight ? 0 : 1]);
      expect([file, ...quick, ...rest]).toEqual([file, ...once, ...(isMarked ? once : [])]);
    }
    const missing = deepFiles.filter((file) => !files.includes(`test/${file}.test.ts`));
    expect(missing).toEqual([]);
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
async function run(
  body: string,
  env: Record<string, string> = {},
  shown = 'summary',
  testEnvironmentOptions: { only?: 'quick' | 'deep' } = {},
  more: readonly string[] = [],
) {
  const folder = await mkdtemp(join(tmpdir(), 'pidgate-run-'));
  const [reporter, summary] = [join(root, 'test/support/reporter.mjs'), join(folder, 'summary')];
  await writeFile(join(folder, 'a.test.cjs'), body);
  const testEnvironment = join(root, 'test/support/environment.mjs');
  const project = {
    displayName: 'e2e',
    testMatch: ['**/*.test.cjs'],
    rootDir: folder,
    testEnvironment,
    testEnvironmentOptions,
    transform: { '\\.ts$': join(root, 'node_modules/@swc/jest/index.js') },
  };
  const reporters = [shown, [reporter, { name: 'this run' }]];
  const { verbose } = config;
  const settings = { projects: [project], reporters, verbose };
  await writeFile(join(folder, 'jest.config.json'), JSON.stringify(settings));
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = [jest, '--config', join(folder, 'jest.config.json'), ...more];
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

describe('quick and deep tests', () => {
  const body = `
    const { deep } = require(${JSON.stringify(join(root, 'test/support/deep.ts'))});
    const { spawnSync } = require('node:child_process');
    test('F1 quick', () => {});
    deep.test('F2 deep', () => expect(spawnSync('true').status).toBe(0));
    describe('a group whose hook is for its deep tests', () => {
      beforeAll(() => void spawnSync('true'));
      deep.test.each(['one', 'another'])('F3 %s', () => {});
    });
    deep.describe.each([1])('F4 a group', () => { test('F5', () => {}); });
    describe('F6 a group with both', () => { test('F7', () => {}); deep.test('F8', () => {}); });`;

  deep.test('are run apart, and together where nothing is said', async () => {
    const passed = async (only?: 'quick' | 'deep') => {
      const done = await run(body, {}, 'summary', only === undefined ? {} : { only });
      expect([only, done.code]).toEqual([only, 0]);
      expect(done.summary).toContain(' 0 skipped,');
      return done.passed;
    };
    expect(await passed('quick')).toEqual(['F1', 'F6', 'F7']);
    expect(await passed('deep')).toEqual(['F2', 'F3', 'F4', 'F5', 'F6', 'F8']);
    expect(await passed()).toEqual(['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F7', 'F8']);
  });

  deep.test('a quick test that starts a process fails, and is told what to do', async () => {
    const starting = `
      const { exec, fork, spawn } = require('node:child_process');
      test.each([exec, fork, spawn])('F1', (start) => void start('true'));`;
    const { code, stderr, summary } = await run(starting, {}, 'default', { only: 'quick' });
    expect(code).toBe(1);
    expect(stderr).toContain('A test of `npm test` starts no process. Define it with deep.test');
    expect(summary).toMatch(/^Tests: {7}3 failed/m);
  });

  deep.test('a test that still listens to a channel when it is over fails', async () => {
    const listening = `
      const { subscribe, unsubscribe } = require('node:diagnostics_channel');
      const listen = () => {};
      test('F1', () => subscribe('pidgate', listen));
      test('F2', () => { unsubscribe('pidgate', listen); subscribe('pidgate', listen); unsubscribe('pidgate', listen); });
      test('F3', () => subscribe('tracing:pidgate:hook:start', listen));`;
    const { passed, stderr } = await run(listening, {}, 'default');
    expect(passed).toEqual(['F2']);
    expect(stderr).toContain('The test still listens to pidgate.');
    expect(stderr).toContain('The test still listens to tracing:pidgate:hook:start.');
  });

  it('that are too slow for npm test are named, unless another program keeps the machine busy', () => {
    expect(tooSlow(['400 ms: a test'], 1)).toMatch(/^Too slow for npm test .*:\n {2}400 ms: a test\n$/);
    expect(tooSlow(['400 ms: a test'], 1_000)).toBe('');
    expect(tooSlow([], 1)).toBe('');
  });
});

describe('a skipped test', () => {
  deep.test('is told of in plain words, and fails the run where skipping is forbidden', async () => {
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

  deep.test('is not one that a run by name (-t) leaves out', async () => {
    const body = `test('a', () => {}); test('b', () => {});`;
    const { code, stderr } = await run(body, { PIDGATE_FORBID_SKIP: '1' }, 'summary', {}, ['-t', 'a']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Left out')]);
  });
});

describe('F72 the numbers of the tests that have passed', () => {
  deep.test(
    'are written down: of tests and groups, and of no test that was skipped, failed or only named',
    async () => {
      const { passed } = await run(`
      test('F1, F31 a', () => {});
      describe('F2 a group', () => { test('B03 b', () => {}); test.skip('F4 c', () => {}); });
      test.skip('F5 d', () => {});
      test('F6 e', () => { throw new Error(); });
      describe.skip('F7 f', () => { test('F8 g', () => {}); });
      // test('F9 h', () => {});
      test('i F10', () => {});`);
      expect(passed).toEqual(['B03', 'F1', 'F2', 'F31']);
    },
  );

  deep.test('fail the build where two runs together lack a promise, and only there', async () => {
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

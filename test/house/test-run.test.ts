import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import config from '../../jest.config.mjs';
import deep from '../../jest.deep.config.mjs';
import versions from '../../jest.versions.config.mjs';
import { ends } from '../../tools/versions/matrix.js';
import { chromiumPath } from '../support/chromium.js';
import { leftOut } from '../support/reporter.mjs';
import { promised } from '../faults/promises.mjs';
import { root } from '../support/root.js';
import { type Server, findServer, pathVariable, serverNames, servers } from '../support/servers.mjs';

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
async function run(body: string, env: Record<string, string> = {}, shown = 'summary') {
  const folder = await mkdtemp(join(tmpdir(), 'pidgate-run-'));
  const [reporter, summary] = [join(root, 'test/support/reporter.mjs'), join(folder, 'summary')];
  await writeFile(join(folder, 'a.test.cjs'), body);
  const testEnvironment = join(root, 'test/support/environment.mjs');
  const project = { displayName: 'e2e', testMatch: ['**/*.test.cjs'], rootDir: folder, testEnvironment };
  const reporters = [shown, [reporter, { name: 'this run' }]];
  const { verbose } = config;
  const settings = { projects: [project], reporters, verbose };
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
  const last =
    /^Left out: 1 tests of "e2e" \(no Chromium on PATH .* apt-get install chromium-headless-shell\)\n$/m;

  it('is told of in plain words, and the run passes', async () => {
    const { code, stderr, summary } = await run(`test('a', () => {}); test.skip('b', () => {});`);
    expect(code).toBe(0);
    expect(stderr).toMatch(last);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^Left out/);
    expect(summary).toMatch(/^this run:\n/);
    expect(summary).toMatch(/^Tests: {7}0 failed, 1 skipped, 1 passed, 2 total$/m);
    expect(summary).toMatch(last);
  });

  it('fails the run where skipping is forbidden', async () => {
    const { code } = await run(`test('a', () => {}); test.skip('b', () => {});`, {
      PIDGATE_FORBID_SKIP: '1',
    });
    expect(code).toBe(1);
  });

  it('is not found where there is none', async () => {
    const { code, stderr, summary } = await run(`test('a', () => {});`, { PIDGATE_FORBID_SKIP: '1' });
    expect(code).toBe(0);
    expect(stderr).not.toContain('Left out');
    expect(summary).toMatch(/^Tests: {7}0 failed, 0 skipped, 1 passed, 1 total$/m);
    expect(summary).not.toContain('Left out');
  });
});

describe('the output of one file', () => {
  it('is at most a screen where all pass, and no line of it is longer than a line', async () => {
    const { code, stderr } = await run(
      `const long = 'x'.repeat(100_000);
       describe.each([long])('a group with %s', () => {
         test.each(Array.from({ length: 300 }, (_, nth) => long + nth))('takes %s', () => {});
         test('takes a value\\n  of two lines', () => {});
       });`,
      {},
      'default',
    );
    expect(code).toBe(0);
    expect(stderr).toContain('301 passed');
    expect(stderr.split('\n').length).toBeLessThan(25);
    expect(stderr.split('\n').filter((line) => line.length > 160)).toEqual([]);
  });

  it('names a test that failed in a line', async () => {
    const body = `describe('a group', () => {
      test.each(['x'.repeat(100_000)])('F1 takes %s', () => { throw new Error('no'); });
      test('takes a value\\n  of two lines', () => { throw new Error('no'); });
    });`;
    const { code, stderr } = await run(body, {}, 'default');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ {2}● a group › F1 takes x{100,}…$/m);
    expect(stderr).toMatch(/^ {2}● a group › takes a value of two lines$/m);
    // Below it, jest shows the lines of the source, which are as they are.
    expect(stderr.split('\n').filter((line) => line.length > 200)).toEqual([]);
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

describe('the line that says what was left out', () => {
  const before = { ...process.env };

  beforeEach(() => {
    for (const server of serverNames) process.env[pathVariable(server)] = '/here';
  });
  afterEach(() => {
    for (const variable of serverNames.map(pathVariable)) {
      process.env[variable] = before[variable];
      if (before[variable] === undefined) delete process.env[variable];
    }
  });

  it.each(serverNames)('names %s where that is what is missing', (server) => {
    process.env[pathVariable(server)] = '';
    const { programs, variable, package: inDebian } = servers[server];
    for (const project of ['stores', 'deployment']) {
      const line = leftOut(new Map([[project, 2]]));
      expect(line).toBe(
        `Left out: 2 tests of "${project}" (no ${programs.join(' and ')} on PATH and none named by ${variable}; ` +
          `Debian: apt-get install ${inDebian})\n`,
      );
    }
  });

  it('names no server where all of them run', () => {
    expect(leftOut(new Map([['stores', 1]]))).toBe(
      'Left out: 1 tests of "stores" (the output above names them)\n',
    );
  });

  it('ends with the suites that another command runs', () => {
    const skipped = new Map([['unit', 3]]);
    expect(leftOut(skipped, 'others (npm run others)')).toBe(
      'Left out: 3 tests of "unit" (the output above names them); others (npm run others)\n',
    );
    expect(leftOut(new Map(), 'others (npm run others)')).toBe('Left out: others (npm run others)\n');
  });
});

describe.each(serverNames)('the %s to test with', (server) => {
  const before = { ...process.env };
  const { variable, programs } = servers[server];
  let folder: string;
  /** One program is named itself, several by their folder. */
  const inFolder = (): string => (programs.length === 1 ? join(folder, programs[0]) : folder);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pidgate-servers-'));
  });
  afterEach(async () => {
    for (const name of ['PATH', variable]) {
      process.env[name] = before[name];
      if (before[name] === undefined) delete process.env[name];
    }
    await rm(folder, { recursive: true });
  });
  const install = async (): Promise<void> => {
    for (const name of programs) await writeFile(join(folder, name), '', { mode: 0o755 });
  };

  it('is the one that the environment names', async () => {
    await install();
    process.env[variable] = inFolder();
    expect(findServer(server)).toBe(inFolder());
  });

  it('is found on PATH', async () => {
    Object.assign(process.env, { [variable]: '', PATH: folder });
    const { folders = [] } = servers[server] as Server;
    expect([undefined, ...folders]).toContain(findServer(server)?.replace(`/${programs[0]}`, ''));
    await install();
    expect(findServer(server)).toBe(inFolder());
  });

  it('is none at "off", and a name that leads nowhere is a mistake', () => {
    process.env[variable] = 'off';
    expect(findServer(server)).toBeUndefined();
    process.env[variable] = '/nowhere';
    expect(() => findServer(server)).toThrow(`${variable} leads nowhere: /nowhere`);
  });
});

describe('the browser to test with', () => {
  const before = { ...process.env };

  afterEach(() => {
    process.env['PIDGATE_CHROMIUM'] = before['PIDGATE_CHROMIUM'];
    if (before['PIDGATE_CHROMIUM'] === undefined) delete process.env['PIDGATE_CHROMIUM'];
    process.env['PATH'] = before['PATH'];
  });

  it('is the one that PIDGATE_CHROMIUM names', () => {
    process.env['PIDGATE_CHROMIUM'] = process.execPath;
    expect(chromiumPath()).toBe(process.execPath);
  });

  it('is found on PATH, or there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pidgate-path-'));
    process.env['PIDGATE_CHROMIUM'] = '';
    process.env['PATH'] = folder;
    expect(chromiumPath()).toBeUndefined();
    await writeFile(join(folder, 'chromium'), '');
    expect(chromiumPath()).toBeUndefined();
    await writeFile(join(folder, 'google-chrome'), '', { mode: 0o755 });
    expect(chromiumPath()).toBe(join(folder, 'google-chrome'));
    await writeFile(join(folder, 'chromium-headless-shell'), '', { mode: 0o755 });
    expect(chromiumPath()).toBe(join(folder, 'chromium-headless-shell'));
    await rm(folder, { recursive: true });
  });

  it('is none at "off", and a name that leads nowhere is a mistake', () => {
    process.env['PIDGATE_CHROMIUM'] = 'off';
    expect(chromiumPath()).toBeUndefined();
    process.env['PIDGATE_CHROMIUM'] = '/nowhere';
    expect(() => chromiumPath()).toThrow('PIDGATE_CHROMIUM names no program: /nowhere');
  });
});

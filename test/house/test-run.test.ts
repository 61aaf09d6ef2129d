import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import config from '../../jest.config.mjs';
import { chromiumPath } from '../support/chromium.js';

const root = join(import.meta.dirname, '../..');

describe('the projects of the test run', () => {
  it('run every test file', async () => {
    const entries = await readdir(join(root, 'test'), { recursive: true });
    const files = entries.filter((name) => name.endsWith('.test.ts'));
    const folders = config.projects.flatMap(({ testMatch }) =>
      testMatch.map((pattern) => pattern.replace('<rootDir>/test/', '').replace('**/*.test.ts', '')),
    );
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !folders.some((folder) => file.startsWith(folder)))).toEqual([]);
  });
});

describe('a skipped test', () => {
  let folder: string;

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function run(body: string, env: Record<string, string>) {
    folder = await mkdtemp(join(tmpdir(), 'pidgate-run-'));
    const [reporter, summary] = [join(root, 'test/support/reporter.mjs'), join(folder, 'summary')];
    await writeFile(join(folder, 'a.test.cjs'), body);
    const project = { displayName: 'e2e', testMatch: ['**/*.test.cjs'], rootDir: folder };
    await writeFile(
      join(folder, 'jest.config.json'),
      JSON.stringify({ projects: [project], reporters: [reporter] }),
    );
    const args = [join(root, 'node_modules/jest/bin/jest.js'), '--config', join(folder, 'jest.config.json')];
    const clean = { ...process.env, PIDGATE_FORBID_SKIP: '', PIDGATE_TEST_SUMMARY: summary, ...env };
    return await new Promise<{ code: unknown; stderr: string; summary: string }>((resolve, reject) => {
      execFile(process.execPath, args, { env: clean, cwd: folder }, (error, _stdout, stderr) => {
        readFile(summary, 'utf8').then((text) => {
          resolve({ code: error?.code ?? 0, stderr, summary: text });
        }, reject);
      });
    });
  }

  it('is told of in plain words, and the run passes', async () => {
    const { code, stderr, summary } = await run(`test('a', () => {}); test.skip('b', () => {});`, {});
    expect(code).toBe(0);
    expect(stderr).toContain('Skipped 1 of "e2e": no Chromium on PATH');
    expect(summary).toMatch(/^Tests: {7}0 failed, 1 skipped, 1 passed, 2 total$/m);
  });

  it('fails the run where skipping is forbidden', async () => {
    const { code } = await run(`test('a', () => {}); test.skip('b', () => {});`, {
      PIDGATE_FORBID_SKIP: '1',
    });
    expect(code).toBe(1);
  });

  it('is not found where there is none', async () => {
    const { code, stderr, summary } = await run(`test('a', () => {});`, { PIDGATE_FORBID_SKIP: '1' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(summary).toMatch(/^Tests: {7}0 failed, 0 skipped, 1 passed, 1 total$/m);
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
    await rm(folder, { recursive: true });
  });

  it('is none at "off", and a name that leads nowhere is a mistake', () => {
    process.env['PIDGATE_CHROMIUM'] = 'off';
    expect(chromiumPath()).toBeUndefined();
    process.env['PIDGATE_CHROMIUM'] = '/nowhere';
    expect(() => chromiumPath()).toThrow('PIDGATE_CHROMIUM names no program: /nowhere');
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import config from '../../jest.config.mjs';
import { chromiumPath } from '../support/chromium.js';
import { postgresPrograms, redisServer } from '../support/services.js';

const root = join(import.meta.dirname, '../..');

describe('the projects of the test run', () => {
  it('run every test file', async () => {
    const entries = await readdir(join(root, 'test'), { recursive: true });
    const files = entries.filter((name) => name.endsWith('.test.ts'));
    const patterns = config.projects.flatMap(({ testMatch }) =>
      testMatch.map((glob) => {
        const [folder = '', name] = glob.replace('<rootDir>/test/', '').split('**/');
        return new RegExp(name === undefined ? '^[^/]+$' : `^${folder}`);
      }),
    );
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !patterns.some((pattern) => pattern.test(file)))).toEqual([]);
  });
});

describe('a skipped test', () => {
  let folder: string;

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function run(body: string, env: Record<string, string>, displayName = 'e2e') {
    folder = await mkdtemp(join(tmpdir(), 'pidgate-run-'));
    const [reporter, summary] = [join(root, 'test/support/reporter.mjs'), join(folder, 'summary')];
    await writeFile(join(folder, 'a.test.cjs'), body);
    const project = { displayName, testMatch: ['**/*.test.cjs'], rootDir: folder };
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

  it.each([
    ['Redis', 'REDIS', 'no redis-server on PATH and none named by PIDGATE_REDIS_SERVER'],
    ['Postgres', 'POSTGRES', 'no initdb and postgres on PATH'],
  ])('names %s where that is what is missing', async (_name, missing, reason) => {
    const started = { PIDGATE_TEST_REDIS: '/here', PIDGATE_TEST_POSTGRES: '/here' };
    const env = { ...started, [`PIDGATE_TEST_${missing}`]: '' };
    const { stderr } = await run(`test('a', () => {}); test.skip('b', () => {});`, env, 'stores');
    expect(stderr).toContain(`Skipped 1 of "stores": ${reason}`);
    expect(stderr.match(/apt-get/g)).toHaveLength(1);
  });

  it('names no server where all of them run', async () => {
    const started = { PIDGATE_TEST_REDIS: '/here', PIDGATE_TEST_POSTGRES: '/here' };
    const { stderr } = await run(`test('a', () => {}); test.skip('b', () => {});`, started, 'stores');
    expect(stderr).toContain('Skipped 1 of "stores": the output above names them.');
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

describe('the servers to test with', () => {
  const before = { ...process.env };

  afterEach(() => {
    for (const name of ['PATH', 'PIDGATE_REDIS_SERVER', 'PIDGATE_POSTGRES_BIN']) {
      process.env[name] = before[name];
      if (before[name] === undefined) delete process.env[name];
    }
  });

  it('are those that the environment names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pidgate-servers-'));
    for (const name of ['initdb', 'postgres']) await writeFile(join(folder, name), '', { mode: 0o755 });
    process.env['PIDGATE_REDIS_SERVER'] = process.execPath;
    process.env['PIDGATE_POSTGRES_BIN'] = folder;
    expect(redisServer()).toBe(process.execPath);
    expect(postgresPrograms()).toBe(folder);
    await rm(folder, { recursive: true });
  });

  it('are found on PATH, or there is no Redis', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pidgate-path-'));
    Object.assign(process.env, { PIDGATE_REDIS_SERVER: '', PIDGATE_POSTGRES_BIN: '', PATH: folder });
    expect(redisServer()).toBeUndefined();
    for (const name of ['redis-server', 'initdb', 'postgres']) {
      await writeFile(join(folder, name), '', { mode: 0o755 });
    }
    expect(redisServer()).toBe(join(folder, 'redis-server'));
    expect(postgresPrograms()).toBe(folder);
    await rm(folder, { recursive: true });
  });

  it('are none at "off", and a name that leads nowhere is a mistake', () => {
    Object.assign(process.env, { PIDGATE_REDIS_SERVER: 'off', PIDGATE_POSTGRES_BIN: 'off' });
    expect([redisServer(), postgresPrograms()]).toEqual([undefined, undefined]);
    Object.assign(process.env, { PIDGATE_REDIS_SERVER: '/nowhere', PIDGATE_POSTGRES_BIN: '/nowhere' });
    expect(() => redisServer()).toThrow('PIDGATE_REDIS_SERVER leads nowhere: /nowhere');
    expect(() => postgresPrograms()).toThrow('PIDGATE_POSTGRES_BIN leads nowhere: /nowhere');
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

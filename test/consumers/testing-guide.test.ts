import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { root } from '../support/root.js';
import { blocksOf, read } from '../house/documents.js';

const run = promisify(execFile);
let cwd = '';

/** The app of the page in node:test, and as one that asks wallets itself. */
const others = {
  'club.node-test.js': `
    process.env.NODE_ENV ??= 'test';
    const assert = require('node:assert/strict');
    const { after, before, test } = require('node:test');
    const { createSandbox } = require('pidgate/sandbox');
    const { createApp } = require('./club.js');

    let sandbox, app;
    before(async () => {
      sandbox = await createSandbox();
      ({ app } = createApp(sandbox.options));
    });
    after(() => sandbox.close());

    test('an adult gets in', async () => {
      const visit = await sandbox.complete(app, { start: '/identity/start?returnTo=/club' });
      assert.deepEqual(await visit.response.json(), { name: 'Erika' });
    });`,
  'wallet.test.js': `
    const { createSandbox } = require('pidgate/sandbox');
    const { createApp } = require('./club.js');

    test.each(['link', 'code'])('an adult gets in, by %s', async (way) => {
      const sandbox = await createSandbox({ role: 'wallet' });
      const { app } = createApp(sandbox.options);
      const visit = await sandbox.complete(app, { start: '/identity/start?returnTo=/club', way });
      expect(await visit.response.json()).toEqual({ name: 'ERIKA' });
      await sandbox.close();
    });`,
};

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
  for (const [name, code] of Object.entries(others)) writeFileSync(join(cwd, name), code);
});
afterAll(() => {
  rmSync(cwd, { recursive: true, force: true });
});

const env = { PATH: process.env['PATH'] };

test('the app of docs/testing.md runs in node:test', async () => {
  const { stdout } = await run(process.execPath, ['--test', 'club.node-test.js'], { cwd, env });
  expect(stdout).toMatch(/^# pass 1$/m);
});

// CommonJS in jest needs the package's CommonJS build: without one there is nothing to run.
const { exports } = JSON.parse(read('package.json')) as { exports: { '.': object } };
if ('require' in exports['.']) {
  test('the examples of docs/testing.md run in jest as they stand', async () => {
    const bin = join(root, 'node_modules/jest/bin/jest.js');
    const { stderr } = await run(process.execPath, [bin], { cwd, env });
    expect(stderr).toMatch(/^Tests: +6 passed, 6 total$/m);
  });
}

const withoutRouter = `
import { createSandbox } from 'pidgate/sandbox';
import { createServer } from '${root}/examples/without-router.ts';
(async () => {
  const sandbox = await createSandbox();
  const server = createServer(sandbox.options);
  const seen = [];
  for (const scenario of ['approve', 'declined', 'return_other_browser', 'return_twice', 'callback_twice', 'wrong_nonce']) {
    const { response } = await sandbox.complete(server, { scenario });
    seen.push([scenario, response.status, await response.text()]);
  }
  console.log(JSON.stringify(seen));
  await sandbox.close();
  server.close();
})();
`;

test('the server of examples/without-router.ts welcomes one browser, once', async () => {
  writeFileSync(join(cwd, 'visits.mts'), withoutRouter);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'visits.mts'], {
    cwd,
    env: { ...env, NODE_ENV: 'test' },
  });
  expect(JSON.parse(stdout)).toEqual([
    ['approve', 200, 'Welcome, Erika'],
    ['declined', 403, 'No proof.'],
    ['return_other_browser', 403, 'Please start again.'],
    ['return_twice', 403, 'Please start again.'],
    ['callback_twice', 200, 'Welcome, Erika'],
    ['wrong_nonce', 403, 'No proof.'],
  ]);
});

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { environmentFor } from '../../lib/dev/cli/environment.js';
import { type Sandbox, createSandbox } from '../../lib/dev/sandbox/index.js';
import { endAll, runNode } from '../support/run-app.js';
import { freePort } from '../support/free-port.js';
import { root } from '../support/root.js';

// An app that trusts the real issuer, started by all that starts apps, with the environment that pidgate prints.

const factory = (from: string): string => `
  const { identityVerification } = require('${from}')
  const identity = identityVerification({
    trust: { 'de-ausweis': async () => ({ valid: false, reason: 'real' }) },
    reveal: ['given_name'],
    keep: ({ attributes }) => attributes.given_name,
  })`;
const app = `${factory('pidgate')}
  const express = require('express')
  express()
    .use(require('express-session')({ secret: 'of a test', resave: false, saveUninitialized: false }))
    .use('/identity', identity)
    .get('/', identity.require(), (req, res) => res.json(identity.of(req)))
    .listen(process.env.PORT, '127.0.0.1', () => console.log('ready'))`;

const files = {
  'package.json': '{ "scripts": { "start": "node factory.js" } }',
  'app.js': app,
  'factory.js': factory('pidgate'),
  'esm.mjs': `import { identityVerification } from 'pidgate'\n${factory('pidgate').replace(/.*require.*\n/, '')}`,
  'typed.ts': `const at: string = 'pidgate'\n${factory('pidgate')}`,
  'cluster.js': `const cluster = require('node:cluster')
    if (cluster.isPrimary) cluster.fork()
    else { require('./factory.js'); process.disconnect() }`,
  'worker.js': `new (require('node:worker_threads').Worker)('./factory.js')`,
  'spawn.js': `require('node:child_process').spawn(process.execPath, ['factory.js'], { stdio: 'inherit' })`,
  'npm.js': `require('node:child_process').spawn('npm', ['start', '--silent'], { stdio: 'inherit' })
    .on('exit', (code) => { process.exitCode = code })`,
  'start-page.js': `
    const { identityVerification } = require('pidgate')
    const identity = identityVerification({
      ...{ baseUrl: 'https://service.example', apiKey: 'key', issuer: 'de-ausweis', appUrl: 'https://shop.example' },
      trust: { 'de-ausweis': async () => ({ valid: false, reason: 'never' }) },
      reveal: ['given_name'],
      logger: false,
    })
    const cookie = { secure: true }
    const session = require('express-session')({ secret: 'x', resave: false, saveUninitialized: false, cookie })
    const server = require('express')().use(session).use('/identity', identity).listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      const headers = { host: 'shop.example' }
      require('node:http').get({ port, path: '/identity/start', headers }, (res) => {
        res.resume().on('end', () => {
          const files = Object.keys(require.cache).map((file) => /set-up(?:.list)?\\.js$/.exec(file)?.[0])
          console.log(res.statusCode, files.filter(Boolean).map((file) => file.replace(/.*\\W(?=list)/, '')).sort().join(' '))
          server.close()
        })
      })
    })`,
  'runner.test.js': `require('node:test').test('an app', () => { require('./factory.js') })`,
  'copies.js': `${factory('pidgate')}\n{ ${factory('other')} }`,
  'in-process.test.js': `
    const { createSandbox } = require('other/sandbox')
    const { asVerified } = require('other/testing')
    const request = require('supertest')
    test('registers itself in the globals of jest, for another copy of the package', async () => {
      const sandbox = await createSandbox({ issuer: 'de-ausweis' })
      const { trust, ...options } = sandbox.options
      Object.assign(process.env, {
        IDENTITY_BASE_URL: options.baseUrl, IDENTITY_API_KEY: options.apiKey, IDENTITY_ISSUER: options.issuer,
        APP_URL: 'http://localhost:3000',
      })
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {})
      ${factory('pidgate')}
      expect(warned.mock.calls[0][0]).toContain('stands in for de-ausweis')
      const express = require('express')
      const guarded = express()
        .use(asVerified(identity, { kept: 'Erika' }))
        .get('/', identity.require(), (req, res) => res.json(identity.of(req).kept))
      expect((await request(guarded).get('/')).body).toBe('Erika')
      await sandbox.close()
      warned.mockClear()
      { ${factory('pidgate')} }
      expect(warned).not.toHaveBeenCalled()
    })`,
};

let sandbox: Sandbox;
let cwd: string;

beforeAll(async () => {
  sandbox = await createSandbox({ issuer: 'de-ausweis' });
  mkdirSync(join(root, 'test-results'), { recursive: true });
  cwd = mkdtempSync(join(root, 'test-results/seam-'));
  mkdirSync(join(cwd, 'node_modules/other'), { recursive: true });
  symlinkSync(root, join(cwd, 'node_modules/pidgate'));
  for (const part of ['dist', 'package.json'])
    cpSync(join(root, part), join(cwd, 'node_modules/other', part), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
});
afterEach(async () => {
  await endAll();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(cwd, { recursive: true, force: true });
});

async function start(args: string[], more: Record<string, string> = {}) {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { ...environmentFor(sandbox, url), PORT: String(port), ...more };
  return { url, app: await runNode(args, cwd, env) };
}

const standsIn = 'stands in for de-ausweis in this process';
const bin = (path: string): string => join(root, 'node_modules', path);

describe('The sandbox stands in for the issuer of an app', () => {
  it('that is started with the printed environment, for a whole verification', async () => {
    const { app, url } = await start(['app.js']);
    await app.says('ready');
    expect(app.said()).toContain(standsIn);
    sandbox.redirectUrl = `${url}/identity/callback`;
    const { response } = await sandbox.complete(url, { start: '/identity/start?returnTo=/' });
    expect(await response.json()).toMatchObject({ issuer: 'de-ausweis', sandbox: true, kept: 'ERIKA' });
    await app.end('SIGTERM');
  });

  it.each<[string, string[], number?]>([
    ['node, as a module', ['esm.mjs']],
    ['tsx', ['--import', 'tsx', 'typed.ts']],
    ['a cluster', ['cluster.js']],
    ['a worker thread', ['worker.js']],
    ['a process of its own', ['spawn.js']],
    ['node:test', ['--test', 'runner.test.js']],
    ['an app that npm starts, and npm itself says nothing of it', ['npm.js']],
    ['both of two copies of the package', ['copies.js'], 2],
  ])('in %s', async (_what, args, copies = 1) => {
    const { app } = await start(args);
    expect(await app.end()).toEqual([0, null]);
    expect(app.said().split(standsIn)).toHaveLength(copies + 1);
  });

  it('in an app that a watcher starts', async () => {
    const { app } = await start([bin('tsx/dist/cli.mjs'), 'watch', 'typed.ts']);
    await app.says(standsIn);
    await app.end('SIGTERM');
  });

  it('in jest, where the sandbox runs in the test', async () => {
    const args = [bin('jest/bin/jest.js'), 'in-process', '--rootDir', cwd, '--testTimeout', '60000'];
    const { app } = await start(args, { NODE_ENV: 'test', NODE_OPTIONS: '' });
    expect([await app.end(), app.said()]).toEqual([[0, null], expect.stringContaining('1 passed')]);
  });
});

describe('The list of what can be set up wrong', () => {
  it.each([
    ['development', 'list.js set-up.js'],
    ['production', ''],
  ])('in %s a start page loads of it: %s', async (mode, loaded) => {
    const { app } = await start(['start-page.js'], {
      NODE_ENV: mode,
      NODE_OPTIONS: '',
      IDENTITY_SANDBOX_URL: '',
    });
    const ended = await app.end();
    const [last] = app.said().trim().split('\n').slice(-1);
    expect([ended, last]).toEqual([[0, null], `200 ${loaded}`.trim()]);
  });
});

describe('It does not', () => {
  it('in production: config_invalid', async () => {
    const { app } = await start(['factory.js'], { NODE_ENV: 'production' });
    expect(await app.end()).toEqual([1, null]);
    expect(app.said()).toContain('it needs NODE_ENV=development or test.');
  });

  it('in an app that asks another service', async () => {
    const { app } = await start(['factory.js'], { IDENTITY_BASE_URL: 'http://127.0.0.1:1' });
    expect([await app.end(), app.said()]).toEqual([[0, null], '']);
  });

  it('where it does not run: the app starts with its own trust, and nothing is said', async () => {
    const NODE_OPTIONS = environmentFor(sandbox, '')['NODE_OPTIONS']?.replace(/\?.*/, '') ?? '';
    for (const address of ['?http://127.0.0.1:1', `?${sandbox.url}/elsewhere/`, '?nonsense', '']) {
      const { app } = await start(['factory.js'], { NODE_OPTIONS: NODE_OPTIONS + address });
      expect([await app.end(), app.said()]).toEqual([[0, null], '']);
    }
  });
});

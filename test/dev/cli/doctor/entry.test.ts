import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { environmentFor } from '../../../../lib/dev/cli/environment.js';
import { run } from '../../../../lib/dev/cli/run.js';
import { createSandbox, type Sandbox } from '../../../../lib/dev/sandbox/index.js';
import { freePort } from '../../../support/free-port.js';
import { certify, pemOf } from '../../../support/verify/certificates.js';
import { root } from '../../../support/root.js';
import { endAll, runNode, runServer } from '../../../support/run-app.js';
import { folder, terminal } from '../terminal.js';

const signer = certify({ subject: 'A signer', notAfter: 4e8 });
const bin = join(root, 'dist/dev/cli/main.mjs');
let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(async () => {
  await endAll();
  await sandbox.close();
});

const environment = async (): Promise<Record<string, string>> => {
  const port = await freePort();
  return { PORT: String(port), ...environmentFor(sandbox, `http://localhost:${port}`) };
};

interface Report {
  readonly findings: readonly { readonly id: string }[];
  readonly notChecked: readonly string[];
}

const lastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

/** What doctor says of an app that it starts itself, which has findings; in this environment besides its own. */
async function reportOn(code: string, more: Record<string, string> = {}) {
  const env = { ...(await environment()), ...more };
  const running = await runServer(code, [bin, 'doctor', '--json', '--entry'], env);
  expect(await running.end()).toEqual([1, null]);
  const { findings, notChecked } = lastLine(running.said()) as Report;
  return { ids: findings.map(({ id }) => id), notChecked, said: running.said() };
}

const production = { NODE_ENV: 'production', NODE_OPTIONS: '', IDENTITY_SANDBOX_URL: '' };
/** That the sandbox is trusted in production too. */
const allowed = (): string =>
  `allowSandbox: true, trust: ${JSON.stringify({ 'xx-sandbox': sandbox.options.trust['xx-sandbox'] })}`;

describe('pidgate doctor --entry', () => {
  it('is silent on the example app, and ends although the app would go on', async () => {
    const env = await environment();
    const app = await runNode([bin, 'doctor', '--entry', 'example-app/main.ts', '--json'], root, env);
    expect(await app.end()).toEqual([2, null]);
    const notChecked = [expect.stringMatching(/^the session secret/)];
    expect(lastLine(app.said())).toEqual({ address: env['APP_URL'], findings: [], notChecked });
    expect(app.said()).not.toContain(env['IDENTITY_API_KEY']);
  });

  const app = (session: string, identity = '', { express = 'express', nested = false } = {}) => `
    import express from '${express}';
    import session from 'express-session';
    import { identityVerification } from 'pidgate';

    const app = express();
    app.use(session({ secret: 'only for tests', saveUninitialized: false, ${session} }));
    const routes = ${nested ? 'express.Router()' : 'app'};
    routes.use('/identity', identityVerification({ reveal: ['given_name'], ${identity} }));
    ${nested ? 'app.use(routes);' : ''}
    app.listen(process.env.PORT);`;

  it('starts an app that listens only where it is what node was asked to run', async () => {
    const condition = "if (process.argv[1] === (await import('node:url')).fileURLToPath(import.meta.url))";
    const { ids } = await reportOn(app('resave: true').replace('app.listen', `${condition} app.listen`));
    expect(ids).toEqual(['session-revived']);
  });

  it.each(['server.cjs', 'server.js'])(
    'starts %s, which listens only if require.main is the module',
    async (name) => {
      const env = await environment();
      const code = `const express = require('express');
      const identity = require('pidgate').identityVerification({ reveal: ['given_name'] });
      const app = express()
        .use(require('express-session')({ secret: 'only for tests', saveUninitialized: false, resave: true }))
        .use('/identity', identity);
      if (require.main === module) app.listen(process.env.PORT);`;
      const cwd = folder({ [name]: code, 'package.json': '{}' });
      mkdirSync(join(cwd, 'node_modules'));
      for (const at of ['express', 'express-session'])
        symlinkSync(join(root, 'node_modules', at), join(cwd, 'node_modules', at));
      symlinkSync(root, join(cwd, 'node_modules/pidgate'));
      const running = await runNode([bin, 'doctor', '--json', '--entry', name], cwd, env);
      expect(await running.end()).toEqual([1, null]);
      expect((lastLine(running.said()) as Report).findings.map(({ id }) => id)).toEqual(['session-revived']);
    },
  );

  const secrets = "const mark = process.env.MARK, older = '1a'.repeat(16);\n";
  it.each([
    [
      'differ',
      "(await import('node:crypto')).randomUUID()",
      ['flow-secret-differs', 'session-secret-differs'],
    ],
    // Each opens what the other seals, also while the secret is being changed.
    ['are shared', "process.argv.includes('doctor') ? [mark, older] : [older, mark]", []],
  ])('two processes in production, whose secrets %s', async (_, secret, ids) => {
    const own = ids.length > 0 ? secret : "'the same for all processes'";
    const code = app('resave: false', `${allowed()}, secret: ${secret}`).replace("'only for tests'", own);
    const mark = 'MARKER of a secret with 32 characters';
    const report = await reportOn(secrets + code, { ...production, MARK: mark });
    const always = ['sandbox-in-production', 'sessions-in-memory', 'flows-in-memory'];
    expect(report.ids.filter((id) => !always.includes(id)).toSorted()).toEqual(ids);
    expect(report.notChecked).toEqual([]);
    expect(report.said).not.toContain('MARKER');
  });

  it('A2 an app that forks is looked at in one process, and none stays behind', async () => {
    const watch = createServer();
    const gone: Promise<unknown>[] = [];
    watch.on('connection', (socket) => void gone.push(once(socket.on('error', () => {}).resume(), 'close')));
    await new Promise<void>((resolve) => watch.listen(0, '127.0.0.1', resolve));
    const { port } = watch.address() as AddressInfo;
    const [imports = '', rest = ''] = app('resave: false', allowed()).split('const app =');
    const code = `${imports}
      import cluster from 'node:cluster';
      import { connect } from 'node:net';
      connect(${port}, '127.0.0.1').on('error', () => {});
      if (cluster.isPrimary) { cluster.fork(); cluster.fork() } else {
        const app =${rest}
        app.set('trust proxy', 1);
      }`;
    const { ids, said } = await reportOn(code, { ...production, APP_URL: 'https://shop.example' });
    while (gone.length < 4) await once(watch, 'connection'); // two of ours, and two of the second process
    await Promise.all(gone);
    watch.close();
    expect(said).toContain('(node:cluster); doctor looks at one of them.\n');
    expect(said.match(/^\{/gm)).toHaveLength(1);
    expect(ids).not.toContain('trust-proxy');
  });

  it('a second process that does not start is said to be unchecked', async () => {
    const alone = "import { openSync } from 'node:fs';\nopenSync('lock', 'wx');\n";
    const { notChecked } = await reportOn(alone + app('resave: false', allowed()), production);
    expect(notChecked).toEqual([
      'the session secret, which all processes must share: a second process of the app did not start',
    ]);
  });

  it('says nothing of its own requests', async () => {
    const env = await environment();
    const running = await runServer(app('resave: false'), [bin, 'doctor', '--entry'], env);
    expect(await running.end()).toEqual([2, null]);
    expect(running.said().trim()).toBe(
      `Nothing wrong in what I could check (3 of 4 parts) at ${env['APP_URL']}\n\n  Not checked\n` +
        '  - the session secret, which all processes must share: only with NODE_ENV=production does doctor start a second process\n\n' +
        `  Doctor cannot see\n  - the service's portal: its Redirect URL must be ${env['APP_URL']}/identity/callback\n` +
        '  - guarded pages, and where their data is served: name one with --page\n' +
        '  - other machines: they need the same session secret and the same stores',
    );
  });

  it.each([
    [
      'what only the process of an app shows',
      () => app('cookie: { httpOnly: false }', '', { nested: true }),
      ['cookie-for-scripts', 'session-revived'],
    ],
    [
      'the same in an app on Express 4',
      () => app('resave: false, cookie: { httpOnly: false }', '', { express: 'express4' }),
      ['cookie-for-scripts'],
    ],
    [
      'F83 reports on an app whose anchors come from a signed list',
      () => {
        const lote = { url: `${sandbox.url}/gone`, signers: [pemOf(signer)], territories: ['DE'] };
        const entry = {
          format: 'sd-jwt-vc',
          keys: { x5c: { trustedList: lote } },
          vct: ['urn:eudi:pid:1'],
          keyBinding: { nonce: 'state-sha256', audience: 'x509_hash:a' },
        };
        const trust = JSON.stringify({ 'de-ausweis': entry });
        return app('resave: false', `issuer: 'de-ausweis', trust: ${trust}`);
      },
      ['keys-away'],
    ],
  ])('%s', async (what, server, ids) => {
    const own = what.startsWith('F83') ? { NODE_OPTIONS: '' } : {}; // then the app's own trust counts
    const report = await reportOn(server(), own);
    expect(report.ids).toEqual(ids);
    expect(report.notChecked).toEqual([expect.stringMatching(/^the session secret/)]);
  });

  it.each([
    ['a port that is taken', '', 'is in use, and --entry starts the app itself: stop the one that runs'],
    [
      'an app that does not start, whose words may hold a DSN',
      "throw new RangeError('connect redis://user:MARKER@host');",
      'The app fails while loading (RangeError). Start it on its own to see why: often a variable of the environment is missing.',
    ],
    [
      "an app that does not start, by the kit's own words",
      "import { identityVerification } from 'pidgate'; identityVerification({ reveal: [] });",
      'pidgate: Option reveal: must be a list of at least one attribute id.',
    ],
  ])('%s: one sentence, exit code 1', async (_name, code, sentence) => {
    const env = await environment();
    if (code === '') env['PORT'] = new URL(sandbox.url).port;
    const app = await runServer(code, [bin, 'doctor', '--entry'], env);
    expect(await app.end()).toEqual([1, null]);
    expect(app.said()).toContain(sentence);
    expect(app.said()).not.toContain('MARKER');
  });

  it('an app that listens nowhere: said after ten seconds, exit code 1', async () => {
    const port = await freePort();
    const waited: number[] = [];
    const here = terminal({
      cwd: folder({ 'server.mjs': '' }),
      env: { PORT: String(port) },
      wait: async (ms) => void waited.push(ms),
    });
    expect(await run(['doctor', '--entry', 'server.mjs'], here)).toBe(1);
    expect(waited.reduce((sum, ms) => sum + ms)).toBe(10_000);
    expect(here.err()).toBe(
      `pidgate: nothing responds on port ${port} yet. The app must listen on PORT.\n` +
        `pidgate: The app does not listen on port ${port}: it must read PORT. If another file calls listen, such as bin/www, pass that one.\n`,
    );
  });
});

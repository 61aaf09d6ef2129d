import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
  const { baseUrl, apiKey, issuer } = sandbox.options;
  return {
    NODE_ENV: 'development',
    PORT: String(port),
    APP_URL: `http://localhost:${port}`,
    IDENTITY_BASE_URL: baseUrl,
    IDENTITY_API_KEY: apiKey,
    IDENTITY_ISSUER: issuer,
    IDENTITY_SANDBOX_URL: sandbox.url,
  };
};

const lastLine = (text: string): unknown => JSON.parse(text.trim().split('\n').at(-1) ?? '');

describe('pidgate doctor --entry', () => {
  it('is silent on the example app, and ends although the app would go on', async () => {
    const env = await environment();
    const app = await runNode([bin, 'doctor', '--entry', 'example-app/main.ts', '--json'], root, env);
    expect(await app.end()).toEqual([0, null]);
    expect(lastLine(app.said())).toEqual({ address: env['APP_URL'], findings: [], notChecked: [] });
    expect(app.said()).not.toContain(env['IDENTITY_API_KEY']);
  });

  it('finds what only the process of an app shows', async () => {
    const server = `
      import express from 'express';
      import session from 'express-session';
      import { identityVerification } from 'pidgate';

      const app = express();
      app.use(session({ secret: 'only for tests', saveUninitialized: false, cookie: { httpOnly: false } }));
      const routes = express.Router();
      routes.use('/identity', identityVerification({ reveal: ['given_name'] }));
      app.use(routes);
      app.listen(process.env.PORT);`;
    const app = await runServer(server, [bin, 'doctor', '--json', '--entry'], await environment());
    expect(await app.end()).toEqual([1, null]);
    const { findings, notChecked } = lastLine(app.said()) as { findings: { id: string }[]; notChecked: [] };
    expect(findings.map(({ id }) => id)).toEqual(['cookie-for-scripts', 'session-revived']);
    expect(notChecked).toEqual([]);
  });

  it('looks into an app on Express 4 as well', async () => {
    const server = `
      import express from 'express4';
      import session from 'express-session';
      import { identityVerification } from 'pidgate';

      const app = express();
      app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false, cookie: { httpOnly: false } }));
      app.use('/identity', identityVerification({ reveal: ['given_name'] }));
      app.listen(process.env.PORT);`;
    const app = await runServer(server, [bin, 'doctor', '--json', '--entry'], await environment());
    expect(await app.end()).toEqual([1, null]);
    const { findings, notChecked } = lastLine(app.said()) as { findings: { id: string }[]; notChecked: [] };
    expect(findings.map(({ id }) => id)).toEqual(['cookie-for-scripts']);
    expect(notChecked).toEqual([]);
  });

  it('F83 reports on an app whose anchors come from a signed list', async () => {
    const server = `
      import express from 'express';
      import session from 'express-session';
      import { identityVerification } from 'pidgate';

      const lote = { url: '${sandbox.url}/gone', signers: [${JSON.stringify(pemOf(signer))}], territories: ['DE'] };
      const trust = {
        'de-ausweis': {
          format: 'sd-jwt-vc',
          keys: { x5c: { trustedList: lote } },
          vct: ['urn:eudi:pid:1'],
          keyBinding: { nonce: 'state-sha256', audience: 'x509_hash:a' },
        },
      };
      const app = express();
      app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
      app.use('/identity', identityVerification({ reveal: ['given_name'], issuer: 'de-ausweis', trust }));
      app.listen(process.env.PORT);`;
    const app = await runServer(server, [bin, 'doctor', '--json', '--entry'], await environment());
    expect(await app.end()).toEqual([1, null]);
    expect(lastLine(app.said())).toMatchObject({ findings: [{ id: 'keys-away' }], notChecked: [] });
  });

  it.each([
    ['a port that is taken', '', 'is taken: stop the app first'],
    [
      'an app that does not start, whose words may hold a DSN',
      "throw new RangeError('connect redis://user:MARKER@host');",
      'The app fails while it is loaded (RangeError). Start it by itself to see why.',
    ],
    [
      "an app that does not start, by the kit's own words",
      "import { identityVerification } from 'pidgate'; identityVerification({ reveal: [] });",
      'pidgate: Option reveal: must name at least one attribute.',
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
      `pidgate: nothing answers on port ${port} yet. The app must listen on PORT.\n` +
        `pidgate: The app does not listen on port ${port}: it must read PORT.\n`,
    );
  });
});

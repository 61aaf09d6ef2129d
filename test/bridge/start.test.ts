import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readSettings, SettingsError } from '../../bridge/settings.js';
import { gate } from '../support/callbacks.js';
import { closeAfter } from '../support/close-after.js';
import { refusingPort } from '../support/refusing-port.js';
import { root } from '../support/root.js';
import { endAll, runNode } from '../support/run-app.js';
import { serve } from '../support/serve.js';
import { runBridge, variablesFor } from './process.js';
import { stubs } from './scene.js';
import { stubAccess } from './stubs/leg.js';

afterEach(endAll);

const random = randomBytes(32).toString('base64');

describe('npm run bridge', () => {
  it('without anything says in one screen what it needs', async () => {
    const bridge = await runBridge({ PORT: '' });
    expect(await bridge.end()).toEqual([1, null]);
    const said = bridge.said();
    for (const name of [
      'BRIDGE_VERIFIER is',
      'BRIDGE_VERIFIER_URL is',
      'BRIDGE_ACCOUNTS is',
      'BRIDGE_STORE',
      'run try',
    ]) {
      expect(said).toContain(name);
    }
    expect(said.split('\n').length).toBeLessThanOrEqual(30);
  });

  it('prints its address, and ends when it is told to', async () => {
    const bridge = await runBridge({ ...variablesFor(await stubs.eu(), 'http://localhost:1/cb'), PORT: '0' });
    await bridge.says('The bridge is at http://localhost:');
    expect(await bridge.end('SIGTERM')).toEqual([0, null]);
  });

  it('says that it does not reach Redis, and ends', async () => {
    const away = `redis://127.0.0.1:${await refusingPort()}`;
    const more = { BRIDGE_STORE: away, BRIDGE_SECRET: random };
    const bridge = await runBridge(variablesFor(await stubs.eu(), 'http://localhost:1/cb', more));
    expect(await bridge.end()).toEqual([1, null]);
    expect(bridge.said()).toContain('BRIDGE_STORE: Redis does not let the bridge in (ECONNREFUSED)');
  });

  it('F145 what the verifier refuses is told in one screen before there are visitors', async () => {
    const eudiplo = await stubs.eudiplo();
    const client = { BRIDGE_VERIFIER_CLIENT_ID: 'bridge', BRIDGE_VERIFIER_CLIENT_SECRET: 'not the secret' };
    const wrong = await runBridge(variablesFor(eudiplo, 'http://localhost:1/cb', client));
    const eu = await stubs.eu();
    const options = { BRIDGE_VERIFIER_OPTIONS: '{"request_uri_method":"put"}' };
    const refused = await runBridge(variablesFor(eu, 'http://localhost:1/cb', options));
    const nowhere = await runBridge({
      ...variablesFor(eu, 'http://localhost:1/cb'),
      BRIDGE_VERIFIER_URL: `${eu.url}/elsewhere`,
    });
    for (const [bridge, said] of [
      [wrong, 'BRIDGE_VERIFIER_CLIENT_SECRET: the verifier'],
      [refused, 'BRIDGE_VERIFIER_OPTIONS: the verifier'],
      [nowhere, 'BRIDGE_VERIFIER_URL: the verifier'],
    ] as const) {
      expect(await bridge.end()).toEqual([1, null]);
      expect(bridge.said()).toContain(said);
      expect(bridge.said()).not.toContain('not the secret');
      expect(bridge.said().split('\n').length).toBeLessThanOrEqual(30);
    }
  });

  it('F145 a verifier that is not there is told, and the bridge starts: it may come back', async () => {
    const port = await refusingPort();
    const stub = { ...(await stubs.eu()), url: `http://127.0.0.1:${port}` };
    const bridge = await runBridge(variablesFor(stub, 'http://localhost:1/cb'));
    await bridge.says('The bridge is at http://localhost:');
    expect(bridge.said()).toContain(`the verifier at http://127.0.0.1:${port} cannot be reached now`);
    expect(await bridge.end('SIGTERM')).toEqual([0, null]);
  });

  it('a visitor who comes while the verifier is still being asked is answered', async () => {
    const asked = gate();
    const url = await serve(() => asked.open()); // and never answers
    const bridge = await runBridge(variablesFor({ ...(await stubs.eu()), url }, 'http://localhost:1/cb'));
    await asked.opened;
    expect((await fetch(`${bridge.url}/healthz`)).status).toBe(200);
    expect(await bridge.end('SIGTERM')).toEqual([0, null]);
    expect(bridge.said()).not.toContain('The bridge is at');
  });
});

describe('eudiplo-setup', () => {
  const run = async (...files: string[]) => {
    const calls: string[] = [];
    const url = await serve((req, res) => {
      calls.push(req.url ?? '');
      res.writeHead(401).end('{"message":"Invalid client credentials"}');
    });
    const setup = await runNode(['bridge/eudiplo-setup.mjs', url, ...files], root, {
      EUDIPLO_CLIENT_ID: 'root',
      EUDIPLO_CLIENT_SECRET: 'not the secret',
    });
    expect(await setup.end()).toEqual([1, null]);
    return { calls, said: setup.said().trim().split('\n') };
  };

  it('a file that is not there is named before EUDIPLO is asked for anything', async () => {
    const { calls, said } = await run('no-key.pem', 'no-access.pem', 'no-anchors.pem');
    expect(calls).toEqual([]);
    expect(said).toEqual([expect.stringContaining("open 'no-key.pem'")]);
  });

  it('what EUDIPLO refuses is told in one line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pidgate-setup-'));
    closeAfter(() => rmSync(folder, { recursive: true }));
    const [key, none] = [join(folder, 'key.pem'), join(folder, 'none.pem')];
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(none, '');
    expect((await run(key, none, none)).said).toEqual([expect.stringContaining('none.pem')]);
    const { x5c } = await stubAccess();
    const pem = `-----BEGIN CERTIFICATE-----\n${x5c[0]}\n-----END CERTIFICATE-----\n`;
    writeFileSync(none, pem);
    const two = join(folder, 'two.pem');
    writeFileSync(two, pem + pem);
    const paired = await run(key, none, none, two);
    expect(paired.calls).toEqual([]);
    expect(paired.said).toEqual([expect.stringContaining('two.pem has 2 certificates, and')]);
    const { calls, said } = await run(key, none, none);
    expect(calls).toEqual(['/api/oauth2/token']);
    expect(said).toEqual([expect.stringContaining('was answered with 401: {"message":"Invalid')]);
  });
});

/** What is wrong with these variables. */
function problemsOf(change: Record<string, string>): readonly string[] {
  const good = {
    BRIDGE_VERIFIER: 'eu',
    BRIDGE_VERIFIER_URL: 'http://verifier:8080',
    BRIDGE_ACCOUNTS: join(root, 'package.json'),
  };
  try {
    readSettings({ ...good, ...change });
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.filter((problem) => !problem.startsWith('BRIDGE_ACCOUNTS: must be a list'));
  }
}

describe('F145 a setting that is wrong, or would break later, is named', () => {
  it.each([
    [{ PORT: '80a' }, 'PORT: must be a port, or 0 for a free one'],
    [{ BRIDGE_VERIFIER: 'walt' }, 'BRIDGE_VERIFIER: must be eu or eudiplo'],
    [{ BRIDGE_VERIFIER_URL: 'verifier:8080' }, 'BRIDGE_VERIFIER_URL: must be an http or https address'],
    [
      { BRIDGE_PUBLIC_URL: 'http://id.example' },
      'BRIDGE_PUBLIC_URL: must be https (http only on this machine)',
    ],
    [
      { BRIDGE_VERIFIER_URL: 'http://erika:secret@verifier' },
      'BRIDGE_VERIFIER_URL: must have no user and no password in it',
    ],
    [{ BRIDGE_VERIFIER_OPTIONS: '{' }, 'BRIDGE_VERIFIER_OPTIONS: must be JSON'],
    [{ BRIDGE_VERIFIER_OPTIONS: '[]' }, 'BRIDGE_VERIFIER_OPTIONS: must be a JSON object'],
    [{ BRIDGE_STORE: 'disk' }, 'BRIDGE_STORE: must be memory, or an address such as redis://localhost:6379'],
    [
      { BRIDGE_SECRET: 'short' },
      expect.stringContaining('BRIDGE_SECRET: must be a random text of at least 32 characters'),
    ],
    [{ BRIDGE_SECRET: `${random},short` }, expect.stringContaining('BRIDGE_SECRET: must be')],
    [{ BRIDGE_SECRET: 'x'.repeat(32) }, expect.stringContaining('BRIDGE_SECRET: must be a random text')],
    [{ BRIDGE_SECRET: `${random},${'x '.repeat(32)}` }, expect.stringContaining('BRIDGE_SECRET: must be')],
    [{ PORT: '99999' }, 'PORT: must be a port, or 0 for a free one'],
    [{ BRIDGE_PUBLIC_URL: 'https://id.example/?a=b' }, 'BRIDGE_PUBLIC_URL: must have no ? and no # in it'],
    [{ BRIDGE_PUBLIC_URL: 'https://id.example/#x' }, 'BRIDGE_PUBLIC_URL: must have no ? and no # in it'],
    [{ BRIDGE_VERIFIER_URL: 'http://verifier/?a' }, 'BRIDGE_VERIFIER_URL: must have no ? and no # in it'],
    [{ BRIDGE_HOOK_URL: 'inside' }, 'BRIDGE_HOOK_URL: must be an http or https address'],
    [{ BRIDGE_VCT: ',,' }, 'BRIDGE_VCT: must be names, separated by commas'],
    [{ BRIDGE_VERIFER_OPTIONS: '{}' }, 'BRIDGE_VERIFER_OPTIONS is not known here: is it misspelled?'],
    [{ BRIDGE_VERIFIER_OPTIONS: '{"nonce":"fixed"}' }, expect.stringContaining('must not have nonce')],
    [
      { BRIDGE_STORE: 'redis://u:ge heim:1@@', BRIDGE_SECRET: random },
      expect.stringMatching(/^BRIDGE_STORE: must be memory(?!.*heim)/),
    ],
    [{ BRIDGE_ACCOUNTS: 'nowhere.json' }, 'BRIDGE_ACCOUNTS: cannot be read: ENOENT'],
    [{ NODE_ENV: 'production' }, expect.stringContaining('BRIDGE_PUBLIC_URL is not set')],
    [{ BRIDGE_STORE: 'redis://localhost' }, expect.stringContaining('BRIDGE_SECRET is not set')],
  ])('%j', (change, problem) => {
    expect(problemsOf(change)).toEqual([problem]);
  });

  it('EUDIPLO needs a client and its secret', () => {
    expect(problemsOf({ BRIDGE_VERIFIER: 'eudiplo' })).toEqual([
      expect.stringContaining('BRIDGE_VERIFIER_CLIENT_ID is not set'),
      expect.stringContaining('BRIDGE_VERIFIER_CLIENT_SECRET is not set'),
    ]);
  });
});

it('the bridge takes nothing of this repository but what the package exports, in one file', () => {
  const folder = join(root, 'bridge');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('node_modules'),
  );
  const outside = files.flatMap((name) => {
    const imported = readFileSync(join(folder, name), 'utf8').matchAll(/ from '(\.[^']*)'/g);
    return [...imported].map(([, path = '']) => [name, join(dirname(name), path)]);
  });
  expect(outside.filter(([, path = '']) => path.startsWith('..'))).toEqual([
    ['kit.ts', '../dist/index.mjs'],
    ['kit.ts', '../dist/redis.mjs'],
  ]);
});

import { describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { run } from '../../../lib/dev/cli/run.js';
import { app, folder, startDev, ran, terminal } from './terminal.js';
import { freePort } from '../../support/free-port.js';

const path = { PATH: process.env['PATH'] };

describe('pidgate dev', () => {
  it('runs the app with the environment of a sandbox, greets when it answers, and shows the log', async () => {
    const { at, ended, port, get } = await startDev(app, { env: { MINE: 'kept' } });
    const env = JSON.parse(await get()) as Record<string, string>;
    expect(env).toMatchObject({
      NODE_ENV: 'development',
      IDENTITY_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      IDENTITY_API_KEY: expect.stringMatching(/^sandbox_/),
      IDENTITY_ISSUER: 'xx-sandbox',
      IDENTITY_VARIANT: 'derived',
      IDENTITY_SANDBOX_URL: env['IDENTITY_BASE_URL'],
      APP_URL: `http://localhost:${port}`,
      PORT: String(port),
      MINE: 'kept',
    });
    const sandbox = env['IDENTITY_SANDBOX_URL'] ?? '';
    for (const words of [
      `  Open    http://localhost:${port}  your app\n`,
      `  Play    ${sandbox}  Erika, Leon (17), a forged card\n`,
    ]) {
      expect(at.out()).toContain(words);
    }
    expect(at.out()).not.toContain(env['IDENTITY_API_KEY']);
    expect((await fetch(sandbox)).status).toBe(200);
    await fetch(`${sandbox}/prove`, { method: 'POST' });
    expect(at.out()).toContain('  sandbox  prove 401 error_api_key: The API key is missing');

    at.signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(128 + 15);
    await expect(fetch(sandbox)).rejects.toThrow('fetch failed');
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed');
    expect(at.signals.eventNames()).toEqual([]);
  });

  it('prints a line when a verification begins and when it ends, with the address of its timeline', async () => {
    const { at, get } = await startDev(app);
    const env = JSON.parse(await get()) as Record<string, string>;
    const sandbox = env['IDENTITY_SANDBOX_URL'] ?? '';
    const begun = await fetch(`${sandbox}/prove`, {
      method: 'POST',
      headers: { authorization: `Bearer ${env['IDENTITY_API_KEY']}`, 'content-type': 'application/json' },
      body: JSON.stringify({ issuer: 'xx-sandbox', revealed: ['birth_date'], state: 'a state' }),
    });
    const { redirect_url } = (await begun.json()) as { redirect_url: string };
    await fetch(redirect_url, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) });
    expect(at.out()).toContain('\n  sandbox  → birth_date begins\n');
    const ended = /^ {2}sandbox {2}✗ birth_date refused \(The reply is not JSON\) {2}(\S+)$/m;
    const [, timeline = ''] = ended.exec(at.out()) ?? [];
    expect(timeline.startsWith(`${sandbox}/timeline/`)).toBe(true);
    expect(at.out().split(timeline)).toHaveLength(2); // once
    expect(await (await fetch(timeline)).text()).toContain('<h1>Date of birth: refused</h1>');
  });

  it('runs a TypeScript entry through tsx, with its callback, APP_URL and variant', async () => {
    const port = await freePort();
    const entry = `import { createServer } from 'node:http'
      const port: number = Number(process.env.PORT)
      createServer((_req, res) => { res.end(JSON.stringify(process.env)) }).listen(port, '127.0.0.1')`;
    const cwd = process.cwd(); // where tsx is
    const at = terminal({ cwd, env: { ...path, APP_URL: 'https://app.example' } });
    const file = `${folder({ 'app.mts': entry })}/app.mts`;
    const callback = `http://localhost:${port}/id/callback`;
    const ended = run(['dev', file, '--callback', callback, '--variant', 'base'], at);
    await at.said('  Play  ');
    const env = (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Record<string, string>;
    expect(env).toMatchObject({
      APP_URL: 'https://app.example',
      IDENTITY_VARIANT: 'base',
      PORT: String(port),
    });
    expect(at.out()).toMatch(/^ {2}Open +https:\/\/app\.example  your app$/m);
    expect(at.out()).toContain(callback);
    at.signals.emit('SIGINT', 'SIGINT');
    expect(await ended).toBe(128 + 2);
  });

  it('runs an app that is set up for the German issuer, and says that the sandbox stands in', async () => {
    const { at, ended, get } = await startDev(app, { args: ['--issuer', 'de-ausweis', '--watch'] });
    const env = JSON.parse(await get()) as Record<string, string>;
    expect(env['IDENTITY_ISSUER']).toBe('de-ausweis');
    expect(env['NODE_OPTIONS']).toMatch(
      /^--import=file:.*\/preload\.mjs\?http:\/\/127\.0\.0\.1:\d+ --disable-warning=PIDGATE_SANDBOX$/, // the banner says it
    );
    expect(at.out()).toContain('The sandbox stands in for de-ausweis');
    at.signals.emit('SIGTERM', 'SIGTERM');
    await ended;
    await expect(get()).rejects.toThrow('fetch failed');
  });

  it('an exit code of the app is ours, and said', async () => {
    const { at, ended } = await startDev('process.exitCode = 7', { until: '' });
    expect(await ended).toBe(7);
    expect(at.err()).toMatch(/^pidgate: the app ended with exit code 7 before it responded on port \d+\.\n$/);
    expect(at.out()).toBe('');
  });

  it('an app that ends at once, as app.js of express-generator does, is told to be another file', async () => {
    const { at, ended } = await startDev('exports.app = {}', { until: '' });
    expect(await ended).toBe(1);
    expect(at.err()).toMatch(
      /^pidgate: the app ended with exit code 0 before it responded on port \d+\. If nothing above says why, .*\.c?js does not listen: pass the file that does \(such as bin\/www\)\.\n$/,
    );
  });

  /** An app of node alone, which does this for each request. */
  const serving = (answer: string): string =>
    `require('node:http').createServer((req, res) => { ${answer}; res.end() }).listen(process.env.PORT, '127.0.0.1')`;

  it('an app that answers first and ends later is said to have ended', async () => {
    const { at, ended, get } = await startDev(serving('res.end(); process.exit(3)'));
    await get().catch(() => {});
    expect(await ended).toBe(3);
    expect(at.err()).toBe('pidgate: the app ended with exit code 3.\n');
  });

  it('F62 a router that is not mounted where the service calls: a hint that names the address', async () => {
    const nowhere = serving("res.statusCode = req.url.startsWith('/identity/') ? 404 : 200");
    const until = 'npx pidgate explain not-mounted';
    const { at, ended } = await startDev(nowhere, { until });
    expect(at.out()).toContain('  Play  ');
    at.signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(128 + 15);
  });

  const json = (status: number, error: string): string =>
    `res.writeHead(${status}, { 'content-type': 'application/json' }); res.write('{"error":"${error}"}')`;
  /** What stands there in place of a router, by what it answers to GET and POST of the start, and to the callback. */
  const inPlace = (get: string, post: string, callback: string): string =>
    serving(`if (req.url.startsWith('/identity/callback')) { ${callback} }
      else if (req.url.startsWith('/identity/start')) { if (req.method === 'GET') { ${get} } else { ${post} } }
      else { res.statusCode = 404 }`);
  const kits = "res.setHeader('x-frame-options', 'DENY'); res.setHeader('x-content-type-options', 'nosniff')";
  const foreign = json(403, 'cross_site');
  const good = json(400, 'callback_malformed');

  it.each([
    ['callback-missing', kits, foreign, 'res.statusCode = 404'],
    ['callback-forbidden', kits, foreign, 'res.statusCode = 403'],
    ['callback-redirected', kits, foreign, 'res.statusCode = 302'],
    ['guard-above-router', kits, foreign, json(401, 'identity_required')],
    ['start-blocked', kits, 'res.statusCode = 403', good], // a CSRF check for POST alone
    ['start-shadowed', "res.write('<div id=app>')", foreign, good],
  ])('A13 %s is told', async (id, get, post, callback) => {
    await startDev(inPlace(get, post, callback), { until: `npx pidgate explain ${id}` });
  });

  it("A13 the kit's own refusals, a log-in in front of the start, and names of all starts are not told", async () => {
    for (const get of [kits, 'res.statusCode = 302', json(404, 'not_found')]) {
      const { at, ended } = await startDev(inPlace(get, foreign, good));
      at.signals.emit('SIGTERM', 'SIGTERM');
      await ended;
      expect(
        at.err().replaceAll(/^pidgate: .* (?:policy-replaced|referrer-policy-replaced|page-cached)\n/gm, ''),
      ).toBe('');
    }
  });

  it('a taken port: one sentence, and the app is not started', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const at = await ran(['dev'], 1, {
      cwd: folder({ 'server.js': app }),
      env: { ...path, PORT: String(port) },
    });
    await new Promise((resolve) => taken.close(resolve));
    expect(at.err()).toBe(
      `pidgate: Port ${port} is in use: stop what runs there, or choose a different one with PORT=3001.\n`,
    );
  });

  it('an app that listens elsewhere: a hint that names --callback', async () => {
    const { at, ended } = await startDev('setInterval(() => {}, 1000)', {
      until: '--callback http://localhost:<port>/identity/callback',
      wait: async (_ms, signal) => {
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      },
    });
    at.signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBeGreaterThan(128); // 137 where it was killed before it had even begun
    expect(at.out()).toBe('');
  });
});

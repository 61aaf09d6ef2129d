import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createBrowser } from '../support/browser.js';
import { shareGermanCard } from '../support/wallet.js';
import { blocksOf, documents, read } from './documents.js';
import { root } from '../support/root.js';
import { type App, endAll, runNode, runServer } from '../support/run-app.js';
import { serve } from '../support/serve.js';

const run = promisify(execFile);

const blocks = ['README.md', 'docs/your-app.md', 'docs/going-live.md']
  .flatMap((path) => blocksOf(path))
  .filter(({ language }) => language === 'ts');

function blockWith(text: string): string {
  const [block, ...more] = blocks.filter(({ code }) => code.includes(text));
  if (block === undefined || more.length > 0) throw new Error(`The documents have no one block with ${text}`);
  return block.code;
}

const underHelmet = `
import helmet from 'helmet';

app.use(helmet());
app.get('/rent', (_req, res) => {
  res.send('<form method="post" action="/identity/start?returnTo=/club"><button>Verify</button></form>');
});
`;
const quickstart = read('examples/quickstart.ts');
const dev = [join(root, 'dist/dev/cli/main.mjs'), 'dev'];
const banner = 'Your app runs against a local identity service.';
const actionOf = (markup: string): string => /<form method="post" action="([^"]+)">/.exec(markup)?.[1] ?? '';

afterEach(endAll);

describe('the quickstart of the README', () => {
  it('is in examples/quickstart.ts, line by line, which test/e2e/examples.test.ts walks', () => {
    const [shown] = blocksOf('README.md').filter(({ language }) => language === 'ts');
    const lines = (shown?.code ?? '').split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(10);
    let place = -1;
    for (const line of lines) {
      place = quickstart.split('\n').indexOf(line, place + 1);
      expect([line, place]).not.toEqual([line, -1]);
    }
    expect(read('README.md')).toContain('cp node_modules/pidgate/examples/quickstart.ts server.ts');
  });

  it('takes the line that limits the rate, and the form under helmet, as they stand', async () => {
    const mount = `app.use('/identity', identity);`;
    const [before = '', after = ''] = quickstart.split(mount);
    expect(after).not.toBe('');
    const [form = ''] = /<form .*?>/.exec(underHelmet) ?? [];
    expect(read('docs/your-app.md')).toContain(`\`${form}\``);
    const app = await runServer(before + underHelmet + blockWith('rateLimit(') + mount + after, dev);
    await app.says(banner);
    const browser = createBrowser();

    const page = await browser.get(`${app.url}/rent`);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';");
    const ofBrowser = { 'upgrade-insecure-requests': '1' };
    const sentOn = await browser.post(app.url + actionOf(page.text), {}, ofBrowser);
    expect([sentOn.status, sentOn.location]).toEqual([200, undefined]);
    expect(sentOn.text).toContain('<meta http-equiv="refresh" content="0;url=http://127.0.0.1:');

    expect(sentOn.headers.get('x-ratelimit-limit')).toBe('600');
    const callback = await browser.post(`${app.url}/identity/callback`); // F92: no limiter of addresses here
    expect([callback.status, callback.headers.get('x-ratelimit-limit')]).toEqual([400, null]);
    expect((await browser.get(`${app.url}/identity/return`)).status).toBe(403);
  });
});

describe('F99 an app without its secret', () => {
  const examples = readdirSync(join(root, 'examples'))
    .filter((name) => name !== 'without-router.ts') // it has no session
    .map((name) => `examples/${name}`);
  const code = [
    ...documents().flatMap((path) => blocksOf(path)),
    ...examples.map((path) => ({ place: path, code: read(path) })),
  ];

  it('F99 is treated alike by all documents and examples: only in development it starts', () => {
    const withSecret = code.filter((it) => it.code.includes('SESSION_SECRET'));
    const places = new Set(withSecret.map(({ place }) => place.replace(/:.*/, '')));
    expect([...places].toSorted()).toEqual(
      ['docs/going-live.md', 'docs/your-app.md', ...examples].toSorted(),
    );
    const lines = withSecret.map((it) => it.code.match(/^.*(?:ecret = |!secret).*$/gm)?.join('\n'));
    expect([...new Set(lines)]).toEqual([
      "const secret = SESSION_SECRET || (NODE_ENV === 'development' && 'only for development');\n" +
        "if (!secret) throw new Error('SESSION_SECRET is not set');",
    ]);
    // test/e2e/examples.test.ts starts one of them.
    const started = (NODE_ENV: string | undefined, SESSION_SECRET?: string): unknown =>
      runInNewContext(`${lines[0]}\nsecret`, { NODE_ENV, SESSION_SECRET });
    for (const mode of ['production', 'staging', '', undefined]) {
      expect(() => started(mode)).toThrow('SESSION_SECRET is not set');
      expect(() => started(mode, '')).toThrow('SESSION_SECRET is not set');
      expect(started(mode, 'of this test')).toBe('of this test');
    }
    expect(started('development')).toBe('only for development');
  });

  it('F99 and each of them trusts the proxy that ends TLS', () => {
    const apps = code.filter(
      (it) =>
        /^(?:docs\/(?:your-app|going-live)|examples)/.test(it.place) &&
        /\.use\(\s*(?:session\(|sessions\))/.test(it.code),
    );
    expect(apps).toHaveLength(5 + examples.length);
    for (const { place, code: its } of apps)
      expect([place, its]).toEqual([place, expect.stringContaining(".set('trust proxy', ")]);
  });
});

describe('npm start', () => {
  async function start(): Promise<App> {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    const [node, ...args] = scripts.start.split(' ');
    expect(node).toBe('node');
    const app = await runNode(args, root);
    await app.says(banner);
    expect(app.said()).toMatch(/^Building …\n[^]*Your app runs/);
    return app;
  }

  it('runs the example app: it says whom to try, and warns of nothing on the whole way', async () => {
    const app = await start();
    expect(app.said()).toContain(`Open    ${app.url}  your app`);

    const person = createBrowser();
    expect((await person.get(app.url)).text).toContain('Log in as Erika');
    const loggedIn = await person.post(`${app.url}/log-in`, { person: 'erika' });
    expect([loggedIn.status, loggedIn.location]).toEqual([303, '/']);
    const ask = '/identity/start?returnTo=%2Fmachines'; // a member shows who it is
    expect((await person.get(`${app.url}/machines`)).location).toBe(ask);
    const share = async (address: string): Promise<string> => {
      const { location = '' } = await person.post(app.url + address);
      return (await person.visit(await shareGermanCard(person, location))).url;
    };
    expect(await share(ask)).toBe(`${app.url}/machines`);
    expect((await person.get(`${app.url}/machines`)).text).toContain('You are 18 or over');

    const logIn = async (headers: Record<string, string>) =>
      (await fetch(`${app.url}/log-in`, { method: 'POST', headers, redirect: 'manual' })).status;
    expect(await logIn({})).toBe(403); // no browser sends a form without telling where it is from
    expect(await logIn({ origin: 'https://example.org' })).toBe(403);
    expect(await logIn({ origin: app.url })).toBe(303);

    const foreign = await person.post(`${app.url}/forget`, {}, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
    expect((await person.get(`${app.url}/machines`)).status).toBe(200);
    expect((await person.post(`${app.url}/forget`)).status).toBe(303);
    expect((await person.get(`${app.url}/machines`)).location).toBe(ask);

    // The whole way, in another browser.
    expect(app.said()).toContain('The sandbox stands in for de-ausweis');
    expect(app.said()).toContain('Erika, Leon (17), a forged card');
    person.cookies.clear();
    // The age before the membership, and each page again after each proof.
    for (const path of ['/machines', '/membership', '/voting-card', '/door', '/erasure']) {
      const { location: ask = '' } = await person.get(app.url + path);
      const { location: wallet = '' } = await person.post(app.url + ask);
      const back = await person.visit(await shareGermanCard(person, wallet));
      expect(back.url).toBe(app.url + path);
      for (const page of ['/', '/machines', '/kept']) {
        expect((await person.get(app.url + page)).status).toBe(200);
      }
    }
    await person.post(`${app.url}/log-out`);
    await person.post(`${app.url}/log-in`, { person: 'max' });
    expect((await person.get(`${app.url}/machines`)).location).toBe(ask);
    const lines = app.said().split('\n');
    expect(lines.filter((line) => line.includes('pidgate: '))).toEqual([]);
    expect(await app.end('SIGTERM')).toEqual([143, null]);
  });

  it('says that the port is taken, or a word is misspelled, before it builds', async () => {
    const url = await serve((_req, res) => void res.end());
    const { port } = new URL(url);
    const start = async (env: Record<string, string>, ...args: string[]) => {
      const options = { cwd: root, env: { PATH: process.env['PATH'], ...env } };
      return await run('npm', ['start', '--silent', '--', ...args], options).catch((error: unknown) => error);
    };
    expect(await start({ PORT: port })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Port ${port} is in use: stop what runs there, or choose a different one with PORT=3001.\n`,
    });
    expect(await start({}, '--callback', `${url}/identity/callback`)).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining(`Port ${port} is in use`),
    });
    expect(await start({}, '--varaint', 'base')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--varaint'),
    });
  });
});

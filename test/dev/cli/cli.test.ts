import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readArguments } from '../../../lib/dev/cli/arguments.js';
import { run } from '../../../lib/dev/cli/run.js';
import { createSandbox } from '../../../lib/dev/sandbox/index.js';
import { decide } from '../../support/wallet.js';
import { folder, terminal } from './terminal.js';
import { refusingPort } from '../../support/refusing-port.js';

describe('pidgate', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']], [['dev', '--help']], [['sandbox', '-h']]])(
    '%j: the usage, exit code 0',
    async (argv) => {
      const at = terminal();
      expect(await run(argv, at)).toBe(0);
      expect(at.out()).toMatch(/^Usage: pidgate <command>/);
      expect(at.err()).toBe('');
    },
  );

  it.each([[['--version']], [['-v']], [['dev', '--version']]])('%j: the version', async (argv) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const at = terminal();
    expect(await run(argv, at)).toBe(0);
    expect(at.out()).toBe(`${version}\n`);
  });

  const wrong: [string[], string][] = [
    [['deev'], 'pidgate: There is no command "deev".'],
    [['--colour'], "pidgate: Unknown option '--colour'."],
    [['dev', '--port', '1'], "pidgate: Unknown option '--port'."],
    [['dev', '--callback'], "pidgate: Option '--callback <value>' argument missing."],
    [['dev', '--callback', 'somewhere'], 'pidgate: --callback needs an http or https URL'],
    [['dev', '--callback', 'ftp://a.example/'], 'pidgate: --callback needs an http or https URL'],
    [['dev', '--variant', 'both'], 'pidgate: --variant is base or derived.'],
    [['dev', 'a.js', 'b.js'], 'pidgate: "b.js" is one argument too many.'],
    [['dev', '--issuer', 'de'], 'pidgate: --issuer is xx-sandbox or de-ausweis.'],
    [['simulate'], 'pidgate: simulate needs the address of your app'],
    [
      ['simulate', '--url', 'http://localhost:3000'],
      'pidgate: simulate needs --all, or the names of scenarios.',
    ],
    [['simulate', '--url', 'http://a/', '--url', 'http://b/', '--all'], 'pidgate: --url was named twice'],
    [['simulate', '--url', 'http://a/', '--all', 'declined'], 'pidgate: --all or scenarios, not both.'],
    [['simulate', '--url', 'shop', '--all'], 'pidgate: --url needs an http or https URL.'],
    [['sandbox', 'a.js'], 'pidgate: "a.js" is one argument too many.'],
    [['sandbox', '--port', 'x'], 'pidgate: --port needs a number from 0 to 65535.'],
    [['sandbox', '--port', '70000'], 'pidgate: --port needs a number from 0 to 65535.'],
  ];
  it.each(wrong)('%j: a sentence, the usage, exit code 2', async (argv, sentence) => {
    const at = terminal();
    expect(await run(argv, at)).toBe(2);
    expect(at.err().startsWith(sentence)).toBe(true);
    expect(at.err()).toContain('Usage: pidgate <command>');
    expect(at.out()).toBe('');
  });

  it('tells a failure of any kind in its own words', async () => {
    const stdout = {
      write: (): never => {
        throw new Error('the pipe is closed');
      },
    };
    const odd = {
      write: (): never => {
        // eslint-disable-next-line typescript/only-throw-error -- a stream of someone else's
        throw 'closed';
      },
    };
    const [one, other] = [terminal({ stdout }), terminal({ stdout: odd })];
    expect([await run(['--help'], one), one.err()]).toEqual([1, 'pidgate: the pipe is closed\n']);
    expect([await run(['--help'], other), other.err()]).toEqual([1, 'pidgate: closed\n']);
  });
});

describe('pidgate sandbox', () => {
  it('has the same port at every run', () => {
    expect(readArguments(['sandbox'])).toEqual({ name: 'sandbox', port: 4747 });
  });

  it('prints the environment that an app needs, and stops when told to', async () => {
    const at = terminal();
    const ended = run(['sandbox', '--port', '0'], at);
    await at.said('APP_URL=');
    const env = Object.fromEntries(
      at
        .out()
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    expect(env).toEqual({
      NODE_ENV: 'development',
      IDENTITY_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      IDENTITY_API_KEY: 'sandbox-key',
      IDENTITY_ISSUER: 'xx-sandbox',
      IDENTITY_VARIANT: 'derived',
      IDENTITY_SANDBOX_URL: env.IDENTITY_BASE_URL,
      APP_URL: 'http://localhost:3000',
    });
    expect(at.err()).toContain('http://localhost:3000/identity/callback');
    expect((await fetch(env.IDENTITY_BASE_URL)).status).toBe(200);
    at.signals.emit('SIGINT');
    expect(await ended).toBe(0);
    await expect(fetch(env.IDENTITY_BASE_URL)).rejects.toThrow('fetch failed');
    expect(at.signals.eventNames()).toEqual([]);
  });

  it('takes a variant, a callback, APP_URL and PORT', async () => {
    const env = { APP_URL: 'https://app.example', PORT: '8080' };
    const at = terminal({ env });
    const ended = run(['sandbox', '--port', '0', '--variant', 'base'], at);
    await at.said('APP_URL=');
    expect(at.out()).toContain('IDENTITY_VARIANT=base\n');
    expect(at.out()).toContain('APP_URL=https://app.example\n');
    expect(at.err()).toContain('http://localhost:8080/identity/callback');
    at.signals.emit('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('plays the German issuer for anyone who is asked for', async () => {
    const at = terminal();
    const ended = run(['sandbox', '--port', '0', '--issuer', 'de-ausweis', '--person', 'minor'], at);
    await at.said('APP_URL=');
    expect(at.out()).toContain('IDENTITY_ISSUER=de-ausweis\n');
    const anchors = /^IDENTITY_SANDBOX_ANCHORS=(".*")$/m.exec(at.out())?.[1] ?? '""';
    expect(JSON.parse(anchors)).toMatch(/^-----BEGIN CERTIFICATE-----\n[^]+-----END CERTIFICATE-----\n$/);
    at.signals.emit('SIGINT');
    expect(await ended).toBe(0);
  });

  it('a person whom nobody knows: one sentence, exit code 1', async () => {
    const at = terminal();
    expect(await run(['sandbox', '--port', '0', '--person', 'minr'], at)).toBe(1);
    expect(at.err()).toContain(
      "createSandbox: person is not one of the sandbox's people. Did you mean minor?",
    );
  });

  it('logs what happens', async () => {
    const at = terminal({ color: true });
    const ended = run(
      ['sandbox', '--port', '0', '--callback', `http://127.0.0.1:${await refusingPort()}/cb`],
      at,
    );
    await at.said('APP_URL=');
    const url = /IDENTITY_BASE_URL=(.+)/.exec(at.out())?.[1] ?? '';
    const response = await fetch(`${url}/prove`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-key', 'content-type': 'application/json' },
      body: JSON.stringify({ issuer: 'xx-sandbox', revealed: ['given_name'], state: 's' }),
    });
    const { redirect_url } = (await response.json()) as { redirect_url: string };
    const decided = decide(redirect_url, 'decline').catch((error: unknown) => error);
    await at.said('prove 200, asks for given_name');
    at.signals.emit('SIGHUP');
    expect(await ended).toBe(0);
    await decided;
  });

  it('a taken port: one sentence, exit code 1', async () => {
    const other = await createSandbox();
    const { port } = new URL(other.url);
    const at = terminal();
    expect(await run(['sandbox', '--port', port], at)).toBe(1);
    await other.close();
    expect(at.err()).toBe(`pidgate: createSandbox: port ${port} is taken on 127.0.0.1.\n`);
  });

  it.each(['0', 'abc', '70000'])('PORT=%s: one sentence, exit code 1', async (PORT) => {
    const at = terminal({ env: { PORT } });
    expect(await run(['sandbox', '--port', '0'], at)).toBe(1);
    expect(at.err()).toBe('pidgate: PORT in the environment must be a number from 1 to 65535.\n');
  });
});

describe('pidgate dev finds no entry', () => {
  const none: [string[], Record<string, string>, string][] = [
    [['dev'], {}, 'pidgate: No entry was found here; name the file that starts your app'],
    [['dev'], { 'package.json': '{"main": "gone.js"}' }, 'pidgate: No entry was found here'],
    [['dev'], { 'package.json': '{"main": 1}' }, 'pidgate: No entry was found here'],
    [['dev'], { 'package.json': '{' }, 'pidgate: The package.json here cannot be read as JSON.'],
    [['dev', 'gone.ts'], {}, 'pidgate: There is no file gone.ts.'],
    [['dev', 'src'], { 'src/x.txt': '' }, 'pidgate: There is no file src.'],
    [
      ['dev'],
      { 'server.ts': '' },
      'pidgate: A TypeScript entry needs tsx in your app: npm install --save-dev tsx.',
    ],
  ];
  it.each(none)('%j with %j: one sentence, exit code 1', async (argv, files, sentence) => {
    const at = terminal({ cwd: folder(files) });
    expect(await run(argv, at)).toBe(1);
    expect(at.err().startsWith(sentence)).toBe(true);
    expect(at.err().trim().split('\n')).toHaveLength(1);
  });
});

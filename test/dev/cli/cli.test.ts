import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readArguments } from '../../../lib/dev/cli/arguments.js';
import { run } from '../../../lib/dev/cli/run.js';
import { createSandbox } from '../../../lib/dev/sandbox/index.js';
import { folder, ran, terminal } from './terminal.js';

describe('pidgate', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']], [['help', 'me']]])(
    '%j: the usage, exit code 0',
    async (argv) => {
      const at = await ran(argv, 0);
      expect(at.out()).toMatch(/^Usage: pidgate <command>/);
      expect(at.err()).toBe('');
    },
  );

  const names = { dev: 6, sandbox: 5, simulate: 4, inspect: 6, doctor: 5, explain: 0 };
  it.each(Object.entries(names))(
    '%s has a help of its own: its %i options, examples, 80 columns',
    async (name, count) => {
      const [long, short, word] = [terminal(), terminal(), terminal()];
      expect(await run([name, '--help'], long)).toBe(0);
      expect(await run([name, '-h'], short)).toBe(0);
      expect(await run(['help', name], word)).toBe(0);
      expect([short.out(), word.out(), long.err()]).toEqual([long.out(), long.out(), '']);
      expect(long.out()).toMatch(new RegExp(`^Usage: pidgate ${name} `));
      expect(long.out()).toMatch(new RegExp(`\nExamples?\n(  pidgate ${name} .*\n)+$`));
      expect(
        long
          .out()
          .split('\n')
          .filter((line) => line.length > 80),
      ).toEqual([]);
      const options = [...long.out().matchAll(/^ {2}(?:\S+, )?--[a-z-]+/gm)];
      expect(options).toHaveLength(count);
    },
  );

  it.each([[['--version']], [['-v']], [['dev', '--version']]])('%j: the version', async (argv) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const at = await ran(argv, 0);
    expect(at.out()).toBe(`${version}\n`);
  });

  const wrong: [string[], string][] = [
    [['deev'], 'pidgate: Unknown command "deev". Did you mean dev?'],
    [['simulat', '--all'], 'pidgate: Unknown command "simulat". Did you mean simulate?'],
    [['frobnicate'], 'pidgate: Unknown command "frobnicate".'],
    [['--colour'], "pidgate: Unknown option '--colour'."],
    [['dev', '--isuer', 'de-ausweis'], "pidgate: Unknown option '--isuer'. Did you mean --issuer?"],
    [['dev', '--frobnicate', '1'], "pidgate: Unknown option '--frobnicate'."],
    [['inspect', '--state', '-abc'], 'pidgate: A value that begins with a dash is written --state=-…'],
    [['dev', '--callback'], "pidgate: Option '--callback <value>' argument missing."],
    [['dev', '--callback', 'somewhere'], 'pidgate: --callback needs an http or https URL'],
    [['dev', '--callback', 'ftp://a.example/'], 'pidgate: --callback needs an http or https URL'],
    [['dev', '--variant', 'both'], 'pidgate: --variant must be base or derived.'],
    [
      ['dev', 'npm', 'run', 'dev'],
      'pidgate: Unexpected argument "run". pidgate dev takes the file that starts your app, and no command: npx pidgate dev server.ts --watch. For a command of your own, run npx pidgate sandbox, and give the command the variables that it prints.',
    ],
    [['dev', '--issuer', 'de'], 'pidgate: --issuer must be xx-sandbox or de-ausweis.'],
    [['simulate'], 'pidgate: simulate needs the address of your app'],
    [
      ['simulate', '--url', 'http://localhost:3000'],
      'pidgate: simulate needs --all, or the names of scenarios.',
    ],
    [['simulate', '--url', 'http://a/', '--url', 'http://b/', '--all'], 'pidgate: --url was given twice'],
    [
      ['simulate', '--url', 'http://a/', '--all', 'declined'],
      'pidgate: Give either --all or scenarios, not both.',
    ],
    [
      ['simulate', '--url', 'http://a/', 'declined', 'callback_twic'],
      'pidgate: Unknown scenario "callback_twic". Did you mean callback_twice?',
    ],
    [
      ['simulate', '--url', 'http://a/', '--all', '--expect-minor', 'no'],
      'pidgate: --expect-minor must be refused, and needs --all.',
    ],
    [['simulate', '--url', 'shop', '--all'], 'pidgate: --url needs an http or https URL.'],
    [['sandbox', 'a.js'], 'pidgate: Unexpected argument "a.js".'],
    [['sandbox', '--port', 'x'], 'pidgate: --port needs a number from 0 to 65535.'],
    [['sandbox', '--port', '70000'], 'pidgate: --port needs a number from 0 to 65535.'],
  ];
  it.each(wrong)('%j: the sentence is last, below how it is called, exit code 2', async (argv, sentence) => {
    const at = await ran(argv, 2);
    const [called = '', more, space, last = '', ...rest] = at.err().split('\n');
    expect(called).toMatch(/^Usage: pidgate /);
    expect(more).toMatch(/^More: {2}pidgate .*--help$/);
    expect([space, rest]).toEqual(['', ['']]);
    expect(last.startsWith(sentence)).toBe(true);
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
        .map((line) => line.split(/=(.*)/)),
    );
    expect(env).toEqual({
      NODE_ENV: 'development',
      IDENTITY_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      IDENTITY_API_KEY: 'sandbox-key',
      IDENTITY_ISSUER: 'xx-sandbox',
      IDENTITY_VARIANT: 'derived',
      IDENTITY_SANDBOX_URL: env.IDENTITY_BASE_URL,
      NODE_OPTIONS: expect.stringMatching(/^--import=file:.*\/lib\/dev\/cli\/preload\.mjs\?http:/),
      APP_URL: 'http://localhost:3000',
    });
    expect(at.err()).toContain('http://localhost:3000/identity/callback');
    expect((await fetch(env.IDENTITY_BASE_URL)).status).toBe(200);
    at.signals.emit('SIGINT');
    expect(await ended).toBe(0);
    await expect(fetch(env.IDENTITY_BASE_URL)).rejects.toThrow('fetch failed');
    expect(at.signals.eventNames()).toEqual([]);
  });

  it.each<[string[], Record<string, string>, string[], string]>([
    [
      ['--variant', 'base'],
      { APP_URL: 'https://app.example', PORT: '8080' },
      ['IDENTITY_VARIANT=base\n', 'APP_URL=https://app.example\n'],
      'http://localhost:8080/identity/callback',
    ],
    [
      ['--callback', 'http://localhost:8080/x'],
      { PORT: '3001' },
      ['APP_URL=http://localhost:8080\n'],
      'http://localhost:8080/x',
    ],
    [
      ['--callback', 'https://a.example:8443/x'],
      { PORT: '', APP_URL: '' },
      ['APP_URL=https://a.example:8443\n'],
      'https://a.example:8443/x',
    ],
    [
      ['--issuer', 'de-ausweis', '--person', 'minor'],
      {},
      ['IDENTITY_ISSUER=de-ausweis\n'],
      'http://localhost:3000/identity/callback',
    ],
  ])('%j with %j in the environment', async (args, env, printed, callback) => {
    const at = terminal({ env });
    const ended = run(['sandbox', '--port', '0', ...args], at);
    await at.said('APP_URL=');
    for (const line of printed) expect(at.out()).toContain(line);
    expect(at.err()).toContain(callback);
    at.signals.emit('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('a person whom nobody knows: one sentence, exit code 1', async () => {
    const at = await ran(['sandbox', '--port', '0', '--person', 'minr'], 1);
    expect(at.err()).toContain("pidgate: --person is not one of the sandbox's people. Did you mean minor?");
  });

  it('a taken port: one sentence, exit code 1', async () => {
    const other = await createSandbox();
    const { port } = new URL(other.url);
    const at = await ran(['sandbox', '--port', port], 1);
    await other.close();
    expect(at.err()).toBe(`pidgate: createSandbox: port ${port} is in use on 127.0.0.1.\n`);
  });

  it.each(['0', 'abc', '70000'])('PORT=%s: one sentence, exit code 1', async (PORT) => {
    const at = await ran(['sandbox', '--port', '0'], 1, { env: { PORT } });
    expect(at.err()).toBe('pidgate: PORT in the environment must be a number from 1 to 65535.\n');
  });
});

describe('pidgate dev finds no entry', () => {
  const none: [string[], Record<string, string>, string][] = [
    [['dev'], {}, 'pidgate: No entry file found here. Pass the file that starts your app'],
    [['dev'], { 'package.json': '{"main": "gone.js"}' }, 'pidgate: No entry file found here'],
    [['dev'], { 'package.json': '{"main": 1}' }, 'pidgate: No entry file found here'],
    [['dev'], { 'package.json': '{' }, 'pidgate: The package.json here is not valid JSON.'],
    [['dev', 'gone.ts'], {}, 'pidgate: File not found: gone.ts.'],
    [['dev', 'src'], { 'src/x.txt': '' }, 'pidgate: File not found: src.'],
    [
      ['dev'],
      { 'server.ts': '' },
      'pidgate: A TypeScript entry needs tsx in your app: npm install --save-dev tsx.',
    ],
  ];
  it.each(none)('%j with %j: one sentence, exit code 1', async (argv, files, sentence) => {
    const at = await ran(argv, 1, { cwd: folder(files) });
    expect(at.err().startsWith(sentence)).toBe(true);
    expect(at.err().trim().split('\n')).toHaveLength(1);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { findEntry, nodeArguments } from '../../../lib/dev/cli/entry.js';
import { run } from '../../../lib/dev/cli/run.js';
import { errorCodes } from '../../../lib/index.js';
import { proveErrors } from '../../../lib/service/prove/errors.js';
import { checks } from '../../../lib/verify/checks.js';
import { deep } from '../../support/deep.js';
import { freePort } from '../../support/free-port.js';
import { root } from '../../support/root.js';
import { folder, ran, terminal } from './terminal.js';

describe('explain', () => {
  const document = readFileSync('docs/errors.md', 'utf8');

  /** The words of an entry, without what Markdown marks. */
  function wordsOf(code: string): string[] {
    const [, entry = ''] = new RegExp(`^## ${code}\\n([^]*?)(?=^## |(?![^]))`, 'm').exec(document) ?? [];
    return entry
      .replaceAll(/^```\w*$/gm, '')
      .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
      .replaceAll(/\*\*|`/g, '')
      .split(/\s+/)
      .filter((word) => word !== '');
  }

  const said = (text: string): string[] =>
    text
      .replaceAll('`', '')
      .split(/\s+/)
      .filter((word) => word !== '');

  describe('pidgate explain', () => {
    it.each([...Object.keys(errorCodes), ...Object.keys(proveErrors)])(
      '%s: the whole entry of docs/errors.md, at every width',
      async (code) => {
        const whole = (await ran(['explain', code], 0)).out();
        const [name, ...words] = said(whole).filter((word) => word !== '-');
        expect([name, words]).toEqual([code, wordsOf(code).filter((word) => word !== '-')]);
        expect(words.length).toBeGreaterThan(15);
        for (const columns of [60, 80, 120]) {
          const at = await ran(['explain', code], 0, { columns });
          expect(said(at.out())).toEqual(said(whole));
          const prose = at
            .out()
            .split('\n')
            .filter((line) => !line.startsWith('    '));
          expect(prose.filter((line) => line.length > columns && line.trim().includes(' '))).toEqual([]);
        }
      },
    );

    it.each(['7F3K-9Q2M', '7f3k9q2m'])('%s: what to search the log for', async (typed) => {
      const at = (await ran(['explain', typed], 0, { columns: 80 })).out();
      expect(at).toMatch(/^\n7F3K-9Q2M\n/);
      expect(at).toContain('grep 7F3K-9Q2M');
      expect(at.split('\n').filter((line) => line.length > 80)).toEqual([]);
    });

    it.each(Object.keys(checks))('says of %s what the check demands', async (check) => {
      const at = await ran(['explain', check], 0);
      expect(said(at.out()).length).toBeGreaterThan(3);
    });

    it('says of K02 what must hold, the code where it does not, and the usual cause', async () => {
      const out = said((await ran(['explain', 'K02'], 0)).out()).join(' ');
      expect(out).toBe(
        "K02 The signature was made with the issuer's key. Where it does not hold, your app gets presentation_invalid. " +
          'Usual cause: Somebody forged the card; or your trust entry has another key, certificate or jwksUri than the ' +
          'issuer uses. If all verifications fail, compare keys in the trust entry with what the issuer publishes. ' +
          'Go on with: npx pidgate explain presentation_invalid',
      );
      expect((await ran(['explain', 'P02'], 0)).out()).toContain('(RFC 9901, section 4)');
    });

    it.each([
      ['K03', 'key_not_found'],
      ['C15', 'attributes_missing'],
      ['T02', 'presentation_invalid'],
      ['T06', 'credential_status_unavailable'],
      ['L08', 'keys_unavailable'],
    ])('says of %s that the app gets the code %s', async (check, code) => {
      const out = said((await ran(['explain', check], 0)).out()).join(' ');
      expect(out).toContain(`your app gets ${code}.`);
    });

    it('says of what can be set up wrong the cause and the fix, in the words of the list', async () => {
      const out = said((await ran(['explain', 'cookie-secure-on-http'], 0)).out()).join(' ');
      expect(out).toContain(
        'The session cookie is Secure, but the app is reached over http. cookie.secure is true.',
      );
      expect(out).toContain("Fix: Set cookie.secure to 'auto', or use https.");
    });

    it.each([
      [
        ['explain', 'presentation_invalit'],
        'There is no error code, check or mistake "presentation_invalit". Did you mean presentation_invalid?',
      ],
      [
        ['explain', 'callback_status'],
        'There is no error code, check or mistake "callback_status". In a test, sandbox.complete returns it where the callback got no usable reply, and its warning PIDGATE_CALLBACK says which.',
      ],
      [['explain', '__proto__'], 'There is no error code, check or mistake "__proto__".'],
      [
        ['explain'],
        'explain needs an error code, such as presentation_invalid, a check, such as C04, or a support code, such as 7F3K-9Q2M.',
      ],
      [['explain', 'busy', 'declined'], 'Unexpected argument "declined".'],
    ])('%j: one sentence, exit code 2', async (argv, sentence) => {
      const at = terminal();
      expect(await run(argv, at)).toBe(2);
      expect(at.err().trimEnd().split('\n').at(-1)).toBe(`pidgate: ${sentence}`);
      expect(at.out()).toBe('');
    });
  });
});

describe('The entry', () => {
  const order: [string[], string][] = [
    [['server.ts', 'server.js', 'app.ts', 'index.ts', 'src/server.ts'], 'server.ts'],
    [['server.js', 'app.ts'], 'server.js'],
    [['app.ts', 'app.js'], 'app.ts'],
    [['app.js', 'index.ts'], 'app.js'],
    [['index.ts', 'src/server.ts'], 'index.ts'],
    [['index.js', 'src/server.ts'], 'index.js'],
    [['src/index.js', 'src/app.ts'], 'src/app.ts'],
  ];
  it.each(order)('of %j is %s', (names, expected) => {
    const cwd = folder(Object.fromEntries(names.map((name) => [name, ''])));
    expect(findEntry(cwd, undefined)).toBe(`${cwd}/${expected}`);
  });

  it('is "main" of package.json where nothing else is there', () => {
    const cwd = folder({ 'package.json': '{"main": "lib/start.js"}', 'lib/start.js': '' });
    expect(findEntry(cwd, undefined)).toBe(`${cwd}/lib/start.js`);
  });

  it('in TypeScript uses the tsx beside it before the one of the working folder', () => {
    const files = {
      'node_modules/tsx/package.json': '{"name": "tsx", "exports": "./own.mjs"}',
      'node_modules/tsx/own.mjs': '',
      'server.ts': '',
    };
    const own = folder(files);
    expect(nodeArguments(`${own}/server.ts`, process.cwd())).toEqual([
      '--import',
      `file://${own}/node_modules/tsx/own.mjs`,
      `${own}/server.ts`,
    ]);
  });
});

describe('bin', () => {
  /** The real program, as a process of its own. */
  function pidgate(args: string[], env: Record<string, string> = {}) {
    return spawn(process.execPath, [join(root, 'dist/dev/cli/main.mjs'), ...args], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  describe('The program', () => {
    deep.test('prints the environment, serves, and ends on SIGTERM', async () => {
      const running = pidgate(['sandbox', '--port', '0']);
      const lines: string[] = [];
      for await (const line of createInterface(running.stdout)) {
        lines.push(line);
        if (line.startsWith('APP_URL=')) break;
      }
      const url = lines.find((line) => line.startsWith('IDENTITY_BASE_URL='))?.split('=')[1] ?? '';
      expect((await fetch(`${url}/jwks.json`)).status).toBe(200);
      running.kill('SIGTERM');
      expect(await once(running, 'exit')).toEqual([0, null]);
    });

    deep.test.each([[[]], [['--watch']]])(
      'takes the app along even when it is killed: dev %j',
      async (more) => {
        const watch = createServer();
        await new Promise<void>((resolve) => watch.listen(0, '127.0.0.1', resolve));
        const { port } = watch.address() as AddressInfo;
        const cwd = folder({ 'server.js': `require('node:net').connect(${port}, '127.0.0.1')` });
        const running = pidgate(['dev', `${cwd}/server.js`, ...more], { PORT: String(await freePort()) });
        const [fromApp] = (await once(watch, 'connection')) as [Socket];
        fromApp.resume().on('error', () => {});
        running.kill('SIGKILL');
        await once(fromApp, 'close'); // the app is gone
        watch.close();
        expect(running.killed).toBe(true);
      },
    );

    deep.test('ends with the app, which no channel keeps alive', async () => {
      const cwd = folder({ 'server.js': 'process.exitCode = 4' });
      const running = pidgate(['dev', `${cwd}/server.js`], { PORT: String(await freePort()) });
      expect(await once(running, 'exit')).toEqual([4, null]);
    });
  });
});

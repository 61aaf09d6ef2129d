import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { run } from '../../../lib/dev/cli/run.js';
import type { Terminal } from '../../../lib/dev/cli/terminal.js';
import { serve } from '../../support/serve.js';
import { prove, request, sandbox } from '../sandbox/open.js';
import { type FakeTerminal, folder, terminal } from './terminal.js';

afterEach(() => {
  jest.restoreAllMocks();
});

const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Every character that a terminal may obey, or that turns or hides text. */
const controls = Array.from({ length: 0x10ffff }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => control.test(character));

/** What a hostile program says: sequences that set the title, move the cursor and forge a line, and every control. */
const hostile: readonly [what: string, text: string][] = [
  ['a title', '\u001B]0;PWNED\u0007'],
  ['8-bit sequences', '\u009B2J\u009B1;1HPWNED'],
  ["the terminal's own colours", '\u001B[1m\u001B[31mPWNED\u001B[39m\u001B[22m'],
  ['a line of its own', 'PWNED\r\n  ok    everything\n'],
  ['text that turns or hides', '\u202EPWNED\u2066\u200B\uFEFF\u2028\u2029'],
  ['every control character', `PWNED${controls.join('')}`],
];

/** A header can hold some of them only. */
const inHeader = (text: string): string => encodeURIComponent(text);

/** The sequences that a terminal of this kit writes itself, in a pair around a text. */
const ours = /\p{Cc}\[(?:1|2|31|32|36)m(\P{Cc}*)\p{Cc}\[(?:22|39)m/gu;

function expectHarmless(at: FakeTerminal): void {
  const said = (at.out() + at.err()).replaceAll(ours, '$1').replaceAll('\n', '');
  expect(control.exec(said)).toBeNull();
}

/** The lines of a report that nobody but the kit may begin. */
const forged = (at: FakeTerminal): boolean => /^ {2}ok {4}everything/m.test(at.out() + at.err());

async function ran(argv: readonly string[], more: Partial<Terminal> = {}): Promise<FakeTerminal> {
  const at = terminal({ env: {}, ...more });
  await run(argv, at);
  expectHarmless(at);
  expect(forged(at)).toBe(false);
  return at;
}

describe.each([false, true])(
  'F83 what another program said reaches the terminal harmless (color %s)',
  (color) => {
    it.each(hostile)('F83 doctor, of pages, headers and JSON: %s', async (_what, text) => {
      const says: RequestListener[] = [
        (_req, res) => res.end(`<form method="post" action="/${text}/identity/start"><input>`),
        (_req, res) => res.writeHead(303, { location: inHeader(text) }).end(text),
        (_req, res) =>
          res
            .writeHead(400, { 'content-type': 'application/json' })
            .end(
              JSON.stringify({ error: text, error_description: text, detail: `origin_not_allowed ${text}` }),
            ),
        (_req, res) =>
          res.writeHead(500, { 'content-type': 'application/json' }).end(
            JSON.stringify({
              error: 'config_invalid',
              error_description: `The kit is mounted at /x, but its option path is /y: ${text}`,
            }),
          ),
      ];
      for (const listener of says) {
        const url = await serve(listener);
        const env = { IDENTITY_BASE_URL: url, IDENTITY_API_KEY: 'a', IDENTITY_ISSUER: text };
        await ran(['doctor', '--url', url], { color, env });
        const at = await ran(['doctor', '--url', url, '--json'], { color, env });
        expect(JSON.parse(at.out())).toHaveProperty('findings');
      }
    });

    it('F83 doctor shows what it escapes', async () => {
      const [[, text] = ['', '']] = hostile;
      const url = await serve((_req, res) =>
        res.end(`<form method="post" action="/${text}/identity/start">`),
      );
      expect((await ran(['doctor', '--url', url], { color })).out()).toContain(
        'leads to /\\u001b]0;PWNED\\u0007/identity/start',
      );
    });

    it.each(hostile)('F83 simulate, of the app: %s', async (_what, text) => {
      const service = await sandbox();
      const url = await serve((req, res) => {
        if (req.url?.startsWith('/identity/callback') === true) {
          res
            .setHeader('content-type', 'application/json')
            .end(JSON.stringify({ redirect_uri: `${url}/end/${inHeader(text)}?error=${inHeader(text)}` }));
        } else if (req.method === 'POST') {
          void prove(service, request()).then(({ body }) =>
            res.writeHead(303, { location: body.redirect_url }).end(),
          );
        } else if (req.url?.startsWith('/json') === true)
          res.writeHead(400).end(JSON.stringify({ error: text }));
        else res.end(text);
      });
      service.redirectUrl = `${url}/identity/callback`;
      const env = { IDENTITY_SANDBOX_URL: service.url };
      const at = await ran(['simulate', 'approve', 'declined', '--url', url], { color, env });
      expect(at.out()).toContain('PWNED');
      await ran(['simulate', 'approve', '--url', `${url}/json/start`], { color, env });
      const asJson = await ran(['simulate', 'approve', '--url', url, '--json'], { color, env });
      expect(JSON.parse(asJson.out())).toHaveLength(1);
    });

    it.each(hostile)('F83 simulate, of what answers in place of the sandbox: %s', async (_what, text) => {
      const row = {
        scenario: text,
        says: text,
        expected: text,
        passed: false,
        did: text,
        fix: text,
        read: text,
        at: 1,
        of: 2,
      };
      const lines = [
        JSON.stringify(row),
        JSON.stringify({ ...row, passed: true }),
        JSON.stringify({ problem: text }),
        JSON.stringify({ [text]: text }),
        text,
        `{${text}`,
        'null',
      ];
      for (const line of lines) {
        const url = await serve((_req, res) => res.end(`${line}\n`));
        const env = { IDENTITY_SANDBOX_URL: url };
        await ran(['simulate', 'approve', '--url', 'http://127.0.0.1:1/'], { color, env });
        await ran(['simulate', 'approve', '--url', 'http://127.0.0.1:1/', '--json'], { color, env });
      }
    });

    it.each(hostile)('F83 the log of a sandbox, of the app: %s', async (_what, text) => {
      const answers: Record<string, string>[] = [
        { 'content-type': `text/x; a="${inHeader(text)}"` },
        { 'content-type': 'application/json' },
      ];
      for (const headers of answers) {
        const url = await serve((_req, res) => res.writeHead(200, headers).end(text));
        const at = terminal({ color, env: {} });
        const ended = run(['sandbox', '--port', '0', '--callback', `${url}/identity/callback`], at);
        await at.said('APP_URL=');
        const base = /IDENTITY_BASE_URL=(.+)/.exec(at.out())?.[1] ?? '';
        const authorization = 'Bearer sandbox-key';
        const body = JSON.stringify(request({ purpose: text }));
        const sent = { method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body };
        const { redirect_url } = (await (await fetch(`${base}/prove`, sent)).json()) as {
          redirect_url?: string;
        };
        if (redirect_url !== undefined) {
          const decision = { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) };
          await (await fetch(redirect_url, decision)).text();
        }
        await (await fetch(`${base}/prove`, { ...sent, body: text })).text();
        at.signals.emit('SIGINT');
        await ended;
        expectHarmless(at);
      }
    });

    it.each(hostile)('F83 the words of an error: %s', async (_what, text) => {
      const cwd = folder({
        'trust.mjs': `throw new Error(${JSON.stringify(text)})`,
        'p.txt': 'a.b.c~',
        'trust.json': text,
        'entries.json': JSON.stringify({ [text]: {}, [`${text}2`]: {} }),
      });
      for (const trust of ['trust.mjs', 'trust.json', 'entries.json']) {
        await ran(['inspect', 'p.txt', '--trust', trust], { color, cwd });
      }
      const name = text.replaceAll(/[\0/]/g, '');
      await ran(['inspect', name], { color, cwd });
      await ran([name], { color, cwd });
      await ran(['doctor', name], { color, cwd });
      await ran(['dev', name, name], { color, cwd });
      await ran(['simulate', `--${name}`], { color, cwd });
    });
  },
);

import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { run } from '../../../lib/dev/cli/run.js';
import { type Running, startApp } from '../../support/app.js';
import { startPrefixProxy } from '../../support/prefix-proxy.js';
import { refusingPort } from '../../support/refusing-port.js';
import { ran, terminal } from './terminal.js';

afterEach(() => {
  jest.restoreAllMocks();
});

async function app(options: Record<string, unknown> = {}): Promise<Running> {
  return await startApp({
    options,
    after: (express) => express.get('/', (_req, res) => res.send('Welcome')),
  });
}

describe('pidgate simulate', () => {
  it('counts, in lines of a terminal, and ends with a grid, the failures and the figures', async () => {
    const { url } = await app({ onError: () => ({ redirectTo: '/' }), derived: undefined });
    const at = terminal({ columns: 100 });
    const names = ['approve', 'declined', 'wrong_nonce', 'callback_lost', 'derived_true', 'prove_500'];
    expect(await run(['simulate', ...names, '--url', url], at)).toBe(1);
    const lines = at.out().split('\n');
    expect(lines.slice(0, 6).map((line) => /^.{13}\w+/.exec(line)?.[0])).toEqual([
      '  1/6  ok    approve',
      '  2/6  ok    declined',
      '  3/6  ok    wrong_nonce',
      '  4/6  ok    callback_lost',
      '  5/6  skip  derived_true',
      '  6/6  FAIL  prove_500',
    ]);
    expect(lines.slice(0, 6).filter((line) => line.length > 100)).toEqual([]);
    expect(lines.slice(7, 12)).toEqual([
      '  wallet    ■ ■',
      '  proof     ■ ·',
      '  callback  ■',
      '  prove     ✗',
      '',
    ]);
    expect(lines[12]).toBe('  FAIL  prove_500');
    expect(lines[13]).toBe('    played    The service fails to start.');
    expect(at.out()).toContain('\n  4 passed, 1 failed, 1 left out\n');
    expect(at.out()).toContain(
      '  A home page or a start is taken to be open to everyone: the guard is not tried.',
    );
  });

  it('counts the note of a page that opens for Leon', async () => {
    const did =
      'note: the guarded page opens for Leon, who is 17. If it is only for adults, give the question allow.';
    const row = { scenario: 'minor', says: '', expected: '', passed: true, did, at: 1, of: 1 };
    jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(JSON.stringify(row)));
    const env = { IDENTITY_SANDBOX_URL: 'http://127.0.0.1:1' };
    const at = await ran(['simulate', '--all', '--url', 'http://127.0.0.1:1/club'], 0, { env });
    expect(at.out()).toContain('\n  1 passed, 0 failed, 1 note\n');
  });

  it('ends at Ctrl-C with what it has, and the sandbox stops too', async () => {
    const { url, sandbox } = await app();
    const at = terminal();
    const ended = run(['simulate', '--all', '--url', url], at);
    await at.said('  2/44  ok');
    at.signals.emit('SIGINT', 'SIGINT');
    expect(await ended).toBe(130);
    expect(at.out()).toMatch(/\n {2}Stopped after \d+ of 44: \d+ passed, 0 failed, \d+ not played\n/);
    expect(at.signals.eventNames()).toEqual([]);
    const next = terminal({ env: { IDENTITY_SANDBOX_URL: sandbox.url } });
    expect(await run(['simulate', 'approve', '--url', url], next)).toBe(0); // it was free
  });

  const limited =
    'A rate limiter answered. Limit only the start, never the callback: all callbacks may come from one address. The kit itself bounds what they cost. In development, lift it for 127.0.0.1, or wait until its window is over.';

  it.each([1, 3])(
    'says that a rate limiter answered, from start %i on, and plays no further',
    async (from) => {
      let starts = 0;
      const running = await startApp({
        before: (express) =>
          express.use('/identity/start', (_req, res, next) => {
            starts += 1;
            if (starts < from) next();
            else res.status(429).end('Too many requests');
          }),
        after: (express) => express.get('/', (_req, res) => res.send('Welcome')),
      });
      const env = { IDENTITY_SANDBOX_URL: running.sandbox.url };
      const at = await ran(['simulate', '--all', '--url', running.url], 1, { env });
      expect(at.out()).toContain(`    fix       ${limited}\n`);
      expect(at.out()).toMatch(/, 1 failed, \d+ not played\n/);
      const unknown = await ran(['simulate', '--all', '--url', running.url], 1);
      expect(unknown.err()).toBe(`pidgate: ${limited}\n`);
    },
  );

  it('finds the sandbox below a prefix that a proxy takes off, by the guard of the page', async () => {
    const proxy = await startPrefixProxy();
    const url = `${proxy.url}/shop`;
    const running = await startApp({
      options: { appUrl: url },
      before: (express) => void express.set('trust proxy', 'loopback'),
      after: (express, identity) =>
        express.get('/club', identity.require(), (_req, res) => res.send('Welcome')),
    });
    proxy.targets.set('/shop', running.url);
    const at = terminal();
    const code = await run(['simulate', 'approve', '--url', `${url}/club`], at);
    await proxy.close();
    expect({ code, err: at.err() }).toEqual({ code: 0, err: '' });
    expect(at.out()).toContain('\n  1 passed, 0 failed\n');
  });

  it('finds the sandbox of an app that has only named questions, by the guard and by the start', async () => {
    const running = await startApp({
      options: { reveal: undefined, questions: { age: { reveal: ['birth_date'] } } },
      after: (express, identity) =>
        express.get('/club', identity.require({ question: 'age' }), (_req, res) => res.send('Welcome')),
    });
    for (const path of ['/club', '/identity/start/age?returnTo=/club']) {
      const at = terminal();
      const code = await run(['simulate', 'approve', '--url', `${running.url}${path}`], at);
      expect({ code, err: at.err() }).toEqual({ code: 0, err: '' });
    }
  });

  it('plays everything twice in a row: keys that could not be fetched are kept from before', async () => {
    const { url } = await app();
    const names = ['approve', 'keys_unreachable'];
    for (const _round of [1, 2]) {
      const at = await ran(['simulate', ...names, '--url', url], 0);
      expect(at.out()).toContain('\n  2 passed, 0 failed\n');
    }
  });

  it('says what is wrong and where to read on; exit code 1', async () => {
    const { url, sandbox } = await app({ onError: () => ({ redirectTo: '/' }) });
    const at = await ran(['simulate', 'prove_500', '--url', url], 1, {
      env: { IDENTITY_SANDBOX_URL: sandbox.url },
    });
    expect(at.out()).toContain('FAIL  prove_500');
    expect(at.out()).toContain(
      'fix       The person must see a page that says that the verification could not start.',
    );
    expect(at.out()).not.toContain('    see ');
  });

  it('--json prints the table as JSON and nothing else', async () => {
    const { url } = await app();
    const at = await ran(['simulate', 'approve', '--url', url, '--json'], 0);
    expect(JSON.parse(at.out())).toEqual([
      expect.objectContaining({ scenario: 'approve', passed: true, did: expect.any(String) }),
    ]);
  });

  it('an app that does not run, one that asks no sandbox, and a sandbox that is gone: one sentence', async () => {
    const { url } = await app({ routes: { start: '/begin' } });
    const port = await refusingPort();
    for (const [to, env, words] of [
      [`http://127.0.0.1:${port}`, {}, 'Nothing responds at'],
      [url, {}, 'POST /identity/start responds with 404: there is no start route here.'],
      [url, { IDENTITY_SANDBOX_URL: `http://127.0.0.1:${port}` }, 'No sandbox responds at'],
    ] as const) {
      const at = await ran(['simulate', '--all', '--url', to], 1, { env });
      expect(at.err()).toContain(words);
      expect(at.out()).toBe('');
    }
  });

  it.each<[string, Parameters<typeof startApp>[0], string]>([
    [
      'no session',
      { session: false },
      'responds with 500 session_missing. Why, and how to fix it: npx pidgate explain session_missing.',
    ],
    [
      'a CSRF check',
      { before: (express) => express.use('/identity', (_req, res) => res.status(403).end('No token')) },
      'responds with 403, and not by the kit: a CSRF check (403)',
    ],
    [
      'a log-in',
      {
        before: (express) =>
          express
            .use('/identity', (_req, res) => res.redirect('/login'))
            .get('/login', (_req, res) => res.end()),
      },
      'responds with 302, to /login: something in front of the kit answers, such as a log-in. The robot does not log in: name a page whose start needs none, or play it in a test with sandbox.complete (docs/testing.md).',
    ],
    [
      'another host',
      { options: { appUrl: 'http://localhost:1' } },
      'responds with 400 origin_not_allowed: appUrl',
    ],
  ])('A1 a start that fails is told by its status and code first: %s', async (what, setup, words) => {
    const running = await startApp(setup);
    const unnamed = await ran(['simulate', 'approve', '--url', running.url], 1);
    expect(unnamed.err()).toContain(`pidgate: POST /identity/start ${words}`);
    // The address of a sandbox does not help past a log-in.
    expect(unnamed.err().includes('If the app does run with a sandbox')).toBe(what !== 'a log-in');
    const named = await ran(['simulate', 'approve', '--url', running.url], 1, {
      env: { IDENTITY_SANDBOX_URL: running.sandbox.url },
    });
    expect(named.out()).toContain(`    fix       POST /identity/start ${words}`);
  });

  it.each<[string, Parameters<typeof startApp>[0], string]>([
    [
      'a Secure cookie on http',
      { session: { cookie: { secure: true } } },
      'The return does not find the session that started (403): is its cookie Secure on http',
    ],
    [
      'a page that is not there',
      { options: { successRedirect: '/welcome' } },
      'The verification succeeded, but /welcome, where the return leads, responds with 404.',
    ],
    [
      'a hook that returns false',
      { options: { onSuccess: () => false } },
      'A hook or keep threw, took too long, or returned something that it must not.',
    ],
  ])('A11 a false cause is not told: %s', async (_what, setup, words) => {
    const running = await startApp(setup);
    const at = await ran(['simulate', 'approve', '--url', running.url], 1);
    expect(at.out()).toContain(`    fix       ${words}`);
  });

  it('A11 no line of the table cuts a code', async () => {
    const { url } = await app({ onError: undefined });
    const at = terminal();
    await run(['simulate', 'revoked', 'status_unreachable', '--url', url], at);
    expect(at.out()).toContain('  credential_status_unavailable at /identity/return.\n');
  });

  it('F82 nothing is sent to an address that is not this machine, named once, with or without a sandbox', async () => {
    const { sandbox } = await app();
    const asked = jest.spyOn(globalThis, 'fetch');
    const elsewhere = [
      '192.0.2.2',
      'shop.example',
      '0.0.0.0',
      '[::]',
      '[::ffff:127.0.0.1]',
      'localhost.',
      '128.0.0.1',
    ];
    for (const host of elsewhere) {
      for (const path of ['', '/club', '/identity/start']) {
        for (const env of [{}, { IDENTITY_SANDBOX_URL: sandbox.url }]) {
          const at = await ran(['simulate', 'approve', '--url', `http://${host}:9${path}`], 1, { env });
          expect(at.err()).toContain('is not on this machine. If it is yours, give the address twice');
        }
      }
    }
    expect(asked).not.toHaveBeenCalled();
  });

  it('F82 only an origin of this machine is asked to play: by the environment, by the start, or by a redirect', async () => {
    const trap = jest.fn();
    const named = [
      'http://192.0.2.2',
      'https://127.0.0.1:1',
      'http://x@127.0.0.1:1',
      'http://127.0.0.1:1/x',
      'desk',
    ];
    const asked = jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      const { url: address, redirect } = new Request(url, init);
      trap(address);
      if (redirect !== 'manual') throw new Error('A redirect would be followed.');
      const headers = { location: 'http://192.0.2.2/wallet/x' };
      return await Promise.resolve(new Response(null, { status: 303, headers }));
    });
    for (const IDENTITY_SANDBOX_URL of named) {
      const at = await ran(['simulate', 'approve', '--url', 'http://127.0.0.1:1/'], 1, {
        env: { IDENTITY_SANDBOX_URL },
      });
      expect(at.err()).toContain('IDENTITY_SANDBOX_URL must be an origin of this machine');
    }
    expect(asked).not.toHaveBeenCalled();
    const at = await ran(['simulate', 'approve', '--url', 'http://127.0.0.1:1/identity/start'], 1);
    expect(at.err()).toContain(
      'POST /identity/start responds with 303, and leads elsewhere (http://192.0.2.2)',
    );
    const other = await ran(['simulate', 'approve', '--url', 'http://127.0.0.1:1/'], 1, {
      env: { IDENTITY_SANDBOX_URL: 'http://127.0.0.1:1/' },
    });
    expect(other.err()).toContain('No sandbox responds at http://127.0.0.1:1.');
    expect(trap.mock.calls).toEqual([['http://127.0.0.1:1/identity/start'], ['http://127.0.0.1:1/simulate']]);
  });
});

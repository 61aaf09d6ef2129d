import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ErrorRequestHandler, Express } from 'express';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import { type AppSetup, type Running, noCode, openSandbox, startApp } from '../support/app.js';

/** As cookie-session does it: a plain object that lives in the cookie. */
const cookieSession = (app: Express): void => {
  app.use((req, _res, next) => {
    Object.assign(req, { session: { isNew: true }, sessionOptions: {} });
    next();
  });
};

/** Like express-session in part: it saves, but nobody can read the store again. */
const halfSession = (app: Express): void => {
  app.use((req, _res, next) => {
    const session = { save: () => undefined, regenerate: () => undefined, reload: () => undefined };
    Object.assign(req, { session, sessionID: 'x' });
    next();
  });
};

describe('F42 session middleware', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });

  const mode = process.env['NODE_ENV'];
  afterEach(async () => {
    process.env['NODE_ENV'] = mode;
  });
  async function open(setup: AppSetup): Promise<{ app: Running; told: unknown[] }> {
    const told: unknown[] = [];
    const onError = ({ error, step }: { error: { code: string }; step: string }): void =>
      void told.push([step, error.code]);
    const app = await startApp({ sandbox, ...setup, options: { onError, ...setup.options } });
    return { app, told };
  }

  const missing = 'There is no session: mount express-session above the kit, and above routes that use it.';
  const unsupported =
    'This session cannot be saved, read again and given a new id on the server (cookie-session cannot do this): use express-session.';
  const cookies = { session: false, before: cookieSession } as const;
  const noStore = { session: false, before: halfSession } as const;
  const broken: [string, Omit<AppSetup, 'options'>, string, string][] = [
    ['is missing', { session: false }, 'session_missing', missing],
    ['is cookie-session', cookies, 'session_unsupported', unsupported],
    ['has no store to read again', noStore, 'session_unsupported', unsupported],
  ];

  test.each(broken)('F42 it %s: the start says so in one sentence', async (_, setup, code, sentence) => {
    const { app, told } = await open(setup);
    const browser = app.browser();
    const asked = await browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
    expect([asked.status, asked.json()]).toEqual([500, { error: code, error_description: sentence }]);
    expect([told, app.events.map((event) => event.code)]).toEqual([[], [code]]);
    const shown = await browser.post(`${app.url}/identity/start`);
    expect([shown.status, shown.text.includes(`<code>${code}</code>`)]).toEqual([500, true]);
    expect(shown.text).not.toContain(sentence); // only in development
  });

  test.each(broken)(
    'F42 it %s: in development the page itself tells the fix',
    async (_, setup, code, sentence) => {
      process.env['NODE_ENV'] = 'development';
      const { app } = await open(setup);
      const shown = await app.browser().post(`${app.url}/identity/start`);
      const link = /<a href="http:\/\/127\.0\.0\.1:\d+\/errors\/(\w+)">\1<\/a>/g;
      expect(shown.text.replaceAll(link, '$1')).toContain(`${sentence} See ${code}`);
    },
  );

  test.each(broken)('F42 it %s: return, status, guard and forget say so', async (_, setup, code) => {
    const errors: unknown[] = [];
    const { app } = await open({
      ...setup,
      after: (its, identity) => {
        its.get('/club', identity.require(), (_req, res) => void res.end('in'));
        its.get('/of', (req, res) => void res.json(identity.of(req) ?? null));
        its.get('/forget', (req, res, next) => void identity.forget(req).then(() => res.end('done'), next));
        const failed: ErrorRequestHandler = (error, _req, res, _next) => {
          errors.push(error);
          res.status(500).end();
        };
        its.use(failed);
      },
    });
    const browser = app.browser();
    const back = await browser.get(`${app.url}/identity/return?code=${noCode}`);
    expect([back.status, back.text.includes(`<code>${code}</code>`)]).toEqual([500, true]);
    const status = await browser.get(`${app.url}/identity/status?flow=x`);
    expect([status.status, status.json()]).toMatchObject([500, { error: code }]);
    for (const path of ['/club', '/of', '/forget']) {
      expect((await browser.get(`${app.url}${path}`)).text).toBe('');
    }
    expect(errors).toMatchObject([{ code }, { code }, { code }]);
  });

  test.each(broken)('F42 it %s: the start page shows, and the callback needs none', async (_, setup) => {
    const { app } = await open(setup);
    expect((await app.browser().get(`${app.url}/identity/start`)).status).toBe(200);
    const reply = await app.callback({ state: 'A'.repeat(43), error: 'access_denied' });
    expect([reply.status, await reply.json()]).toEqual([
      200,
      { redirect_uri: `${app.url}/identity/return?error=state_unknown` },
    ]);
  });

  test.each([
    ['development', true],
    ['test', false],
  ])('F42 a return without its session, in %s: the likely causes are named (%p)', async (mode, isTold) => {
    process.env['NODE_ENV'] = mode;
    const { app } = await open({});
    sandbox.redirectUrl = `${app.url}/identity/callback`;
    const shown = await app.browser().visit((await app.waiting()).back);
    expect(shown.status).toBe(403);
    const text = shown.text.replaceAll('&quot;', '"');
    const causes = ['localhost mixed with 127.0.0.1', 'Secure cookie on http', 'trust proxy'];
    for (const cause of causes) expect(text.includes(cause)).toBe(isTold);
  });
});

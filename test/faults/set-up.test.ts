import { inspect } from 'node:util';
import session, { type SessionOptions } from 'express-session';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { identityVerification, memoryStore } from '../../lib/index.js';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import { login } from '../support/account.js';
import {
  type AppSetup,
  type Running,
  openSandbox,
  startApp,
  testClock,
  unknownState,
  sentStates,
} from '../support/app.js';
import { good, withEnvironment } from '../options/settings.js';
import { listen } from '../support/lines.js';

describe('F62 settings that cannot work', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });

  const mode = process.env['NODE_ENV'];
  afterEach(async () => {
    process.env['NODE_ENV'] = mode;
    jest.restoreAllMocks();
  });

  async function open(setup: AppSetup, env = 'development'): Promise<{ app: Running; heard: string[] }> {
    const { lines: heard, logger } = listen();
    process.env['NODE_ENV'] = env;
    const { 'xx-sandbox': entry } = sandbox.options.trust; // the other one is refused in production (F74)
    const options = {
      allowSandbox: true,
      trust: { 'xx-sandbox': entry },
      logger,
      ...setup.options,
    };
    const app = await startApp({ sandbox, ...setup, options });
    return { app, heard };
  }

  const noted = (text: string): string[] =>
    [...text.matchAll(/<p>For the developer: (.*?)<\/p>/g)].map(([, hint = '']) =>
      hint.replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
    );

  const idIn = (sentence = ''): string | undefined => /npx pidgate explain ([a-z-]+)$/.exec(sentence)?.[1];
  const secure: SessionOptions['cookie'] = { secure: true };
  const below: AppSetup = {
    session: false,
    after: (its) => its.use(session({ secret: 'x', resave: false, saveUninitialized: false })),
  };
  const loggedIn: AppSetup['before'] = (its) =>
    its.use((req, _res, next) => (Object.assign(req.session, { userId: 'u-1', passport: {} }), next()));
  const prefixed = { 'x-forwarded-prefix': '/shop' };
  const faults: [id: string, setup: AppSetup, headers?: Record<string, string>][] = [
    ['cookie-secure-on-http', { session: { cookie: secure } }],
    ['cookie-same-site-none', { session: { cookie: { sameSite: 'none' } } }],
    ['trust-proxy', { session: { cookie: secure } }, { 'x-forwarded-proto': 'https' }],
    ['trust-proxy', {}, { 'x-forwarded-for': '10.0.0.1' }],
    ['app-url-without-prefix', {}, prefixed],
    ['cookie-too-short', { session: { cookie: { maxAge: 60 } } }],
    ['subject-missing', { before: loggedIn }],
    ['session-missing', { session: false }],
    ['session-below', below],
    ['session-pathless', { session: { cookie: { path: '/club' } } }],
    [
      'session-unsupported',
      {
        session: false,
        before: (its) => its.use((req, _res, next) => (Object.assign(req, { session: {} }), next())),
      },
    ],
  ];

  test.each(faults)(
    'F62 %s is named on the page, and in the terminal once',
    async (id, setup, headers = {}) => {
      const { app, heard } = await open(setup);
      for (const _time of [1, 2]) {
        const { text } = await app.browser().get(`${app.url}/identity/start`, headers);
        expect(noted(text).map(idIn)).toEqual([id]);
      }
      expect(heard.map(idIn)).toEqual([id]);
      const back = await app.browser().get(`${app.url}/identity/return?error=return_wrong_browser`, headers);
      expect(noted(back.text).map(idIn)).toEqual([id]); // and no guess beside it
    },
  );

  test('F62 what is named tells people in production nothing', async () => {
    for (const [, setup, headers] of faults.slice(0, 7)) {
      const { app, heard } = await open(setup, 'production');
      const { text } = await app.browser().get(`${app.url}/identity/start`, headers);
      expect([noted(text), heard]).toEqual([[], []]);
    }
  });

  test.each([
    ['a lax cookie on http', { sameSite: 'lax' as const }, {}, false],
    ["secure: 'auto'", { secure: 'auto' as const }, {}, false],
    [
      'a proxy that is trusted',
      secure,
      { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.1' },
      true,
    ],
  ])('F62 %s is right', async (_what, cookie, headers, trusted) => {
    const { app, heard } = await open({
      session: { cookie },
      before: (its) => trusted && its.set('trust proxy', 1),
    });
    const { text } = await app.browser().get(`${app.url}/identity/start`, headers);
    expect([noted(text), heard]).toEqual([[], []]);
  });

  test('F62 a cookie that came back works, whatever it looks like', async () => {
    const { app } = await open({ session: { cookie: secure, proxy: true }, before: login() });
    const browser = app.browser();
    const headers = { 'x-forwarded-proto': 'https' };
    await browser.post(`${app.url}/login`, {}, headers);
    const { text } = await browser.get(`${app.url}/identity/start`, headers);
    expect(noted(text).map(idIn)).toEqual(['trust-proxy', 'subject-missing']); // Express itself still takes it for http
  });

  const logIn = login({ user: 'Erika', seen: 0 });

  test.each(['development', 'production'])(
    'F62 with resave: true a start page saves nothing in %s',
    async (env) => {
      const store = new session.MemoryStore();
      const set = jest.spyOn(store, 'set');
      const options = { subject: () => 'erika' };
      const { app, heard } = await open({ session: { resave: true, store }, before: logIn, options }, env);
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      set.mockClear();
      await browser.get(`${app.url}/identity/start`);
      expect([set.mock.calls.length, heard]).toEqual([0, []]); // `pidgate doctor` tells of it
    },
  );

  test('F62 an unknown state or code may be known to another process, where flows are kept in memory', async () => {
    const { app, heard } = await open({});
    for (const _time of [1, 2]) {
      const reply = await app.callback({ error: 'access_denied', state: unknownState() });
      const { redirect_uri } = (await reply.json()) as { redirect_uri: string };
      const page = await app.browser().get(redirect_uri);
      expect(noted(page.text)).toEqual([
        expect.stringContaining('or it belongs to another factory or process'),
      ]);
    }
    expect(heard).toEqual([
      expect.stringMatching(
        /^\w+ pidgate: a callback arrived that this process does not know: .* or it belongs to another factory or process \(memoryStore keeps the flows of one, until it restarts\)/,
      ),
    ]);
    const sent = sentStates();
    const over = await open({ options: { fetch: sent.fetch } });
    sandbox.redirectUrl = `${over.app.url}/identity/callback`;
    await over.app.waiting();
    const [state = ''] = sent.states;
    await over.app.callback({ error: 'access_denied', state }); // of a flow that is known, and takes no more
    expect([over.app.events.at(-1), over.heard]).toMatchObject([{ code: 'state_unknown' }, []]);
    const ahead = testClock();
    const late = await open({ options: { store: memoryStore({ clock: ahead }) } }, 'production');
    sandbox.redirectUrl = `${late.app.url}/identity/callback`;
    const browser = late.app.browser();
    const address = await late.app.toReturn(browser);
    ahead.forward(3_600_000); // as if another process had it
    expect((await browser.get(address)).status).toBe(403);
    expect(late.heard).toEqual([
      expect.stringMatching(
        /^\w+ pidgate: this session began the flow, but the code in the address is not its code: /,
      ),
    ]);
    const foreign = { ...memoryStore() };
    const shared = await open({ options: { store: foreign } });
    await shared.app.callback({ error: 'access_denied', state: unknownState() });
    expect(shared.heard).toEqual([]);
  });
});

describe('F123 the secret of the app', () => {
  const own = { ...memoryStore() }; // a store of the app's own needs a secret
  const make = (secret: unknown) => identityVerification({ ...good, store: own, secret } as never);
  const placeholders: [what: string, secret: string][] = [
    ['one character, 32 times', 'a'.repeat(32)],
    ['one character, 200 times', '0'.repeat(200)],
    ['spaces', ' '.repeat(40)],
    ['spaces, tabs and line breaks', ' \t\r\n'.repeat(10)],
    ['one character between spaces', 'x '.repeat(20)],
    ['a character outside the first plane', '🔑'.repeat(32)],
  ];
  const refused = expect.objectContaining({
    code: 'config_invalid',
    message: expect.stringMatching(
      /^Option secret(?:\[\d\])?:? must be a random text of at least 32 characters/,
    ),
  });

  test.each(placeholders)(
    'F123 is config_invalid where it is %s, also as an older one and as a variable',
    (_, secret) => {
      const random = 'kU2vd8Yc0Zs-4mPq7WtR1xLb6NhJ3gFe';
      for (const given of [secret, [secret], [random, secret]]) expect(() => make(given)).toThrow(refused);
      withEnvironment({ NODE_ENV: 'test', IDENTITY_SECRET: secret }, () => {
        expect(() => make(undefined)).toThrow(/^IDENTITY_SECRET:? must be a random text/);
      });
      expect(() => make([random, `${random} `])).not.toThrow();
    },
  );

  test('F123 is in no print of a factory, of the app and of a request, however deep, nor is the key of the service', async () => {
    const [secret, older, apiKey] = ['marker-secret', 'marker-older', 'marker-key'].map((name) =>
      name.padEnd(40, '.'),
    );
    const prints: string[] = [];
    const whole = { showHidden: true, depth: 40, maxArrayLength: null, maxStringLength: null } as const;
    const note = (value: unknown) =>
      prints.push(inspect(value, { showHidden: true, depth: 12 }), inspect(value, whole));
    const app = await startApp({
      options: {
        secret: [secret, older],
        apiKey,
        context: ({ app: its }: { app: unknown }) => void note(its),
      },
      after: (express, identity) => {
        for (const value of [identity, express, { ...identity }, identity.require()]) note(value);
      },
    });
    await app.browser().post(`${app.url}/identity/start`);
    expect(prints).toHaveLength(10);
    for (const print of prints) expect(print).not.toContain('marker');
    expect(prints[0]).toContain('Symbol(pidgate.kit)');
  });
});

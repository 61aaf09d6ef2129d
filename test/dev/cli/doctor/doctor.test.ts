import type { RequestListener } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import express, { type Express, type RequestHandler } from 'express';
import session from 'express-session';
import helmet from 'helmet';
import { type FlowStore, memoryStore } from '../../../../lib/index.js';
import { createApp } from '../../../../example-app/app.js';
import { run } from '../../../../lib/dev/cli/run.js';
import type { Sandbox } from '../../../../lib/dev/sandbox/index.js';
import { type AppSetup, openSandbox, startApp as patient, startsAmong } from '../../../support/app.js';
import { closeAfter } from '../../../support/close-after.js';
import { startPrefixProxy } from '../../../support/prefix-proxy.js';
import { refusingPort } from '../../../support/refusing-port.js';
import { serve } from '../../../support/serve.js';
import { certify, pemOf } from '../../../support/verify/certificates.js';
import { nowSeconds } from '../../../support/verify/issuer.js';
import { startWalletApp, walletWorld } from '../../../support/wallets.js';
import { ran, terminal } from '../terminal.js';
import { idsOf, seenFromInside, seenFromOutside } from './patient.js';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true); // express-session tells of its older ways
});
afterEach(() => {
  jest.restoreAllMocks();
});

const service = (): Record<string, string> => ({
  IDENTITY_BASE_URL: sandbox.options.baseUrl,
  IDENTITY_API_KEY: sandbox.options.apiKey,
  IDENTITY_ISSUER: 'xx-sandbox',
});

const oneProcess =
  'the session secret, which all processes must share: only with NODE_ENV=production does doctor start a second process';

/** An app below a prefix that a proxy takes off. */
async function behindPrefix(appUrl: (proxy: string) => string, prefix = '/shop'): Promise<string> {
  const proxy = await startPrefixProxy();
  closeAfter(async () => await proxy.close());
  const app = await patient({
    sandbox,
    before: (express) => void express.set('trust proxy', 'loopback'),
    options: { appUrl: appUrl(proxy.url) },
  });
  proxy.targets.set(prefix, app.url);
  return proxy.url + prefix;
}

describe('a good app', () => {
  it('has no finding, and the kit notices nothing of it: no event, no session, no flow', async () => {
    const app = await patient({ sandbox });
    const outside = await seenFromOutside(app, service());
    expect(outside.findings).toEqual([]);
    expect(outside.notChecked).toEqual([
      'session cookie, session secret and trust proxy: pass the file that starts the app with --entry',
      'trust entries and stores: pass the file that starts the app with --entry',
    ]);
    const inside = await seenFromInside(app, service());
    expect(inside).toMatchObject({ findings: [], notChecked: [oneProcess] });
    expect(app.events).toEqual([]);
    expect(Object.keys((app.sessions as unknown as { sessions: object }).sessions)).toEqual([]);
  });

  it('is the example app', async () => {
    const example = express();
    const url = await serve(example);
    const session = { secret: 'only for tests' };
    example.use(createApp({ identity: { ...sandbox.options, appUrl: url }, session, log: () => {} }));
    expect(await seenFromOutside({ url }, service())).toMatchObject({ findings: [] });
  });

  it('may stand below a prefix that a proxy takes off', async () => {
    const url = await behindPrefix((proxy) => `${proxy}/shop`);
    const report = await seenFromOutside({ url }, service());
    expect({ ids: idsOf(report), address: report.address }).toEqual({ ids: [], address: url });
  });

  it.each(['/identity-hub', '/identity'])('may stand below %s, and its Redirect URL too', async (prefix) => {
    const url = await behindPrefix((proxy) => proxy + prefix, prefix);
    const at = await ran(['doctor', '--url', `${url}/`], 2, { env: service() });
    expect(at.out()).toContain(`Redirect URL must be ${url}/identity/callback\n`);
  });

  it('may render its pages itself', async () => {
    const render = ({ form }: { form: { action: string } }) => `<form method="post" action="${form.action}">`;
    const app = await patient({ sandbox, options: { pages: { render } } });
    expect(idsOf(await seenFromOutside(app, service()))).toEqual([]);
  });

  it('may have helmet, parsers and rate limiters above the kit, and a log-in wall before the start', async () => {
    const app = await patient({
      sandbox,
      before: (it) => {
        it.use(helmet(), express.json(), express.urlencoded({ extended: true }));
        it.use('/identity/start', (_req, res) => res.redirect('/log-in'));
      },
    });
    expect(idsOf(await seenFromOutside(app, service()))).toEqual([]);
  });
});

const before = (use: (app: Express) => unknown): AppSetup => ({ before: (app) => void use(app) });

/** Something that answers in the place of the callback. */
const callbackBy = (answer: (res: express.Response, req: express.Request) => unknown): AppSetup =>
  before((app) => app.use('/identity/callback', (req, res) => void answer(res, req)));

describe('from outside, each of these mistakes is found, and nothing else', () => {
  it('app-url-without-prefix: a proxy takes a path off that appUrl has not', async () => {
    const url = await behindPrefix((proxy) => proxy);
    const { findings } = await seenFromOutside({ url }, service());
    expect(findings).toEqual([
      expect.objectContaining({
        id: 'app-url-without-prefix',
        observed: expect.stringContaining(
          '(it leads to /identity/start, and people reach it at /shop/identity/start).',
        ),
      }),
    ]);
  });

  const guarded = (answer: (path: string) => readonly [number, string, string] | undefined): AppSetup => ({
    sandbox,
    options: { keep: () => 'kept' },
    after: (app, identity) => {
      app.get('/club', identity.require(), (_req, res) => void res.send('The club'));
      app.use((req, res, next) => {
        const [status, type, body] = answer(req.url) ?? [];
        if (status === undefined) next();
        else res.status(status).type(String(type)).send(body);
      });
    },
  });

  it('page-data-open: the data of a guarded page is served elsewhere', async () => {
    const data = [200, 'text/x-script', '[]'] as const;
    const app = await patient(guarded((path) => (path === '/club.data' ? data : undefined)));
    const { findings } = await seenFromOutside(app, service(), { page: '/club' });
    expect(findings).toEqual([
      expect.objectContaining({
        id: 'page-data-open',
        observed: expect.stringContaining('(/club.data).'),
      }),
    ]);
  });

  it('page-open: no guard stands before the page itself', async () => {
    const app = await patient(guarded((path) => (path === '/open' ? [200, 'text/html', 'All'] : undefined)));
    const { findings } = await seenFromOutside(app, service(), { page: '/open' });
    expect(findings).toEqual([
      expect.objectContaining({ id: 'page-open', fix: expect.stringContaining('identity.require()') }),
    ]);
    expect((await seenFromOutside(app, service(), { page: '/club' })).findings).toEqual([]);
    expect((await seenFromOutside(app, service())).findings).toEqual([]);
  });

  it('says that it could not look, where Next is there and does not name its build', async () => {
    const next = [404, 'text/html', '<script src="/_next/static/a.js">'] as const;
    const app = await patient(guarded((path) => (path === '/' ? next : undefined)));
    const { findings, notChecked } = await seenFromOutside(app, service(), { page: '/club' });
    expect(findings).toEqual([]);
    expect(notChecked[0]).toContain('/_next/data/<build>/club.json');
    const at = await ran(['doctor', '--url', app.url, '--page', 'club'], 2, { env: service() });
    expect(at.err()).toContain('--page needs the path of a page');
  });

  it("app-url-of-router: the address ends in the router's own path", async () => {
    const app = await patient({ sandbox });
    const { findings } = await seenFromOutside({ url: `${app.url}/identity` }, service());
    expect(findings[0]).toMatchObject({
      id: 'app-url-of-router',
      observed: expect.stringContaining(`(${app.url}/identity).`),
    });
  });

  it('app-url-of-router: with the password of an address, which is not printed, and no Redirect URL', async () => {
    const app = await patient({ sandbox });
    const at = terminal({ env: service() });
    const url = `${app.url}/identity`.replace('://', '://staging:marker@');
    expect(await run(['doctor', '--url', url], at)).toBe(1);
    expect(at.out()).toContain('app-url-of-router');
    expect(at.out()).not.toMatch(/marker|Redirect URL/);
  });

  it('says that the start page is not seen behind a log-in', async () => {
    const app = await patient({
      sandbox,
      before: (it) => it.use('/identity/start', (_req, res) => res.redirect(303, '/log-in')),
      options: { appUrl: 'http://localhost:9' },
    });
    const { notChecked } = await seenFromOutside(app, service());
    expect(notChecked).toContain(
      'appUrl and the start page: something before the kit responds with 303, such as a log-in',
    );
  });

  it('takes the start page for its own where a proxy has added headers of its own', async () => {
    const add: RequestHandler = (_req, res, next) => {
      const set = res.setHeader.bind(res);
      res.setHeader = (name, value) => set(name, name === 'X-Frame-Options' ? ['DENY', 'SAMEORIGIN'] : value);
      next();
    };
    const app = await patient({ sandbox, before: (its) => its.use(add) });
    expect((await seenFromOutside(app, service())).findings).toEqual([]);
  });

  const planted: [id: string, mistake: string, AppSetup][] = [
    ['start-not-there', 'a renamed start', { options: { routes: { start: '/begin' } } }],
    ['not-mounted', 'no router', before((app) => app.use((_req, res) => res.status(404).end()))],
    [
      'start-shadowed',
      'the fallback of a single-page app above the router',
      before((app) => app.get(/.*/, (_req, res) => res.send('<div id="app"></div>'))),
    ],
    ['mounted-elsewhere', 'another path in the options', { options: { path: '/verify' } }],
    ['app-url-unknown', 'another origin in appUrl', { options: { appUrl: 'http://localhost:9' } }],
    ['session-missing', 'no session middleware', { session: false }],
    [
      'session-unsupported',
      'cookie-session',
      {
        session: false,
        before: (app) => {
          app.use((req, _res, next) => {
            Object.assign(req, { session: {} });
            next();
          });
        },
      },
    ],
    [
      'body-consumed',
      'a proxy that reads the body',
      before((app) =>
        app.use((req, _res, next) => {
          req.resume().once('end', () => next());
        }),
      ),
    ],
    [
      'callback-forbidden',
      'a CSRF check above the callback',
      callbackBy((res) => res.status(403).send('invalid csrf token')),
    ],
    [
      'guard-above-router',
      'a guard above the router',
      (() => {
        let guard: RequestHandler;
        return {
          before: (app) => app.use((req, res, next) => guard(req, res, next)),
          after: (_app, identity) => {
            guard = identity.require();
          },
        };
      })(),
    ],
    ['callback-missing', 'a renamed route', { options: { routes: { callback: '/cb' } } }],
    [
      'callback-unlike-interface',
      'a page in the place of the callback',
      callbackBy((res) => res.send('Welcome')),
    ],
    [
      'callback-unreachable',
      'a middleware that breaks the connection',
      callbackBy((_res, req) => req.socket.destroy()),
    ],
    [
      'start-blocked',
      'a CSRF check above the start',
      before((app) => app.post('/identity/start', (_req, res) => res.status(403).send('invalid csrf token'))),
    ],
  ];

  it.each(planted)('%s: %s', async (id, _mistake, setup) => {
    const app = await patient({ sandbox, ...setup });
    const { findings } = await seenFromOutside(app, service());
    expect(findings.map((it) => it.id)).toEqual([id]);
  });

  it('headers of the kit that something replaces after it', async () => {
    const late: RequestHandler = (_req, res, next) => {
      const end = res.end.bind(res) as (...args: unknown[]) => typeof res;
      res.end = (...args: unknown[]) => {
        res.set({
          'content-security-policy': "form-action 'self'",
          'referrer-policy': 'no-referrer',
          'cache-control': 'max-age=60',
        });
        return end(...args);
      };
      next();
    };
    const app = await patient({ sandbox, before: (its) => its.use(late) });
    const replaced = ['policy-replaced', 'referrer-policy-replaced', 'page-cached'];
    expect(idsOf(await seenFromOutside(app, service()))).toEqual(replaced);
  });

  it('app-unreachable: nothing listens', async () => {
    const report = await seenFromOutside({ url: `http://127.0.0.1:${await refusingPort()}` }, service());
    expect(idsOf(report)).toEqual(['app-unreachable']);
    expect(report.findings[0]?.observed).toContain('ECONNREFUSED');
  });

  it('app-url-unsafe: http on another machine', async () => {
    const report = await seenFromOutside({ url: 'http://192.0.2.1:9' }, {}, { url: 'http://app.invalid' });
    expect(idsOf(report)).toEqual(['app-url-unsafe', 'app-unreachable']);
  });
});

describe('in the environment and at the service, each of these mistakes is found, and nothing else', () => {
  const answer =
    (status: number, body: object, headers: Record<string, string> = {}): RequestListener =>
    (_req, res) =>
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  const refusal = (error: string): object => ({ success: false, error: { error, error_description: 'No.' } });

  const at = async (listener: RequestListener) => ({ IDENTITY_BASE_URL: await serve(listener) });
  /** A service whose clock is off by so many seconds. */
  const dated = (seconds: number) => ({
    get date() {
      return new Date(Date.now() + seconds * 1000).toUTCString();
    },
  });
  const planted: [id: string, mistake: string, () => object | Promise<object>][] = [
    ['key-refused', 'a wrong key', () => ({ IDENTITY_API_KEY: 'MARKER-wrong-key' })],
    ['account-refused', 'a suspended account', () => at(answer(401, refusal('error_account')))],
    ['service-unlike-interface', 'a page in its place', () => at((_req, res) => res.end('<html>'))],
    [
      'service-unreachable',
      'nothing listens',
      async () => ({ IDENTITY_BASE_URL: `http://127.0.0.1:${await refusingPort()}` }),
    ],
    ['service-address-unsafe', 'plain http', () => ({ IDENTITY_BASE_URL: 'http://service.example' })],
    ['environment-incomplete', 'no issuer', () => ({ IDENTITY_ISSUER: '' })],
    ['sandbox-in-production', 'the sandbox in production', () => ({ NODE_ENV: 'production' })],
    [
      'secrets-equal',
      'one secret for sessions and flows',
      () => ({ IDENTITY_SECRET: 'MARKER of a secret', SESSION_SECRET: 'MARKER of a secret' }),
    ],
    [
      'clock-skewed',
      'a clock that is seven seconds behind',
      () => at(answer(400, refusal('error_missing_parameter'), dated(7))),
    ],
    [
      'clock-skewed',
      'a clock that is seven seconds ahead',
      () => at(answer(400, refusal('error_missing_parameter'), dated(-7))),
    ],
  ];

  it.each(planted)('%s: %s', async (id, _mistake, change) => {
    const app = await patient({ sandbox });
    const report = await seenFromOutside(app, { ...service(), ...(await change()) });
    expect(idsOf(report).toSorted()).toEqual(id === 'service-address-unsafe' ? ['app-url-unsafe', id] : [id]);
    expect(JSON.stringify(report)).not.toContain('MARKER');
  });

  it('the key goes to https, or to this machine, and nowhere else', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((req, res) => {
      asked.push(req.headers.authorization);
      res.writeHead(302, { location: `http://127.0.0.1:${req.socket.localPort}/elsewhere` }).end();
    });
    const app = await patient({ sandbox });
    await seenFromOutside(app, { ...service(), IDENTITY_BASE_URL: url });
    expect(asked).toEqual([`Bearer ${sandbox.options.apiKey}`]); // once: the redirect is not followed
    const { notChecked } = await seenFromOutside(app, {
      ...service(),
      IDENTITY_BASE_URL: 'http://service.example',
    });
    expect(notChecked[0]).toContain('the service and its key');
  });
});

describe('from inside, each of these mistakes is found, and nothing else', () => {
  const https = { options: { appUrl: 'https://shop.example' } };
  const behindProxy = before((app) => app.set('trust proxy', 1));
  const real = memoryStore();
  const own = (more: Partial<FlowStore>): FlowStore => ({
    create: async (...args) => await real.create(...args),
    read: async (id) => await real.read(id),
    replace: async (...args) => await real.replace(...args),
    delete: async (id) => await real.delete(id),
    ...more,
  });
  const anchored = (days: number): AppSetup => {
    const from = Math.round(Date.now() / 1000) - nowSeconds; // validity is told from the moment at which the other tests stand
    const ca = certify({ subject: 'Anchor', isCa: true, notBefore: -86_400, notAfter: from + 86_400 * days });
    const entry = {
      format: 'sd-jwt-vc',
      keys: { x5c: { anchors: [pemOf(ca)] } },
      vct: ['urn:eudi:pid:1'],
      keyBinding: { nonce: 'state-sha256', audience: 'x509_hash:a' },
    };
    return { options: { trust: { ...sandbox.options.trust, 'de-ausweis': entry } } };
  };

  const auto = 'auto' as 'lax'; // its types do not have the word

  const planted: [id: string, mistake: string, () => AppSetup, Record<string, string>?][] = [
    ['cookie-secure-on-http', 'a Secure cookie on http', () => ({ session: { cookie: { secure: true } } })],
    [
      'trust-proxy',
      'https behind a proxy that is not trusted',
      () => ({ ...https, session: { cookie: { secure: true } } }),
    ],
    ['cookie-not-secure', 'https, and a cookie for http too', () => ({ ...https, ...behindProxy })],
    [
      'cookie-without-prefix',
      'a name that any subdomain may set',
      () => ({ ...https, ...behindProxy, session: { cookie: { secure: 'auto' } } }),
    ],
    ['cookie-same-site-auto', "sameSite: 'auto'", () => ({ session: { cookie: { sameSite: auto } } })],
    [
      'cookie-function',
      "a function that returns secure: 'auto'",
      () => ({ session: { cookie: () => ({ secure: 'auto' }) } }),
    ],
    [
      'cookie-function',
      "a function that returns sameSite: 'auto'",
      () => ({ session: { cookie: () => ({ sameSite: auto }) } }),
    ],
    ['session-store-away', 'a session store that fails', () => ({ session: { store: failing() as never } })],
    [
      'sessions-in-memory',
      'sessions in memory in production',
      () => ({ options: { store: own({}), allowSandbox: true } }),
      { NODE_ENV: 'production' },
    ],
    [
      'flows-in-memory',
      'flows in memory in production',
      () => ({ options: { allowSandbox: true } }),
      { NODE_ENV: 'production' },
    ],
    [
      'flow-store-away',
      'a flow store that fails',
      () => ({
        options: {
          store: own({ create: async () => await Promise.reject(new Error('redis://user:MARKER@host')) }),
        },
      }),
    ],
    [
      'flow-store-away',
      'a flow store without compare-and-swap',
      () => ({ options: { store: own({ replace: async () => true }) } }),
    ],
    ['anchor-expired', 'an anchor that has expired', () => anchored(-1)],
    ['anchor-expires-soon', 'an anchor that expires in a week', () => anchored(7)],
    [
      'keys-away',
      'a key server that is away',
      () => ({
        options: {
          trust: {
            'xx-sandbox': {
              ...Object(sandbox.options.trust['xx-sandbox']),
              keys: { jwksUri: `${sandbox.url}/gone.json` },
            },
          },
        },
      }),
    ],
    [
      'body-lost',
      'a parser that leaves an empty object',
      () =>
        before((app) =>
          app.use((req, _res, next) => {
            req.resume().once('end', () => {
              Object.assign(req, { body: {} });
              next();
            });
          }),
        ),
    ],
  ];

  it.each(planted)('%s: %s', async (id, _mistake, setup, env = {}) => {
    const app = await patient({ sandbox, ...setup() });
    const report = await seenFromInside(app, { ...service(), ...env });
    const also = env['NODE_ENV'] === 'production' ? ['sandbox-in-production'] : [];
    const memory = id === 'flows-in-memory' ? ['sessions-in-memory'] : [];
    expect(idsOf(report).toSorted()).toEqual([id, ...also, ...memory].toSorted());
    expect(JSON.stringify(report)).not.toContain('MARKER');
  });

  it.each([
    ['an object', { sameSite: 'lax' }],
    [
      'a function that resolves both words',
      (req: { secure: boolean }) => ({ secure: req.secure, sameSite: 'lax' }),
    ],
  ])('nothing is said of a cookie from %s', async (_what, cookie) => {
    const app = await patient({ sandbox, session: { cookie: cookie as never } });
    expect(await seenFromInside(app, service())).toMatchObject({ findings: [], notChecked: [oneProcess] });
  });

  it('the attributes of the session cookie, and resave, all at once', async () => {
    const cookie = {
      sameSite: 'none',
      domain: '.shop.example',
      partitioned: true,
      maxAge: 60_000,
      httpOnly: false,
    } as const;
    const app = await patient({ sandbox, session: { resave: true, cookie } });
    expect(idsOf(await seenFromInside(app, service()))).toEqual([
      'cookie-same-site-none',
      'cookie-domain',
      'cookie-partitioned',
      'cookie-too-short',
      'cookie-for-scripts',
      'session-revived',
    ]);
  });

  it('an app whose every start has a name: one of them is looked at', async () => {
    const questions = { age: { reveal: ['birth_date'] } };
    const app = await patient({ sandbox, options: { reveal: undefined, questions } });
    expect(await seenFromInside(app, service())).toMatchObject({ findings: [], notChecked: [oneProcess] });
    const { findings } = await seenFromOutside(app, service());
    expect(findings).toEqual([
      expect.objectContaining({
        id: 'start-not-there',
      }),
    ]);
  });

  it('leaves no session and no flow behind', async () => {
    const app = await patient({ sandbox, session: { resave: true } });
    await seenFromInside(app, service());
    expect(Object.keys((app.sessions as unknown as { sessions: object }).sessions)).toEqual([]);
    expect(startsAmong(app.events)).toEqual([]);
  });
});

/** A session store whose server is away, once it is asked to write. */
function failing(): object {
  const { MemoryStore } = session;
  return Object.assign(new MemoryStore(), {
    set: (_id: string, _data: object, done: (error: Error) => void) => done(new Error('redis://MARKER@host')),
  });
}

describe('the command', () => {
  it('prints each finding with its cause and its fix, and ends with 1', async () => {
    const app = await patient({ sandbox, session: false });
    const at = await ran(['doctor', '--url', app.url], 1, { env: service() });
    expect(at.out()).toContain('1 finding at');
    expect(at.out()).toMatch(/session-missing\n {2}There is no session\.\n {2}Cause {2}\S.*\n {2}Fix {4}\S/);
    expect(at.out()).not.toContain(sandbox.options.apiKey);
  });

  it('what could not be looked at is no all-clear: so many parts of four, and exit code 2', async () => {
    const app = await patient({ sandbox });
    const doctor = async (env: Record<string, string>) => {
      const at = terminal({ env });
      return { code: await run(['doctor', '--url', app.url], at), out: at.out() };
    };
    const [two, one] = [await doctor(service()), await doctor({})];
    expect([two.code, one.code]).toEqual([2, 2]);
    expect(two.out).toContain(`Nothing wrong in what I could check (2 of 4 parts) at ${app.url}\n`);
    expect(one.out).toContain('Nothing wrong in what I could check (1 of 4 parts)');
    expect(one.out).toContain(
      '  - who asks: set IDENTITY_ACCESS_CERTIFICATE (the key is not needed here), or of a service IDENTITY_BASE_URL and IDENTITY_API_KEY. Against a sandbox: run npx pidgate sandbox, ',
    );
    expect(two.out).toContain(`its Redirect URL must be ${app.url}/identity/callback\n`);
    expect(one.out).toContain(`  - whether who answers reaches ${app.url}/identity/callback\n`);
    expect(two.out + one.out).not.toContain('No findings');
  });

  it('a page that something else answers is not checked', async () => {
    const app = await patient({
      sandbox,
      before: (it) => it.use('/identity/start', (_req, res) => res.status(503).end('later')),
    });
    const { findings, notChecked } = await seenFromOutside(app, service());
    expect([findings, notChecked[0]]).toEqual([
      [],
      'appUrl and the start page: something before the kit responds with 503',
    ]);
  });

  it('--json: one line, and the same exit code', async () => {
    const app = await patient({ sandbox });
    const at = await ran(['doctor', '--json'], 2, { env: { ...service(), APP_URL: app.url } });
    expect(at.out().trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(at.out())).toEqual({
      address: app.url,
      findings: [],
      notChecked: [expect.any(String), expect.any(String)],
    });
  });

  it('finds nothing where the router is at another path, until that is named', async () => {
    const app = await patient({
      sandbox,
      options: { path: '/verify' },
      after: (it, identity) => it.use('/verify', identity),
    });
    const ids = async (path: string) => idsOf(await seenFromOutside(app, service(), { path }));
    expect([await ids('/identity'), await ids('/verify')]).toEqual([['mounted-elsewhere'], []]);
  });

  it.each([
    [['doctor'], 'doctor needs the address of your app'],
    [['doctor', '--url', 'shop.example'], '--url needs the http or https address'],
    [['doctor', '--path', 'identity', '--url', 'https://a.example'], '--path needs the path'],
    [['doctor', 'server.ts'], 'Unexpected argument "server.ts"'],
    [['doctor', '--entrey', 'a'], "Unknown option '--entrey'"],
  ])('%j: a sentence, exit code 2', async (argv, sentence) => {
    const at = await ran(argv, 2, { env: {} });
    expect(at.err()).toContain(sentence);
  });

  it.each([[['doctor', '--help']], [['doctor', '--version']]])('%j', async (argv) => {
    expect(await run(argv, terminal())).toBe(0);
  });
});

describe('an app that asks wallets itself', () => {
  const shared = walletWorld();
  const patientWith = async (options: object = {}, setup: AppSetup = {}) =>
    await startWalletApp(
      { sandbox: shared.sandbox(), ...setup, options: { ...options } },
      { access: shared.access() },
    );
  const variables = { IDENTITY_ACCESS_KEY: 'a file', IDENTITY_ISSUER: 'de-ausweis' };

  it('has no finding where all is well, and neither flow nor event of it', async () => {
    const app = await patientWith();
    expect(await seenFromInside(app, {})).toMatchObject({ findings: [], notChecked: [oneProcess] });
    const outside = await seenFromOutside(app, variables);
    expect(outside.findings).toEqual([]);
    expect(outside.notChecked).toContain(
      'the access certificate and its key: pass the file that starts the app with --entry',
    );
    expect(app.events).toEqual([]);
  });

  it.each([
    ['a log-in', (res: express.Response): void => res.redirect('/log-in'), 'is answered with 302'],
    [
      'a CSRF check',
      (res: express.Response) => void res.status(403).send('no token'),
      'is answered with 403',
    ],
    ['a catch-all', (res: express.Response) => void res.send('the app'), 'is answered with 200'],
  ])('request-stopped: %s in front of the requests', async (_, answer, seen) => {
    const stop = before((app) => app.use('/identity/request', (_req, res) => answer(res)));
    const { findings } = await seenFromOutside(await patientWith({}, stop), variables);
    expect(findings.map(({ id }) => id)).toEqual(['request-stopped']);
    expect(findings[0]?.observed).toContain(`GET /identity/request ${seen}`);
  });

  it('access-key-wrong: a function that does not sign with the key of the certificate', async () => {
    const { certificate } = shared.access().entry;
    const app = await patientWith({ wallets: { certificate, key: () => Buffer.alloc(64) } });
    expect(idsOf(await seenFromInside(app, {}))).toEqual(['access-key-wrong']);
  });

  it('access-expires-soon: thirty days before its end, and in the last third of a shorter life', async () => {
    const from = Math.round(Date.now() / 1000) - nowSeconds;
    const left = (days: number): number => from + days * 86_400;
    const ca = certify({ subject: 'Access CA', isCa: true, notAfter: left(400) });
    const entryFor = (days: number, old = 300) => {
      const times = { notBefore: left(-old), notAfter: left(days) };
      const shop = certify({ subject: 'Shop', issuer: ca, ...times });
      return { certificate: pemOf(shop), key: shop.keys.privateKey };
    };
    expect(idsOf(await seenFromInside(await patientWith({ wallets: entryFor(29) }), {}))).toEqual([
      'access-expires-soon',
    ]);
    const short = await patientWith({ wallets: entryFor(6, 14) });
    expect(idsOf(await seenFromInside(short, {}))).toEqual(['access-expires-soon']);
    const fresh = await patientWith({ wallets: entryFor(8, 12) });
    expect(idsOf(await seenFromInside(fresh, {}))).toEqual([]);
    const renewed = await patientWith({ wallets: [entryFor(31), entryFor(2)] });
    expect(idsOf(await seenFromInside(renewed, {}))).toEqual([]);
  });
});

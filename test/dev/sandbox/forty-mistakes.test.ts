import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import session, { type SessionOptions } from 'express-session';
import type { CompleteOptions, Sandbox } from '../../../lib/dev/sandbox/index.js';
import { isAtLeast } from '../../../lib/service/is-at-least.js';
import { type Identity, identityWith, openSandbox } from '../../support/app.js';
import { deep } from '../../support/deep.js';
import { inMode } from '../../support/mode.js';

// Forty mistakes that somebody new to pidgate wrote down before trying any. Each that was told stays told.

type Given = Readonly<Record<string, unknown>>;

interface Answer {
  readonly attributes: Readonly<Record<string, string>>;
}

/** An app of one mistake, and all that its developer gets to read. */
interface Bench {
  readonly sandbox: Sandbox;
  readonly options: Given;
  /** The app of the README with these changes. */
  app(change?: Change): Express;
  /** Plays a person through it. */
  walk(app: Express, options?: CompleteOptions): Promise<void>;
  /** Opens a page of it. */
  open(app: Express, path: string, headers?: Record<string, string>): Promise<void>;
}

interface Change {
  readonly options?: Given;
  readonly guard?: unknown;
  readonly session?: Partial<SessionOptions> | false;
  readonly before?: (app: Express) => void;
  readonly mount?: string | false;
  /** In place of the mount, the guard and the page. */
  readonly routes?: (app: Express, identity: Identity) => void;
}

const heard: string[] = [];
const hear = (sentence: unknown): void => void heard.push(String(sentence));

beforeEach(() => {
  heard.length = 0;
  jest.spyOn(process, 'emitWarning').mockImplementation((warning: unknown) => hear(warning));
});
afterEach(() => void jest.restoreAllMocks());

const sessions = (options: Partial<SessionOptions> = {}) =>
  session({ secret: 'only for tests', resave: false, saveUninitialized: false, ...options });

const adult = ({ attributes }: Answer): unknown => ({ adult: isAtLeast(attributes['birth_date'], 18) });
const start = '/identity/start?returnTo=/club';
const show = (_req: Request, res: Response): void => void res.send('in');

const wordsOf = (page: string): string =>
  page
    .replace(/<style>[^]*<\/style>/, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

async function bench(): Promise<Bench> {
  const sandbox = await openSandbox();
  const logger = { error: hear, warn: hear };
  const options = { ...sandbox.options, reveal: ['given_name', 'birth_date'], keep: adult, logger };
  return {
    sandbox,
    options,
    app(change = {}) {
      const app = express();
      app.set('env', 'production'); // Express prints no stack
      change.before?.(app);
      if (change.session !== false) app.use(sessions(change.session));
      const identity = identityWith({ ...options, ...change.options });
      const { mount = '/identity', guard = {}, routes } = change;
      if (routes) routes(app, identity);
      else {
        if (mount !== false) app.use(mount, identity);
        app.get('/club', identity.require(guard as never), show);
      }
      app.get('/', show);
      app.use(((error: Error, _req, res, _next) => {
        hear(error.message);
        res.status(500).end();
      }) satisfies ErrorRequestHandler);
      return app;
    },
    async walk(app, more) {
      const { response, error } = await sandbox.complete(app, { start, ...more });
      hear(`${error} ${response.status} ${wordsOf(await response.text())}`);
    },
    async open(app, path, headers = {}) {
      await sandbox.complete(app, { start: path }).catch(() => undefined); // the app is there from now on
      const page = await fetch(sandbox.options.appUrl + path, {
        headers: { accept: 'text/html', ...headers },
      });
      hear(wordsOf(await page.text()));
    },
  };
}

type Play = (its: Bench) => Promise<void>;

const withOptions =
  (options: Given, guard?: unknown): Play =>
  async (its) =>
    await its.walk(its.app({ options, guard }));
const withGuard = (guard: unknown): Play => withOptions({}, guard);

const toldAtOnce: readonly (readonly [mistake: string, words: string, play: Play])[] = [
  [
    'M01 the router above the session',
    'express-session is mounted below the router: move app.use(session(…)) above',
    async (its) =>
      await its.walk(
        its.app({
          session: false,
          routes: (app, identity) => {
            app.use('/identity', identity);
            app.use(sessions());
          },
        }),
      ),
  ],
  [
    'M02 no session at all',
    'There is no session: mount express-session above the kit',
    async (its) => await its.walk(its.app({ session: false })),
  ],
  [
    'M03 a router at another path than its option says',
    "The kit is mounted at /verify, but its option path is /identity: make them the same, app.use('/identity', identity).",
    async (its) => await its.walk(its.app({ mount: '/verify' }), { start: '/verify/start?returnTo=/club' }),
  ],
  [
    'M04 a router that is not mounted',
    'the router is not at /identity: mount app.use',
    async (its) => await its.walk(its.app({ mount: false })),
  ],
  [
    'M05 a guard that is not called',
    'identity.require makes the guard of a route, so call it: identity.require()',
    async (its) =>
      await its.open(
        its.app({
          routes: (app, its) => void app.get('/club', its['require'] as never, show),
        }),
        '/club',
      ),
  ],
  [
    'M07 keep without a return',
    'do its braces lack a return?',
    withOptions({ keep: (answer: Answer) => void adult(answer) }),
  ],
  [
    'M09 keep returns a Map',
    'keep returned a value that JSON does not preserve',
    withOptions({ keep: () => new Map([['name', 'Erika']]) }),
  ],
  [
    'M10 allow, and no keep',
    'It gets what keep returned (undefined without keep), and the request: allow: (kept, req) => …',
    withOptions({ keep: undefined }, { allow: (kept: { adult: boolean }) => kept.adult }),
  ],
  ['M11 a mistyped attribute', 'Did you mean birth_date?', withOptions({ reveal: ['birthdate'] })],
  [
    'M11 an age by another name',
    'such as age_over_18. Did you mean age_over_18?',
    withOptions({ reveal: ['over_18'] }),
  ],
  [
    'M12 reveal as one word',
    'Option reveal: must be a list of at least one attribute id.',
    withOptions({ reveal: 'birth_date' }),
  ],
  [
    'M13 allow that is async',
    "(it returned object, and this session's kept has adult)",
    withGuard({ allow: async () => await Promise.resolve(true) }),
  ],
  [
    'M14 no allow, and Leon gets in',
    'Neither the question nor the guard of /club has allow, so it admitted somebody whose kept adult is false.',
    async (its) => await its.walk(its.app(), { person: 'minor' }),
  ],
  [
    'M15 onSuccess throws',
    "to refuse a person, onSuccess returns { refuse: 'too_young' }",
    withOptions({
      onSuccess: () => {
        throw new Error('no database');
      },
    }),
  ],
  [
    'M16 onSuccess answers by itself',
    'onSuccess sent a response itself: return { redirectTo } instead.',
    withOptions({ onSuccess: ({ req }: { req: Request }) => req.res?.redirect('/x') }),
  ],
  [
    'M18 onVerified logs in',
    "onVerified failed. It gets { result, context, signal, presentation }. TypeError: Cannot read properties of undefined (reading 'session')",
    withOptions({ onVerified: ({ req }: { req: Request }) => void req.session.id }),
  ],
  [
    'M20 a Secure cookie over http',
    "The session's cookie is Secure, but this page came over http",
    async (its) => await its.open(its.app({ session: { cookie: { secure: true } } }), start),
  ],
  [
    'M21 a proxy that Express does not trust',
    "Express does not trust it, so it treats https as http and the proxy's host as yours: use app.set('trust proxy', 1)",
    async (its) =>
      await its.open(its.app({ session: { cookie: { secure: true } } }), start, {
        'x-forwarded-proto': 'https',
      }),
  ],
  [
    'M23 cookie-session',
    'cookie-session cannot do this): use express-session.',
    async (its) =>
      await its.walk(
        its.app({
          session: false,
          before: (app) =>
            app.use((req, _res, next) => {
              Object.assign(req, { session: { isNew: true } });
              next();
            }),
        }),
      ),
  ],
  ['M27 a duration in words', "such as '30s', '10m', '8h', '30d'", withOptions({ keepFor: '30 days' })],
  ['M27 days without a unit', "30 is in milliseconds. Did you mean '30d'?", withOptions({ keepFor: 30 })],
  [
    'M28 maxAge longer than keepFor',
    'identity.require: maxAge is longer than keepFor of the question default (30 days)',
    withOptions({ keepFor: '30d' }, { maxAge: '90d' }),
  ],
  [
    'M29 a mistyped question',
    'There is no question named agee. Did you mean age?',
    withOptions({ questions: { age: { reveal: ['birth_date'] } } }, { question: 'agee' }),
  ],
  [
    'M30 a guard of no question',
    'identity.require needs the option question',
    withOptions({ reveal: undefined, keep: undefined, questions: { age: { reveal: ['birth_date'] } } }),
  ],
  [
    'M31 no age',
    'isAtLeast: the age must be a whole number of years, such as 18; it was undefined.',
    withOptions({ keep: ({ attributes }: Answer) => (isAtLeast as Loose)(attributes['birth_date']) }),
  ],
  [
    'M31 the age first',
    'the birth date comes first: isAtLeast(attributes.birth_date, 18).',
    withOptions({ keep: ({ attributes }: Answer) => (isAtLeast as Loose)(18, attributes['birth_date']) }),
  ],
  [
    'M32 a date of birth that was not asked for',
    'Put birth_date into the reveal of this question',
    withOptions({ reveal: ['given_name'] }),
  ],
  [
    'M33 returnTo of another site',
    'The address to return to is not a path of this app.',
    async (its) => await its.open(its.app(), '/identity/start?returnTo=https://evil.example/x'),
  ],
  [
    'M35 two factories',
    'a second factory has the path /identity: identityVerification makes one router for the whole app',
    async (its) => {
      its.app();
      its.app();
      await Promise.resolve();
    },
  ],
  [
    'M37 production on a sandbox',
    'trusts a sandbox, which proves nothing: it needs NODE_ENV=development or test',
    async (its) => await inMode('production', () => void its.app()),
  ],
  [
    'M38 started without pidgate dev',
    'For a sandbox on this machine, run the app by: npx pidgate dev <file>.',
    async () => {
      identityWith({ reveal: ['birth_date'] });
      await Promise.resolve();
    },
  ],
  [
    'M39 somebody logs in, and no subject: the log-out leaves the proof to the next one',
    'somebody seems to be logged in (session.userId), and the option subject is missing',
    async (its) =>
      await its.walk(
        its.app({
          routes: (app, identity) => {
            app.use((req, _res, next) => {
              Object.assign(req.session, { userId: 'u1' });
              next();
            });
            app.use('/identity', identity);
            app.get('/club', identity.require(), show);
          },
        }),
      ),
  ],
  [
    'M40 a handler for 404 above the router',
    'above your 404 handler',
    async (its) =>
      await its.walk(
        its.app({ before: (app) => app.use((_req, res) => void res.status(404).send('nothing')) }),
      ),
  ],
];

/** The service calls again and again, which takes seconds. */
const toldSlowly: typeof toldAtOnce = [
  [
    'M24 a limiter on the callback too',
    'The app answered the callback with 429',
    async (its) =>
      await its.walk(
        its.app({ before: (app) => app.post('/identity/callback', (_req, res) => void res.sendStatus(429)) }),
      ),
  ],
  [
    'M26 somebody reads the body first',
    'Another middleware consumed the request body',
    async (its) =>
      await its.walk(
        its.app({
          before: (app) => app.use((req, _res, next) => void req.on('data', () => undefined).on('end', next)),
        }),
      ),
  ],
];

type Loose = (...args: unknown[]) => boolean;

/** What the compiler, another process or a script in a browser is there for: its own test asserts these words. */
const toldElsewhere: readonly (readonly [mistake: string, words: string, file: string])[] = [
  [
    'M06 what was kept, without a guard',
    'possibly undefined where no guard stands',
    'test/types/restrictions.ts',
  ],
  ['M25 a CSRF check above the router', 'something above the router answers', 'test/dev/cli/dev.test.ts'],
  [
    'M34 a script fetches the start',
    'cannot follow it to the wallet: send Accept: application/json',
    'test/dev/sandbox/mistakes.test.ts',
  ],
  [
    'M36 two processes, and flows in memory',
    'or it belongs to another factory or process',
    'test/faults/set-up.test.ts',
  ],
];

/** Nobody tells these: at most three. */
const silent = ['M17 onSuccess sets something in the session after it has returned'];

/** No mistakes: these work. */
const works: readonly (readonly [mistake: string, play: Play])[] = [
  [
    'M08 keep is async',
    withOptions({ keep: async (answer: Answer) => await Promise.resolve(adult(answer)) }),
  ],
  [
    'M19 a cookie that is SameSite=Strict',
    async (its) => await its.walk(its.app({ session: { cookie: { sameSite: 'strict' } } })),
  ],
  [
    'M22 sessions that are stored before they hold anything',
    async (its) => await its.walk(its.app({ session: { saveUninitialized: true } })),
  ],
];

async function expectTold(words: string, play: Play): Promise<void> {
  await inMode('development', async () => {
    const its = await bench();
    await play(its).catch((error: unknown) => hear((error as Error).message));
  });
  expect(heard.join('\n')).toContain(words);
}

describe('the forty mistakes', () => {
  test.each(toldAtOnce)('%s', async (_, words, play) => await expectTold(words, play));

  deep.test.each(toldSlowly)('%s', async (_, words, play) => await expectTold(words, play));

  test.each(toldElsewhere)('%s', (_, words, file) => {
    expect(readFileSync(file, 'utf8')).toContain(words);
  });

  test.each(works)('%s: it works', async (_, play) => {
    await inMode('development', async () => await play(await bench()));
    expect(heard).toEqual(['undefined 200 in']);
  });

  test('are all here, and at most three are silent', () => {
    const named = [...toldAtOnce, ...toldSlowly, ...toldElsewhere, ...works].map(([mistake]) => mistake);
    const numbers = [...named, ...silent].map((mistake) => Number(mistake.slice(1, 3)));
    expect([...new Set(numbers)].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, at) => at + 1),
    );
    expect(silent.length).toBeLessThanOrEqual(3);
  });
});

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ErrorRequestHandler, Express } from 'express';
import { isAtLeast } from '../../../lib/service/is-at-least.js';
import {
  type AppSetup,
  type Identity,
  type Running,
  identityWith,
  openSandbox,
  startApp,
} from '../../support/app.js';
import { inMode } from '../../support/mode.js';

// What a developer new to the kit gets wrong, and is told by an app in development.

let warned: jest.SpiedFunction<typeof process.emitWarning>;
beforeEach(() => {
  warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});
afterEach(() => void jest.restoreAllMocks());

/** Those of the list that were told, by id. */
const ids = (): (string | undefined)[] =>
  told().map((sentence) => /Why: npx pidgate explain ([a-z-]+)$/.exec(sentence)?.[1]);

/** What the app's process was told, without what all apps on a sandbox are. */
const told = (): string[] =>
  warned.mock.calls
    .filter(([, options]) => (options as { code?: string } | undefined)?.code === 'PIDGATE_MISTAKE')
    .map(([sentence]) => `${sentence}`.replace(/^pidgate: /, ''));

const open = async (setup: AppSetup = {}, mode = 'development'): Promise<Running> =>
  await inMode(mode, () => startApp(setup));

/** Opens an app with these options, and walks a verification to its end. */
async function walk(options: Record<string, unknown>, setup: AppSetup = {}): Promise<number> {
  const app = await open({ ...setup, options });
  const { browser, back } = await app.waiting();
  return (await browser.get(back)).status;
}

describe('durations in numbers', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ keepFor: 30 }, "keepFor: 30 is in milliseconds. Did you mean '30d'?"],
    [{ keepFor: 2_592_000 }, "keepFor: 2592000 is in milliseconds, so 2592 seconds. Did you mean '30d'?"],
    [{ flowTtl: 10 }, "flowTtl: 10 is in milliseconds. Did you mean '10m'?"],
    [{ limits: { hookTimeout: 5 } }, "limits.hookTimeout: 5 is in milliseconds. Did you mean '5s'?"],
    [{ limits: { requestTimeout: 10 } }, "limits.requestTimeout: 10 is in milliseconds. Did you mean '10s'?"],
    [
      { questions: { age: { reveal: ['birth_date'], keepFor: { atMost: 30, for: () => 30 } } } },
      "questions.age: keepFor: 30 is in milliseconds. Did you mean '30d'?",
    ],
  ])('%j', async (options, sentence) => {
    await open({ options });
    expect(told()).toEqual([sentence]);
  });

  test('the maxAge of a guard', async () => {
    const { identity } = await open();
    identity.require({ maxAge: 1 });
    identity.require({ maxAge: 300 });
    expect(told()).toEqual([
      "identity.require: maxAge: 1 is in milliseconds. Did you mean '1d'?",
      "identity.require: maxAge: 300 is in milliseconds. Did you mean '300s'?",
    ]);
  });

  test.each([
    { keepFor: 30 * 24 * 3_600_000, flowTtl: 600_000, limits: { hookTimeout: 5_000 } },
    { keepFor: '30d', limits: { hookTimeout: '500ms' } },
    {},
  ])('%j is right', async (options) => {
    await open({ options });
    expect(told()).toEqual([]);
  });

  test('in a test or in production nothing is told', async () => {
    const { sandbox } = await open({ options: { keepFor: 30 } }, 'test');
    const trust = { 'xx-sandbox': sandbox.options.trust['xx-sandbox'] };
    await open({ sandbox, options: { keepFor: 30, trust } }, 'production');
    expect(told()).toEqual([]);
  });
});

describe('habits of Express', () => {
  test('a guard that is not called, and a router that is', async () => {
    const { identity } = await open();
    const { require: uncalled } = identity as unknown as Readonly<
      Record<'require', (...args: unknown[]) => void>
    >;
    expect(() => uncalled({}, {}, () => undefined)).toThrow(
      'identity.require makes the guard of a route, so call it: identity.require(), or identity.require({ … }).',
    );
    expect(() => (identity as unknown as () => void)()).toThrow(
      "identity is the router itself: app.use('/identity', identity), without ().",
    );
  });

  test('a hook with the arguments of a handler', async () => {
    await open({ options: { onSuccess: (_req: unknown, _res: unknown) => undefined } });
    expect(told()).toEqual([
      "onSuccess is called with one object, unlike a handler of Express: write onSuccess: ({ result, req }) => …. To send the browser somewhere, return { redirectTo: '/path' }.",
    ]);
  });

  test('a hook that throws to refuse a person', async () => {
    const onSuccess = () => {
      throw new Error('too young');
    };
    expect(await walk({ onSuccess })).toBe(500);
    expect(told()).toEqual([
      "to refuse a person, onSuccess returns { refuse: 'too_young' }: what it throws counts as a failure.",
    ]);
  });

  test('a hook that a mistake ends, and one that rejects', async () => {
    await walk({ onSuccess: () => undefined!['name' as never] });
    expect(told()).toEqual([]);
    await walk({ onVerified: async () => await Promise.reject(new Error('too young')) }).catch(
      () => undefined,
    );
    expect(told()).toEqual([expect.stringMatching(/^to refuse a person, onVerified returns /)]);
  });

  test('identity.start, and a response beside it', async () => {
    let started: Promise<void> | undefined;
    const app = await open({
      after: (its: Express, identity: Identity) =>
        its.post('/go', (req, res) => {
          started = identity.start(req, res);
          started.catch(() => undefined);
          res.send('x');
        }),
    });
    await app.browser().post(`${app.url}/go`, {});
    await expect(started).rejects.toThrow(
      'identity.start answers the request: await it, and send nothing yourself.',
    );
  });
});

describe('what is lost in silence', () => {
  test('keep without a return', async () => {
    expect(await walk({ keep: () => undefined })).toBe(303);
    expect(told()).toEqual([
      'keep returned nothing, so kept is undefined: do its braces lack a return? Write keep: () => ({ … }).',
    ]);
  });

  test('a context that JSON empties', async () => {
    expect(await walk({ context: () => ({ cart: new Map([['rum', 1]]) }) })).toBe(303);
    expect(told()).toEqual([
      'JSON does not preserve what the option context returned (context.cart): hooks get it empty, or not at all. Return plain objects, lists, texts and numbers.',
    ]);
  });

  test.each(['undefined', 'null'])('a subject that is the text %s', async (subject) => {
    await walk({ subject: () => subject });
    expect(told()).toEqual([
      `subject returned the text '${subject}', the same one for everybody: return undefined where nobody is logged in, and an id where somebody is.`,
    ]);
  });

  test("a subject that is the session's own id", async () => {
    await open({ options: { subject: ({ sessionID }: { sessionID: string }) => sessionID } }).then(
      async (app) => await app.browser().post(`${app.url}/identity/start`),
    );
    expect(told()).toEqual([
      "subject returned the session's id, which changes at each return: return the id of who is logged in, and undefined where nobody is.",
    ]);
  });

  test('a Map that onSuccess puts into the session', async () => {
    const onSuccess = ({ req }: { req: { session: object } }) =>
      void Object.assign(req.session, { cart: { rum: new Map([['one', 1]]) }, at: new Date(), fine: [1] });
    expect(await walk({ onSuccess })).toBe(303);
    expect(told()).toEqual([
      'onSuccess put a value into the session that JSON does not preserve (session.cart.rum): it is missing or empty there. Store plain objects, lists, texts and numbers.',
    ]);
  });

  test('of and a guard after the session has been destroyed', async () => {
    const errors: string[] = [];
    const app = await open({
      after(its, identity) {
        its.post('/leave', (req, _res, next) => void req.session.destroy(() => next()));
        its.post('/leave', (req, res) => void res.send(identity.of(req)));
        its.use(((error: Error, _req, res, _next) => {
          errors.push(error.message);
          res.status(500).end();
        }) satisfies ErrorRequestHandler);
      },
    });
    await app.browser().post(`${app.url}/leave`, {});
    expect(errors).toEqual([
      'The session of this request has ended (req.session.destroy): read what you need of it before.',
    ]);
  });

  test('a framework that is not Express', async () => {
    const { identity } = await open();
    const handle = async (middleware: unknown): Promise<unknown> =>
      await new Promise((resolve) => {
        const req = { method: 'GET', url: '/start', originalUrl: '/identity/start', headers: {} };
        (middleware as (...args: unknown[]) => void)(req, {}, resolve);
      });
    const sentence =
      'This is not Express: the request has no app. In Fastify, use @fastify/express, and not @fastify/middie.';
    for (const middleware of [identity, identity.require()]) {
      expect(await handle(middleware)).toMatchObject({ code: 'config_invalid', message: sentence });
    }
  });

  test('forget that is not awaited', async () => {
    const setup: AppSetup = {
      after(app, identity) {
        app.post('/leave', (req, res) => {
          void identity.forget(req);
          res.end();
        });
        app.post('/leave-well', async (req, res) => {
          await identity.forget(req);
          res.end();
        });
      },
    };
    const app = await open(setup);
    const { browser, back } = await app.waiting();
    await browser.get(back);
    await browser.post(`${app.url}/leave-well`, {});
    expect(told()).toEqual([]);
    await browser.post(`${app.url}/leave`, {});
    await browser.get(`${app.url}/`); // by then it has ended
    expect(told()).toEqual([
      'identity.forget ended after the response had been sent: await it before you respond. What it throws would end the process.',
    ]);
  });

  test('isAtLeast with its arguments in the wrong order', async () => {
    const swapped = isAtLeast as unknown as (years: number, born: string) => boolean;
    expect(() => swapped(18, '1964-08-12')).toThrow(
      'isAtLeast: the birth date comes first: isAtLeast(attributes.birth_date, 18).',
    );
  });

  test.each([
    [{ keepFor: '90d' }, {}, 3_600_000, 'keepFor is 90 days, and the cookie lasts 1 hour'],
    [
      { questions: { age: { reveal: ['birth_date'], keepFor: '2d' } } },
      {},
      3_599_990, // as it is worked out
      'keepFor is 2 days, and the cookie lasts 1 hour',
    ],
    [{}, { maxAge: '4h' }, 3_600_000, 'maxAge of a guard is 4 hours, and the cookie lasts 1 hour'],
    [{}, {}, 3_600_000, undefined], // eight hours is only the default
    [{ keepFor: '1h' }, {}, 3_600_000, undefined],
    [{ keepFor: '30d' }, {}, undefined, undefined], // ends with the browser: nobody knows when
  ] as const)('%j, a guard with %j, and a cookie of %s ms', async (options, require, maxAge, seen) => {
    const app = await open({ options, session: { cookie: { maxAge } } });
    app.identity.require(require);
    for (let visit = 0; visit < 2; visit += 1) await app.browser().get(`${app.url}/identity/start`);
    expect(ids()).toEqual(seen === undefined ? [] : ['cookie-before-kept']);
    expect(told().join()).toContain(seen ?? '');
  });

  test('a clock of numbers', async () => {
    const { options } = await openSandbox();
    const make = () => identityWith({ ...options, reveal: ['given_name'], clock: () => Date.now() });
    await expect(inMode('development', make)).rejects.toThrow(
      'Option clock: the function must return a Date: clock: () => new Date().',
    );
  });
});

describe('circles', () => {
  test('a guard above the router', async () => {
    let guard: ReturnType<Identity['require']> | undefined;
    const app = await open({
      before: (its) => its.use((req, res, next) => (guard ? guard(req, res, next) : next())),
      after: (_its, identity) => {
        guard = identity.require();
      },
    });
    await app.browser().get(`${app.url}/identity/start`);
    expect(ids()).toEqual(['guard-above-router']);
  });

  test('an errorRedirect to a guarded page', async () => {
    const app = await open({
      options: { errorRedirect: '/club' },
      after: (its, identity) => its.get('/club', identity.require(), (_req, res) => void res.send('in')),
    });
    const browser = app.browser();
    await browser.get(`${app.url}/club`);
    expect(told()).toEqual([]);
    await browser.get(`${app.url}/club?error=not_shared`);
    expect(ids()).toEqual(['error-page-guarded']);
  });

  test('two factories at one path, and none at two', async () => {
    const { sandbox, url } = await open();
    const another = async (path: string): Promise<void> => {
      const options = { ...sandbox.options, appUrl: url, path, reveal: ['given_name'] };
      await inMode('development', () => void identityWith(options));
    };
    await another('/other');
    expect(told()).toEqual([]);
    await another('/identity');
    await another('/identity');
    expect(told()).toEqual([
      'a second factory has the path /identity: identityVerification makes one router for the whole app, so call it once, not for each request. Several questions belong into the option questions of one factory; two factories need a path of their own each.',
    ]);
  });

  test('complete, with a page in the place of a start', async () => {
    const app = await open({
      after: (its, identity) => {
        its.get('/club', identity.require(), (_req, res) => void res.send('in'));
        its.get('/open', (_req, res) => void res.send('in'));
      },
    });
    await expect(app.sandbox.complete(app.url, { start: '/club' })).rejects.toThrow(
      "complete: there is no start at /club: POST answered 404. Did you mean start: '/identity/start?returnTo=%2Fclub'?",
    );
    await expect(app.sandbox.complete(app.url, { start: '/open' })).rejects.toThrow(
      "Did you mean start: '/identity/start?returnTo=/open'?",
    );
  });
});

describe('addresses and calls', () => {
  test('an address that the router does not have', async () => {
    const app = await open({ options: { questions: { age: { reveal: ['birth_date'] } } } });
    const browser = app.browser();
    for (const path of ['/identity/begin', '/identity/start/adult', '/identity/start/age', '/elsewhere'])
      await browser.get(app.url + path);
    const own =
      '/identity/start, /identity/callback, /identity/return, /identity/status, and /identity/start/age';
    expect(told()).toEqual([
      `there is nothing at /identity/begin: the addresses of this router are ${own}.`,
      `there is nothing at /identity/start/adult: the addresses of this router are ${own}.`,
    ]);
  });

  test('a router that is mounted elsewhere than its option path says', async () => {
    const app = await open({ options: { path: '/verify' } });
    await app.browser().get(`${app.url}/verify/start`);
    expect(ids()).toEqual(['not-mounted']);
  });

  test('a script that fetches the start, and one that asks for JSON', async () => {
    const app = await open();
    const script = { accept: '*/*', 'sec-fetch-dest': 'empty' };
    const post = async (more: Record<string, string>) =>
      (await app.browser().post(`${app.url}/identity/start`, {}, { ...script, ...more })).status;
    expect(await post({ accept: 'application/json' })).toBe(200);
    expect(told()).toEqual([]);
    expect(await post({})).toBe(303);
    expect(told()).toEqual([
      'a script fetched POST /identity/start, and cannot follow it to the wallet: send Accept: application/json, and set location to the redirectUrl of the reply.',
    ]);
  });

  test('keep that returns all of the result', async () => {
    expect(await walk({ keep: (result: unknown) => result })).toBe(303);
    expect(told()).toEqual([
      'keep returned the whole result, so the session holds every attribute: return what your pages need, such as { name: attributes.given_name }.',
    ]);
  });

  test('of and forget without a request', async () => {
    const { identity } = await open();
    const { of, forget } = identity as unknown as Readonly<Record<'of' | 'forget', () => unknown>>;
    expect(() => of()).toThrow('identity.of needs the request: identity.of(req).');
    expect(() => forget()).toThrow('identity.forget needs the request: identity.forget(req).');
  });

  test('identity.busy, called where a limiter wants the handler', async () => {
    const { identity } = await open();
    expect(() => (identity.busy as () => void)()).toThrow(
      'identity.busy is a handler itself: write handler: identity.busy, without ().',
    );
  });
});

describe('two apps with two sandboxes in one process', () => {
  const nothing = async (app: Running): Promise<number> =>
    (await app.browser().get(`${app.url}/identity/nothing`)).status;
  const asking = async (name: string): Promise<Running> =>
    await open({ options: { questions: { [name]: { reveal: ['given_name'] } } } });

  test('the same mistake is told once to each', async () => {
    const [one, another] = [
      await open({ options: { keepFor: 30 } }),
      await open({ options: { keepFor: 30 } }),
    ];
    expect(one.sandbox.url).not.toBe(another.sandbox.url);
    const sentence = "keepFor: 30 is in milliseconds. Did you mean '30d'?";
    expect(told()).toEqual([sentence, sentence]);
  });

  test('what one of them answers is told of that one, and no more when its sandbox is closed', async () => {
    const [one, another] = [await asking('one'), await asking('another')];
    const sentence = (name: string): unknown =>
      expect.stringMatching(`^there is nothing at /identity/nothing: .*/identity/start/${name}\\.$`);
    expect([await nothing(one), await nothing(one), told()]).toEqual([404, 404, [sentence('one')]]);
    await one.sandbox.close();
    expect([await nothing(one), told()]).toEqual([404, [sentence('one')]]);
    await nothing(another);
    expect(told()).toEqual([sentence('one'), sentence('another')]);
  });
});

import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { ErrorRequestHandler, Request } from 'express';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { memoryStore } from '../../lib/index.js';
import { type Service } from '../service/service.js';
import { type AppSetup, startApp, testClock, throws } from '../support/app.js';
import { type Asked, startAsking, wallet } from '../support/asked-service.js';
import { listen } from '../support/lines.js';
import { inMode } from '../support/mode.js';
import { unhandledIn } from '../support/unhandled.js';
import { decide } from '../support/wallet.js';

/** There the page says what is wrong with the app. */
const openInDevelopment = async (setup: AppSetup): Promise<Asked> =>
  await inMode('development', async () => await startAsking(setup));

const asked = ({ seen }: Service): Record<string, unknown> =>
  JSON.parse(seen.at(-1)?.body ?? '{}') as Record<string, unknown>;
const json = { accept: 'application/json' };

test('a link to a route that calls identity.start: the page leads to the start, and the log says how', async () => {
  const lines: string[] = [];
  const app = await openInDevelopment({
    options: {
      logger: { error: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) },
    },
    after: (its, identity) =>
      its.get('/go', async (req, res) => await identity.start(req, res, { returnTo: '/club' })),
  });
  const sentence =
    "identity.start needs a POST: app.post('/go', …) with a form. For a link, use /identity/start?returnTo=/club.";
  for (let times = 0; times < 2; times += 1) {
    const page = await app.browser().get(`${app.url}/go`);
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'POST']);
    expect(page.text.replaceAll('&#39;', "'")).toContain(sentence);
    expect(page.text).toContain('href="/identity/start?returnTo=%2Fclub"');
  }
  expect(lines).toEqual([`pidgate: ${sentence}`]);
  expect(app.service.seen).toEqual([]);
});

test('where the start route is left out, the log names none', async () => {
  const { lines, logger } = listen();
  const app = await startAsking({
    options: { logger, routes: { start: false } },
    after: (its, identity) => its.get('/go', async (req, res) => await identity.start(req, res)),
  });
  expect((await app.browser().get(`${app.url}/go`)).status).toBe(405);
  expect(lines).toEqual(["warn pidgate: identity.start needs a POST: app.post('/go', …) with a form."]);
});

describe('POST /start', () => {
  test('sends what the interface wants, with a new state each time', async () => {
    const app = await startAsking({ options: { reveal: ['given_name'], derived: { nationality: 'DE' } } });
    const states = [];
    for (let starts = 0; starts < 2; starts += 1) {
      await app.start(app.browser());
      const { state, ...rest } = asked(app.service);
      expect(rest).toEqual({
        issuer: 'xx-sandbox',
        revealed: ['given_name'],
        same_device: false,
        derived: { nationality: 'DE' },
      });
      expect(state).toMatch(/^[\w-]{43}$/);
      states.push(state);
    }
    expect(new Set(states).size).toBe(2);
  });

  test('sends no derived in the base variant', async () => {
    const app = await startAsking({ options: { variant: 'base' } });
    await app.start(app.browser());
    expect(Object.keys(asked(app.service))).not.toContain('derived');
  });

  test.each([
    'application/json',
    'application/json, text/plain, */*',
    'application/json;q=0.9, text/html;q=0.1',
  ])('Accept: %s gets JSON', async (accept) => {
    const clock = testClock();
    const app = await startAsking({ options: { clock } });
    const shown = await app.browser().post(`${app.url}/identity/start`, {}, { accept });
    const expiresAt = new Date(clock().getTime() + 600_000).toISOString();
    expect(shown.status).toBe(200);
    expect(shown.json()).toEqual({ redirectUrl: wallet, flowId: app.store.created[0], expiresAt });
    expect(shown.text).not.toContain(asked(app.service)['state']);
    expect(shown.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', '?form=kit'],
    ['text/html, application/json', '?form=kit'],
    ['*/*', ''],
    ['', ''],
  ])('Accept: %s at the address %j gets a redirect', async (accept, query) => {
    const app = await startAsking();
    const shown = await app.browser().post(`${app.url}/identity/start${query}`, {}, { accept });
    expect([shown.status, shown.location]).toEqual([303, wallet]);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test.each(['', '?form=', '?form=KIT', '?form=kit&form=kit', '?kit=form'])(
    'a form of the app, as at %j, gets a page that goes to the wallet by itself',
    async (query) => {
      const app = await startAsking({ options: { pages: { render: () => 'not for this one' } } });
      const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
      const browser = app.browser();
      const sent = { accept, 'upgrade-insecure-requests': '1' };
      const shown = await browser.post(`${app.url}/identity/start${query}`, {}, sent);
      expect([shown.status, shown.location]).toEqual([200, undefined]);
      expect(shown.text).toContain(`<meta http-equiv="refresh" content="0;url=${wallet}" />`);
      expect(shown.text).toContain(`<a class="button" href="${wallet}">Continue to my wallet</a>`);
      expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
      expect(shown.headers.get('content-security-policy')).not.toContain('form-action');
      expect(shown.headers.get('cache-control')).toBe('no-store');
      expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
      expect(browser.cookies.size).toBe(1);
    },
  );

  test.each([
    ['a program, even one that accepts only HTML', { accept: 'text/html' }, 303],
    ['a script of the page', { accept: 'text/html', 'sec-fetch-mode': 'cors' }, 303],
    ['a script of an old browser', { accept: '*/*', 'user-agent': 'Mozilla/5.0 (Macintosh)' }, 303],
    ['a browser', { accept: 'text/html', 'sec-fetch-mode': 'navigate' }, 200],
    ['a Safari before 16.4', { accept: 'text/html,*/*;q=0.8', 'user-agent': 'Mozilla/5.0 (Macintosh)' }, 200],
  ])('what a form gets from %s', async (_, headers, status) => {
    const app = await startAsking({});
    const post = request(app.url).post('/identity/start').set('Origin', app.url);
    expect((await post.set(headers)).status).toBe(status);
  });

  test('named questions: each asks for its own, and shows its own page', async () => {
    const app = await startAsking({
      options: {
        purpose: 'To know your name.',
        questions: {
          age: { reveal: ['birth_date'], purpose: 'To know your age.' },
          'of-DE': { reveal: ['family_name'], derived: { nationality: 'DE' } },
        },
      },
    });
    const browser = app.browser();
    const pages = [];
    for (const name of ['', '/age', '/of-DE']) {
      const { text } = await browser.get(`${app.url}/identity/start${name}`);
      await browser.post(`${app.url}/identity/start${name}`);
      const { revealed, derived } = asked(app.service);
      pages.push([/<p class="lead">\s*(.*?)\s*<\/p>/s.exec(text)?.[1], revealed, derived]);
    }
    expect(pages).toEqual([
      ['To know your name.', ['given_name', 'birth_date'], {}],
      ['To know your age.', ['birth_date'], {}],
      [
        expect.stringMatching(/^127\.0\.0\.1:\d+ asks for proof from your identity wallet\.$/),
        ['family_name'],
        { nationality: 'DE' },
      ],
    ]);
    expect(app.events.map(({ type, question }) => [type, question])).toEqual(
      ['default', 'age', 'of-DE'].map((name) => ['flow.started', name]),
    );
  });

  test('the form of its page keeps what the address says beside the words of the kit', async () => {
    const formOf = (page: string): string =>
      /<form method="post" action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const app = await startAsking({
      after: (its, identity) => {
        its.post('/rent', (req, res) => identity.start(req, res));
      },
    });
    const plain = await app.browser().get(`${app.url}/identity/start`);
    expect(formOf(plain.text)).toBe('/identity/start?form=kit');
    const page = await app.browser().get(`${app.url}/identity/start?platform=web&form=kits&myreason=x`);
    expect(formOf(page.text)).toBe('/identity/start?platform=web&myreason=x&form=kit');
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    const own = await app.browser().post(`${app.url}/rent?form=kits&form=kit&size=2`, {}, elsewhere);
    expect(formOf(own.text)).toBe('/rent?form=kits&size=2&form=kit');
  });

  test('an old browser that sends no Accept is redirected to the wallet', async () => {
    const app = await startAsking();
    const headers = { 'user-agent': 'Mozilla/5.0', 'sec-fetch-site': 'same-origin' };
    const asking = httpRequest(`${app.url}/identity/start`, { method: 'POST', headers }).end();
    const [reply] = (await once(asking, 'response')) as [IncomingMessage];
    reply.resume();
    expect([reply.statusCode, reply.headers.location]).toEqual([303, wallet]);
  });

  test('a form that is no form is refused, and nothing starts', async () => {
    const app = await startAsking();
    const form = 'application/x-www-form-urlencoded';
    const post = async (body: string, type = form): Promise<unknown[]> => {
      const headers = { 'sec-fetch-site': 'same-origin', 'content-type': type, ...json };
      const init = { method: 'POST', redirect: 'manual', headers, body } as const;
      const reply = await fetch(`${app.url}/identity/start`, init);
      return [reply.status, ((await reply.json()) as { error?: string }).error];
    };
    expect(await post('returnTo=%zz')).toEqual([400, 'callback_malformed']);
    expect(await post('returnTo=/a&returnTo=/b')).toEqual([400, 'callback_malformed']);
    expect(await post(`returnTo=${'a'.repeat(20_000)}`)).toEqual([413, 'callback_too_large']);
    expect([app.service.seen, app.store.created]).toEqual([[], []]);
    // What is no form at all carries no returnTo.
    expect(await post('{"returnTo":"//evil.example"}', 'application/json')).toEqual([200, undefined]);
  });
});

describe('limits of the start', () => {
  test('a full store is 503 with Retry-After', async () => {
    const app = await startAsking({ options: { store: memoryStore({ max: 1 }) } });
    await app.start(app.browser());
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect([shown.status, shown.headers.get('retry-after')]).toEqual([503, '1']);
    expect(shown.text).toContain('<code>store_full</code>');
    expect(app.service.seen).toHaveLength(1);
  });

  test('a context past limits.contextBytes ends in config_invalid before anything is stored', async () => {
    let context: unknown = 'x'.repeat(98);
    const app = await startAsking({ options: { context: () => context, limits: { contextBytes: 100 } } });
    await app.start(app.browser());
    context = 'x'.repeat(99);
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect([shown.status, shown.text.includes('<code>config_invalid</code>')]).toEqual([500, true]);
    expect(shown.headers.get('retry-after')).toBeNull(); // that cannot help
    context = 'ä'.repeat(50); // bytes, not characters
    expect((await app.browser().post(`${app.url}/identity/start`)).status).toBe(500);
    expect(app.told).toEqual([]);
    expect(app.events.map(({ code }) => code)).toEqual([undefined, 'config_invalid', 'config_invalid']);
    expect(app.store.created).toHaveLength(1);
  });
});

describe('the functions of the app', () => {
  const functions = ['subject', 'context', 'sameDevice'];

  test.each(functions)('%s that throws is hook_failed, and named in development', async (option) => {
    const app = await openInDevelopment({ options: { [option]: throws() } });
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect([shown.status, shown.text.includes('<code>hook_failed</code>')]).toEqual([500, true]);
    expect(shown.text).not.toContain('marker');
    expect(shown.text).toContain(`Option ${option}: the function failed.`);
    expect(app.told).toEqual([]);
    expect(app.events).toMatchObject([{ type: 'start.failed', code: 'hook_failed' }]);
    expect([app.service.seen, app.store.created]).toEqual([[], []]);
  });

  const noSubject =
    'Option subject: the function must return a string, or undefined if no one is logged in (an id that is a number: String(id)).';
  const noBoolean = 'Option sameDevice: the function must return true or false.';
  const noValue = 'Option context: the function must return its value itself, not a Promise.';
  const late = 'It returned a promise: await it in middleware above the router.';
  const noJson =
    'The context is not serializable as JSON. Return plain data from the option context, or pass plain data to identity.start.';
  const wrong: [string, unknown, string][] = [
    ['subject', 7, `${noSubject} It returned a value of type number.`],
    ['subject', '', `${noSubject} It returned &quot;&quot;.`],
    ['subject', null, `${noSubject} It returned null.`],
    ['subject', { id: 7 }, `${noSubject} It returned a value of type object.`],
    ['subject', Promise.resolve('erika'), `${noSubject} ${late}`],
    ['sameDevice', Promise.resolve(true), `${noBoolean} ${late}`],
    ['sameDevice', 1, `${noBoolean} It returned a value of type number.`],
    ['sameDevice', 'yes', `${noBoolean} It returned a value of type string.`],
    ['context', Promise.resolve({}), `${noValue} ${late}`],
    ['context', 7n, noJson],
    ['context', () => 7, noJson],
  ];

  test.each(wrong)('%s that answers %p is named, and nothing starts', async (option, answer, message) => {
    const app = await openInDevelopment({ options: { [option]: () => answer } });
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect([shown.status, shown.text.includes(message)]).toEqual([500, true]);
    expect(app.events).toMatchObject([{ type: 'start.failed', code: 'config_invalid' }]);
    expect([app.service.seen, app.store.created]).toEqual([[], []]);
  });

  test.each(functions)(
    'a %s that is async by mistake, and fails, does not end the process',
    async (option) => {
      const options = { [option]: async () => await Promise.reject(new Error('marker')) };
      const unhandled = await unhandledIn(async () => {
        const app = await startAsking({ options });
        const shown = await app.browser().post(`${app.url}/identity/start`);
        expect([shown.status, shown.text.includes('<code>config_invalid</code>')]).toEqual([500, true]);
      });
      expect(unhandled).toEqual([]);
    },
  );

  test.each([
    ['auto', { 'sec-ch-ua-mobile': '?1' }, true],
    ['auto', { 'sec-ch-ua-mobile': '?0', 'user-agent': 'iPhone' }, false],
    ['auto', { 'sec-ch-ua-mobile': 'yes', 'user-agent': 'iPhone' }, true],
    ['auto', { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148' }, true],
    ['auto', { 'user-agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0' }, true],
    ['auto', { 'user-agent': 'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15' }, true],
    ['auto', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36' }, false],
    ['auto', { 'user-agent': 'automobile-club/1.0' }, false],
    ['auto', {}, false],
    [true, {}, true],
    [false, { 'sec-ch-ua-mobile': '?1' }, false],
    [(req: Request) => req.get('x-phone') === 'yes', { 'x-phone': 'yes' }, true],
    [(req: Request) => req.get('x-phone') === 'yes', {}, false],
  ])('sameDevice %p with %j asks for same_device %p', async (sameDevice, headers, expected) => {
    const app = await startAsking({ options: { sameDevice } });
    await app.browser().post(`${app.url}/identity/start`, {}, headers as Record<string, string>);
    expect(asked(app.service)['same_device']).toBe(expected);
  });
});

describe('identity.start', () => {
  const own: AppSetup = {
    options: { questions: { age: { reveal: ['birth_date'] } }, context: () => 'of the option' },
  };
  const route =
    (overrides?: unknown): NonNullable<AppSetup['after']> =>
    (its, identity) => {
      its.post('/verify/:question', async (req, res) => await identity.start(req, res, overrides as never));
    };

  test('takes its overrides, and answers the request as the route does', async () => {
    const hooks: unknown[] = [];
    const app = await startApp({
      ...own,
      options: {
        ...own.options,
        onSuccess: ({ result, context }: Record<string, unknown>) => void hooks.push([result, context]),
      },
      after: route({ question: 'age', returnTo: '/done', sameDevice: true, context: { order: 7 } }),
    });
    const browser = app.browser();
    const shown = await browser.post(`${app.url}/verify/whatever?form=kit`);
    expect(shown.status).toBe(303);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    const done = await browser.get(await decide(shown.location ?? '', 'approve'));
    expect([done.status, done.location]).toEqual([303, `${app.url}/done`]);
    expect(hooks).toMatchObject([
      [{ question: 'age', attributes: { birth_date: '1964-08-12' } }, { order: 7 }],
    ]);
  });

  test('without overrides it is the question without a name, whatever the route calls its parameters', async () => {
    const app = await startAsking({ ...own, after: route() });
    expect((await app.browser().post(`${app.url}/verify/age`, {}, json)).status).toBe(200);
    expect(asked(app.service)).toMatchObject({ revealed: ['given_name', 'birth_date'] });
  });

  test('what is undefined in the overrides is absent', async () => {
    const contexts: unknown[] = [];
    const app = await startAsking({
      ...own,
      options: {
        ...own.options,
        onError: ({ context }: { context: unknown }) => void contexts.push(context),
      },
      after: route({ question: undefined, returnTo: undefined, sameDevice: undefined, context: undefined }),
    });
    app.service.answers((res) => void res.destroy());
    await app.browser().post(`${app.url}/verify/x`);
    expect(contexts).toEqual(['of the option']);
  });

  test.each<[object, string]>([
    [{ returnto: '/club' }, 'Unknown option returnto of identity.start. Did you mean returnTo?'],
    [{ sameDevice: 'yes' }, 'identity.start: sameDevice must be true or false.'],
    [['/club'], 'The options of identity.start must be an object.'],
  ])('%j is refused, and in development the page says why', async (overrides, message) => {
    const app = await openInDevelopment({ ...own, after: route(overrides) });
    const shown = await app.browser().post(`${app.url}/verify/x`);
    expect([shown.status, shown.text.includes(message)]).toEqual([500, true]);
    expect(app.service.seen).toEqual([]);
  });

  test('a fault that is not of the kit goes to the app as it is', async () => {
    const thrown: unknown[] = [];
    const failed: ErrorRequestHandler = (error, _req, res, _next) => {
      thrown.push(error);
      res.status(500).end();
    };
    let isBroken = true;
    const clock = (): Date => {
      if (!isBroken) return new Date();
      isBroken = false; // the log asks for the time, too
      throw new RangeError('the clock is broken');
    };
    const app = await startAsking({
      options: { clock },
      after: (its, identity) => {
        its.post('/verify', (req, res, next) => void identity.start(req, res).catch(next));
        its.use(failed);
      },
    });
    for (const path of ['/verify', '/identity/start']) {
      isBroken = true;
      await app.browser().post(`${app.url}${path}`);
    }
    expect(thrown).toMatchObject([{ message: 'the clock is broken' }, { message: 'the clock is broken' }]);
  });
});

describe("confirm: 'callback'", () => {
  test('onSuccess runs in the callback, and nothing enters the session: require, of and forget say so', async () => {
    const hooks: unknown[] = [];
    const app = await startApp({
      options: {
        confirm: 'callback',
        keptAs: 'Whether you are 18 or over',
        successRedirect: '/thanks',
        onSuccess: (args: object) => void hooks.push(Object.keys(args).toSorted()),
      },
    });
    const browser = app.browser();
    const shown = await browser.get(`${app.url}/identity/start`);
    expect(shown.text).toMatch(/What is stored<.*Whether you are 18 or over/s);
    expect(shown.text).not.toMatch(/We store|receipt/);
    expect(await app.toReturn(browser)).toBe(`${app.url}/thanks`);
    expect(hooks).toEqual([['context', 'result', 'signal']]);
    const message =
      "With the option confirm: 'callback' nothing is stored in the session, so there is nothing to read. Remove that option to use this function.";
    const refusal = { code: 'config_invalid', message };
    const request = {} as Request;
    expect(() => app.identity.require()).toThrow(expect.objectContaining(refusal));
    expect(() => app.identity.of(request)).toThrow(expect.objectContaining(refusal));
    await expect(app.identity.forget(request)).rejects.toMatchObject(refusal);
  });
});

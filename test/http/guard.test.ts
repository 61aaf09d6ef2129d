import { createServer } from 'node:http';
import type { Express, NextFunction, Request, Response } from 'express';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import {
  type AppSetup,
  type Identity,
  type Running,
  openSandbox,
  startApp,
  testClock,
  throws,
} from '../support/app.js';
import type { Browser } from '../support/browser.js';
import { closeAfter } from '../support/close-after.js';
import { listen } from '../support/lines.js';
import { closeServer, listenOn } from '../support/listen.js';
import { inMode } from '../support/mode.js';
import { decide } from '../support/wallet.js';
import { openedSessions } from '../support/sealed.js';

const day = 24 * 3_600_000;
const json = { accept: 'application/json' };

/** What of a person lies in the sessions of the app. */
function kept(app: Running): string[] {
  const text = openedSessions(app);
  return ['Erika', '1964-08-12'].filter((value) => text.includes(value));
}

describe('the guard', () => {
  const clock = testClock();
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox({ clock });
  });

  async function open(setup: AppSetup = {}, guarded?: (app: Express, identity: Identity) => void) {
    const app = await startApp({
      sandbox,
      ...setup,
      options: {
        keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name,
        keepFor: '365d',
        clock,
        questions: {
          age: {
            reveal: ['birth_date'],
            keep: ({ attributes }: { attributes: { birth_date: string } }) => attributes.birth_date,
          },
        },
        ...setup.options,
      },
      before: (its) => {
        its.post('/in/:user', (req, res) => {
          (req.session as unknown as { user: string }).user = req.params.user;
          res.end();
        });
        its.post('/out', (req, res) => {
          delete (req.session as unknown as { user?: string }).user;
          res.end();
        });
        setup.before?.(its);
      },
      after: (its, identity) => {
        its.all('/club', identity.require(), (req, res) => void res.json(identity.of(req)));
        its.all(
          '/recent',
          identity.require({ maxAge: '30d' }),
          (req, res) => void res.json(identity.of(req)),
        );
        its.all('/age', identity.require({ question: 'age' }), (req, res) => {
          res.json(identity.of(req, { question: 'age' }));
        });
        its.get('/of', (req, res) => {
          res.json([identity.of(req)?.kept ?? null, identity.of(req, { question: 'age' })?.kept ?? null]);
        });
        its.post('/forget', async (req, res) => {
          await identity.forget(req);
          res.end('forgotten');
        });
        guarded?.(its, identity);
      },
    });
    sandbox.redirectUrl = `${app.url}/identity/callback`;
    const verify = async (browser: Browser, name = ''): Promise<void> => {
      const { location = '' } = await browser.post(`${app.url}/identity/start${name}`);
      expect((await browser.get(await decide(location, 'approve'))).status).toBe(303);
    };
    return { app, verify, browser: app.browser() };
  }

  test('without an identity a page is led to the start, and back to where it was going', async () => {
    const { app, browser } = await open();
    const shown = await browser.get(`${app.url}/club?seat=1&next=//x`);
    expect([shown.status, shown.location]).toEqual([
      303,
      '/identity/start?returnTo=%2Fclub%3Fseat%3D1%26next%3D%2F%2Fx',
    ]);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect((await browser.get(`${app.url}/age`)).location).toBe('/identity/start/age?returnTo=%2Fage');
    expect((await browser.get(`${app.url}${shown.location}`)).status).toBe(200);
  });

  test.each(['development', 'test'])('in mode %s a guard without allow that admits a no', async (mode) => {
    const { lines, logger } = listen();
    const options = { logger, keep: () => ({ adult: false, name: 'Leon' }) };
    const add = (its: Express, identity: Identity): void => {
      its.get('/pub', identity.require({ allow: () => true }), (_req, res) => void res.send('Welcome'));
      its.use('/bar', identity.require(), (_req, res) => void res.send('Welcome'));
      its.use(identity.require(), (_req, res) => void res.send('Welcome'));
    };
    const { app, browser, verify } = await inMode(mode, () => open({ options }, add));
    await verify(browser);
    for (const path of ['/club', '/pub', '/club', '/bar', '/elsewhere']) {
      expect((await browser.get(app.url + path)).status).toBe(200);
    }
    const told = (where: string): string =>
      `warn pidgate: Neither the question nor the guard of ${where} has allow, so it admitted somebody whose kept adult is ` +
      'false. If that should not be, write allow: (kept) => kept.adult after keep in the question, or for this page alone ' +
      'identity.require({ allow: (kept) => kept.adult }).';
    expect(lines).toEqual(mode === 'development' ? ['/club', '/bar', 'a page'].map(told) : []);
  });

  test.each(['//club', `/club?${'a'.repeat(2_000)}`, '/club/%5c..'])(
    'an address that nobody could be sent back to is left out',
    async (path) => {
      const { app } = await open({}, (its, identity) => its.use(identity.require()));
      const reply = await fetch(`${app.url}${path}`, {
        redirect: 'manual',
        headers: { accept: 'text/html' },
      });
      expect([reply.status, reply.headers.get('location')]).toEqual([303, '/identity/start']);
    },
  );

  test.each([
    ['GET', json],
    ['GET', { accept: '*/*' }],
    ['GET', { accept: 'application/json, text/html;q=0.9' }],
    ['GET', { accept: 'image/png' }],
    ['POST', { accept: 'text/html' }],
    ['PUT', { accept: 'text/html' }],
  ])('%s with %j is answered 401 as JSON', async (method, headers) => {
    const { app } = await open();
    const reply = await fetch(`${app.url}/age`, { method, redirect: 'manual', headers });
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([401, 'no-store']);
    expect(await reply.json()).toEqual({
      error: 'identity_required',
      error_description: 'A verified identity is required.',
      start: '/identity/start/age',
    });
  });

  test('HEAD has no body, where Node refuses one too, and the length is its own, whatever was set before', async () => {
    const { app } = await open({
      before: (its) =>
        its.use((_req, res, next) => {
          res.set('Content-Length', '2');
          next();
        }),
    });
    const strict = createServer({ rejectNonStandardBodyWrites: true }, app.app);
    closeAfter(async () => await closeServer(strict));
    const url = await listenOn(strict);
    const { length } = await (await fetch(`${url}/age`, { headers: json })).text();
    const reply = await fetch(`${url}/age`, { method: 'HEAD', headers: json });
    expect([reply.status, reply.headers.get('content-length')]).toEqual([401, `${length}`]);
    expect(length).toBeGreaterThan(2);
  });

  test('where the start route is left out, there is nothing to lead to', async () => {
    const { app, browser } = await open({ options: { routes: { start: false } } });
    const shown = await browser.get(`${app.url}/club`);
    expect([shown.status, shown.json()]).toEqual([
      401,
      { error: 'identity_required', error_description: 'A verified identity is required.' },
    ]);
  });

  test('with one it opens, and of() tells the facts and what was kept', async () => {
    const { app, browser, verify } = await open();
    await verify(browser);
    const shown = await browser.get(`${app.url}/club`);
    expect(shown.json()).toEqual({
      issuer: 'xx-sandbox',
      sandbox: true,
      verifiedAt: clock().toISOString(),
      receipt: {
        id: expect.stringMatching(/^[\w-]{22}$/),
        number: expect.stringMatching(/^[\dA-Z]{4}-[\dA-Z]{4}$/),
      },
      kept: 'Erika',
    });
    expect(shown.headers.get('cache-control')).toBeNull();
    expect((await app.browser().get(`${app.url}/club`)).status).toBe(303); // nobody else's
  });

  test('maxAge: at the age it is open, a moment later it is stale', async () => {
    const { app, browser, verify } = await open();
    await verify(browser);
    clock.forward(30 * day);
    expect((await browser.get(`${app.url}/recent`)).status).toBe(200);
    clock.forward(1);
    const stale = await browser.get(`${app.url}/recent`, json);
    expect([stale.status, stale.json()]).toEqual([
      401,
      {
        error: 'identity_stale',
        error_description: 'An identity that was verified more recently is required.',
        start: '/identity/start?reason=stale',
      },
    ]);
    expect((await browser.get(`${app.url}/recent`)).location).toBe(
      '/identity/start?returnTo=%2Frecent&reason=stale',
    );
    expect((await browser.get(`${app.url}/club`)).status).toBe(200); // old, but it asks for no age
    await verify(browser);
    expect((await browser.get(`${app.url}/recent`)).status).toBe(200);
  });

  test('named slots: one for each question, and none stands in for another', async () => {
    const { app, browser, verify } = await open();
    await verify(browser, '/age');
    expect((await browser.get(`${app.url}/age`)).json()).toMatchObject({ kept: '1964-08-12' });
    expect((await browser.get(`${app.url}/club`)).status).toBe(303);
    expect((await browser.get(`${app.url}/of`)).json()).toEqual([null, '1964-08-12']);
    await verify(browser);
    expect((await browser.get(`${app.url}/of`)).json()).toEqual(['Erika', '1964-08-12']);
  });

  test('F36 past keepFor of() returns undefined, and nothing is written before the next start', async () => {
    const { app, browser, verify } = await open({ options: { keepFor: '8h' } });
    await verify(browser);
    await verify(browser, '/age');
    clock.forward(8 * 3_600_000 - 1);
    expect((await browser.get(`${app.url}/of`)).json()).toEqual(['Erika', '1964-08-12']);
    clock.forward(1);
    expect((await browser.get(`${app.url}/of`)).json()).toEqual([null, null]);
    expect((await browser.get(`${app.url}/club`, json)).json()).toMatchObject({ error: 'identity_required' });
    expect((await browser.get(`${app.url}/club`)).location).toBe('/identity/start?returnTo=%2Fclub');
    expect(kept(app)).toEqual(['Erika', '1964-08-12']);
    await browser.post(`${app.url}/identity/start`);
    expect(kept(app)).toEqual([]);
  });

  test('forget erases all slots and leaves the rest of the session', async () => {
    const { app, browser, verify } = await open({}, (its) => {
      its.get('/me', (req, res) => void res.json((req.session as unknown as { user?: string }).user ?? null));
    });
    await browser.post(`${app.url}/in/erika`);
    await verify(browser);
    await verify(browser, '/age');
    expect((await browser.post(`${app.url}/forget`)).text).toBe('forgotten');
    expect(kept(app)).toEqual([]);
    expect((await browser.get(`${app.url}/of`)).json()).toEqual([null, null]);
    expect((await browser.get(`${app.url}/club`)).status).toBe(303);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('erika');
  });

  describe('subject', () => {
    const withSubject: AppSetup = {
      options: { subject: (req: { session: { user?: string } }) => req.session.user },
    };

    test('F40 what A kept is never shown to B or nobody, counts again for A, and lies nowhere with a name', async () => {
      const { app, browser, verify } = await open(withSubject);
      const seen = async (): Promise<unknown> => (await browser.get(`${app.url}/of`)).json();
      await browser.post(`${app.url}/in/marker-anna`);
      await verify(browser);
      expect(await seen()).toEqual(['Erika', null]);
      const text = Object.values(app.stored()).join('') + openedSessions(app);
      expect(text.replace('"user":"marker-anna"', '')).not.toContain('marker-anna');
      await browser.post(`${app.url}/in/bert`); // the session lives on
      expect(await seen()).toEqual([null, null]);
      const shut = await browser.get(`${app.url}/club`, json);
      expect([shut.status, shut.json()]).toMatchObject([401, { error: 'identity_required' }]);
      expect(shut.text).not.toContain('Erika');
      await browser.post(`${app.url}/out`);
      expect((await browser.get(`${app.url}/club`)).status).toBe(303);
      await browser.post(`${app.url}/in/marker-anna`);
      expect(await seen()).toEqual(['Erika', null]);
    });

    test('F40 what was verified before the log-in counts for nobody who logs in later', async () => {
      for (const path of ['/club', '/of']) {
        const { app, browser, verify } = await open(withSubject);
        await verify(browser);
        expect((await browser.get(`${app.url}/of`)).json()).toEqual(['Erika', null]);
        await browser.post(`${app.url}/in/anna`);
        expect((await browser.get(`${app.url}${path}`)).text).not.toContain('Erika');
      }
    });

    test('F40 in development the log says why such a person is led to the start again', async () => {
      const { lines, logger } = listen();
      const options = { ...withSubject.options, logger };
      const { app, browser, verify } = await inMode('development', async () => await open({ options }));
      await verify(browser);
      await browser.post(`${app.url}/in/anna`);
      for (let visit = 0; visit < 2; visit += 1) await browser.get(`${app.url}/club`);
      const told =
        'warn pidgate: what was kept while nobody was logged in does not count once somebody is logged in, so people verify again: let them log in before they verify, and mount the log-in above the router.';
      expect(lines).toEqual([told]);
    });

    test('a subject that throws shuts the guard with an error, and opens nothing', async () => {
      let broken = false;
      const errors: unknown[] = [];
      const subject = (): string => {
        if (broken) throw new Error('no user database');
        return 'anna';
      };
      const { app, browser, verify } = await open({ options: { subject } }, (its) => {
        its.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
          errors.push(error);
          res.status(500).end('error');
        });
      });
      await verify(browser);
      broken = true;
      expect((await browser.get(`${app.url}/club`)).text).toBe('error');
      expect((await browser.get(`${app.url}/of`)).text).toBe('error');
      expect(errors).toMatchObject([{ code: 'hook_failed' }, { code: 'hook_failed' }]);
      expect(kept(app)).toEqual(['Erika']);
    });
  });

  describe('allow', () => {
    let answer: (kept: unknown, req: Request) => unknown = () => false;
    let reached = 0;
    const { lines: heard, logger } = listen();
    beforeEach(() => {
      reached = 0;
      heard.length = 0;
    });
    const openGuarded = async (options: object = {}) =>
      await open({ options: { logger, ...options } }, (its, identity) => {
        const allow = (kept: unknown, req: Request): boolean => answer(kept, req) as boolean;
        its.all('/bar', identity.require({ allow }), (_req, res) => {
          reached += 1;
          res.end('open');
        });
        its.get(
          '/bar/age',
          identity.require({ question: 'age', allow }),
          (_req, res) => void res.end('open'),
        );
      });

    test('is asked with what was kept and the request, and only where there is an identity', async () => {
      const { app, browser, verify } = await openGuarded();
      const asked: unknown[] = [];
      answer = (kept, req) => asked.push([kept, req.originalUrl]) > 0;
      expect((await browser.get(`${app.url}/bar`)).location).toBe('/identity/start?returnTo=%2Fbar');
      expect(asked).toEqual([]);
      await verify(browser);
      await verify(browser, '/age');
      expect([(await browser.get(`${app.url}/bar?a=1`)).text, reached]).toEqual(['open', 1]);
      expect((await browser.get(`${app.url}/bar/age`)).text).toBe('open');
      expect(asked).toEqual([
        ['Erika', '/bar?a=1'],
        ['1964-08-12', '/bar/age'],
      ]);
    });

    test('false: a page says so, and its button leads home; only a link leads to another ID; a program gets JSON', async () => {
      const { app, browser, verify } = await openGuarded();
      answer = () => false;
      await verify(browser);
      const page = await browser.get(`${app.url}/bar`);
      expect([page.status, page.location, reached]).toEqual([403, undefined, 0]);
      expect(page.text).toContain('<code>identity_insufficient</code>');
      expect(page.text).toMatch(/<a class="button" href="\/">Back to /);
      expect(page.text.match(/<a [^>]*\/identity\/start[^>]*>[^<]*/g)).toEqual([
        '<a href="/identity/start?returnTo=%2Fbar">Verify with another ID',
      ]);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      // A link to another language of the page would GET what was posted.
      const posted = await browser.post(`${app.url}/bar`);
      const hasLinks = [page, posted].map(({ text }) => text.includes('hreflang='));
      expect([posted.status, reached, hasLinks]).toEqual([403, 0, [true, false]]);
      const reply = await browser.post(`${app.url}/bar`, {}, json);
      expect([reply.status, reply.json()]).toEqual([
        403,
        {
          error: 'identity_insufficient',
          error_description: 'The verified identity does not meet the condition of this route.',
        },
      ]);
      expect(heard).toEqual([]);
    });

    test('called inside a handler, which would not wait for that page, it fails before the handler answers', async () => {
      const caught: unknown[] = [];
      const { app, browser, verify } = await open({}, (its, identity) => {
        const guard = identity.require({ allow: () => false });
        its.get('/inside', (req, res) => {
          try {
            (guard as (req: Request, res: Response) => void)(req, res);
          } catch (error) {
            caught.push(error);
            throw error;
          }
          res.end('open');
        });
      });
      await verify(browser);
      expect((await browser.get(`${app.url}/inside`)).text).not.toContain('open');
      const message = expect.stringContaining('app.get(path, identity.require(), handler)');
      expect(caught).toEqual([expect.objectContaining({ code: 'config_invalid', message })]);
    });

    test("the app's own template renders the page, but not for HEAD, nor for a browser that only looks ahead", async () => {
      const asked: string[] = [];
      const render = (page: { code?: string }): string => `<p>${asked.push(String(page.code))}</p>`;
      const { app, browser, verify } = await openGuarded({ pages: { render } });
      answer = () => false;
      await verify(browser);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const head = await fetch(`${app.url}/bar`, {
        method: 'HEAD',
        headers: { accept: 'text/html', cookie },
      });
      const ahead = await browser.get(`${app.url}/bar`, { 'sec-purpose': 'prefetch;prerender' });
      expect([head.status, ahead.status, reached, asked]).toEqual([403, 403, 0, []]);
      expect(ahead.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect((await browser.get(`${app.url}/bar`)).text).toBe('<p>1</p>');
      expect(asked).toEqual(['identity_insufficient']);
    });

    const noBoolean = /allow must return a boolean synchronously/;
    test.each<[string, () => unknown, RegExp]>([
      [
        'throws',
        throws(),
        /^error pidgate: hook_failed\. identity\.require: allow failed\. It gets what keep returned .*\(kept, req\) => …\. See/,
      ],
      ['returns a promise', async () => await Promise.resolve(true), noBoolean],
      ['returns a promise that fails', async () => await Promise.reject(new Error('marker')), noBoolean],
      ['returns what is only true-like', () => 1, noBoolean],
      ['returns nothing', () => undefined, noBoolean],
    ])('one that %s lets nobody in, and the operator hears of it', async (_how, ask, told) => {
      const { app, browser, verify } = await openGuarded();
      answer = ask;
      await verify(browser);
      expect([(await browser.get(`${app.url}/bar`)).status, reached]).toEqual([403, 0]);
      expect(heard).toEqual([expect.stringMatching(told)]);
      expect(heard.join()).not.toContain('marker');
    });
  });

  test.each(['guard', 'question'])(
    'in development the terminal shows what allow of a %s throws',
    async (of) => {
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      const [ofGuard, ofQuestion] = of === 'guard' ? [{ allow: throws() }, {}] : [{}, { allow: throws() }];
      const { app, browser, verify } = await inMode('development', () =>
        open({ options: ofQuestion }, (its, identity) => its.get('/bar', identity.require(ofGuard))),
      );
      await verify(browser);
      await browser.get(`${app.url}/bar`);
      const told = warned.mock.calls.map(([words]) => String(words));
      warned.mockRestore();
      expect(told).toContainEqual(expect.stringMatching(/^pidgate: allow failed: Error: marker/));
    },
  );

  describe('the rule of a question', () => {
    const { lines: heard, logger } = listen();
    beforeEach(() => void (heard.length = 0));
    const minor = {
      logger,
      keep: () => ({ adult: false }),
      allow: ({ adult }: { adult: boolean }) => adult,
    };

    test('F190 whom it refuses no guard lets in, and of() returns nothing of them unless it is asked to', async () => {
      const succeeded: string[] = [];
      const onSuccess = ({ result }: { result: { question: string } }): void =>
        void succeeded.push(result.question);
      const { app, browser, verify } = await open({ options: { ...minor, onSuccess } }, (its, identity) => {
        its.get('/own', (req, res) => void res.send(identity.of(req) ? 'Welcome' : 'No'));
        its.get('/wide', identity.require({ allow: () => true }), (_req, res) => void res.send('Welcome'));
        its.get('/stored', (req, res) => void res.json(identity.of(req, { evenIfRefused: true })?.kept));
        its.get('/shut', (req, res) => void res.json(identity.of(req, { evenIfRefused: false }) ?? null));
      });
      expect((await browser.get(`${app.url}/club`)).status).toBe(303);
      await verify(browser);
      await verify(browser, '/age');
      expect(succeeded).toEqual(['default', 'age']);
      for (const path of ['/club', '/wide', '/recent']) {
        const shown = await browser.get(app.url + path);
        expect([shown.status, shown.location]).toEqual([403, undefined]);
      }
      const htmx = await browser.get(`${app.url}/club`, { 'hx-request': 'true' });
      expect([htmx.status, htmx.json()]).toMatchObject([403, { error: 'identity_insufficient' }]);
      expect((await browser.get(`${app.url}/own`)).text).toBe('No');
      expect((await browser.get(`${app.url}/shut`)).json()).toBe(null);
      expect((await browser.get(`${app.url}/stored`)).json()).toEqual({ adult: false });
      expect((await browser.get(`${app.url}/of`)).json()).toEqual([null, '1964-08-12']); // the other question has no rule
      expect(heard).toEqual([]);
    });

    test('F190 it gets what was kept and the request, of a named question too, and a changed one counts at once', async () => {
      const asked: unknown[] = [];
      let answer = true;
      const allow = (kept: unknown, req: Request): boolean =>
        asked.push([kept, req.originalUrl]) > 0 && answer;
      const age = { reveal: ['birth_date'], keep: () => 'kept', allow };
      const { app, browser, verify } = await open({ options: { questions: { age } } });
      expect((await browser.get(`${app.url}/age`)).status).toBe(303);
      expect(asked).toEqual([]);
      await verify(browser, '/age');
      expect((await browser.get(`${app.url}/age?a=1`)).json()).toMatchObject({ kept: 'kept' });
      expect(asked).toEqual([
        ['kept', '/age?a=1'],
        ['kept', '/age?a=1'],
      ]);
      answer = false;
      expect((await browser.get(`${app.url}/age`)).status).toBe(403);
    });

    test.each([
      [true, false],
      [false, true],
      [true, true],
    ])('F190 %j, and the allow of the guard %j: both must let in', async (ofQuestion, ofGuard) => {
      const { app, browser, verify } = await open(
        { options: { allow: () => ofQuestion } },
        (its, identity) => {
          its.get('/bar', identity.require({ allow: () => ofGuard }), (_req, res) => void res.send('open'));
        },
      );
      await verify(browser);
      expect((await browser.get(`${app.url}/bar`)).status).toBe(ofQuestion && ofGuard ? 200 : 403);
    });

    test.each<[string, () => unknown, RegExp]>([
      ['throws', throws(), /^error pidgate: hook_failed\. Option allow failed\. It gets what keep returned/],
      [
        'returns a promise',
        async () => await Promise.resolve(true),
        /Option allow must return a boolean synchronously/,
      ],
      ['returns nothing', () => undefined, /Option allow must return a boolean synchronously/],
    ])(
      'F190 one that %s counts as no for guards and of(), and the operator hears of it',
      async (_, allow, told) => {
        const { app, browser, verify } = await open({ options: { logger, allow } });
        await verify(browser);
        expect((await browser.get(`${app.url}/club`)).status).toBe(403);
        expect((await browser.get(`${app.url}/of`)).json()).toEqual([null, null]);
        expect(heard).toEqual([expect.stringMatching(told)]);
        expect(heard.join()).not.toContain('marker');
      },
    );

    test('F190 one that asks of() for its own question counts as no, and is told', async () => {
      let own: Identity | undefined;
      const asks = (question: 'default' | 'age') => (_kept: unknown, req: Request) =>
        own?.of(req, { question }) === undefined;
      const age = { reveal: ['birth_date'], keep: () => 'kept', allow: asks('default') };
      const options = { logger, allow: asks('default'), questions: { age } };
      const { app, browser, verify } = await open({ options }, (_its, identity) => void (own = identity));
      await verify(browser);
      await verify(browser, '/age');
      expect((await browser.get(`${app.url}/club`)).status).toBe(403);
      expect((await browser.get(`${app.url}/age`)).status).toBe(200); // of another question it may ask
      expect((await browser.get(`${app.url}/of`)).json()).toEqual([null, 'kept']);
      expect(heard).toEqual([
        expect.stringContaining('warn pidgate: Option allow asks identity.of for its own question'),
      ]);
    });
  });

  describe('F191 a guard that a handler awaits', () => {
    async function openAwaited(options: AppSetup['options'] = {}) {
      const errors: unknown[] = [];
      const seen: string[] = [];
      const opened = await open({ options }, (its, identity) => {
        const guard = identity.require();
        const awaited = (calls: (error?: unknown) => void, name: string) => (req: Request, res: Response) => {
          // Express 4 does nothing with what this returns.
          const work = async (): Promise<void> => {
            await (guard(req, res, calls) as unknown as Promise<void>);
            seen.push(name);
            res.send('Welcome');
          };
          return work().catch((error: unknown) => void errors.push(error));
        };
        its.get(
          '/awaited',
          awaited(() => {}, 'awaited'),
        );
        its.get('/told', (req, res) =>
          awaited((error) => {
            if (error !== undefined) res.status(500).send(`${String(errors.push(error))} error`);
          }, 'told')(req, res),
        );
        its.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
          errors.push(error);
          res.status(500).end('failed');
        });
      });
      return { ...opened, errors, seen };
    }

    test('F191 lets the handler go on for whom it admits, and answers all others itself, once', async () => {
      let adult = false;
      const options = { keep: () => 'kept', allow: () => adult };
      const { app, browser, verify, errors, seen } = await openAwaited(options);
      expect((await browser.get(`${app.url}/awaited`)).location).toBe('/identity/start?returnTo=%2Fawaited');
      await verify(browser);
      const leon = await browser.get(`${app.url}/awaited`);
      expect([leon.status, leon.text]).toEqual([403, expect.stringContaining('identity_insufficient')]);
      expect([seen, errors]).toEqual([[], []]);
      adult = true;
      expect((await browser.get(`${app.url}/awaited`)).text).toBe('Welcome');
      expect([seen, errors]).toEqual([['awaited'], []]);
    });

    test('F191 does not let it go on after an error, which next gets once', async () => {
      let broken = false;
      const subject = (): string => (broken ? throws()() : 'anna');
      const { app, browser, verify, errors, seen } = await openAwaited({ subject });
      await verify(browser);
      broken = true;
      expect((await browser.get(`${app.url}/told`)).text).toBe('1 error');
      expect([seen, errors]).toEqual([[], [expect.objectContaining({ code: 'hook_failed' })]]);
    });

    test('F191 where next is called beside it, development says so', async () => {
      const { lines, logger } = listen();
      const { app, browser, verify } = await inMode('development', () =>
        open({ options: { logger, allow: () => false } }, (its, identity) => {
          const guard = identity.require();
          const beside = (req: Request, res: Response, next: NextFunction): void => {
            guard(req, res, next);
            next();
          };
          its.get('/beside', beside, (_req, res) => void res.send('Welcome'));
          its.use((_error: unknown, _req: Request, _res: Response, _next: NextFunction) => undefined);
        }),
      );
      await verify(browser);
      await browser.get(`${app.url}/beside`);
      expect(lines).toEqual([expect.stringContaining('Something calls next beside the guard')]);
    });
  });

  test('a named question may ask another issuer, and what is kept says which', async () => {
    const seen: unknown[] = [];
    const asks = (name: string) => async (_presentation: string, expected: { issuer: string }) => {
      seen.push([name, expected.issuer]);
      const attributes = { given_name: name, birth_date: '1964-08-12' };
      return await Promise.resolve({ valid: true, attributes, derived: {} });
    };
    const bodies: { issuer: string; state: string }[] = [];
    const started = { success: true, redirect_url: 'https://wallet.example/' };
    const { app, browser } = await open({
      options: {
        issuer: 'at-wallet',
        trust: { 'at-wallet': asks('at'), 'fr-wallet': asks('fr') },
        questions: { age: { reveal: ['birth_date'], issuer: 'fr-wallet' } },
        fetch: async (_url: string, { body }: { body: string }) => {
          bodies.push(JSON.parse(body) as { issuer: string; state: string });
          return await Promise.resolve(globalThis.Response.json(started));
        },
      },
    });
    for (const name of ['', '/age']) {
      await browser.post(`${app.url}/identity/start${name}`);
      const reply = await app.callback({ presentation: 'good', state: bodies.at(-1)?.state ?? '' });
      const { redirect_uri } = (await reply.json()) as { redirect_uri: string };
      expect((await browser.get(redirect_uri)).status).toBe(303);
    }
    expect(bodies.map(({ issuer }) => issuer)).toEqual(['at-wallet', 'fr-wallet']);
    expect(seen).toEqual(['at', 'fr'].map((name) => [name, `${name}-wallet`]));
    expect((await browser.get(`${app.url}/club`)).json()).toMatchObject({ issuer: 'at-wallet' });
    const age = (await browser.get(`${app.url}/age`)).json();
    expect(age).toMatchObject({ issuer: 'fr-wallet', sandbox: false });
  });

  test('what cannot be meant is refused when it is written, not when a person comes', async () => {
    const { app } = await open();
    const refuse = (options: unknown, message: string): void => {
      expect(() => app.identity.require(options as never)).toThrow(
        expect.objectContaining({ code: 'config_invalid', message }),
      );
    };
    const age =
      "identity.require: maxAge must be milliseconds or a string such as '30s', '10m', '8h', '30d'.";
    for (const maxAge of [0, -1, Number.NaN, Infinity, '30', '30 d', '-1d', '', null, '0s'])
      refuse({ maxAge }, age);
    const known = 'Known options: maxAge, question, allow, reason, refused.';
    const noQuestion = 'There is no question named agee. Did you mean age?';
    refuse(null, 'The options of identity.require must be an object.');
    refuse('30d', 'The options of identity.require must be an object.');
    refuse({ maxage: '30d' }, 'Unknown option maxage of identity.require. Did you mean maxAge?');
    refuse({ subject: 'x' }, `Unknown option subject of identity.require. ${known}`);
    refuse({ question: 'agee' }, noQuestion);
    refuse({ allow: 18 }, 'identity.require: allow must be a function.');
    const of = (options: unknown) => () => app.identity.of({} as Request, options as never);
    expect(of({ queston: 'age' })).toThrow('of identity.of. Did you mean question?');
    expect(of('age')).toThrow('The options of identity.of must be an object.');
    expect(of({ evenIfRefused: 1 })).toThrow('identity.of: evenIfRefused must be true or false.');
    expect(of({ question: 'agee' })).toThrow(noQuestion);
  });
});

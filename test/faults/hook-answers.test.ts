import { runInNewContext } from 'node:vm';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { IdentityError } from '../../lib/index.js';
import { noCode, startApp, throws, unknownState } from '../support/app.js';
import { type CallbackApp, callbackApps, type CallbackSetup, type Confirm } from '../support/callbacks.js';
import { deep } from '../support/deep.js';
import { listen } from '../support/lines.js';
import { cuttableStore, storeAround } from '../support/stores.js';
import { decide } from '../support/wallet.js';
import { wrongAnswers } from '../support/wrong-answers.js';
import { openedSessions } from '../support/sealed.js';

describe('hook answers', () => {
  type Place = 'onSuccess at the return' | 'onVerified' | 'onSuccess in the callback';

  const places: readonly Place[] = ['onSuccess at the return', 'onVerified', 'onSuccess in the callback'];

  /** A club that lets in who is 18, with a minor at the wallet; what its hook returns is the test's. */
  async function openClub(place: Place) {
    const told: string[] = [];
    const { lines, logger } = listen();
    const club = { answer: (): unknown => undefined, ran: 0, shown: 0 };
    const hook = (): unknown => {
      club.ran += 1;
      return club.answer();
    };
    const confirm = place === 'onSuccess in the callback' ? 'callback' : 'return';
    const app = await startApp({
      wallet: { person: 'minor', wait: async () => {} },
      options: {
        confirm,
        logger,
        ...(confirm === 'return' && { keep: () => ({ member: true }) }),
        ...(place === 'onVerified' ? { onVerified: hook } : { onSuccess: hook }),
        onError: ({ error, step }: { error: IdentityError; step: string }) =>
          void told.push(`${step} ${error.code} ${error.message}`),
      },
      after: (its, identity) => {
        if (confirm === 'callback') return;
        its.get('/club', identity.require(), (_req, res) => {
          club.shown += 1;
          res.end('in');
        });
      },
    });
    return Object.assign(club, { app, lines, told });
  }
  type Club = Awaited<ReturnType<typeof openClub>>;

  describe.each(places)('F66 %s', (place) => {
    beforeEach(() => {
      jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined); // what confirm 'callback' gives up
    });
    afterEach(() => void jest.restoreAllMocks());
    const hook = place === 'onVerified' ? 'onVerified' : 'onSuccess';
    const step = place === 'onSuccess at the return' ? 'return' : 'callback';

    let club: Club;
    beforeAll(async () => {
      club = await openClub(place);
    });
    const answerWith = (make: () => unknown): void => {
      Object.assign(club, { answer: make, ran: 0 });
      for (const list of [club.told, club.lines, club.app.events]) list.length = 0;
    };

    test.each(wrongAnswers)(
      'F66 $name lets no minor in, is told with its fix, and the hook may run again',
      async ({ make, said }) => {
        const { app, lines, told } = club;
        answerWith(make);
        const browser = app.browser();
        const begun = await browser.post(`${app.url}/identity/start?returnTo=/club`);
        const back = await browser.visit(await decide(begun.location ?? '', 'approve'));
        expect(back.text).toContain('<code>hook_failed</code>');
        expect(back.status).toBe(step === 'return' ? 500 : 200);
        const inside = step === 'return' ? await browser.visit(`${app.url}/club`) : undefined;
        expect([undefined, '/identity/start']).toContain(inside && new URL(inside.url).pathname);
        expect([club.ran, club.shown]).toEqual([1, 0]);
        expect(openedSessions(app)).not.toContain('member');
        expect(told).toEqual([`${step} hook_failed ${hook} returned ${said}`]);
        const types = app.events.map(({ type }) => type);
        expect(types.filter((type) => /^hook\.|confirmed|failed/.test(type))).toEqual(['hook.failed']);
        expect(lines.join('\n')).not.toMatch(/Leon|too_young|2008/);
      },
    );

    const arrive = async (): Promise<string> => {
      const { browser, back } = await club.app.waiting('?returnTo=/welcome');
      return (await browser.visit(back)).url;
    };

    const rightAnswers: readonly [string, () => unknown, string][] = [
      ['undefined', () => undefined, '/welcome'],
      ['null', () => null, '/welcome'],
      ['{}', () => ({}), '/welcome'],
      ['{} without a prototype', () => Object.create(null) as unknown, '/welcome'],
      ['{} of another realm', () => runInNewContext('({})') as unknown, '/welcome'],
      ['redirectTo: undefined', () => ({ redirectTo: undefined }), '/welcome'],
      ['a promise of redirectTo', async () => await Promise.resolve({ redirectTo: '/own' }), '/own'],
      ['a redirectTo of another site', () => ({ redirectTo: 'https://evil.example/' }), '/welcome'],
    ];
    test.each(rightAnswers)('F66 %s goes on', async (_name, answer, path) => {
      answerWith(answer);
      const url = await arrive();
      expect([url, club.told]).toEqual([`${club.app.url}${path}`, []]);
      expect(club.app.events.map(({ type }) => type)).toContain('flow.confirmed');
    });

    const refusals: readonly [string, () => unknown][] = [
      ['refuse', () => ({ refuse: 'too_young' })],
      ['refuse and redirectTo', () => ({ refuse: 'too_young', redirectTo: '/own' })],
      ['a refuse that is read once', () => onceReadable()],
      ['a refuse without a prototype', () => Object.assign(Object.create(null) as object, { refuse: 'x' })],
    ];
    test.each(refusals)('F66 %s refuses', async (name, answer) => {
      answerWith(answer);
      const url = await arrive();
      const path = name === 'refuse and redirectTo' ? '/own' : '/identity/return?error=refused';
      expect(url.replace(/&flow=[\w-]+$/, '')).toBe(`${club.app.url}${path}`);
      expect(club.app.events.map(({ type }) => type)).toContain('flow.failed');
      expect(club.told).toEqual([`${step} refused The app refused this identity.`]);
    });
  });

  describe('F66 a hook whose answer was wrong', () => {
    const open = callbackApps();

    test('F66 runs again at the same return, and its next answer counts', async () => {
      const club = await openClub('onSuccess at the return');
      const { app } = club;
      club.answer = () => ({ refused: 'too_young' });
      const { browser, back } = await app.waiting();
      expect((await browser.get(back)).status).toBe(500);
      club.answer = () => ({ refuse: 'too_young' });
      expect((await browser.get(back)).location).toContain('/identity/return?error=refused&flow=');
      expect([club.ran, club.told.map((it) => it.split(' ')[1])]).toEqual([2, ['hook_failed', 'refused']]);
    });

    test.each<[Confirm, 'onVerified' | 'onSuccess']>([
      ['return', 'onVerified'],
      ['callback', 'onSuccess'],
    ])(
      'F66 runs again with the same callback, and its next answer counts (%s, %s)',
      async (confirm, hook) => {
        let answer: unknown = { refused: 'too_young' };
        const app = await open({ confirm, hooks: { [hook]: () => answer } });
        const begun = await app.begin();
        const deliver = async (): Promise<string | undefined> =>
          (await app.deliver({ presentation: 'good', state: begun.state })).body.redirect_uri?.split(
            /[?&]/,
          )[1];
        expect([await deliver(), await app.statusOf(begun)]).toEqual(['error=hook_failed', 'pending']);
        answer = { refuse: 'too_young' };
        expect([await deliver(), await app.statusOf(begun)]).toEqual(['error=refused', 'failed']);
        expect(app.ran).toEqual([hook, 'onError callback hook_failed', hook, 'onError callback refused']);
      },
    );
  });

  describe('F66 onError', () => {
    deep.test(
      'F66 in the callback it chooses no page; what is not { redirectTo } is ignored too, each named once',
      async () => {
        const { lines: said, logger } = listen();
        let answer: () => unknown = () => undefined;
        const app = await startApp({ options: { logger, onError: () => answer() } });
        const go = async (): Promise<string> => {
          const browser = app.browser();
          const back = await decide(await app.start(browser), 'decline');
          return (await browser.visit(back)).url.replace(/&flow=[\w-]+$/, '');
        };
        const ours = `${app.url}/identity/return?error=not_shared`;
        answer = () => ({ redirectTo: '/own' });
        expect([await go(), await go()]).toEqual([ours, ours]);
        expect(said).toEqual([
          'warn pidgate: onError returned a redirectTo in the callback, where it is ignored: no browser is there. For a page of your own, set errorRedirect.',
        ]);
        const wrong: readonly [() => unknown, string][] = [
          [() => ({ refuse: 'x' }), 'an object with the key refuse; it may return nothing or'],
          [() => ({ redirectTo: '/own', refuse: 'x' }), 'an object with the keys redirectTo, refuse; it may'],
          [() => ({ redirect: '/own' }), 'an object with the key redirect; did you mean redirectTo?'],
          [() => ({ redirectTo: 7 }), 'a redirectTo that is not a string; it must be a path'],
          [() => false, 'a boolean; it may return nothing or'],
          [() => '/own', 'a string; it may return nothing or'],
        ];
        for (const [index, [make, what]] of wrong.entries()) {
          answer = make;
          expect([await go(), await go()]).toEqual([ours, ours]);
          expect(said).toHaveLength(index + 2);
          expect(said.at(-1)).toContain(`warn pidgate: onError returned ${what}`);
          expect(said.at(-1)).toMatch(/ It is ignored\.$/);
        }
        expect(app.events.filter(({ type }) => type === 'hook.failed')).toEqual([]);
      },
    );
  });

  /** An answer whose getter can be read one time. */
  function onceReadable(): unknown {
    let reads = 0;
    return {
      get refuse(): string | undefined {
        reads += 1;
        return reads === 1 ? 'too_young' : undefined;
      },
    };
  }
});

describe('F66 cousins: what else an app answers', () => {
  const open = callbackApps();

  test.each<[string, unknown]>([
    ['OK', 'OK'],
    ['a number', 1],
    ['an object', { rowCount: 0 }],
    ['nothing', undefined],
  ])('F66 a flow store whose replace returns %s has not swapped: no hook runs', async (_name, answer) => {
    const store = storeAround(async (call, work) => {
      const done = await work();
      return call === 'replace' ? answer : done;
    });
    const { lines, logger } = listen();
    const app = await open({ hooks: { onVerified: () => undefined }, options: { store, logger } });
    const begun = await app.begin();
    const { status } = await app.deliver({ presentation: 'good', state: begun.state });
    expect([status, app.ran]).toEqual([503, []]);
    expect(lines[0]).toContain('create and replace of the flow store must return true or false.');
  });

  test('F66 a clock that returns no time keeps the guard shut', async () => {
    let works = true;
    const app = await startApp({
      options: { clock: () => (works ? new Date() : new Date(Number.NaN)) },
      after: (its, identity) => {
        its.get('/club', identity.require(), (_req, res) => void res.end('in'));
      },
    });
    const browser = await app.released();
    expect((await browser.get(`${app.url}/club`)).status).toBe(200);
    works = false;
    expect((await browser.get(`${app.url}/club`)).status).toBe(303);
  });
});

describe('no flow no hook', () => {
  const open = callbackApps();

  const evil = { 'x-forwarded-host': 'evil.example' };
  const behindProxy: CallbackSetup = { before: (its) => void its.set('trust proxy', true) };
  const bodyGone: CallbackSetup = {
    before: (its) =>
      its.use('/identity/callback', (req, _res, next) => void req.resume().once('end', () => next())),
  };
  const { store: down, cut } = cuttableStore();
  cut();
  const storeDown: CallbackSetup = { options: { store: down } };

  type Send = (app: CallbackApp) => Promise<{ readonly status: number }>;
  const start =
    (method = 'POST', headers = {}, query = ''): Send =>
    async ({ url }) => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const same = { 'sec-fetch-site': 'same-origin', accept: 'text/html', ...form };
      return await fetch(`${url}/identity/start${query}`, { method, headers: { ...same, ...headers } });
    };
  const deliver =
    (more = {}): Send =>
    async (app) =>
      await app.deliver({ presentation: 'good', state: unknownState(), ...more });
  const comeBack =
    (query = ''): Send =>
    async (app) =>
      await app.browser().get(`${app.url}/identity/return${query}`);
  const wrongCode = `?code=${noCode}&reload=2`;

  /** Requests that anyone can send, as often as they like. */
  const strangers: readonly (readonly [name: string, type: string, send: Send, setup?: CallbackSetup])[] = [
    ['POST start under another host', 'start.failed', start('POST', evil), behindProxy],
    ['GET start under another host', 'start.failed', start('GET', evil, '?returnTo=/x'), behindProxy],
    ['a start without a session', 'start.failed', start(), { session: false }],
    ['a start whose subject fails', 'start.failed', start(), { options: { subject: throws() } }],
    ['a start whose context fails', 'start.failed', start(), { options: { context: throws() } }],
    ['a callback whose body is gone', 'callback.refused', deliver(), bodyGone],
    ['a callback with two results', 'callback.refused', deliver({ error: 'x' })],
    ['a callback while the store is down', 'callback.refused', deliver(), storeDown],
    ['a callback for no flow', 'callback.unknown', deliver()],
    ['a return with no code', 'return.refused', comeBack()],
    ['a return with a code of no flow', 'return.refused', comeBack(wrongCode)],
    ['a return while the store is down', 'return.refused', comeBack(wrongCode), storeDown],
  ];

  describe('F70 a request that never was a flow calls no onError', () => {
    test.each(strangers)('F70 %s is an event', async (_name, type, send, setup = {}) => {
      const app = await open(setup);
      for (let times = 0; times < 3; times += 1) await send(app);
      expect(app.ran).toEqual([]);
      expect(app.events.map((event) => event.type)).toEqual([type, type, type]);
    });

    test('F70 a start that has become one and fails does call it', async () => {
      const app = await open({ options: { fetch: async () => Response.json({}, { status: 500 }) } });
      expect(await start()(app)).toMatchObject({ status: 502 });
      expect(app.ran).toEqual(['onError start service_reply_invalid']);
    });
  });
});

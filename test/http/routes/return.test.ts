import { describe, expect, test } from '@jest/globals';
import { supportCodeOf } from '../../../lib/internal/support-code.js';
import { memoryStore } from '../../../lib/index.js';
import { copyOf, idsOf, login, me, showing, shownTo } from '../../support/account.js';
import { type AppSetup, startApp, throws } from '../../support/app.js';
import type { Browser } from '../../support/browser.js';
import { type CallbackApp, callbackApps, gate, turns, valid } from '../../support/callbacks.js';
import { testClock } from '../../support/clock.js';
import { storeAround } from '../../support/stores.js';

describe('return', () => {
  type HookRequest = {
    session: Record<string, unknown> & Record<'destroy' | 'save' | 'regenerate', (done: () => void) => void>;
  };

  async function open(options: NonNullable<AppSetup['options']>, before: AppSetup['before'] = login()) {
    const codes: string[] = [];
    const app = await startApp({
      options: {
        keep: () => 'kept',
        questions: { age: { reveal: ['birth_date'], keep: () => 'of age' } },
        onError: ({ error }: { error: { code: string } }) => void codes.push(error.code),
        ...options,
      },
      before,
      after: showing(['user'], 'age'),
    });
    return { app, browser: app.browser(), codes };
  }

  test('a return whose subject fails runs no onSuccess, and the same address works again', async () => {
    let fails = false;
    const { app, browser, codes } = await open({
      subject: (req: unknown) => {
        if (fails) throw new Error('the user store is away');
        return (req as HookRequest).session['user'];
      },
    });
    await browser.post(`${app.url}/login`);
    const back = await app.toReturn(browser);
    fails = true;
    expect((await browser.get(back)).status).toBe(500);
    expect(codes).toEqual(['hook_failed']);
    fails = false;
    expect((await browser.get(back)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 'kept', null]);
  });

  describe('a return whose onSuccess', () => {
    test('logs somebody else in keeps nothing, for either of them, and the start is offered again', async () => {
      const { app, browser, codes } = await open({
        subject: (req: unknown) => (req as HookRequest).session['user'],
        onSuccess: ({ req }: { req: HookRequest }) => void (req.session['user'] = 'mallory'),
      });
      await browser.post(`${app.url}/login`);
      const shown = await browser.get(await app.toReturn(browser));
      expect([shown.status, shown.location]).toEqual([403, undefined]);
      expect([codes, app.events.at(-1)]).toMatchObject([
        [],
        { type: 'return.refused', code: 'subject_changed' },
      ]);
      expect(await shownTo(app, browser)).toEqual(['erika', null, null]);
    });

    test('ends its own session keeps nothing, and the session of before is there again', async () => {
      let ending = true;
      const { app, browser, codes } = await open({
        onSuccess: async ({ req }: { req: HookRequest }) => {
          if (!ending) return;
          await new Promise<void>((resolve) => req.session.destroy(resolve));
        },
      });
      await browser.post(`${app.url}/login`);
      const back = await app.toReturn(browser);
      expect((await browser.get(back)).status).toBe(503);
      expect(codes).toEqual(['session_save_failed']);
      expect(await shownTo(app, browser)).toEqual(['erika', null, null]);
      ending = false;
      expect((await browser.get(back)).status).toBe(303);
      expect(await shownTo(app, browser)).toEqual(['erika', 'kept', null]);
    });

    test('is fine, but not the middleware that looks at the response: nothing is kept, until it is', async () => {
      let isBroken = true;
      const { app, browser, codes } = await open({}, (its) => {
        login()(its);
        its.use('/identity/return', (_req, res, next) => {
          const writeHead = res.writeHead.bind(res);
          res.writeHead = ((...what: [number]) => {
            res.writeHead = writeHead;
            if (isBroken) throw new Error('no headers');
            return writeHead(...what);
          }) as typeof res.writeHead;
          next();
        });
      });
      await browser.post(`${app.url}/login`);
      const back = await app.toReturn(browser);
      expect((await browser.get(back)).status).toBe(500);
      expect(codes).toEqual(['hook_failed']);
      expect(await shownTo(app, browser)).toEqual(['erika', null, null]);
      isBroken = false;
      expect((await browser.get(back)).status).toBe(303);
      expect(await shownTo(app, browser)).toEqual(['erika', 'kept', null]);
    });

    test('saves its session and then refuses leaves nothing under the new id', async () => {
      const { app, browser } = await open({
        onSuccess: async ({ req }: { req: HookRequest }) => {
          await new Promise<void>((resolve) => req.session.save(resolve));
          return { refuse: 'too_late' };
        },
      });
      await browser.post(`${app.url}/login`);
      const back = await app.toReturn(browser);
      const before = idsOf(app);
      expect((await browser.get(back)).status).toBe(303);
      expect(idsOf(app)).toEqual(before);
      expect(await shownTo(app, browser)).toEqual(['erika', null, null]);
    });

    test('begins a session of its own loses nothing that was kept of another question', async () => {
      let renewing = false;
      const { app, browser } = await open({
        onSuccess: async ({ req }: { req: HookRequest }) => {
          if (!renewing) return;
          await new Promise<void>((resolve) => req.session.regenerate(resolve));
        },
      });
      await browser.get(await app.toReturn(browser, '/age'));
      renewing = true;
      expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
      expect(await shownTo(app, browser)).toEqual([null, 'kept', 'of age']);
    });

    test('forgets what was kept before keeps its own result, and what was begun until then is handed to nobody', async () => {
      let other = '';
      const hook: { forgets?: () => Promise<string> } = {};
      const { app, browser } = await open({
        onSuccess: async ({ req }: { req: HookRequest }) => {
          if (hook.forgets === undefined) return;
          other = await hook.forgets();
          await app.identity.forget(req as never);
        },
      });
      await browser.get(await app.toReturn(browser, '/age'));
      const back = await app.toReturn(browser);
      hook.forgets = async () => {
        delete hook.forgets;
        return await app.toReturn(browser, '/age');
      };
      expect((await browser.get(back)).status).toBe(303);
      expect(await shownTo(app, browser)).toEqual([null, 'kept', null]);
      expect((await browser.get(back)).status).toBe(303);
      expect((await browser.visit(other)).status).toBe(403);
      expect(await shownTo(app, browser)).toEqual([null, 'kept', null]);
    });
  });

  test('a session that was left behind is led on twice, and then told to start again', async () => {
    const { app, browser } = await open({});
    const back = await app.toReturn(browser);
    const sessions = app.sessions['sessions' as never] as Record<string, string>;
    const [old, cookies] = [{ ...sessions }, [...browser.cookies]];
    expect((await browser.get(back)).status).toBe(303);
    Object.assign(sessions, old); // as where the old session could not be ended
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const reloads = ['', '&reload=1', '&reload=2'].map(async (reload) => {
      const { status, text } = await browser.get(`${back}${reload}`);
      return [status, /&amp;reload=\d/.exec(text)?.[0]];
    });
    expect(await Promise.all(reloads)).toEqual([
      [200, '&amp;reload=1'],
      [200, '&amp;reload=2'],
      [403, undefined],
    ]);
  });
});

describe('release', () => {
  const openApp = callbackApps();
  const nothing = (): undefined => undefined;
  const minute = 60_000;

  interface WithReceipt {
    readonly result: { readonly receipt: { readonly id: string } };
  }

  /** Hooks that note which receipt they saw, and `keep`, which keeps what it is told to. */
  function noting(kept: unknown = 'kept') {
    const receipts: string[] = [];
    const onSuccess = ({ result }: WithReceipt): void => void receipts.push(result.receipt.id);
    return { receipts, onSuccess, keep: () => kept };
  }

  const keptBy = async ({ url }: CallbackApp, browser: Browser): Promise<unknown> =>
    (await browser.get(`${url}/me`)).json();

  describe('a release', () => {
    test('runs onSuccess and then keep, each with the result, and tells it once', async () => {
      const [seen, order]: [unknown[], string[]] = [[], []];
      const app = await openApp({
        hooks: {
          onSuccess: ({ req, ...args }: { req: { originalUrl: string } }) => {
            order.push('onSuccess');
            seen.push({ ...args, url: req.originalUrl });
          },
        },
        options: {
          context: () => ({ order: 7 }),
          keep: (result: unknown) => {
            order.push('keep');
            seen.push(result);
            return 'chosen';
          },
        },
        after: me,
      });
      const { browser, back, flow } = await app.verified();
      const shown = await browser.get(back);
      expect([shown.status, shown.location]).toEqual([303, `${app.url}/`]);
      const result = {
        question: 'default',
        issuer: 'xx-test',
        sandbox: false,
        verifiedAt: app.clock(),
        attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
        derived: {},
        receipt: {
          id: expect.any(String),
          presentationSha256: expect.any(String),
          number: supportCodeOf(flow),
        },
      };
      const signal = expect.any(AbortSignal);
      const url = back.slice(app.url.length);
      expect(seen).toEqual([{ result, context: { order: 7 }, signal, url }, result]);
      expect([order, await keptBy(app, browser)]).toEqual([['onSuccess', 'keep'], 'chosen']);
      expect(await app.statusOf({ state: '', flow, browser })).toBe('confirmed');
      const { type, question } = app.events.at(-1) ?? {};
      expect([type, question, app.events.at(-1)?.flow]).toEqual(['flow.confirmed', 'default', flow]);
      expect(app.ran).toEqual(['onSuccess']);
    });

    test.each(['released', 'refused'])(
      'leaves nothing of the result in the flow store, once it is %s',
      async (how) => {
        const clock = testClock();
        const values: string[] = [];
        const store = storeAround(async (call, work, args) => {
          if (call === 'replace') values.push(String(args[2]));
          return await work();
        }, memoryStore({ clock }));
        const given_name = 'E'.repeat(10_000);
        const app = await openApp({
          judge: () => ({ ...valid, attributes: { given_name, birth_date: '1964-08-12' } }),
          hooks: { onSuccess: () => (how === 'refused' ? { refuse: 'no' } : undefined) },
          options: { clock, store },
        });
        const { browser, back, flow } = await app.verified();
        const lengthNow = async (): Promise<number> => (await store.read(flow))?.value.length ?? 0;
        expect(await lengthNow()).toBeGreaterThan(given_name.length);
        expect((await browser.get(back)).status).toBe(303);
        while ((await lengthNow()) > given_name.length) await turns(1); // after the answer
        expect(values.at(-1)?.length).toBeLessThan(given_name.length);
      },
    );

    const to = (redirectTo?: string) => () => (redirectTo === undefined ? undefined : { redirectTo });
    test.each([
      ['onSuccess', '/by-success', '/by-verified', '?returnTo=/asked', '/by-success'],
      ['onVerified', undefined, '/by-verified', '?returnTo=/asked', '/by-verified'],
      ['the start', undefined, undefined, '?returnTo=/asked', '/asked'],
      ['the question', undefined, undefined, '', '/done'],
      ['the question, where a hook names another site', 'https://evil.example', undefined, '', '/done'],
    ])(
      'leads where %s says, also when the same address is opened again',
      async (_, success, verified, query, path) => {
        const app = await openApp({
          hooks: { onVerified: to(verified), onSuccess: to(success) },
          options: { successRedirect: '/done' },
        });
        const { browser, back } = await app.verified(query);
        expect((await browser.get(back)).location).toBe(app.url + path);
        expect((await browser.get(back)).location).toBe(app.url + path);
        expect(app.ran).toEqual(['onVerified', 'onSuccess']);
      },
    );

    test.each([
      ['the error page', {}, undefined, '/identity/return?error=refused'],
      ['where the hook says', { redirectTo: '/sorry' }, undefined, '/sorry'],
      ['where onError says', {}, { redirectTo: '/led' }, '/led'],
      ['where onError says, whatever it named', { redirectTo: '/sorry' }, { redirectTo: '/led' }, '/led'],
    ])('that is refused ends the flow, keeps nothing, and goes to %s', async (_, named, told, path) => {
      const errors: unknown[] = [];
      const onError = ({ error }: { error: unknown }) => {
        errors.push(error);
        return told;
      };
      const app = await openApp({
        hooks: { onSuccess: () => ({ refuse: 'under_age', ...named }), onError },
        options: { keep: () => 'kept' },
        after: me,
      });
      const { browser, back, flow } = await app.verified();
      const ids = idsOf(app);
      const { status, location = '' } = await browser.get(back);
      expect([status, location.replace(/&flow=[\w-]+$/, '')]).toEqual([303, app.url + path]);
      expect(errors).toMatchObject([{ code: 'refused', serviceCode: 'under_age' }]);
      expect(app.ran).toEqual(['onSuccess', 'onError return refused']);
      expect(app.events.at(-1)).toMatchObject({ type: 'flow.failed', flow, code: 'refused' });
      expect(await app.statusOf({ state: '', flow, browser })).toBe('failed');
      expect([idsOf(app), await keptBy(app, browser)]).toEqual([ids, null]);
      expect((await browser.get(back)).status).toBe(403);
      expect(app.ran).toHaveLength(2);
    });

    test('that begins at the deadline ends well, though its functions take all the time that they have', async () => {
      const { onSuccess, keep } = noting();
      const takes = async <T>(ms: number, then: () => T): Promise<T> => {
        app.clock.forward(ms);
        return await Promise.resolve(then());
      };
      const app: CallbackApp = await openApp({
        hooks: { onSuccess: async (args: WithReceipt) => await takes(10_000, () => onSuccess(args)) },
        options: { keep: async () => await takes(10_000, keep) },
        after: me,
      });
      const { browser, back } = await app.verified();
      app.clock.forward(599_999);
      expect((await browser.get(back)).status).toBe(303);
      expect(await keptBy(app, browser)).toBe('kept');
      await turns();
      expect(app.events.map(({ type }) => type)).toEqual(['flow.started', 'flow.verified', 'flow.confirmed']);
    });

    test('that took too long goes over nothing that another return has released meanwhile', async () => {
      const [inside, goOn] = [gate(), gate()];
      let isFirst = true;
      const { receipts, onSuccess } = noting();
      const keep = async (): Promise<string> => {
        if (!isFirst) return 'of the second';
        isFirst = false;
        inside.open();
        await goOn.opened;
        return 'of the first';
      };
      const app = await openApp({
        hooks: { onSuccess },
        options: { keep, limits: { hookTimeout: minute } },
        after: me,
      });
      const { browser, back } = await app.verified();
      const late = copyOf(app, browser);
      const first = late.get(back);
      await inside.opened;
      app.clock.forward(10 * minute - 1); // as where the process stood still: its time is over, that of the flow is not
      expect((await browser.get(back)).status).toBe(303);
      goOn.open();
      expect((await first).status).not.toBe(303);
      expect([await keptBy(app, browser), await keptBy(app, late)]).toEqual(['of the second', null]);
      expect((await browser.get(back)).status).toBe(303);
      expect([receipts.length, new Set(receipts).size, idsOf(app).length]).toEqual([2, 1, 1]);
    });
  });

  describe('a release that fails keeps nothing: the same address runs the hook again, with the same receipt', () => {
    test('keep takes too long, and what it returns later is written nowhere', async () => {
      const { receipts, onSuccess } = noting();
      const [end, ...kept] = [gate(), 'late', 'chosen'];
      const keep = async (): Promise<unknown> => {
        const mine = kept.shift();
        if (mine === 'late') await end.opened;
        return mine;
      };
      const app = await openApp({
        hooks: { onSuccess },
        options: { keep, limits: { hookTimeout: 20 } },
        after: me,
      });
      const { browser, back } = await app.verified();
      const ids = idsOf(app);
      const failed = await browser.get(back);
      expect([failed.status, failed.text.includes('Try again')]).toEqual([504, true]);
      expect(app.ran).toEqual(['onSuccess', 'onError return hook_timeout']);
      end.open();
      await turns();
      expect([idsOf(app), await keptBy(app, browser)]).toEqual([ids, null]);
      app.clock.forward(minute); // no lock is longer
      expect((await browser.get(back)).status).toBe(303);
      expect([await keptBy(app, browser), receipts.length, new Set(receipts).size]).toEqual(['chosen', 2, 1]);
    });

    test('onSuccess that takes too long does not run again beside itself', async () => {
      let running = 0;
      const most: number[] = [];
      const ends: (() => void)[] = [];
      const onSuccess = async (): Promise<void> => {
        most.push((running += 1));
        await new Promise<void>((resolve) => ends.push(resolve));
        running -= 1;
      };
      const clock = testClock();
      const shared = { clock, store: memoryStore({ clock }) };
      const app = await openApp({
        hooks: { onSuccess },
        options: { ...shared, limits: { hookTimeout: 30 } },
      });
      const other = await openApp({
        hooks: { onSuccess },
        session: { store: app.sessions },
        options: { ...shared, appUrl: app.url, limits: { hookTimeout: minute } },
      });
      const { browser, back } = await app.verified();
      expect((await browser.get(back)).status).toBe(504);
      const again = await browser.get(back);
      expect([again.status, again.headers.get('retry-after')]).toEqual([503, '1']);
      ends[0]?.();
      clock.forward(minute);
      const third = browser.get(back.replace(app.url, other.url));
      while (ends.length < 2) await turns(1);
      ends[1]?.();
      expect((await third).status).toBe(303);
      expect(most).toEqual([1, 1]);
    });

    test('onError hears of it at the step "return", with the context of the start and the cause', async () => {
      const told: unknown[] = [];
      const cause = new Error('the app failed');
      const app = await openApp({
        hooks: { onSuccess: throws(cause), onError: (args: object) => void told.push(args) },
        options: { context: () => ({ order: 7 }) },
      });
      const { browser, back, flow } = await app.verified();
      expect((await browser.get(back)).status).toBe(500);
      const error = expect.objectContaining({ code: 'hook_failed' });
      expect(told).toEqual([
        {
          error,
          step: 'return',
          flow,
          supportCode: supportCodeOf(flow),
          question: 'default',
          context: { order: 7 },
        },
      ]);
      expect((told[0] as { error: Error }).error.cause).toBe(cause);
    });
  });

  describe('a code', () => {
    const half = 'A'.repeat(43);
    test.each([
      `${half}.${half}.${half}`,
      half,
      `A${half}.${half}`,
      `${half}.`,
      `${half}.${'A'.repeat(42)}B`,
      `${'B'.repeat(43)}.${half}`,
      `${half}.${half}&code=${half}.${half}`,
      '',
    ])('of another form asks nothing of a store: %j', async (code) => {
      const asked: string[] = [];
      const store = storeAround(async (call, work) => {
        asked.push(call);
        return await work();
      });
      const app = await openApp({ options: { store }, hooks: { onSuccess: nothing } });
      const shown = await app.browser().get(`${app.url}/identity/return?code=${code}&reload=2`);
      expect([shown.status, asked, app.ran]).toEqual([403, [], []]);
      await app.browser().get(`${app.url}/identity/return?code=${half}.${half}&reload=2`);
      expect(asked).toContain('read'); // as one of the right form does
    });

    test.each(['pending', 'failed'] as const)(
      'that its own session made up gets nothing of a flow that is %s',
      async (status) => {
        const app = await openApp({ hooks: { onVerified: () => ({ refuse: 'no' }), onSuccess: nothing } });
        const begun = await app.begin();
        if (status === 'failed') await app.deliver({ presentation: 'good', state: begun.state });
        app.ran.length = 0;
        const shown = await begun.browser.get(`${app.url}/identity/return?code=${begun.flow}.${half}`);
        expect([shown.status, app.ran]).toEqual([403, []]);
        expect(app.events.at(-1)).toMatchObject({ type: 'return.refused', flow: begun.flow });
        expect(await app.statusOf(begun)).toBe(status);
      },
    );
  });
});

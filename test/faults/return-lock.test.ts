import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { copyOf, idsOf, login, me, showing, shownTo } from '../support/account.js';
import { type AppSetup, openSandbox, type Running, startApp, testClock } from '../support/app.js';
import type { Shown } from '../support/browser.js';
import { type CallbackApp, callbackApps, type CallbackSetup, gate, turns } from '../support/callbacks.js';

import { closeAfter } from '../support/close-after.js';
import { sessionsAround, storeAround } from '../support/stores.js';
import { decide } from '../support/wallet.js';
import { lockMs } from '../../lib/flow/lock.js';

describe('return lock', () => {
  const openApp = callbackApps();
  const minute = 60_000;

  /** The second of two processes on one store: what it asks of the store, and how often that had taken a name already. */
  async function second(one: CallbackApp, store: FlowStore, setup: CallbackSetup = {}) {
    const seen = { refused: 0 };
    const around = storeAround(async (call, work) => {
      const done = await work();
      if (call === 'create' && done === false) seen.refused += 1;
      return done;
    }, store);
    const app = await openApp({
      ...setup,
      session: { store: one.sessions },
      options: { store: around, clock: one.clock, appUrl: one.url, keep: () => 'two', ...setup.options },
      after: me,
    });
    return { app, waits: async () => await waitFor(() => seen.refused > 0) };
  }

  const waitFor = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await turns(1);
  };

  /** Strangers start until the store takes no more. */
  async function fill(app: CallbackApp): Promise<void> {
    const start = async (): Promise<number> => (await app.browser().post(`${app.url}/identity/start`)).status;
    while ((await start()) === 303);
    expect(await start()).toBe(503);
    app.ran.length = 0;
  }

  /** One return that is inside its hook until it is let go, and two more flows of the same session that are verified. */
  async function holding(setup: CallbackSetup = {}, bounds: { max?: number; maxBytes?: number } = {}) {
    const clock = testClock();
    const store = memoryStore({ clock, ...bounds });
    const hook = gate();
    const one = await openApp({
      hooks: { onSuccess: () => hook.opened },
      options: { clock, store, keep: () => 'one', limits: { hookTimeout: minute } },
      after: me,
    });
    const { app: two, waits } = await second(one, store, setup);
    const held = await one.verified();
    const { browser } = held;
    const verified = async () => {
      const { state, flow } = await one.begin('', browser);
      const { body } = await one.deliver({ presentation: 'good', state });
      return { flow, back: (body.redirect_uri ?? '').replace(one.url, two.url) };
    };
    const { flow, back } = await verified();
    const third = (await verified()).back;
    if (bounds.max !== undefined || bounds.maxBytes !== undefined) await fill(one);
    const returning = browser.get(held.back);
    await waitFor(() => one.ran.includes('onSuccess'));
    const letGo = async () => {
      hook.open();
      return await returning;
    };
    return { one, two, browser, back, flow, third, waits, letGo };
  }

  const onSuccess = (): undefined => undefined;

  describe('F65 two returns of one session, in two processes', () => {
    test('F65 the second waits for the first: its hook runs after that, in the session that the first made', async () => {
      const limits = { hookTimeout: minute };
      const it = await holding({ hooks: { onSuccess }, options: { limits } });
      const waiting = copyOf(it.two, it.browser).get(it.back);
      await it.waits();
      expect(it.two.ran).toEqual([]);
      expect((await it.letGo()).status).toBe(303);
      const sentOn = await waiting;
      expect([sentOn.status, sentOn.text.includes('http-equiv="refresh"'), it.two.ran]).toEqual([
        200,
        true,
        [],
      ]);
      expect((await it.browser.get(it.back)).status).toBe(303);
      expect(it.two.ran).toEqual(['onSuccess']);
      expect((await it.browser.get(`${it.two.url}/me`)).json()).toBe('two');
    });

    const isBusy = (shown: Shown): void => {
      expect([shown.status, shown.headers.get('retry-after')]).toEqual([503, '1']);
      expect(shown.text).toContain('Almost done');
    };

    test('F65 the second waits no longer than a hook may take: nothing has run, and the same address works later', async () => {
      const it = await holding({ hooks: { onSuccess }, options: { limits: { hookTimeout: 30 } } });
      isBusy(await it.browser.get(it.back));
      expect([it.two.ran, it.two.events]).toEqual([[], []]);
      expect(await it.one.statusOf({ state: '', flow: it.flow, browser: it.browser })).toBe('verified');
      expect((await it.letGo()).status).toBe(303);
      expect((await it.browser.get(it.back)).status).toBe(303);
      expect(it.two.ran).toEqual(['onSuccess']);
    });

    test('F65 one of a process waits, and the others are told at once', async () => {
      const it = await holding({ hooks: { onSuccess }, options: { limits: { hookTimeout: minute } } });
      const waiting = it.browser.get(it.back);
      await it.waits();
      isBusy(await it.browser.get(it.third));
      expect(it.two.ran).toEqual([]);
      await it.letGo();
      expect((await waiting).status).toBe(200); // it is sent on
    });

    test.each([
      ['in number', { max: 5 }],
      ['in bytes', { maxBytes: 20_000 }],
    ])('F65 where strangers have filled the store %s they wait for each other too', async (_how, bounds) => {
      const it = await holding(
        { hooks: { onSuccess }, options: { limits: { hookTimeout: minute } } },
        bounds,
      );
      const waiting = it.browser.get(it.back);
      await it.waits();
      expect(it.two.ran).toEqual([]);
      expect((await it.letGo()).status).toBe(303);
      expect([(await waiting).status, (await it.browser.get(it.back)).status]).toEqual([200, 303]);
      expect(it.two.ran).toEqual(['onSuccess']);
    });

    test('F65 the return of another session does not wait', async () => {
      const { one, two, letGo } = await holding({ hooks: { onSuccess } });
      const { browser, back } = await one.verified();
      expect((await browser.get(back.replace(/^http:\/\/[^/]+/, two.url))).status).toBe(303);
      expect(two.ran).toEqual(['onSuccess']);
      expect((await letGo()).status).toBe(303);
    });
  });

  describe('F65 one return', () => {
    /** An app whose store is as `around` makes it from when the return begins. */
    async function returning(
      around: (...args: Parameters<Parameters<typeof storeAround>[0]>) => Promise<unknown>,
    ) {
      const clock = testClock();
      const inner = memoryStore({ clock });
      let begun = false;
      const store = storeAround(
        async (call, work, args) => await (begun ? around(call, work, args, inner) : work()),
        inner,
      );
      const app = await openApp({
        hooks: { onSuccess },
        options: { clock, store, keep: () => 'kept' },
        after: me,
      });
      return {
        app,
        async visit() {
          const { browser, back, flow } = await app.verified();
          begun = true;
          const shown = await browser.get(back);
          return { shown, browser, back, flow, sid: browser.cookies.get('connect.sid') ?? '' };
        },
      };
    }

    test('F65 is not stopped by a name that is taken, and free when it looks', async () => {
      let isFirst = true;
      const it = await returning(async (call, work) => {
        if (call !== 'create' || !isFirst) return await work();
        isFirst = false;
        return false;
      });
      const { shown } = await it.visit();
      expect([shown.status, it.app.ran]).toEqual([303, ['onSuccess']]);
    });

    test('F65 asks again where a lock that was given back is taken before it', async () => {
      let isFree = false;
      let lost = 0;
      const it = await returning(async (call, work) => {
        if (call === 'replace' && isFree && lost === 0) {
          lost += 1;
          return false;
        }
        const done = await work();
        if (call === 'create') isFree = done === false;
        return done;
      });
      const { browser } = await it.visit();
      const { state } = await it.app.begin('', browser);
      const { body } = await it.app.deliver({ state, presentation: 'good' });
      expect((await browser.get(body.redirect_uri ?? '')).status).toBe(303);
      expect([lost, it.app.ran]).toEqual([1, ['onSuccess', 'onSuccess']]);
    });

    test('F65 tells the store nothing of the session, and deletes nothing there', async () => {
      const told: unknown[] = [];
      const it = await returning(async (call, work, args) => {
        told.push([call, ...args]);
        return await work();
      });
      const { app } = it;
      const { browser, back } = await app.verified();
      const sids = [browser.cookies.get('connect.sid') ?? ''];
      await it.visit();
      await browser.get(back);
      sids.push(browser.cookies.get('connect.sid') ?? '');
      const ids = sids.map((sid) => /^s%3A([\w-]+)\./.exec(sid)?.[1] ?? '');
      expect(ids.map(({ length }) => length)).toEqual([32, 32]);
      const text = JSON.stringify(told);
      for (const id of ids) expect(text).not.toContain(id);
      expect(told.filter((call) => (call as unknown[])[0] === 'delete')).toEqual([]);
    });

    test('F65 begins no hook where the store takes no name, and the same address works afterwards', async () => {
      let away = true;
      const it = await returning(async (call, work) => {
        if (call === 'create' && away) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
        return await work();
      });
      const { shown, browser, back, flow } = await it.visit();
      expect([shown.status, shown.text.includes('Almost done')]).toEqual([503, true]);
      expect(it.app.ran).toEqual(['onError return store_unavailable']);
      expect(await it.app.statusOf({ state: '', flow, browser })).toBe('verified');
      away = false;
      expect((await browser.get(back)).status).toBe(303);
      expect((await browser.get(`${it.app.url}/me`)).json()).toBe('kept');
    });
  });
});

describe('return killed', () => {
  /** What a return asks of the stores, in order, and what of the app runs in between. */
  const steps = [
    'session get',
    'flow create', // the lock
    'flow read',
    'onSuccess',
    'keep',
    'session get', // the old one is read again
    'session set', // the new one
    'session destroy', // the answer is out
    'flow replace', // closed
    'flow read', // the lock is still its own
    'flow replace', // and is given back
  ];
  /** In the process that dies. */
  const hookTimeout = 60_000;
  const points = steps.flatMap((step, at) => [
    { when: `before ${step}`, at },
    { when: `after ${step}`, at: at + 0.5 },
  ]);
  const locked = steps.indexOf('flow create');
  const answered = steps.indexOf('session destroy');
  /** Until the flow is closed: the old session is there no longer than until it is destroyed. */
  const mayRepeat = (at: number): boolean => at === answered;

  beforeEach(() => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined); // Express tells what failed in the one that died
  });
  afterEach(() => void jest.restoreAllMocks());

  /** Stores of a process that, from a point on, does nothing any more; `revive` lets it fail at the end of a test. */
  function mortal(flows: FlowStore, sessions: MemoryStore) {
    const [died, end] = [gate(), gate()];
    let [next, at, dead] = [0, Infinity, false];
    const seen: string[] = [];
    const reach = async (point: number): Promise<void> => {
      if (point === at) {
        dead = true;
        died.open();
      }
      if (!dead) return;
      await end.opened;
      throw new Error('It was killed.');
    };
    const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const nth = next++;
      seen.push(name);
      await reach(nth);
      const done = await work();
      await reach(nth + 0.5);
      return done;
    };
    return {
      flows: storeAround(async (call, work) => await step(`flow ${call}`, work), flows),
      sessions: sessionsAround(async (call, work) => await step(`session ${call}`, work), sessions),
      step,
      died: died.opened,
      dies(point: number): void {
        [next, at] = [0, point];
        seen.length = 0;
      },
      seen,
      revive: () => end.open(),
    };
  }

  async function twoProcesses() {
    const clock = testClock();
    const sandbox = await openSandbox();
    const [flows, sessions] = [memoryStore({ clock }), new MemoryStore()];
    const victimStores = mortal(flows, sessions);
    const receipts: string[] = [];
    const note = ({ result }: { result: { receipt: { id: string } } }): void => {
      receipts.push(result.receipt.id);
    };
    const open = async (
      store: FlowStore,
      sessionStore: MemoryStore,
      own: Record<string, unknown>,
      origins: readonly string[] = [],
    ): Promise<Running> =>
      await startApp({
        sandbox,
        origins,
        session: { store: sessionStore },
        options: { clock, store, limits: { hookTimeout: 50 }, keep: () => 'kept', onSuccess: note, ...own },
        before: login(),
        after: showing(['user']),
      });
    const survivor = await open(flows, sessions, {});
    const dying = {
      limits: { hookTimeout },
      onSuccess: async (args: Parameters<typeof note>[0]) => {
        await victimStores.step('onSuccess', async () => note(args));
      },
      keep: async () => await victimStores.step('keep', async () => await Promise.resolve('kept')),
    };
    const victim = await open(victimStores.flows, victimStores.sessions, dying, [survivor.url]);
    sandbox.redirectUrl = `${survivor.url}/identity/callback`;
    closeAfter(victimStores.revive);
    return { clock, victim, survivor, victimStores, receipts };
  }

  describe('F65 a process that dies during a return', () => {
    test('F65 the steps are these', async () => {
      const { victim, survivor, victimStores } = await twoProcesses();
      const browser = survivor.browser();
      const back = await survivor.toReturn(browser);
      victimStores.dies(steps.length - 0.5);
      await browser.get(back.replace(survivor.url, victim.url));
      await victimStores.died;
      expect(victimStores.seen).toEqual(steps);
    });

    test.each(points)('F65 $when: the person comes to the end, the old cookie to nothing', async ({ at }) => {
      const { clock, victim, survivor, victimStores, receipts } = await twoProcesses();
      const person = survivor.browser();
      await person.post(`${survivor.url}/login`);
      const back = await survivor.toReturn(person);
      const old = copyOf(survivor, person);

      victimStores.dies(at);
      const answer = person.get(back.replace(survivor.url, victim.url)).then(
        ({ status }) => status,
        () => 'cut off',
      );
      await victimStores.died;
      const hasSession = at >= answered;
      expect(hasSession ? await answer : 303).toBe(303);
      const hadRun = receipts.length;
      expect([
        ['erika', null],
        [null, null],
      ]).toContainEqual(await shownTo(survivor, old)); // kept is nothing in there

      clock.forward(lockMs(hookTimeout) - 1);
      const isLocked = at > locked && at < answered;
      expect(isLocked ? (await person.get(back)).status : 503).toBe(503);
      expect(receipts).toHaveLength(hadRun);
      clock.forward(1);
      expect((await person.visit(back)).url).toBe(`${survivor.url}/`);
      expect(await shownTo(survivor, person)).toEqual(['erika', 'kept']);
      expect(receipts.length).toBe(hasSession ? hadRun : hadRun + 1);
      const late = await old.visit(back);
      expect([late.url.endsWith('/'), late.status === 403]).toEqual([mayRepeat(at), !mayRepeat(at)]);
      expect(await shownTo(survivor, old)).toEqual(mayRepeat(at) ? ['erika', 'kept'] : [null, null]);
      expect(new Set(receipts).size).toBe(1);

      // And in the same session, the next verification.
      expect((await person.visit(await survivor.toReturn(person))).url).toBe(`${survivor.url}/`);
      expect(await shownTo(survivor, person)).toEqual(['erika', 'kept']);
    });
  });
});

describe('F118 a lock that is given back late', () => {
  const hookTimeout = 60_000;

  test('F118 by a process that stood still after its response: it frees nobody else’s, and no two hooks run at once', async () => {
    const clock = testClock();
    const sandbox = await openSandbox();
    const [store, inner] = [memoryStore({ clock }), new MemoryStore()];
    const [inside, hook, stands, goesOn] = [gate(), gate(), gate(), gate()];
    let [running, most] = [0, 0];
    const onSuccess = async ({ result }: { result: { question: string } }): Promise<void> => {
      if (result.question !== 'named') return;
      running += 1;
      most = Math.max(most, running);
      inside.open();
      await hook.opened;
      running -= 1;
    };
    const open = async (own: number, sessions: MemoryStore, ...origins: string[]): Promise<Running> =>
      await startApp({
        sandbox,
        origins,
        session: { store: sessions },
        options: {
          clock,
          store,
          onSuccess,
          limits: { hookTimeout: own },
          questions: { named: { reveal: ['family_name'] } },
        },
      });
    const patient = await open(hookTimeout, inner);
    const still = sessionsAround(async (call, work) => {
      if (call === 'destroy') {
        stands.open();
        await goesOn.opened;
      }
      return await work();
    }, inner);
    const stopped = await open(hookTimeout, still, patient.url);
    const hasty = await open(50, inner, patient.url);
    sandbox.redirectUrl = `${patient.url}/identity/callback`;
    closeAfter(() => {
      goesOn.open();
      hook.open();
    });

    const browser = patient.browser();
    const [first, second] = [await patient.toReturn(browser), await patient.toReturn(browser, '/named')];
    // It has answered, and stands still before it gives its lock back.
    expect((await browser.get(first.replace(patient.url, stopped.url))).status).toBe(303);
    await stands.opened;
    clock.forward(lockMs(hookTimeout));
    const other = copyOf(patient, browser);
    const returning = browser.get(second);
    await inside.opened;
    goesOn.open();
    await turns();
    expect((await other.get(second.replace(patient.url, hasty.url))).status).toBe(503);
    expect(most).toBe(1);
    hook.open();
    expect((await returning).status).toBe(303);
  });
});

describe('F118 a process that stands still before its hook begins', () => {
  afterEach(() => void jest.restoreAllMocks());

  test.each([
    [
      'so long that its hook may outlast its lock: it begins none, and the same address works',
      40_001,
      503,
      0,
    ],
    ['not as long: it goes on', 39_000, 303, 1],
  ])('F118 %s', async (_, stands, status, runs) => {
    let isReturn = false;
    let ran = 0;
    const store = storeAround(async (call, work) => {
      const done = await work();
      if (!isReturn || call !== 'read') return done;
      isReturn = false;
      const now = Date.now.bind(Date);
      jest.spyOn(Date, 'now').mockImplementation(() => now() + stands);
      return done;
    });
    const app = await startApp({
      options: { store, keep: () => 'kept', limits: { hookTimeout: 60_000 }, onSuccess: () => void ran++ },
      after: me,
    });
    const { browser, back } = await app.waiting();
    isReturn = true;
    expect((await browser.get(back)).status).toBe(status);
    expect(ran).toBe(runs);
    jest.restoreAllMocks();
    expect((await browser.get(back)).status).toBe(303); // after a success it is a repeat
    expect((await browser.get(`${app.url}/me`)).json()).toBe('kept');
    expect(ran).toBe(1);
  });
});

describe('two processes on one store', () => {
  /** Two apps that share flows and sessions, as two processes behind a balancer do. */
  async function two(onSuccess: () => unknown, onRead = (): void => {}): Promise<[Running, Running]> {
    const sandbox = await openSandbox();
    const inner = memoryStore();
    const read: FlowStore['read'] = async (id) => {
      onRead();
      return await inner.read(id);
    };
    const shared = { store: { ...inner, read }, sessions: new MemoryStore() };
    const open = async (...origins: string[]): Promise<Running> =>
      await startApp({
        sandbox,
        origins,
        session: { store: shared.sessions, rolling: true },
        options: { store: shared.store, onSuccess, keep: () => 'kept' },
        after: me,
      });
    const first = await open();
    const apps: [Running, Running] = [first, await open(first.url)];
    sandbox.redirectUrl = `${apps[0].url}/identity/callback`;
    return apps;
  }

  test('F4 one return here and one there at the same moment: onSuccess once, the session stays usable', async () => {
    const [entered, finish] = [gate(), gate()];
    let runs = 0;
    let reads = -Infinity;
    const [one, other] = await two(
      async () => {
        runs += 1;
        reads = 0;
        entered.open();
        await finish.opened;
      },
      () => {
        reads += 1;
        if (reads === 2) finish.open(); // the other one has read the lease, and looks again
      },
    );
    const browser = one.browser();
    const back = await one.toReturn(browser);
    const first = browser.get(back);
    await entered.opened;
    const second = browser.get(back.replace(one.url, other.url));
    const both = [await first, await second];
    // The second one is sent on to the session that the first has just made.
    expect(both.map((it) => [it.status, it.location])).toEqual([
      [303, `${one.url}/`],
      [200, undefined],
    ]);
    expect((await browser.get(back.replace(one.url, other.url))).location).toBe(`${one.url}/`);
    expect(runs).toBe(1);
    expect((await browser.get(`${other.url}/me`)).json()).toBe('kept');
  });
});

describe('session and store', () => {
  async function open(setup: AppSetup = {}): Promise<Running> {
    return await startApp({
      ...setup,
      options: {
        keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name,
        ...setup.options,
      },
      after: (app, identity) => {
        me(app, identity);
        setup.after?.(app, identity);
      },
    });
  }

  test('F31 a request that overlaps the callback and saves its old session loses nothing', async () => {
    const [arrived, held] = [gate(), gate()];
    const app = await open({
      before: (app) =>
        app.get('/slow', (req, res) => {
          arrived.open();
          void held.opened.then(() => {
            Object.assign(req.session, { seen: true });
            res.end();
          });
        }),
    });
    const browser = app.browser();
    const wallet = await app.start(browser);
    const slow = browser.get(`${app.url}/slow`);
    await arrived.opened;
    const back = await decide(wallet, 'approve');
    held.open();
    await slow;
    expect((await browser.get(back)).status).toBe(303);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
  });

  test('F31 the kit re-reads before it writes: what another request stored during onSuccess stays', async () => {
    let id = '';
    const app = await open({
      options: {
        onSuccess: () => {
          const session = JSON.parse(app.stored()[id] ?? '') as object;
          app.stored()[id] = JSON.stringify({ ...session, basket: 3 });
        },
      },
      after: showing(['basket']),
    });
    const { browser, back } = await app.waiting();
    [id = ''] = idsOf(app);
    await browser.get(back);
    expect(await shownTo(app, browser)).toEqual([3, 'Erika']);
    expect(idsOf(app)).not.toContain(id);
  });

  test('F31 what JSON does not have, in the session of a request, is no value of the session', async () => {
    const app = await open({
      before: (app) =>
        app.use((req, _res, next) => {
          Object.assign(req.session, { greet: () => 'hello', nothing: undefined });
          next();
        }),
    });
    const browser = await app.released();
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
    const [session = ''] = Object.values(app.stored());
    const names = Object.keys(JSON.parse(session) as object);
    expect(names.filter((name) => !/^pidgate\b/.test(name))).toEqual(['cookie']);
  });

  test('F31 a store that cannot make the new session: nothing runs, and the same address works at once', async () => {
    let broken = true;
    let ran = 0;
    const app = await open({
      options: { onSuccess: () => void (ran += 1) },
      before: (app) =>
        app.use('/identity/return', ({ sessionStore }, _res, next) => {
          const { generate } = sessionStore;
          const fails = (): never => {
            sessionStore.generate = generate;
            throw new Error('marker');
          };
          if (broken) sessionStore.generate = fails;
          next();
        }),
    });
    const { browser, back } = await app.waiting();
    const failed = await browser.get(back);
    expect(failed.status).toBe(503);
    expect(failed.text).not.toContain('marker');
    expect(ran).toBe(0);
    expect(app.events.at(-1)).toMatchObject({ type: 'hook.failed', code: 'session_save_failed' });
    broken = false;
    expect((await browser.get(back)).status).toBe(303);
    expect(ran).toBe(1);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
  });

  test.each([{ resave: false }, { resave: true, rolling: true }])(
    'F31 two returns of one session at once both finish and the session stays usable (%o)',
    async (session) => {
      const app = await open({
        session,
        options: { questions: { name: { reveal: ['family_name'], keep: () => 'name' } } },
        after: showing([], 'name'),
      });
      const browser = app.browser();
      const first = await app.toReturn(browser);
      const shown = await browser.post(`${app.url}/identity/start/name`);
      const second = await decide(shown.location ?? '', 'approve');
      const both = await Promise.all([browser.visit(first), browser.visit(second)]);
      expect(both.map((it) => it.url)).toEqual([`${app.url}/`, `${app.url}/`]);
      expect(await shownTo(app, browser)).toEqual(['Erika', 'name']);
      expect(idsOf(app)).toHaveLength(1);
    },
  );

  test('F31 a return on an old session id that no longer leads anywhere releases nothing', async () => {
    let succeeded = 0;
    const app = await open({ options: { onSuccess: () => void (succeeded += 1) } });
    const { browser, back } = await app.waiting();
    await new Promise((resolve) => app.sessions.clear(resolve));
    expect((await browser.visit(back)).status).toBe(403);
    expect(succeeded).toBe(0);
  });
});

import { describe, expect, test } from '@jest/globals';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { copyOf, me } from '../support/account.js';
import type { Shown } from '../support/browser.js';
import { type CallbackApp, type CallbackSetup, callbackApps, gate, turns } from '../support/callbacks.js';
import { testClock } from '../support/clock.js';
import { storeAround } from '../support/stores.js';

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
    const it = await holding({ hooks: { onSuccess }, options: { limits: { hookTimeout: minute } } }, bounds);
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

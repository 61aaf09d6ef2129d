import { describe, expect, test } from '@jest/globals';
import type { Express } from 'express';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { idsOf, login, showing, shownTo } from '../support/account.js';
import { unknownState } from '../support/app.js';
import type { Browser, Shown } from '../support/browser.js';
import { type CallbackApp, type CallbackSetup, callbackApps, gate, turns } from '../support/callbacks.js';
import { testClock } from '../support/clock.js';
import { cuttableStore, slowLastWrite, storeAround } from '../support/stores.js';
import { lockMs } from '../../lib/flow/lock.js';

const openApp = callbackApps();
const minute = 60_000;

/** The lock of a return is over, under the default of limits.hookTimeout. */
const lockOver = lockMs(10_000);

/** An app with a log-in, whose flow store the test can reach. */
async function open({ options, ...setup }: CallbackSetup = {}, around?: Parameters<typeof storeAround>[0]) {
  const clock = testClock();
  const inner = memoryStore({ clock });
  const app = await openApp({
    hooks: { onSuccess: () => undefined },
    ...setup,
    options: {
      clock,
      store: storeAround(around ?? (async (_call, work) => await work()), inner),
      keep: () => 'kept',
      ...options,
    },
    before: (its) => {
      login()(its);
      setup.before?.(its);
    },
    after: showing(['user']),
  });
  const verified = async () => {
    const browser = app.browser();
    await browser.post(`${app.url}/login`);
    const { state, flow } = await app.begin('', browser);
    const { body } = await app.deliver({ presentation: 'good', state });
    const back = body.redirect_uri ?? '';
    return { state, flow, browser, back, status: async () => await app.statusOf({ state, flow, browser }) };
  };
  return { app, inner, clock, verified };
}

/** A stranger who has come twice from this site. */
const byStranger = async (app: CallbackApp, back: string): Promise<Shown> =>
  await app.browser().get(`${back}&reload=2`);

const withCode = (back: string, change: (id: string, secret: string) => string): string =>
  back.replace(/code=([\w-]+)\.([\w-]+)$/, (_, id: string, secret: string) => `code=${change(id, secret)}`);

describe('F34 the flow store goes away when the answer is out', () => {
  test('F34 the last write is lost: one event and one line, no hook, and the browser has what was kept', async () => {
    const { options, last, goOn } = slowLastWrite(async () => await Promise.reject(new Error('away')));
    const lines: unknown[] = [];
    const logger = { error: (line: string) => void lines.push(line), warn: () => {}, info: () => {} };
    const { app, verified } = await open({ options: { ...options, logger } });
    const { browser, back, flow } = await verified();
    const shown = await browser.get(back);
    await last.opened;
    goOn.open();
    while (app.events.at(-1)?.type !== 'return.refused') await turns(1);
    expect(app.events.slice(-2)).toMatchObject([
      { type: 'flow.confirmed', flow },
      { type: 'return.refused', flow, code: 'store_unavailable' },
    ]);
    expect(app.ran).toEqual(['onSuccess']);
    expect([lines.length, String(lines[0]).includes('store_unavailable')]).toEqual([1, true]);
    expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
    expect((await browser.get(back)).location).toBe(shown.location);
  });

  test('F34 where the browser receives nothing either, the same address works again later', async () => {
    const clock = testClock();
    const { store, cut, restore } = cuttableStore(memoryStore({ clock }));
    let isFirst = true;
    const hangUp = (its: Express): void => {
      its.use('/identity/return', (req, res, next) => {
        const end = res.end.bind(res) as (...args: unknown[]) => unknown;
        if (isFirst) {
          const spoiled = (...args: unknown[]): unknown => {
            cut('replace');
            req.socket.destroy();
            return end(...args);
          };
          Object.assign(res, { end: spoiled });
        }
        isFirst = false;
        next();
      });
    };
    const { app, verified } = await open({ before: hangUp, options: { clock, store } });
    const { browser, back } = await verified();
    await expect(browser.get(back)).rejects.toThrow('fetch failed');
    while (app.events.at(-1)?.code !== 'session_save_failed') await turns(1);
    restore();
    expect(await shownTo(app, browser)).toEqual(['erika', null]);
    clock.forward(lockOver);
    expect((await browser.get(back)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
  });

  test('F34 after a hook that failed: nothing is kept, no session is left over, the same address works later', async () => {
    const clock = testClock();
    const { store, cut, restore } = cuttableStore(memoryStore({ clock }));
    let fails = true;
    const onSuccess = (): void => {
      if (!fails) return;
      cut('replace');
      throw new Error('not now');
    };
    const { app, verified } = await open({ hooks: { onSuccess }, options: { clock, store } });
    const { browser, back } = await verified();
    const ids = idsOf(app);
    expect((await browser.get(back)).status).toBeGreaterThanOrEqual(500);
    restore();
    expect([idsOf(app), await shownTo(app, browser)]).toEqual([ids, ['erika', null]]);
    fails = false;
    clock.forward(lockOver);
    expect((await browser.get(back)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
  });
});

describe('F35 a stored value that was changed', () => {
  test('F35 releases nothing at the return, and works again where it is as it was', async () => {
    const { app, inner, verified } = await open();
    const { browser, back, flow } = await verified();
    const value = (await inner.read(flow))?.value ?? '';
    const put = async (other: string): Promise<void> => {
      const { version = 0 } = (await inner.read(flow)) ?? {};
      expect(await inner.replace(flow, version, other, 10 * minute)).toBe(true);
    };
    // At its ends, and here and there between: test/flow has every place of it.
    const places = [0, 1, 2, 10, 40, 60, 100, Math.floor(value.length / 2), value.length - 2];
    for (const at of places) {
      await put(`${value.slice(0, at)}${value[at] === 'A' ? 'B' : 'A'}${value.slice(at + 1)}`);
      const shown = await browser.get(back);
      expect([at, [403, 503].includes(shown.status), shown.location]).toEqual([at, true, undefined]);
      const stranger = await byStranger(app, back);
      expect([at, [403, 503].includes(stranger.status)]).toEqual([at, true]);
    }
    expect(app.ran.filter((hook) => !hook.startsWith('onError'))).toEqual([]);
    expect(await shownTo(app, browser)).toEqual(['erika', null]);
    await put(value);
    expect((await browser.get(back)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
  });
});

describe('F50 a store that refuses the version that it shows', () => {
  /**
   * It does so from when it is told to, and all that it says is there at once, so that a loop over it would never let
   * the event loop turn: far more than a loop may ask is a failure, and not a hang.
   */
  function refusing() {
    let [refuses, asked] = [false, 0];
    const around = async (call: keyof FlowStore, work: () => Promise<unknown>): Promise<unknown> => {
      if (!refuses || call !== 'replace') return await work();
      asked += 1;
      if (asked > 50) throw new Error('asked for ever');
      return false;
    };
    return { around, refuse: () => void (refuses = true), asked: () => asked };
  }

  test('F50 a return, and a code that turned up elsewhere: nobody asks for ever, and nothing is revoked', async () => {
    const { around, refuse, asked } = refusing();
    const { app, verified } = await open({}, around);
    const [mine, other] = [await verified(), await verified()];
    refuse();
    expect((await byStranger(app, other.back)).status).toBe(503);
    expect(await other.status()).toBe('verified');
    const { status } = await mine.browser.get(mine.back);
    // Where its lock needs no swap it goes well, and only the end of the flow is not written.
    expect([
      [303, ['onSuccess']],
      [503, []],
    ]).toContainEqual([status, app.ran.filter((hook) => hook === 'onSuccess')]);
    await turns();
    expect(asked()).toBeLessThan(10);
    expect(app.events.filter(({ type }) => type === 'flow.failed')).toEqual([]);
  });

  test('F50 the writes after a release: it is told once, and the browser has what was kept', async () => {
    const { around, refuse, asked } = refusing();
    const { app, verified } = await open({ hooks: { onSuccess: refuse } }, around);
    const { browser, back } = await verified();
    expect((await browser.get(back)).status).toBe(303);
    while (app.events.at(-1)?.type !== 'return.refused') await turns(1);
    expect(app.events.slice(-2)).toMatchObject([{ type: 'flow.confirmed' }, { code: 'store_unavailable' }]);
    expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
    expect([asked() < 10, app.ran]).toEqual([true, ['onSuccess']]);
  });

  test('F50 the writes after a hook that failed: nobody asks for ever, and nothing is kept', async () => {
    const { around, refuse, asked } = refusing();
    const onSuccess = (): never => {
      refuse();
      throw new Error('failed');
    };
    const { app, verified } = await open({ hooks: { onSuccess } }, around);
    const { browser, back } = await verified();
    expect((await browser.get(back)).status).toBeGreaterThanOrEqual(500);
    expect([asked() < 10, app.ran.filter((hook) => hook === 'onSuccess').length]).toEqual([true, 1]);
    expect(await shownTo(app, browser)).toEqual(['erika', null]);
  });
});

describe('F85 a code that turns up in another browser', () => {
  const startAgain = 403;

  test('F85 only the right one is revoked, once, only while the flow is verified, and as long as the flow could live', async () => {
    const { app, clock, verified } = await open();
    const { browser, back, flow, status } = await verified();
    const told = (): unknown[] => app.events.slice(2).map(({ type, flow: of }) => [type, of]);
    for (const wrong of [
      withCode(back, (id) => `${id}.${unknownState()}`),
      withCode(back, (_, secret) => `${unknownState()}.${secret}`),
    ]) {
      expect((await byStranger(app, wrong)).status).toBe(startAgain);
    }
    expect([await status(), told()]).toEqual([
      'verified',
      [
        ['return.refused', undefined],
        ['return.refused', undefined],
      ],
    ]);
    expect((await byStranger(app, back)).status).toBe(startAgain);
    expect([told().at(-1), app.ran]).toEqual([
      ['flow.failed', flow],
      ['onError return return_wrong_browser'],
    ]);
    expect((await byStranger(app, back)).status).toBe(startAgain);
    expect([told().at(-1), app.ran.length]).toEqual([['return.refused', undefined], 1]);
    expect((await browser.get(back)).status).toBe(startAgain);
    expect(await shownTo(app, browser)).toEqual(['erika', null]);
    const own = await browser.get(`${app.url}/identity/return?error=refused&flow=${flow}`);
    expect([own.status, own.text.includes('refused')]).toEqual([200, true]);
    clock.forward(10 * minute - 1);
    expect(await status()).toBe('failed');
    clock.forward(1);
    expect(await status()).toBe('expired');
  });

  test('F85 one that is confirmed is not revoked', async () => {
    const { app, verified } = await open();
    const { browser, back, status } = await verified();
    expect((await browser.get(back)).status).toBe(303);
    await turns();
    expect((await byStranger(app, back)).status).toBe(startAgain);
    expect([await status(), app.events.at(-1)?.type]).toEqual(['confirmed', 'return.refused']);
    expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
  });

  test('F85 during the release it ends nothing: the result is being handed over', async () => {
    const [inside, hook] = [gate(), gate()];
    const onSuccess = async (): Promise<void> => {
      inside.open();
      await hook.opened;
    };
    const { app, verified } = await open({
      hooks: { onSuccess },
      options: { limits: { hookTimeout: minute } },
    });
    const { browser, back, status } = await verified();
    const returning = browser.get(back);
    await inside.opened;
    expect((await byStranger(app, back)).status).toBe(startAgain);
    hook.open();
    expect((await returning).status).toBe(303);
    expect([await status(), app.ran]).toEqual(['confirmed', ['onSuccess']]);
    expect(await shownTo(app, browser)).toEqual(['erika', 'kept']);
  });

  test('F85 while another verification of its session is being released, it is revoked all the same', async () => {
    const [inside, hook] = [gate(), gate()];
    const onSuccess = async (): Promise<void> => {
      inside.open();
      await hook.opened;
    };
    const { app, verified } = await open({
      hooks: { onSuccess },
      options: { limits: { hookTimeout: minute } },
    });
    const { browser, back } = await verified();
    const other = await app.begin('', browser);
    const { body } = await app.deliver({ presentation: 'good too', state: other.state });
    const returning = browser.get(back);
    await inside.opened;
    expect((await byStranger(app, body.redirect_uri ?? '')).status).toBe(startAgain);
    expect(app.events.at(-1)).toMatchObject({ type: 'flow.failed', flow: other.flow });
    hook.open();
    expect((await returning).status).toBe(303);
    expect([await app.statusOf(other), await shownTo(app, browser)]).toEqual(['failed', ['erika', 'kept']]);
  });

  test.each<[string, (app: CallbackApp, browser: Browser) => unknown]>([
    ['a hook that failed', () => Promise.reject(new Error('not now'))],
    ['a session that has ended meanwhile', async ({ sessions }) => sessions.clear()],
  ])('F85 after a release that came to nothing, for %s, it is revoked again', async (_what, spoil) => {
    const { app, verified } = await open({ hooks: { onSuccess: async () => await spoil(app, browser) } });
    const { browser, back } = await verified();
    const shown = await browser.get(back);
    expect([shown.location, app.ran[0]]).toEqual([undefined, 'onSuccess']);
    expect((await byStranger(app, back)).status).toBe(startAgain);
    expect(app.events.at(-1)).toMatchObject({ type: 'flow.failed', code: 'return_wrong_browser' });
  });
});

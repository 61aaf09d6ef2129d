import { describe, expect, test } from '@jest/globals';
import type { Express } from 'express';
import { copyOf, idsOf, login, showing, shownTo } from '../support/account.js';
import { type Running, startApp } from '../support/app.js';
import type { Browser } from '../support/browser.js';
import { turns } from '../support/callbacks.js';
import { slowLastWrite } from '../support/stores.js';

type HookArgs = { req: { session: { cookie: { secure?: boolean } } & Record<string, unknown> } };

/** An app with a log-in, a log-out and a cart. `told` are the codes that onError heard. */
async function open(options: Record<string, unknown>, before?: (app: Express) => void) {
  const told: string[] = [];
  const onError = ({ error }: { error: { code: string } }): void => void told.push(error.code);
  const app = await startApp({
    options: { keep: () => 'kept', onError, ...options },
    before: (its) => {
      before?.(its);
      login({ user: 'erika', cart: 1 })(its);
      its.post('/logout', (req, res) => void req.session.destroy(() => res.end()));
    },
    after: showing(['user', 'cart']),
  });
  const browser = app.browser();
  await browser.post(`${app.url}/login`);
  return { app, browser, told };
}

/** As an adapter of another framework does, whose own reply this is not. */
function hideAnswer(app: Express): void {
  app.use((_req, res, next) => {
    Object.defineProperty(res, 'headersSent', { get: () => false });
    next();
  });
}

/** The flow of a return address. */
const flowOf = (back: string): string => /code=([\w-]+)\./.exec(back)?.[1] ?? '';

describe('F65 the flow is closed after the answer', () => {
  test('F65 a log-out while the flow store writes last stays one', async () => {
    const { options, last, goOn } = slowLastWrite();
    const { app, browser } = await open(options);
    const shown = await browser.get(await app.toReturn(browser));
    await last.opened;
    expect([shown.status, await shownTo(app, browser)]).toEqual([303, ['erika', 1, 'kept']]);
    await browser.post(`${app.url}/logout`);
    goOn.open();
    await turns();
    expect([await shownTo(app, browser), idsOf(app)]).toEqual([[null, null, null], []]);
  });

  test('F65 a reload before the last write goes where the first answer went, and asks no flow store', async () => {
    const { options, last, goOn } = slowLastWrite();
    let runs = 0;
    const onSuccess = (): { redirectTo: string } => {
      runs += 1;
      return { redirectTo: '/welcome back' };
    };
    const { app, browser } = await open({ ...options, onSuccess });
    const back = await app.toReturn(browser);
    const first = await browser.get(back);
    await last.opened;
    const whole = { ...options.store };
    options.store.read = async () => await Promise.reject(new Error('away'));
    const again = await browser.get(back);
    const there = [303, `${app.url}/welcome%20back`];
    expect([first, again].map(({ status, location }) => [status, location])).toEqual([there, there]);
    const flow = flowOf(back);
    expect((await browser.get(`${app.url}/identity/status?flow=${flow}`)).json()).toEqual({
      status: 'confirmed',
    });
    Object.assign(options.store, whole);
    goOn.open();
    await turns();
    expect((await browser.get(back)).location).toBe(first.location);
    expect([runs, app.events.filter(({ type }) => type === 'flow.confirmed')]).toMatchObject([1, [{ flow }]]);
  });

  test('F65 the old cookie and the address, once the flow is closed: nothing, and nothing runs', async () => {
    let runs = 0;
    const { app, browser } = await open({ onSuccess: () => void (runs += 1) });
    const back = await app.toReturn(browser);
    const left = copyOf(app, browser);
    expect((await browser.get(back)).status).toBe(303);
    expect((await left.visit(back)).status).toBe(403);
    expect([runs, await shownTo(app, left)]).toEqual([1, [null, null, null]]);
  });

  test('F65 the old session ends where an adapter hides that the answer was sent', async () => {
    let runs = 0;
    const { app, browser, told } = await open({ onSuccess: () => void (runs += 1) }, hideAnswer);
    const back = await app.toReturn(browser);
    const left = copyOf(app, browser);
    expect((await browser.get(back)).status).toBe(303);
    expect((await left.visit(back)).status).toBe(403);
    expect([runs, told, await shownTo(app, left)]).toEqual([1, [], [null, null, null]]);
  });

  test('F65 a hook that answers itself has failed there too', async () => {
    const onSuccess = ({ req }: { req: { res: { redirect: (to: string) => void } } }): void =>
      req.res.redirect('/own');
    const { app, browser, told } = await open({ onSuccess }, hideAnswer);
    expect((await browser.get(await app.toReturn(browser))).location).toBe('/own');
    expect([told, await shownTo(app, browser)]).toEqual([['hook_failed'], ['erika', 1, null]]);
  });
});

/** Does something to the answer of the first return. */
const onFirstReturn = (spoil: (req: { socket: { destroy(): void } }) => void) => (app: Express) => {
  let isFirst = true;
  app.use('/identity/return', (req, res, next) => {
    const end = res.end.bind(res) as (...args: unknown[]) => unknown;
    if (isFirst) {
      Object.assign(res, {
        end: (...args: unknown[]) => {
          spoil(req);
          return end(...args);
        },
      });
    }
    isFirst = false;
    next();
  });
};

describe('F65 an answer that does not arrive', () => {
  /** After the first return, in the browser that has its old cookie still. */
  async function nothingHappened(app: Running, browser: Browser, before: readonly string[], back: string) {
    expect(idsOf(app)).toEqual(expect.arrayContaining([...before])); // the old session is there
    expect(await shownTo(app, browser)).toEqual(['erika', 1, null]);
    const flow = flowOf(back);
    expect((await browser.get(`${app.url}/identity/status?flow=${flow}`)).json()).toEqual({
      status: 'verified',
    });
    expect((await browser.get(back)).status).toBe(303);
    expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept']);
    expect(app.events.map(({ type, code }) => code ?? type).slice(-3)).toEqual([
      'flow.confirmed',
      'session_save_failed',
      'flow.confirmed',
    ]);
  }

  test('F65, F47 a line that breaks while it is written costs nothing, and the same address works again', async () => {
    const receipts: string[] = [];
    const onSuccess = ({ result }: { result: { receipt: { id: string } } }): void =>
      void receipts.push(result.receipt.id);
    const hangUp = onFirstReturn(({ socket }) => socket.destroy());
    const { app, browser, told } = await open({ onSuccess }, hangUp);
    const back = await app.toReturn(browser);
    const before = idsOf(app);
    await expect(browser.get(back)).rejects.toThrow('fetch failed');
    while (app.events.at(-1)?.code === undefined) await turns(1);
    await nothingHappened(app, browser, before, back);
    expect([receipts.length, new Set(receipts).size, told]).toEqual([2, 1, []]);
  });

  test('F65 a Secure cookie on http is not set: the log-in stays, and the same address works once it is', async () => {
    let isSecure = true;
    const { app, browser, told } = await open({
      onSuccess: ({ req }: HookArgs) => {
        if (isSecure) req.session.cookie.secure = true;
      },
    });
    const back = await app.toReturn(browser);
    const before = idsOf(app);
    const shown = await browser.get(back);
    expect([shown.status, shown.headers.getSetCookie()]).toEqual([303, []]);
    while (app.events.at(-1)?.code === undefined) await turns(1);
    isSecure = false;
    await nothingHappened(app, browser, before, back);
    expect(told).toEqual([]);
  });
});

/** As in HTTP/2: a stream whose answer has been sent has no line any more. */
function endStreams(app: Express): void {
  app.use((req, res, next) => {
    const destroyed = { get: () => res.writableEnded };
    Object.defineProperty(req, 'socket', { value: Object.create(req.socket, { destroyed }) });
    next();
  });
}

describe('F122 HTTP/2 ends at the proxy', () => {
  test('F122 in the process itself people are verified, and each return counts as interrupted', async () => {
    let runs = 0;
    const { app, browser, told } = await open({ onSuccess: () => void (runs += 1) }, endStreams);
    const before = idsOf(app);
    const back = await app.toReturn(browser);
    expect((await browser.get(back)).status).toBe(303);
    await turns();
    expect([runs, told, await shownTo(app, browser)]).toEqual([1, [], ['erika', 1, 'kept']]);
    expect(idsOf(app)).toEqual(expect.arrayContaining(before)); // the old session, too
    const interrupted = { type: 'return.refused', code: 'session_save_failed' };
    expect(app.events.at(-1)).toMatchObject(interrupted);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import fc from 'fast-check';
import { memoryStore } from '../../lib/index.js';
import { login, showing, shownTo } from '../support/account.js';
import { type Running, openSandbox, startApp } from '../support/app.js';
import type { Browser, Shown } from '../support/browser.js';
import { seed } from '../support/seed.js';
import { sessionsAround, storeAround } from '../support/stores.js';
import { decide } from '../support/wallet.js';

/** So many turns of the event loop before and after each call of a store. */
type Pauses = () => number;

async function wait(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

interface World {
  readonly apps: readonly [Running, Running];
  readonly pick: () => Running;
}

/** One app, or two processes of it, on stores that take their time. */
async function open(pauses: Pauses, session: object, count: 1 | 2): Promise<World> {
  const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
    await wait(pauses());
    const done = await work();
    await wait(pauses());
    return done;
  };
  const inner = new MemoryStore();
  const sessions = sessionsAround(async (_call, work) => await slowly(work), inner);
  const store = storeAround(async (_call, work) => await slowly(work), memoryStore());
  const sandbox = await openSandbox({
    fetch: async (url, init) => {
      await wait(pauses()); // the callback
      return await fetch(url, init);
    },
  });
  const make = async (origins: readonly string[]): Promise<Running> =>
    await startApp({
      sandbox,
      origins,
      session: { store: sessions, ...session },
      before: (its) => {
        its.use(async (_req, _res, next) => {
          await wait(pauses());
          next();
        });
        login({ user: 'erika', cart: 1 })(its);
      },
      after: showing(['user', 'cart'], 'age'),
      options: {
        store,
        requests: { age: { reveal: ['birth_date'], keep: () => 'of age' } },
        keep: () => 'kept',
      },
    });
  const first = await make([]);
  const second = count === 1 ? first : await make([first.url]);
  sandbox.redirectUrl = `${first.url}/identity/callback`;
  let turn = 0;
  return { apps: [first, second], pick: () => ([first, second] as const)[(turn += 1) % 2] ?? first };
}

/** Starts as a person does: what shows the start page once more is pressed once more. */
async function press(app: Running, browser: Browser, path: string): Promise<string> {
  let shown: Shown = await browser.post(`${app.url}${path}`);
  for (let times = 0; times < 3 && shown.status === 200; times += 1) {
    const action = /<form method="post" action="([^"]+)"/.exec(shown.text)?.[1] ?? '';
    shown = await browser.post(`${app.url}${action.replaceAll('&amp;', '&')}`);
  }
  expect(shown.status).toBe(303);
  return shown.location ?? '';
}

const kinds: [string, object][] = [
  ['cookies of the session', {}],
  ['cookie.maxAge', { cookie: { maxAge: 86_400_000 } }],
  ['rolling', { rolling: true, cookie: { maxAge: 86_400_000 } }],
];

// There all origins of this machine are one app.
const mode = process.env['NODE_ENV'];
beforeAll(() => void (process.env['NODE_ENV'] = 'development'));
afterAll(() => void (process.env['NODE_ENV'] = mode));

const runs = Number(process.env['PIDGATE_RACES'] ?? 12);

describe.each(kinds)('F89 no start is lost, with %s', (_, session) => {
  test.each([1, 2] as const)(
    'F89 a double click, in %i process(es): each flow ends verified',
    async (count) => {
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.nat(6)), async (stream) => {
          const { apps, pick } = await open(() => stream.next().value as number, session, count);
          const [app] = apps;
          const browser = app.browser();
          await browser.post(`${app.url}/login`);
          await app.start(browser); // the kit has the session already, or not
          const wallets = await Promise.all(
            [1, 2].map(async () => await press(pick(), browser, '/identity/start')),
          );
          for (const wallet of wallets) {
            expect((await browser.visit(await decide(wallet, 'approve'))).status).not.toBe(403);
          }
          expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept', null]);
        }),
        { seed, numRuns: runs },
      );
    },
  );

  test.each([1, 2] as const)(
    'F89 a start during a release, in %i process(es): both are kept in the session that the browser ends with',
    async (count) => {
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.nat(6)), fc.nat(40), async (stream, offset) => {
          const { apps, pick } = await open(() => stream.next().value as number, session, count);
          const [app] = apps;
          const browser = app.browser();
          await browser.post(`${app.url}/login`);
          const back = await app.toReturn(browser);
          const starting = async (): Promise<string> => {
            await wait(offset);
            return await press(pick(), browser, '/identity/start/age');
          };
          const [shown, wallet] = await Promise.all([browser.visit(back), starting()]);
          expect(new URL(shown.url).pathname).toBe('/');
          const second = await browser.visit(await decide(wallet, 'approve'));
          expect(new URL(second.url).pathname).toBe('/');
          expect(await shownTo(app, browser)).toEqual(['erika', 1, 'kept', 'of age']);
        }),
        { seed, numRuns: runs },
      );
    },
  );
});

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type AppSetup, noCode, type Running, startApp, testClock } from '../support/app.js';
import type { Browser, Shown } from '../support/browser.js';
import { listen } from '../support/lines.js';

type Visit = (app: Running, browser: Browser, back: string) => Promise<Shown>;

/** What came, what the person reads, and what the operator does: of each kind the sentence begins so. */
const kinds: [what: string, visit: Visit, title: string, line: string][] = [
  [
    'no cookie came',
    async (app, _browser, back) => await app.browser().visit(back),
    'Please start again in the browser where you began',
    'a return brought no session cookie',
  ],
  [
    'a cookie came that names no stored session',
    async (app, browser, back) => {
      app.sessions.clear();
      return await browser.visit(back);
    },
    'Your session has ended',
    'a return brought the cookie of a session that is not stored',
  ],
  [
    'a session that is not the owner’s',
    async (app, _browser, back) => {
      const other = app.browser();
      await app.start(other);
      return await other.visit(back);
    },
    'Please start again in the browser where you began',
    'a return came to a session that has not started this verification',
  ],
  [
    'the session’s own flow, with a code that does not fit',
    async (_app, browser, back) => await browser.visit(`${back.slice(0, -43)}${'A'.repeat(43)}`),
    'This verification has ended',
    'a return of its own session came with a code that does not fit',
  ],
  [
    'no code in the address',
    async (_app, browser, back) => await browser.visit(back.split('?', 1)[0] ?? ''),
    'This address is incomplete',
    'a return came without its code',
  ],
  [
    'an address in lower case',
    async (_app, browser, back) => await browser.visit(back.toLowerCase()),
    'This address is incomplete',
    'a return came with its address in lower case',
  ],
];

describe('F101 the return says what it knows', () => {
  const mode = process.env['NODE_ENV'];
  beforeEach(() => void jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined));
  afterEach(() => {
    process.env['NODE_ENV'] = mode;
    jest.restoreAllMocks();
  });

  async function open(now: string, setup: AppSetup = {}) {
    process.env['NODE_ENV'] = now;
    const { lines, logger } = listen();
    const clock = testClock();
    const app = await startApp({ ...setup, options: { logger, clock, ...setup.options } });
    return { app, lines, clock };
  }

  test.each(kinds)('F101 %s: a title of its own, and one line a minute', async (_, visit, title, line) => {
    const { app, lines, clock } = await open('test');
    const browser = app.browser();
    const back = await app.toReturn(browser);
    const shown = await visit(app, browser, back);
    expect([shown.status, /<h1>([^<]*)</.exec(shown.text)?.[1]]).toEqual([403, title]);
    const said = (): string[] => lines.filter((it) => it.includes(line));
    expect(said()).toHaveLength(1);
    await visit(app, browser, back);
    expect(said()).toHaveLength(1);
    clock.forward(60_000);
    await visit(app, browser, back);
    expect(said()).toHaveLength(2);
    expect(lines.join()).not.toContain(new URL(back).searchParams.get('code') ?? '-');
    expect(shown.text).not.toContain('For the developer');
  });

  test.each(kinds)('F101 %s: in development the page has the sentence', async (_, visit, _title, line) => {
    const { app } = await open('development');
    const browser = app.browser();
    const shown = await visit(app, browser, await app.toReturn(browser));
    expect(shown.text).toContain('For the developer');
    expect(shown.text).toContain(line);
  });

  test('F101 an unknown code says the same as one that exists: only the own request decides', async () => {
    const { app } = await open('test');
    const browser = app.browser();
    const back = await app.toReturn(browser);
    const stranger = app.browser();
    await app.start(stranger);
    const pages = [
      await stranger.visit(`${app.url}/identity/return?code=${noCode}`),
      await stranger.visit(back),
    ];
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });

  test('F101 a proxy that drops Origin and Sec-Fetch at the start: said to the person, and once a minute', async () => {
    const { app, lines } = await open('test', {
      before: (its) =>
        its.use((req, _res, next) => {
          delete req.headers.origin;
          delete req.headers['sec-fetch-site'];
          next();
        }),
    });
    const browser = app.browser();
    for (let times = 0; times < 3; times += 1) {
      const shown = await browser.post(`${app.url}/identity/start`);
      expect([shown.status, shown.text.includes('Pressing again may not help')]).toEqual([403, true]);
    }
    expect(lines.filter((it) => it.includes('a start came without Origin and Sec-Fetch-Site'))).toHaveLength(
      1,
    );
    // Without the mark of the kit's own page it may be a program, and is no proxy's fault.
    const bare = await browser.post(`${app.url}/identity/start`, { a: '1' });
    expect(bare.text).not.toContain('Pressing again may not help');
  });
});

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { supportCodeOf } from '../../lib/internal/support-code.js';
import { IdentityError, memoryStore } from '../../lib/index.js';
import { failed } from '../service/service.js';
import {
  type AppSetup,
  noCode,
  openSandbox,
  type Running,
  startApp,
  testClock,
  throws,
} from '../support/app.js';
import { startAsking } from '../support/asked-service.js';
import type { Browser, Shown } from '../support/browser.js';
import { callbackApps, type CallbackSetup } from '../support/callbacks.js';

import { deep } from '../support/deep.js';
import { listen } from '../support/lines.js';
import { inMode } from '../support/mode.js';
import { cuttableStore } from '../support/stores.js';

describe('operator log', () => {
  /** A logger whose methods need their `this`, as many have. */
  function listen() {
    class OwnLogger {
      readonly lines: string[] = [];
      error(...said: unknown[]): void {
        this.lines.push(`error ${JSON.stringify(said)}`);
      }
      warn(...said: unknown[]): void {
        this.lines.push(`warn ${JSON.stringify(said)}`);
      }
    }
    const logger = new OwnLogger();
    return { lines: logger.lines, logger };
  }

  const line = (
    level: string,
    code: string,
    sentence: string,
    where = '[\\w-]{9}, question default',
  ): RegExp =>
    new RegExp(
      `^${level} \\["pidgate: ${code} \\(flow ${where}\\)\\. ${sentence} See npx pidgate explain ${code}"\\]$`,
    );

  describe("F61 an operator's faults", () => {
    afterEach(() => void jest.restoreAllMocks());

    const asking = async (options: Record<string, unknown>) => await startAsking({ options });

    test("F61 a refused API key is one line a minute, and the service's words are not in it", async () => {
      const { lines, logger } = listen();
      const clock = testClock();
      const app = await asking({ logger, clock, store: memoryStore({ clock }) });
      app.service.answers(failed(401, 'error_api_key', 'marker-inside'));
      const press = async (): Promise<number> =>
        (await app.browser().post(`${app.url}/identity/start`)).status;
      expect([await press(), await press()]).toEqual([502, 502]);
      clock.forward(59_999);
      await press();
      const refused = 'The service reported error_api_key: the API key is missing or not valid\\.';
      expect(lines).toEqual([expect.stringMatching(line('error', 'error_api_key', refused))]);
      clock.forward(1);
      await press();
      expect(lines).toHaveLength(2);
      app.service.answers(failed(500, 'error_made_up', 'marker-inside'));
      await press();
      expect(lines[2]).toMatch(line('warn', 'service_error', 'The service reported an error\\.'));
      expect(lines.join('\n')).not.toMatch(/marker|made_up|http/);
    });

    describe('F61 verifications that never come back', () => {
      const appWith = callbackApps();

      async function open() {
        const { lines, logger } = listen();
        const app = await appWith({ options: { logger } });
        const browser = app.browser();
        const start = async (times: number): Promise<void> => {
          for (let time = 0; time < times; time += 1) await app.start(browser);
        };
        return { app, lines, start };
      }
      const told = (count: number): string =>
        `warn ["pidgate: ${count} verifications were started and none was answered: ` +
        `is the callback's address right in the service's portal?"]`;

      test('F61 one line once many are older than a flow, and at most one an hour', async () => {
        const { app, lines, start } = await open();
        await start(45);
        expect(lines).toEqual([]); // people are still in their wallets
        app.clock.forward(10 * 60_000);
        await start(1);
        expect(lines).toEqual([told(46)]);
        app.clock.forward(60 * 60_000 - 1);
        await start(1);
        expect(lines).toHaveLength(1);
        app.clock.forward(1);
        await start(1);
        expect(lines).toEqual([told(46), told(48)]);
      });

      deep.test.each([
        ['a good presentation', { presentation: 'good' }, undefined],
        ['a bad one', { presentation: 'bad' }, undefined],
        ['one that comes too late', { presentation: 'good' }, 11 * 60_000],
      ])('F61 not after %s', async (_what, form, late = 0) => {
        const { app, lines, start } = await open();
        const { state } = await app.begin();
        await start(38);
        app.clock.forward(late);
        await app.deliver({ ...form, state });
        await start(1);
        app.clock.forward(10 * 60_000);
        await start(38);
        expect(lines.filter((each) => each.includes('none was answered'))).toEqual([]);
        await start(1);
        expect(lines.at(-1)).toBe(told(40));
      });

      test('F61 a start that fails, and a callback that no flow takes, are no answers', async () => {
        const { lines, logger } = listen();
        let status = 200;
        const service = () =>
          Response.json({ success: true, redirect_url: 'https://wallet.example/' }, { status });
        const app = await appWith({ options: { logger, fetch: service } });
        const browser = app.browser();
        for (let time = 0; time < 39; time += 1) await app.start(browser);
        app.clock.forward(10 * 60_000);
        status = 500;
        expect((await browser.post(`${app.url}/identity/start`)).status).toBe(502);
        expect((await app.deliver({ presentation: 'good', error: 'x' })).status).toBe(400);
        status = 200;
        await app.start(browser);
        expect(lines.at(-1)).toBe(told(40));
      });

      test('F61 few that were started long ago are no line', async () => {
        const { app, lines, start } = await open();
        await start(20);
        app.clock.forward(24 * 60 * 60_000);
        await start(19);
        expect(lines).toEqual([]);
      });
    });

    test('F61 without a logger it is the console, and false silences it', async () => {
      const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
      const loud = await asking({ logger: undefined });
      loud.service.answers(failed(401, 'error_account'));
      await loud.browser().post(`${loud.url}/identity/start`);
      expect(said.mock.calls).toEqual([[expect.stringMatching(/^pidgate: error_account \(flow /)]]);
      const silent = await asking({ logger: false });
      silent.service.answers(failed(401, 'error_account'));
      await silent.browser().post(`${silent.url}/identity/start`);
      expect(said).toHaveBeenCalledTimes(1);
    });

    test.each([
      ['throws', throws()],
      ['rejects', async () => await Promise.reject(new Error('marker'))],
    ])('F61 a logger that %s changes nothing', async (_how, write) => {
      const app = await asking({ logger: { error: write, warn: write } });
      app.service.answers(failed(401, 'error_api_key'));
      expect((await app.browser().post(`${app.url}/identity/start`)).status).toBe(502);
    });

    test('F61 what is wrong in the request alone is not written', async () => {
      const { lines, logger } = listen();
      const app = await asking({ logger });
      const browser = app.browser();
      for (const address of ['/start?returnTo=//evil.example', '/return?error=hook_failed']) {
        await browser.get(`${app.url}/identity${address}`);
      }
      await app.callback({ error: 'access_denied', state: 'junk' });
      await browser.post(`${app.url}/identity/start`, {}, { 'sec-fetch-site': 'cross-site' });
      expect(lines).toEqual([]);
    });
  });

  describe('F61 faults of hooks, keys and stores', () => {
    const open = callbackApps();
    const fails = throws(Object.assign(new RangeError('marker Erika Mustermann'), { code: 'MARKER' }));
    const keysAway = throws(new IdentityError('keys_unavailable', { cause: new Error('marker') }));

    test.each<[string, CallbackSetup, string, string]>([
      ['onVerified', { hooks: { onVerified: fails } }, 'good', 'hook_failed'],
      ['onError', { hooks: { onError: fails } }, 'junk', 'hook_failed'],
      ['an own verifier', { judge: fails }, 'good', 'hook_failed'],
      ['onEvent', { options: { onEvent: fails } }, 'good', 'hook_failed'],
      ['the key server', { judge: keysAway }, 'good', 'keys_unavailable'],
    ])('F61 %s: one line, without the cause', async (what, setup, presentation, code) => {
      const { lines, logger } = listen();
      const app = await open({ ...setup, options: { ...setup.options, logger } });
      const begun = await app.begin();
      for (let times = 0; times < 3; times += 1) await app.deliver({ presentation, state: begun.state });
      const told = lines.filter((it) => !it.includes('presentation_invalid')); // F67 has that one
      expect(told).toHaveLength(1);
      const about = `( \\(flow ${supportCodeOf(begun.flow)}, question default\\))?`;
      expect(told[0]).toMatch(new RegExp(`^error \\["pidgate: ${code}${about}\\. [A-Z][^"]+\\. See`));
      expect(told[0]).not.toContain('marker');
      expect(told[0]?.includes(`The hook ${what} failed.`)).toBe(what.startsWith('on'));
    });

    test('F61 a flow store that is away', async () => {
      const { lines, logger } = listen();
      const { store, cut } = cuttableStore();
      const app = await open({ options: { logger, store } });
      const begun = await app.begin();
      cut('read');
      expect((await app.deliver({ presentation: 'good', state: begun.state })).status).toBe(503);
      await app.statusOf(begun);
      expect(lines).toEqual([
        expect.stringMatching(
          /^error \["pidgate: store_unavailable\. The flow store failed \(ECONNREFUSED\)\. See npx pidgate explain \w+"\]$/,
        ),
      ]);
    });

    test('F61 in development with the class of what was thrown too', async () => {
      const { lines, logger } = listen();
      const setup = { hooks: { onVerified: fails }, options: { logger } };
      const app = await inMode('development', async () => await open(setup));
      const begun = await app.begin();
      await app.deliver({ presentation: 'good', state: begun.state });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain('. The hook onVerified failed. It threw RangeError. See ');
      expect(lines[0]).not.toContain('marker');
    });

    test('F61 a redirectTo that leads elsewhere is named once, and not told', async () => {
      const { lines, logger } = listen();
      const app = await open({
        hooks: { onVerified: () => ({ redirectTo: 'https://marker.example/' }) },
        options: { logger },
      });
      for (const _time of [1, 2]) {
        const begun = await app.begin();
        await app.deliver({ presentation: 'good', state: begun.state });
      }
      expect(lines).toEqual([
        'warn ["pidgate: onVerified returned a redirectTo that is no path of this app: it is ignored. Return a path such as /welcome; a route of yours there may redirect to another site."]',
      ]);
    });

    test('F61 a keep that JSON does not survive is named', async () => {
      const { lines, logger } = listen();
      const app = await open({ options: { logger, keep: () => ({ seen: new Map([['marker', 1]]) }) } });
      const { back, browser } = await app.verified();
      expect((await browser.get(back)).status).toBe(303);
      expect(lines).toEqual([
        'warn ["pidgate: keep returned a value that JSON does not preserve: it is missing or empty in the session."]',
      ]);
    });

    test('F61 a keep that JSON cannot write is hook_failed, and nothing is kept', async () => {
      const { lines, logger } = listen();
      const told: string[] = [];
      const onError = ({ error }: { error: Error }): void => void told.push(error.message);
      const app = await open({ hooks: { onError }, options: { logger, keep: () => ({ big: 1n }) } });
      const { back, flow, browser } = await app.verified();
      const shown = await browser.get(back);
      expect([shown.status, shown.text.includes('<code>hook_failed</code>')]).toEqual([500, true]);
      expect(app.ran).toEqual(['onError return hook_failed']);
      expect(told).toEqual(['The value returned by keep cannot be serialized as JSON.']);
      const sentence = 'The value returned by keep cannot be serialized as JSON\\.';
      const about = `${supportCodeOf(flow)}, question default`;
      expect(lines).toEqual([expect.stringMatching(line('error', 'hook_failed', sentence, about))]);
    });
  });
});

describe('refusal log', () => {
  type Mode = 'production' | 'development';

  /** The line without what differs: the flow, and in development the address of the sandbox's page of the code. */
  const plain = (line: string | undefined): string | undefined =>
    line
      ?.replace(/flow [\w-]{9}/, 'flow F')
      .replace(/http:\/\/127\.0\.0\.1:\d+\/errors\//, 'npx pidgate explain ');

  /** An app whose trust entry asks for another type of credential than the wallets have. */
  async function openMisfit(mode: Mode | undefined) {
    const { lines, logger } = listen();
    const clock = testClock();
    const sandbox = await openSandbox({ wait: async () => {} });
    const { 'xx-sandbox': entry } = sandbox.options.trust;
    const trust = { 'xx-sandbox': { ...entry, vct: ['urn:eudi:pid:xx:9'] } };
    const options = { clock, logger, allowSandbox: true, trust };
    const app = await inMode(mode, async () => startApp({ sandbox, options }));
    sandbox.redirectUrl = `${app.url}/identity/callback`;
    /** A whole way through the wallet; returns where the browser ends. */
    const go = async (): Promise<{ text: string; url: string }> => {
      const { browser, back } = await app.waiting();
      return await browser.visit(back);
    };
    return { app, clock, lines, go };
  }

  const sentence = 'C02: The credential is not of the type (vct) urn:eudi:pid:xx:9.';
  const page = 'See npx pidgate explain presentation_invalid';

  describe('F67 a trust entry that does not fit', () => {
    deep.test.each<Mode | undefined>(['production', undefined])(
      'F67 is one line per number and minute, with the sentence, and after ten it says so (NODE_ENV %s)',
      async (mode) => {
        const { lines, clock, go } = await openMisfit(mode);
        const line = `warn pidgate: presentation_invalid (flow F, question default). ${sentence} ${page}`;
        for (let times = 0; times < 9; times += 1) await go();
        expect(lines.map(plain)).toEqual([line]);
        const { text, url } = await go();
        const all = `warn pidgate: presentation_invalid (question default): all fail with C02: the trust entry does not match. ${page}`;
        expect(lines.map(plain)).toEqual([line, all]);
        expect(url).toMatch(/\?error=presentation_invalid&flow=[\w-]+$/);
        expect(text).not.toMatch(/C02|developer/);
        clock.forward(60_000);
        await go();
        expect(lines.map(plain)).toEqual([line, all, line, all]);
      },
    );

    test('F67 in development the page says it too, to the browser whose flow it was and to no other', async () => {
      const { app, lines, go } = await openMisfit('development');
      const { text, url } = await go();
      const link = /Every step and check: <a href="http:\/\/127\.0\.0\.1:\d+\/timeline\/[\w-]{9}">/;
      expect(text).toContain(`For the developer: ${sentence} Every step and check: `);
      expect(text).toMatch(link);
      expect(plain(lines.at(-1))).toBe(
        `warn pidgate: presentation_invalid (flow F, question default). ${sentence} ${page}`,
      );
      for (const address of [url, url.replace('presentation_invalid', 'refused')]) {
        expect((await app.browser().get(address)).text).not.toContain('C02');
      }
    });
  });

  describe('F67 what is counted', () => {
    const open = callbackApps();
    const refusing = (check: string) =>
      ({ valid: false, check, reason: 'Erika Mustermann, marker' }) as const;

    deep.test(
      "F67 of a customer's verifier there is neither its reason nor its number, in any mode",
      async () => {
        for (const mode of ['production', 'development', undefined] as const) {
          const { lines, logger } = listen();
          const told: string[] = [];
          const onError = ({ error }: { error: IdentityError }): void => void told.push(error.message);
          const app = await inMode(mode, async () =>
            open({ judge: () => refusing('B07'), hooks: { onError }, options: { logger } }),
          );
          for (let times = 0; times < 12; times += 1) {
            const begun = await app.begin();
            await app.deliver({ presentation: `bad ${times}`, state: begun.state });
          }
          expect(lines.map(plain)).toEqual([
            `warn pidgate: presentation_invalid (flow F, question default). The presentation failed a check. ${page}`,
          ]);
          expect(told[0]).toBe('B07: Erika Mustermann, marker');
        }
      },
    );

    test('F67 an IdentityError that a verifier throws is told by the sentence of its code', async () => {
      const { lines, logger } = listen();
      const fault = { message: 'marker Erika', check: 'marker', cause: 'marker' };
      const judge = throws(new IdentityError('keys_unavailable', fault));
      const app = await open({ judge, options: { logger } });
      const begun = await app.begin();
      await app.deliver({ presentation: 'good', state: begun.state });
      expect(lines.map(plain)).toEqual([
        "error pidgate: keys_unavailable (flow F, question default). The issuer's keys could not be fetched. See npx pidgate explain keys_unavailable",
      ]);
    });

    test("F67 a system code is told, and no other code of the app's", async () => {
      for (const [code, shown] of [
        ['ECONNREFUSED', ' (ECONNREFUSED)'],
        ['MARKER', ''],
      ]) {
        const { lines, logger } = listen();
        const onVerified = throws(Object.assign(new Error('marker Erika'), { code }));
        const app = await open({ hooks: { onVerified }, options: { logger } });
        const begun = await app.begin();
        await app.deliver({ presentation: 'good', state: begun.state });
        expect(lines.map(plain)).toEqual([
          `error pidgate: hook_failed (flow F, question default). The hook onVerified failed${shown}. See npx pidgate explain hook_failed`,
        ]);
      }
    });
  });

  test("F67 production lines have the service's fault in the kit's sentence, and a system code", async () => {
    const { lines, logger } = listen();
    const app = await startAsking({ options: { logger } });
    const press = async (): Promise<unknown> => await app.browser().post(`${app.url}/identity/start`);
    app.service.answers(failed(401, 'error_api_key', 'marker-inside'));
    await press();
    app.service.answers(failed(500, 'erika_mustermann', 'marker-inside'));
    await press();
    await app.service.stop();
    await press();
    await app.close().catch(() => undefined);
    expect(lines.map(plain)).toEqual([
      'error pidgate: error_api_key (flow F, question default). The service reported error_api_key: the API key is missing or not valid. See npx pidgate explain error_api_key',
      'warn pidgate: service_error (flow F, question default). The service reported an error. See npx pidgate explain service_error',
      'error pidgate: service_unreachable (flow F, question default). The service could not be reached (ECONNREFUSED). See npx pidgate explain service_unreachable',
    ]);
  });
});

describe('why refused', () => {
  type Visit = (app: Running, browser: Browser, back: string) => Promise<Shown>;

  /** What came, what the person reads, and what the operator does: of each kind the sentence begins so. */
  const kinds: [what: string, visit: Visit, title: string, line: string][] = [
    [
      'no cookie came',
      async (app, _browser, back) => await app.browser().visit(back),
      'Your wallet opened a different browser',
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
      'Your wallet opened a different browser',
      'a return came to a session that has not started this verification',
    ],
    [
      'the session’s own flow, with a code that does not fit',
      async (_app, browser, back) => await browser.visit(`${back.slice(0, -43)}${'A'.repeat(43)}`),
      'This verification has ended',
      'this session began the flow, but the code in the address is not its code',
    ],
    [
      'no code in the address',
      async (_app, browser, back) => await browser.visit(back.split('?', 1)[0] ?? ''),
      'This address is incomplete',
      'a return came without its code',
    ],
    [
      'more than a code in the address',
      async (_app, browser, back) => await browser.visit(`${back}.`),
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
      expect(said()).toEqual([expect.stringMatching(/\. See npx pidgate explain return_code_invalid$/)]);
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
      const evil = 'https://evil.example';
      const { app, lines } = await open('test', {
        before: (its) =>
          its.use((req, _res, next) => {
            if (req.headers.origin !== evil) delete req.headers.origin;
            delete req.headers['sec-fetch-site'];
            next();
          }),
      });
      const browser = app.browser();
      for (let times = 0; times < 3; times += 1) {
        const shown = await browser.post(`${app.url}/identity/start`);
        expect([
          shown.status,
          shown.text.includes('We could not confirm that you started this yourself'),
        ]).toEqual([403, true]);
      }
      expect(
        lines.filter((it) => it.includes('a start came without Origin and Sec-Fetch-Site')),
      ).toHaveLength(1);
      // Without the mark of the kit's own page it may be a program, and what names an origin came from there.
      const bare = await browser.post(`${app.url}/identity/start`, { a: '1' });
      const foreign = await browser.post(`${app.url}/identity/start`, undefined, { origin: evil });
      for (const { status, text } of [bare, foreign]) {
        expect([status, text.includes('Pressing it again may not help')]).toEqual([403, false]);
      }
    });
  });
});

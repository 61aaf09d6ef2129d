import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { IdentityError, memoryStore } from '../../lib/index.js';
import { inMode } from '../support/mode.js';
import { failed } from '../service/service.js';
import { startAsking } from '../support/asked-service.js';
import { type CallbackSetup, callbackApps } from '../support/callbacks.js';
import { throws } from '../support/app.js';
import { testClock } from '../support/clock.js';
import { cuttableStore } from '../support/stores.js';

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

const line = (level: string, code: string, sentence: string, where = '[\\w-]{43}, request default'): RegExp =>
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
    const press = async (): Promise<number> => (await app.browser().post(`${app.url}/identity/start`)).status;
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

    test.each([
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
    const about = `( \\(flow ${begun.flow}, request default\\))?`;
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
      'warn ["pidgate: onVerified returned a redirectTo that is no path of this app: it is ignored."]',
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
    const about = `${flow}, request default`;
    expect(lines).toEqual([expect.stringMatching(line('error', 'hook_failed', sentence, about))]);
  });
});

import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { lockMs } from '../../lib/flow/lock.js';
import { type IdentityError, memoryStore } from '../../lib/index.js';
import { attributeIds } from '../../lib/types/attributes.js';
import { type Running, startApp, testClock } from '../support/app.js';
import type { Shown } from '../support/browser.js';
import { decide } from '../support/wallet.js';
import { closeAfter } from '../support/close-after.js';
import { storeAround } from '../support/stores.js';
import { openedSessions } from '../support/sealed.js';

const apiKey = 'marker-api-key-5f1c';
const context = { order: 'marker-context-77ab' };
const attributes = ['Erika', 'Mustermann', '1964-08-12'];

/** Everything secret or personal that came by, and everything that was said. */
interface Overheard {
  readonly secrets: Set<string>;
  readonly said: string[];
}

/** An answer of the app, to a browser or to the service. */
type Answer = Pick<Shown, 'text' | 'headers'>;

const headersOf = ({ headers }: Answer): string =>
  [...headers].map(([name, value]) => `${name}: ${value} ${decoded(value)}`).join('\n');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function answerOf(reply: Response): Promise<Answer> {
  return { headers: reply.headers, text: await reply.text() };
}

describe('words', () => {
  afterEach(() => void jest.restoreAllMocks());

  async function open(options: Record<string, unknown> = {}): Promise<{ app: Running; heard: Overheard }> {
    const heard: Overheard = { secrets: new Set([apiKey, context.order, ...attributes]), said: [] };
    const say = (...words: unknown[]): void => {
      heard.said.push(
        words.map((word) => (typeof word === 'string' ? word : inspect(word, { depth: 9 }))).join(' '),
      );
    };
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      jest.spyOn(console, method).mockImplementation(say);
    }
    jest.spyOn(process, 'emitWarning').mockImplementation(say);
    subscribe('pidgate', say);
    const app = await startApp({
      wallet: { apiKey, fetch: overhear(heard, globalThis.fetch), wait: async () => {} },
      options: {
        reveal: attributeIds,
        context: () => context,
        keep: () => 'nothing personal',
        fetch: overhear(heard, globalThis.fetch),
        logger: console,
        onEvent: say,
        onError: ({ error }: { error: IdentityError }) => {
          const shown = inspect(error, { depth: 9, showHidden: true });
          say(error.message, error.stack ?? '', JSON.stringify(error), shown);
        },
        ...options,
      },
    });
    closeAfter(() => unsubscribe('pidgate', say));
    return { app, heard };
  }

  /** Nothing secret was said, and none of it stands in an answer: neither in its text nor in a header of it. */
  function expectSilence({ secrets, said }: Overheard, ...pages: readonly (Answer | string)[]): void {
    const texts = [
      ...said,
      ...pages.flatMap((it) => (typeof it === 'string' ? it : [it.text, headersOf(it)])),
    ];
    expect(texts.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      for (const text of texts) expect(text).not.toContain(secret);
    }
  }

  test('F38 a console.log of a result shows names, and of each value [hidden]', async () => {
    const { app, heard } = await open({
      derived: { nationality: 'DE' },
      onVerified: ({ result }: { result: unknown }) => console.log(result),
      onSuccess: ({ result }: { result: unknown }) => console.log('%o', inspect(result, { depth: 9 })),
    });
    await app.released();
    const printed = heard.said.filter((text) => text.includes('[hidden]'));
    expect(printed).toHaveLength(2);
    for (const text of printed) expect(text).toMatch(/birth_date: '?\[hidden\]/);
    for (const value of attributes) expect(heard.said.join('\n')).not.toContain(value);
  });

  test('F38 the presentation comes to onVerified by its name, and nowhere else', async () => {
    const archived: string[] = [];
    const spans: unknown[] = [];
    const span = (message: unknown): void =>
      void spans.push(inspect(message, { depth: 9, showHidden: true }));
    const traces = tracingChannel<unknown>('pidgate:hook');
    const listeners = { start: span, end: span, asyncStart: span, asyncEnd: span, error: span };
    traces.subscribe(listeners);
    closeAfter(() => traces.unsubscribe(listeners));
    let broken = true;
    const look = (args: Record<string, unknown>): void => {
      console.log(args, inspect(args, { depth: 9, showHidden: true, getters: true }));
      console.log('%o %O %j', args, { args }, { args: { ...args, result: undefined } });
    };
    const { app, heard } = await open({
      context: undefined, // what this app prints itself
      onVerified: (args: Record<string, unknown>) => {
        look(args);
        archived.push(String(args['presentation']));
        if (broken) throw new Error('The archive is away', { cause: args });
      },
      onSuccess: ({ req: _req, ...args }: Record<string, unknown>) => {
        look(args);
        archived.push(String('presentation' in args));
      },
    });
    const browser = app.browser();
    await browser.get(await app.toReturn(browser)); // the page of the error
    const { state, presentation } = lastCallback(heard);
    broken = false;
    const reply = await answerOf(await app.callback({ state, presentation }));
    const { redirect_uri } = JSON.parse(reply.text) as { redirect_uri: string };
    const released = await browser.get(redirect_uri);
    expect(archived).toEqual([presentation, presentation, 'false']);
    expect(heard.said.filter((text) => text.includes('presentation: [hidden]'))).not.toEqual([]);
    expect(spans.length).toBeGreaterThan(0);
    for (const text of [...heard.said, ...spans]) expect(text).not.toContain(presentation);
    expect(JSON.stringify([...app.events, app.stored(), openedSessions(app)])).not.toContain(presentation);
    expectSilence(heard, released);
  });

  test.each(['error_api_key', 'marker_of_a_stranger'])('F38 a service that refuses with %s', async (code) => {
    const { app, heard } = await open({
      fetch: async (_url: unknown, { body, headers }: { body: string; headers: unknown }) => {
        heard.secrets.add((JSON.parse(body) as { state: string }).state);
        const error_description = `${body} ${JSON.stringify(headers)}`;
        return Response.json({ success: false, error: { error: code, error_description } }, { status: 401 });
      },
    });
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect(shown.status).toBe(502);
    expectSilence(heard, shown);
  });

  test('F38 a service that breaks, quoting the request', async () => {
    const { app, heard } = await open({
      fetch: async (_url: unknown, init: { body: string; headers: unknown }) => {
        throw new TypeError(`Bad header ${JSON.stringify(init.headers)} ${init.body}`, { cause: init });
      },
    });
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect(shown.status).toBe(502);
    expectSilence(heard, shown);
  });

  test('F38 an apiKey function that throws, quoting the key: only its own error, as cause, still does', async () => {
    const causes: unknown[] = [];
    const cause = new Error(`The vault refused ${apiKey}`);
    const { app, heard } = await open({
      apiKey: async () => await Promise.reject(cause),
      onError: ({ error }: { error: IdentityError }) => {
        causes.push(error.cause);
        const { cause: _own, ...rest } = Object.getOwnPropertyDescriptors(error);
        heard.said.push(inspect(rest, { depth: 9, showHidden: true }), JSON.stringify(error), String(error));
      },
    });
    const [browser, program] = [app.browser(), app.browser()];
    const pages = [
      await browser.post(`${app.url}/identity/start`),
      await program.post(`${app.url}/identity/start`, {}, { accept: 'application/json' }),
    ];
    expect(pages.map((it) => it.status)).toEqual([500, 500]);
    expect(causes).toEqual([cause, cause]);
    expect(heard.said.join('\n')).toContain('apiKey: the function failed.');
    expectSilence(heard, ...pages);
  });

  test('F38 an apiKey function whose answer is no key', async () => {
    const { app, heard } = await open({ apiKey: async () => `${apiKey} \u2028` });
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect(shown.status).toBe(500);
    expectSilence(heard, shown);
  });

  test('F38 no header of a whole flow tells anything, but for the return address itself', async () => {
    const { app, heard } = await open();
    const browser = app.browser();
    const started = await browser.post(`${app.url}/identity/start?returnTo=/club`);
    const back = await decide(started.location ?? '', 'approve');
    const { state, presentation } = lastCallback(heard);
    heard.secrets.add(back.split('.').at(-1) ?? '');
    const again = await app.callback({ state, presentation });
    const pages = [started, await app.browser().get(`${app.url}/identity/return?code=x.y`)];
    const released = await browser.get(back);
    pages.push(released, await browser.get(back));
    pages.push(
      await browser.get(`${app.url}/identity/status?flow=${new URL(back).searchParams.get('code')}`),
    );
    expect(pages.map((it) => it.status)).toEqual([303, 403, 303, 303, 404]);
    expect(pages.map((it) => it.headers.getSetCookie().length)).toEqual([1, 0, 1, 0, 0]);
    expect([again.status, released.location]).toEqual([200, `${app.url}/club`]);
    expectSilence(heard, headersOf(await answerOf(again)), ...pages);
  });

  test('F38 presentations that fail a check, at every part', async () => {
    const { app, heard } = await open();
    const { browser, back } = await app.waiting();
    await browser.get(back);
    const { state, presentation } = lastCallback(heard);
    const second = await app.start(browser);
    const fresh = lastState(heard);
    const parts = presentation.split('~');
    for (let index = 0; index < parts.length; index += 1) {
      const changed = parts.map((part, at) => (at === index ? `${part}A` : part)).join('~');
      await app.callback({ state: fresh, presentation: changed });
    }
    await app.callback({ state: fresh, presentation });
    const replies = [
      await app.callback({ state, presentation: 'x' }),
      await app.callback({ state: `${state}A`, presentation }),
      await app.callback(`state=${state}&state=${state}&presentation=${presentation}`),
      await app.callback(`state=${state}&presentation=%ff`),
      await app.callback({ state, presentation, error: 'x' }),
      await app.callback(JSON.stringify({ state, presentation }), { 'content-type': 'application/json' }),
    ];
    expect(second).not.toBe('');
    expect(heard.said.filter((text) => text.includes('presentation_invalid')).length).toBeGreaterThan(3);
    // The lines of the log (F67) are among what was said.
    const line = /^pidgate: presentation_invalid \(flow .*\)\. [A-Z]\d\d: /;
    expect(heard.said.filter((text) => line.test(text))).not.toEqual([]);
    expectSilence(heard, ...(await Promise.all(replies.map(answerOf))));
  });

  test('F38 a wallet that reports an error, quoting the state', async () => {
    const { app, heard } = await open();
    const browser = app.browser();
    await app.start(browser);
    const state = lastState(heard);
    const error_description = `${state} Erika Mustermann`;
    const reply = await app.callback({ state, error: 'user_declined', error_description });
    const answer = await answerOf(reply);
    const { redirect_uri } = JSON.parse(answer.text) as { redirect_uri: string };
    expectSilence(heard, answer, redirect_uri, await browser.get(redirect_uri));
  });

  test('F38 hooks that fail, and returns that are refused', async () => {
    let broken = true;
    const { app, heard } = await open({
      onSuccess: () => {
        if (broken) throw new Error('The database is away');
      },
    });
    const { browser, back } = await app.waiting();
    heard.secrets.add(back.split('.').at(-1) ?? '');
    const pages = [
      await browser.get(back),
      await app.browser().visit(back),
      await browser.visit(back),
      await browser.get(`${app.url}/identity/return?error=${encodeURIComponent('<Erika>')}`),
    ];
    broken = false;
    expect(pages.map((it) => it.status)).toEqual([500, 403, 403, 200]);
    expectSilence(heard, ...pages);
  });

  test('F38 a store that breaks at each step, quoting what it was given', async () => {
    let down = '';
    const clock = testClock();
    const store = storeAround(async (call, work, args) => {
      if (down === call) throw Object.assign(new Error(`Failed: ${args.join(' ')}`), { command: args });
      return await work();
    }, memoryStore({ clock }));
    const { app, heard } = await open({ store, clock });
    const browser = app.browser();
    down = 'create';
    const pages = [await browser.post(`${app.url}/identity/start`)];
    down = '';
    const back = await app.toReturn(browser);
    heard.secrets.add(back.split('.').at(-1) ?? '');
    const { state, presentation } = lastCallback(heard);
    down = 'read';
    const reply = await app.callback({ state, presentation });
    expect(reply.status).toBe(503);
    pages.push(await browser.get(back));
    clock.forward(lockMs(10_000)); // a lock that cannot be read is not given back
    down = 'replace';
    pages.push(await browser.get(back)); // the result is released, and its flow cannot be closed
    expect(pages.map((it) => it.status)).toEqual([503, 503, 303]);
    expectSilence(heard, await answerOf(reply), ...pages);
    down = '';
    expect((await browser.get(back)).status).toBe(303);
  });
});

/** Notes the secrets in what is sent: the state to the service, the callback to the app. */
function overhear(heard: Overheard, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (url, init) => {
    const sentBody = init?.body;
    const body = sentBody instanceof URLSearchParams ? sentBody.toString() : ((sentBody ?? '') as string);
    const sent = body.startsWith('{')
      ? Object.entries(JSON.parse(body) as Record<string, unknown>)
      : [...new URLSearchParams(body)];
    for (const [name, value] of sent) {
      if (name === 'state' || name === 'presentation') heard.secrets.add(String(value));
    }
    return await fetch(url, init);
  };
}

function lastState({ secrets }: Overheard): string {
  return [...secrets].findLast((it) => /^[\w-]{43}$/.test(it)) ?? '';
}

function lastCallback(heard: Overheard): { state: string; presentation: string } {
  const presentation = [...heard.secrets].findLast((it) => it.includes('~')) ?? '';
  return { state: lastState(heard), presentation };
}

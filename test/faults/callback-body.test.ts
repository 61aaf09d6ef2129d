import { gzipSync } from 'node:zlib';
import express, { type Express, type RequestHandler } from 'express';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type Connection, openConnection } from '../lab/fuzz/connection.js';
import { bytesOf, form } from '../lab/fuzz/wire.js';
import {
  type CallbackApp,
  type CallbackSetup,
  type Reply,
  callbackApps,
  turns,
} from '../support/callbacks.js';

const open = callbackApps();

/** Sends bytes as they are; never waits longer than a hang would take to show. */
async function post(
  app: CallbackApp,
  body: RequestInit['body'],
  headers: Record<string, string> = { 'content-type': form },
): Promise<Reply> {
  const signal = AbortSignal.timeout(10_000);
  const init = { method: 'POST', headers, signal, body: body ?? null, duplex: 'half' as const };
  const response = await fetch(`${app.url}/identity/callback`, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as Reply['body'],
  };
}

/** The app is as if nothing had come: no hook ran, nothing was judged, and the flow still takes a good body. */
async function expectUntouched(app: CallbackApp, state: string): Promise<void> {
  expect(app.ran).toEqual([]);
  expect(app.judged).toEqual([]);
  const { status, body } = await app.deliver({ presentation: 'good', state });
  expect([status, body.redirect_uri]).toEqual([200, expect.stringContaining('/identity/return?code=')]);
  expect(app.ran).toEqual(['onVerified']);
}

const hooks = { onVerified: () => undefined };

/** Sends the head of a request, and a part of its body; the rest does not come. */
async function announce(app: CallbackApp, address: string, header: string, some = ''): Promise<Connection> {
  const { host, port } = new URL(app.url);
  const headers = Object.entries({ Host: host, 'Content-Type': form, 'Sec-Fetch-Site': 'same-origin' });
  const connection = await openConnection(Number(port));
  connection.send(bytesOf({ method: 'POST', address, headers, body: Buffer.from(some) }, [header]));
  return connection;
}

type Sent = Parameters<typeof post>[1];

/** Sends a body made of the state, hears that it is refused, and finds the app untouched. */
async function expectRefused(
  body: (state: string) => Sent,
  wanted: Partial<Reply['body']> & { readonly status: number },
  { headers, ...setup }: CallbackSetup & { readonly headers?: Record<string, string> } = {},
): Promise<{ readonly app: CallbackApp; readonly reply: Reply }> {
  const app = await open({ hooks, ...setup });
  const { state } = await app.begin();
  const reply = await post(app, body(state), headers);
  expect({ status: reply.status, ...reply.body }).toMatchObject(wanted);
  await expectUntouched(app, state);
  return { app, reply };
}

const good = (state: string): string => `presentation=good&state=${state}`;
const malformed = { status: 400, error: 'callback_malformed' };

describe('F16 what a callback must be', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('F16 %s gets 405 with Allow', async (method) => {
    const app = await open({ hooks });
    const { state } = await app.begin();
    const response = await fetch(`${app.url}/identity/callback?presentation=good&state=${state}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.json()).toEqual({
      error: 'method_not_allowed',
      error_description: 'This address does not accept this method.',
    });
    await expectUntouched(app, state);
  });

  test.each([
    ['application/json', { 'content-type': 'application/json' }],
    ['multipart/form-data', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a type that begins like the right one', { 'content-type': `${form}x` }],
    ['another charset', { 'content-type': `${form}; charset=iso-8859-1` }],
    ['a quoted other charset', { 'content-type': `${form};charset="utf-16"` }],
    ['an encoding', { 'content-type': form, 'content-encoding': 'br' }],
  ])('F16 %s gets 415', async (_name, headers) => {
    const error_description = 'The body must be application/x-www-form-urlencoded in UTF-8.';
    await expectRefused(
      good,
      { status: 415, error: 'media_type_unsupported', error_description },
      { headers },
    );
  });

  test('F16 no content type at all gets 415', async () => {
    await expectRefused((state) => new TextEncoder().encode(good(state)), { status: 415 }, { headers: {} });
  });

  test('F16 a compressed body is not inflated', async () => {
    const bomb = (state: string): Sent =>
      new Uint8Array(gzipSync(`${good(state)}&x=${'a'.repeat(10_000_000)}`));
    expect((bomb('') as Uint8Array).length).toBeLessThan(20_000);
    await expectRefused(
      bomb,
      { status: 415 },
      { headers: { 'content-type': form, 'content-encoding': 'gzip' } },
    );
  });

  test.each([form, `${form}; charset=UTF-8`, `${form};charset="utf-8"`, form.toUpperCase()])(
    'F16 %s is taken',
    async (type) => {
      const app = await open();
      const { state } = await app.begin();
      const { status, body } = await post(app, good(state), { 'content-type': type });
      expect([status, body.redirect_uri]).toEqual([200, expect.stringContaining('?code=')]);
    },
  );

  test.each([
    ['by default', 64, {}],
    ['at most', 256, { limits: { callbackBytes: 256 * 1024 } }],
  ])('F16 %s %i kB are read to the last byte, and one byte more is 413', async (_how, size, options) => {
    const app = await open({ options });
    const { state } = await app.begin();
    const most = size * 1024 - `presentation=good&state=${state}`.length;
    const fits = `presentation=good${'d'.repeat(most)}&state=${state}`;
    expect(fits).toHaveLength(size * 1024);
    const over = await post(app, `${fits}x`);
    expect([over.status, over.body]).toEqual([
      413,
      { error: 'callback_too_large', error_description: 'The callback is larger than the limit.' },
    ]);
    expect(app.judged).toEqual([]);
    expect((await post(app, fits)).body.redirect_uri).toContain('?code=');
    expect(app.judged.map((presentation) => presentation.length)).toEqual([most + 4]);
  });

  test('F16 a body that does not tell its length is cut off at the limit', async () => {
    const chunks = function* (state: string) {
      yield new TextEncoder().encode(`state=${state}&presentation=good`);
      for (let chunk = 0; chunk < 20; chunk += 1) yield new TextEncoder().encode('d'.repeat(100));
    };
    const options = { limits: { callbackBytes: 1_000 } };
    await expectRefused((state) => ReadableStream.from(chunks(state)), { status: 413 }, { options });
  });

  test.each([
    ['a cut percent-escape', 'presentation=good%4'],
    ['a lone percent', 'presentation=100%'],
    ['a percent-escape that is none', 'presentation=good%zz'],
    ['a name with a broken escape', 'presentation=good&%=1'],
    ['bytes that are not UTF-8', 'presentation=good%ff'],
    ['an overlong encoding', 'presentation=good%c0%af'],
    ['a surrogate', 'presentation=good%ed%a0%80'],
  ])('F16 %s is 400, not repaired', async (_name, text) => {
    await expectRefused((state) => `${text}&state=${state}`, malformed);
  });

  test('F16 a raw byte that is not UTF-8 is 400', async () => {
    await expectRefused((state) => new Uint8Array([...Buffer.from(good(state)), 0xff]), malformed);
  });

  test('F16 sixteen parameters are read, a seventeenth is 400', async () => {
    const app = await open();
    const { state } = await app.begin();
    const more = (count: number): string =>
      Array.from({ length: count }, (_, index) => `&x${index}=1`).join('');
    const over = await post(app, `presentation=good&state=${state}${more(15)}`);
    expect([over.status, over.body.error]).toEqual([400, 'callback_malformed']);
    expect(app.judged).toEqual([]);
    expect((await post(app, `presentation=good&state=${state}${more(14)}`)).status).toBe(200);
    expect(app.judged).toEqual(['good']);
  });

  test('F16 an empty body is 400, with and without a length', async () => {
    const app = await open();
    for (const body of ['', ReadableStream.from([])]) {
      const { status, body: told } = await post(app, body);
      expect([status, told.error]).toEqual([400, 'callback_malformed']);
    }
  });
});

/** Bodies that the interface does not allow; STATE stands for the flow's state. */
const mixtures: readonly (readonly [name: string, body: string])[] = [
  ['no state', 'presentation=good'],
  ['two states', 'presentation=good&state=STATE&state=STATE'],
  ['a state in brackets', 'presentation=good&state[]=STATE'],
  ['a state with an index', 'presentation=good&state[0]=STATE'],
  ['a state with a member', 'presentation=good&state[x]=STATE'],
  ['a second state in brackets', 'presentation=good&state=STATE&state[]=STATE'],
  ['encoded brackets', 'presentation=good&state=STATE&state%5Bx%5D=1'],
  ['two presentations', 'presentation=good&presentation=good2&state=STATE'],
  ['a presentation with an index', 'presentation[0]=good&state=STATE'],
  ['two errors', 'error=a&error=b&state=STATE'],
  ['neither presentation nor error', 'state=STATE&hello=1'],
  ['presentation and error', 'presentation=good&error=a&state=STATE'],
  ['presentation and error_description', 'presentation=good&error_description=a&state=STATE'],
  ['an empty presentation', 'presentation=&state=STATE'],
  ['an empty error', 'error=&state=STATE'],
  ['an error of control characters', 'error=%01%02&state=STATE'],
  ['two descriptions', 'error=a&error_description=b&error_description=c&state=STATE'],
  ['only names of Object.prototype', '__proto__=STATE&constructor=1&state=STATE'],
];

describe('F17 exactly one state, and exactly one of presentation and error', () => {
  test.each(mixtures)('F17 %s is 400', async (_name, body) => {
    const error_description = 'The callback is not what a wallet or a service sends.';
    const wanted = { ...malformed, error_description };
    const { app, reply } = await expectRefused((state) => body.replaceAll('STATE', state), wanted);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const refused = { type: 'callback.refused', code: 'callback_malformed' };
    expect(app.events.filter(({ type }) => !type.startsWith('flow.'))).toMatchObject([refused]);
  });
});

const [simple, extended, all] = [{ extended: false }, { extended: true }, { type: '*/*' }];
const several = [express.json(), express.urlencoded(extended), express.raw(all), express.text()];

/** Ways in which an app reads bodies before the kit, that leave something of them. */
const parsers: readonly (readonly [name: string, parse: (app: Express) => unknown])[] = [
  ['express.urlencoded, simple', (app) => app.use(express.urlencoded(simple))],
  ['express.urlencoded, extended', (app) => app.use(express.urlencoded(extended))],
  ['express.json', (app) => app.use(express.json())],
  ['express.raw', (app) => app.use(express.raw())],
  ['express.raw for all types', (app) => app.use(express.raw(all))],
  ['express.text', (app) => app.use(express.text())],
  ['express.text for all types', (app) => app.use(express.text(all))],
  ['all of them', (app) => app.use(...several)],
];

/** Ways to leave nothing. */
const eaters: readonly (readonly [name: string, eat: RequestHandler])[] = [
  [
    'a middleware that reads the stream to its end',
    (req, _res, next) => void req.resume().once('end', () => next()),
  ],
  ['a middleware that has read the beginning', (req, _res, next) => void req.once('data', () => next())],
  ['a middleware that sets an encoding', (req, _res, next) => next(void req.setEncoding('utf8'))],
  [
    'a parser that leaves null',
    (req, _res, next) => void req.resume().once('end', () => next(void Object.assign(req, { body: null }))),
  ],
];

describe('F18 a parser of the app ran before', () => {
  describe.each(parsers)('%s', (_name, parse) => {
    const before = (app: Express): void => {
      app.set('env', 'test'); // a parser of the app that refuses a body is not logged
      parse(app);
    };

    test('F18 a good callback is taken, once', async () => {
      const app = await open({ hooks, before });
      const { state } = await app.begin();
      const first = await post(app, `presentation=good%2B1&state=${state}`);
      expect([first.status, first.body.redirect_uri]).toEqual([200, expect.stringContaining('?code=')]);
      expect((await post(app, `state=${state}&presentation=good%2b1`)).text).toBe(first.text);
      expect(app.judged).toEqual(['good+1']);
      expect(app.ran).toEqual(['onVerified']);
    });

    test('F18 an error callback is taken', async () => {
      const app = await open({ before });
      const { state, flow } = await app.begin();
      const reply = await post(app, `error=error_internal&error_description=a+b&state=${state}`);
      expect([reply.status, reply.body]).toEqual([
        200,
        { redirect_uri: `${app.url}/identity/return?error=error_internal&flow=${flow}` },
      ]);
      expect(app.ran).toEqual(['onError callback error_internal']);
    });

    test.each(mixtures)('F18 %s is 400', async (_mixture, body) => {
      await expectRefused((state) => body.replaceAll('STATE', state), malformed, { before });
    });

    test('F18 a name of Object.prototype beside a good callback changes nothing', async () => {
      const app = await open({ before });
      const { state } = await app.begin();
      const reply = await post(app, `__proto__=1&constructor=2&presentation=good&state=${state}`);
      expect(reply.body.redirect_uri).toContain('?code=');
    });

    test('F18 a state that only a prototype has does not count', async () => {
      const body = (state: string): string => `presentation=good&__proto__[state]=${state}`;
      await expectRefused(body, malformed, { before });
    });

    test.each(['&', '&&', '__proto__=1'])(
      'F59 the body %s is malformed, not a fault of the app',
      async (body) => {
        await expectRefused(() => body, malformed, { before });
      },
    );

    test.each([
      ['with its length', (body: string) => body],
      ['in chunks', (body: string) => ReadableStream.from([new TextEncoder().encode(body)])],
    ])('F54 a body over the limit is 413, sent %s', async (_way, send) => {
      const body = (state: string): Sent => send(`${good(state)}&x=`.padEnd(1_100, 'd'));
      const options = { limits: { callbackBytes: 1_000 } };
      await expectRefused(body, { status: 413, error: 'callback_too_large' }, { before, options });
    });

    test('F18 another charset is refused, whoever reads the bytes', async () => {
      const headers = { 'content-type': `${form}; charset=iso-8859-1` };
      await expectRefused(good, { status: 415 }, { before, headers });
    });
  });

  test('F18 an empty object is a body without parameters', async () => {
    const eat: RequestHandler = (req, _res, next) => {
      req.body = {};
      req.resume().once('end', () => next());
    };
    const app = await open({ hooks, before: (it) => it.use('/identity/callback', eat) });
    const { state } = await app.begin();
    const reply = await post(app, `presentation=good&state=${state}`);
    expect([reply.status, reply.body.error]).toEqual([400, 'callback_malformed']);
    expect(app.ran).toEqual([]);
  });

  test.each(eaters)('F18 %s: a named error says which line to move', async (_name, eat) => {
    const app = await open({ hooks, before: (it) => it.use('/identity/callback', eat) });
    const { state } = await app.begin();
    const reply = await post(app, `presentation=good&state=${state}`);
    expect([reply.status, reply.body.error]).toEqual([500, 'body_consumed']);
    expect(reply.body.error_description).toContain("move the line app.use('/identity', …)");
    expect(app.ran).toEqual([]);
    expect(app.judged).toEqual([]);
  });

  test('F18 a body that breaks off is no callback', async () => {
    const app = await open({ hooks });
    const { state } = await app.begin();
    const connection = await announce(app, '/identity/callback', 'Content-Length: 999', good(state));
    await turns(1);
    await connection.abort(false);
    while (app.events.length < 2) await turns(1);
    expect(app.events.at(-1)).toMatchObject({ type: 'callback.refused', code: 'callback_malformed' });
    await expectUntouched(app, state);
  });
});

const closes = /\r\nconnection: close\r\n/i;

describe('F54 a body that takes too long', () => {
  afterEach(() => void jest.restoreAllMocks());

  /** Makes the ten seconds that a body may take short, and counts how often they begin. */
  function shorten(): { readonly times: () => number } {
    const set = globalThis.setTimeout;
    let times = 0;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...args: []) => {
      if (ms === 10_000) times += 1;
      return set(run, ms === 10_000 ? 20 : ms, ...args);
    }) as typeof setTimeout);
    return { times: () => times };
  }

  test.each([
    ['with a length', 'Content-Length: 999'],
    ['in chunks', 'Transfer-Encoding: chunked'],
  ])('F54 sent %s, it is 400 after ten seconds, and the connection ends', async (_way, header) => {
    const app = await open({ hooks });
    const { state } = await app.begin();
    const { times } = shorten();
    const connection = await announce(app, '/identity/callback', header);
    const reply = await connection.reply('POST');
    expect([reply?.status, JSON.parse(reply?.body ?? '')]).toMatchObject([
      400,
      { error: 'callback_malformed' },
    ]);
    expect(reply?.head).toMatch(closes);
    while (connection.open) await turns(1);
    expect(times()).toBe(1);
    await expectUntouched(app, state);
  });

  test('F54 nor does a start wait for it longer', async () => {
    const app = await open({ hooks });
    shorten();
    const connection = await announce(app, '/identity/start', 'Content-Length: 99');
    expect(await connection.reply('POST')).toMatchObject({ status: 400 });
    await connection.abort(false);
  });
});

describe('F68 a body that is too long by its own Content-Length', () => {
  const announced = async (app: CallbackApp, address: string, length: number, some: string) => {
    const connection = await announce(app, address, `Content-Length: ${length}`, some);
    const reply = await connection.reply('POST');
    await connection.abort(false);
    return [reply?.status, closes.test(reply?.head ?? '')];
  };

  test.each([
    ['/identity/callback', 64 * 1024 + 1, ''],
    ['/identity/callback', 64 * 1024 + 1, 'presentation=good'],
    ['/identity/callback', Number.MAX_SAFE_INTEGER, 'presentation=good'],
    ['/identity/start', 16 * 1024 + 1, 'returnTo='],
  ])('F68 POST %s with %i bytes, of which %j comes, is 413 at once', async (address, length, some) => {
    const app = await open();
    expect(await announced(app, address, length, some)).toEqual([413, true]);
    expect([app.ran, app.judged]).toEqual([[], []]);
  });

  test('F68 where the app has read it, it is 413 too', async () => {
    const parser = express.urlencoded({ extended: false, limit: '1mb' });
    const app = await open({ before: (its) => void its.use(parser) });
    const whole = `presentation=${'x'.repeat(64 * 1024)}&state=x`;
    expect(await announced(app, '/identity/callback', whole.length, whole)).toEqual([413, true]);
  });

  test('F68 a body of just the limit is read', async () => {
    const app = await open({ options: { limits: { callbackBytes: 9 } } });
    expect(await announced(app, '/identity/callback', 9, 'state=x&a')).toEqual([400, false]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { type FlowStore, memoryStore, type Verdict } from '../../lib/index.js';
import { idsOf, login, me, showing, shownTo } from '../support/account.js';
import { identityWith, startApp } from '../support/app.js';
import { type Judge, callbackApps, turns, valid } from '../support/callbacks.js';
import { deep } from '../support/deep.js';

const open = callbackApps();
const minute = 60_000;

describe("F90 a second presentation skips no hook with confirm 'callback'", () => {
  const born = (birth_date: string): Verdict => ({
    valid: true,
    attributes: { given_name: 'Erika', birth_date },
    derived: {},
  });
  const judge: Judge = (presentation) => born(presentation === 'adult' ? '1964-08-12' : '2019-08-12');

  test.each([
    ['a failure of the hook, then another body', ['adult', 'minor']],
    ['the same, the other way round', ['minor', 'adult', 'minor']],
    ['each twice', ['adult', 'adult', 'minor', 'minor']],
  ])('F90 %s: every presentation that is answered with success was judged by the hook', async (_, bodies) => {
    const judged: string[] = [];
    let fails = 1;
    const app = await open({
      confirm: 'callback',
      judge,
      hooks: {
        onSuccess: ({ result }: { result: { attributes: { birth_date: string } } }) => {
          judged.push(result.attributes.birth_date);
          if (result.attributes.birth_date.startsWith('20')) return { refuse: 'too_young' };
          if (fails > 0) {
            fails -= 1;
            throw new Error('a row of the app is locked');
          }
          return undefined;
        },
      },
    });
    const { state } = await app.begin();
    const ends: string[] = [];
    for (const presentation of bodies) {
      const { body } = await app.deliver({ presentation, state });
      ends.push(new URL(body.redirect_uri ?? '').search);
    }
    const succeeded = bodies.filter((_body, index) => ends[index] === '');
    expect(succeeded).not.toContain('minor');
    expect(succeeded.length === 0 || judged.at(-1) === '1964-08-12').toBe(true);
  });

  test('F90 onVerified beside it is config_invalid, in words', () => {
    const options = { confirm: 'callback', onVerified: () => undefined };
    expect(() =>
      identityWith({
        baseUrl: 'https://service.example',
        apiKey: 'key',
        issuer: 'xx-test',
        appUrl: 'https://app.example',
        trust: { 'xx-test': () => valid },
        reveal: ['given_name'],
        ...options,
      }),
    ).toThrow(/onVerified: confirm: 'callback' has one hook, onSuccess/);
  });
});

describe('F93 a clock that was ahead at the release', () => {
  deep.test.each([
    [14 * minute, [200, 'kept']],
    [16 * minute, [303, null]],
    [365 * 24 * 60 * minute, [303, null]],
  ])('F93 by %i ms: what was kept counts only where clocks may differ so much', async (ahead, expected) => {
    const app = await open({
      options: { keep: () => 'kept', keepFor: '10m' },
      after: (its, identity) => {
        me(its, identity);
        its.get('/club', identity.require({ maxAge: '5m' }), (_req, res) => void res.send('open'));
      },
    });
    app.clock.forward(ahead);
    const { browser, back } = await app.verified();
    expect((await browser.get(back)).status).toBe(303);
    app.clock.forward(-ahead);
    const club = await browser.get(`${app.url}/club`);
    expect([club.status, (await browser.get(`${app.url}/me`)).json()]).toEqual(expected);
  });
});

describe('F94 a flow store that answers nonsense', () => {
  const nonsense: [string, unknown][] = [
    ['an empty object', {}],
    ['a value that is no text', { value: 7, version: 1 }],
    ['a version that is no number', { value: 'x', version: '1' }],
    ['a version that is none', { value: 'x', version: Number.NaN }],
    ['a text', 'x'],
    ['a number', 7],
  ];

  test.each(nonsense)('F94 %s is store_unavailable on every route', async (_, answer) => {
    let isBroken = false;
    const inner = memoryStore();
    const store = { ...inner, read: async (id: string) => (isBroken ? answer : await inner.read(id)) };
    const app = await open({ options: { store: store as FlowStore } });
    const { state, flow, browser } = await app.begin();
    const { back } = await app.verified();
    isBroken = true;
    const callback = await app.deliver({ presentation: 'good', state });
    expect([callback.status, callback.body.error]).toEqual([503, 'store_unavailable']);
    const status = await browser.get(`${app.url}/identity/status?flow=${flow}`);
    expect([status.status, status.json()]).toMatchObject([503, { error: 'store_unavailable' }]);
    const page = await browser.get(back);
    expect(page.text).toContain('<html');
    expect([200, 503]).toContain(page.status);
    const own = await browser.get(`${app.url}/identity/return?code=${flow}.${'A'.repeat(43)}`);
    expect([own.status, own.text.includes('Almost done')]).toEqual([503, true]);
    expect((await browser.get(`${app.url}/identity/return?error=refused&flow=${flow}`)).status).toBe(200);
    expect(app.ran.filter((it) => !it.startsWith('onError return store_unavailable'))).toEqual([]);
  });

  test('F94 null is how some drivers say that there is nothing', async () => {
    const inner = memoryStore();
    const store = { ...inner, read: async (id: string) => (await inner.read(id)) ?? null };
    const app = await open({ options: { store: store as FlowStore } });
    const reply = await app.deliver({ presentation: 'good', state: 'A'.repeat(43) });
    expect([reply.status, reply.body.redirect_uri]).toEqual([
      200,
      `${app.url}/identity/return?error=state_unknown`,
    ]);
  });
});

describe('F97 a stranger cannot make hooks run', () => {
  test('F97 a flow of their own under another log-in, and a verdict that cannot be reached: events alone', async () => {
    const app = await open({
      before: login({ user: 'mallory' }),
      options: { subject: (req: { session: { user?: string } }) => req.session.user },
      hooks: { onSuccess: () => undefined },
    });
    const { browser, back } = await app.verified();
    await browser.post(`${app.url}/login`);
    const { state } = await app.begin();
    const events = app.events.length;
    for (let times = 0; times < 20; times += 1) {
      expect((await browser.get(`${back}&reload=1`)).status).toBe(403);
      expect((await app.deliver({ presentation: `away ${times}`, state })).status).toBe(200);
    }
    expect(app.ran).toEqual([]);
    expect(app.events.slice(events).map(({ code }) => code)).toEqual(
      Array.from({ length: 20 }, () => ['subject_changed', 'keys_unavailable']).flat(),
    );
  });
});

describe('F100 one rule for who', () => {
  const who = { subject: (req: { session: { user?: string } }) => req.session.user };

  test.each<[string, string | undefined, string | undefined, boolean]>([
    ['nobody, and nobody', undefined, undefined, true],
    ['the same person', 'anna', 'anna', true],
    ['nobody, and somebody', undefined, 'anna', false],
    ['somebody, and nobody', 'anna', undefined, false],
    ['somebody, and somebody else', 'anna', 'bert', false],
  ])('F100 %s at start and return', async (_, start, back, isReleased) => {
    const app = await startApp({
      options: { ...who, keep: () => 'kept' },
      before: (its) => {
        its.post('/as/:name', (req, res) => {
          const { name } = req.params;
          Object.assign(req.session, { user: name === 'nobody' ? undefined : name });
          res.end();
        });
      },
      after: me,
    });
    const browser = app.browser();
    await browser.post(`${app.url}/as/${start ?? 'nobody'}`);
    const address = await app.toReturn(browser);
    await browser.post(`${app.url}/as/${back ?? 'nobody'}`);
    const shown = await browser.visit(address);
    const kept: unknown = (await browser.get(`${app.url}/me`)).json();
    const code = app.events.at(-1)?.code;
    const isTold = shown.text.includes('The login has changed');
    await browser.post(`${app.url}/as/${start ?? 'nobody'}`); // nothing was lost
    const again = isReleased ? 303 : (await browser.get(address)).status;
    const refused = [403, true, null, 'subject_changed', 303];
    expect([shown.status, isTold, kept, code, again]).toEqual(
      isReleased ? [404, false, 'kept', undefined, 303] : refused,
    );
  });

  test('F100 a log-in inside onSuccess binds what is kept', async () => {
    const app = await startApp({
      options: {
        ...who,
        keep: () => 'kept',
        onSuccess: ({ req }: { req: { session: object } }) =>
          void Object.assign(req.session, { user: 'anna' }),
      },
      before: login({ user: 'bert' }),
      after: showing(['user']),
    });
    const browser = await app.released();
    expect(await shownTo(app, browser)).toEqual(['anna', 'kept']);
    await browser.post(`${app.url}/login`);
    expect(await shownTo(app, browser)).toEqual(['bert', null]);
  });
});

describe('F102 a response that was handed over is a success', () => {
  /** A request as adapters for serverless functions play it: no line carries the response. */
  async function playWithoutLine(app: Express, url: string, headers: Record<string, string>) {
    const line = { remoteAddress: '127.0.0.1', encrypted: true, readable: false, end: noop, destroy: noop };
    const req = new IncomingMessage(line as never);
    Object.assign(req, { method: 'GET', url, headers, complete: true });
    const res = new ServerResponse(req);
    const write = (_data: unknown, encoding: unknown, done: unknown): boolean => {
      const called = [encoding, done].find((it) => typeof it === 'function') as (() => void) | undefined;
      called?.();
      return true;
    };
    const end = { on: noop, removeListener: noop, destroy: noop, cork: noop, uncork: noop, write };
    res.assignSocket({ ...end, writable: true, _writableState: {} } as never);
    const finished = once(res, 'finish');
    app(req as never, res as never);
    await finished;
    return res;
  }

  test('F102 where there is no line: the flow is confirmed, and nothing else is said', async () => {
    const app = await open({ options: { keep: () => 'kept' }, after: me });
    const { browser, back } = await app.verified();
    const { host, pathname, search } = new URL(back);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const res = await playWithoutLine(app.app, `${pathname}${search}`, { host, cookie, accept: 'text/html' });
    expect([res.statusCode, res.getHeader('location')]).toEqual([303, `${app.url}/`]);
    while (!app.events.some(({ type }) => type === 'flow.confirmed') || idsOf(app).length > 1) await turns(1);
    expect(app.events.map(({ type }) => type)).toEqual(['flow.started', 'flow.verified', 'flow.confirmed']);
    const [name = '', value = ''] = String(res.getHeader('set-cookie')).split(';', 1)[0]?.split('=') ?? [];
    browser.cookies.set(name, value);
    expect((await browser.get(`${app.url}/me`)).json()).toBe('kept');
  });
});

function noop(this: unknown): unknown {
  return this;
}

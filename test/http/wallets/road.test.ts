import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { MemoryStore } from 'express-session';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { StartOptions } from '../../../lib/http/start-input.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { type AppSetup, testClock } from '../../support/app.js';
import { cuttableStore } from '../../support/stores.js';
import {
  accessOf,
  type TestAccess,
  type WalletApp,
  type Waiting,
  walletWorld,
} from '../../support/wallets.js';

// Renewal, keys elsewhere, several origins, and what else an app in production has.

const { openApp } = walletWorld();

/** Lines of the log. */
function noted() {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  return { lines, logger: { error: log, warn: log } };
}

/** The request of a flow, as this app answers it. */
async function requestAt({ url }: WalletApp, { state }: Waiting, way = 'code') {
  const reply = await fetch(`${url}/identity/request?state=${state}.${way}`);
  const text = await reply.text();
  return {
    status: reply.status,
    text,
    clientId: reply.status === 200 ? decodeJwt(text)['client_id'] : undefined,
  };
}

const hour = 60 * 60 * 1000;
const day = 24 * hour;

describe('F177 the access certificate', () => {
  it('is renewed while wallets answer: a flow keeps to its own, and no answer fails', async () => {
    const [old, fresh] = [await accessOf(), await accessOf()];
    const { lines, logger } = noted();
    const [store, sessions] = [memoryStore(), new MemoryStore()];
    const deploy = async (entries: readonly TestAccess[], ...origins: readonly string[]) =>
      await openApp(
        { wallets: entries.map(({ entry }) => entry), store, logger },
        { access: entries[0] as TestAccess },
        {
          origins,
          session: { store: sessions },
        },
      );
    const before = await deploy([old]);
    const flow = await before.asked('code');
    const unasked = await before.begin();
    const answer = await flow.opened.respond();

    const both = await deploy([fresh, old], before.url);
    expect((await requestAt(both, flow)).clientId).toBe(old.clientId);
    expect((await both.asked('code')).opened.clientId).toBe(fresh.clientId);

    const after = await deploy([fresh], before.url);
    expect(await requestAt(after, flow)).toMatchObject({ status: 503 });
    const page = await unasked.browser.get(unasked.page.replace(before.url, after.url));
    expect([page.status, page.text]).toEqual([503, expect.stringContaining('can no longer be used')]);
    expect(page.text).not.toMatch(/openid4vp:|role="img"/);
    expect(lines).toContainEqual(expect.stringContaining('is not in the option wallets any more'));
    const reply = await after.callback({ response: answer });
    expect([reply.status, await reply.json()]).toEqual([200, {}]);
    expect(await (await fetch(`${after.url}/`)).text()).not.toBe('');
    const shown = await flow.browser.get(flow.page.replace(before.url, after.url));
    expect(shown.location).toMatch(/\/return\?code=/);
  });

  it('that ends while the process runs asks no more, and in the last third of its life its end is told once a day', async () => {
    const clock = testClock();
    const access = await accessOf(clock());
    const { lines, logger } = noted();
    const app = await openApp({ clock, logger, store: memoryStore({ clock }) }, { access });
    const told = () => lines.filter((line) => line.includes('the access certificate ends on'));
    await app.begin();
    expect(told()).toEqual([]); // the sandbox's certificates live for a day
    clock.forward(17 * hour);
    await app.begin();
    await app.begin();
    expect(told()).toHaveLength(1);
    clock.forward(2 * day);
    const shown = await app.browser().post(`${app.url}/identity/start`);
    expect(shown.status).toBe(500);
    expect(lines).toContainEqual(expect.stringMatching(/the access certificate expired on \d{4}-/));
  });
});

describe('F177 a key that signs elsewhere', () => {
  const signed = (pem: string, dsaEncoding: 'der' | 'ieee-p1363') => (data: Buffer) =>
    sign('sha256', data, { key: createPrivateKey(pem), dsaEncoding });

  it.each([
    ['raw', (pem: string) => signed(pem, 'ieee-p1363')],
    ['DER', (pem: string) => signed(pem, 'der')],
    ['a promise', (pem: string) => async (data: Buffer) => await Promise.resolve(signed(pem, 'der')(data))],
    ['a KeyObject', (pem: string): KeyObject => createPrivateKey(pem)],
  ])('%s: a wallet of other libraries takes the request', async (_, keyOf) => {
    const access = await accessOf();
    const app = await openApp({ wallets: { ...access.entry, key: keyOf(access.entry.key) } }, { access });
    const flow = await app.asked('code');
    expect(await flow.opened.send(await flow.opened.respond())).toEqual({ status: 200, body: {} });
  });

  it.each([
    [
      'throws',
      () => () => {
        throw new Error('SECRET of the vault');
      },
      'key: the function failed',
    ],
    [
      'rejects',
      () => async () => await Promise.reject(new Error('SECRET of the vault')),
      'key: the function failed',
    ],
    [
      'signs with another key',
      (other: string) => signed(other, 'der'),
      "no signature of this certificate's key",
    ],
    ['returns no bytes', () => () => 'SECRET' as never, "no signature of this certificate's key"],
    ['returns 63 bytes', () => () => Buffer.alloc(63), "no signature of this certificate's key"],
  ])('that %s: 503 for the wallet, and a line for the operator', async (_, keyOf, sentence) => {
    const [access, other] = [await accessOf(), await accessOf()];
    const { lines, logger } = noted();
    const app = await openApp(
      { wallets: { ...access.entry, key: keyOf(other.entry.key) }, logger },
      { access },
    );
    const flow = await app.begin();
    const { status, text } = await requestAt(app, flow);
    expect([status, JSON.parse(text)]).toEqual([503, expect.objectContaining({ error: 'hook_failed' })]);
    expect(lines).toContainEqual(expect.stringContaining(sentence));
    expect(JSON.stringify([lines, text])).not.toContain('SECRET');
    expect(app.events.map(({ type }) => type)).toEqual(['flow.started']);
  });

  it('that does not answer: 503 in time; and no more than concurrentStarts at once', async () => {
    const access = await accessOf();
    const wallets = { ...access.entry, key: async () => await new Promise<never>(() => undefined) };
    const limits = { requestTimeout: 200, concurrentStarts: 1 };
    const app = await openApp({ wallets, limits }, { access });
    const flow = await app.begin();
    const replies = await Promise.all([requestAt(app, flow), requestAt(app, flow)]);
    const errors = replies.map(
      ({ status, text }) => `${status} ${(JSON.parse(text) as { error: string }).error}`,
    );
    expect(new Set(errors)).toEqual(new Set(['503 busy', '503 hook_timeout']));
  });
});

describe('F172 where wallets are sent', () => {
  it('is the origin that the flow began under, with its prefix', async () => {
    const prefixed = 'http://localhost:21999/shop';
    const before: AppSetup['before'] = (its) => void its.set('trust proxy', true);
    const app = await openApp({}, {}, { origins: [prefixed], before });
    const browser = app.browser();
    const headers = { 'x-forwarded-host': 'localhost:21999' };
    const started = await browser.post(`${app.url}/identity/start`, {}, headers);
    expect(started.location).toMatch(/^http:\/\/localhost:21999\/shop\/identity\/wallet\?state=/);
    const state = new URL(started.location ?? '').searchParams.get('state') ?? '';
    const { text } = await browser.get(`${app.url}/identity/wallet?state=${state}`, headers);
    expect(text).toContain(encodeURIComponent(`${prefixed}/identity/request?state=${state}.link`));
    expect(text).toContain(`action="/shop/identity/wallet?state=${state}"`);
    const jwt = await (await fetch(`${app.url}/identity/request?state=${state}.link`)).text();
    expect(decodeJwt(jwt)['response_uri']).toBe(`${prefixed}/identity/callback`);
  });

  it('follows the option routes, and the scheme', async () => {
    const access = await accessOf();
    const routes = { wallet: '/waiting', request: '/asked', callback: '/answered' };
    const app = await openApp({ routes, wallets: { ...access.entry, scheme: 'haip-vp' } }, { access });
    const flow = await app.asked('code');
    expect(flow.page).toContain('/identity/waiting?state=');
    expect(flow.links.link).toMatch(/^haip-vp:\/\/\?/);
    expect(flow.opened.request.response_uri).toBe(`${app.url}/identity/answered`);
    expect(await flow.opened.send(await flow.opened.respond())).toEqual({ status: 200, body: {} });
  });

  it('a program that asks for JSON gets the address of the page', async () => {
    const app = await openApp();
    const headers = { accept: 'application/json' };
    const shown = await app.browser().post(`${app.url}/identity/start`, {}, headers);
    expect(shown.json()).toEqual({
      redirectUrl: expect.stringMatching(/^http:.*\/identity\/wallet\?state=[\w-]{43}$/),
      flowId: expect.any(String),
      expiresAt: expect.any(String),
    });
  });
});

describe('F169 the ways', () => {
  const startWith = (overrides: StartOptions): AppSetup => ({
    after: (app, identity) => {
      app.post('/go', (req, res) => void identity.start(req, res, overrides));
    },
  });

  it.each([
    [['link'], ['link']],
    [['code'], ['code']],
    [
      ['code', 'link', 'code'],
      ['code', 'link'],
    ],
  ] as const)('of a start, %j, are those of its page', async (ways, shown) => {
    const app = await openApp({}, {}, startWith({ ways }));
    const browser = app.browser();
    const { location = '' } = await browser.post(`${app.url}/go`, {});
    const { text } = await browser.get(location);
    const found = [/role="img"/.test(text) && 'code', /href="openid4vp:/.test(text) && 'link'].filter(
      Boolean,
    );
    expect(found).toEqual(shown);
  });

  it.each([
    [{ ways: ['qr'] }, 400],
    [{ sameDevice: true }, 400],
  ])('of a start, %j, are refused', async (overrides, _) => {
    const { lines, logger } = noted();
    const app = await openApp({ logger }, {}, startWith(overrides as never));
    expect((await app.browser().post(`${app.url}/go`, {})).status).toBe(500);
    expect(lines).toContainEqual(expect.stringMatching(/identity\.start: (?:ways|sameDevice)/));
  });

  it('are ordered by the user agent alone', async () => {
    const app = await openApp();
    const { page, browser, shown } = await app.begin();
    const phone = await browser.get(page, { 'sec-ch-ua-mobile': '?1' });
    const isCodeFirst = ({ text }: { text: string }): boolean =>
      text.indexOf('role="img"') < text.indexOf('openid4vp:');
    expect([isCodeFirst(shown), isCodeFirst(phone)]).toEqual([true, false]);
  });
});

describe('what goes wrong around it', () => {
  it('F175 a flow that ran out leads to its own page, and its request is gone', async () => {
    const clock = testClock();
    const access = await accessOf(clock());
    const app = await openApp({ clock, store: memoryStore({ clock }) }, { access });
    const flow = await app.begin();
    clock.forward(11 * 60_000);
    expect((await requestAt(app, flow)).status).toBe(404);
    expect((await flow.poll()).body).toEqual({ status: 'over' });
    const { location = '' } = await flow.again();
    expect(location).toMatch(/\/return\?error=timed_out&flow=/);
    expect((await flow.browser.get(location)).text).toContain('This request timed out');
  });

  it('F173 a store that is away: 503 for wallet and page, and all goes on after that', async () => {
    const { store, cut, restore } = cuttableStore();
    const app = await openApp({ store });
    const flow = await app.asked('code');
    const answer = await flow.opened.respond();
    cut('read');
    expect((await requestAt(app, flow)).status).toBe(503);
    expect((await flow.opened.send(answer)).status).toBe(503);
    expect((await flow.poll()).status).toBe(503);
    expect((await flow.again()).status).toBe(503);
    restore();
    expect(await flow.opened.send(answer)).toEqual({ status: 200, body: {} });
    expect((await flow.poll()).body).toEqual({ status: 'over' });
  });

  it('a page without a session says what is missing', async () => {
    const app = await openApp({}, {}, { session: false });
    const { status, text } = await app.browser().get(`${app.url}/identity/wallet?state=x`);
    expect([status, text]).toEqual([500, expect.stringContaining('session')]);
  });

  it('HEAD and a prefetch do nothing', async () => {
    const app = await openApp();
    const { page } = await app.begin();
    for (const address of [page, page.replace('/wallet', '/request').concat('.link')]) {
      expect((await fetch(address, { method: 'HEAD' })).status).toBe(204);
      expect((await fetch(address, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(503);
    }
    expect(app.events.map(({ type }) => type)).toEqual(['flow.started']);
  });
});

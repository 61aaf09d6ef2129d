import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { me } from '../support/account.js';
import { appSecret } from '../support/app.js';
import { type CallbackApp, callbackApps } from '../support/callbacks.js';
import { testClock } from '../support/clock.js';
import { seed } from '../support/seed.js';

// Somebody who can write to the flow store, knows the source, the path and the state of a flow of their own, and has
// records of their own to copy.

const open = callbackApps();
const ten = 600_000;

const sha = (text: string): string => createHash('sha256').update(text).digest('base64url');

function seal(key: Buffer, bound: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
}

/** An app on a store that the test writes to, too. */
async function onStore(inner: FlowStore, clock = testClock(), options: object = {}): Promise<CallbackApp> {
  return await open({
    hooks: { onVerified: () => undefined, onSuccess: () => undefined },
    options: { clock, store: { ...inner }, keep: () => 'kept', ...options },
    after: (its, identity) => {
      me(its, identity);
      its.get('/club', identity.require(), (_req, res) => void res.send('open'));
    },
  });
}

/** Puts a value in the place of what is stored. */
async function put(store: FlowStore, id: string, value: string): Promise<void> {
  await store.delete(id);
  expect(await store.create(id, value, ten)).toBe(true);
}

const codeOf = (back: string): string => new URL(back).searchParams.get('code') ?? '';

/** What a forged record says: that somebody else is verified, and this is the code. */
function forgery(app: CallbackApp, secret: string, owner: string): object {
  const now = app.clock().getTime();
  const attributes = { given_name: 'ANGELA', birth_date: '1954-07-17' };
  const receipt = { id: 'forged', presentationSha256: 'none' };
  const result = { request: 'default', issuer: 'xx-test', sandbox: false, verifiedAt: new Date(now) };
  const question = sha(
    JSON.stringify([1, '/identity', 'default', 'xx-test', false, ['birth_date', 'given_name'], []]),
  );
  return {
    status: 'verified',
    request: 'default',
    issuer: 'xx-test',
    reveal: ['given_name', 'birth_date'],
    derived: {},
    question,
    startedAt: now,
    expiresAt: now + ten,
    origin: app.url,
    owner,
    answered: [],
    refused: [],
    code: secret,
    result: { ...result, attributes, derived: {}, receipt },
  };
}

/** Nothing is released, no guard opens, and nobody is told more than that the flow cannot be read, or is unknown. */
async function expectNothing(
  app: CallbackApp,
  begun: Awaited<ReturnType<CallbackApp['begin']>>,
  code: string,
) {
  const { browser, flow, state } = begun;
  const statuses = [403, 503, 200];
  const returned = await browser.get(`${app.url}/identity/return?code=${code}`);
  expect(statuses).toContain(returned.status);
  expect(returned.text).not.toMatch(/ANGELA|verified/);
  expect(['expired', undefined]).toContain(await app.statusOf(begun));
  const page = await browser.get(`${app.url}/identity/return?error=refused&flow=${flow}`);
  expect(page.text).not.toContain('ANGELA');
  const reply = await app.deliver({ error: 'access_denied', state });
  expect([200, 503]).toContain(reply.status);
  const isTold = reply.body.redirect_uri?.includes('error=state_unknown') ?? false;
  expect(reply.status === 200 ? isTold : reply.headers.get('retry-after') === '1').toBe(true);
  expect((await browser.get(`${app.url}/club`)).status).toBe(303);
  expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
  expect(app.ran).toEqual([]);
}

describe('F86 a writer of the flow store makes no record', () => {
  test('F86 a record made as the first format was made, out of state and code, releases nothing', async () => {
    const store = memoryStore();
    const app = await onStore(store);
    const begun = await app.begin();
    const derive = (secret: string, label: string): Buffer =>
      createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${label}\u0001`).digest();
    const [secret, path] = [randomBytes(32).toString('base64url'), '/identity'];
    const ids = [begun.flow, derive(begun.state, `pidgate/1 record id ${path}`).toString('base64url')];
    for (const id of new Set(ids)) {
      const record = forgery(app, sha(secret), '') as { result: unknown };
      const result = seal(derive(secret, 'pidgate/1 result'), id, JSON.stringify(record.result));
      const head = `1.0.${sha(secret)}`;
      const key = derive(begun.state, `pidgate/1 record key ${path}`);
      await put(store, id, `${head}.${seal(key, `${head}.${id}`, JSON.stringify({ ...record, result }))}`);
      await expectNothing(app, begun, `${id}.${secret}`);
    }
  });

  test('F86 whatever is written out of path, state, id, format and old records opens nothing', async () => {
    const store = memoryStore();
    const app = await onStore(store);
    const begun = await app.begin();
    const own = await app.begin();
    const before = (await store.read(own.flow))?.value ?? '';
    const [head = '', body = ''] = before.split('.');
    const secret = randomBytes(32).toString('base64url');
    const { state, flow } = begun;
    const words = ['', '/identity', state, flow, secret, own.state, head, body, sha(state), sha(flow)];
    const keys = words.flatMap((word) => [
      createHash('sha256').update(word).digest(),
      ...words.map((other) => createHmac('sha256', word).update(other).digest()),
      ...words.map((other) =>
        createHmac('sha256', word).update(`pidgate/2 record /identity ${other}`).digest(),
      ),
    ]);
    const session = Object.values(app.stored()).join();
    const owners = ['', ...(session.match(/[\w-]{43}/g) ?? [])].flatMap((text) => [text, sha(text)]);
    const bounds = [`2 /identity ${flow}`, flow, head, ''];
    const random = mulberry(seed);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const count = Number(process.env['PIDGATE_FORGERIES'] ?? 60);
    for (let index = 0; index < count; index += 1) {
      const record = JSON.stringify(forgery(app, secret, pick(owners)));
      const bytes = Buffer.from(body, 'base64url');
      const place = Math.floor(random() * bytes.length);
      bytes[place] = (bytes[place] ?? 0) ^ (1 + Math.floor(random() * 255));
      const value = pick([
        () => `${head}.${seal(pick(keys), pick(bounds), record)}`,
        () => `${head}.${Buffer.from(record).toString('base64url')}`,
        () => `${head}.${bytes.toString('base64url')}`,
        () => `${head}.${body.slice(0, Math.floor(random() * body.length))}`,
        () => before, // another flow's record
        () => `${pick(['1', '2', '3', '2-AAAAAAAA', ''])}.${body}`,
        () => pick([record, `lock.free`, `lock.${flow}.x`, '', '.', `${head}.`, `${before}.${body}`]),
      ])();
      await put(store, flow, value);
      await expectNothing(app, begun, `${flow}.${secret}`);
    }
  });

  test('F86 an old record of the same flow put back is what SECURITY.md says: the flow is where it was', async () => {
    const store = memoryStore();
    const app = await onStore(store);
    const begun = await app.verified();
    const verified = (await store.read(begun.flow))?.value ?? '';
    expect((await begun.browser.get(begun.back)).status).toBe(303);
    await put(store, begun.flow, verified);
    expect((await begun.browser.get(begun.back)).status).toBe(303); // a repeat, out of the session
    expect(app.ran).toEqual(['onVerified', 'onSuccess']);
  });

  test('F86 the code of one factory opens nothing at the other, with one store and one secret', async () => {
    const store = memoryStore();
    const app = await open({
      hooks: { onSuccess: () => undefined },
      options: { store, keep: () => 'kept', path: '/identity' },
    });
    const clock = app.clock;
    const other = await open({
      session: { store: app.sessions },
      hooks: { onSuccess: () => undefined },
      options: { store, clock, appUrl: app.url, path: '/identity', secret: [appSecret] },
    });
    const begun = await app.verified();
    // The same store under another path is another factory.
    const third = await open({
      session: { store: app.sessions },
      options: { store, clock, appUrl: app.url, path: '/test' },
      after: (its, identity) => its.use('/test', identity),
    });
    const shown = await begun.browser.get(`${third.url}/test/return?code=${codeOf(begun.back)}`);
    expect(shown.status).toBe(200); // the redirect page: nothing is known there
    expect(third.ran).toEqual([]);
    expect((await begun.browser.visit(`${third.url}/test/return?code=${codeOf(begun.back)}`)).status).toBe(
      403,
    );
    expect(await app.statusOf(begun)).toBe('verified');
    expect((await begun.browser.get(begun.back.replace(app.url, other.url))).status).toBe(303);
    expect(other.ran).toEqual(['onSuccess']);
  });

  test('F86 what does not open costs no proof: 503 until the right secret is there, one line, no hook', async () => {
    const lines: string[] = [];
    const logger = {
      error: (line: string) => void lines.push(line),
      warn: (line: string) => void lines.push(line),
    };
    const store = memoryStore();
    const clock = testClock();
    const app = await onStore(store, clock);
    const forgetful = await onStore(store, clock, { secret: 'x'.repeat(32), appUrl: app.url, logger });
    const { state, browser, flow } = await app.begin();
    for (let times = 0; times < 3; times += 1) {
      const reply = await forgetful.deliver({ presentation: 'good', state });
      expect([reply.status, reply.body.error, reply.headers.get('retry-after')]).toEqual([
        503,
        'store_unavailable',
        '1',
      ]);
    }
    expect([forgetful.ran, forgetful.judged]).toEqual([[], []]);
    expect(lines.filter((line) => line.includes('sealed under another secret'))).toHaveLength(1);
    const reply = await app.deliver({ presentation: 'good', state });
    const back = reply.body.redirect_uri ?? '';
    const elsewhere = await browser.get(back.replace(app.url, forgetful.url));
    expect([elsewhere.status, forgetful.ran]).toEqual([200, []]); // no session there: the redirect page
    expect(await app.statusOf({ state, browser, flow })).toBe('verified');
    expect((await browser.get(back)).status).toBe(303);
  });
});

/** Small, and the same for a seed on every machine. */
function mulberry(from: number): () => number {
  let at = from;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('F86 the secret is changed while flows are under way', () => {
  // There all origins of this machine are one app.
  const mode = process.env['NODE_ENV'];
  beforeAll(() => void (process.env['NODE_ENV'] = 'development'));
  afterAll(() => void (process.env['NODE_ENV'] = mode));

  test('F86 [old, new], then [new, old], then [new], in two processes one after the other: no flow is lost', async () => {
    const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
    const store = memoryStore();
    const clock = testClock();
    const first = await onStore(store, clock, { secret: old });
    const sessions = { store: first.sessions };
    const processWith = async (secret: string | readonly string[]): Promise<CallbackApp> =>
      await open({
        session: sessions,
        hooks: { onSuccess: () => undefined },
        options: { clock, store: { ...store }, keep: () => 'kept', secret },
        after: me,
      });
    let [one, two] = [await processWith(old), await processWith(old)];
    for (const secret of [[old, fresh], [fresh, old], fresh]) {
      for (const replaced of [0, 1]) {
        const begun = [await one.begin(), await two.begin()];
        if (replaced === 0) one = await processWith(secret);
        else two = await processWith(secret);
        for (const [index, { state, browser }] of begun.entries()) {
          const [callback, back] = index === 0 ? [one, two] : [two, one];
          const reply = await callback.deliver({ presentation: 'good', state });
          const { pathname, search } = new URL(reply.body.redirect_uri ?? '');
          const address = `${back.url}${pathname}${search}`;
          expect([secret, replaced, reply.status, (await browser.get(address)).status]).toEqual([
            secret,
            replaced,
            200,
            303,
          ]);
        }
      }
      clock.forward(ten); // flowTtl: what the older secret sealed is gone
    }
  });
});

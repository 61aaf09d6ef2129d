import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { format, open, recordKey } from '../../lib/flow/secrets.js';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { me } from '../support/account.js';
import { appSecret } from '../support/app.js';
import { bothForms, type CallbackApp, callbackApps } from '../support/callbacks.js';
import { testClock } from '../support/clock.js';
import { deep } from '../support/deep.js';
import { nightly, seed } from '../support/seed.js';
import { storeAround } from '../support/stores.js';
import { readings, run, stage, textsIn, waiting, type Written } from './dumps.js';

describe('store dumps', () => {
  const openApp = callbackApps();

  describe.each(bothForms)("what lies in the stores, confirm '%s'", (confirm) => {
    beforeEach(() => {
      jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined); // what confirm 'callback' gives up
    });
    afterEach(() => void jest.restoreAllMocks());

    test('F36 the raw presentation is in neither store at any time', async () => {
      const given = await stage(confirm);
      const presentations = await run(given);
      const written = [...given.flows.all, ...given.sessions.written];
      expect(given.flows.all.length).toBeGreaterThan(8);
      expect(given.sessions.written.length).toBeGreaterThan(2);
      // Not the whole, and no part of it: neither a Disclosure nor a token nor a segment of one.
      const parts = new Set(presentations.flatMap((it) => [it, ...it.split('~'), ...it.split(/[~.]/)]));
      const looked = [...parts].filter((part) => part.length > 15);
      expect(looked.length).toBeGreaterThan(14);
      const decoded = looked.map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      const texts = written.flatMap(({ id, value }) => [id, ...readings(value)]);
      const found = [...looked, ...decoded].filter((part) => texts.some((text) => text.includes(part)));
      expect(found).toEqual([]);
    });

    test('F36 what lies there is no longer for a longer presentation', async () => {
      const sizes = [];
      for (const more of ['', randomBytes(30_000).toString('base64url')]) {
        const values: string[] = [];
        const store = storeAround(async (call, work, args) => {
          if (call === 'create' || call === 'replace') values.push(String(args.at(-2)));
          return await work();
        });
        const app = await openApp({ confirm, hooks: { onSuccess: () => undefined }, options: { store } });
        const { state, browser } = await app.begin();
        const answers = [];
        for (const presentation of [`junk${more}`, `away${more}`, `good${more}`, `good too${more}`]) {
          answers.push((await app.deliver({ state, presentation })).body.redirect_uri ?? '');
        }
        expect(app.judged).toHaveLength(3);
        await browser.get(answers[2] ?? '');
        values.push(JSON.stringify(app.stored()));
        sizes.push(values.map(({ length }) => length));
      }
      expect(sizes[1]).toEqual(sizes[0]);
    });

    test('F35 no word of it is in the flow store', async () => {
      const given = await stage(confirm);
      await run(given);
      const all = JSON.stringify(given.flows.all);
      const plain = [
        'Erika',
        '1964-08-12',
        'given_name',
        'pending',
        'verified',
        '127.0.0.1',
        ...given.states,
      ];
      for (const text of plain) expect(all).not.toContain(text);
    });

    test('F35 nothing in either store is a code, and nothing in the flow store a state', async () => {
      const { app, flows, held, sent, browser, back } = await waiting(confirm);
      const ofForm = (texts: Iterable<string>): string[] =>
        [...texts].filter((text) => /^[\w-]{43}$/.test(text));
      const states = ofForm(textsIn(flows.all));
      const codes = ofForm(textsIn(held));
      expect([states.length > 50, codes.length > 50]).toEqual([true, true]);
      const before = app.events.length;
      const { presentation = '' } = sent[0] ?? {};
      for (const state of states) {
        const reply = await (await app.callback({ state, presentation })).text();
        expect([state, reply]).toEqual([state, expect.stringMatching(/state_unknown|callback_malformed/)]);
      }
      for (const secret of codes) {
        const address = back.replace(/(code=[\w-]+\.).*/, `$1${secret}`);
        const shown = confirm === 'return' ? await browser.get(address) : undefined;
        expect([secret, shown?.location]).toEqual([secret, undefined]);
      }
      const told = new Set(app.events.slice(before).map(({ type }) => type));
      expect(told).toEqual(
        new Set(['callback.unknown', ...(confirm === 'return' ? ['return.refused'] : [])]),
      );
      expect((await browser.get(back)).status).toBe(confirm === 'return' ? 303 : 404);
    });

    test('F35 no attribute is to be read in it, however it is decoded', async () => {
      const { held } = await waiting(confirm);
      const all = held.flatMap(({ id, value }) => readings(`${id} ${value}`)).join('\n');
      for (const value of ['Erika', 'ERIKA', 'Mustermann', 'MUSTERMANN', '1964-08-12']) {
        expect([value, all.includes(value)]).toEqual([value, false]);
      }
    });
  });
});

describe('store dumps opened', () => {
  // Somebody who has copies of the stores, and the kit's source: what its own functions open for them.

  const path = '/identity';

  /** What one of these keys opens of a value, as text. */
  function openedBy(keys: readonly Buffer[], { id, value }: Written): string | undefined {
    const sealed = value.split('.').at(-1) ?? '';
    const bound = [`${format} ${path} ${id}`, id, ''];
    return keys.flatMap((key) => bound.map((it) => open(key, it, sealed))).find((text) => text !== undefined);
  }

  /** Every key that can be made of a text: as the app's secret, or as it is. */
  function keysOf(text: string, id: string): Buffer[] {
    const raw = [Buffer.from(text, 'base64url'), Buffer.from(text, 'latin1')];
    return [recordKey(text, path, id), ...raw.filter(({ length }) => length === 32)];
  }

  const isRecord = ({ value }: Written): boolean => !value.startsWith('lock.');

  describe.each(bothForms)("what opens of the stores, confirm '%s'", (confirm) => {
    beforeEach(() => {
      jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined); // what confirm 'callback' gives up
    });
    afterEach(() => void jest.restoreAllMocks());

    test('F36 the raw presentation is in no record, as the secret opens it', async () => {
      const given = await stage(confirm);
      const presentations = await run(given);
      // Not the whole, and no part of it: neither a Disclosure nor a token nor a segment of one.
      const parts = new Set(presentations.flatMap((it) => [it, ...it.split('~'), ...it.split(/[~.]/)]));
      const looked = [...parts].filter((part) => part.length > 15);
      expect(looked.length).toBeGreaterThan(14);
      const decoded = looked.map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      // The seal must not be what hides it.
      const sealed = given.flows.all.filter(isRecord);
      const records = sealed.map((it) => openedBy(keysOf(appSecret, it.id), it));
      expect(records).toEqual(sealed.map(() => expect.any(String)));
      const texts = records.flatMap((it) => readings(it ?? ''));
      const found = [...looked, ...decoded].filter((part) => texts.some((text) => text.includes(part)));
      expect(found).toEqual([]);
    });

    test('F35 flows and sessions together open nothing, whatever is tried of what they hold', async () => {
      const { flows, held, states, sent, back } = await waiting(confirm);
      const known = [...states, back, ...sent.map(({ presentation }) => presentation)];
      const words = held.flatMap(({ value }) => value.match(/[^\s"{}[\],:.?=]+/g) ?? []);
      const texts = new Set([...textsIn([...flows.all, ...held]), ...words, ...known]);
      expect(texts.size).toBeGreaterThan(100);
      const sealed = flows.all.filter(isRecord);
      expect(sealed.length).toBeGreaterThan(1);
      for (const written of sealed) {
        const keys = [...texts].flatMap((text) => keysOf(text, written.id));
        expect(openedBy(keys, written)).toBeUndefined();
        // The same trial does open with the secret, so it is one.
        expect(openedBy(keysOf(appSecret, written.id), written)).toEqual(expect.any(String));
        expect(openedBy([recordKey(appSecret, '/other', written.id)], written)).toBeUndefined();
      }
    });

    test('F35 once the flow is closed, the secret opens no attribute of its record', async () => {
      const given = await stage(confirm);
      await run(given);
      const latest = new Map(given.flows.all.filter(isRecord).map((it) => [it.id, it]));
      const records = [...latest.values()].map((it) => openedBy(keysOf(appSecret, it.id), it) ?? '');
      const closed = records.filter((text) => text.includes('"status":"confirmed"'));
      expect(closed.length).toBeGreaterThan(0);
      const all = closed.flatMap((it) => readings(it)).join('\n');
      for (const value of ['Erika', 'ERIKA', 'Mustermann', 'MUSTERMANN', '1964-08-12']) {
        expect([value, all.includes(value)]).toEqual([value, false]);
      }
    });
  });
});

describe('store writer', () => {
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
    const result = { question: 'default', issuer: 'xx-test', sandbox: false, verifiedAt: new Date(now) };
    const asked = sha(
      JSON.stringify([1, '/identity', 'default', 'xx-test', false, ['birth_date', 'given_name'], []]),
    );
    return {
      status: 'verified',
      question: 'default',
      issuer: 'xx-test',
      reveal: ['given_name', 'birth_date'],
      derived: {},
      asked,
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

    deep.test(
      'F86 whatever is written out of path, state, id, format and old records opens nothing',
      async () => {
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
        const count = nightly ? 600 : 30;
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
      },
    );

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
      const forgetful = await onStore(store, clock, { secret: 'xy'.repeat(16), appUrl: app.url, logger });
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

    deep.test(
      'F86 [old, new], then [new, old], then [new], in two processes one after the other: no flow is lost',
      async () => {
        const [old, fresh] = ['old '.repeat(8), 'new '.repeat(8)];
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
      },
    );
  });
});

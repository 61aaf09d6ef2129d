import { MemoryStore, type SessionData } from 'express-session';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openSandbox, type Running, startApp } from '../support/app.js';
import { bothForms } from '../support/callbacks.js';
import { storeAround } from '../support/stores.js';
import { openRecord } from '../../lib/flow/record.js';
import { namesOf, open, resultKey, sha256 } from '../../lib/flow/secrets.js';
import { type Written, keysOf, openersOf, readings, recordIn, sealedIn, textsIn } from './dumps.js';
import { decide } from '../support/wallet.js';

/** All that ever went to a flow store, refused writes as well. */
function flowWrites() {
  const all: Written[] = [];
  const store = storeAround(async (call, work, args) => {
    if (call === 'create' || call === 'replace')
      all.push({ id: String(args[0]), value: String(args.at(-2)) });
    return await work();
  });
  return { all, store };
}

/** All that ever went to a session store. */
class SessionWrites extends MemoryStore {
  readonly written: Written[] = [];

  override set(id: string, session: SessionData, done?: (error?: unknown) => void): void {
    this.written.push({ id, value: JSON.stringify(session) });
    super.set(id, session as never, done);
  }

  override touch(id: string, session: SessionData, done?: () => void): void {
    this.written.push({ id, value: JSON.stringify(session) });
    super.touch(id, session as never, done);
  }
}

interface Stage {
  readonly app: Running;
  readonly flows: ReturnType<typeof flowWrites>;
  readonly sessions: SessionWrites;
  /** The callbacks as the wallet's service sent them. */
  readonly sent: { readonly state: string; readonly presentation: string }[];
  /** The states of all that was started. */
  readonly states: string[];
}

describe.each(bothForms)("what lies in the stores, confirm '%s'", (confirm) => {
  beforeEach(() => {
    jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined); // what confirm 'callback' gives up
  });
  afterEach(() => void jest.restoreAllMocks());

  async function stage(): Promise<Stage> {
    const [flows, sessions] = [flowWrites(), new SessionWrites()];
    const sent: { state: string; presentation: string }[] = [];
    const states: string[] = [];
    const sandbox = await openSandbox({
      fetch: async (url, init) => {
        const { state, presentation } = Object.fromEntries(new URLSearchParams(init?.body as string));
        if (state !== undefined && presentation !== undefined) sent.push({ state, presentation });
        return await fetch(url, init);
      },
    });
    const app = await startApp({
      sandbox,
      session: { store: sessions },
      options: {
        confirm,
        store: flows.store,
        onVerified: () => undefined,
        onSuccess: () => undefined,
        onError: () => undefined,
        ...(confirm === 'return' && { keep: () => 'nothing of it' }),
        fetch: async (url: string, init: { body?: string }) => {
          // The keys of the issuer are fetched too, without a body.
          if (init.body !== undefined) states.push((JSON.parse(init.body) as { state: string }).state);
          return await fetch(url, init);
        },
      },
    });
    sandbox.redirectUrl = `${app.url}/identity/callback`;
    return { app, flows, sessions, sent, states };
  }

  /** Whole flows, good and bad bodies before and after the verdict; answers the presentations that came by. */
  async function run({ app, sent, states }: Stage): Promise<string[]> {
    const browser = app.browser();
    await decide(await app.start(browser), 'decline');
    // Finished by its owner, with somebody else's presentation and broken ones on the way.
    await app.browser().visit(await app.toReturn(app.browser())); // revoked, where there is a code
    const strange = sent.at(-1)?.presentation ?? '';
    const bad = [strange, `${strange}A`, strange.slice(0, -9), 'a presentation that is none'];
    const wallet = await app.start(browser);
    const state = states.at(-1) ?? '';
    for (const presentation of bad) await app.callback({ state, presentation });
    await app.callback({ state, error: strange, error_description: strange });
    const address = await decide(wallet, 'approve');
    const own = sent.at(-1)?.presentation ?? '';
    for (const presentation of [...bad, `${own}A`, own]) await app.callback({ state, presentation });
    await browser.visit(address);
    await browser.visit(address);
    await app.callback({ state, presentation: own });
    return [strange, own];
  }

  test('F36 the raw presentation is in neither store at any time', async () => {
    const given = await stage();
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
    // The record too, as its state opens it: the seal must not be what hides it.
    const records = given.states.flatMap((state) => given.flows.all.map((it) => recordIn(it, state) ?? ''));
    expect(records.filter((it) => it !== '')).toHaveLength(sealedIn(given.flows.all).length);
    texts.push(...records.flatMap((it) => readings(it)));
    const found = [...looked, ...decoded].filter((part) => texts.some((text) => text.includes(part)));
    expect(found).toEqual([]);
  });

  test('F35 the flow store alone opens nothing, whatever is tried of what it holds', async () => {
    const given = await stage();
    await run(given);
    const { flows, states } = given;
    const texts = textsIn(flows.all);
    expect(texts.size).toBeGreaterThan(100);
    expect(openersOf(flows.all, texts)).toEqual([]);
    // The same trial does open with a state, so it is one.
    expect(openersOf(flows.all, states)).toEqual(states);
    const all = JSON.stringify(flows.all);
    const plain = ['Erika', '1964-08-12', 'given_name', 'pending', 'verified', '127.0.0.1', ...states];
    for (const text of plain) expect(all).not.toContain(text);
  });

  /** What both stores were given until a flow was between callback and return. */
  async function waiting() {
    const given = await stage();
    const code = new URL(await given.app.toReturn(given.app.browser())).searchParams.get('code') ?? '';
    return { ...given, code, held: [...given.flows.all, ...given.sessions.written] };
  }

  test('F35 flows and sessions together open the records, and no result and no reply in them', async () => {
    const { flows, held, states, sent, code } = await waiting();
    const [state = ''] = states;
    expect(held.some(({ value }) => value.includes(state))).toBe(true);
    const [sealed] = sealedIn(flows.all.slice(-1));
    const record = sealed && openRecord(namesOf(state, '/identity').key, sealed.id, sealed.envelope);
    const inner = [record?.result, record?.reply].filter((it) => it !== undefined);
    expect(inner).toHaveLength(confirm === 'return' ? 2 : 1);
    const opened = (keys: readonly Buffer[]): string[] =>
      inner.flatMap((it) => keys.flatMap((key) => open(key, sealed?.id ?? '', it) ?? []));
    const texts = textsIn([...held, { id: '', value: JSON.stringify(record) }]);
    const words = held.flatMap(({ value }) => value.match(/[^\s"{}[\],:.?=]+/g) ?? []);
    const keys = [...texts, ...words, ...words.map(sha256)].flatMap((text) => keysOf(text, state));
    expect(keys.length).toBeGreaterThan(200);
    expect(opened(keys)).toEqual([]);
    // The same trial does open with the body, and with the code, which lie in neither store.
    const body = sha256(JSON.stringify(['presentation', state, sent[0]?.presentation]));
    expect(opened(keysOf(body, state))).toHaveLength(1);
    const [, secret = ''] = code.split('.');
    expect(opened([resultKey(secret)])).toHaveLength(confirm === 'return' ? 1 : 0);
  });

  test('F35 no attribute is to be read in it, however it is decoded', async () => {
    const { held, states } = await waiting();
    const records = held.flatMap((it) => states.map((state) => recordIn(it, state) ?? ''));
    const texts = [...held.map(({ id, value }) => `${id} ${value}`), ...records].flatMap((it) =>
      readings(it),
    );
    const all = texts.join('\n');
    for (const value of ['Erika', 'ERIKA', 'Mustermann', 'MUSTERMANN', '1964-08-12']) {
      expect([value, all.includes(value)]).toEqual([value, false]);
    }
  });
});

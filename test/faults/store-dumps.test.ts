import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { bothForms, callbackApps } from '../support/callbacks.js';
import { storeAround } from '../support/stores.js';
import { readings, run, stage, textsIn, waiting } from './dumps.js';

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
    const plain = ['Erika', '1964-08-12', 'given_name', 'pending', 'verified', '127.0.0.1', ...given.states];
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
    expect(told).toEqual(new Set(['callback.unknown', ...(confirm === 'return' ? ['return.refused'] : [])]));
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

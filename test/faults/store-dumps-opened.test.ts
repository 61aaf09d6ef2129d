import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { bothForms } from '../support/callbacks.js';
import { openRecord, splitValue } from '../../lib/flow/record.js';
import { open, namesOf, replyKey, resultKey, sha256 } from '../../lib/flow/secrets.js';
import { type Written, readings, run, stage, textsIn, waiting } from './dumps.js';

// Somebody who has copies of the stores, and the kit's source: what its own functions open for them.

function sealedIn(written: readonly Written[]) {
  return written.flatMap(({ id, value }) => {
    const envelope = splitValue(value);
    return envelope?.kind === 'sealed' ? [{ id, envelope }] : [];
  });
}

/** What the state opens of a value, as text. */
function recordIn(written: Written, state: string): string | undefined {
  const [sealed] = sealedIn([written]);
  const record = sealed && openRecord(namesOf(state, '/identity').key, sealed.id, sealed.envelope);
  return record && JSON.stringify(record);
}

/** The texts that open one of the values, as a state, as a code or as a key. */
function openersOf(written: readonly Written[], texts: Iterable<string>): string[] {
  const sealed = sealedIn(written);
  return [...texts].filter((text) => {
    const keys = keysOf(text);
    return sealed.some(({ id, envelope }) =>
      keys.some(
        (key) => openRecord(key, id, envelope) !== undefined || open(key, id, envelope.sealed) !== undefined,
      ),
    );
  });
}

/** Every key that can be made of a text, alone or beside a state. */
function keysOf(text: string, state = ''): Buffer[] {
  const raw = [Buffer.from(text, 'base64url'), Buffer.from(text, 'latin1')];
  const made = [namesOf(text, '/identity').key, resultKey(text), replyKey(text, '')];
  const beside = state === '' ? [] : [replyKey(state, text), replyKey(text, state)];
  return [...made, ...beside, ...raw.filter(({ length }) => length === 32)];
}

describe.each(bothForms)("what opens of the stores, confirm '%s'", (confirm) => {
  beforeEach(() => {
    jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined); // what confirm 'callback' gives up
  });
  afterEach(() => void jest.restoreAllMocks());

  test('F36 the raw presentation is in no record, as its state opens it', async () => {
    const given = await stage(confirm);
    const presentations = await run(given);
    // Not the whole, and no part of it: neither a Disclosure nor a token nor a segment of one.
    const parts = new Set(presentations.flatMap((it) => [it, ...it.split('~'), ...it.split(/[~.]/)]));
    const looked = [...parts].filter((part) => part.length > 15);
    expect(looked.length).toBeGreaterThan(14);
    const decoded = looked.map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    // The seal must not be what hides it.
    const records = given.states.flatMap((state) => given.flows.all.map((it) => recordIn(it, state) ?? ''));
    expect(records.filter((it) => it !== '')).toHaveLength(sealedIn(given.flows.all).length);
    const texts = records.flatMap((it) => readings(it));
    const found = [...looked, ...decoded].filter((part) => texts.some((text) => text.includes(part)));
    expect(found).toEqual([]);
  });

  test('F35 the flow store alone opens nothing, whatever is tried of what it holds', async () => {
    const given = await stage(confirm);
    await run(given);
    const { flows, states } = given;
    const texts = textsIn(flows.all);
    expect(texts.size).toBeGreaterThan(100);
    expect(openersOf(flows.all, texts)).toEqual([]);
    // The same trial does open with a state, so it is one.
    expect(openersOf(flows.all, states)).toEqual(states);
  });

  test('F35 flows and sessions together open the records, and no result and no reply in them', async () => {
    const { flows, held, states, sent, back } = await waiting(confirm);
    const code = new URL(back).searchParams.get('code') ?? '';
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

  test('F35 no attribute is to be read in a record, as its state opens it', async () => {
    const { held, states } = await waiting(confirm);
    const records = held.flatMap((it) => states.map((state) => recordIn(it, state) ?? ''));
    expect(records.some((it) => it !== '')).toBe(true);
    const all = records.flatMap((it) => readings(it)).join('\n');
    for (const value of ['Erika', 'ERIKA', 'Mustermann', 'MUSTERMANN', '1964-08-12']) {
      expect([value, all.includes(value)]).toEqual([value, false]);
    }
  });
});

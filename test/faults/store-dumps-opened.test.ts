import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { format, open, recordKey } from '../../lib/flow/secrets.js';
import { appSecret } from '../support/app.js';
import { bothForms } from '../support/callbacks.js';
import { type Written, readings, run, stage, textsIn, waiting } from './dumps.js';

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

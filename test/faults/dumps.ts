import { openRecord, splitValue } from '../../lib/flow/record.js';
import { open, namesOf, replyKey, resultKey, sha256 } from '../../lib/flow/secrets.js';

/** One value of a store, and the id under which it lies there. */
export interface Written {
  readonly id: string;
  readonly value: string;
}

/** A text and what it is when each of its parts is read as base64url, down to a depth. */
export function readings(text: string, depth = 3): string[] {
  if (depth === 0) return [text];
  const parts = text.split(/[^\w-]+/).filter((part) => part.length > 3);
  return [
    text,
    ...parts.flatMap((part) => readings(Buffer.from(part, 'base64url').toString('latin1'), depth - 1)),
  ];
}

/** Every text that can be taken out of these: whole, in parts, in pieces of a secret's length, decoded, digested. */
export function textsIn(written: readonly Written[]): Set<string> {
  const texts = new Set<string>(['']);
  for (const { id, value } of written) {
    const pieces = value.match(/[\w-]{43}/g) ?? [];
    for (const text of [id, value, `${id}.${value}`, ...value.split('.'), ...pieces]) {
      texts.add(text);
      texts.add(sha256(text));
      texts.add(Buffer.from(text, 'base64url').toString('latin1'));
    }
  }
  return texts;
}

export function sealedIn(written: readonly Written[]) {
  return written.flatMap(({ id, value }) => {
    const envelope = splitValue(value);
    return envelope?.kind === 'sealed' ? [{ id, envelope }] : [];
  });
}

/** What the state opens of a value, as text. */
export function recordIn(written: Written, state: string): string | undefined {
  const [sealed] = sealedIn([written]);
  const record = sealed && openRecord(namesOf(state, '/identity').key, sealed.id, sealed.envelope);
  return record && JSON.stringify(record);
}

/** The texts that open one of the values, as a state, as a code or as a key. */
export function openersOf(written: readonly Written[], texts: Iterable<string>): string[] {
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
export function keysOf(text: string, state = ''): Buffer[] {
  const raw = [Buffer.from(text, 'base64url'), Buffer.from(text, 'latin1')];
  const made = [namesOf(text, '/identity').key, resultKey(text), replyKey(text, '')];
  const beside = state === '' ? [] : [replyKey(state, text), replyKey(text, state)];
  return [...made, ...beside, ...raw.filter(({ length }) => length === 32)];
}

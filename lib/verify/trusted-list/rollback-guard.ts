import { hash } from 'node:crypto';
import { IdentityError } from '../../errors.js';
import { checkFailed, enforce } from '../jose/check-failed.js';
import { parseStrict } from '../jose/json.js';
import { defaultLimits } from '../jose/limits.js';
import { isObject } from '../jose/segment.js';
import type { SignedList } from './list.js';
import { type LoteRules, memoryMs, type SequenceRules } from './options.js';

/** What is remembered of a list. */
interface Remembered {
  readonly sequence: number;
  readonly issued: number;
  readonly digest: string;
}

/** The newest list that was ever accepted of each signing key, by the key's id. */
type Newest = ReadonlyMap<string, Remembered>;
type List = Pick<SignedList, 'sequence' | 'issued' | 'digest' | 'keyId'>;

/**
 * Refuses a list that is older than another one, or another one with the same number (L08, L09). Numbers are counted
 * for each key, so that a new one begins anew; the issue time goes on from each key that signs now to the next.
 */
export function checkSequence(list: List, newest: Newest, rules: SequenceRules): void {
  enforce('L08', list.sequence >= rules.minSequence, 'its sequence number is below minSequence.');
  const before = newest.get(list.keyId);
  const isNumberKept = rules.byIssueTime || before === undefined || list.sequence >= before.sequence;
  enforce(
    'L08',
    isNumberKept && rules.keyIds.every((keyId) => list.issued >= (newest.get(keyId)?.issued ?? -Infinity)),
    'it is older than a list that was accepted before.',
  );
  const isOther = before !== undefined && list.digest !== before.digest;
  const counted = rules.byIssueTime ? 'issued' : 'sequence';
  enforce(
    'L09',
    !isOther || list[counted] !== before[counted],
    `it has the ${rules.byIssueTime ? 'issue time' : 'sequence number'} of another list that was accepted before.`,
  );
}

/** The memory of the newest lists, in this process and in the store if there is one. */
export interface SequenceMemory {
  readonly read: () => Promise<Newest>;
  /** Remembers a list, unless a newer one was remembered meanwhile: that refuses it. */
  readonly advance: (list: List) => Promise<void>;
}

const tries = 5;

export function sequenceMemory(rules: SequenceRules & Pick<LoteRules, 'url' | 'store'>): SequenceMemory {
  const { store } = rules;
  const id = `lote-numbers-${hash('sha256', rules.url, 'base64url')}`;
  let newest: Newest = new Map();
  const stored = async () => (store === undefined ? undefined : await call(() => store.read(id)));

  return {
    async read() {
      const found = await stored();
      if (found !== undefined) newest = later(newest, parse(found.value), rules);
      return newest;
    },
    async advance(list) {
      const { sequence, issued, digest } = list;
      for (let left = tries; ; left -= 1) {
        const found = await stored();
        const known = found === undefined ? newest : later(newest, parse(found.value), rules);
        checkSequence(list, known, rules);
        const next = new Map(known).set(list.keyId, { sequence, issued, digest });
        const value = JSON.stringify(Object.fromEntries(next));
        const isWritten =
          store === undefined ||
          found?.value === value ||
          (await call(() =>
            found === undefined
              ? store.create(id, value, memoryMs)
              : store.replace(id, found.version, value, memoryMs),
          ));
        newest = isWritten ? next : newest;
        if (isWritten) return;
        if (left === 1) throw new IdentityError('store_unavailable');
      }
    },
  };
}

/** Returns the newer list of each key. What the store says comes first, so that it is written as it was read. */
function later(own: Newest, shared: Newest, { byIssueTime }: SequenceRules): Newest {
  const order = ({ issued, sequence }: Remembered): number => (byIssueTime ? issued : sequence);
  const both = new Map(shared);
  for (const [keyId, list] of own) {
    const other = shared.get(keyId);
    if (other === undefined || order(list) > order(other)) both.set(keyId, list);
  }
  return both;
}

/** What the kit wrote itself: anything else is refused rather than forgotten. */
function parse(value: string): Newest {
  const part = { name: 'the remembered sequence number', malformed: 'L08' } as const;
  const found = parseStrict(value, part, defaultLimits);
  const lists = isObject(found) ? Object.entries(found) : [];
  if (lists.length === 0) throw unreadable();
  return new Map(lists.map(([keyId, list]) => [keyId, readRemembered(list)]));
}

function readRemembered(list: unknown): Remembered {
  const { sequence, issued, digest } = isObject(list) ? list : {};
  if (typeof sequence === 'number' && typeof issued === 'number' && typeof digest === 'string') {
    return { sequence, issued, digest };
  }
  throw unreadable();
}

function unreadable(): Error {
  return checkFailed('L08', 'the remembered sequence number cannot be read.');
}

async function call<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof IdentityError ? cause : new IdentityError('store_unavailable', { cause });
  }
}

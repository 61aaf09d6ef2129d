import { sha256 } from '../../internal/sha256.js';
import { IdentityError } from '../../errors.js';
import { checkFailed, enforce } from '../jose/enforce.js';
import { defaultLimits, isObject, parseStrict, startReading } from '../jose/decode.js';
import type { SignedList } from './list.js';
import { type LoteRules, memoryMs } from './list-rules.js';

type List = Pick<SignedList, 'sequence' | 'issued' | 'digest' | 'keyId'>;

/** The newest list that was ever accepted of each signing key, by the key's id. */
type Newest = ReadonlyMap<string, Omit<List, 'keyId'>>;

type SequenceRules = Pick<LoteRules, 'minSequence' | 'keyIds' | 'byIssueTime'>;

/**
 * Refuses a list that is older than another one, or another one with the same number (L08, L09). Numbers are counted
 * for each key, so that a new one begins anew; the issue time goes on from each key that signs now to the next.
 */
export function checkSequence(list: List, newest: Newest, rules: SequenceRules): void {
  enforce('L08', list.sequence >= rules.minSequence, 'its sequence number is below minSequence.');
  const before = newest.get(list.keyId);
  const isNumberKept = rules.byIssueTime || before === undefined || list.sequence >= before.sequence;
  const isIssuedLater = rules.keyIds.every((id) => list.issued >= (newest.get(id)?.issued ?? -Infinity));
  enforce('L08', isNumberKept && isIssuedLater, 'it is older than a list that was accepted before.');
  const isOther = before !== undefined && list.digest !== before.digest;
  const [counted, what] = rules.byIssueTime
    ? (['issued', 'issue time'] as const)
    : (['sequence', 'sequence number'] as const);
  const isTaken = isOther && list[counted] === before[counted];
  enforce('L09', !isTaken, `it has the ${what} of another list that was accepted before.`);
}

const maxTries = 5;

/** The memory of the newest lists, in this process and in the store if there is one. */
export function sequenceMemory(rules: SequenceRules & Pick<LoteRules, 'url' | 'store'>) {
  const { store } = rules;
  const id = `lote-numbers-${sha256(rules.url)}`;
  let newest: Newest = new Map();
  const readStore = async () => {
    const stored = store && (await callStore(() => store.read(id)));
    return { stored, known: stored ? later(newest, parse(stored.value), rules) : newest };
  };

  return {
    async read() {
      newest = (await readStore()).known;
      return newest;
    },
    /** Remembers a list, unless a newer one was remembered meanwhile: that refuses it. */
    async advance(list: List) {
      const { keyId, sequence, issued, digest } = list;
      for (let left = maxTries; left > 0; left -= 1) {
        const { stored, known } = await readStore();
        checkSequence(list, known, rules);
        const next = new Map(known).set(keyId, { sequence, issued, digest });
        const value = JSON.stringify(Object.fromEntries(next));
        const isWritten =
          store === undefined ||
          stored?.value === value ||
          (await callStore(() =>
            stored === undefined
              ? store.create(id, value, memoryMs)
              : store.replace(id, stored.version, value, memoryMs),
          ));
        if (!isWritten) continue;
        newest = next;
        return;
      }
      throw new IdentityError('store_unavailable');
    },
  };
}

/** Returns the newer list of each key. What the store says comes first, so that it is written as it was read. */
function later(remembered: Newest, shared: Newest, { byIssueTime }: SequenceRules): Newest {
  const order = byIssueTime ? 'issued' : 'sequence';
  const both = new Map(shared);
  for (const [keyId, list] of remembered) {
    const other = shared.get(keyId);
    if (other === undefined || list[order] > other[order]) both.set(keyId, list);
  }
  return both;
}

/** What the kit wrote itself: anything else is refused rather than forgotten. */
function parse(value: string): Newest {
  const part = { name: 'the remembered sequence number', malformed: 'L08' } as const;
  const stored = parseStrict(value, part, startReading(defaultLimits));
  const lists = isObject(stored) ? Object.entries(stored) : [];
  const unreadable = `${part.name} cannot be read.`;
  if (lists.length === 0) throw checkFailed('L08', unreadable);
  return new Map(
    lists.map(([keyId, list]) => {
      const { sequence, issued, digest } = isObject(list) ? list : {};
      if (typeof sequence === 'number' && typeof issued === 'number' && typeof digest === 'string') {
        return [keyId, { sequence, issued, digest }];
      }
      throw checkFailed('L08', unreadable);
    }),
  );
}

async function callStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof IdentityError ? cause : new IdentityError('store_unavailable', { cause });
  }
}

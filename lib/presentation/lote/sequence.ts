import { hash } from 'node:crypto';
import { IdentityError } from '../../errors.js';
import type { FlowStore } from '../../contracts/store.js';
import { checkFailed } from '../token/check-failed.js';
import { parseStrict } from '../token/json.js';
import { defaultLimits } from '../token/limits.js';
import { isObject } from '../token/segment.js';
import type { SignedList } from './list.js';

/** The newest list that was ever accepted. */
export type Newest = Pick<SignedList, 'sequence' | 'issued' | 'digest'>;

/** Refuses a list that is older than the newest one, or another one with the same number (L08, L09). */
export function checkSequence(list: Newest, newest: Newest | undefined, minSequence: number): void {
  if (list.sequence < minSequence) throw checkFailed('L08', 'its sequence number is below minSequence.');
  if (newest === undefined) return;
  if (list.sequence < newest.sequence || (list.sequence > newest.sequence && list.issued < newest.issued)) {
    throw checkFailed('L08', 'it is older than a list that was accepted before.');
  }
  if (list.sequence === newest.sequence && list.digest !== newest.digest) {
    throw checkFailed('L09', 'it has the sequence number of another list that was accepted before.');
  }
}

/** The memory of the newest list, in this process and in the store if there is one. */
export interface SequenceMemory {
  readonly read: () => Promise<Newest | undefined>;
  /** Remembers a list, unless a newer one was remembered meanwhile: that refuses it. */
  readonly advance: (list: Newest, minSequence: number) => Promise<void>;
}

const tries = 5;
/** Longer than any list is valid: after that, the memory begins anew. */
const keptMs = 400 * 24 * 60 * 60_000;

export function sequenceMemory(url: string, store: FlowStore | undefined): SequenceMemory {
  const id = `lote-${hash('sha256', url, 'base64url')}`;
  let newest: Newest | undefined;
  const stored = async () => (store === undefined ? undefined : await call(() => store.read(id)));

  return {
    async read() {
      const found = await stored();
      const shared = found === undefined ? undefined : parse(found.value);
      if (shared !== undefined && (newest === undefined || shared.sequence > newest.sequence))
        newest = shared;
      return newest;
    },
    async advance({ sequence, issued, digest }, minSequence) {
      const list = { sequence, issued, digest };
      const value = JSON.stringify(list);
      for (let left = tries; ; left -= 1) {
        const found = await stored();
        checkSequence(list, found === undefined ? newest : parse(found.value), minSequence);
        if (store === undefined || found?.value === value) break;
        const isWritten = await call(() =>
          found === undefined
            ? store.create(id, value, keptMs)
            : store.replace(id, found.version, value, keptMs),
        );
        if (isWritten) break;
        if (left === 1) throw new IdentityError('store_unavailable');
      }
      newest = list;
    },
  };
}

/** What the kit wrote itself: anything else is refused rather than forgotten. */
function parse(value: string): Newest {
  const found = parseStrict(
    value,
    { name: 'the remembered sequence number', malformed: 'L08' },
    defaultLimits,
  );
  const { sequence, issued, digest } = isObject(found) ? found : {};
  if (typeof sequence === 'number' && typeof issued === 'number' && typeof digest === 'string') {
    return { sequence, issued, digest };
  }
  throw checkFailed('L08', 'the remembered sequence number cannot be read.');
}

async function call<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof IdentityError ? cause : new IdentityError('store_unavailable', { cause });
  }
}

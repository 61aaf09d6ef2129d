import { IdentityError } from '../errors.js';
import { aFunction, type ChecksOf, object, wholeNumber, withDefault } from '../internal/validate.js';
import { lockMark, type FlowStore } from '../types/store.js';
import type { Clock } from '../types/json.js';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** How many flows can be stored at once. One more is refused as `store_full`. Default 100,000. */
  readonly max?: number;
  /**
   * How many bytes of ids and values can be stored at once. A quarter is reserved for flows that have started, and for their
   * returns. Default 64 MB.
   */
  readonly maxBytes?: number;
  readonly clock?: Clock;
}

interface Entry {
  readonly value: string;
  readonly version: number;
  readonly expiresAt: number;
}

const checkOptions = object({
  max: withDefault(wholeNumber(), 100_000),
  maxBytes: withDefault(wholeNumber(), 64 * 1024 * 1024),
  clock: withDefault(aFunction<Clock>(), () => new Date()),
} satisfies ChecksOf<MemoryStoreOptions>);

/** More than a create adds, so that expired flows leave sooner than new ones come. */
const sweptByCreate = 10;
/** A create in a full store looks further. It still costs less than the rest of a start. */
const sweptWhenFull = 1_000;
/** The share of the bytes that creates may fill: records grow, and a flow that has started must come to its end. */
const shareOfCreates = 0.75;
/** Locks have a room of their own, which records never fill: there is no return without a lock. */
const shareOfLocks = 0.1;
const isLock = (value: string): boolean => value.startsWith(lockMark);
const known = new WeakSet<FlowStore>();

/** True for a store that only this process sees. */
export const isMemoryStore = (store: FlowStore): boolean => known.has(store);

/**
 * Keeps flows in the memory of this process: for an app with one process, and for development. A full store refuses new
 * flows. It never drops a flow that is alive.
 *
 * @example
 * ```ts
 * import { memoryStore } from 'pidgate'
 *
 * const store = memoryStore({ max: 10_000, maxBytes: 16 * 1024 * 1024 })
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): FlowStore {
  const { max, maxBytes, clock } = checkOptions(options, 'memoryStore:');
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let lockBytes = 0;
  let locks = 0;
  let cursor = entries.entries(); // an iterator of a Map also comes to what is added later

  const store: FlowStore = {
    async create(id, value, ttlMs) {
      const now = clock().getTime();
      sweep(now, sweptByCreate);
      if (live(id, now) !== undefined) return false;
      const size = sizeOf(id, value);
      if (isLock(value)) free(now, () => lockBytes + size <= maxBytes * shareOfLocks);
      else free(now, () => entries.size - locks < max && bytes + size <= maxBytes * shareOfCreates);
      count(id, value, 1);
      entries.set(id, { value, version: 1, expiresAt: now + ttlMs });
      return true;
    },
    async read(id) {
      const entry = live(id, clock().getTime());
      return entry && { value: entry.value, version: entry.version };
    },
    async replace(id, version, value, ttlMs) {
      const now = clock().getTime();
      const entry = live(id, now);
      if (entry?.version !== version) return false;
      const growth = sizeOf(id, value) - sizeOf(id, entry.value);
      if (growth > 0 && !isLock(value)) free(now, () => bytes + growth <= maxBytes * (1 - shareOfLocks));
      count(id, entry.value, -1);
      count(id, value, 1);
      entries.set(id, { value, version: version + 1, expiresAt: now + ttlMs });
      return true;
    },
    async delete(id) {
      const entry = entries.get(id);
      if (entry !== undefined) remove(id, entry);
    },
  };
  known.add(store);
  return store;

  function live(id: string, now: number): Entry | undefined {
    const entry = entries.get(id);
    if (entry === undefined || entry.expiresAt > now) return entry;
    remove(id, entry);
    return undefined;
  }

  function remove(id: string, { value }: Entry): void {
    entries.delete(id);
    count(id, value, -1);
  }

  function count(id: string, value: string, sign: 1 | -1): void {
    const size = sign * sizeOf(id, value);
    if (isLock(value)) {
      lockBytes += size;
      locks += sign;
    } else bytes += size;
  }

  function free(now: number, fits: () => boolean): void {
    if (fits()) return;
    sweep(now, sweptWhenFull);
    if (!fits()) throw new IdentityError('store_full');
  }

  /** Looks at the next few entries, round and round, and removes those that have expired. */
  function sweep(now: number, count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const next = cursor.next();
      if (next.done === true) cursor = entries.entries();
      else if (next.value[1].expiresAt <= now) remove(...next.value);
    }
  }
}

const sizeOf = (id: string, value: string): number => Buffer.byteLength(id) + Buffer.byteLength(value);

import { IdentityError } from '../errors.js';
import { knownOptions, optionalFunction, wholeNumber } from '../safe/check-options.js';
import type { FlowStore } from '../contracts/store.js';
import type { Clock } from '../contracts/values.js';
import { createPartedMap } from './memory/parted-map.js';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** Flows held at once; one more is refused as `store_full`. Default 100,000. */
  readonly max?: number;
  readonly clock?: Clock;
}

interface Entry {
  readonly id: string;
  readonly value: string;
  readonly version: number;
  readonly expiresAt: number;
  /** Its index among those that expire in the same second. */
  place: number;
}

const tickMs = 1_000;
const idsAtOnce = 4;
const emptyTicksAtOnce = 1_000;
const known = new WeakSet<FlowStore>();

/** True for a store that only this process sees. */
export function isMemoryStore(store: FlowStore): boolean {
  return known.has(store);
}

/**
 * Keeps flows in this process: for one process, and for development. It never drops a flow that is still alive.
 *
 * @example
 * ```ts
 * import { memoryStore } from 'pidgate'
 *
 * const store = memoryStore({ max: 10_000 })
 * ```
 */
export function memoryStore(options: MemoryStoreOptions = {}): FlowStore {
  knownOptions(options, ['max', 'clock'], 'memoryStore');
  const max = wholeNumber(options.max, 100_000, 'memoryStore: max');
  const clock = optionalFunction(options.clock, 'memoryStore: clock') ?? (() => new Date());
  const entries = createPartedMap<Entry>();
  // The same entries by the second in which they expire: expiry looks at none twice, and at few in one go.
  const expiring = new Map<number, Entry[]>();
  let sweptTo = tickOf(clock().getTime());

  const store: FlowStore = {
    async create(id, value, ttlMs) {
      const now = clock().getTime();
      sweep(now);
      if (live(id, now) !== undefined) return false;
      if (entries.size() >= max) throw new IdentityError('store_full');
      put(id, value, 1, now + ttlMs);
      return true;
    },
    async read(id) {
      const entry = live(id, clock().getTime());
      return entry && { value: entry.value, version: entry.version };
    },
    async replace(id, version, value, ttlMs) {
      const now = clock().getTime();
      if (live(id, now)?.version !== version) return false;
      put(id, value, version + 1, now + ttlMs);
      return true;
    },
    async delete(id) {
      const entry = entries.get(id);
      if (entry !== undefined) remove(entry);
    },
  };
  known.add(store);
  return store;

  function live(id: string, now: number): Entry | undefined {
    const entry = entries.get(id);
    if (entry === undefined || entry.expiresAt > now) return entry;
    remove(entry);
    return undefined;
  }

  function put(id: string, value: string, version: number, expiresAt: number): void {
    const before = entries.get(id);
    if (before !== undefined) remove(before);
    const tick = tickOf(expiresAt);
    const together = expiring.get(tick) ?? [];
    if (together.length === 0) expiring.set(tick, together);
    const entry = { id, value, version, expiresAt, place: together.length };
    together.push(entry);
    entries.set(id, entry);
    sweptTo = Math.min(sweptTo, tick); // the clock may have been ahead, and was put back
  }

  /** The last of its second takes its place, so that nothing is left of it and nothing is searched. */
  function remove({ id, expiresAt, place }: Entry): void {
    entries.delete(id);
    const tick = tickOf(expiresAt);
    const together = expiring.get(tick);
    const last = together?.pop();
    if (together === undefined || last === undefined) return;
    if (together.length === 0) expiring.delete(tick);
    if (last.id === id) return;
    last.place = place;
    together[place] = last;
  }

  /** Removes a few of the expired, more than a create adds: none of them stands in the way of a new flow. */
  function sweep(now: number): void {
    let ids = idsAtOnce;
    let empty = 0;
    while (ids > 0 && sweptTo < tickOf(now)) {
      const entry = expiring.get(sweptTo)?.at(-1);
      if (entry !== undefined) {
        remove(entry);
        ids -= 1;
        empty = 0;
      } else if (empty < emptyTicksAtOnce) {
        sweptTo += 1;
        empty += 1;
      } else {
        sweptTo = firstTick(tickOf(now)); // after a long pause, or a clock that was put ahead
        empty = 0;
      }
    }
  }

  function firstTick(most: number): number {
    let first = most;
    for (const tick of expiring.keys()) first = Math.min(first, tick);
    return first;
  }
}

function tickOf(time: number): number {
  return Math.floor(time / tickMs);
}

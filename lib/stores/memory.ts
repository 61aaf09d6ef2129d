import { IdentityError } from '../errors.js';
import type { Clock, FlowStore } from '../ports.js';

/** Options of {@link memoryStore}. */
export interface MemoryStoreOptions {
  /** Flows held at once; one more is refused as `store_full`. Default 100,000. */
  readonly max?: number;
  readonly clock?: Clock;
}

interface Entry {
  readonly value: string;
  readonly version: number;
  readonly expiresAt: number;
}

const tickMs = 1_000;
const idsAtOnce = 4;
const ticksAtOnce = 1_000;
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
export function memoryStore({ max = 100_000, clock = () => new Date() }: MemoryStoreOptions = {}): FlowStore {
  const entries = new Map<string, Entry>();
  // Ids by the second in which they expire, so that expiry looks at no id twice and at few in one go.
  const expiring = new Map<number, string[]>();
  let sweptTo = tickOf(clock().getTime());

  const store: FlowStore = {
    async create(id, value, ttlMs) {
      const now = clock().getTime();
      sweep(now);
      if (live(id, now) !== undefined) return false;
      if (entries.size >= max) throw new IdentityError('store_full');
      put(id, { value, version: 1, expiresAt: now + ttlMs });
      return true;
    },
    async read(id) {
      const entry = live(id, clock().getTime());
      return entry && { value: entry.value, version: entry.version };
    },
    async replace(id, version, value, ttlMs) {
      const now = clock().getTime();
      if (live(id, now)?.version !== version) return false;
      put(id, { value, version: version + 1, expiresAt: now + ttlMs });
      return true;
    },
    async delete(id) {
      entries.delete(id);
    },
  };
  known.add(store);
  return store;

  function live(id: string, now: number): Entry | undefined {
    const entry = entries.get(id);
    if (entry === undefined || entry.expiresAt > now) return entry;
    entries.delete(id);
    return undefined;
  }

  function put(id: string, entry: Entry): void {
    const tick = tickOf(entry.expiresAt);
    const before = entries.get(id);
    entries.set(id, entry);
    if (before !== undefined && tickOf(before.expiresAt) === tick) return;
    const ids = expiring.get(tick);
    if (ids === undefined) expiring.set(tick, [id]);
    else ids.push(id);
  }

  /** Removes a few of the expired, or all of them where the store is full: each id is removed once. */
  function sweep(now: number): void {
    let ids = entries.size >= max ? Infinity : idsAtOnce;
    for (let ticks = ticksAtOnce; ids > 0 && ticks > 0 && sweptTo < tickOf(now);) {
      const id = expiring.get(sweptTo)?.pop();
      if (id !== undefined) {
        live(id, now);
        ids -= 1;
      } else {
        expiring.delete(sweptTo);
        sweptTo = expiring.size === 0 ? tickOf(now) : sweptTo + 1;
        ticks -= 1;
      }
    }
  }
}

function tickOf(time: number): number {
  return Math.floor(time / tickMs);
}

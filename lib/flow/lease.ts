import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FlowDeps } from './context.js';
import type { FlowRecord } from './record.js';
import type { StoredFlow } from './records.js';

/** For the writes between the hooks of one lease. */
const graceMs = 10_000;
const maxPauseMs = 250;

/** True while somebody may be running a hook of this flow. */
export const isLeased = (deps: FlowDeps, record: FlowRecord): boolean =>
  record.lease !== undefined && record.lease.until > deps.clock().getTime();

export interface LeasedFlow extends StoredFlow {
  readonly lease: NonNullable<FlowRecord['lease']>;
}

/** Takes the lease for so many hooks, one after the other; returns undefined where another write came first. */
export async function takeLease(
  deps: FlowDeps,
  stored: StoredFlow,
  hooks: number,
): Promise<LeasedFlow | undefined> {
  const until = deps.clock().getTime() + hooks * deps.hookTimeout + graceMs;
  const lease = { holder: randomUUID(), until };
  const leased = await deps.records.replace(stored, { ...stored.record, lease });
  return leased && { ...leased, lease };
}

/**
 * Writes after a hook, and gives the lease back with it; undefined where the lease was lost. Others may have written
 * meanwhile: the page of a refused body may change without a lease.
 */
export async function writeUnderLease(
  deps: FlowDeps,
  leased: StoredFlow,
  next: (record: FlowRecord) => FlowRecord,
): Promise<StoredFlow | undefined> {
  const isOurs = (record: FlowRecord) => record.lease?.holder === leased.record.lease?.holder;
  return await rewrite(deps, leased, (record) => next(withoutLease(record)), isOurs);
}

/**
 * Writes what `next` makes of the record, over what others wrote meanwhile, as long as `still` holds of that;
 * undefined where it no longer does, or where the flow has ended.
 */
export async function rewrite(
  deps: FlowDeps,
  known: StoredFlow,
  next: (record: FlowRecord) => FlowRecord,
  still: (record: FlowRecord) => boolean = () => true,
): Promise<StoredFlow | undefined> {
  let stored = known;
  for (;;) {
    const written = await deps.records.replace(stored, next(stored.record));
    if (written !== undefined) return written;
    const read = await deps.records.read(stored, stored);
    if (read === undefined || read === 'revoked' || !still(read.record)) return undefined;
    stored = read;
  }
}

/** Writes where nobody holds the lease; undefined where another write came first. */
export async function replaceUnleased(
  { records }: FlowDeps,
  stored: StoredFlow,
  next: (record: FlowRecord) => FlowRecord,
): Promise<StoredFlow | undefined> {
  return await records.replace(stored, next(withoutLease(stored.record)));
}

const withoutLease = ({ lease: _lease, ...record }: FlowRecord): FlowRecord => record;

/** Waits until the lease is given back or has expired, for as long as one hook may take; false if it lasts longer. */
export async function waitForLease(deps: FlowDeps, stored: StoredFlow): Promise<boolean> {
  return await waitUntil(deps, stored.id, async () => {
    const read = await deps.records.read(stored);
    return read === undefined || read === 'revoked' || !isLeased(deps, read.record);
  });
}

/**
 * Asks again and again, for as long as one hook may take. Only one waits for a name in this process: the others, and
 * the one whose wait timed out, get false, and come back later.
 */
export async function waitUntil(
  deps: FlowDeps,
  name: string,
  isFree: () => Promise<boolean>,
): Promise<boolean> {
  if (deps.waiting.has(name)) return false;
  deps.waiting.add(name);
  try {
    const patience = performance.now() + deps.hookTimeout;
    for (let pause = 10; performance.now() < patience; pause = Math.min(pause * 2, maxPauseMs)) {
      await delay(pause);
      if (await isFree()) return true;
    }
    return false;
  } finally {
    deps.waiting.delete(name);
  }
}

import { randomUUID } from 'node:crypto';
import type { FlowDeps } from './context.js';
import type { FlowRecord } from './record.js';
import type { StoredFlow } from './records.js';
import { waitUntil } from './wait-until.js';

/**
 * How long a lease lives: two hooks, one after the other, and 10 seconds for the writes between them.
 *
 * @internal
 */
export const leaseMs = (hookTimeout: number): number => 2 * hookTimeout + 10_000;

/** True while somebody may be running a hook of this flow. */
export const isLeased = (deps: FlowDeps, record: FlowRecord): boolean =>
  record.lease !== undefined && record.lease.until > deps.clock().getTime();

export interface LeasedFlow extends StoredFlow {
  readonly lease: NonNullable<FlowRecord['lease']>;
}

/**
 * Takes the lease; returns undefined where another write came first, or where so much of it is over that its hooks might
 * outlast it, as where the process stood still.
 */
export async function takeLease(deps: FlowDeps, stored: StoredFlow): Promise<LeasedFlow | undefined> {
  const until = deps.clock().getTime() + leaseMs(deps.hookTimeout);
  const lease = { holder: randomUUID(), until };
  const leased = await deps.records.replace(stored, { ...stored.record, lease });
  const hasTime = until - deps.clock().getTime() >= 2 * deps.hookTimeout;
  return leased && hasTime ? { ...leased, lease } : undefined;
}

/**
 * Writes, and ends the lease with it; undefined where another write came first, so that a lease that was lost writes
 * nothing.
 */
export async function replaceUnleased(
  { records }: FlowDeps,
  stored: StoredFlow,
  next: (record: FlowRecord) => FlowRecord,
): Promise<StoredFlow | undefined> {
  const { lease: _lease, ...record } = stored.record;
  return await records.replace(stored, next(record));
}

/** Waits until the lease has ended or run out, for as long as one hook may take; false if it lasts longer. */
export async function waitForLease(deps: FlowDeps, stored: StoredFlow): Promise<boolean> {
  return await waitUntil(deps, stored.id, async () => {
    const read = await deps.records.read(stored);
    return read === undefined || !isLeased(deps, read.record);
  });
}

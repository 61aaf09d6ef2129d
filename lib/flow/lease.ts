import { setTimeout as delay } from 'node:timers/promises';
import { IdentityError } from '../errors.js';
import type { FlowKit } from './deps.js';
import type { FlowRecord } from './record.js';
import { newSecret } from './secrets.js';
import type { Held } from './records.js';

const graceMs = 10_000;
const longestPause = 250;

/** True while somebody may be running a hook of this flow. */
export function isLeased<Req>(kit: FlowKit<Req>, record: FlowRecord): boolean {
  return record.lease !== undefined && record.lease.until > kit.clock().getTime();
}

/** Takes the lease for so many hooks, one after the other; undefined where another write came first. */
export async function takeLease<Req>(
  kit: FlowKit<Req>,
  state: string,
  held: Held,
  hooks: number,
): Promise<Held | undefined> {
  const until = kit.clock().getTime() + hooks * kit.hookTimeout + graceMs;
  const lease = { holder: newSecret(), until };
  return await kit.shelf.replace(state, held, { ...held.record, lease });
}

/**
 * Writes after a hook, and gives the lease back with it; undefined where the lease was lost. Others may have written
 * meanwhile: the page of a refused body may change without a lease.
 */
export async function writeUnderLease<Req>(
  kit: FlowKit<Req>,
  state: string,
  leased: Held,
  next: (record: FlowRecord) => FlowRecord,
): Promise<Held | undefined> {
  return await rewrite(
    kit,
    state,
    leased,
    (record) => next(withoutLease(record)),
    (record) => record.lease?.holder === leased.record.lease?.holder,
  );
}

/**
 * Writes what `next` makes of the record, over what others wrote meanwhile, as long as `still` holds of that;
 * undefined where it no longer does, or where the flow is over.
 */
export async function rewrite<Req>(
  kit: FlowKit<Req>,
  state: string,
  known: Held,
  next: (record: FlowRecord) => FlowRecord,
  still: (record: FlowRecord) => boolean = () => true,
): Promise<Held | undefined> {
  let held = known;
  for (;;) {
    const written = await kit.shelf.replace(state, held, next(held.record));
    if (written !== undefined) return written;
    const read = await kit.shelf.read(state);
    if (read === undefined || read === 'burnt' || !still(read.record)) return undefined;
    checkMoved(held, read);
    held = read;
  }
}

/** A swap is lost to another write only: a store that still shows the version it refused would keep us here for ever. */
export function checkMoved(refused: Held, read: Held): void {
  if (read.version !== refused.version) return;
  throw new IdentityError('store_unavailable', {
    message: 'The flow store refuses to replace the very version that it reads.',
  });
}

export function withoutLease({ lease: _lease, ...record }: FlowRecord): FlowRecord {
  return record;
}

/**
 * Waits until the lease is given back or runs out, for as long as one hook may take. Only one waits for a flow in
 * this process: false tells the others, and the one whose patience is over, to come back later.
 */
export async function waitForLease<Req>(kit: FlowKit<Req>, state: string, held: Held): Promise<boolean> {
  if (kit.waiting.has(held.id)) return false;
  kit.waiting.add(held.id);
  try {
    const patience = performance.now() + kit.hookTimeout;
    for (let pause = 10; performance.now() < patience; pause = Math.min(pause * 2, longestPause)) {
      await delay(pause);
      const read = await kit.shelf.read(state);
      if (read === undefined || read === 'burnt' || !isLeased(kit, read.record)) return true;
    }
    return false;
  } finally {
    kit.waiting.delete(held.id);
  }
}

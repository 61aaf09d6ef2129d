import { setTimeout as delay } from 'node:timers/promises';
import type { FlowKit } from './kit.js';
import type { FlowRecord } from './record.js';
import { newSecret } from './secrets.js';
import type { Held } from './shelf.js';

const graceMs = 10_000;
const longestPause = 250;

/** True while somebody may be running a hook of this flow. */
export function isLeased<Req>(kit: FlowKit<Req>, record: FlowRecord): boolean {
  return record.lease !== undefined && record.lease.until > kit.clock().getTime();
}

/** Takes the lease for so many hooks; undefined where another write came first. */
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
 * Writes after a hook, and gives the lease back with it. Others may have written meanwhile (a refused body is
 * remembered without a lease): then the record is read again, and written only while the lease is still this one.
 */
export async function writeUnderLease<Req>(
  kit: FlowKit<Req>,
  state: string,
  leased: Held,
  next: (record: FlowRecord) => FlowRecord,
): Promise<Held | undefined> {
  let held: Held = leased;
  for (;;) {
    const { lease: _ended, ...record } = held.record;
    const written = await kit.shelf.replace(state, held, next(record));
    if (written !== undefined) return written;
    const read = await kit.shelf.read(state);
    if (read === undefined || read === 'burnt') return undefined;
    if (read.record.lease?.holder !== leased.record.lease?.holder) return undefined;
    held = read;
  }
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

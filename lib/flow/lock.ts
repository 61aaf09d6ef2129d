import { randomUUID } from 'node:crypto';
import type { FlowDeps } from './context.js';
import { lockName } from './secrets.js';
import { lockMark } from '../types/store.js';
import { waitUntil } from './wait-until.js';

/** For the steps of a return beside its two hooks: each may take 5 seconds. */
const graceMs = 40_000;

/** What a lock that was given back holds, until the store lets go of it. */
const freeLock = `${lockMark}free`;

/** A lock that is held by this return. */
export interface Lock {
  /** True where another return held it before: that one may have ended the session. */
  readonly hasWaited: boolean;
  /** The last thing that a return does. It never fails: a lock that stays runs out. */
  readonly unlock: () => Promise<void>;
}

/**
 * Locks an owner for the return of a flow: in all processes, and for all factories on one store, one return of an owner
 * runs at a time. A lock that is taken is waited for, for as long as one hook may take; undefined if it lasts longer.
 */
export async function lockOwner(deps: FlowDeps, owner: string, flow: string): Promise<Lock | undefined> {
  const ms = 2 * deps.hookTimeout + graceMs;
  const { unlock } = await tryLock(deps, owner, flow, ms);
  if (unlock !== undefined) return { hasWaited: false, unlock };
  const taken: Lock[] = [];
  await waitUntil(deps, `lock ${owner}`, async () => {
    const attempt = await tryLock(deps, owner, flow, ms);
    if (attempt.unlock !== undefined) taken.push({ hasWaited: true, unlock: attempt.unlock });
    return attempt.unlock !== undefined;
  });
  return taken[0];
}

/** The attempt to lock: the lock, or the flow that it is held for, where that can be told. */
export type Attempt =
  | { readonly unlock: () => Promise<void> }
  | { readonly unlock?: undefined; readonly heldFor: string | undefined };

/** Asks once. Never deleted: by the time it is given back, a lock may have run out and be another one's. */
export async function tryLock(
  { storeCalls }: FlowDeps,
  owner: string,
  flow: string,
  ms: number,
): Promise<Attempt> {
  const name = lockName(owner);
  const value = `${lockMark}${flow}.${randomUUID()}`;
  const locked = (version: number): Attempt => ({
    async unlock() {
      await storeCalls.replace(name, version, freeLock, 1).catch(() => undefined);
    },
  });
  if (await storeCalls.create(name, value, ms)) return locked(1);
  const held = await storeCalls.read(name);
  if (held === undefined) return { heldFor: undefined }; // it has just run out
  if (held.value !== freeLock) return { heldFor: held.value.slice(lockMark.length).split('.', 1)[0] };
  const taken = await storeCalls.replace(name, held.version, value, ms);
  return taken ? locked(held.version + 1) : { heldFor: undefined };
}

import { randomUUID } from 'node:crypto';
import type { FlowDeps } from './context.js';
import { mayRunOn } from './hooks.js';
import { lockName } from './secrets.js';
import { lockMark } from '../types/store.js';
import type { End } from './transitions.js';
import { waitUntil } from './wait-until.js';

/**
 * How long the lock of a return lives: two hooks, and 40 seconds for the steps beside them, each of which may take 5.
 *
 * @internal
 */
export const lockMs = (hookTimeout: number): number => 2 * hookTimeout + 40_000;

/** A call that the store does not answer may still take effect for so long. */
const callMs = 5_000;

/** What a lock that was given back holds, until the store lets go of it. */
const freeLock = `${lockMark}free`;

/** A lock that is held by this return. */
export interface Lock {
  /** True where another return held it before: that one may have ended the session. */
  readonly hasWaited: boolean;
  /** False once its two hooks might outlast it, as where the process stood still: then none may begin. */
  readonly hasTime: () => boolean;
  /** It never fails: a lock that is not given back runs out. */
  readonly unlock: () => Promise<void>;
}

/**
 * Does the work of a return under the lock of its owner: in all processes, and for all factories on one store, one return of
 * an owner runs at a time. A lock that is taken is waited for, for as long as one hook may take; the work gets none if it
 * lasts longer. The lock is given back last of all. After a hook that was late it runs out instead, so that no second run
 * begins beside it.
 */
export async function lockOwner(
  deps: FlowDeps,
  owner: string,
  flow: string,
  work: (lock: Lock | undefined) => Promise<End | undefined>,
): Promise<End | undefined> {
  const lock = await waitForLock(deps, owner, flow);
  let end: End | undefined;
  try {
    end = await work(lock);
    return end;
  } finally {
    if (!mayRunOn(end?.error)) await lock?.unlock();
  }
}

async function waitForLock(deps: FlowDeps, owner: string, flow: string): Promise<Lock | undefined> {
  const ms = lockMs(deps.hookTimeout);
  const first = await tryLock(deps, owner, flow, ms);
  if (first.unlock !== undefined) return { hasWaited: false, ...first };
  const taken: Lock[] = [];
  await waitUntil(deps, `lock ${owner}`, async () => {
    const attempt = await tryLock(deps, owner, flow, ms);
    if (attempt.unlock !== undefined) taken.push({ hasWaited: true, ...attempt });
    return attempt.unlock !== undefined;
  });
  return taken[0];
}

/** The attempt to lock: the lock, or the flow that it is held for, where that can be told. */
export type Attempt =
  Omit<Lock, 'hasWaited'> | { readonly unlock?: undefined; readonly heldFor: string | undefined };

/**
 * Asks once. By the time it is given back, a lock may have run out and be another one's, and the version of that one begins
 * at 1 again. So it is never deleted, and it is given back only where the store still holds this very value, and not in the
 * last seconds of its life.
 */
export async function tryLock(
  { storeCalls, hookTimeout }: FlowDeps,
  owner: string,
  flow: string,
  ms: number,
): Promise<Attempt> {
  const name = lockName(owner);
  const value = `${lockMark}${flow}.${randomUUID()}`;
  const [mayBeOver, isLate] = [stopwatch(ms - callMs), stopwatch(ms - 2 * hookTimeout)];
  const giveBack = async (): Promise<void> => {
    if (mayBeOver()) return;
    const held = await storeCalls.read(name);
    if (held?.value === value && !mayBeOver()) await storeCalls.replace(name, held.version, freeLock, 1);
  };
  const unlock = async (): Promise<void> => await giveBack().catch(() => undefined);
  const locked: Attempt = { unlock, hasTime: () => !isLate() };
  if (await storeCalls.create(name, value, ms)) return locked;
  const held = await storeCalls.read(name);
  if (held === undefined) return { heldFor: undefined }; // it has just run out
  if (held.value !== freeLock) return { heldFor: held.value.slice(lockMark.length).split('.', 1)[0] };
  const taken = await storeCalls.replace(name, held.version, value, ms);
  return taken ? locked : { heldFor: undefined };
}

/**
 * Whether so much time is over, by the process's own clocks: the app's option `clock` may be moved by its tests. Of the two,
 * one can be set back, and the other stands still while the machine is frozen.
 */
function stopwatch(ms: number): () => boolean {
  const [wall, steady] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wall, performance.now() - steady) >= ms;
}

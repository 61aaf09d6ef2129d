import type { FlowStore } from '../../../lib/types/store.js';
import { type Random, randomOf } from '../fuzz/random.js';
import { type Call, type State, stateOf, versionOf, type Work } from './history.js';

/** One of several that call the same store, one call after the other. */
export interface Actor {
  readonly name: string;
  readonly store: FlowStore;
  readonly seed: number;
  /** Nanoseconds, of one clock for all actors. */
  readonly now: () => number;
  /** The number of the flows that are in use now: it grows. */
  readonly newest: () => number;
  /** The beginning of every key, or undefined when it is to stop. */
  readonly part: () => string | undefined;
  /** Waits a little; longer after a call of which nobody knows the outcome. */
  readonly pause: (isUnknown: boolean) => Promise<void>;
  readonly tell: (call: Call) => void;
}

/** Longer than any run: expiry is the contract's matter, not that of a history. */
const ttlMs = 24 * 3_600_000;

/** Calls the store until it is to stop: mostly on the newest flows, sometimes on one of a while ago. */
export async function playCalls(actor: Actor): Promise<void> {
  const { name, store, newest, part } = actor;
  const random = randomOf(actor.seed, 0);
  /** What this actor has last seen of each key. */
  const seen = new Map<string, State>();
  let written = 0;

  for (let prefix = part(); prefix !== undefined; prefix = part()) {
    const last = newest();
    const flow = random.oneIn(4) ? Math.max(0, last - random.below(20)) : last;
    const key = `${prefix}-${flow}-${random.below(3)}`;
    const state = seen.get(key);
    written += 1;
    const value = `${name}-${written}`;
    const began = actor.now();
    let work = chooseWork(random, state, value);
    let isUnknown = false;
    try {
      work = await perform(store, key, work);
    } catch {
      isUnknown = true;
    }
    const ended = actor.now();
    if (isUnknown) seen.delete(key);
    else seen.set(key, stateAfter(work, state));
    const call = { actor: name, key, work, began };
    actor.tell(isUnknown ? call : { ...call, ended });
    await actor.pause(isUnknown);
  }
}

function chooseWork(random: Random, state: State | undefined, value: string): Work {
  const dice = random.below(100);
  if (state === undefined) {
    return dice < 40 ? { name: 'create', value, done: false } : { name: 'read', found: '' };
  }
  if (dice < 45) return { name: 'read', found: '' };
  if (dice < 47) return { name: 'delete' };
  if (state === '' || dice < 52) return { name: 'create', value, done: false };
  // One of the last versions at times: it must be refused.
  const version = Math.max(1, versionOf(state) - (dice < 60 ? 1 : 0));
  return { name: 'replace', version, value, done: false };
}

/** Returns the work with its outcome. */
async function perform(store: FlowStore, key: string, work: Work): Promise<Work> {
  switch (work.name) {
    case 'create':
      return { ...work, done: await store.create(key, work.value, ttlMs) };
    case 'replace':
      return { ...work, done: await store.replace(key, work.version, work.value, ttlMs) };
    case 'delete':
      await store.delete(key);
      return work;
    case 'read': {
      const found = await store.read(key);
      return { ...work, found: found === undefined ? '' : stateOf(found.version, found.value) };
    }
    case 'failover':
      return work;
  }
}

/** What the actor now believes the key to hold: of a refused write it knows only that it must look. */
function stateAfter(work: Work, before: State | undefined): State {
  if (work.name === 'read') return work.found;
  if (work.name === 'create' && work.done) return stateOf(1, work.value);
  if (work.name === 'replace' && work.done) return stateOf(work.version + 1, work.value);
  return work.name === 'delete' ? '' : (before ?? '');
}

/** Reads the keys once more: what was lost meanwhile of a key that nobody calls any more shows here. */
export async function readAll(actor: Actor, keys: readonly string[]): Promise<void> {
  for (const key of keys) while (!(await readOnce(actor, key)));
}

/** False if there was no answer: a read that failed says nothing. */
async function readOnce({ name, store, now, tell }: Actor, key: string): Promise<boolean> {
  const began = now();
  try {
    const work = await perform(store, key, { name: 'read', found: '' });
    tell({ actor: name, key, work, began, ended: now() });
    return true;
  } catch {
    return false;
  }
}

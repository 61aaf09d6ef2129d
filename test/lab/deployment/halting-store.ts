import type { Store } from 'express-session';
import { type FlowStore, lockMark } from '../../../lib/types/store.js';

/** Told of each step, such as `before replace 1`; the step goes on when the promise does. */
export type Reach = (point: string) => Promise<void>;

export interface HaltingStore extends FlowStore {
  /** From now on the calls are counted from 1 again. */
  recount(): void;
}

/** A flow store that can be stopped on either side of each call. */
export function haltingStore(inner: FlowStore, reach: Reach): HaltingStore {
  let counts = new Map<string, number>();

  async function stepped<T>(call: string, work: () => Promise<T>): Promise<T> {
    const nth = (counts.get(call) ?? 0) + 1;
    counts.set(call, nth);
    await reach(`before ${call} ${nth}`);
    const done = await work();
    await reach(`after ${call} ${nth}`);
    return done;
  }

  return {
    recount() {
      counts = new Map();
    },
    create: async (...args) => await stepped('create', async () => await inner.create(...args)),
    read: async (...args) => await stepped('read', async () => await inner.read(...args)),
    replace: async (...args) => await stepped('replace', async () => await inner.replace(...args)),
    delete: async (...args) => await stepped('delete', async () => await inner.delete(...args)),
  };
}

/**
 * The server's clock goes with the app's: a lock that has run out by that is not there any more. So long nobody waits for
 * one that has died.
 */
export function agingStore(inner: FlowStore, isOver: () => boolean): FlowStore {
  return {
    async create(id, value, ttl) {
      if (value.startsWith(lockMark) && isOver()) await inner.delete(id);
      return await inner.create(id, value, ttl);
    },
    read: async (...args) => await inner.read(...args),
    replace: async (...args) => await inner.replace(...args),
    delete: async (...args) => await inner.delete(...args),
  };
}

/** The same for a session store: each write, and each end of a session, has a point before and after it. */
export function haltingSessions(sessions: Store, reach: Reach): Store {
  for (const name of ['set', 'destroy'] as const) {
    const call = (sessions[name] as (...args: unknown[]) => void).bind(sessions);
    const halting = async (args: unknown[]): Promise<void> => {
      const done = args.pop() as (...answer: unknown[]) => void;
      await reach(`before session ${name}`);
      const answer = await new Promise<unknown[]>((resolve) => {
        call(...args, (...given: unknown[]) => {
          resolve(given);
        });
      });
      await reach(`after session ${name}`);
      done(...answer);
    };
    Object.assign(sessions, { [name]: (...args: unknown[]) => void halting(args) });
  }
  return sessions;
}

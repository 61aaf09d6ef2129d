import type { FlowStore } from '../../../lib/types/store.js';
import type { Random } from '../fuzz/random.js';

/** Makes of a sound store one that sometimes lies. */
export type Lie = (store: FlowStore, random: Random) => FlowStore;

/** What a checker that cannot fail would let through. */
export const lies: Readonly<Record<string, Lie>> = {
  'an update that is lost': (store, random) => ({
    ...store,
    replace: async (...args) => random.oneIn(30) || (await store.replace(...args)),
  }),
  'a read of what had been replaced': (store, random) => {
    const before = new Map<string, Awaited<ReturnType<FlowStore['read']>>>();
    return {
      ...store,
      async replace(...args) {
        const [id] = args;
        const old = await store.read(id);
        const isDone = await store.replace(...args);
        if (isDone) before.set(id, old);
        return isDone;
      },
      read: async (id) => (random.oneIn(20) && before.get(id)) || (await store.read(id)),
    };
  },
  'a swap that does not compare': (store) => ({
    ...store,
    async replace(id, _version, value, ttlMs) {
      const now = await store.read(id);
      return now !== undefined && (await store.replace(id, now.version, value, ttlMs));
    },
  }),
  'a create of what is there': (store, random) => ({
    ...store,
    async create(...args) {
      if (random.oneIn(5)) await store.delete(args[0]);
      return await store.create(...args);
    },
  }),
};

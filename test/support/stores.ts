import { MemoryStore } from 'express-session';
import type { FlowStore } from '../../lib/types/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { gate } from './callbacks.js';

type AnyFunction = (...args: unknown[]) => Promise<unknown>;

/** Makes a call of the store or does not; `inner` is for calls of somebody else. */
type Around = (
  call: keyof FlowStore,
  work: () => Promise<unknown>,
  args: unknown[],
  inner: FlowStore,
) => Promise<unknown>;

/** A flow store, each of whose calls is made by `around`: before it, after it, or not at all. */
export function storeAround(around: Around, inner: FlowStore = memoryStore()): FlowStore {
  const calls = (['create', 'read', 'replace', 'delete'] as const).map((name) => [
    name,
    async (...args: unknown[]) =>
      await around(name, async () => await (inner[name] as AnyFunction)(...args), args, inner),
  ]);
  return Object.fromEntries(calls) as FlowStore;
}

/** A flow store that fails from the moment that it is cut: in every call, or in those of one name. */
export function cuttableStore(inner?: FlowStore) {
  let down: keyof FlowStore | 'all' | undefined;
  const store = storeAround(async (call, work) => {
    if (down === 'all' || down === call) throw Object.assign(new Error('marker'), { code: 'ECONNREFUSED' });
    return await work();
  }, inner);
  return {
    store,
    cut: (call: typeof down = 'all'): void => void (down = call),
    restore: (): void => void (down = undefined),
  };
}

/** A session store, each of whose calls is made by `around`; it hears what the store calls back with. */
export function sessionsAround(
  around: (call: 'get' | 'set' | 'destroy', work: () => Promise<unknown[]>) => Promise<unknown[]>,
  inner = new MemoryStore(),
): MemoryStore {
  const sessions = new MemoryStore();
  for (const name of ['get', 'set', 'destroy'] as const) {
    const call = (inner[name] as (...args: unknown[]) => void).bind(inner);
    Object.assign(sessions, {
      [name]: (...args: unknown[]) => {
        const done = args.pop() as (...answer: unknown[]) => void;
        const work = async (): Promise<unknown[]> =>
          await new Promise((resolve) => {
            call(...args, (...answer: unknown[]) => {
              resolve(answer);
            });
          });
        around(name, work).then((answer) => {
          done(...answer);
        }, done);
      },
    });
  }
  return sessions;
}

/** Options of an app whose flow store stands still at each write from the moment that something was kept. */
export function slowLastWrite(then?: () => Promise<never>) {
  const [last, goOn] = [gate(), gate()];
  const kept = { isKept: false };
  const store = storeAround(async (call, work) => {
    if (!kept.isKept || call !== 'replace') return await work();
    last.open();
    await goOn.opened;
    return await (then ?? work)();
  });
  const keep = (): string => {
    kept.isKept = true;
    return 'kept';
  };
  return { options: { store, keep }, kept, last, goOn };
}

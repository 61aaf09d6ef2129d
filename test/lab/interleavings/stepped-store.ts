import type { FlowStore } from '../../../lib/types/store.js';
import type { Fault } from './scenario.js';

interface Seams {
  /** Waits for the turn of this step. */
  step(label: string): Promise<void>;
  /** What becomes of the call that begins now. */
  fault(): Fault | undefined;
  /** A call is under way. */
  begun(): Call;
  /** The store has failed this request. */
  failed(): void;
  /** The answer arrives in a step of its own. */
  readonly twoSteps: boolean;
  /** How long the store keeps what it could have let go. */
  readonly lateness: number;
  /** A record was written, or (undefined) taken away. */
  wrote(id: string, value: string | undefined, call: Call): void;
}

interface Call {
  readonly since: number;
  readonly over: () => void;
}

/** A store of which each call is a step, and its answer another one. */
export function steppedStore(inner: FlowStore, seams: Seams): FlowStore {
  const call = async <T>(name: keyof FlowStore, work: (begun: Call) => Promise<T>): Promise<T> => {
    const fault = seams.fault();
    const begun = seams.begun();
    try {
      await seams.step(name);
      if (fault === 'fails before') return away();
      const answer = await work(begun);
      if (fault === 'hangs') return await new Promise<never>(() => undefined);
      if (seams.twoSteps) await seams.step(`${name} answered`);
      if (fault === 'fails after') return away();
      return answer;
    } finally {
      begun.over();
    }
  };
  const away = (): never => {
    seams.failed();
    throw new Error('The store is away.');
  };
  return {
    create: async (id, value, ttl) =>
      await call('create', async () => await inner.create(id, value, ttl + seams.lateness)),
    read: async (...args) => await call('read', async () => await inner.read(...args)),
    replace: async (id, version, value, ttl) =>
      await call('replace', async (begun) => {
        const written = await inner.replace(id, version, value, ttl + seams.lateness);
        if (written) seams.wrote(id, value, begun);
        return written;
      }),
    delete: async (id) => {
      await call('delete', async (begun) => {
        await inner.delete(id);
        seams.wrote(id, undefined, begun);
      });
    },
  };
}

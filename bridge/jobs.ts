import type { FlowStore } from './kit.js';
import { createSeal, sha256 } from './seal.js';
import type { Answer, WalletRequest } from './verifiers/verifier.js';

/** The time that the app gives a verification, and how much of it is the person's: then there is time to say so. */
const jobMs = 10 * 60_000;
export const personMs = 9 * 60_000;

/**
 * In front of all that is stored. A version of the bridge that writes another number does not know the jobs of this one:
 * their pages say to start again.
 */
const format = '2.';

/** One verification. A step that reads it and writes it is a compare-and-swap. */
export interface Job {
  /** In the address of its page, and in no other. */
  readonly id: string;
  readonly state: string;
  readonly revealed: readonly string[];
  readonly sameDevice: boolean;
  /** Where the callback goes. */
  readonly redirectUrl: string;
  /** Who asks, as the page says it, and where a person finds them. */
  readonly app: { readonly name: string; readonly url: string };
  readonly startedAt: number;
  readonly request: WalletRequest;
  /** Lets the verifier's post to the hook in. */
  readonly hookKey: string;
  /** The digest of the cookie of the browser that opened the page first. */
  readonly owner?: string;
  /** What the verifier posted to the hook, until there is an answer. */
  readonly hooked?: string | undefined;
  /** Since then the verifier says that the wallet has answered, and the proof is on its way to the hook. */
  readonly answeredAt?: number;
  readonly nonce?: string;
  /** The first one stands. Of a proof that the app has taken, only that is left. */
  readonly answer?: Answer | 'taken';
  /** Until then a process is sending the callback. */
  readonly sendingUntil?: number;
  /** Why the callback must be sent again: it is told once. */
  readonly again?: string;
  /** What the app answered, once it is final: where to go on, or that there is nowhere. */
  readonly outcome?: { readonly redirectUri: string } | { readonly refused: string };
}

export interface StoredJob {
  readonly job: Job;
  readonly version: number;
}

export type Jobs = ReturnType<typeof createJobs>;

/** Keeps jobs, and what no two of them may share, sealed in one of pidgate's flow stores. Names in it are digests. */
export function createJobs(store: FlowStore, secrets: readonly [string, ...string[]], now: () => number) {
  const seal = createSeal(secrets);
  const keyOf = (id: string): string => `job.${sha256(id)}`;
  const leftOf = ({ startedAt }: Job): number => Math.max(1, startedAt + jobMs - now());
  const close = (text: string, key: string): string => format + seal.close(text, key);

  return {
    async create(job: Job): Promise<void> {
      const key = keyOf(job.id);
      if (!(await store.create(key, close(JSON.stringify(job), key), leftOf(job)))) throw new Error('Taken.');
    },

    read: async (id: string) => await readAt(keyOf(id)),

    /** By a name that leads to no page: the digest of the id. */
    readNamed: async (name: string) => await readAt(`job.${name}`),

    /** Undefined: somebody else has changed it meanwhile, so it is to be read again. */
    async change({ job, version }: StoredJob, change: Partial<Job>): Promise<StoredJob | undefined> {
      const [key, changed] = [keyOf(job.id), { ...job, ...change }];
      const isWritten = await store.replace(key, version, close(JSON.stringify(changed), key), leftOf(job));
      return isWritten ? { job: changed, version: version + 1 } : undefined;
    },

    /** Gives a job what only one may have. False: another one has it. */
    async claim(kind: 'nonce' | 'state', what: string, id: string): Promise<boolean> {
      const key = `${kind}.${sha256(what)}`;
      return (await store.create(key, close(id, key), jobMs)) || (await holder(key)) === id;
    },

    /** The id of the job that has it. */
    holder: async (kind: 'nonce' | 'state', what: string) => await holder(`${kind}.${sha256(what)}`),

    /** Throws if the store does not answer. */
    async check(): Promise<void> {
      await store.read('check');
    },

    async release(kind: 'nonce' | 'state', what: string): Promise<void> {
      await store.delete(`${kind}.${sha256(what)}`);
    },
  };

  async function readAt(key: string): Promise<StoredJob | undefined> {
    const stored = await read(key);
    return stored && { job: JSON.parse(stored.text) as Job, version: stored.version };
  }

  async function holder(key: string): Promise<string | undefined> {
    return (await read(key))?.text;
  }

  async function read(key: string): Promise<{ text: string; version: number } | undefined> {
    const stored = await store.read(key);
    if (stored?.value.startsWith(format) !== true) return undefined;
    return { text: seal.open(stored.value.slice(format.length), key), version: stored.version };
  }
}

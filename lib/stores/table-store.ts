import type { FlowStore } from '../types/store.js';
import { codeOf } from '../internal/system-code.js';
import { satisfying } from '../internal/validate.js';
import { callMs as defaultCallMs, createCall } from './call-backend.js';

/** The statements of one database. All times are its own, so the clocks of the processes make no difference. */
export interface FlowTable extends Pick<FlowStore, 'create' | 'read' | 'replace'> {
  /** The name of the database in messages. */
  readonly engine: string;
  /** What to say of an error with such a code: that something is not there. */
  readonly missing: ReadonlyMap<string | undefined, string>;
  /** Codes of errors after which nothing is done, and the same statement may succeed. */
  readonly transient: readonly string[];

  delete(id: string): Promise<unknown>;
  /** Deletes expired rows, so many at most, and answers how many that were. */
  sweep(limit: number): Promise<number>;
  setup(): Promise<unknown>;
}

/** How long the calls may take, and how the sweep waits. */
export interface Times {
  readonly callMs?: number;
  /** Setup runs once, and may wait for that of many other processes. */
  readonly setupMs?: number;
  readonly later?: Later;
}

/** A flow store that can create its own table. */
export interface TableStore extends FlowStore {
  /** Creates the table and its index if they are missing. Any number of processes may call it at once. */
  setup(): Promise<void>;
}

/** A store on a table: each call has a deadline, and expired rows are deleted some time after a write. */
export function createTableStore(
  table: FlowTable,
  { callMs = defaultCallMs, setupMs = 30_000, later = runLater }: Times = {},
): TableStore {
  const explain = (fault: unknown) => table.missing.get(codeOf(fault));
  const bounded = createCall(table.engine, callMs, explain);
  const call = async <T>(work: () => Promise<T>): Promise<T> =>
    await bounded(() => workWithRetry(work, table.transient));
  const sweepSoon = createSweeper(() => call(() => table.sweep(sweepRows)), later);
  const write = (work: () => Promise<boolean>): Promise<boolean> => {
    sweepSoon();
    return call(work);
  };

  return {
    create: (id, value, ttlMs) => write(() => table.create(id, value, Math.ceil(ttlMs))),
    read: (id) => call(() => table.read(id)),
    replace: (id, version, value, ttlMs) => write(() => table.replace(id, version, value, Math.ceil(ttlMs))),
    async delete(id) {
      await call(() => table.delete(id));
    },
    async setup() {
      await createCall(table.engine, setupMs, explain)(() => table.setup());
    },
  };
}

export const noTable = (table: string, file: string): string =>
  `The table ${table} does not exist: call setup() once, or run pidgate/lib/stores/${file}.`;

/** What MySQL calls a database is a schema, too. */
export const noSchema = (table: string): string =>
  `The schema of the table ${table} does not exist, and setup() does not make it: use CREATE SCHEMA.`;

/** A rule for the name of a table or schema. */
export function nameWithin(max: number, unit: 'bytes' | 'characters') {
  const lengthOf = (text: string) => (unit === 'bytes' ? Buffer.byteLength(text) : text.length);
  return satisfying<string>(
    (value) => typeof value === 'string' && /^[^\0]+$/.test(value) && lengthOf(value) <= max,
    `must be a name of 1 to ${max} ${unit} without NUL`,
  );
}

const maxTries = 5;

async function workWithRetry<T>(work: () => Promise<T>, transient: readonly string[]): Promise<T> {
  for (let left = maxTries; ; left -= 1) {
    try {
      return await work();
    } catch (fault) {
      if (!transient.includes(codeOf(fault) ?? '') || left === 1) throw fault;
    }
  }
}

const sweepRows = 1_000;

type Later = (ms: number, run: () => Promise<void>) => void;

/** Runs a function once, without keeping the process alive for it. */
const runLater: Later = (ms, run) => {
  setTimeout(() => void run(), ms).unref();
};

const minMs = 30_000;
const maxMs = 90_000;

/**
 * Returns the function that every write calls. Some time later, expired rows are deleted, batch by batch. Without
 * writes, nothing runs. The delay is random, so that processes which started together do not sweep together.
 */
function createSweeper(deleteBatch: () => Promise<number>, later: Later): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    later(minMs + Math.random() * (maxMs - minMs), async () => {
      try {
        while ((await deleteBatch()) >= sweepRows);
      } catch {
        // A failure does no harm: expired rows are never read, and the next write tries again.
      } finally {
        isPlanned = false;
      }
    });
  };
}

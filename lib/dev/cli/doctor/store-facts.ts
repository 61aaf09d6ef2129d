import { randomUUID } from 'node:crypto';
import type { FlowStore } from '../../../types/store.js';
import { withTimeout } from '../../../internal/timeouts.js';
import { isMemoryStore } from '../../../stores/memory.js';

/** How the flow store took one record of the doctor's own. */
export interface StoreFacts {
  readonly memory: boolean;
  /** The call that failed, or that did not do what the contract says. */
  readonly failed?: 'create' | 'read' | 'replace' | 'delete';
}

const patience = 5_000;
const shortly = 60_000;

/** Without a store of its own, an app keeps its flows in memory. */
export async function storeFacts(store: FlowStore | undefined): Promise<StoreFacts> {
  if (store === undefined || isMemoryStore(store)) return { memory: true };
  const id = `doctor-${randomUUID()}`;
  const steps = [
    ['create', async () => await store.create(id, 'a', shortly)],
    ['read', async () => (await store.read(id))?.value === 'a'],
    ['replace', async () => await replaces(store, id)],
    ['delete', async () => await removes(store, id)],
  ] as const;
  for (const [failed, step] of steps) {
    const done = await withTimeout(patience, step).catch(() => false);
    if (!done) return { memory: false, failed };
  }
  return { memory: false };
}

/** Once, and not a second time over the same version. */
async function replaces(store: FlowStore, id: string): Promise<boolean> {
  const version = (await store.read(id))?.version ?? 0;
  const first = await store.replace(id, version, 'b', shortly);
  return first && !(await store.replace(id, version, 'c', shortly));
}

async function removes(store: FlowStore, id: string): Promise<boolean> {
  await store.delete(id);
  return (await store.read(id)) === undefined;
}

import type { FlowStore } from '../types/store.js';
import { IdentityError, kitError } from '../errors.js';
import { codeOf } from '../internal/system-code.js';
import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { trace, traces } from './tracing.js';

const storeTimeout = 5_000;

/** The app's store as the flow calls it: within a time, with answers that are checked and faults that quote nothing. */
export type StoreCalls = ReturnType<typeof createStoreCalls>;

/** Of each call `flow` is what a trace may show: absent where the id is not a flow's, or only claims to be. */
export function createStoreCalls(store: FlowStore) {
  return {
    create: (id: string, value: string, ttlMs: number, flow?: string): Promise<boolean> =>
      call('create', async () => decided(await store.create(id, value, ttlMs)), flow),

    read: (id: string, flow?: string): Promise<{ value: string; version: number } | undefined> =>
      call('read', async () => whatWasStored(await store.read(id)), flow),

    replace: (id: string, version: number, value: string, ttlMs: number, flow?: string): Promise<boolean> =>
      call('replace', async () => decided(await store.replace(id, version, value, ttlMs)), flow),

    delete: (id: string, flow?: string): Promise<void> => call('delete', () => store.delete(id), flow),
  };
}

/** A driver's own reply, such as 'OK' or a number of rows in an object, would count as a swap that was won. */
function decided(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  throw kitError('store_unavailable', {
    message: 'create and replace of the flow store must return true or false.',
  });
}

/** `null` is how some drivers say that there is nothing. */
function whatWasStored(answer: unknown): { value: string; version: number } | undefined {
  if (answer === undefined || answer === null) return undefined;
  const { value, version } = answer as { readonly value?: unknown; readonly version?: unknown };
  if (typeof value === 'string' && typeof version === 'number' && Number.isSafeInteger(version)) {
    return { value, version };
  }
  throw kitError('store_unavailable', {
    message: 'read of the flow store must return { value, version } as they were written, or undefined.',
  });
}

function call<T>(
  name: 'create' | 'read' | 'replace' | 'delete',
  work: () => Promise<T>,
  flow: string | undefined,
): Promise<T> {
  return trace(traces.store, () => bounded(work), flow, undefined, name);
}

/** A store's own error may quote what was being written, so only its code goes on. */
async function bounded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(storeTimeout, work);
  } catch (error) {
    if (error instanceof IdentityError) throw error;
    const code = codeOf(error);
    const failed = code === undefined ? 'failed' : `failed (${code})`;
    const why = error instanceof TimeoutError ? 'did not answer in time' : failed;
    throw kitError('store_unavailable', { message: `The flow store ${why}.` });
  }
}

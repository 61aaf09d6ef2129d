import { codeOf } from '../internal/system-code.js';
import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { IdentityError, kitError } from '../errors.js';

/** Shorter than the flow waits for a store, so that the store can report what failed. */
export const callMs = 3_000;

/**
 * Returns a function that runs one exchange with a backend. It gives each a deadline, because clients queue commands
 * while their server is away, and turns every fault into `store_unavailable`. A client's error may quote the value that
 * was being written, so only its code is reported, or what `explain` says, which quotes nothing of it either.
 */
export function createCall(engine: string, ms: number, explain: (fault: unknown) => string | undefined) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await withTimeout(ms, work);
    } catch (fault) {
      if (fault instanceof IdentityError) throw fault; // a store's own finding
      const code = codeOf(fault);
      const failed = code === undefined ? 'failed' : `failed (${code})`;
      const what = fault instanceof TimeoutError ? 'did not answer in time' : failed;
      throw kitError('store_unavailable', { message: explain(fault) ?? `${engine} ${what}.` });
    }
  };
}

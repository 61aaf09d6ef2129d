import { TimeoutError, withTimeout } from '../internal/timeouts.js';
import { kitError } from '../errors.js';

/** Shorter than the flow waits for a store, so that the store can report what failed. */
export const callMs = 3_000;

/** Runs one exchange with a backend. */
export type Call = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns a sentence about a fault that quotes nothing of it, or undefined: then only its code is reported. */
export type Explain = (fault: unknown) => string | undefined;

/**
 * Gives each call a deadline, because clients queue commands while their server is away, and turns every fault into
 * `store_unavailable`. A client's error may quote the value that was being written, so only its code is reported.
 */
export function createCall(engine: string, ms: number, explain: Explain): Call {
  return async (work) => {
    try {
      return await withTimeout(ms, work);
    } catch (fault) {
      throw kitError('store_unavailable', {
        message: explain(fault) ?? `${engine} ${what(fault)}.`,
      });
    }
  };
}

function what(fault: unknown): string {
  if (fault instanceof TimeoutError) return 'did not answer in time';
  const code = codeOf(fault);
  return code === undefined ? 'failed' : `failed (${code})`;
}

/** Returns a code such as ECONNREFUSED or 42P01. */
export function codeOf(fault: unknown): string | undefined {
  const { code } = (fault ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? code : undefined;
}

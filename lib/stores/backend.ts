import { DeadlinePassed, within } from '../safe/deadline.js';
import { IdentityError } from '../errors.js';

/** Less than the flow waits for a store, so that the store can say what went wrong. */
export const callMs = 3_000;

/** Runs one exchange with a backend. */
export type Call = <T>(work: () => Promise<T>) => Promise<T>;

/** What is known of a fault, in words that quote nothing; undefined where its code has to do. */
export type Explain = (fault: unknown) => string | undefined;

/**
 * Bounds each call, because clients queue what they are told while their server is gone, and makes every fault
 * `store_unavailable`. What a client throws may quote what was being written, so only a code of it goes on.
 */
export function createCall(engine: string, ms: number, explain: Explain): Call {
  return async (work) => {
    try {
      return await within(ms, work);
    } catch (fault) {
      throw new IdentityError('store_unavailable', {
        message: explain(fault) ?? `${engine} ${what(fault)}.`,
      });
    }
  };
}

function what(fault: unknown): string {
  if (fault instanceof DeadlinePassed) return 'did not answer in time';
  const code = codeOf(fault);
  return code === undefined ? 'failed' : `failed (${code})`;
}

/** A code such as ECONNREFUSED or 42P01. */
export function codeOf(fault: unknown): string | undefined {
  const { code } = (fault ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? code : undefined;
}

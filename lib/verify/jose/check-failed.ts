import { AsyncLocalStorage } from 'node:async_hooks';
import { type IdentityError, type KitErrorCode, kitError } from '../../errors.js';
import type { Check } from '../checks.js';

/**
 * Refuses a presentation that does not pass a check, with the check's number and one sentence for an operator. The
 * sentence never contains a value of the presentation.
 */
export function enforce(
  check: Check,
  passes: boolean,
  message: string | (() => string),
  code?: KitErrorCode,
): asserts passes {
  if (!passes) throw checkFailed(check, typeof message === 'string' ? message : message(), code);
  passed(check);
}

/** The error for a failed check. It has no cause, because a parser's message may quote its input. */
export function checkFailed(
  check: Check,
  message: string,
  code: KitErrorCode = 'presentation_invalid',
): IdentityError {
  return kitError(code, { check, message });
}

/** The checks that passed so far in a call that is traced, in order; there is none until `traced` is called once. */
let trace: AsyncLocalStorage<Set<Check>> | undefined;

/** Says that a check passed: only `traced` listens. */
export function passed(check: Check): void {
  trace?.getStore()?.add(check);
}

/** Runs work and collects the checks that pass in it, in the order in which they first do. */
export async function traced<T>(passes: Set<Check>, work: () => Promise<T>): Promise<T> {
  trace ??= new AsyncLocalStorage();
  return await trace.run(passes, work);
}

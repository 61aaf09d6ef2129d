import { AsyncLocalStorage } from 'node:async_hooks';
import { type IdentityError, kitError, type KitErrorCode } from '../../errors.js';
import type { CheckNumber } from '../checks.js';

/**
 * Refuses a presentation that does not pass a check, with the check's number and one sentence for an operator. The
 * sentence never contains a value of the presentation.
 */
export function enforce(
  check: CheckNumber,
  passes: boolean,
  message: string | (() => string),
  code?: KitErrorCode,
): asserts passes {
  if (!passes) throw checkFailed(check, typeof message === 'string' ? message : message(), code);
  passed(check);
}

/** Returns an error without a cause, because a parser's message may quote its input. */
export function checkFailed(
  check: CheckNumber,
  message: string,
  code = codes.get(check) ?? 'presentation_invalid',
): IdentityError {
  return kitError(code, { check, message });
}

/** The codes of checks whose code is not `presentation_invalid`. */
const codes: ReadonlyMap<CheckNumber, KitErrorCode> = new Map([
  ['K03', 'key_not_found'],
  ['K12', 'key_not_found'],
  ['K15', 'key_not_found'],
]);

/** The checks that passed so far in a call that is traced, in order; there is none until `traced` is called once. */
let trace: AsyncLocalStorage<Set<CheckNumber>> | undefined;

/** Says that a check passed: only `traced` listens. */
export function passed(check: CheckNumber): void {
  trace?.getStore()?.add(check);
}

/** Runs work and collects the checks that pass in it, in the order in which they first do. */
export async function traced<T>(passes: Set<CheckNumber>, work: () => Promise<T>): Promise<T> {
  trace ??= new AsyncLocalStorage();
  return await trace.run(passes, work);
}

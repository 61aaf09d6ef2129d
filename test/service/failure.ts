import { inspect } from 'node:util';
import { expect } from '@jest/globals';
import { IdentityError } from '../../lib/errors.js';

/** The error that the work ends in; the test fails where there is none, or where it is not the kit's. */
export async function failureOf(work: () => unknown): Promise<IdentityError> {
  let error: unknown = new Error('it did not fail');
  try {
    await work();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(IdentityError);
  return error as IdentityError;
}

/** Everything that a log line of this error could show. */
export function everythingIn(error: Error): string {
  return `${inspect(error, { depth: 10, showHidden: true })} ${error.stack} ${JSON.stringify(error)}`;
}

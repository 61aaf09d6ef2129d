import { types } from 'node:util';

/** For a promise where a value was needed: nobody waits for it, but its failure must not end the process. */
export function ignoreRejection(answer: unknown): void {
  if (types.isPromise(answer)) answer.catch(() => undefined);
}

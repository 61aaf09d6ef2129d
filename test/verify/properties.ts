import fc from 'fast-check';
import { seed } from '../support/seed.js';

/** Holds for every one of so many values; a failure prints its seed and the smallest counterexample. */
export async function holds<T>(
  numRuns: number,
  values: fc.Arbitrary<T>,
  property: (value: T) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(values, property), { seed, numRuns });
}

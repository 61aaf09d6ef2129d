import fc from 'fast-check';

/** The same runs every time; SEED=… tries others. A failure prints its seed and the smallest counterexample. */
const seed = Number(process.env['SEED'] ?? 20_260_812);

/** Holds for every one of so many values. */
export async function holds<T>(
  numRuns: number,
  values: fc.Arbitrary<T>,
  property: (value: T) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(values, property), { seed, numRuns });
}

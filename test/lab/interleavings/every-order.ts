import type { Choose } from './steps.js';

/** Runs once for every order that there is, each with the choices that make it. */
export async function everyOrder(run: (choose: Choose) => Promise<void>): Promise<void> {
  let first: number[] = [];
  for (;;) {
    const made: { readonly choice: number; readonly among: number }[] = [];
    await run(({ length: among }) => {
      const choice = first[made.length] ?? 0;
      made.push({ choice, among });
      return choice;
    });
    const last = made.findLastIndex(({ choice, among }) => choice + 1 < among);
    if (last < 0) return;
    first = made.slice(0, last + 1).map(({ choice }, at) => (at === last ? choice + 1 : choice));
  }
}

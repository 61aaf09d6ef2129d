import type { Choose } from './steps.js';

/** More than any pair has; one that has more goes on for ever. */
const mostOrders = 20_000;

/** Runs once for every order that there is, each with the choices that make it. */
export async function everyOrder(run: (choose: Choose) => Promise<void>): Promise<void> {
  let first: number[] = [];
  for (let orders = 0; orders < mostOrders; orders += 1) {
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
  throw new Error(`There are more than ${mostOrders} orders.`);
}

/** Returns which of these happens next. */
export type Choose = (labels: readonly string[]) => number;

/** Things that are ready to happen, of which one at a time is let go. */
export function createSteps(choose: Choose) {
  const waiting: { readonly label: string; readonly go: () => void }[] = [];
  /** What happened so far, in its order. */
  const trace: string[] = [];
  return {
    trace,
    ready: () => waiting.length,
    /** Resolves when it is this one's turn. */
    step: async (label: string) => await new Promise<void>((go) => waiting.push({ label, go })),
    next() {
      const [chosen] = waiting.splice(choose(waiting.map(({ label }) => label)), 1);
      if (chosen === undefined) throw new Error('Nothing is ready.');
      trace.push(chosen.label);
      chosen.go();
    },
  };
}

/** More than any pair has; one that has more never ends. */
const maxOrders = 20_000;

/** Runs once for every order that there is, each with the choices that make it. */
export async function everyOrder(run: (choose: Choose) => Promise<void>): Promise<void> {
  let first: number[] = [];
  for (let orders = 0; orders < maxOrders; orders += 1) {
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
  throw new Error(`There are more than ${maxOrders} orders.`);
}

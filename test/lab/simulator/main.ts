import './virtual.js';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { plans, type Plan, usualMiddleware, usualPlan } from './plan.js';
import { simulate } from './simulate.js';

/** What one run of schedules came to. */
export interface Report {
  readonly seed: number;
  readonly schedules: number;
  /** The first schedule that broke an invariant, and what is left of it when it has been shortened. */
  readonly found?: {
    readonly schedule: number;
    readonly plan: Plan;
    readonly broken: readonly string[];
    readonly trace: readonly string[];
  };
  /** Of all traces: the same seed on the same Node has the same. */
  readonly digest: string;
  /** How often what came about: events, hooks, kills. */
  readonly seen: Readonly<Record<string, number>>;
}

/**
 * node simulator.cjs <seed> <schedules> <first> <invariant> <shorten>: plays them, prints a dot for each hundred, and a
 * line of JSON at the end. Where an invariant is named, only that one is looked at. With 'shorten', what is found is made
 * as short as it can be.
 */
async function main(
  [seed, schedules, first]: readonly [number, number, number],
  only: string,
  isShortened: boolean,
): Promise<void> {
  const digest = createHash('sha256');
  const seen: Record<string, number> = {};
  let played = 0;
  const property = fc.asyncProperty(plans, async (plan) => {
    const { trace, broken } = await simulate(plan);
    played += 1;
    if (played % 100 === 0) process.stderr.write('.');
    for (const line of trace) count(seen, line);
    digest.update(trace.join('\n'));
    if (broken.some((line) => line.startsWith(only))) throw new Error(broken.join('\n'));
  });
  // Its own shrinking takes many times as long, and cannot take a visit apart.
  const { failed, numRuns, counterexample } = await fc.check(property, {
    seed,
    path: `${first - 1}`,
    numRuns: schedules,
    endOnFailure: true,
  });
  const [broken] = counterexample ?? [];
  const plan = broken && isShortened ? await withoutNeedless(broken, only) : broken;
  const found = plan !== undefined && {
    found: { schedule: first - 1 + numRuns, plan, ...(await simulate(plan)) },
  };
  const report: Report = {
    seed,
    schedules: failed ? numRuns : schedules,
    ...found,
    digest: digest.digest('hex'),
    seen,
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** What is left of a plan when everything is taken out of it without which the invariant breaks too. */
async function withoutNeedless(found: Plan, only: string): Promise<Plan> {
  let plan = found;
  const attempt = async (change: Partial<Plan>): Promise<void> => {
    const simpler = { ...plan, ...change };
    if (JSON.stringify(simpler) === JSON.stringify(plan)) return;
    const { broken } = await simulate(simpler);
    if (broken.some((line) => line.startsWith(only))) plan = simpler;
  };
  // Halves first: a browser that starts and comes back breaks the rest where only one of the two is taken out.
  const takeOut = async (part: 'actions' | 'hooks' | 'faults'): Promise<void> => {
    for (let size = Math.ceil(plan[part].length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = plan[part].length - size; at > -size; at -= size) {
        const [from, until] = [Math.max(at, 0), at + size];
        await attempt({ [part]: plan[part].filter((_, other) => other < from || other >= until) });
      }
    }
  };
  for (const part of ['actions', 'faults', 'hooks'] as const) await takeOut(part);
  for (const [setting, value] of Object.entries(usualPlan)) await attempt({ [setting]: value });
  for (const [setting, value] of Object.entries(usualMiddleware)) {
    await attempt({ middleware: { ...plan.middleware, [setting]: value } });
  }
  // What one change needed may be needless after another one.
  for (let before = Infinity; plan.actions.length < before;) {
    before = plan.actions.length;
    await takeOut('actions');
  }
  return plan;
}

function count(seen: Record<string, number>, line: string): void {
  const what =
    /event [\w.]+( \w+)?|is killed|(onSuccess|onVerified) of|hangs|lost|doubled|\(late\)|\(old\)/.exec(
      line,
    )?.[0];
  if (what !== undefined) seen[what] = (seen[what] ?? 0) + 1;
}

const [seed, schedules, first, only = '', shorten] = process.argv.slice(2);
void main([Number(seed), Number(schedules), Number(first)], only && `${only}:`, shorten === 'shorten');

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/root.js';
import { bundle, type Planted } from './bundle.js';
import type { Report } from './main.js';
import { type Plan, usualMiddleware, usualPlan } from './plan.js';

interface Playing {
  readonly planted?: readonly Planted[];
  /** Only this invariant is looked at. */
  readonly invariant?: string;
  /** How many processes share the schedules, each with a seed of its own. */
  readonly processes?: number;
  /** The first schedule that is played: those before it are not. */
  readonly first?: number;
  /** Whether what is found is made as short as it can be, which takes longer than finding it. */
  readonly isShortened?: boolean;
  readonly onProgress?: (() => void) | undefined;
  /** A process has played its share, or has found something. */
  readonly onReport?: (report: Report) => void;
}

/** Plays so many schedules from this seed on, with the kit as it is or with a fault in it. One report for each process. */
export async function playSchedules(
  seed: number,
  schedules: number,
  { planted = [], invariant = '', processes = 1, first = 1, isShortened = true, ...heard }: Playing = {},
): Promise<[Report, ...Report[]]> {
  // Within the project, where the packages are found.
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'simulator-'));
  try {
    const program = join(folder, 'simulator.cjs');
    await bundle(program, planted);
    const each = Math.ceil(schedules / processes);
    const one = async (process: number): Promise<Report> => {
      const args = [`${seed + process}`, `${each}`, `${first}`, invariant, isShortened ? 'shorten' : ''];
      const report = await play([program, ...args], heard.onProgress);
      heard.onReport?.(report);
      return report;
    };
    return await Promise.all([one(0), ...Array.from({ length: processes - 1 }, (_, at) => one(at + 1))]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * All that a schedule needs is gone at its end: a large nursery saves its collection, and a small heap shows what stays,
 * after a thousand schedules and not after a night. It makes many errors, and nobody reads where: a stack costs a tenth
 * of it.
 */
const flags = [
  ...(['--min-semi-space-size=64', '--max-semi-space-size=64', '--max-old-space-size=256'] as const),
  '--stack-trace-limit=0',
];

async function play(args: readonly string[], onProgress: () => void = () => undefined): Promise<Report> {
  const child = spawn(process.execPath, [...flags, ...args]);
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
    onProgress();
  });
  await new Promise((resolve) => child.once('close', resolve));
  if (output === '') throw new Error(`The simulator printed nothing.\n${errors}`);
  return JSON.parse(output) as Report;
}

/** What was found, as somebody reads it. */
export const printFound = ({ seed, found }: Report): string =>
  found === undefined
    ? ''
    : [
        `seed ${seed}, schedule ${found.schedule}:`,
        ...found.broken,
        '',
        settingsOf(found.plan),
        ...found.trace,
      ].join('\n');

/** What is left of its settings that is not the usual one. */
function settingsOf({ actions: _actions, middleware, ...settings }: Plan): string {
  const usual: Readonly<Record<string, unknown>> = { ...usualPlan, ...usualMiddleware };
  const all = Object.entries({ ...settings, ...middleware });
  return JSON.stringify(Object.fromEntries(all.filter(([name, value]) => usual[name] !== value)));
}

/** npm run simulator -- [schedules] [seed]: on every core, each with a seed of its own. */
async function main(total: number, seed: number): Promise<void> {
  const processes = availableParallelism();
  const began = performance.now();
  const onProgress = (): void => void process.stderr.write('.');
  const onReport = (report: Report): void => {
    if (report.found !== undefined) console.log(`\n${printFound(report)}`);
  };
  const reports = await playSchedules(seed, total, { processes, onProgress, onReport });
  const seconds = (performance.now() - began) / 1_000;
  const played = reports.reduce((sum, { schedules }) => sum + schedules, 0);
  const seen: Record<string, number> = {};
  for (const report of reports) {
    for (const [what, times] of Object.entries(report.seen)) seen[what] = (seen[what] ?? 0) + times;
  }
  console.log(`\n${played} schedules in ${seconds.toFixed(0)} s, ${(played / seconds).toFixed(0)} a second`);
  console.table(seen);
  const isBroken = reports.some(({ found }) => found !== undefined);
  console.log(isBroken ? 'An invariant was broken.' : 'No invariant was broken.');
  process.exitCode = isBroken ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) {
  const [total = 10_000, seed = 1] = process.argv.slice(2).map(Number);
  await main(total, seed);
}

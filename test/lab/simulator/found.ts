import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from './planted.js';
import { playSchedules } from './run.js';

/** The same schedules for every fault: how many one takes is a number for the documents, not a matter of luck. */
export const plantedSeed = 11;
export const plantedLimit = 20_000;

/** What is told of one planted fault. */
export interface FoundFault {
  readonly invariant: string;
  readonly name: string;
  readonly schedule: number;
  /** How much people do in what is left of it. */
  readonly steps: number;
  readonly broken: readonly string[];
  /** Up to where it shows. */
  readonly trace: readonly string[];
}

const file = join(import.meta.dirname, 'found.json');

export const readFound = (): FoundFault[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as FoundFault[]) : [];

/** Writes it to the others, in the order of the faults. */
function noteFound(fault: FoundFault): void {
  const all = [...readFound().filter(({ name }) => name !== fault.name), fault];
  const known = faults.flatMap(({ name }) => all.filter((other) => other.name === name));
  writeFileSync(file, `${JSON.stringify(known, undefined, 2)}\n`);
}

/** tsx test/lab/simulator/found.ts [text]: plays the planted faults with this in their name, and notes how they were found. */
async function main(text: string): Promise<void> {
  for (const { invariant, name, changes } of faults) {
    if (!`${invariant} ${name}`.includes(text)) continue;
    const began = performance.now();
    const [{ found }] = await playSchedules(plantedSeed, plantedLimit, { planted: changes, invariant });
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.log(`${invariant} ${name}: ${found?.schedule ?? 'not found'} (${seconds} s)`);
    if (found === undefined) continue;
    const { schedule, plan, broken, trace } = found;
    console.log(`  ${plan.actions.map(({ does }) => does).join(', ')}\n  ${broken.join('\n  ')}`);
    const first = trace.findIndex((line) => line.includes(`!! ${invariant}:`));
    noteFound({
      invariant,
      name,
      schedule,
      steps: plan.actions.length,
      broken: broken.filter((line) => line.startsWith(`${invariant}:`)),
      trace: trace.slice(0, first + 1),
    });
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2] ?? '');

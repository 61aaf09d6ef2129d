import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from './planted.js';
import { playSchedules } from './run.js';

/** The same schedules for every fault: how many one takes is a number for the documents, not a matter of luck. */
export const plantedSeed = 11;
export const plantedLimit = 20_000;

/** What is told of one planted fault, a row of PLANTED.md. */
export interface FoundFault {
  readonly invariant: string;
  readonly name: string;
  readonly schedule: number;
  /** How much people do in what is left of it. */
  readonly steps: number;
}

const file = join(import.meta.dirname, 'PLANTED.md');
const row = /^\| (I\d+) \| (.+) \| (\d+) \| (\d+) \|\n/gm;

export function readFound(): FoundFault[] {
  return [...readFileSync(file, 'utf8').matchAll(row)].map(
    ([, invariant = '', name = '', schedule, steps]) => ({
      invariant,
      name,
      schedule: Number(schedule),
      steps: Number(steps),
    }),
  );
}

/** Writes it to the others, in the order of the faults. */
function noteFound(fault: FoundFault): void {
  const all = [...readFound().filter(({ name }) => name !== fault.name), fault];
  const known = faults.flatMap(({ name }) => all.filter((other) => other.name === name));
  const rows = known.map((it) => `| ${it.invariant} | ${it.name} | ${it.schedule} | ${it.steps} |\n`);
  writeFileSync(file, `${readFileSync(file, 'utf8').replaceAll(row, '')}${rows.join('')}`);
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
    const { schedule, plan, broken } = found;
    console.log(`  ${plan.actions.map(({ does }) => does).join(', ')}\n  ${broken.join('\n  ')}`);
    noteFound({ invariant, name, schedule, steps: plan.actions.length });
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2] ?? '');

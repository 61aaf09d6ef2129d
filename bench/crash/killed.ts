import type { EngineName } from '../../test/support/engines/engine.js';
import { faultsOf, killPoints, killRound } from '../../test/lab/deployment/kill-round.js';
import { openStage } from '../../test/lab/deployment/stage.js';

interface Row {
  rounds: number;
  confirmed: number;
  again: number;
  readonly ms: number[];
}

const hooksOfAFlow = 2;

/** Kills so many processes, each point in its turn; prints what came of it, answers what should not have. */
export async function killed(name: EngineName, path: string, rounds: number): Promise<string[]> {
  const stage = await openStage(name, path);
  const survivor = await stage.begin({ hookTimeout: 50 });
  const table = killPoints.map((point) => ({
    point,
    row: { rounds: 0, confirmed: 0, again: 0, ms: [] } as Row,
  }));
  const faults: string[] = [];
  const began = performance.now();
  for (let nth = 0; nth < rounds; nth += 1) {
    const { point, row } = table[nth % table.length] as (typeof table)[number];
    stage.warmUp(2); // the next one loads meanwhile
    const victim = await stage.begin();
    const from = performance.now();
    const survived = await killRound(point, victim, survivor);
    faults.push(...faultsOf(point, survived));
    row.rounds += 1;
    row.confirmed += Number(survived.status === 'confirmed');
    row.again += survived.hooks.length - hooksOfAFlow;
    row.ms.push(performance.now() - from);
  }
  const took = (performance.now() - began) / 1_000;
  await stage.close();

  const sum = (of: 'rounds' | 'confirmed' | 'again'): number =>
    table.reduce((all, { row }) => all + row[of], 0);
  console.log(
    `${name}: ${sum('rounds')} kill -9, ${sum('confirmed')} flows confirmed, ` +
      `${sum('again')} hooks ran again with the same receipt, ${took.toFixed(1)} s`,
  );
  for (const { point, row } of table) {
    const where = `${point.route}, ${point.when}`.padEnd(32);
    const median = row.ms.toSorted((a, b) => a - b)[Math.floor(row.ms.length / 2)] ?? 0;
    const cells = [`${row.rounds} killed`, `${row.confirmed} confirmed`, `${row.again} again`];
    console.log(`  ${where}${cells.join('  ')}  median ${median.toFixed(0)} ms`);
  }
  return faults;
}

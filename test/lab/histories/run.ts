import { seed as today } from '../../support/seed.js';
import { type Judged, partsOf, recordHistories } from './record.js';
import { setUps } from './set-ups.js';
import { printPart } from './shortest-part.js';

function print(name: string, judged: readonly Judged[]): void {
  const sum = (of: (one: Judged) => number, some: readonly Judged[]): number =>
    some.reduce((total, one) => total + of(one), 0);
  for (const fault of new Set(judged.map((one) => one.fault))) {
    const some = judged.filter((one) => one.fault === fault);
    const amiss = sum((one) => one.amiss.length, some);
    const figures = [
      `${sum((one) => one.calls, some)} calls (${sum((one) => one.refused, some)} refused, ${sum((one) => one.unknown, some)} unknown)`,
      `${some.length} times`,
      amiss === 0
        ? 'linearizable'
        : `${amiss} of ${sum((one) => one.keys, some)} flows not: ${fault.allows.join(' or ')}`,
      `checked in ${(sum((one) => one.checkedMs, some) / 1_000).toFixed(1)} s`,
    ];
    console.log(`${name}, ${fault.name}: ${figures.join(', ')}`);
  }
}

/** npm run histories -- [engine or all] [seconds] [seed] */
const [wanted = 'all', seconds = '20', seed = `${today}`] = process.argv.slice(2);
console.log(`seed ${seed}`);
for (const setUp of setUps.filter(({ name }) => wanted === 'all' || name.startsWith(wanted))) {
  const judged = await recordHistories(setUp, { seconds: Number(seconds), seed: Number(seed) });
  print(setUp.name, judged);
  const wrong = judged.flatMap((one) => one.wrong);
  if (wrong.length > 0) process.exitCode = 1;
  const shown = wrong.length > 0 ? wrong : judged.flatMap((one) => one.amiss).slice(0, 20);
  for (const part of partsOf(shown).slice(0, 2)) console.log(printPart(part));
}

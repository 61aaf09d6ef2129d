import { median } from '../numbers.js';
import { machine, ratioTable, table } from '../report.js';
import { allContenders, withContenders } from './contenders.js';
import { measureFlows, wholeFlow } from './flows.js';
import { footprint } from './footprint.js';
import { ratiosOf } from './ratios.js';

const quick = process.argv.includes('--quick');
const [processes, rounds, count, warmUp] = quick ? [1, 7, 60, 300] : [8, 13, 72, 1_000];
const steps = ['start', 'callback', 'return', 'guard', 'open page', wholeFlow];
const bars = { start: 1, guard: 0.9, [wholeFlow]: 0.86 };
const mostOfCallback = 1.05;

// Two processes of the same code differ for as long as they live, by a fifth where one was started first and the other
// last. So each contender has several, which are started and take turns in each of eight orders; and each round begins
// with another contender. Whatever else the machine does hits all alike.
function orderOf(started) {
  const names = started % 2 === 0 ? allContenders : allContenders.toReversed();
  const first = (started >> 1) % names.length;
  return [...names.slice(first), ...names.slice(0, first)];
}
const found = Object.fromEntries(allContenders.map((name) => [name, []]));
for (let started = 0; started < processes; started += 1) {
  await withContenders(orderOf(started), async (contenders) => {
    for (const contender of contenders) await measureFlows(contender, warmUp);
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const contender = contenders[(round + turn) % contenders.length];
        found[contender.name].push(await measureFlows(contender, count));
      }
    }
  });
}

const of = (name, step, figure) => median(found[name].map((round) => round[step]?.[figure] ?? NaN));
const shown = (value, unit = '') => (Number.isNaN(value) ? '–' : `${value.toFixed(0)}${unit}`);
const perSteps = (figure, unit) =>
  steps.map((step) => [step, ...allContenders.map((name) => shown(of(name, step, figure), unit))]);

console.log(`${machine()}, medians of ${processes * rounds} rounds of ${count} flows\n`);
const head = ['', 'pidgate', 'by hand', 'by hand on node:http', 'express-openid-connect'];
console.log('CPU a request\n');
console.log(
  table(
    [...head, 'by hand over pidgate'],
    perSteps('cpu', ' µs').map((row) => {
      const ratio = of('bare', row[0], 'cpu') / of('pidgate', row[0], 'cpu');
      return [...row, ratio.toFixed(2)];
    }),
  ),
);
console.log(`\n${ratioTable(ratiosOf(found, bars, mostOfCallback))}`);
console.log('\nRequests a second, 8 at once\n');
console.log(table(head, perSteps('perSecond', '')));

const sizes = await footprint({ 'express-openid-connect': '3.4.0' }, quick ? 3 : 9);
console.log('\nImport and install, without Express and express-session\n');
console.log(
  table(
    ['', 'import', 'packages', 'files', 'on disk'],
    Object.entries(sizes).map(([name, { ms, packages, files, bytes }]) => [
      name,
      `${ms.toFixed(0)} ms`,
      packages,
      files,
      `${(bytes / 2 ** 20).toFixed(1)} MB`,
    ]),
  ),
);

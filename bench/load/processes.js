import { parseArgs } from 'node:util';
import { spread } from '../numbers.js';
import { machine, table } from '../report.js';
import { runFlows } from './run.js';

// What one more process costs: CPU a flow by the number of processes, with Redis, the same flows for each. On a machine
// with fewer cores than processes the flows a second say nothing, and CPU a flow says what more processes lose.

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    processes: { type: 'string', multiple: true, default: ['1', '2', '4'] },
  },
});
const counts = values.processes.map(Number);
const [rounds, flows, warmUp] = values.quick ? [1, 200, 100] : [5, 2_000, 1_000];

const found = counts.map(() => []);
for (let round = 0; round < rounds; round += 1) {
  for (const [index, processes] of counts.entries()) {
    found[index].push(await runFlows({ engine: 'redis', processes, atOnce: 32, warmUp, flows }));
  }
}

const loads = counts.map((processes, index) => {
  const of = (figure) => spread(found[index].map(figure));
  return {
    processes,
    app: of(({ cpu }) => cpu.app),
    engine: of(({ cpu }) => cpu.engine),
    perSecond: of((run) => run.start.length / run.seconds),
    overOne: of((run, round) => run.cpu.app / found[0][round].cpu.app),
  };
});
const shown = ({ median, low, high }, digits = 2) =>
  `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
console.log(
  `${machine()}; ${rounds} rounds of ${flows} flows, 32 at once, Redis; half of the rounds in brackets\n`,
);
console.log(
  table(
    ['processes', 'CPU of the app, ms a flow', 'of Redis', 'over one process', 'flows/s'],
    loads.map(({ processes, app, engine, overOne, perSecond }) => [
      processes,
      shown(app),
      shown(engine),
      shown(overOne),
      shown(perSecond, 0),
    ]),
  ),
);

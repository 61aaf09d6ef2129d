import { median, quantile } from '../numbers.js';
import { machine, table } from '../report.js';
import { serverNames } from '../../test/support/servers.mjs';
import { runFlows } from './run.js';
import { bytesPerFlow, roundTrips } from './trips.js';

const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 3;
const loads = [
  ...['memory', ...serverNames].map((engine) => ({ engine, processes: 1, atOnce: 1 })),
  { engine: 'memory', processes: 1, atOnce: 32 },
  ...serverNames.flatMap((engine) => [1, 2].map((processes) => ({ engine, processes, atOnce: 32 }))),
];
const sizeOf = ({ atOnce }) => {
  const flows = atOnce === 1 ? 500 : 2_000;
  return quick ? { flows: flows / 10, warmUp: 100 } : { flows, warmUp: flows / 4 };
};

// The rounds take turns, so that whatever else the machine does hits all alike.
const found = loads.map(() => []);
for (let round = 0; round < rounds; round += 1) {
  for (const [index, load] of loads.entries()) {
    found[index].push(await runFlows({ ...load, ...sizeOf(load) }));
  }
}

const of = (runs, figure, digits = 1) => median(runs.map(figure)).toFixed(digits);
const times = (runs, step) =>
  [0.5, 0.99].map((share) => of(runs, (run) => quantile(run[step], share))).join(' / ');

console.log(`${machine()}; medians of ${rounds} rounds\n`);
console.log('Flows: start, callback and return, each p50 / p99 in ms; CPU in ms a flow\n');
console.log(
  table(
    [
      'flows and sessions in',
      'processes',
      'at once',
      'flows/s',
      'start',
      'callback',
      'return',
      'CPU of the app',
      'of the engine',
      'of service and generator',
      'on several processes',
    ],
    loads.map(({ engine, processes, atOnce }, index) => {
      const runs = found[index];
      return [
        engine,
        processes,
        atOnce,
        of(runs, (run) => run.start.length / run.seconds, 0),
        times(runs, 'start'),
        times(runs, 'callback'),
        times(runs, 'return'),
        of(runs, (run) => run.cpu.app, 2),
        of(runs, (run) => run.cpu.engine, 2),
        of(runs, (run) => run.cpu.beside, 2),
        `${of(runs, (run) => (100 * run.onSeveral) / run.start.length, 0)} %`,
      ];
    }),
  ),
);

const counted = quick ? 20 : 200;
const rows = [];
for (const engine of serverNames) {
  const plain = await roundTrips(engine, counted, false);
  const { toEngine, fromEngine, toDisk, held } = await bytesPerFlow(engine, quick ? 100 : 1_000);
  rows.push([
    engine,
    plain.flows,
    (await roundTrips(engine, counted, true)).flows,
    plain.sessions,
    ...[toEngine, fromEngine, toDisk, held.flow, held.session].map((bytes) => Math.round(bytes)),
  ]);
}
console.log('\nWhat one flow asks of its engine\n');
console.log(
  table(
    [
      '',
      'round trips of the flow',
      'with onVerified',
      'of its session',
      'bytes to the engine',
      'bytes from it',
      'bytes to its disk',
      'bytes of the finished flow',
      'bytes of its session',
    ],
    rows,
  ),
);

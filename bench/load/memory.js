import { machine, table } from '../report.js';
import { serverNames } from '../../test/support/servers.mjs';
import { ask } from './children.js';
import { engineBytes } from './engine-bytes.js';

const quick = process.argv.includes('--quick');
const all = process.argv.includes('--all');
const counts = quick ? [1_000, 10_000] : [10_000, 100_000, 500_000];
const engineCounts = quick || all ? counts : counts.slice(0, -1);
const count = (value) => value.toLocaleString('en');
const bytes = (value) => Math.round(value);

console.log(`${machine()}\n`);

const weights = [];
for (const flows of counts) weights.push([flows, await ask('memory-bytes.js', flows, ['--expose-gc'])]);
console.log('Pending flows in memoryStore, bytes a flow\n');
console.log(
  table(
    ['pending flows', 'on the heap', 'resident', 'the whole process, MB'],
    weights.map(([flows, { heapPerFlow, residentPerFlow, resident }]) => [
      count(flows),
      bytes(heapPerFlow),
      bytes(residentPerFlow),
      bytes(resident / 2 ** 20),
    ]),
  ),
);

const rounds = quick ? 3 : 7;
const times = [];
for (const flows of counts.slice(-2)) {
  times.push({ flows, ...(await ask('memory-times.js', JSON.stringify({ many: flows, rounds }))) });
}
const micros = (value) => `${value.toFixed(1)} µs`;
const millis = (value) => `${(value / 1_000).toFixed(2)} ms`;
console.log('\nTimes in memoryStore\n');
console.log(
  table(
    ['flows', 'create, p99', 'longest create while all expire at once', 'the same in a full store'],
    [
      ['1,000', micros(times[0].p99[0]), '', ''],
      ...times.map(({ flows, p99, expiring, expiringFull }) => [
        count(flows),
        micros(p99[1]),
        millis(expiring),
        millis(expiringFull),
      ]),
    ],
  ),
);

for (const engine of serverNames) {
  const found = await engineBytes(engine, engineCounts);
  console.log(`\nPending flows in ${engine}, bytes a flow\n`);
  console.log(
    table(
      ['pending flows', ...Object.keys(found[0].all), 'one flow'],
      found.map(({ count: flows, all, one }) => [count(flows), ...[...Object.values(all), one].map(bytes)]),
    ),
  );
}

import { barrage } from '../../test/support/fuzz/barrage.js';
import { figures } from '../../test/support/fuzz/report.js';
import { openTarget } from '../../test/support/fuzz/target.js';

/** Bytes that the heap may have grown between half of the requests and all of them. */
const flat = 2_000_000;

const [count = 100_000, seed = 20_260_812] = process.argv.slice(2).map(Number);
const orders = { seed, count, slowEvery: 150, atOnce: 32 };
const faults: string[] = [];
process.on('unhandledRejection', (reason) => faults.push(`unhandled rejection: ${String(reason)}`));
process.on('uncaughtException', (error) => faults.push(`uncaught exception: ${error.message}`));

const target = await openTarget();
const tally = await barrage(target, orders);
const done = await target.complete();
console.log(figures(orders, tally, target));
console.log(`the two flows afterwards: ${JSON.stringify(done)}`);
await target.close();

const [half, end] = tally.heap;
if (end - half > flat) faults.push(`the heap grew by ${end - half} bytes`);
if (
  JSON.stringify(done) !== JSON.stringify([200, [303, `${target.app.url}/`], [303, `${target.app.url}/`]])
) {
  faults.push('the flows did not complete');
}
for (const fault of [...faults, ...tally.wrong.slice(0, 50)]) console.error(fault);
process.exitCode = faults.length + tally.wrong.length > 0 ? 1 : 0;

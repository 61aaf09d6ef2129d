import { barrage } from '../../test/lab/fuzz/barrage.js';
import { figures } from '../../test/lab/fuzz/report.js';
import { openTarget } from '../../test/lab/fuzz/target.js';

/** Bytes that the heap may have grown between half of the requests and all of them. */
const flat = 2_000_000;

const [count = 100_000, seed = 20_260_812] = process.argv.slice(2).map(Number);
const orders = { seed, count, slowEvery: 150, atOnce: 32 };
const faults: string[] = [];
process.on('unhandledRejection', (reason) => faults.push(`unhandled rejection: ${String(reason)}`));
process.on('uncaughtException', (error) => faults.push(`uncaught exception: ${error.message}`));

const target = await openTarget();
try {
  const tally = await barrage(target, orders);
  console.log(figures(orders, tally, target));
  const [half, end] = tally.heap;
  if (end - half > flat) faults.push(`the heap grew by ${end - half} bytes`);
  faults.push(...tally.wrong.slice(0, 50));
  const ends = JSON.stringify(await target.complete());
  const home = [303, `${target.app.url}/`];
  console.log(`the two flows afterwards: ${ends}`);
  if (ends !== JSON.stringify([200, home, home])) faults.push('the flows did not complete');
} catch (error) {
  faults.push(String(error));
} finally {
  await target.close();
}
console.log(`unhandled rejections, uncaught exceptions and other faults: ${faults.length}`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

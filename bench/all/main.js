import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine, table } from '../report.js';

// Every measuring that has ratios or a chart, one after the other: their tables as they come, all ratios at the end with
// the half of the rounds in the middle, and the charts drawn anew. `--quick` for short ones; `--soak` adds the hour.

const bench = join(import.meta.dirname, '..');
const quick = process.argv.includes('--quick') ? ['--quick'] : [];
const parts = ['verify', 'http', 'startup', 'processes', 'overload'];
if (process.argv.includes('--soak')) parts.push('soak');

const failed = [];
for (const part of parts) {
  console.log(`\n# ${part}\n`);
  const { status } = spawnSync('npm', ['run', '--silent', part, '--', ...quick], {
    cwd: bench,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) failed.push(part);
}
execFileSync(process.execPath, [join(bench, 'charts/main.js')], { stdio: 'inherit' });

const folder = process.env.RESULTS ?? join(bench, 'results');
const rows = parts
  .map((part) => join(folder, `${part}.json`))
  .filter((file) => existsSync(file))
  .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).ratios ?? [])
  .map(({ what, median, low, high, atLeast, atMost }) => [
    what,
    median.toFixed(2),
    `${low.toFixed(2)}–${high.toFixed(2)}`,
    atLeast === undefined ? (atMost ?? '') && `at most ${atMost}` : `at least ${atLeast}`,
    median < (atLeast ?? 0) || median > (atMost ?? Infinity) ? 'missed' : '',
  ]);
console.log(`\n# All ratios\n\n${machine()}\n`);
console.log(table(['', 'median', 'half of the rounds', 'bar', ''], rows));
if (failed.length > 0) console.error(`\nWith an error or beyond a bar: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

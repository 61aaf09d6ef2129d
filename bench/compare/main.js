import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureFlows } from '../http/flows.js';
import { median, quantile } from '../numbers.js';
import { machine, table } from '../report.js';
import { said } from '../said.js';
import { buildTree } from './tree.js';

// Two commits in one run: `npm --prefix bench run compare -- <before> <after>`. Each has a process in its own worktree,
// with its own app and service; both are sent the same requests, in turns. The processes are started anew six times, in
// both orders. A step is slower where its CPU grew by more than 5 %, and in five of the six starts it grew.

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [before = 'HEAD~1', after = 'HEAD'] = positionals;
const [starts, rounds, count, warmUp] = values.quick ? [2, 5, 48, 200] : [6, 15, 72, 1_000];
const most = 1.05;

const children = [];
let heard = ''; // warnings, unless it fails
async function begin(file, argument) {
  const child = fork(file, argument === undefined ? [] : [JSON.stringify(argument)], {
    env: { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  child.stderr.on('data', (chunk) => (heard += chunk));
  children.push(child);
  return { child, ...(await said(child)) };
}

async function contender({ folder }) {
  const { url: serviceUrl } = await begin(join(folder, 'bench/load/service.js'));
  const app = await begin(join(folder, 'bench/http/serve.js'), { app: 'pidgate', serviceUrl });
  return { name: 'pidgate', ...app };
}

/** The rounds of one start of both: pairs of what each step took. */
async function measure(trees, nth) {
  const order = nth % 2 === 0 ? [0, 1] : [1, 0];
  const contenders = [];
  for (const side of order) contenders[side] = await contender(trees[side]);
  for (const side of order) await measureFlows(contenders[side], warmUp);
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    const pair = [];
    for (const side of round % 2 === 0 ? order : order.toReversed()) {
      pair[side] = await measureFlows(contenders[side], count);
    }
    pairs.push(pair);
  }
  await endAll();
  return pairs;
}

async function endAll() {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      await Promise.all([once(child, 'exit'), child.kill()]);
    }
  }
}

const trees = [];
const found = [];
process.once('SIGTERM', () => process.exit(1)).once('SIGINT', () => process.exit(1));
process.once('exit', () => {
  for (const tree of trees) tree.remove();
});
try {
  for (const commit of [before, after]) trees.push(buildTree(commit));
  for (let nth = 0; nth < starts; nth += 1) found.push(await measure(trees, nth));
} catch (error) {
  error.message += `\n${heard}`;
  throw error;
} finally {
  await endAll();
}

const all = found.flat();
const steps = Object.keys(all[0][0]).map((step) => {
  const ratios = all.map(([one, other]) => other[step].cpu / one[step].cpu);
  const ofStarts = found.map((pairs) => median(pairs.map(([one, other]) => other[step].cpu / one[step].cpu)));
  const ratio = median(ratios);
  const grew = ofStarts.filter((one) => one > 1).length;
  const [before, after] = [0, 1].map((side) => median(all.map((pair) => pair[side][step].cpu)));
  const [low, high] = [0.25, 0.75].map((share) => quantile(ratios, share));
  return { step, before, after, ratio, low, high, ofStarts, slower: ratio > most && grew > starts * 0.8 };
});
console.log(`${machine()}; ${starts} starts of both, ${rounds} rounds of ${count} flows each\n`);
console.log(`before  ${trees[0].title}\nafter   ${trees[1].title}\n`);
console.log(
  table(
    ['CPU a request', 'before', 'after', 'after over before', 'half of all', 'of each start'],
    steps.map(({ step, before, after, ratio, low, high, ofStarts }) => [
      step,
      `${before.toFixed(0)} µs`,
      `${after.toFixed(0)} µs`,
      ratio.toFixed(3),
      `${low.toFixed(3)}–${high.toFixed(3)}`,
      ofStarts.map((one) => one.toFixed(2)).join(' '),
    ]),
  ),
);
const slower = steps.filter((it) => it.slower);
for (const { step, ratio } of slower) {
  console.error(`\nSLOWER: ${step} takes ${((ratio - 1) * 100).toFixed(1)} % more CPU than ${before}.`);
}
process.exitCode = slower.length === 0 ? 0 : 1;

import { execFileSync, fork } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuOf } from '../load/cpu.js';
import { engines } from '../load/engines.js';
import { quantile, spread } from '../numbers.js';
import { machine, table } from '../report.js';
import { writeResult } from '../result.js';
import { ask, said } from '../said.js';

// Starts at ten times what the app can do: how they are refused, and what that does to the people who started before.
// The app has the first core to itself, and everything else the second.

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    times: { type: 'string', multiple: true, default: ['0', '1', '2', '5', '10'] },
    returns: { type: 'string', default: '20' },
    prove: { type: 'string', default: '300' }, // ms
    starts: { type: 'string', default: '50' }, // limits.concurrentStarts
    visitors: { type: 'string', default: '2000' },
  },
});
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
const seconds = values.quick ? 5 : 20;
const atOnce = Number(values.starts);
const perSecond = Number(values.returns);
const bar = 3;

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const pin = (pid, core) =>
  execFileSync('taskset', ['-a', '-p', '-c', String(core), String(pid)], { stdio: 'ignore' });

async function measure(times) {
  const opened = await engines.redis();
  const service = fork(file('../load/service.js'), [], { env: { ...process.env, PROVE_MS: values.prove } });
  const { url: serviceUrl } = await said(service);
  const settings = {
    engine: 'redis',
    settings: opened.settings,
    serviceUrl,
    onVerified: false,
    concurrentStarts: atOnce,
  };
  const execArgv = ['--import', 'tsx']; // the engines of the tests are TypeScript
  cluster.setupPrimary({ exec: file('../load/app.js'), args: [JSON.stringify(settings)], execArgv });
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const app = cluster.fork({ NODE_ENV: 'production', NODE_NO_WARNINGS: '1' });
  const { port } = await said(app.process);
  const people = fork(file('people.js'), [JSON.stringify({ url: `http://127.0.0.1:${port}` })]);
  const flood = fork(file('flood.js'), [JSON.stringify({ port, most: Number(values.visitors) })]);
  await Promise.all([said(people), said(flood)]);
  pin(app.process.pid, 0);
  for (const pid of [opened.pid, service.pid, people.pid, flood.pid, process.pid]) pin(pid, 1);

  try {
    await ask(people, { order: 'start', count: 500, atOnce });
    await ask(people, { order: 'finish', perSecond: 200 });
    const most = { count: 1_000, atOnce, signed: false };
    const { perSecond: capacity } = await ask(people, { order: 'start', ...most });
    await ask(people, { order: 'start', count: perSecond * seconds, atOnce });
    const before = cpuOf(app.process.pid);
    const flooding =
      times === 0 ? undefined : ask(flood, { perSecond: times * capacity, seconds: seconds + 1 });
    const found = await ask(people, { order: 'finish', perSecond });
    const cpu = cpuOf(app.process.pid) - before;
    return { ...found, capacity, busy: cpu / (found.seconds * 1_000), starts: await flooding };
  } finally {
    for (const child of [people, flood, service, app.process]) {
      if (child.exitCode === null && child.signalCode === null)
        await Promise.all([once(child, 'exit'), child.kill()]);
    }
    await opened.stop();
  }
}

const all = values.times.map(Number);
const found = all.map(() => []);
for (let round = 0; round < rounds; round += 1) {
  for (const index of all.keys()) found[index].push(await measure(all[index]));
}

const p = (runs, step, share) => {
  const each = runs.map((run) => quantile(run[step], share)).sort((a, b) => a - b);
  return { median: each[Math.floor(each.length / 2)], from: each[0], to: each.at(-1) };
};
const summary = all.map((times, index) => {
  const runs = found[index];
  const sum = (figure) => runs.reduce((total, run) => total + figure(run), 0);
  const starts = times === 0 ? undefined : runs.map((run) => run.starts);
  const of = (figure) => starts?.map(figure).reduce((total, one) => total + one, 0);
  const whole = of((it) => it.seconds);
  return {
    times,
    capacity: sum((run) => run.capacity) / runs.length,
    busy: sum((run) => run.busy) / runs.length,
    callback: { p50: p(runs, 'callback', 0.5), p99: p(runs, 'callback', 0.99) },
    return: { p50: p(runs, 'return', 0.5), p99: p(runs, 'return', 0.99) },
    finished: sum((run) => run.return.length),
    refused: Object.assign({}, ...runs.map((run) => run.refused)),
    ...(starts && {
      starts: {
        offered: of((it) => it.sent + it.unsent) / whole,
        taken: of((it) => it.times[303].length) / whole,
        busy: of((it) => it.times[503].length) / whole,
        unsent: of((it) => it.unsent) / whole,
        broken: of((it) => it.broken) / whole,
        busyMs: p(
          starts.map((it) => ({ it: it.times[503].length > 0 ? it.times[503] : [NaN] })),
          'it',
          0.5,
        ),
      },
    }),
  };
});
const p99 = (run) => quantile(run.return, 0.99);
const worst = spread(found.at(-1).map((run, round) => p99(run) / p99(found[0][round])));
const ratios = [{ what: `return, p99: ${all.at(-1)} times the starts over none`, ...worst, atMost: bar }];
const about = { rounds, seconds, perSecond, proveMs: Number(values.prove), concurrentStarts: atOnce };
writeResult('overload', { ...about, loads: summary, ratios });

const ms = ({ median, from, to }) => `${median.toFixed(1)} (${from.toFixed(1)}–${to.toFixed(1)})`;
console.log(`${machine()}; ${rounds} rounds of ${seconds} s; ${perSecond} people a second come back\n`);
console.log(
  table(
    [
      'starts, times what can be done',
      'a second',
      'taken',
      'busy',
      'busy after, ms',
      'no connection',
      'callback p99, ms',
      'return p50, ms',
      'return p99, ms',
      'finished',
      'refused',
      'CPU',
    ],
    summary.map((it) => [
      it.times,
      ...(it.starts
        ? [it.starts.offered, it.starts.taken, it.starts.busy].map((value) => value.toFixed(0))
        : ['', '', '']),
      it.starts ? ms(it.starts.busyMs) : '',
      it.starts ? it.starts.unsent.toFixed(0) : '',
      ms(it.callback.p99),
      ms(it.return.p50),
      ms(it.return.p99),
      it.finished,
      JSON.stringify(it.refused),
      it.busy.toFixed(2),
    ]),
  ),
);
console.log(`\nThe return's p99 is ${worst.median.toFixed(1)} times the quiet one; the bar is ${bar}.`);
process.exitCode = worst.median <= bar ? 0 : 1;

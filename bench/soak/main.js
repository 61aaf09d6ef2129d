import { fork } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from 'redis';
import { servers } from '../../test/support/servers.mjs';
import { machine, table } from '../report.js';
import { writeResult } from '../result.js';
import { ask, said } from '../said.js';
import { growth } from './flat.js';

// Flows for an hour, while everything around the kit fails now and then. Two processes of the app live to the end and are
// weighed; a third is killed again and again. `--minutes 5` for a short one; the first minutes are not judged.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
    share: { type: 'string', default: '0.01' },
  },
});
const [minutes, rate, share] = [values.minutes, values.rate, values.share].map(Number);
const sampleMs = 10_000;
const sessionSeconds = 180;
/** Until flows and sessions leave as fast as they come, and what is compiled and cached is. */
const settlingSeconds = Math.min(Math.max(sessionSeconds + 60, minutes * 6), minutes * 30);
const engineFaultEveryMs = 10_000; // of each kind, for a hundredth of the time
const killEveryMs = 20_000;

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const redis = await servers.redis.start({ appendonly: 'yes', 'maxmemory-policy': 'noeviction' });
const admin = createClient({ socket: { path: redis.path, tls: false } });
await admin.connect();
const service = fork(file('../load/service.js'), [], { env: { ...process.env, FAULTS: String(share) } });
const { url: serviceUrl } = await said(service);

cluster.setupPrimary({
  exec: file('app.js'),
  args: [JSON.stringify({ path: redis.path, serviceUrl, sessionSeconds })],
  execArgv: ['--expose-gc'],
});
const beginProcess = async () => {
  const worker = cluster.fork({ NODE_ENV: 'production', NODE_NO_WARNINGS: '1' });
  return { worker, ...(await said(worker.process)) };
};
const lasting = [await beginProcess(), await beginProcess()];
let mortal = await beginProcess();

const faults = {
  'process killed': 0,
  'engine: connections closed': 0,
  'engine: out of memory': 0,
  'engine: still': 0,
};
let lastFault = Promise.resolve();
const timers = [
  setInterval(() => void killOne(), killEveryMs),
  setInterval(() => (lastFault = failEngine()), engineFaultEveryMs),
];

async function killOne() {
  const gone = once(mortal.worker.process, 'exit');
  mortal.worker.process.kill('SIGKILL');
  faults['process killed'] += 1;
  await gone;
  mortal = await beginProcess();
}

/** Real answers of a real Redis: closed connections, -OOM to every write, and no answer at all. */
async function failEngine() {
  const pause = async (ms) => await new Promise((resolve) => setTimeout(resolve, ms));
  await admin.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
  faults['engine: connections closed'] += 1;
  await pause(engineFaultEveryMs / 3);
  await admin.configSet('maxmemory', '1');
  await pause(engineFaultEveryMs * share);
  await admin.configSet('maxmemory', '0');
  faults['engine: out of memory'] += 1;
  await pause(engineFaultEveryMs / 3);
  await admin.sendCommand(['CLIENT', 'PAUSE', String(engineFaultEveryMs * share)]);
  faults['engine: still'] += 1;
}

const socketsOf = (pid) =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:');
    } catch {
      return false; // closed meanwhile
    }
  }).length;

const load = { url: `http://127.0.0.1:${mortal.port}`, perSecond: rate, seconds: minutes * 60, share };
const people = fork(file('people.js'), [JSON.stringify(load)]);
const began = Date.now();
const samples = [];

async function sample() {
  const processes = [];
  for (const { worker } of lasting) {
    const sockets = socketsOf(worker.process.pid);
    processes.push({ ...(await ask(worker.process, 'sample')), sockets });
  }
  const [, used] = /used_memory:(\d+)/.exec(await admin.info('memory'));
  const engine = { bytes: Number(used), keys: await admin.dbSize() };
  samples.push({ seconds: Math.round((Date.now() - began) / 1_000), processes, engine });
}

const most = (figure) => (it) => Math.max(...it.processes.map((process) => process[figure]));
const figures = {
  'heap after a collection, bytes': [most('heap'), { share: 0.05, least: 0 }],
  'outside the heap, bytes': [most('external'), { share: 0.05, least: 0 }],
  'resident, bytes': [most('resident'), { share: 0.1, least: 0 }],
  handles: [most('handles'), { share: 0.05, least: 2 }],
  sockets: [most('sockets'), { share: 0.05, least: 2 }],
  'engine, bytes': [({ engine }) => engine.bytes, { share: 0.05, least: 0 }],
  'engine, keys': [({ engine }) => engine.keys, { share: 0.05, least: 0 }],
};

/** What is known so far: it is kept every minute, so that a run that was stopped has not been for nothing. */
function keep({ begun, ended, met, lost, planted }) {
  const settled = samples.filter(({ seconds }) => seconds > settlingSeconds && seconds <= minutes * 60);
  const flat = Object.fromEntries(
    Object.entries(figures).map(([name, [figure, bar]]) => [name, growth(settled, figure, bar)]),
  );
  const past = Math.min(minutes, (Date.now() - began) / 60_000);
  const result = { minutes: past, rate, share, settlingSeconds, flows: begun, ended, met, lost, flat };
  const kept = { ...result, planted: { ...planted, ...faults }, samples };
  writeResult('soak', kept);
  return kept;
}

const outcome = await new Promise((resolve) => {
  timers.push(setInterval(() => void sample(), sampleMs));
  timers.push(setInterval(() => people.send('so far'), 60_000));
  people.on('message', (message) => {
    if (message.done) resolve(message);
    else keep(message);
  });
});
for (const timer of timers) clearInterval(timer);

const end = async (child) => {
  if (child.exitCode === null && child.signalCode === null) {
    await Promise.all([once(child, 'exit'), child.kill()]);
  }
};
await Promise.all([service, people, ...[...lasting, mortal].map(({ worker }) => worker.process)].map(end));
await lastFault;
admin.destroy();
await redis.stop();
const { flows, ended, met, lost, planted, flat } = keep(outcome);

const rows = (entries) => Object.entries(entries).map(([name, value]) => [name, value]);
console.log(`${machine()}; ${minutes} minutes, ${flows} flows\n`);
console.log(table(['faults', 'times'], rows(planted)), '\n');
console.log(table(['flows that ended as', 'number'], rows(ended)), '\n');
console.log(table(['answers that were asked again', 'times'], rows(met)), '\n');
console.log(
  table(
    ['the larger of two processes', 'median', 'grew by', 'flat'],
    Object.entries(flat).map(([name, it]) => [name, Math.round(it.median), it.grown.toFixed(1), it.flat]),
  ),
);
for (const { why, faults: hit } of lost) console.error(`LOST ${why} (${hit.join(', ')})`);
process.exitCode = lost.length === 0 && Object.values(flat).every((it) => it.flat) ? 0 : 1;

import { fork } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { said } from '../said.js';
import { cpuOf } from './cpu.js';
import { engines } from './engines.js';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Runs flows through the app: service, generator, engine and each process of the app are processes of their own.
 * `through` may put something between app and engine; `watch` looks at both while the counted flows run, and tells at
 * the end what it saw.
 */
export async function runFlows({
  engine,
  processes,
  atOnce,
  warmUp,
  flows,
  onVerified = false,
  through,
  watch,
}) {
  const opened = await engines[engine]();
  const between = await through?.(opened);
  const service = fork(file('service.js'), [], { execArgv: [] });
  const { url: serviceUrl } = await said(service);
  const settings = { engine, settings: between?.settings ?? opened.settings, serviceUrl, onVerified };
  cluster.setupPrimary({
    exec: file('app.js'),
    args: [JSON.stringify(settings)],
    execArgv: ['--import', 'tsx'],
  });
  const env = { NODE_ENV: 'production', NODE_NO_WARNINGS: '1' };
  const workers = Array.from({ length: processes }, () => cluster.fork(env));
  const [{ port }] = await Promise.all(workers.map(async (worker) => await said(worker.process)));
  const load = { url: `http://127.0.0.1:${port}`, atOnce, warmUp, flows };
  const generator = fork(file('generator.js'), [JSON.stringify(load)], { execArgv: [] });

  try {
    await said(generator);
    const seen = await watch?.(opened, between.wires);
    const cpu = () => ({
      app: workers.reduce((sum, worker) => sum + cpuOf(worker.process.pid), 0),
      engine: opened.pid === undefined ? 0 : cpuOf(opened.pid),
      beside: cpuOf(service.pid) + cpuOf(generator.pid),
    });
    const before = cpu();
    const answer = said(generator);
    generator.send('go');
    const found = await answer;
    const after = cpu();
    const used = Object.fromEntries(
      Object.entries(after).map(([who, ms]) => [who, (ms - before[who]) / flows]),
    );
    return { ...found, cpu: used, seen: await seen?.() };
  } finally {
    for (const child of [generator, service, ...workers.map((worker) => worker.process)]) {
      if (child.exitCode === null && child.signalCode === null)
        await Promise.all([once(child, 'exit'), child.kill()]);
    }
    await between?.close();
    await opened.stop();
  }
}

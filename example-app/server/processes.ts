import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { engineVariable, openEngine } from './open-engine.js';
import { codeOf } from '../faults.js';

/** Starts processes that share one port: each new connection goes to the next of them. */
export async function startProcesses(): Promise<void> {
  try {
    const engine = await openEngine();
    await engine?.setUp();
    await engine?.close();
  } catch (fault) {
    console.error(
      `The server that ${engineVariable} names cannot be used (${codeOf(fault)}): is it running?`,
    );
    process.exitCode = 1;
    return;
  }

  // A cookie that one process signs, the others must be able to read.
  const shared = { SESSION_SECRET: process.env['SESSION_SECRET'] ?? randomBytes(32).toString('base64url') };
  const count = Number(process.env['PROCESSES'] ?? 2);
  const workers = Array.from({ length: count }, () => cluster.fork(shared));

  // The others go on when one of them ends. In production, your process manager replaces it.
  cluster.on('exit', (_worker, code) => (process.exitCode ||= code));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      for (const worker of workers) worker.process.kill(signal);
    });
  }
}

// The app in several processes, which share one server of yours:
//   REDIS_URL=redis://localhost:6379 npx pidgate dev example-app/scaled.ts
//   DATABASE_URL=postgres://localhost/postgres npx pidgate dev example-app/scaled.ts
//   MYSQL_URL=mysql://root@localhost/shop npx pidgate dev example-app/scaled.ts
import cluster from 'node:cluster';
import { subscribe } from 'node:diagnostics_channel';
import express from 'express';
import type { IdentityEvent } from 'pidgate';
import { codeOf } from './faults.js';
import { createApp } from './app.js';
import type { Engine } from './scaled/engine.js';
import { secretOf } from './secret-of.js';

/** A process loads only the client of the engine that it uses. */
const engines: Readonly<Record<string, (url: string) => Promise<Engine>>> = {
  REDIS_URL: async (url) => await (await import('./scaled/redis.js')).openRedis(url),
  DATABASE_URL: async (url) => (await import('./scaled/postgres.js')).openPostgres(url),
  MYSQL_URL: async (url) => await (await import('./scaled/mysql.js')).openMysql(url),
};
const [variable = '', open] = Object.entries(engines).find(([name]) => process.env[name]) ?? [];
if (open === undefined) throw new Error(`Name a server: ${Object.keys(engines).join(', ')}.`);
const openEngine = async (): Promise<Engine> => await open(process.env[variable] ?? '');

if (cluster.worker) await serve(cluster.worker.id);
else await startProcesses();

/** Starts processes that share one port: each new connection goes to the next of them. */
async function startProcesses(): Promise<void> {
  // What one process signs or seals, the others must be able to open.
  const secrets = {
    SESSION_SECRET: secretOf('SESSION_SECRET'),
    IDENTITY_SECRET: secretOf('IDENTITY_SECRET'),
  };
  try {
    const engine = await openEngine();
    await engine.setUp();
    await engine.close();
  } catch (fault) {
    console.error(`The server that ${variable} names cannot be used (${codeOf(fault)}): is it running?`);
    process.exitCode = 1;
    return;
  }
  const count = Number(process.env['PROCESSES'] ?? 2);
  const workers = Array.from({ length: count }, () => cluster.fork(secrets));

  // The others go on when one of them ends. In production, your process manager replaces it.
  cluster.on('exit', (_worker, code) => (process.exitCode ||= code));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      for (const worker of workers) worker.process.kill(signal);
    });
  }
}

/** Serves the app from this process. The terminal shows how a verification goes from process to process. */
async function serve(id: number): Promise<void> {
  const log = (line: string): void => console.log(`process ${id}: ${line}`);
  subscribe('pidgate', (event) => log((event as IdentityEvent).type));
  const engine = await openEngine();
  const app = express();
  app.use((_req, res, next) => {
    res.set('X-Process', `${id}`);
    next();
  });
  app.use(createApp({ identity: { store: engine.flows }, session: { store: engine.sessions }, log }));
  const server = app.listen(process.env['PORT'] ?? 3000);

  // Accepts no new connections, finishes running requests, and closes: the last writes of a return follow its response.
  // A second signal changes nothing.
  const end = (): void => {
    server.close(() => {
      setTimeout(() => void engine.close().finally(() => process.exit()), 2000);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
}

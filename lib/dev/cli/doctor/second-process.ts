import { type ChildProcess, spawn } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import type { Terminal } from '../terminal.js';
import { endWithParent } from '../run-app.js';
import { waitForPort } from '../wait-for-port.js';
import { sendRequest } from './http.js';
import { sessionCookieIn } from './session-facts.js';

/** Has express-session save a session for the doctor's request, as in the doctor's own process, and give its cookie. */
const startSession = `data:text/javascript,import{subscribe}from"node:diagnostics_channel";
  subscribe("http.server.request.start",({request})=>{
    if(!request.url.startsWith("/pidgate-doctor-"))return;
    let current;
    Object.defineProperty(request.socket,"encrypted",{value:true});
    Object.defineProperty(request,"session",{configurable:true,enumerable:true,get:()=>current,
      set(value){if(value)value.pidgateDoctor={toJSON:Math.random};current=value}})
  })`;

type World = Pick<Terminal, 'cwd' | 'env' | 'wait'>;

/** Starts the app once more and returns a session cookie of that process. Somebody else may take a port that was free. */
export async function cookieOfSecondProcess(
  args: readonly string[],
  world: World,
): Promise<string | undefined> {
  return (await cookieAt(await freePort(), args, world)) ?? (await cookieAt(await freePort(), args, world));
}

async function cookieAt(
  port: number,
  args: readonly string[],
  { cwd, env, wait }: World,
): Promise<string | undefined> {
  const app = spawn(process.execPath, ['--import', endWithParent, '--import', startSession, ...args], {
    cwd,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true, // the leader of a group
  });
  const ended = new AbortController();
  const end = (): void => ended.abort();
  app.once('exit', end).once('error', end);
  try {
    await waitForPort(port, { wait }, ended.signal, end);
    return sessionCookieIn(
      await sendRequest(new URL(`http://localhost:${port}/pidgate-doctor-${randomUUID()}`)),
    );
  } catch {
    return undefined; // it did not start
  } finally {
    endGroup(app);
  }
}

/** With what it has started itself. */
function endGroup(app: ChildProcess): void {
  try {
    process.kill(-(app.pid ?? Number.NaN), 'SIGKILL');
  } catch {
    app.kill('SIGKILL'); // it is gone already, or there are no groups here
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/**
 * For an app that forks (node:cluster): however many workers it wants, it gets one, and that one runs this program
 * again. Returns how to wait for that one's exit code; undefined while there is none.
 */
export function allowOneWorker(): () => Promise<number> | undefined {
  let worker: Worker | undefined;
  let ended: Promise<number> | undefined;
  const fork = cluster.fork.bind(cluster);
  cluster.fork = (env) => {
    if (worker !== undefined) return worker;
    worker = fork(env);
    ended = once(worker, 'exit').then(([code]) => Number(code ?? 1));
    return worker;
  };
  syncBuiltinESMExports();
  return () => ended;
}

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import type { Terminal } from '../terminal.js';
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
  const app = spawn(process.execPath, ['--import', startSession, ...args], {
    cwd,
    env: { ...env, PORT: String(port) },
    stdio: 'ignore',
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
    app.kill('SIGKILL');
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

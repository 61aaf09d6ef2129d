import { type ChildProcess, spawn } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { on, once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { kitSymbol } from '../../../options/development.js';
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

/**
 * Has the second process tell digests of its secrets over the channel between the two, once it has answered the doctor.
 * They are keyed by random bytes of this run, so they say only which are the same.
 */
const tellSecrets = (key: string): string =>
  `data:text/javascript,${encodeURIComponent(`import{subscribe}from"node:diagnostics_channel";
  import{createHmac}from"node:crypto";
  const secretsIn=(router)=>{
    for(const {handle} of router?.stack??[]){
      const found=handle&&(handle[Symbol.for("${Symbol.keyFor(kitSymbol)}")]?.().config.secrets??secretsIn(handle));
      if(found)return found
    }
  };
  subscribe("http.server.response.finish",({request})=>{
    if(!request.url.startsWith("/pidgate-doctor-"))return;
    const app=request.app;
    const digests=(secretsIn(app?._router??app?.router)??[]).map((secret)=>
      createHmac("sha256","${key}").update(secret).digest("base64url"));
    process.send?.({pidgateDoctor:digests})
  })`)}`;

/** What another process of the same app showed of itself. */
export interface SecondProcess {
  readonly cookie: string | undefined;
  /** Whether it opens what is sealed with the first of these secrets, and they what it seals; undefined if not known. */
  readonly shares: (secrets: readonly string[]) => boolean | undefined;
}

type World = Pick<Terminal, 'cwd' | 'env' | 'wait'>;

/** Starts the app once more and asks that process. Somebody else may take a port that was free. */
export async function askSecondProcess(
  args: readonly string[],
  world: World,
): Promise<SecondProcess | undefined> {
  return (await askAt(await freePort(), args, world)) ?? (await askAt(await freePort(), args, world));
}

async function askAt(
  port: number,
  args: readonly string[],
  { cwd, env, wait }: World,
): Promise<SecondProcess | undefined> {
  const key = randomBytes(32).toString('base64url');
  const preloads = [endWithParent, startSession, tellSecrets(key)].flatMap((each) => ['--import', each]);
  const app = spawn(process.execPath, [...preloads, ...args], {
    cwd,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true, // the leader of a group
  });
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const tooLong = AbortSignal.timeout(30_000); // a machine with other work takes over ten seconds
  app.once('exit', end).once('error', end);
  try {
    await waitForPort(port, { wait }, AbortSignal.any([ended.signal, tooLong]), () => undefined);
    const told = digestsFrom(app, ended.signal);
    const answer = await sendRequest(new URL(`http://localhost:${port}/pidgate-doctor-${randomUUID()}`));
    const [theirs, cookie] = [await told, sessionCookieIn(answer)];
    const digest = (secret: string): string => createHmac('sha256', key).update(secret).digest('base64url');
    return { cookie, shares: (secrets) => openEachOther(secrets.map(digest), theirs) };
  } catch {
    return undefined; // it did not start
  } finally {
    endGroup(app);
  }
}

/** An app may use the channel for words of its own. */
async function digestsFrom(app: ChildProcess, ended: AbortSignal): Promise<readonly string[]> {
  const patience = AbortSignal.any([ended, AbortSignal.timeout(5_000)]);
  try {
    for await (const [message] of on(app, 'message', { signal: patience })) {
      const { pidgateDoctor } = (message ?? {}) as { pidgateDoctor?: readonly string[] };
      if (pidgateDoctor !== undefined) return pidgateDoctor;
    }
  } catch {
    // It ended, or told nothing.
  }
  return [];
}

/** The first of each seals, all open. Without a secret an app has flows that no other process opens anyway. */
function openEachOther(ours: readonly string[], theirs: readonly string[]): boolean | undefined {
  const [our] = ours;
  const [their] = theirs;
  if (our === undefined || their === undefined) return undefined;
  return ours.includes(their) && theirs.includes(our);
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
  cluster.setupPrimary({ exec: process.argv[1] }); // before that names the app's file
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Terminal } from './terminal.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const grace = 5000;

/**
 * Even a killed pidgate takes the app along: the channel between the two breaks, and the app ends. What the app forks
 * is started in the same way, but has another parent, and a channel of its own that may be all it waits for.
 */
export const endWithParent = `data:text/javascript,if(process.ppid===${process.pid}){
  process.on("disconnect",()=>process.exit(1));process.channel.unref()
}`;

/**
 * With --watch there is a process of Node's between the two, which has no channel to us and outlives us. So the app
 * keeps a stream of the sandbox open, and ends itself and that process when it breaks.
 */
const endWithSandbox = `data:text/javascript,import{get}from"node:http";
  const end=()=>{try{process.kill(process.ppid)}catch{}process.exit(1)};
  get(process.env.IDENTITY_SANDBOX_URL+"/changes",(res)=>{res.resume().on("close",end).socket.unref()}).on("error",end)
`;

/** How the app ended. */
export interface Ended {
  readonly code: number;
  /** It was told to. */
  readonly asked: boolean;
}

/** Runs the app until it ends, and hands signals on to it. */
export async function runApp(args: string[], env: NodeJS.ProcessEnv, terminal: Terminal): Promise<Ended> {
  const { stdio, cwd } = terminal;
  const end = args.includes('--watch') ? endWithSandbox : endWithParent;
  const app = spawn(process.execPath, ['--import', end, ...args], {
    cwd,
    env,
    stdio: [stdio, stdio, stdio, 'ipc'],
  });
  let asked = false;
  const ended = new AbortController();
  const kill = (): void => {
    app.kill('SIGKILL');
  };
  const pass = (signal: (typeof signals)[number]): void => {
    if (asked) {
      kill();
      return;
    }
    asked = true;
    if (signal !== 'SIGINT' || !terminal.interactive) app.kill(signal);
    terminal.wait(grace, ended.signal).then(kill, () => {}); // it rejects when the app ended in time
  };

  for (const signal of signals) terminal.signals.on(signal, pass);
  terminal.signals.on('exit', kill);
  try {
    const [code, signal] = (await once(app, 'exit')) as [number, null] | [null, NodeJS.Signals];
    return { code: code ?? 128 + constants.signals[signal], asked };
  } finally {
    ended.abort();
    for (const signal of signals) terminal.signals.off(signal, pass);
    terminal.signals.off('exit', kill);
  }
}

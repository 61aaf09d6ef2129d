import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { root } from './root.js';

/** An app in a process of its own. */
export interface App {
  readonly url: string;
  /** Everything it has printed. */
  said(): string;
  /** Waits until it has printed this. */
  says(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** How it ended, by itself or when it was told to. */
  end(signal?: NodeJS.Signals): Promise<unknown>;
}

const running: ChildProcess[] = [];
const folders: string[] = [];

/** Runs Node in a folder, with a free port and as little of the environment as can be. */
export async function runNode(args: string[], cwd: string, env: Record<string, string> = {}): Promise<App> {
  const port = await freePort();
  const app = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(app);
  const heard = new EventEmitter();
  let said = '';
  let closed = false;
  for (const stream of [app.stdout, app.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      heard.emit('more');
    });
  }
  const ended = once(app, 'close').then((how: unknown) => {
    closed = true;
    heard.emit('more');
    return how;
  });
  return {
    url: `http://localhost:${port}`,
    said: () => said,
    async says(text) {
      const signal = AbortSignal.timeout(50_000);
      while (!said.includes(text)) {
        if (closed || signal.aborted) throw new Error(`It never said "${text}": ${said}`);
        await once(heard, 'more', { signal }).catch(() => undefined); // in vain: told above
      }
    },
    signal: (name) => void app.kill(name),
    async end(signal) {
      if (signal !== undefined) app.kill(signal);
      return await ended;
    },
  };
}

/** Runs a text as server.ts, in a folder where 'pidgate' is found by its own name. */
export async function runServer(
  code: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<App> {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  const cwd = mkdtempSync(join(root, 'test-results/server-'));
  folders.push(cwd);
  writeFileSync(join(cwd, 'server.ts'), code);
  return await runNode([...args, 'server.ts'], cwd, env);
}

/** For afterEach: ends what still runs. */
export async function endAll(): Promise<void> {
  for (const app of running.splice(0)) {
    if (app.exitCode !== null || app.signalCode !== null) continue;
    const exited = once(app, 'exit');
    app.kill('SIGTERM');
    await exited;
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

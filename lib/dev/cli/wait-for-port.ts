import { connect } from 'node:net';
import { CliError } from './cli-error.js';
import type { Terminal } from './terminal.js';

/** Whether something listens on a port of this machine. */
export async function isListening(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host: 'localhost', port, timeout: 1000 });
    const settle = (answered: boolean) => () => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', settle(true)).once('error', settle(false)).once('timeout', settle(false));
  });
}

/** Throws if something listens on the port that the app shall have. */
export async function requireFree(port: number): Promise<void> {
  if (!(await isListening(port))) return;
  throw new CliError(
    `Port ${port} is in use: stop what runs there, or choose a different one with PORT=3001.`,
  );
}

const pause = 100;
const patience = 100;

/** Resolves when the port answers; says so once when that takes ten seconds. Rejects when the signal aborts. */
export async function waitForPort(
  port: number,
  { wait }: Pick<Terminal, 'wait'>,
  signal: AbortSignal,
  slow: () => void,
): Promise<void> {
  for (let tries = 1; !(await isListening(port)); tries += 1) {
    signal.throwIfAborted();
    if (tries === patience) slow();
    await wait(pause, signal);
  }
  signal.throwIfAborted();
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a file of this folder in a process of its own, and answers the one message that it sends. */
export async function ask(file, argument, execArgv = []) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [argument], { execArgv });
  const [[answer]] = await Promise.all([once(child, 'message'), once(child, 'exit')]);
  return answer;
}

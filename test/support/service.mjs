import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';

/**
 * A server that was started for the tests, in a folder of its own.
 *
 * @typedef {object} Service
 * @property {string} path the Unix socket, or the folder of the one of Postgres
 * @property {() => Promise<void>} halt ends the server and keeps its data; `resume` starts it again
 * @property {() => Promise<void>} resume
 * @property {() => Promise<void>} stop ends the server and removes its folder
 *
 * @typedef {object} Launch
 * @property {string} command
 * @property {readonly string[]} args
 * @property {string} folder removed at the end
 * @property {{ uid?: number, gid?: number }} [who]
 */

/**
 * Ends when its standard input does: by stop(), or with this process in whatever way that dies (an "exit" listener
 * would not run on SIGKILL). The folder goes with it, unless it is told to keep it. MariaDB ignores SIGINT.
 */
const guard = `folder=$1; signal=$2; shift 2; "$@" & pid=$!; read -r word; kill -$signal $pid; wait $pid
[ "$word" = keep ] || rm -rf "$folder"`;

/**
 * @param {Launch & { signal?: string }} server
 * @returns {Promise<import('node:child_process').ChildProcess>}
 */
async function launch({ command, args, folder, who = {}, signal = 'INT' }) {
  const child = spawn('/bin/sh', ['-c', guard, 'sh', folder, signal, command, ...args], {
    ...who,
    cwd: '/',
    env: { PATH: env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true, // Ctrl-C goes to this process, not to the server
  });
  let output = '';
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  try {
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        /** @param {Buffer} chunk */
        const look = (chunk) => {
          output += chunk.toString();
          if (/ready (to accept|for) (read-only )?connections|\+monitor/i.test(output)) resolve();
          else if (/not found|fatal|error(?!\.log)/i.test(output)) reject(new Error('It failed.'));
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        child.once('error', reject);
        child.once('close', (code) => {
          reject(new Error(`It ended with ${code}.`));
        });
        timer = setTimeout(() => {
          reject(new Error('It was not ready after 50 s.'));
        }, 50_000);
      })
    );
  } catch (cause) {
    await end(child);
    throw new Error(`${command} did not start: ${output}`, { cause });
  } finally {
    clearTimeout(timer);
  }
  return child;
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child, word = '') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.stdin?.end(`${word}\n`);
  await closed;
}

/**
 * @param {string} path
 * @param {Launch & { signal?: string }} server
 * @returns {Promise<Service>}
 */
export async function startService(path, server) {
  let child = await launch(server);
  return {
    path,
    async halt() {
      await end(child, 'keep');
    },
    async resume() {
      child = await launch(server);
    },
    async stop() {
      await end(child);
    },
  };
}

/**
 * What a variable names (`off` for nothing), else the first that is right.
 *
 * @param {string} variable
 * @param {(named: string) => boolean} isRight
 * @param {readonly string[]} candidates
 * @returns {string | undefined}
 */
export function findNamed(variable, isRight, candidates) {
  const named = env[variable] ?? '';
  if (named === 'off') return undefined;
  if (named === '') return candidates.find(isRight);
  if (!isRight(named)) throw new Error(`${variable} leads nowhere: ${named}`);
  return named;
}

export function onPath() {
  return (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @param {...string} names @returns {(folder: string) => boolean} */
export const hasPrograms =
  (...names) =>
  (folder) =>
    names.every((name) => isProgram(join(folder, name)));

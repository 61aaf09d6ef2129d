import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A server that was started for the tests, in a folder of its own. */
export interface Service {
  /** The Unix socket (Redis) or the folder of the Unix socket (Postgres). */
  readonly path: string;
  /** Ends the server and keeps its data; `resume` starts it again. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly who: { uid?: number; gid?: number };
}

/**
 * Ends when its standard input does: by stop(), or with this process in whatever way that dies (an "exit" listener
 * would not run on SIGKILL). The folder goes with it, unless it is told to keep it.
 */
const guard = `folder=$1; shift; "$@" & pid=$!; read -r word; kill -INT $pid; wait $pid
[ "$word" = keep ] || rm -rf "$folder"`;

async function launch({ command, args, folder, who }: Server): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', guard, 'sh', folder, command, ...args], {
    ...who,
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true, // Ctrl-C goes to this process, not to the server
  });
  let output = '';
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const look = (chunk: Buffer): void => {
        output += chunk.toString();
        if (/ready to accept connections/i.test(output)) resolve();
        else if (/not found|fatal|error/i.test(output)) reject(new Error('It failed.'));
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
    });
  } catch (cause) {
    await end(child);
    throw new Error(`${command} did not start: ${output}`, { cause });
  } finally {
    clearTimeout(timer);
  }
  return child;
}

async function end(child: ChildProcess, word = ''): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.stdin?.end(`${word}\n`);
  await closed;
}

async function start(server: Server, path: string): Promise<Service> {
  let child: ChildProcess = await launch(server);
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

/** Starts a Redis (or Valkey) on a Unix socket. Its data outlives halt() only with `['--appendonly', 'yes']`. */
export async function startRedis(extra: readonly string[] = []): Promise<Service> {
  const command = redisServer();
  if (command === undefined) throw new Error('There is no redis-server.');
  const folder = await mkdtemp(join(tmpdir(), 'pidgate-redis-'));
  const path = join(folder, 's');
  const args = ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder, ...extra];
  return await start({ command, args, folder, who: {} }, path);
}

/** Starts a Postgres on a Unix socket; as the user `postgres` where the caller is root, whom it refuses. */
export async function startPostgres(more: Readonly<Record<string, string>> = {}): Promise<Service> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('There is no initdb and postgres.');
  const folder = await mkdtemp(join(tmpdir(), 'pidgate-pg-'));
  const who: Server['who'] = {};
  if (process.getuid?.() === 0) {
    who.uid = Number((await run('id', ['-u', 'postgres'])).stdout);
    who.gid = Number((await run('id', ['-g', 'postgres'])).stdout);
    await chown(folder, who.uid, who.gid);
  }
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  await run(join(programs, 'initdb'), init, { ...who, cwd: '/' });
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    fsync: 'off',
    autovacuum: 'off',
    shared_buffers: '16MB',
    max_connections: '200',
    ...more,
  };
  const args = [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  return await start({ command: join(programs, 'postgres'), args, folder, who }, folder);
}

/** The one that PIDGATE_REDIS_SERVER names (`off` for none), else the first on PATH. */
export function redisServer(): string | undefined {
  return program(
    'PIDGATE_REDIS_SERVER',
    (named) => (isProgram(named) ? named : undefined),
    () =>
      onPath()
        .map((folder) => join(folder, 'redis-server'))
        .find(isProgram),
  );
}

/** The folder of initdb and postgres: PIDGATE_POSTGRES_BIN (`off` for none), on PATH, or where Debian has it. */
export function postgresPrograms(): string | undefined {
  const both = (folder: string): boolean =>
    ['initdb', 'postgres'].every((name) => isProgram(join(folder, name)));
  return program(
    'PIDGATE_POSTGRES_BIN',
    (named) => (both(named) ? named : undefined),
    () => [...onPath(), ...debianFolders()].find(both),
  );
}

function program(
  variable: string,
  judge: (named: string) => string | undefined,
  search: () => string | undefined,
): string | undefined {
  const named = process.env[variable] ?? '';
  if (named === 'off') return undefined;
  if (named === '') return search();
  const found = judge(named);
  if (found === undefined) throw new Error(`${variable} leads nowhere: ${named}`);
  return found;
}

function onPath(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

function debianFolders(): string[] {
  const home = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(home).toSorted((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(home, version, 'bin'));
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The globalSetup of the projects that need servers. Jest loads it as CommonJS, so it imports no file of ours. What
 * is not installed is not started; its tests are skipped then, and the reporter says so.
 */
export default async function setup(): Promise<void> {
  const started = await Promise.allSettled([
    redisServer() === undefined ? undefined : startRedis(),
    postgresPrograms() === undefined ? undefined : startPostgres(),
  ]);
  const [redis, postgres] = started.map((it) => (it.status === 'fulfilled' ? it.value : undefined));
  const services = [redis, postgres].filter((it) => it !== undefined);
  const failed = started.find((it) => it.status === 'rejected');
  if (failed !== undefined) {
    // Jest runs no globalTeardown after a globalSetup that failed.
    await Promise.all(services.map(async (it) => await it.stop()));
    throw failed.reason;
  }
  (globalThis as { pidgateServices?: Service[] }).pidgateServices = services;
  process.env['PIDGATE_TEST_REDIS'] = redis?.path ?? '';
  process.env['PIDGATE_TEST_POSTGRES'] = postgres?.path ?? '';
}

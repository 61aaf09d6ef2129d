import { execFile } from 'node:child_process';
import { readdirSync, realpathSync } from 'node:fs';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process, { env } from 'node:process';
import { promisify } from 'node:util';
import { findNamed, hasPrograms, isProgram, onPath, startService } from './service.mjs';

const run = promisify(execFile);

/**
 * @typedef {import('./service.mjs').Service} Service
 *
 * A server that tests start: all that anything outside of its own tests knows of it. Its clients are in
 * `test/support/engines`, in the file of its name.
 *
 * @typedef {object} Server
 * @property {readonly string[]} clients the engines that run on it: it has a name for each client
 * @property {readonly string[]} programs of it, all in one folder
 * @property {string} variable names its one program, or the folder of several
 * @property {readonly string[]} [folders] where they may be, other than on PATH
 * @property {string} package in which Debian has it
 * @property {(settings?: Readonly<Record<string, string>>, primary?: string) => Promise<Service>} start with more settings of its own
 */

export const servers = /** @satisfies {Readonly<Record<string, Server>>} */ (
  /** @type {const} */ ({
    redis: {
      clients: ['node-redis', 'ioredis'],
      programs: ['redis-server'],
      variable: 'PIDGATE_REDIS_SERVER',
      package: 'redis-server',
      /** Redis, or Valkey. Its data outlives halt() only with `appendonly`. */
      async start(settings = {}) {
        const command = found('redis');
        const folder = await mkdtemp(join(tmpdir(), 'pidgate-redis-'));
        const path = join(folder, 's');
        const all = { port: '0', unixsocket: path, save: '', dir: folder, ...settings };
        const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
        return await startService(path, { command, args, folder });
      },
    },

    postgres: {
      clients: ['postgres'],
      programs: ['initdb', 'postgres'],
      variable: 'PIDGATE_POSTGRES_BIN',
      folders: postgresOfDebian(),
      package: 'postgresql',
      /** @param {string} [primary] the path of another one: then it is a standby of that */
      async start(settings = {}, primary) {
        const programs = found('postgres');
        const { folder, who } = await folderFor('postgres');
        const data = join(folder, 'data');
        const common = ['-D', data, '-U', 'postgres', '--no-sync'];
        const make = ['initdb', ...common, '-A', 'trust', '-E', 'UTF8', '--no-locale'];
        const copy = ['pg_basebackup', ...common, '-h', primary ?? '', '-R', '-c', 'fast'];
        const [name = '', ...init] = primary === undefined ? make : copy;
        // On PATH there may be links to some of the programs.
        const real = dirname(realpathSync(join(programs, 'initdb')));
        await run(join(real, name), init, { ...who, cwd: '/' });
        const all = {
          listen_addresses: '',
          unix_socket_directories: folder,
          fsync: 'off',
          autovacuum: 'off',
          shared_buffers: '16MB',
          max_connections: '200',
          ...settings,
        };
        const args = [
          '-D',
          data,
          ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
        ];
        return await startService(folder, { command: join(programs, 'postgres'), args, folder, who });
      },
    },

    mysql: {
      clients: ['mysql2'],
      programs: ['mariadbd'],
      variable: 'PIDGATE_MARIADB_SERVER',
      folders: ['/usr/sbin'],
      package: 'mariadb-server',
      async start(settings = {}) {
        const command = found('mysql');
        const { folder, who } = await folderFor('mysql');
        const [data, path] = [join(folder, 'data'), join(folder, 's')];
        const init = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal'];
        const small = ['--skip-test-db', '--skip-name-resolve', '--innodb-log-file-size=8M'];
        await run('mariadb-install-db', [...init, ...small], { ...who, cwd: '/' });
        const all = {
          datadir: data,
          socket: path,
          'pid-file': join(folder, 'pid'),
          'skip-networking': 'on',
          'innodb-buffer-pool-size': '16M',
          'innodb-log-file-size': '8M',
          'innodb-flush-log-at-trx-commit': '0',
          'innodb-flush-method': 'nosync',
          'sync-frm': 'off',
          'max-connections': '200',
          ...settings,
        };
        const args = ['--no-defaults', ...Object.entries(all).map(([name, value]) => `--${name}=${value}`)];
        return await startService(path, { command, args, folder, who, signal: 'TERM' });
      },
    },
  })
);

/** @typedef {keyof typeof servers} ServerName */

export const serverNames = /** @type {readonly ServerName[]} */ (Object.keys(servers));

/** Where the tests of this run find the server; empty where it is not installed. @param {ServerName} name */
export const pathVariable = (name) => `PIDGATE_TEST_${name.toUpperCase()}`;

/**
 * Its one program, or the folder of several: what the variable names (`off` for nothing), else the first there is.
 *
 * @param {ServerName} name
 * @returns {string | undefined}
 */
export function findServer(name) {
  const { programs, variable, folders = [] } = /** @type {Server} */ (servers[name]);
  const [only = '', ...others] = programs;
  const inFolder = hasPrograms(...programs);
  if (others.length > 0) return findNamed(variable, inFolder, [...onPath(), ...folders]);
  return findNamed(
    variable,
    isProgram,
    [...onPath(), ...folders].map((folder) => join(folder, only)),
  );
}

/** @param {ServerName} name */
function found(name) {
  const program = findServer(name);
  if (program === undefined) throw new Error(`There is no ${servers[name].programs.join(' and ')}.`);
  return program;
}

/**
 * A new folder, and who may write there: a user of this name where the caller is root, whom a server refuses.
 *
 * @param {string} user
 */
async function folderFor(user) {
  const folder = await mkdtemp(join(tmpdir(), `pidgate-${user}-`));
  /** @type {{ uid?: number, gid?: number }} */
  const who = {};
  if (process.getuid?.() === 0) {
    who.uid = Number((await run('id', ['-u', user])).stdout);
    who.gid = Number((await run('id', ['-g', user])).stdout);
    await chown(folder, who.uid, who.gid);
  }
  return { folder, who };
}

function postgresOfDebian() {
  const home = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(home).toSorted((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(home, version, 'bin'));
  } catch {
    return [];
  }
}

/** Which servers services.mjs has not found, and how to get each. */
export function missingServers() {
  return serverNames
    .filter((name) => env[pathVariable(name)] === '')
    .map((name) => {
      const { programs, variable, package: inDebian } = servers[name];
      return `no ${programs.join(' and ')} on PATH and none named by ${variable}; Debian: apt-get install ${inDebian}`;
    });
}

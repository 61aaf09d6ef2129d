import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process, { argv, env, stdout } from 'node:process';
import { root } from '../contents.js';
import { type Counts, ends, expresses, nodes, table } from './matrix.js';

/** What is installed for a run, and kept for the next one. */
const cache = join(root, 'node_modules/.cache/versions');

/**
 * `npm run test:versions -- 20 26` names some of the Node versions by their beginning; without one, all run. `-- ends`
 * is for CI: the quick tests on the oldest Node with the oldest Express, and on the newest with the newest.
 */
const wanted = argv.slice(2);
const isEnds = wanted[0] === 'ends';
const plan: readonly Plan[] = isEnds ? ends : named();

interface Plan {
  readonly node: string;
  /** Without one, all. */
  readonly projects?: readonly string[];
}

function named(): Plan[] {
  const chosen = nodes.filter(
    (node) => wanted.length === 0 || wanted.some((name) => `${node}.`.startsWith(`${name}.`)),
  );
  if (chosen.length >= Math.max(wanted.length, 1)) return chosen.map((node) => ({ node }));
  throw new Error(`The Node versions are ${nodes.join(', ')}.`);
}

const express = install('express', expresses.express421);
const rows = new Map<string, Counts>();
for (const { node, projects } of plan) {
  const { platform, arch } = process;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  rows.set(node, run(node, join(install(name, node), 'bin'), projects));
}
const result = table(rows);
stdout.write(`\n${result}`);
if (env['PIDGATE_TEST_SUMMARY']) appendFileSync(env['PIDGATE_TEST_SUMMARY'], `Versions:\n${result}`);

/** Installs one package at one version, and returns its folder. */
function install(name: string, version: string): string {
  const home = join(cache, `${name}-${version}`);
  const folder = join(home, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  mkdirSync(home, { recursive: true });
  const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', '--prefix', home, ...flags, `${name}@${version}`], {
    stdio: 'inherit',
  });
  if (status === 0) return folder;
  rmSync(home, { recursive: true });
  throw new Error(`${name}@${version} could not be installed.`);
}

/** Runs the tests under one Node, which the processes that they start use too. */
function run(node: string, bin: string, projects: readonly string[] = []): Counts {
  const counts = join(cache, `counts-${node}.json`);
  rmSync(counts, { force: true });
  stdout.write(`\nNode ${node}\n`);
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--config',
    join(root, 'jest.versions.config.mjs'),
    ...(projects.length > 0 ? ['--selectProjects', ...projects] : []),
  ];
  const { status, error } = spawnSync(join(bin, 'node'), jest, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...env,
      PATH: [bin, env['PATH']].join(delimiter),
      PIDGATE_EXPRESS: express,
      PIDGATE_VERSIONS: isEnds ? 'ends' : 'all',
      PIDGATE_VERSIONS_COUNTS: counts,
      PIDGATE_TEST_SUMMARY: '',
    },
  });
  if (error) throw error;
  if (status !== 0) process.exitCode = 1;
  return existsSync(counts) ? (JSON.parse(readFileSync(counts, 'utf8')) as Counts) : {};
}

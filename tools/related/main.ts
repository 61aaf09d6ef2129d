import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process, { argv, execPath, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import config from '../../jest.config.mjs';
import { root } from '../contents.js';
import type { Sources } from './changes.js';
import { mapFile, readMap } from './map.js';
import { plan, report } from './plan.js';

const usage = `npm run test:related -- [--since <commit>] [--most <number>] [--list]

Runs the tests of what was changed: in the working tree, against where this branch left main.
  --since <commit>  compares with another commit: --since HEAD looks at what is not committed
  --most <number>   runs so many test files at most (12)
  --list            says what it would run, and runs nothing
`;

/** Runs git, and returns what it wrote; undefined where it failed. */
function git(...args: readonly string[]): string | undefined {
  const { status, stdout: out } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return status === 0 ? out : undefined;
}

const lines = (text: string | undefined): string[] => (text ?? '').split('\n').filter((line) => line !== '');

function ended(sentence: string): never {
  stderr.write(`${sentence}\n`);
  process.exit(2);
}

function optionsOf() {
  try {
    const { values } = parseArgs({
      args: argv.slice(2),
      options: {
        since: { type: 'string' },
        most: { type: 'string', default: '12' },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    return ended(`${(error as Error).message}\n\n${usage}`);
  }
}

const { since, most, list, help } = optionsOf();
if (help) {
  stdout.write(usage);
  process.exit(0);
}
if (!/^[1-9]\d*$/.test(most)) ended(`--most must be a number of test files, not ${most}.`);

/** Where this branch left main; on main itself, its last commit. */
function baseOf(): string {
  const named =
    since === undefined ? undefined : git('rev-parse', '--verify', '--quiet', `${since}^{commit}`);
  if (since !== undefined) return named?.trim() ?? ended(`git knows no commit ${since}.`);
  for (const main of ['main', 'origin/main']) {
    const base = git('merge-base', 'HEAD', main);
    if (base !== undefined) return base.trim();
  }
  return (
    git('rev-parse', 'HEAD')?.trim() ?? ended('This is no git repository, so nothing says what was changed.')
  );
}

const base = baseOf();
const changed = [
  ...lines(git('diff', '--name-only', '--no-renames', base)),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
];
if (changed.length === 0) {
  stdout.write(`Nothing was changed since ${git('log', '-1', '--format=%h (%s)', base)?.trim()}.\n`);
  process.exit(0);
}

const now = new Map<string, string | undefined>();
const sources: Sources = {
  files: ['lib', 'test', 'tools', 'example-app'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('/node_modules/')),
  ),
  now(file) {
    if (!now.has(file)) {
      const path = join(root, file);
      now.set(file, existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    }
    return now.get(file);
  },
  before: (file) => git('show', `${base}:${file}`),
};

const planned = plan({
  changed,
  sources,
  map: readMap(join(root, mapFile)),
  projects: config.projects,
  most: Number(most),
});
const start = git('log', '-1', '--format=%h (%s)', base)?.trim() ?? base;
stdout.write(report(planned, start));
if (!list && planned.run.length > 0) process.exitCode = runJest(planned.run.map(({ file }) => file));

/** Runs these files as `npm test` does. Nearly all use lib itself, so that a build only has to be there. */
function runJest(files: readonly string[]): number {
  if (!existsSync(join(root, 'dist'))) {
    const built = spawnSync(execPath, [join(root, 'build.mjs')], { cwd: root, stdio: 'inherit' });
    if (built.status !== 0) return built.status ?? 1;
  }
  const flags = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=PidgateWarning',
  ];
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const { status } = spawnSync(execPath, [...flags, jest, '--runTestsByPath', ...files], {
    cwd: root,
    stdio: 'inherit',
  });
  return status ?? 1;
}

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns the version to make, or throws if it is not above the current one. */
export function nextVersion(current: string, wanted: string): string {
  const [major, minor, patch] = numbers(current);
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  const asked = numbers(wanted);
  const [first] = asked
    .map((number, index) => number - (numbers(current)[index] ?? 0))
    .filter((by) => by !== 0);
  if (first === undefined || first < 0)
    throw new Error(`${wanted} is not above the current version, ${current}.`);
  return wanted;
}

function numbers(version: string): [number, number, number] {
  const [, major, minor, patch] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version) ?? [];
  if (patch === undefined) throw new Error(`"${version}" is none of patch, minor and X.Y.Z.`);
  return [Number(major), Number(minor), Number(patch)];
}

const unreleased = '## Unreleased\n';

/** Gives the changes under "Unreleased" a version and a date, and leaves an empty "Unreleased" above them. */
export function moveUnreleased(
  changelog: string,
  version: string,
  date: string,
): { text: string; changes: string } {
  const [before = '', after] = changelog.split(unreleased);
  if (after === undefined) throw new Error('CHANGELOG.md has no "## Unreleased".');
  const changes = (after.split(/^## /m)[0] ?? '').trim();
  if (changes === '') throw new Error('CHANGELOG.md says nothing under "## Unreleased".');
  return { text: `${before}${unreleased}\n## ${version}, ${date}\n${after}`, changes };
}

/** Throws if package.json does not say where the project is, and where its faults go: the owner fills both in. */
export function requireOwner(manifest: string): void {
  const { repository, bugs } = JSON.parse(manifest) as Record<string, unknown>;
  const open = Object.entries({ repository, bugs }).flatMap(([field, value]) =>
    value === undefined || /\.invalid\b/.test(JSON.stringify(value)) ? [field] : [],
  );
  if (open.length > 0) {
    const fields = open.join(' and ');
    throw new Error(
      `Fill in ${fields} in package.json: the address of the public repository, and that of its issues.`,
    );
  }
}

export interface Release {
  readonly version: string;
  /** The name of the packed file. */
  readonly tarball: string;
}

/**
 * Makes a version of the package in a git repository: changelog, package.json, lockfile, tarball, commit, tag. Nothing
 * is pushed or published. If something fails, the files are as before.
 */
export function release(folder: string, wanted: string, date: string): Release {
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

  if (run('git', 'status', '--porcelain') !== '')
    throw new Error('There are changes that are not committed.');
  const manifest = read('package.json');
  requireOwner(manifest);
  const { name, version: current } = JSON.parse(manifest) as { name: string; version: string };
  const version = nextVersion(current, wanted);
  const tag = `v${version}`;
  if (run('git', 'tag', '--list', tag) !== '') throw new Error(`The tag ${tag} exists.`);
  const before = run('git', 'rev-parse', 'HEAD');
  const { text, changes } = moveUnreleased(read('CHANGELOG.md'), version, date);

  try {
    writeFileSync(join(folder, 'CHANGELOG.md'), text);
    writeFileSync(
      join(folder, 'package.json'),
      manifest.replace(`"version": "${current}"`, `"version": "${version}"`),
    );
    for (const path of documents(folder)) {
      writeFileSync(
        join(folder, path),
        read(path).replaceAll(`${name}-${current}.tgz`, `${name}-${version}.tgz`),
      );
    }
    lock(folder);
    run('git', 'add', '--force', lockfile);
    run('npm', 'ci', ...quietly);
    const [packed] = JSON.parse(
      run('npm', 'pack', '--json', '--ignore-scripts=false', '--foreground-scripts=false'),
    ) as {
      filename: string;
    }[];
    if (packed === undefined) throw new Error('npm pack made nothing.');
    run('git', 'commit', '--quiet', '--all', '--message', `${name} ${version}`);
    run(
      'git',
      'tag',
      '--annotate',
      tag,
      '--cleanup=verbatim',
      '--message',
      `${name} ${version}\n\n${changes}`,
    );
    return { version, tarball: packed.filename };
  } catch (error) {
    run('git', 'reset', '--quiet', '--hard', before);
    throw error;
  }
}

const lockfile = 'package-lock.json';
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Writes which version of every package this release is built with. It is made in a folder with nothing else, because
 * npm would take what node_modules has, for this machine alone, and without the addresses of this machine's registry.
 */
function lock(folder: string): void {
  const fresh = mkdtempSync(join(tmpdir(), 'pidgate-lock-'));
  try {
    for (const name of ['package.json', '.npmrc']) {
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(fresh, name));
    }
    const args = ['--package-lock-only', '--package-lock', '--omit-lockfile-registry-resolved', ...quietly];
    execFileSync('npm', ['install', ...args], { cwd: fresh, stdio: ['ignore', 'ignore', 'inherit'] });
    copyFileSync(join(fresh, lockfile), join(folder, lockfile));
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

/** Documents that may say which file to install. */
function documents(folder: string): string[] {
  const docs = readdirSync(join(folder, 'docs')).map((name) => `docs/${name}`);
  return ['README.md', ...docs].filter((path) => path.endsWith('.md'));
}

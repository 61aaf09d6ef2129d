import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const git = (...words) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** A commit in a worktree of its own, built; `remove` takes it away. */
export function buildTree(commit) {
  const parent = mkdtempSync(join(tmpdir(), 'pidgate-compare-'));
  const folder = join(parent, 'tree');
  git('worktree', 'add', '--detach', folder, commit);
  const remove = () => {
    git('worktree', 'remove', '--force', folder);
    rmSync(parent, { recursive: true });
  };
  try {
    for (const part of ['', 'bench']) install(part, folder);
    execFileSync(process.execPath, ['build.mjs'], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    remove();
    throw error;
  }
  return { commit, folder, title: git('log', '-1', '--format=%h %s', commit).trim(), remove };
}

/** What is installed here serves a commit that wants the same; another installs its own. */
function install(part, folder) {
  const [here, there] = [join(root, part), join(folder, part)];
  const wants = (place) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    return JSON.stringify({ dependencies, devDependencies });
  };
  if (!existsSync(join(there, 'package.json'))) return;
  if (wants(here) === wants(there)) symlinkSync(join(here, 'node_modules'), join(there, 'node_modules'));
  else execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: there, stdio: 'pipe' });
}

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../numbers.js';

const root = join(import.meta.dirname, '../..');
const peers = ['express', 'express-session'];
const npm = (folder, ...words) =>
  execFileSync('npm', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

/** What an import takes in a fresh process, and what an install leaves on the disk; the peers are not counted. */
export async function footprint(others, rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'pidgate-bench-'));
  try {
    const packed = JSON.parse(npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder));
    const sources = { pidgate: join(folder, packed[0].filename), ...others };
    const sizes = Object.entries(sources).map(([name, source]) => [name, installed(folder, name, source)]);
    const times = sizes.map(() => []);
    for (let round = 0; round <= rounds; round += 1) {
      // The first one reads the disk.
      for (const [index, [name]] of sizes.entries()) {
        const ms = importing(join(folder, name), name);
        if (round > 0) times[index].push(ms);
      }
    }
    return Object.fromEntries(
      sizes.map(([name, size], index) => [name, { ...size, ms: median(times[index]) }]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function installed(parent, name, source) {
  const folder = join(parent, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const spec = source.endsWith('.tgz') ? source : `${name}@${source}`;
  npm(
    folder,
    'install',
    spec,
    '--omit=dev',
    '--legacy-peer-deps',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  );
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const peer of peers) symlinkSync(join(root, 'node_modules', peer), join(folder, 'node_modules', peer));
  return {
    packages: Object.keys(JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'))).packages)
      .length,
    files: files.length,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
  };
}

/** Milliseconds, Express already loaded: every app has it. */
function importing(folder, name) {
  const code = `
    await import('express');
    const began = performance.now();
    await import('${name}');
    console.log(performance.now() - began);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: folder }));
}

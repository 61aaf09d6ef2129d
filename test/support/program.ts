import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from './root.js';

const made = new Map<string, Promise<string>>();

/** A program in TypeScript, as one file: tsx would translate it and the kit anew in each process that is started. */
export function bundled(entry: string, banner = ''): Promise<string> {
  const program = made.get(entry) ?? bundle(entry, banner);
  made.set(entry, program);
  return program;
}

async function bundle(entry: string, banner: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    banner: { js: banner },
    write: false,
  });
  const code = outputFiles[0]?.contents ?? '';
  const home = join(root, 'test-results/programs'); // where 'pidgate' and the packages are found
  const name = `${basename(entry, '.ts')}-${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`;
  await mkdir(home, { recursive: true });
  // Another worker may be making the same file.
  await writeFile(join(home, `${process.pid}-${name}`), code);
  await rename(join(home, `${process.pid}-${name}`), join(home, name));
  return join(home, name);
}

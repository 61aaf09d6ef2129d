import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CliError } from './cli-error.js';

const names = ['server.ts', 'server.js', 'app.ts', 'app.js', 'index.ts', 'index.js'];
const candidates = [...names, ...names.map((name) => join('src', name))];

/** The file to run: the one that was named, or the first that looks like the start of an app. */
export function findEntry(cwd: string, named: string | undefined): string {
  if (named !== undefined) {
    const entry = resolve(cwd, named);
    if (isFile(entry)) return entry;
    throw new CliError(`File not found: ${named}.`);
  }
  const entry = [...candidates, ...mainOf(cwd)].map((name) => resolve(cwd, name)).find(isFile);
  if (entry !== undefined) return entry;
  throw new CliError(
    'No entry file found here. Pass the file that starts your app: pidgate dev path/to/server.ts.',
  );
}

/** The arguments for node. TypeScript runs through the app's own tsx, so that it is the app's choice of version. */
export function nodeArguments(entry: string, cwd: string): string[] {
  if (!/\.[cm]?tsx?$/.test(entry)) return [entry];
  const tsx = resolveFrom(entry, 'tsx') ?? resolveFrom(join(cwd, 'package.json'), 'tsx');
  if (tsx !== undefined) return ['--import', pathToFileURL(tsx).href, entry];
  throw new CliError('A TypeScript entry needs tsx in your app: npm install --save-dev tsx.');
}

/** Whether node takes this file of JavaScript for CommonJS: by its ending, or by the package that it is in. */
export function isCommonJs(entry: string): boolean {
  if (!entry.endsWith('.js')) return entry.endsWith('.cjs');
  let folder = dirname(entry);
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  const manifest = join(folder, 'package.json');
  return !existsSync(manifest) || !/"type"\s*:\s*"module"/.test(readFileSync(manifest, 'utf8'));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function mainOf(cwd: string): string[] {
  const manifest = join(cwd, 'package.json');
  if (!existsSync(manifest)) return [];
  try {
    const { main } = JSON.parse(readFileSync(manifest, 'utf8')) as { main?: unknown };
    return typeof main === 'string' ? [main] : [];
  } catch {
    throw new CliError('The package.json here is not valid JSON.');
  }
}

function resolveFrom(path: string, name: string): string | undefined {
  try {
    return createRequire(path).resolve(name);
  } catch {
    return undefined;
  }
}

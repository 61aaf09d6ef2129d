import { exec } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Installation, Project } from './projects.js';

/** What every project gets: the packed kit, and the person who walks through the app. */
export interface Given {
  readonly tarball: string;
  readonly visit: string;
}

/** Writes the projects into a folder and installs from the registry; returns where each project is. */
export async function install(
  folder: string,
  { packages, monorepo = false, projects }: Installation,
  { tarball, visit }: Given,
): Promise<Map<Project, string>> {
  const places = new Map(projects.map((project, index) => [project, join(folder, `project-${index}`)]));
  for (const [{ manifest, files }, place] of places) {
    await write(place, {
      'package.json': JSON.stringify({ name: `a-${place.at(-1)}`, private: true, ...manifest }),
      'visit.cjs': visit,
      'visit.d.cts': 'export function visit(url: string, path?: string, person?: string): Promise<string>;\n',
      ...files,
    });
  }
  await write(folder, {
    'package.json': JSON.stringify({ private: true, ...(monorepo && { workspaces: ['project-*'] }) }),
  });
  const wanted = [tarball, 'express-session@1.19.0', ...packages].join(' ');
  await run(
    `npm install ${wanted} --prefer-offline --engine-strict=false --ignore-scripts --no-audit --no-fund`,
    folder,
  );
  return places;
}

/** Runs a command with the programs that are installed above the folder; returns what it printed. */
export async function run(command: string, folder: string): Promise<string> {
  const { NODE_OPTIONS: _, ...own } = process.env; // those of the jest that runs this
  const PATH = [join(folder, '../node_modules/.bin'), own['PATH']].join(delimiter);
  const env = { ...own, PATH, NODE_ENV: 'test', NO_COLOR: '1' };
  try {
    const { stdout, stderr } = await promisify(exec)(command, { cwd: folder, env, maxBuffer: 2 ** 24 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

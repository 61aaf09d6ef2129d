import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { build } from 'esbuild';
import { type Tarball, pack } from '../package/tarball.js';
import { nightly } from '../support/seed.js';
import { type Project, installations } from './projects.js';
import { type Given, install, run } from './workplace.js';

jest.setTimeout(300_000); // installs and compilers, on a machine that may be busy

let home: string;
let tarball: Tarball;
let given: Given;
const passed = new Set<Project>();
/** By day the others are installed, with the oldest compiler and with the tools that most apps have. */
const installed = installations.filter(({ atNight = false }) => nightly || !atNight);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'pidgate-consumers-'));
  tarball = await pack();
  const entryPoints = [join(import.meta.dirname, 'visit.ts')];
  const visit = await build({ entryPoints, bundle: true, format: 'cjs', platform: 'node', write: false });
  given = { tarball: tarball.path, visit: visit.outputFiles[0]?.text ?? '' };
});

afterAll(async () => {
  const rows = installed.flatMap(({ projects }) =>
    projects.map((project) => `  ${passed.has(project) ? 'passed' : 'failed'}  ${project.name}\n`),
  );
  process.stderr.write(`\nThe packed package, installed, compiled and run:\n${rows.join('')}`);
  await tarball.remove();
  await rm(home, { recursive: true });
});

describe.each(installed)('one flow with $packages', (installation) => {
  let places: Map<Project, string>;

  beforeAll(async () => {
    places = await install(await mkdtemp(join(home, 'app-')), installation, given);
  });

  it.each(installation.projects)('$name', async (project) => {
    let printed = '';
    for (const command of project.commands) printed = await run(command, places.get(project) ?? '');
    expect(printed).toContain(project.prints ?? '200 ERIKA bar');
    passed.add(project);
  });
});

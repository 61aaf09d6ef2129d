import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, jest, test } from '@jest/globals';
import { type Tarball, pack } from '../package/tarball.js';
import { nightly } from '../support/seed.js';
import type { Project } from './projects.js';
import { install, run } from './workplace.js';

jest.setTimeout(300_000); // installs and compilers, on a machine that may be busy

const every = { '5.4': '5.4.5', '5.9': '5.9.3', 6: '6.0.3', 7: '7.0.2' };
/** By day the oldest and the newest. */
const compilers = nightly ? every : { '5.4': every['5.4'], 7: every[7] };
const isEnd = (name: string): boolean => ['5.4', '7'].includes(name);
/** With the types of Express 4, consumers.test.ts compiles a flow, and `npm run typecheck` the kit. */
const express = ['express@5.3.0', '@types/express@5.0.6'];

/** Options of the compilers: TypeScript 6 has the old way to find a module on demand, and 7 has it no more. */
const ways = {
  commonjs: { module: 'commonjs', moduleResolution: 'node', ignoreDeprecations: '5.0' },
  'commonjs in 6': { module: 'commonjs', moduleResolution: 'node', ignoreDeprecations: '6.0' },
  node16: { module: 'node16' },
};
type Way = keyof typeof ways;
const waysOf = (compiler: string): readonly Way[] =>
  ({ 6: ['commonjs in 6', 'node16'] as const, 7: ['node16'] as const })[compiler] ?? ['commonjs', 'node16'];

const configurations = Object.entries(ways).flatMap(([way, compilerOptions]) =>
  [true, false].map((exactOptionalPropertyTypes) => {
    const common = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: true, types: ['node'] };
    const files = way === 'node16' ? ['apart.ts', 'apart.mts'] : ['apart.ts'];
    return [
      `${way} ${exactOptionalPropertyTypes}.json`,
      JSON.stringify({
        compilerOptions: { ...common, ...compilerOptions, exactOptionalPropertyTypes },
        files,
      }),
    ] as const;
  }),
);

let home: string;
let tarball: Tarball;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'pidgate-apart-'));
  tarball = await pack();
});

afterAll(async () => {
  await tarball.remove();
  await rm(home, { recursive: true });
});

describe('F113 options written apart from the call', () => {
  let place: string;

  beforeAll(async () => {
    const file = await readFile(join(import.meta.dirname, 'files/apart.ts'), 'utf8');
    const files = { 'apart.ts': file, 'apart.mts': file, ...Object.fromEntries(configurations) };
    const project: Project = { name: 'options apart', files, commands: [] };
    const typescripts = Object.values(compilers).map(
      (version) => `typescript-${version}@npm:typescript@${version}`,
    );
    const wanted = { packages: [...express, '@types/node@20.19.43', ...typescripts], projects: [project] };
    const places = await install(await mkdtemp(join(home, 'app-')), wanted, {
      tarball: tarball.path,
      visit: '',
    });
    place = places.get(project) ?? '';
  });

  // Between the oldest and the newest compiler one of each is enough.
  test.each(Object.entries(compilers))('F113 compile in TypeScript %s', async (name, version) => {
    for (const way of waysOf(name)) {
      for (const exact of isEnd(name) ? [true, false] : [true]) {
        await run(`node ../node_modules/typescript-${version}/bin/tsc -p "${way} ${exact}.json"`, place);
      }
    }
  });
});

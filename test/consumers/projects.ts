import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An app of somebody else. */
export interface Project {
  readonly name: string;
  /** Members of its package.json. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, string>>;
  /** Compile it and run one flow, with the installed programs on PATH. The last one prints what the guard lets through. */
  readonly commands: readonly string[];
}

/** Projects that have the same packages beside pidgate and express-session; they share one installation. */
export interface Installation {
  readonly packages: readonly string[];
  /** The projects are workspaces, and what they depend on themselves is installed too. */
  readonly monorepo?: boolean;
  readonly projects: readonly Project[];
}

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'files', name), 'utf8');

const flow = read('flow.ts'); // JavaScript too
const commonJsFlow = read('flow.cjs');

const express4 = ['express@4.22.3', '@types/express@4.17.25', '@types/express-session@1.19.0'];
const express5 = ['express@5.3.0', '@types/express@5.0.6', '@types/express-session@1.19.0'];
const node = '@types/node@20.19.43';

const esm = { type: 'module' };

const runs = (file: string): string =>
  `node -e "import('./${file}').then(({ flow }) => flow()).then(console.log)"`;

/** A flow and every entry, with the types of every package checked. */
const typescript = (
  name: string,
  compilerOptions: Readonly<Record<string, unknown>>,
  manifest = {},
): Project => ({
  name: `TypeScript ${name}`,
  manifest,
  files: {
    'flow.ts': flow,
    'entries.ts': read('entries.ts'),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'es2022',
        esModuleInterop: true,
        types: ['node'],
        ...compilerOptions,
      },
      files: ['flow.ts', 'entries.ts'],
    }),
  },
  commands: ['tsc', runs('flow.js')],
});

/** What an editor with this TypeScript shows, and what its compiler says of typical mistakes. */
const words = (project: Project): Project => ({
  ...project,
  files: { ...project.files, 'mistakes.ts': read('mistakes.ts'), 'words.mjs': read('words.mjs') },
  commands: ['node words.mjs mistakes.ts', ...project.commands],
});

const test = (framework: string, from: string): string =>
  `import { test } from '${framework}';\nimport { flow } from '${from}';\n` +
  `test('a whole flow', async () => { console.log(await flow()); });\n`;

const jestTest = test('@jest/globals', './flow');
const required = jestTest.replaceAll(/import (.*) from (.*);/g, 'const $1 = require($2);');

/** In CommonJS, which is jest's default. */
const jest = (version: string, withBabel: string, withTsJest: string): Installation => {
  const name = `jest ${version.split('.')[0]}`;
  const commands = ['jest --testTimeout=60000'];
  return {
    packages: [
      ...express5,
      node,
      `jest@${version}`,
      withBabel,
      withTsJest,
      '@babel/preset-env@7.29.14',
      'typescript@5.9.3',
    ],
    projects: [
      { name, files: { 'flow.js': commonJsFlow, 'flow.test.js': required }, commands },
      {
        name: `${name}, babel`,
        files: {
          'babel.config.js': `module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };`,
          'flow.js': flow,
          'flow.test.js': jestTest,
        },
        commands,
      },
      {
        name: `${name}, ts-jest`,
        files: {
          'jest.config.js': `module.exports = { preset: 'ts-jest' };`,
          'tsconfig.json': `{ "compilerOptions": { "strict": true, "esModuleInterop": true, "target": "es2022", "module": "commonjs" } }`,
          'flow.ts': flow,
          'flow.test.ts': jestTest,
        },
        commands,
      },
    ],
  };
};

export const installations: readonly Installation[] = [
  {
    packages: [...express4, node, 'typescript@5.4.5'],
    projects: [
      {
        name: 'JavaScript, CommonJS, Express 4',
        files: { 'flow.js': commonJsFlow },
        commands: [runs('flow.js')],
      },
      words(
        typescript('5.4, commonjs, classic node, Express 4', {
          module: 'commonjs',
          moduleResolution: 'node',
        }),
      ),
    ],
  },
  {
    packages: [...express5, node, 'typescript@5.9.3'],
    projects: [
      {
        name: 'JavaScript, ESM, Express 5',
        manifest: esm,
        files: { 'flow.js': flow },
        commands: [runs('flow.js')],
      },
      {
        name: 'JavaScript, both formats in one app',
        files: { 'flow.mjs': flow, 'flow.cjs': commonJsFlow, 'both.mjs': read('both.mjs') },
        commands: [runs('both.mjs')],
      },
      {
        name: 'node:test',
        manifest: esm,
        files: { 'flow.js': flow, 'flow.test.js': test('node:test', './flow.js') },
        commands: ['node --test'],
      },
      typescript('5.9, node16, CommonJS', { module: 'node16' }),
      typescript('5.9, node16, ESM', { module: 'node16' }, esm),
    ],
  },
  {
    packages: [...express5, '@types/node@26.6.6', 'typescript@7.0.2'],
    projects: [
      typescript('7, nodenext, CommonJS', { module: 'nodenext' }),
      typescript('7, nodenext, ESM', { module: 'nodenext' }, esm),
      typescript('7, bundler', { module: 'esnext', moduleResolution: 'bundler' }, esm),
      typescript('7, exactOptionalPropertyTypes', {
        module: 'nodenext',
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noPropertyAccessFromIndexSignature: true,
      }),
    ],
  },
  {
    packages: express4,
    monorepo: true,
    projects: [
      {
        name: 'a monorepo whose app has its own Express',
        manifest: { ...esm, dependencies: { express: '5.3.0' } },
        files: { 'flow.js': flow, 'two-expresses.js': read('two-expresses.js') },
        commands: ['node two-expresses.js', runs('flow.js')],
      },
    ],
  },
  jest('29.7.0', 'babel-jest@29.7.0', 'ts-jest@29.4.15'),
  jest('30.5.2', 'babel-jest@30.5.2', 'ts-jest@29.4.15'),
  {
    packages: [...express5, 'vitest@4.1.12'],
    projects: [
      {
        name: 'vitest 4',
        manifest: esm,
        files: { 'flow.js': flow, 'flow.test.js': test('vitest', './flow.js') },
        commands: ['vitest run --testTimeout=60000'],
      },
    ],
  },
];

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entries } from '../../tools/entries.mjs';
import { blocksOf } from '../house/documents.js';

/** An app of somebody else. */
export interface Project {
  readonly name: string;
  /** Members of its package.json. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, string>>;
  /** Compile it and run one flow, with the installed programs on PATH. The last one prints what the guard lets through. */
  readonly commands: readonly string[];
  /** `200 ERIKA bar`, where the flow is the one of files/. */
  readonly prints?: string;
}

/** Projects that have the same packages beside pidgate and express-session; they share one installation. */
export interface Installation {
  readonly packages: readonly string[];
  /** The projects are workspaces, and what they depend on themselves is installed too. */
  readonly monorepo?: boolean;
  readonly atNight?: boolean;
  readonly projects: readonly Project[];
}

const read = (name: string): string => readFileSync(join(import.meta.dirname, 'files', name), 'utf8');

const flow = read('flow.ts'); // JavaScript too
const commonJsFlow = read('flow.cjs');

/** The types of each are looked at, with those that they name. */
const allEntries = entries
  .map(({ name, specifier }) => `export * as ${name.replace('-', '')} from '${specifier}';\n`)
  .join('');

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
    'all-entries.ts': allEntries,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'es2022',
        esModuleInterop: true,
        types: ['node'],
        ...compilerOptions,
      },
      files: ['flow.ts', 'entries.ts', 'all-entries.ts'],
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
const jest = ['jest --testTimeout=60000'];
const required = jestTest.replaceAll(/import (.*) from (.*);/g, 'const $1 = require($2);');

const frameworks = Object.fromEntries(
  blocksOf('docs/your-app.md').map(({ code }) => [/^\/\/ (\w+\.ts)\n/.exec(code)?.[1] ?? '', code]),
);

const sockets =
  blocksOf('docs/sessions.md').find(({ code }) => code.startsWith('// sockets.js\n'))?.code ?? '';

interface Variant {
  /** What is changed in the example, so that its page has an address that the document does not know. */
  readonly changes?: readonly (readonly [string, string])[];
  /** What the page shows to Erika, and to nobody in any spelling of its address. */
  readonly secret?: string;
  /** A path that a proxy in front takes off. */
  readonly base?: string;
  readonly prints?: string;
}

/** An example of docs/your-app.md, run by `pidgate dev`: as it stands, or with changes. */
function framework(
  name: string,
  file: string,
  path: string,
  { changes = [], secret = '', base = '', prints = secret }: Variant = {},
): Project {
  const code = changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file}.ts has no ${from}`);
      return text.replace(from, () => to);
    },
    frameworks[`${file}.ts`] ?? '',
  );
  return {
    name,
    manifest: esm,
    files: {
      'identity.ts': frameworks['identity.ts'] ?? '',
      [`${file}.ts`]: code,
      'run-dev.mjs': read('run-dev.mjs'),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          target: 'es2022',
          module: 'nodenext',
          types: ['node'],
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
          skipLibCheck: true,
        },
        files: [`${file}.ts`],
      }),
    },
    commands: ['tsc', `node run-dev.mjs ${file}.js ${path} '${secret}' ${base}`],
    prints: `open to nobody: never\nErika: 200 ${prints}\nLeon: 403`,
  };
}

/** Nest with a global prefix and versions, and Fastify with a prefix: what an app may set long after it has its guard. */
const nestElsewhere: Variant['changes'] = [
  ['Req }', 'Req, VersioningType }'],
  ["@Controller('club')", "@Controller({ path: 'club', version: '1' })"],
  ['return identity.of(req)?.kept;', "return req.method && 'Welcome';"],
  [
    'await app.listen',
    "app.setGlobalPrefix('api');\napp.enableVersioning({ type: VersioningType.URI });\nawait app.listen",
  ],
];
const fastifyElsewhere: Variant['changes'] = [
  ["app.get('/club'", "await app.register(async (club) => club.get('/club'"],
  ['identity.of(request.raw as Request)?.kept));', "`${request.method} Welcome`)), { prefix: '/v1' });"],
];

export const installations: readonly Installation[] = [
  {
    packages: [...express4, node, 'typescript@5.4.5'],
    projects: [
      words(
        typescript('5.4, commonjs, classic node, Express 4', {
          module: 'commonjs',
          moduleResolution: 'node',
        }),
      ),
    ],
  },
  {
    packages: [
      ...express5,
      node,
      'typescript@5.9.3',
      'jest@30.5.2',
      'babel-jest@30.5.2',
      'ts-jest@29.4.15',
      '@babel/preset-env@7.29.14',
      'msw@2.15.0',
      'nock@14.0.17',
      'undici@7.30.2',
      '@nestjs/common@12.5.1',
      '@nestjs/core@12.5.1',
      '@nestjs/platform-express@12.5.1',
      'reflect-metadata@0.2.2',
      'rxjs@7.8.2',
      'fastify@5.12.8',
      '@fastify/express@4.0.7',
      '@trpc/server@11.25.2',
      'graphql@16.15.0',
      'graphql-yoga@5.24.1',
      '@apollo/server@5.5.1',
      '@as-integrations/express5@1.1.2',
      'socket.io@4.8.4',
      'socket.io-client@4.8.4',
    ],
    projects: [
      {
        name: 'JavaScript, ESM, Express 5',
        manifest: esm,
        files: { 'flow.js': flow },
        commands: [runs('flow.js')],
      },
      typescript('5.9, node16, ESM', { module: 'node16' }, esm),
      {
        name: 'jest 30, in CommonJS, which is its default',
        files: { 'flow.js': commonJsFlow, 'flow.test.js': required },
        commands: jest,
      },
      {
        name: 'jest 30, babel',
        files: {
          'babel.config.js': `module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };`,
          'flow.js': flow,
          'flow.test.js': jestTest,
        },
        commands: jest,
      },
      {
        name: 'jest 30, ts-jest',
        files: {
          'jest.config.js': `module.exports = { preset: 'ts-jest' };`,
          'tsconfig.json': `{ "compilerOptions": { "strict": true, "esModuleInterop": true, "target": "es2022", "module": "commonjs" } }`,
          'flow.ts': flow,
          'flow.test.ts': jestTest,
        },
        commands: jest,
      },
      {
        name: 'msw 2, nock 14, undici 7',
        manifest: esm,
        files: { 'flow.js': flow, 'mocks.mjs': read('mocks.mjs') },
        commands: ['node mocks.mjs', runs('flow.js')],
      },
      framework('Nest 12', 'nest', '/club', { prints: '{"adult":true}' }),
      framework('Nest 12 with a prefix and versions, below a path', 'nest', '/api/v1/club', {
        changes: nestElsewhere,
        secret: 'Welcome',
        base: '/shop',
      }),
      framework('Fastify 5 by @fastify/express', 'fastify', '/club', { prints: '{"adult":true}' }),
      framework('Fastify 5 with a prefix, below a path', 'fastify', '/v1/club', {
        changes: fastifyElsewhere,
        secret: 'Welcome',
        base: '/shop',
        prints: 'GET Welcome',
      }),
      framework('tRPC 11', 'trpc', '/trpc/club', {
        secret: '"adult":true',
        prints: '{"result":{"data":{"adult":true}}}',
      }),
      {
        name: 'GraphQL Yoga, Apollo and Socket.IO, as the documents say',
        manifest: esm,
        files: { 'rules.mjs': read('rules.mjs'), 'sockets.js': sockets },
        commands: ['node rules.mjs'],
        prints:
          'nobody: UNAUTHENTICATED, UNAUTHENTICATED, refused\n' +
          'erika: Welcome, Welcome, connected until the log-out\n' +
          'minor: FORBIDDEN, FORBIDDEN, refused\n',
      },
    ],
  },
  {
    packages: [...express5, '@types/node@26.6.6', 'typescript@7.0.2', '@opentelemetry/api@1.9.1'],
    atNight: true,
    projects: [
      {
        name: 'the spans of docs/observability.md, with the newest types of Node',
        manifest: esm,
        files: {
          'spans.ts':
            blocksOf('docs/observability.md').find(({ code }) => code.includes('startSpan'))?.code ?? '',
          'tsconfig.json': `{ "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext", "types": ["node"] }, "files": ["spans.ts"] }`,
        },
        commands: ['tsc && echo compiled'],
        prints: 'compiled',
      },
      typescript('7, nodenext, ESM', { module: 'nodenext' }, esm),
      typescript('7, bundler', { module: 'esnext', moduleResolution: 'bundler' }, esm),
      typescript('7, nodenext, CommonJS, exactOptionalPropertyTypes', {
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
    atNight: true,
    projects: [
      {
        name: 'a monorepo whose app has its own Express',
        manifest: { ...esm, dependencies: { express: '5.3.0' } },
        files: { 'flow.js': flow, 'two-expresses.js': read('two-expresses.js') },
        commands: ['node two-expresses.js', runs('flow.js')],
      },
    ],
  },
  {
    packages: ['express@5.3.0', '@types/express@5.0.6', node, 'typescript@5.9.3', 'vitest@4.1.12'],
    atNight: true,
    projects: [
      {
        name: 'TypeScript without the types of express-session',
        manifest: esm,
        files: {
          'entries.ts': read('entries.ts'),
          'all-entries.ts': allEntries,
          'tsconfig.json': `{ "compilerOptions": { "strict": true, "exactOptionalPropertyTypes": true, "module": "nodenext", "types": ["node"] } }`,
        },
        commands: ['tsc && echo compiled'],
        prints: 'compiled',
      },
      {
        name: 'vitest 4',
        manifest: esm,
        files: { 'flow.js': flow, 'flow.test.js': test('vitest', './flow.js') },
        commands: ['vitest run --testTimeout=60000'],
      },
    ],
  },
];

import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ICruiseResult } from 'dependency-cruiser';
import config, { exampleApp, layers } from '../../.dependency-cruiser.mjs';
import { bundled } from '../../tools/bundled.mjs';
import { root } from '../support/root.js';
import { cruise } from './cruise.js';

const layerNames = Object.keys(layers) as (keyof typeof layers)[];
const layersOf = (file: string): string[] =>
  layerNames.filter((name) => new RegExp(layers[name].path).test(file));

describe('the example app', () => {
  const exampleLayersOf = (file: string): string[] =>
    Object.entries(exampleApp).flatMap(([name, path]) => (new RegExp(path).test(file) ? [name] : []));
  const upwards = ({ summary }: ICruiseResult): string[] =>
    summary.violations
      .filter(({ rule }) => rule.name.startsWith('example-app-') || rule.name === 'no-circular')
      .map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);

  it('has layers for all its files, imports nothing upwards, and no circle, not even of types', async () => {
    const result = await cruise(root, 'example-app');
    const files = result.modules.flatMap(({ source }) =>
      /^example-app\/.*ts$/.test(source) ? [source] : [],
    );
    expect(files).toContain('example-app/questions/age.ts');
    expect(files.filter((file) => exampleLayersOf(file).length !== 1)).toEqual([]);
    expect(upwards(result)).toEqual([]);
  });

  it('has a rule for each layer that objects to every import from above', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pidgate-example-'));
    const files = [
      'texts/en',
      'language',
      'questions/age',
      'identity',
      'pages/html',
      'faults',
      'log-in',
      'pages/home',
    ];
    const inOrder = [...files, 'stories/account', 'app', 'scaled'];
    expect(inOrder.map((file) => exampleLayersOf(`example-app/${file}.ts`).join())).toEqual(
      Object.keys(exampleApp),
    );
    await writeFile(join(folder, 'package.json'), '{ "name": "breach", "type": "module" }');
    await writeFile(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "module": "nodenext" } }');
    for (const [index, file] of inOrder.entries()) {
      const path = join(folder, `example-app/${file}.ts`);
      const up = file.includes('/') ? '../' : './';
      const above = inOrder.slice(index + 1).map((other) => `import type {} from '${up}${other}.js';`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `export {};\n${above.join('\n')}`);
    }
    const found = upwards(await cruise(folder, 'example-app'));
    const expected = inOrder.flatMap((file, index) =>
      inOrder.slice(index + 1).map((other) => `example-app/${file}.ts -> example-app/${other}.ts`),
    );
    expect(found.map((line) => line.replace(/^.*?: /, '')).toSorted()).toEqual(expected.toSorted());
    await rm(folder, { recursive: true });
  });
});

describe('the layers of lib', () => {
  let result: ICruiseResult;
  let files: string[];

  beforeAll(async () => {
    result = await cruise(root);
    const entries = await readdir(join(root, 'lib'), { recursive: true });
    files = entries.filter((name) => /\.m?[jt]s$/.test(name)).map((name) => `lib/${name}`);
  });

  it('are kept apart: no breach of a rule', () => {
    expect(result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual(
      [],
    );
  });

  it('are looked at whole: every file of lib is a module that was cruised', () => {
    const seen = result.modules.map(({ source }) => source).filter((source) => source.startsWith('lib/'));
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.toSorted()).toEqual(files.toSorted());
  });

  it('have a place for every file, and one only', () => {
    expect(files.filter((file) => layersOf(file).length !== 1)).toEqual([]);
  });

  const ofLib = config.forbidden?.filter(({ name }) => name?.startsWith('example-app-') !== true) ?? [];
  it.each(ofLib.map(({ name, from }) => [name, from.path] as const))(
    'give the rule %s something to judge',
    (_name, path) => {
      const pattern = new RegExp([path ?? ''].flat().join('|'));
      expect(files.filter((file) => pattern.test(file))).not.toEqual([]);
    },
  );

  it('use every package that a row allows: none is on the list for nothing', () => {
    const allowed = layerNames.flatMap((name) => {
      const { packages, packageTypes = [] }: { packages: readonly string[]; packageTypes?: string[] } =
        layers[name];
      return [...packages, ...packageTypes].map((used) => `${name} uses ${used}`);
    });
    const used = result.modules.flatMap(({ source, dependencies }) =>
      dependencies.flatMap(({ module }) =>
        layersOf(source).map((layer) => `${layer} uses ${module.replace(/^zod\/mini$/, 'zod')}`),
      ),
    );
    expect(allowed.filter((line) => !used.includes(line))).toEqual([]);
  });

  /** The files that are loaded with a module, itself included. */
  const reachOf = (source: string, reached = new Set<string>()): ReadonlySet<string> => {
    reached.add(source);
    const { dependencies = [] } = result.modules.find((module) => module.source === source) ?? {};
    for (const { resolved, dependencyTypes } of dependencies) {
      const isLoaded = resolved.startsWith('lib/') && !dependencyTypes.includes('type-only');
      if (isLoaded && !reached.has(resolved)) reachOf(resolved, reached);
    }
    return reached;
  };

  it('keep certificates, status lists and HTTP out of verifySdJwt', () => {
    const reached = [...reachOf('lib/verify/sd-jwt/verify.ts')];
    expect(reached).toContain('lib/verify/jose/jws.ts'); // imports are followed
    expect(
      reached.filter((file) => /x5c|status|trust|remote|internal.http/.test(file.replace('sd-jwt/', ''))),
    ).toEqual([]);
  });
});

/** A tree in which every layer sees every other layer and every package: each row must object to what it forbids. */
describe('a breach of the table', () => {
  let folder: string;
  let violations: string[];

  /** Where the path of a layer is not that of a folder. */
  const own: Partial<Record<string, string>> = {
    errors: 'lib/errors.ts',
    stores: 'lib/stores/memory.ts',
    jose: 'lib/verify/jose/breach.ts',
    verifiers: 'lib/verify/verify-presentation.ts',
    context: 'lib/http/context.ts',
    http: 'lib/http/breach.ts',
    'identity-verification': 'lib/identity-verification.ts',
    index: 'lib/index.ts',
    'dev-base': 'lib/dev/only-development.ts',
    scenarios: 'lib/dev/sandbox/scenarios/breach.ts',
    sandbox: 'lib/dev/sandbox/app.ts',
  };
  const fileOf = Object.fromEntries(
    layerNames.map((name) => [name, own[name] ?? `${layers[name].path.slice(1)}breach.ts`]),
  ) as Readonly<Record<keyof typeof layers, string>>;
  const packages = ['express', 'body-parser', 'zod', 'jose', 'uqr', 'left-pad'];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pidgate-layers-'));
    const write = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    const dependencies = Object.fromEntries(packages.map((name) => [name, '1.0.0']));
    const devDependencies = { 'only-in-tests': '1.0.0' };
    await write(
      'package.json',
      JSON.stringify({ name: 'breach', type: 'module', dependencies, devDependencies }),
    );
    await write('tsconfig.json', '{ "compilerOptions": { "module": "nodenext" } }');
    for (const name of [...packages, 'only-in-tests']) {
      await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
      await write(`node_modules/${name}/index.js`, '');
    }
    const paths = Object.values(fileOf);
    for (const path of paths) {
      const up = '../'.repeat(path.split('/').length - 1);
      const others = paths.filter((other) => other !== path);
      const lines = [
        ...others.map((other) => `import type {} from '${up}${other.replace(/\.ts$/, '.js')}';`),
        ...packages.map((name) => `import '${name}';`),
        `import 'node:crypto';`,
      ];
      await write(path, lines.join('\n'));
    }
    await write(
      'lib/stores/redis.ts',
      `import type {} from './memory.js';\nimport type {} from './backend.js';`,
    );
    await write('lib/stores/call-backend.ts', `export {};`);
    await write('lib/http/session/change-session.ts', 'export {};');
    for (const file of ['session/write-session', 'session/renew-session', 'guard']) {
      const change = file.startsWith('session') ? './change-session.js' : './session/change-session.js';
      await write(`lib/http/${file}.ts`, `import type {} from '${change}';`);
    }
    await write('lib/flow/one.ts', `import type {} from './two.js';`);
    await write('lib/flow/two.ts', `import type {} from './one.js';`);
    await write('lib/alone.ts', 'export {};');
    await write('test/support.ts', 'export {};');
    await write(
      'lib/stray.ts',
      `import 'only-in-tests';\nimport type {} from '../test/support.js';\nimport './nowhere.js';`,
    );
    const { summary } = await cruise(folder);
    violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it.each(layerNames)('is found in %s: it sees its own row and nothing else', (name) => {
    const { sees, packages: uses }: { sees: readonly string[]; packages: readonly string[] } = layers[name];
    const rule = new RegExp(`^${name}-(sees|uses)-`);
    const found = violations.filter((line) => rule.test(line)).map((line) => line.split(' -> ')[1] ?? '');
    const forbidden = [
      ...layerNames.filter((other) => other !== name && !sees.includes(other)).map((other) => fileOf[other]),
      ...packages.filter((used) => !uses.includes(used)).map((used) => `node_modules/${used}/index.js`),
    ];
    expect(found.toSorted()).toEqual(forbidden.toSorted());
  });

  it('is found where types alone make a cycle', () => {
    expect(violations).toContainEqual(expect.stringMatching(/^no-circular: lib\/flow\/(one|two)\.ts -> /));
  });

  it('is found between two stores, which may share backend.ts alone', () => {
    expect(violations.filter((line) => line.startsWith('stores-never-see-one-another'))).toEqual([
      'stores-never-see-one-another: lib/stores/redis.ts -> lib/stores/memory.ts',
    ]);
  });

  it('is found where flow/ is entered by another file than its front', () => {
    const found = violations.filter((line) => line.startsWith('flow-has-one-front'));
    expect(found).toContain('flow-has-one-front: lib/http/breach.ts -> lib/flow/breach.ts');
    expect(found).toHaveLength(layerNames.length - 1);
  });

  it('is found where a session is changed by another file than its writer and the copy under a new id', () => {
    expect(violations.filter((line) => line.startsWith('one-writer-of-sessions'))).toEqual([
      'one-writer-of-sessions: lib/http/guard.ts -> lib/http/session/change-session.ts',
    ]);
  });

  it.each(Object.keys(bundled))('is found where %s is imported by another file than its front', (name) => {
    const found = violations.filter((line) => line.startsWith(`${name}-has-one-front`));
    expect(found).toContain(`${name}-has-one-front: lib/dev/sandbox/app.ts -> node_modules/${name}/index.js`);
    expect(found).toHaveLength(layerNames.length);
  });

  it('is found where a file belongs to nothing', () => {
    expect(violations).toContain('no-orphan: lib/alone.ts -> lib/alone.ts');
    expect(layersOf('lib/alone.ts')).toEqual([]);
  });

  it.each([
    ['leaves lib', 'inside-lib: lib/stray.ts -> test/support.ts'],
    ['leads nowhere', 'resolvable: lib/stray.ts -> ./nowhere.js'],
    [
      'is of a package for development',
      'no-development-package: lib/stray.ts -> node_modules/only-in-tests/index.js',
    ],
  ])('is found where an import %s', (_what, line) => {
    expect(violations).toContain(line);
  });

  it('is not seen in a use of node: it is free everywhere', () => {
    expect(violations.filter((line) => line.endsWith('crypto'))).toEqual([]);
  });
});

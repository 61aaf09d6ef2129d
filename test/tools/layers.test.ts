import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ICruiseResult } from 'dependency-cruiser';
import config, { rooms } from '../../.dependency-cruiser.mjs';
import { read } from '../house/documents.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** What `depcruise lib` finds, here or in another folder, under the one set of rules. */
async function cruise(cwd: string, folder = 'lib'): Promise<ICruiseResult> {
  const bin = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [bin, folder, '--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json'];
  const { stdout } = await run(process.execPath, args, { cwd, maxBuffer: 2 ** 26 }).catch(
    (failed: { stdout: string }) => failed, // it exits with the number of violations
  );
  return JSON.parse(stdout) as ICruiseResult;
}

const roomNames = Object.keys(rooms) as (keyof typeof rooms)[];
const roomsOf = (file: string): string[] =>
  roomNames.filter((name) => new RegExp(rooms[name].path).test(file));

it('the example app has no circle either, not even of types', async () => {
  const { modules, summary } = await cruise(root, 'example-app');
  expect(modules.some(({ source }) => source === 'example-app/questions/age.ts')).toBe(true);
  const circles = summary.violations.filter(({ rule }) => rule.name === 'no-circular');
  expect(circles.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

describe('the rooms of lib', () => {
  let result: ICruiseResult;
  let files: string[];

  beforeAll(async () => {
    result = await cruise(root);
    const entries = await readdir(join(root, 'lib'), { recursive: true });
    files = entries.filter((name) => name.endsWith('.ts')).map((name) => `lib/${name}`);
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
    expect(files.filter((file) => roomsOf(file).length !== 1)).toEqual([]);
  });

  it.each(config.forbidden?.map(({ name, from }) => [name, from.path] as const) ?? [])(
    'give the rule %s something to judge',
    (_name, path) => {
      const pattern = new RegExp([path ?? ''].flat().join('|'));
      expect(files.filter((file) => pattern.test(file))).not.toEqual([]);
    },
  );

  it('use every package that a row allows: none is on the list for nothing', () => {
    const allowed = roomNames.flatMap((name) => {
      const { packages, packageTypes = [] }: { packages: readonly string[]; packageTypes?: string[] } =
        rooms[name];
      return [...packages, ...packageTypes].map((used) => `${name} uses ${used}`);
    });
    const used = result.modules.flatMap(({ source, dependencies }) =>
      dependencies.flatMap(({ module }) => roomsOf(source).map((room) => `${room} uses ${module}`)),
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

  it.each([
    ['lib/verify/sd-jwt/verify.ts', 22, 25],
    ['lib/verify/verify-presentation.ts', 50, 64],
  ])('let the public verifier %s load few files', (source, atLeast, atMost) => {
    const { size } = reachOf(source);
    expect(size).toBeGreaterThanOrEqual(atLeast); // fewer: the count no longer follows imports, or lower the bounds
    expect(size).toBeLessThanOrEqual(atMost);
  });

  it('lead from a callback to a hook through at most six files, which architecture.md names', () => {
    const list = /<!-- chain -->([^]*?)<!-- chain -->/.exec(read('docs/architecture.md'))?.[1] ?? '';
    const chain = [...list.matchAll(/^\d\. `([^`]+)`/gm)].map(([, file = '']) => file);
    expect(chain[0]).toBe('lib/http/routes/callback.ts');
    expect(chain.at(-1)).toBe('lib/flow/hooks.ts');
    expect(chain.length).toBeLessThanOrEqual(6);
    const imported = (file: string): string[] =>
      result.modules.find(({ source }) => source === file)?.dependencies.map(({ resolved }) => resolved) ??
      [];
    const broken = chain.slice(1).filter((file, index) => !imported(chain[index] ?? '').includes(file));
    expect(broken).toEqual([]);
  });

  it('keep certificates, status lists and HTTP out of verifySdJwt', () => {
    const reached = [...reachOf('lib/verify/sd-jwt/verify.ts')];
    expect(
      reached.filter((file) =>
        /x5c|status|jwt\/check|remote|fetch-bounded/.test(file.replace('sd-jwt/', '')),
      ),
    ).toEqual([]);
  });
});

/** A house in which every room sees every other room and every package: each row must object to what it forbids. */
describe('a breach of the table', () => {
  let folder: string;
  let violations: string[];

  const fileOf: Readonly<Record<keyof typeof rooms, string>> = {
    errors: 'lib/errors.ts',
    types: 'lib/types/breach.ts',
    internal: 'lib/internal/breach.ts',
    service: 'lib/service/breach.ts',
    stores: 'lib/stores/memory.ts',
    jose: 'lib/verify/jose/breach.ts',
    keys: 'lib/verify/keys/breach.ts',
    x5c: 'lib/verify/x5c/breach.ts',
    'trusted-list': 'lib/verify/trusted-list/breach.ts',
    status: 'lib/verify/status/breach.ts',
    jwt: 'lib/verify/jwt/breach.ts',
    'sd-jwt': 'lib/verify/sd-jwt/breach.ts',
    trust: 'lib/verify/trust/breach.ts',
    verifiers: 'lib/verify/verifiers.ts',
    flow: 'lib/flow/breach.ts',
    options: 'lib/options/breach.ts',
    pages: 'lib/http/pages/breach.ts',
    context: 'lib/http/context.ts',
    reply: 'lib/http/reply/breach.ts',
    session: 'lib/http/session/breach.ts',
    request: 'lib/http/request/breach.ts',
    routes: 'lib/http/routes/breach.ts',
    router: 'lib/http/router.ts',
    'identity-verification': 'lib/identity-verification.ts',
    index: 'lib/index.ts',
    dev: 'lib/dev/sandbox/breach.ts',
  };
  const packages = ['express', 'body-parser', 'zod', 'jose', 'left-pad'];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pidgate-layers-'));
    const write = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    const dependencies = Object.fromEntries(packages.map((name) => [name, '1.0.0']));
    await write('package.json', JSON.stringify({ name: 'breach', type: 'module', dependencies }));
    await write('tsconfig.json', '{ "compilerOptions": { "module": "nodenext" } }');
    for (const name of packages) {
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
    await write('lib/flow/one.ts', `import type {} from './two.js';`);
    await write('lib/flow/two.ts', `import type {} from './one.js';`);
    await write('lib/alone.ts', 'export {};');
    const { summary } = await cruise(folder);
    violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it.each(roomNames)('is found in %s: it sees its own row and nothing else', (name) => {
    const { sees, packages: uses }: { sees: readonly string[]; packages: readonly string[] } = rooms[name];
    const rule = new RegExp(`^${name}-(sees|uses)-`);
    const found = violations.filter((line) => rule.test(line)).map((line) => line.split(' -> ')[1] ?? '');
    const forbidden = [
      ...roomNames.filter((other) => other !== name && !sees.includes(other)).map((other) => fileOf[other]),
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

  it('is found where flow/ is entered by another file than its door', () => {
    const found = violations.filter((line) => line.startsWith('flow-has-one-door'));
    expect(found).toContain('flow-has-one-door: lib/http/routes/breach.ts -> lib/flow/breach.ts');
    expect(found).toHaveLength(roomNames.length - 1);
  });

  it('is found where jose is imported by another file than its door', () => {
    const found = violations.filter((line) => line.startsWith('jose-has-one-door'));
    expect(found).toContain('jose-has-one-door: lib/dev/sandbox/breach.ts -> node_modules/jose/index.js');
    expect(found).toHaveLength(roomNames.length);
  });

  it('is found where a file belongs to nothing', () => {
    expect(violations).toContain('no-orphan: lib/alone.ts -> lib/alone.ts');
    expect(roomsOf('lib/alone.ts')).toEqual([]);
  });

  it('is not seen in a use of node: it is free everywhere', () => {
    expect(violations.filter((line) => line.endsWith('crypto'))).toEqual([]);
  });
});

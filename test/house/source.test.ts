import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

interface Source {
  readonly path: string;
  readonly text: string;
}

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') }));
}

const lib = sourcesIn('lib');
const all = [...lib, ...sourcesIn('test')];

/** The lines that a pattern finds, by file and number. */
const found = (sources: readonly Source[], pattern: RegExp): string[] =>
  sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])),
  );

const filesWith = (sources: readonly Source[], pattern: RegExp): string[] => [
  ...new Set(found(sources, pattern).map((place) => place.replace(/:\d+$/, ''))),
];

/** Awaits that a module would make everybody wait for: `require()` refuses such a module. */
function topLevelAwaits({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined)) {
      places.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places;
}

// Built from parts, so that this file does not find itself.
const word = (...parts: string[]): string => parts.join('');

describe('a file of lib', () => {
  it('is there to be judged', () => {
    expect(lib.map(({ path }) => path)).toContain('lib/verify/sd-jwt/check-sd-jwt.ts');
  });

  it('reads the mode only in resolve.ts, and where a developer is helped', () => {
    const reads = filesWith(lib, /'development'|\b(config|options|settings|app)\.mode\b|\bNODE_ENV\b.*===/);
    const where = reads.filter((path) => !path.startsWith('lib/dev/'));
    expect(where.toSorted()).toEqual(['lib/http/help/create-help.ts', 'lib/options/resolve.ts']);
  });

  it("reads the environment only in resolve.ts; what runs on a developer's machine may too", () => {
    const reads = filesWith(lib, /\bprocess\s*(\?\.|\.|\[)\s*['"]?env\b|from 'node:process'|from 'process'/);
    expect(reads).toContain('lib/options/resolve.ts');
    expect(reads.filter((path) => path !== 'lib/options/resolve.ts' && !path.startsWith('lib/dev/'))).toEqual(
      [],
    );
  });

  it('knows of the sandbox, outside of dev/, what is on a closed list', () => {
    const names = lib
      .filter(({ path }) => !path.startsWith('lib/dev/') && path !== 'lib/options/development.ts')
      .flatMap(({ text }) => text.replaceAll(/\/\*\*[^]*?\*\/|\/\/ .*/g, '').match(/\w*sandbox\w*/gi) ?? []);
    expect([...new Set(names)].toSorted()).toEqual([
      'allowSandbox', // the option
      'isSandbox', // enters the digest of a question
      'refuseSandbox', // refuses a marked trust entry
      'sandbox', // `result.sandbox`, and the notice on pages
      'sandboxIssuer', // the name of the test environment
      'sandboxIssuers', // the issuers whose entry bears the mark
      'sandboxIssuersOf',
      'sandboxOf', // the address of a registered one, in development
      'sandboxUrl', // the same, where messages link its pages
      'takesSandbox', // NODE_ENV allows one
    ]);
  });

  it('waits for nothing while it loads, so that CommonJS can require it', () => {
    const required = lib.filter(({ path }) => path !== 'lib/dev/cli/preload.mjs'); // which node imports
    expect(required.flatMap(topLevelAwaits)).toEqual([]);
    expect(topLevelAwaits({ path: 'a.ts', text: '\nif (1) { await 1 }\nasync () => { await 2 }' })).toEqual([
      'a.ts:2',
    ]);
  });

  it('switches a rule off in one place: the request type that takes every route', () => {
    const off = new RegExp(word('(ox|es)lint', '-disable|@ts', '-(ignore|expect-error|nocheck)'));
    expect(filesWith(lib, off)).toEqual(['lib/options/result-types.ts']);
    expect(filesWith(lib, /[:<,=] ?any\b(?! )/)).toEqual(['lib/options/result-types.ts']);
  });

  it('asserts no type past the compiler', () => {
    expect(found(lib, /\bas unknown as\b/)).toEqual([]);
  });
});

describe('every file', () => {
  it('is counted by the coverage, whole', () => {
    const ignore = new RegExp(word('(istanbul|c8|v8|node:coverage)', ' (ignore|disable)'));
    expect(found(all, ignore)).toEqual([]);
  });

  it('leaves no note to come back', () => {
    expect(found(all, new RegExp(word('\\b(TO', 'DO|FIX', 'ME|XX', 'X|HA', 'CK)\\b')))).toEqual([]);
  });
});

import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { root } from '../support/root.js';

interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

const lib: readonly Source[] = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const text = readFileSync(join(root, 'lib', name), 'utf8');
    return { path: `lib/${name}`, text, lines: text.split('\n').length - 1 };
  });
const production = lib.filter(({ path }) => !path.startsWith('lib/dev/'));

/** The first folder under lib; within dev, the second. */
const layerOf = (path: string): string => {
  const [, first = '', second = ''] = path.split('/');
  return first === 'dev' ? `dev/${second}` : first;
};

/** What a module exports by declaring it: a name that is only passed on is no declaration. */
function exportedNames({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext);
  const names = file.statements.flatMap((statement) => {
    if (!ts.canHaveModifiers(statement)) return [];
    const modifiers = ts.getModifiers(statement) ?? [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? name.text : [],
      );
    }
    const { name } = statement as ts.DeclarationStatement;
    return name !== undefined && ts.isIdentifier(name) ? name.text : [];
  });
  return [...new Set(names)]; // overloads, and a type beside a value of the same file
}

function importsOf({ path, text }: Source): string[] {
  const named = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
  const relative = named.filter((name) => name.startsWith('.'));
  return [...new Set(relative.map((name) => join(dirname(path), name).replace(/js$/, 'ts')))];
}

/** The names with more than one place, and the places. */
function doubled(pairs: readonly (readonly [name: string, path: string])[]): string[] {
  const places = new Map<string, string[]>();
  for (const [name, path] of pairs) places.set(name, [...(places.get(name) ?? []), path]);
  return [...places].flatMap(([name, paths]) => (paths.length > 1 ? [`${name}: ${paths.join(', ')}`] : []));
}

describe('the shape of lib', () => {
  /** By file: the files of lib that it imports, types included. */
  const imports = new Map(lib.map((source) => [source.path, importsOf(source)]));

  const importersOf = (path: string): string[] =>
    [...imports].flatMap(([source, seen]) => (seen.includes(path) ? [source] : []));

  it('without dev/ is at most 124 files and 13,400 lines', () => {
    expect(production.length).toBeGreaterThan(60);
    expect(production.length).toBeLessThanOrEqual(124);
    expect(production.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(13_400);
  });

  it('flow/ is at most 14 files, 50 imports and 9 levels', () => {
    const flow = [...imports].filter(([path]) => path.startsWith('lib/flow/'));
    const within = new Map(
      flow.map(([path, seen]) => [path, seen.filter((other) => dirname(other) === 'lib/flow')]),
    );
    const levelOf = (path: string): number =>
      1 + Math.max(0, ...(within.get(path) ?? []).map((below) => levelOf(below)));
    expect(within.size).toBeGreaterThan(5);
    expect(within.size).toBeLessThanOrEqual(14);
    expect([...within.values()].flat().length).toBeLessThanOrEqual(50);
    expect(levelOf('lib/flow/flow.ts')).toBeLessThanOrEqual(9);
  });

  it('no file under 60 lines has a sibling as its only importer, a front or a step apart', () => {
    const crumbs = production.flatMap(({ path, lines }) => {
      const [importer, ...others] = importersOf(path);
      const isSibling = importer !== undefined && dirname(importer) === dirname(path);
      return lines < 60 && others.length === 0 && isSibling && !steps.test(path) ? [path] : [];
    });
    expect(crumbs).toEqual([]);
  });

  it('no two exported declarations have one name', () => {
    const pairs = lib.flatMap((source) => exportedNames(source).map((name) => [name, source.path] as const));
    expect(pairs.length).toBeGreaterThan(300);
    expect(doubled(pairs)).toEqual([]);
  });

  it('no file name is there twice within a layer', () => {
    const pairs = lib.map(({ path }) => [`${layerOf(path)}: ${basename(path)}`, path] as const);
    expect(doubled(pairs)).toEqual([]);
  });
});

/** One file each, however short: a step of the flow, a route, what a layer shows to others. */
const steps = /^lib\/(flow\/(start|callback|return)|http\/(start|callback|return|status|guard)|index)\.ts$/;

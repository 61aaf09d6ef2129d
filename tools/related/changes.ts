import { posix } from 'node:path';
import { type Module, type Part, partsOf } from './parts.mjs';

/** Sources, by their path from the root of the project. */
export interface Sources {
  /** All files of lib and test that TypeScript or Node reads. */
  readonly files: readonly string[];
  /** As it is now; undefined where there is none. */
  now(file: string): string | undefined;
  /** As it was where the comparison begins. */
  before(file: string): string | undefined;
}

/** A function of lib whose tests are wanted, and why. */
export interface Touched {
  readonly file: string;
  readonly name: string;
  /** The text that it has now, and the one that it had; undefined where there is none. */
  readonly now: string | undefined;
  readonly before: string | undefined;
  /** What else was changed, where the function itself was not: it uses that. */
  readonly via?: string;
}

export interface Changes {
  readonly touched: readonly Touched[];
  /** Test files and other files that import what was changed at the top of a module. */
  readonly readers: ReadonlyMap<string, string>;
  /** Files of lib in which something was changed that no function uses. */
  readonly unused: ReadonlyMap<string, string>;
}

const nothing: Module = { parts: [], imports: [], reexports: [] };

const isSource = (file: string): boolean => /\.(ts|mjs)$/.test(file);

/**
 * The functions that were changed, added or taken away in these files of lib, and those that use what was changed
 * outside of functions: a table or a constant says nothing of who executes it.
 */
export function changesIn(changed: readonly string[], sources: Sources): Changes {
  const modules = new Map<string, Module>();
  const touched = new Map<string, Touched>();
  const readers = new Map<string, string>();
  const unused = new Map<string, string>();
  const spread = new Set<string>();

  for (const file of changed) {
    const [before, now] = [read(sources.before(file)), moduleOf(file)];
    const [old, its] = [byName(before), byName(now)];
    for (const name of new Set([...its.keys(), ...old.keys()])) {
      const [part, was] = [its.get(name), old.get(name)];
      const any = part ?? was;
      if (any === undefined || part?.text === was?.text) continue;
      if (!any.isFunction) {
        follow(file, any);
        continue;
      }
      add(file, name, part, was);
      for (const own of any.declares) spreadOutcome(file, own);
    }
    for (const { local, imported, from } of changedImports(before, now)) {
      usesOf(file, local, `${imported === '*' ? from : imported}, which ${file} imports`);
    }
  }
  return { touched: [...touched.values()], readers, unused };

  function read(source: string | undefined): Module {
    return source === undefined ? nothing : partsOf(source);
  }

  function moduleOf(file: string): Module {
    const known = modules.get(file) ?? read(sources.now(file));
    modules.set(file, known);
    return known;
  }

  function add(file: string, name: string, now?: Part, before?: Part, via?: string): void {
    const key = `${file} ${name}`;
    if (via !== undefined && touched.has(key)) return;
    touched.set(key, {
      file,
      name,
      now: now?.text,
      before: before?.text,
      ...(via !== undefined && { via }),
    });
  }

  /** A part that is no function: whoever uses what it declares is touched. */
  function follow(file: string, { name, declares }: Part): void {
    const count = touched.size + readers.size;
    const via = `${declares.join(', ') || name} of ${file}`;
    for (const own of declares) spreadName(file, own, via);
    if (touched.size + readers.size === count) unused.set(file, via);
  }

  function spreadName(file: string, name: string, via: string): void {
    if (spread.has(`${file} ${name}`)) return;
    spread.add(`${file} ${name}`);
    usesOf(file, name, via);
    for (const [other, mention] of importersOf(file, name)) usesOf(other, mention, via);
  }

  function usesOf(file: string, mention: string, via: string): void {
    if (!file.startsWith('lib/')) {
      readers.set(file, via);
      return;
    }
    for (const part of moduleOf(file).parts) {
      if (!mentions(part, mention) || part.declares.includes(mention)) continue;
      if (part.isFunction) add(file, part.name, part, part, via);
      else for (const name of part.declares) spreadName(file, name, via);
    }
  }

  /**
   * What is called at the top of a module is executed by everybody who loads it: those who use what it made there say
   * more.
   */
  function spreadOutcome(file: string, name: string): void {
    const places: (readonly [string, string])[] = [[file, name], ...importersOf(file, name)];
    for (const [other, mention] of places) {
      if (!other.startsWith('lib/')) continue;
      for (const part of moduleOf(other).parts) {
        if (part.isFunction || !mentions(part, mention, ' (')) continue;
        for (const own of part.declares) spreadName(other, own, `${own} of ${other}`);
      }
    }
  }

  /** Who imports a name of a file, through others that pass it on too, and how a part mentions it there. */
  function importersOf(file: string, name: string, seen = new Set<string>()): [string, string][] {
    if (seen.has(`${file} ${name}`)) return [];
    seen.add(`${file} ${name}`);
    const base = posix.basename(file).replace(/\.ts$/, '.js');
    const found: [string, string][] = [];
    for (const other of sources.files) {
      const source = isSource(other) && other !== file ? sources.now(other) : undefined;
      if (source === undefined || !source.includes(`/${base}'`)) continue;
      const { imports, reexports } = moduleOf(other);
      for (const { local, imported, from } of imports) {
        if (resolved(other, from) !== file) continue;
        if (imported === name) found.push([other, local]);
        else if (imported === '*') found.push([other, `${local} . ${name}`]);
      }
      for (const { imported, exported, from } of reexports) {
        if (from === '' || resolved(other, from) !== file) continue;
        if (imported === name || imported === '*')
          found.push(...importersOf(other, exported === '*' ? name : exported, seen));
      }
    }
    return found;
  }
}

/** Whether a part has a name, or a member of a module such as `v . optional`, and what may have to follow it. */
function mentions({ uses, text }: Part, mention: string, next = ''): boolean {
  const [first = ''] = mention.split(' ');
  const isName = first === mention && next === '';
  return uses.has(first) && (isName || ` ${text} `.includes(` ${mention}${next} `));
}

/** The file that an import names. */
function resolved(file: string, from: string): string {
  const path = posix.join(posix.dirname(file), from);
  return from.startsWith('.') ? path.replace(/\.js$/, '.ts') : from;
}

const byName = ({ parts }: Module): Map<string, Part> => new Map(parts.map((part) => [part.name, part]));

function changedImports(before: Module, now: Module): Module['imports'] {
  const text = ({ local, imported, from }: Module['imports'][number]): string =>
    `${local} ${imported} ${from}`;
  const old = new Set(before.imports.map(text));
  const names = new Set(before.imports.map(({ local }) => local));
  // One that was added is used by what was changed too, and one that only moved is the same for whoever uses it.
  return now.imports.filter((one) => names.has(one.local) && !old.has(text(one)));
}

/** The test files that load one of these helpers, directly or through others. */
export function loadersOf(helpers: ReadonlySet<string>, sources: Sources): string[] {
  const links = new Map<string, readonly string[]>();
  const froms = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
  for (const file of sources.files) {
    const source = isSource(file) ? sources.now(file) : undefined;
    if (source !== undefined)
      links.set(
        file,
        [...source.matchAll(froms)].map(([, from = '']) => resolved(file, from)),
      );
  }
  const loading = new Set(helpers);
  for (let size = 0; size !== loading.size;) {
    size = loading.size;
    for (const [file, imports] of links) if (imports.some((one) => loading.has(one))) loading.add(file);
  }
  return [...loading].filter((file) => file.endsWith('.test.ts')).toSorted();
}

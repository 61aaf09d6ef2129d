import { posix } from 'node:path';
import type { Touched } from './changes.js';
import type { ExecutedMap, PartRan } from './map.js';
import { digest } from './parts.mjs';

/** A test file, and why it may see the change. */
export interface Chosen {
  readonly file: string;
  readonly why: string;
}

export interface Selection {
  readonly run: readonly Chosen[];
  /** What may see the change too, from the likeliest on, beyond the number that was asked for. */
  readonly left: readonly Chosen[];
  /** Functions that the map does not know, or not as they were or are. */
  readonly unknown: readonly Touched[];
  /** Functions that no test file executed when the map was made. */
  readonly untested: readonly Touched[];
}

export interface Wanted {
  /** What runs in any case. */
  readonly first: readonly Chosen[];
  /** Others that may see something, the likeliest first. */
  readonly lists: readonly (readonly Chosen[])[];
  /** How many test files to run. */
  readonly most: number;
}

/**
 * Chooses test files. Those in `first` come first, in their order. Then each touched function in turn names the likeliest
 * of those that execute it, so that many changes share the number fairly; functions that only use what was changed come
 * after those that were changed.
 */
export function select(
  touched: readonly Touched[],
  map: ExecutedMap | undefined,
  tests: readonly string[],
  { first, lists, most }: Wanted,
): Selection {
  const unknown: Touched[] = [];
  const untested: Touched[] = [];
  const [own, users]: [(readonly Chosen[])[], (readonly Chosen[])[]] = [[], [...lists]];
  for (const part of touched) {
    const ran = map?.files[part.file]?.functions[part.name];
    const isKnown =
      ran !== undefined &&
      [part.now, part.before].some((text) => text !== undefined && digest(text) === ran.text);
    const list = map === undefined || ran === undefined ? [] : likeliest(part, ran, map);
    if (!isKnown) {
      // The body of a function that is gone is in another one now, which is touched too.
      if (part.now !== undefined || ran === undefined) unknown.push(part);
      list.push(...ofFolder(part.file, map, tests));
    } else if (list.length === 0 && part.via === undefined) untested.push(part);
    (part.via === undefined ? own : users).push(list);
  }
  const existing = new Set(tests);
  const all = new Map<string, Chosen>();
  for (const chosen of [...first, ...inTurn(own), ...inTurn(users)]) {
    if (existing.has(chosen.file) && !all.has(chosen.file)) all.set(chosen.file, chosen);
  }
  const ordered = [...all.values()];
  const count = Math.max(most, first.length);
  return { run: ordered.slice(0, count), left: ordered.slice(count), unknown, untested };
}

/**
 * The test files that executed a function, the likeliest to see a fault in it first: those that go where few others go, and those
 * whose own subject it is.
 */
function likeliest(part: Touched, { ran, arms }: PartRan, map: ExecutedMap): Chosen[] {
  const rarity = new Map(ran.map((test) => [test, 1 / ran.length]));
  for (const arm of arms) {
    for (const test of arm) rarity.set(test, (rarity.get(test) ?? 0) + 1 / arm.length);
  }
  const most = Math.max(...rarity.values());
  const scored = [...rarity].flatMap(([test, rare]) => {
    const file = map.tests[test]?.file;
    return file === undefined ? [] : [{ file, score: rare / most + nearness(part.file, file) }];
  });
  const why = `executes ${part.name} of ${part.file}${part.via === undefined ? '' : ` (which uses ${part.via})`}`;
  return scored.toSorted((one, other) => other.score - one.score).map(({ file }) => ({ file, why }));
}

/** How much the path of a test says that it is about a file: 1 for `test/a/b.test.ts` of `lib/a/b.ts`, half of it for its folder. */
export function nearness(file: string, test: string): number {
  const [its, tests] = [
    file.replace(/^lib\/|\.ts$/g, '').split('/'),
    test.replace(/^test\/|\.test\.ts$/g, '').split('/'),
  ];
  let same = 0;
  while (same < its.length && its[same] === tests[same]) same += 1;
  if (same === its.length) return 1;
  return same === 0 ? 0 : (0.5 * same) / (its.length - 1);
}

/** The test files of the nearest folder that mirrors that of a file of lib: those first that go through most of it. */
function ofFolder(file: string, map: ExecutedMap | undefined, tests: readonly string[]): Chosen[] {
  const counts = new Map<string, number>();
  for (const { ran } of Object.values(map?.files[file]?.functions ?? {})) {
    for (const test of ran) {
      const name = map?.tests[test]?.file ?? '';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const own = file.replace(/^lib\//, 'test/').replace(/\.ts$/, '.test.ts');
  if (posix.dirname(file) === 'lib' && tests.includes(own))
    return [{ file: own, why: `is the test of ${file}` }];
  const value = (test: string): number => nearness(file, test) * 1_000 + (counts.get(test) ?? 0);
  for (
    let folder = posix.dirname(file).replace(/^lib/, 'test');
    folder !== '.';
    folder = posix.dirname(folder)
  ) {
    const found = tests.filter((test) => test.startsWith(`${folder}/`));
    if (folder === 'test' || found.length === 0) continue;
    return found
      .toSorted((one, other) => value(other) - value(one))
      .map((test) => ({ file: test, why: `is in ${folder}, the folder of ${file}` }));
  }
  return [];
}

/** The first of each list, then the second of each, and so on. */
function inTurn(lists: readonly (readonly Chosen[])[]): Chosen[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

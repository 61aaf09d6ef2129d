import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { titlesIn } from '../support/titles.mjs';

const root = new URL('../../', import.meta.url);
/** A check's number; an F is a fault of test/faults/INDEX.md. */
const number = /^[A-EG-Z]\d\d\b/;
const noTest = 'NO TEST';

/** The numbers that docs/checks.md lists, and those of them that it puts off. */
export function listedChecks(): { readonly now: readonly string[]; readonly later: readonly string[] } {
  const [now = '', later = ''] = readFileSync(new URL('docs/checks.md', root), 'utf8').split('## Later');
  const numbersIn = (part: string) =>
    [...part.matchAll(/^- ([A-Z]\d\d) \S/gm)].map(([, found = '']) => found);
  return { now: numbersIn(now), later: numbersIn(later) };
}

/** For each number that no refusal names, the numbers that its line in docs/checks.md gives instead, if any. */
export function answeredElsewhere(): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(new URL('docs/checks.md', root), 'utf8').replaceAll(/\n {2}/g, ' ');
  const lines = [...text.matchAll(/^- ([A-Z]\d\d) .*?(Refused as .*|Refuses nothing\.)$/gm)];
  return new Map(lines.map(([, check = '', why = '']) => [check, why.match(/\b[A-Z]\d\d\b/g) ?? []]));
}

/** The names of the tests in test/presentation that begin with a number. */
export function numberedTests(): readonly string[] {
  const folder = new URL('test/presentation/', root);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.test.ts'),
  );
  return files.flatMap((file) => namesIn(file, readFileSync(new URL(file, folder), 'utf8')));
}

/** The names of the tests in a source that begin with a number. A group is no test. */
export function namesIn(file: string, source: string): string[] {
  return titlesIn(file, source)
    .filter(({ group, text }) => !group && number.test(text))
    .map(({ text }) => text);
}

/** The numbers that the code refuses with. */
export function refusingChecks(): readonly string[] {
  const folder = new URL('lib/presentation/', root);
  const files = readdirSync(folder, { recursive: true }).map(String);
  const sources = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));
  return [...new Set(sources.flatMap((source) => source.match(/(?<=')[A-Z]\d\d(?=')/g) ?? []))].toSorted();
}

/** The map as a text, a line for each number. */
export function printedMap(): string {
  const tests = numberedTests();
  const { now, later } = listedChecks();
  const lines = now.map((check) => {
    const names = tests.filter((name) => name.startsWith(check));
    const more = names.length > 1 ? ` (and ${String(names.length - 1)} more)` : '';
    return `${check}  ${names[0] ?? noTest}${more}`;
  });
  return [...lines, ...later.map((check) => `${check}  later`)].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const map = printedMap();
  console.log(map);
  if (map.includes(noTest)) process.exitCode = 1;
}

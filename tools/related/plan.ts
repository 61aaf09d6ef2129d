import { changesIn, loadersOf, type Sources, type Touched } from './changes.js';
import { type ExecutedMap, mapFile } from './map.js';
import { digest } from './parts.mjs';
import { type Chosen, select, type Selection } from './select.js';

/** What `npm test` runs, as jest.config.mjs says it. */
export interface Project {
  readonly testMatch: readonly string[];
  readonly testPathIgnorePatterns?: readonly string[];
}

export interface Plan extends Selection {
  readonly changed: readonly string[];
  /** When the map was made; undefined where there is none. */
  readonly made: string | undefined;
  /** Test files that the map does not know as they are, and that are not run. */
  readonly old: readonly string[];
  /** Test files that were changed, and of which `npm test` runs nothing. */
  readonly deep: readonly string[];
  /** Files that no quick test executes or loads, as far as this command can see. */
  readonly unseen: readonly string[];
  /** Files that every test file depends on. */
  readonly ofAll: readonly string[];
}

/** Whatever test runs, it runs with these. */
const ofAll =
  /^(package\.json|jest\.config\.mjs|test\/support\/(environment|reporter|services|services-teardown|servers|service)\.mjs)$/;

/** Test files that read sources of lib as text name the folder so. */
const readsLib = /['"`(]lib['/]/;

const isCode = (file: string): boolean => file.startsWith('lib/') && file.endsWith('.ts');

/** Says which test files are to run for these changed files. */
export function plan({
  changed,
  sources,
  map,
  projects,
  most,
}: {
  readonly changed: readonly string[];
  readonly sources: Sources;
  readonly map: ExecutedMap | undefined;
  readonly projects: readonly Project[];
  readonly most: number;
}): Plan {
  const tests = sources.files.filter((file) => isQuick(file, projects));
  const isTest = new Set(tests);
  const { touched, readers, unused } = changesIn(changed.filter(isCode), sources);

  const first: Chosen[] = changed
    .filter((file) => isTest.has(file))
    .map((file) => ({ file, why: 'was changed' }));
  for (const [file, via] of readers) if (isTest.has(file)) first.push({ file, why: `imports ${via}` });
  const isOnlyLib = changed.every((file) => file.startsWith('lib/'));
  for (const file of tests.filter((test) => test.startsWith('test/house/'))) {
    if (!isOnlyLib) first.push({ file, why: 'reads documents, titles and sources' });
    else if (readsLib.test(sources.now(file) ?? '')) first.push({ file, why: 'reads the sources of lib' });
  }

  const unseen: string[] = [];
  const deep: string[] = [];
  const loaders: Chosen[][] = [];
  for (const file of changed) {
    if (isTest.has(file) || isCode(file) || ofAll.test(file) || /\.(md|txt|json|svg|webp)$/.test(file))
      continue;
    if (file.endsWith('.test.ts')) {
      if (sources.now(file) !== undefined) deep.push(file);
      continue;
    }
    const found = loadersOf(new Set([file]), sources).filter((test) => isTest.has(test));
    if (found.length === 0) unseen.push(file);
    loaders.push(found.map((test) => ({ file: test, why: `loads ${file}` })));
  }
  for (const [file, via] of unused) {
    const loaded = (map?.files[file]?.loaded ?? []).flatMap((test) => map?.tests[test]?.file ?? []);
    if (loaded.length === 0) unseen.push(file);
    loaders.push(loaded.map((test) => ({ file: test, why: `loads ${via}, which no function uses` })));
  }

  const selection = select(touched, map, tests, { first: unique(first), lists: loaders, most });
  const running = new Set([...selection.run, ...selection.left].map(({ file }) => file));
  const known = new Map(map?.tests.map((test) => [test.file, test]));
  const old = tests.filter((file) => {
    const its = known.get(file);
    return !running.has(file) && !(its?.passed === true && its.text === digest(sources.now(file) ?? ''));
  });
  return {
    ...selection,
    changed,
    made: map?.made,
    old: map === undefined ? [] : old.toSorted(),
    deep,
    unseen,
    ofAll: changed.filter((file) => ofAll.test(file)),
  };
}

const unique = (list: readonly Chosen[]): Chosen[] => [
  ...new Map(list.map((one) => [one.file, one])).values(),
];

/** Whether `npm test` runs it. Of the marks of jest's globs, jest.config.mjs uses `*` and a folder's `**`. */
export function isQuick(file: string, projects: readonly Project[]): boolean {
  return projects.some(
    ({ testMatch, testPathIgnorePatterns = [] }) =>
      testMatch.some((glob) => matcher(glob).test(file)) &&
      !testPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(`/${file}`)),
  );
}

const matcher = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replace('<rootDir>/', '')
      .replaceAll('.', '\\.')
      .replaceAll(/\*\*\/|\*/g, (mark) => (mark === '*' ? '[^/]*' : '(.*/)?'))}$`,
  );

/** What will run and why, then all that the command does not know. */
export function report(planned: Plan, since: string): string {
  const { changed, run, left, made, deep, unseen } = planned;
  const parts = [
    `${count(changed.length, 'file')} changed since ${since}.`,
    run.length === 0
      ? 'No test file of npm test is known to see that.'
      : `${count(run.length, 'test file')} to run:`,
    ...run.map(({ file, why }) => `  ${file}: ${why}`),
    ...(planned.ofAll.length > 0 ? [`Every test depends on ${planned.ofAll.join(', ')}: run npm test.`] : []),
    ...(left.length > 0
      ? [
          `${count(left.length, 'more test file')} may see it too, less likely: --most ${run.length + left.length} runs them as well.`,
        ]
      : []),
    ...(made === undefined
      ? [
          `There is no map of what each test file executes, so the folders were taken: npm test -- --coverage makes it (${mapFile}).`,
        ]
      : [`The map of what each test file executes was made at ${made}; npm test -- --coverage renews it.`]),
    ...(made === undefined ? [] : ofMap(planned)),
    ...named('Deep tests were changed: npm run test:deep --', deep),
    ...named('Nothing is known of who depends on', unseen),
    'Not looked at: deep tests (npm run test:deep) and types (npm run typecheck).',
  ];
  return `${parts.join('\n')}\n`;
}

/** What the map does not know. */
const ofMap = ({ unknown, untested, old }: Plan): string[] => [
  ...named('It does not know, or not as they are now, so their folders were added', unknown.map(nameOf)),
  ...named('No test file of npm test executes', untested.map(nameOf)),
  ...named('Not run, and the map does not know what they execute now', old),
];

const nameOf = ({ file, name }: Touched): string => `${name} of ${file}`;

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** A line with a few names; none where there are no names. */
function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const rest = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return [`${what}: ${names.slice(0, 5).join(', ')}${rest}`];
}

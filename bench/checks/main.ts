/**
 * Is each numbered check tested? Runs the numbered tests of test/verify without the check that their names begin
 * with (for a check that others refuse for, without those), then without one place after the other that refuses with
 * the number. A test with the number in its name must fail each time.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { checks } from '../../lib/verify/checks.js';
import { placeOf, refusals } from './switchable.mjs';

interface Outcome {
  readonly number: string;
  readonly test: string;
  readonly failed: boolean;
  readonly refused: readonly string[];
}

type OffFor = ReadonlyMap<string, readonly string[]>;

const root = fileURLToPath(new URL('../../', import.meta.url));
const presentation = join(root, 'lib/verify/');
const outcomesFile = join(mkdtempSync(join(tmpdir(), 'pidgate-checks-')), 'outcomes');
const say = (line: string) => stdout.write(`${line}\n`);

/** Runs the tests of these numbers, each without what is off for its number. */
function run(offFor: OffFor): readonly Outcome[] {
  writeFileSync(outcomesFile, '');
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'bench/checks/jest.config.mjs'];
  spawnSync(execPath, ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...jest], {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, OFF_FOR: JSON.stringify(Object.fromEntries(offFor)), OUTCOMES: outcomesFile },
  });
  const lines = readFileSync(outcomesFile, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Outcome);
}

/** The numbers of which no test fails. */
function unnoticed(offFor: OffFor): readonly string[] {
  const noticed = new Set(run(offFor).flatMap(({ number, failed }) => (failed ? [number] : [])));
  return [...offFor.keys()].filter((number) => !noticed.has(number));
}

const whole: OffFor = new Map(
  Object.entries(checks).flatMap(([number, entry]): [string, readonly string[]][] => {
    if (typeof entry === 'string') return [[number, [number]]];
    return entry.refusedAs.length > 0 ? [[number, entry.refusedAs]] : [];
  }),
);

const withAll = run(new Map([...whole.keys()].map((number) => [number, []])));
const wrong = withAll.filter(({ failed }) => failed);
say(`${withAll.length} numbered tests, ${wrong.length} fail with every check`);

const missed = unnoticed(whole);
say(`${whole.size - missed.length} of ${whole.size} checks noticed: ${missed.join(', ') || 'all'}`);

/** Where tests with the number in their name are refused with it. */
const refusedAt = new Set(withAll.flatMap(({ refused }) => refused));
const written = readdirSync(presentation, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
  const source = file.endsWith('.ts') ? readFileSync(join(presentation, file), 'utf8') : '';
  return [...source.matchAll(refusals)].flatMap(({ groups, index }) => {
    const check = groups?.['check']?.replaceAll("'", '') ?? '';
    return check in checks ? [`${check} ${placeOf(presentation + file, source.slice(0, index))}`] : [];
  });
});
const never = written.filter((place) => !refusedAt.has(place));
say(
  `${written.length} places, of which no test with the number is refused at: ${never.join(', ') || 'none'}`,
);

const placesOf = (number: string) => [...refusedAt].filter((place) => place.startsWith(`${number} `));
const places = new Map([...whole.keys()].map((number) => [number, placesOf(number)]));
const spared: string[] = [];
for (let at = 0; [...places.values()].some((those) => those.length > at); at += 1) {
  const these = new Map([...places].flatMap(([number, those]) => (those[at] ? [[number, [those[at]]]] : [])));
  spared.push(...unnoticed(these).map((number) => String(these.get(number))));
}
say(`${refusedAt.size - spared.length} of ${refusedAt.size} places noticed`);
say(`Without one of these, the next one refuses with its number: ${spared.join(', ') || 'none'}`);
process.exitCode = wrong.length + missed.length + never.length === 0 ? 0 : 1;

/**
 * Is each numbered check tested? Runs the numbered tests of test/presentation, each without the check that its name
 * begins with (for a check that others refuse for, without those): one of them must fail. Lists the numbers for which
 * none does.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { checks } from '../../lib/presentation/checks.js';

interface Outcome {
  readonly number: string;
  readonly test: string;
  readonly hasFailed: boolean;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const outcomesFile = join(mkdtempSync(join(tmpdir(), 'pidgate-checks-')), 'outcomes');

const refusing = Object.entries(checks).flatMap(([number, entry]): [string, readonly string[]][] => {
  if (typeof entry === 'string') return [[number, [number]]];
  return 'refusedAs' in entry ? [[number, entry.refusedAs]] : [];
});

writeFileSync(outcomesFile, '');
const jest = ['node_modules/jest/bin/jest.js', '--config', 'bench/checks/jest.config.mjs'];
spawnSync(execPath, ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', ...jest], {
  cwd: root,
  stdio: 'inherit',
  env: { ...env, SWITCHED_OFF_FOR: JSON.stringify(Object.fromEntries(refusing)), OUTCOMES: outcomesFile },
});

const lines = readFileSync(outcomesFile, 'utf8').trim().split('\n');
const outcomes = lines.map((line) => JSON.parse(line) as Outcome);
const unnoticed = refusing.filter(
  ([number]) => !outcomes.some((outcome) => outcome.number === number && outcome.hasFailed),
);
for (const [number, switchedOff] of unnoticed) {
  const tests = outcomes.filter((outcome) => outcome.number === number).map(({ test }) => `\n  ${test}`);
  stdout.write(
    `${number}, without ${switchedOff.join(', ')}: no test fails of${tests.join('') || ' none'}\n`,
  );
}
stdout.write(
  `${outcomes.length} tests, ${refusing.length - unnoticed.length} of ${refusing.length} numbers noticed\n`,
);
process.exitCode = unnoticed.length === 0 ? 0 : 1;

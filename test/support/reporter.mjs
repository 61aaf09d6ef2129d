import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import process, { env, stderr } from 'node:process';
import { numbersOf } from '../faults/promises.mjs';
import { missingServers } from './servers.mjs';

/**
 * @typedef {object} FileResult
 * @property {readonly { readonly status: string; readonly title: string; readonly ancestorTitles: readonly string[]; readonly duration?: number | null }[]} testResults
 *
 * @typedef {object} Totals
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numTotalTests
 * @property {number} numPassedTestSuites
 * @property {number} numFailedTestSuites
 * @property {number} numTotalTestSuites
 *
 * @typedef {object} Options
 * @property {string} [name] of this run, in the closing lines
 * @property {number} [slowMs] a test that takes longer is named
 * @property {string} [elsewhere] the suites that are not part of this run, and the command that runs them
 */

/**
 * Names the tests that took too long, and says in the last line what was left out, why, and how to run it. PIDGATE_FORBID_SKIP=1 makes a skipped test a
 * failure; PIDGATE_TEST_SUMMARY names a file that gets the closing lines. The numbers of the tests that have passed go
 * into `test-results/passed`, where test/faults/promises.mjs compares them with what is promised.
 */
export default class Reporter {
  /** @type {Map<string, number>} */
  #skipped = new Map();
  /** @type {Set<string>} */
  #passed = new Set();
  /** @type {string[]} */
  #slow = [];
  /** @type {string} */
  #passedFile;
  /** @type {Options} */
  #options;
  /** With `-t`, jest calls what was not asked for skipped. */
  #isFiltered;

  /**
   * @param {{ rootDir: string, testNamePattern?: string }} config
   * @param {Options} [options]
   */
  constructor({ rootDir, testNamePattern = '' }, options = {}) {
    this.#options = options;
    this.#isFiltered = testNamePattern !== '';
    const { name = 'tests' } = options;
    this.#passedFile = join(rootDir, 'test-results/passed', `${name.replaceAll(/\W+/g, '-')}.json`);
  }

  onRunStart() {
    rmSync(this.#passedFile, { force: true });
  }

  /**
   * @param {{ context: { config: { displayName?: { name: string } } } }} test
   * @param {FileResult} result
   */
  onTestFileResult(test, { testResults }) {
    const { slowMs = Infinity } = this.#options;
    for (const { status, ancestorTitles, title, duration } of testResults) {
      if (status !== 'passed') continue;
      if ((duration ?? 0) > slowMs)
        this.#slow.push(`${duration} ms: ${[...ancestorTitles, title].join(' › ')}`);
      for (const number of [...ancestorTitles, title].flatMap(numbersOf)) this.#passed.add(number);
    }
    const skipped = testResults.filter(({ status }) => status === 'pending' || status === 'todo').length;
    if (skipped === 0 || this.#isFiltered) return;
    const name = test.context.config.displayName?.name ?? 'tests';
    this.#skipped.set(name, (this.#skipped.get(name) ?? 0) + skipped);
  }

  /**
   * @param {unknown} _contexts
   * @param {Totals} totals
   */
  onRunComplete(_contexts, totals) {
    mkdirSync(dirname(this.#passedFile), { recursive: true });
    writeFileSync(this.#passedFile, JSON.stringify([...this.#passed].toSorted()));
    const { name = 'tests', elsewhere } = this.#options;
    const last = tooSlow(this.#slow) + leftOut(this.#skipped, elsewhere);
    process.once('exit', () => stderr.write(last)); // below what jest sums up
    const { numPassedTestSuites, numFailedTestSuites, numTotalTestSuites } = totals;
    const { numPassedTests, numFailedTests, numTotalTests } = totals;
    const skipped = [...this.#skipped.values()].reduce((sum, count) => sum + count, 0);
    const closing = [
      `${name}:`,
      `Test Suites: ${numFailedTestSuites} failed, ${numPassedTestSuites} passed, ${numTotalTestSuites} total`,
      `Tests:       ${numFailedTests} failed, ${skipped} skipped, ${numPassedTests} passed, ${numTotalTests} total`,
    ];
    const file = env['PIDGATE_TEST_SUMMARY'] ?? '';
    if (file === '') return;
    appendFileSync(file, closing.map((line) => `${line}\n`).join('') + leftOut(this.#skipped));
  }

  getLastError() {
    if (env['PIDGATE_FORBID_SKIP'] !== '1' || this.#skipped.size === 0) return undefined;
    return new Error('PIDGATE_FORBID_SKIP=1, and tests were skipped.');
  }
}

/**
 * Names the tests that took too long for `npm test`, and fails nothing; empty where another program kept the machine
 * busy, since the time says nothing then.
 * @param {readonly string[]} slow
 * @param {number} [load]
 */
export function tooSlow(slow, load = loadavg()[0] ?? 0) {
  if (slow.length === 0 || load > availableParallelism() + 1) return '';
  return `Too slow for npm test (CONTRIBUTING.md, "Quick and deep tests"):\n${slow.map((one) => `  ${one}\n`).join('')}`;
}

/**
 * One line; empty where nothing was left out.
 * @param {ReadonlyMap<string, number>} skipped how many tests of each project
 * @param {string} [elsewhere]
 */
export function leftOut(skipped, elsewhere) {
  const skips = [...skipped].map(([name, count]) => `${count} tests of "${name}" (${why(name)})`);
  const all = elsewhere === undefined ? skips : [...skips, elsewhere];
  return all.length === 0 ? '' : `Left out: ${all.join('; ')}\n`;
}

const chromium =
  'no Chromium on PATH (chromium-headless-shell, chromium, chromium-browser, google-chrome) and none named by PIDGATE_CHROMIUM; Debian: apt-get install chromium-headless-shell';

/** @param {string} name */
function why(name) {
  if (name === 'e2e' || name === 'pictures') return chromium;
  if (name === 'lab') return 'no openssl on PATH; Debian: apt-get install openssl';
  const missing = missingServers();
  const needsServers = name === 'stores' || name === 'deployment';
  return needsServers && missing.length > 0 ? missing.join('; ') : 'the output above names them';
}

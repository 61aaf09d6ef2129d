import { appendFileSync } from 'node:fs';
import { env, stderr } from 'node:process';

/**
 * @typedef {object} FileResult
 * @property {readonly { readonly status: string }[]} testResults
 *
 * @typedef {object} Totals
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numTotalTests
 * @property {number} numPassedTestSuites
 * @property {number} numFailedTestSuites
 * @property {number} numTotalTestSuites
 */

/**
 * Says at the end, in plain words, what was not run and why. PIDGATE_FORBID_SKIP=1 makes a skipped test a failure;
 * PIDGATE_TEST_SUMMARY names a file that gets the closing lines.
 */
export default class Reporter {
  /** @type {Map<string, number>} */
  #skipped = new Map();

  /**
   * @param {{ context: { config: { displayName?: { name: string } } } }} test
   * @param {FileResult} result
   */
  onTestFileResult(test, { testResults }) {
    const skipped = testResults.filter(({ status }) => status === 'pending' || status === 'todo').length;
    if (skipped === 0) return;
    const name = test.context.config.displayName?.name ?? 'tests';
    this.#skipped.set(name, (this.#skipped.get(name) ?? 0) + skipped);
  }

  /**
   * @param {unknown} _contexts
   * @param {Totals} totals
   */
  onRunComplete(_contexts, totals) {
    const lines = [...this.#skipped].map(([name, count]) => `Skipped ${count} of "${name}": ${why(name)}`);
    stderr.write(lines.map((line) => `${line}\n`).join(''));
    const { numPassedTestSuites, numFailedTestSuites, numTotalTestSuites } = totals;
    const { numPassedTests, numFailedTests, numTotalTests } = totals;
    const skipped = [...this.#skipped.values()].reduce((sum, count) => sum + count, 0);
    const closing = [
      ...lines,
      `Test Suites: ${numFailedTestSuites} failed, ${numPassedTestSuites} passed, ${numTotalTestSuites} total`,
      `Tests:       ${numFailedTests} failed, ${skipped} skipped, ${numPassedTests} passed, ${numTotalTests} total`,
    ];
    const file = env['PIDGATE_TEST_SUMMARY'] ?? '';
    if (file !== '') appendFileSync(file, closing.map((line) => `${line}\n`).join(''));
  }

  getLastError() {
    if (env['PIDGATE_FORBID_SKIP'] !== '1' || this.#skipped.size === 0) return undefined;
    return new Error('PIDGATE_FORBID_SKIP=1, and tests were skipped.');
  }
}

/** Set by services.ts: empty where it found no server to start. @type {readonly (readonly [string, string])[]} */
const servers = [
  [
    'PIDGATE_TEST_REDIS',
    'no redis-server on PATH and none named by PIDGATE_REDIS_SERVER (Debian: apt-get install redis-server)',
  ],
  [
    'PIDGATE_TEST_POSTGRES',
    'no initdb and postgres on PATH, in /usr/lib/postgresql or where PIDGATE_POSTGRES_BIN says (Debian: apt-get install postgresql)',
  ],
];

/** @param {string} name */
function why(name) {
  if (name === 'e2e') {
    return 'no Chromium on PATH (chromium, chromium-browser, google-chrome) and none named by PIDGATE_CHROMIUM.';
  }
  const missing = servers.filter(([variable]) => env[variable] === '').map(([, reason]) => reason);
  return name === 'stores' && missing.length > 0 ? `${missing.join('; ')}.` : 'the output above names them.';
}

import { appendFileSync } from 'node:fs';

/** Says at the end, in plain words, what was not run and why; CI forbids skipping with PIDGATE_FORBID_SKIP=1. */
export default class Reporter {
  #reasons = new Map();

  onTestFileResult(test, result) {
    const skipped = result.testResults.filter((it) => it.status === 'pending' || it.status === 'todo').length;
    if (skipped === 0) return;
    const name = test.context.config.displayName?.name ?? 'tests';
    this.#reasons.set(name, (this.#reasons.get(name) ?? 0) + skipped);
  }

  onRunComplete(_contexts, results) {
    const lines = [...this.#reasons].map(([name, count]) => `Skipped ${count} of "${name}": ${why(name)}`);
    const { numPassedTests, numFailedTests, numTotalTestSuites } = results;
    const skipped = [...this.#reasons.values()].reduce((sum, count) => sum + count, 0);
    lines.push(
      `pidgate: ${numPassedTests} tests passed, ${numFailedTests} failed, ${skipped} skipped, in ${numTotalTestSuites} files.`,
    );
    const text = `\n${lines.join('\n')}\n`;
    process.stderr.write(text);
    if (process.env.PIDGATE_TEST_SUMMARY) appendFileSync(process.env.PIDGATE_TEST_SUMMARY, text);
  }

  getLastError() {
    if (process.env.PIDGATE_FORBID_SKIP !== '1' || this.#reasons.size === 0) return undefined;
    return new Error('PIDGATE_FORBID_SKIP=1, and tests were skipped.');
  }
}

function why(name) {
  return name === 'e2e'
    ? 'no Chromium on PATH (chromium, chromium-browser, google-chrome) and none named by PIDGATE_CHROMIUM.'
    : 'see the names above.';
}

import { writeFileSync } from 'node:fs';
import { env } from 'node:process';

/** Writes the counts of each project, as JSON, to the file that PIDGATE_VERSIONS_COUNTS names. */
export default class Reporter {
  /** @type {Record<string, { passed: number, failed: number, skipped: number }>} */
  #counts = {};

  /**
   * @param {{ context: { config: { displayName?: { name: string } } } }} test
   * @param {{ testResults: readonly { status: string }[], testExecError?: unknown }} result
   */
  onTestFileResult(test, { testResults, testExecError }) {
    const name = test.context.config.displayName?.name ?? 'tests';
    const count = (this.#counts[name] ??= { passed: 0, failed: 0, skipped: 0 });
    if (testExecError !== undefined) count.failed += 1;
    for (const { status } of testResults) {
      if (status === 'passed') count.passed += 1;
      else if (status === 'failed') count.failed += 1;
      else count.skipped += 1;
    }
  }

  onRunComplete() {
    const file = env['PIDGATE_VERSIONS_COUNTS'] ?? '';
    if (file !== '') writeFileSync(file, JSON.stringify(this.#counts));
  }
}

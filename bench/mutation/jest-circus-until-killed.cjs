/**
 * jest-circus, but once a file killed the mutant the other files are passed over: Stryker cannot tell jest to bail,
 * and most mutants die in the first file.
 */
const { createRequire } = require('node:module');
const root = createRequire(`${process.cwd()}/package.json`);
const { default: circus } = createRequire(root.resolve('jest'))('jest-circus/runner');

let killed;

module.exports = async function untilKilled(globalConfig, config, environment, runtime, testPath, send) {
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  if (mutant !== undefined && killed === mutant) return passedOver(testPath);
  const result = await circus(globalConfig, config, environment, runtime, testPath, send);
  if (mutant !== undefined && (result.numFailingTests > 0 || result.testExecError)) killed = mutant;
  return result;
};

function passedOver(testFilePath) {
  const none = { numFailingTests: 0, numPassingTests: 0, numPendingTests: 0, numTodoTests: 0 };
  const snapshot = {
    added: 0,
    fileDeleted: false,
    matched: 0,
    unchecked: 0,
    uncheckedKeys: [],
    unmatched: 0,
    updated: 0,
  };
  const perfStats = {
    start: 0,
    end: 0,
    runtime: 0,
    slow: false,
    loadTestEnvironmentStart: 0,
    loadTestEnvironmentEnd: 0,
    setupFilesStart: 0,
    setupFilesEnd: 0,
  };
  return {
    ...none,
    leaks: false,
    openHandles: [],
    perfStats,
    skipped: true,
    snapshot,
    testFilePath,
    testResults: [],
  };
}

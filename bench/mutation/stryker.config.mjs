import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { files, layer } from './layers.mjs';
import { share } from './sample.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default {
  mutate: files,
  plugins: [here('node_modules/@stryker-mutator/mocha-runner/dist/src/index.js'), here('sample.mjs')],
  checkers: share < 1 ? ['sample'] : [],
  testRunner: 'mocha',
  mochaOptions: {
    spec: ['test/mutation/bundle.mjs'],
    'no-config': true,
    'no-opts': true,
    'no-package': true,
  },
  buildCommand: `node ${here('bundle.mjs')}`,
  coverageAnalysis: 'perTest',
  ignoreStatic: true, // what runs once, as a module is loaded, is not loaded again for a mutant of it
  maxTestRunnerReuse: 40,
  concurrency: Number(process.env.CONCURRENCY) || availableParallelism(),
  timeoutMS: 5000,
  htmlReporter: { fileName: `reports/mutation/${layer}.html` },
  jsonReporter: { fileName: `reports/mutation/${layer}.json` },
  reporters: ['clear-text', 'progress', 'html', 'json'],
  ignorePatterns: ['/bench', '/dist', '/coverage', '/reports'],
  thresholds: { high: 95, low: 85, break: 85 },
};

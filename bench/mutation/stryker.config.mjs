import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default {
  mutate: ['lib/presentation/**/*.ts'],
  plugins: [here('node_modules/@stryker-mutator/jest-runner/dist/src/index.js')],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'bench/mutation/jest.config.mjs', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 10_000,
  reporters: ['clear-text', 'progress', 'html'],
  ignorePatterns: [
    '/bench/node_modules',
    '/bench/mutation/node_modules',
    '/dist',
    '/docs',
    '/coverage',
    '/reports',
  ],
  thresholds: { high: 95, low: 85, break: 85 },
};

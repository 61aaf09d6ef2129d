/** What every project has. */
const common = {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  roots: ['<rootDir>/lib', '<rootDir>/test'], // without lib, untested files hide from coverage
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }] },
};

/**
 * @param {string} displayName
 * @param {readonly string[]} files in `test`
 */
export const project = (displayName, ...files) => ({
  ...common,
  displayName,
  testMatch: files.map((glob) => `<rootDir>/test/${glob}.test.ts`),
});

/** @param {ReturnType<typeof project>} its */
export const onExpress4 = (its) => ({
  ...its,
  moduleNameMapper: { ...its.moduleNameMapper, '^express$': 'express4' },
});

/** @param {ReturnType<typeof project>} its */
export const withServers = (its) => ({
  ...its,
  globalSetup: '<rootDir>/test/support/services.mjs',
  globalTeardown: '<rootDir>/test/support/services-teardown.mjs',
});

/** The files that run on Express 4 too. */
export const web = ['http/**/*', 'faults/**/*'];

export const reporter = '<rootDir>/test/support/reporter.mjs';

/** How both runs go. */
export const run = {
  verbose: false, // of one file too, only what failed is listed
  maxWorkers: '100%', // of the processors
  workerIdleMemoryLimit: '1GB',
  testTimeout: 60_000, // ends what hangs: no test depends on how fast the machine is
};

const deep =
  'laboratories, wallets, the bridge, pages and pictures, Redis Cluster, consumers, packed package and release';
const ofLib = ['internal', 'service', 'verify', 'flow', 'options', 'dev'];

/** The files that need neither server nor browser. */
export const unit = [
  '*',
  ...ofLib.map((layer) => `${layer}/**/*`),
  'lab/simulator/simulator',
  'lab/histories/checker',
];

/** `npm test`. The rest is in jest.deep.config.mjs. */
export default {
  ...run,
  coverageProvider: 'babel',
  collectCoverageFrom: ['lib/**/*.ts'],
  coverageReporters: ['text-summary', 'json', 'lcov'],
  coverageThreshold: {
    global: { lines: 95 },
    './lib/flow/': { branches: 100 },
    './lib/verify/': { branches: 100 },
  },
  reporters: [
    'default',
    [
      reporter,
      { name: 'npm test', elsewhere: `${deep} (npm run test:deep), Express 4 (npm run test:versions)` },
    ],
  ],
  projects: [
    project('unit', ...unit),
    project('express5', ...web),
    withServers(project('stores', 'stores/**/*')),
    project('house', 'house/**/*'),
    project('e2e', 'e2e/*'),
  ],
};

import { env } from 'node:process';

/** What every project has. */
const common = {
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  roots: ['<rootDir>/lib', '<rootDir>/test'], // without lib, untested files hide from coverage
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    // zod's own texts in sixty languages, which nothing asks for, are a sixth of what each file loads.
    '^\\.\\./locales/index\\.js$': '<rootDir>/node_modules/zod/v4/locales/en.js',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
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

/**
 * Files that are about processes, or that do nothing but repeat one thing: all of their tests are deep. In other files
 * `deep.test` and `deep.describe` mark single ones.
 */
export const deepFiles = [
  'dev/cli/dev',
  'dev/cli/doctor/entry',
  'dev/cli/signals',
  'dev/cli/width',
  'dev/sandbox/issuers/keys',
  'dev/seam',
  'faults/flood',
  'faults/limiter',
  'faults/open-bodies',
  'faults/wallet-crowd',
  'house/compiler-words',
  'house/hook-answers',
  'house/observability',
  'house/readme',
  'lab/simulator/simulator',
  'stores/redis-faults',
  'stores/sealed-dumps',
  'stores/users-table',
  'verify/jose/against-jose',
  'verify/properties',
];

/**
 * The part of each project that `npm test` runs: nothing in it starts a process.
 * @param {readonly ReturnType<typeof project>[]} projects
 */
export const quick = (projects) =>
  projects.map((its) => ({
    ...its,
    testEnvironmentOptions: { only: 'quick' },
    testPathIgnorePatterns: [`/test/(${deepFiles.join('|')})\\.test\\.ts$`],
  }));

export const reporter = '<rootDir>/test/support/reporter.mjs';

/** How both runs go. */
export const run = {
  verbose: false, // of one file too, only what failed is listed
  maxWorkers: '100%', // of the processors
  workerIdleMemoryLimit: '1GB',
  testTimeout: 300_000, // ends what hangs: no test depends on how fast the machine is
};

const deep =
  'what starts a process, repeats one thing or takes long, laboratories, wallets, pages and pictures, Redis Cluster, consumers, packed package and release';

/** The files that need neither server nor browser. */
export const unit = [
  '*',
  ...['internal', 'service', 'verify', 'flow', 'options', 'set-up', 'dev'].map((layer) => `${layer}/**/*`),
];

/** The tests of lib and of the house. Each has files with quick tests, and files with deep ones. */
export const ofLib = [
  project('unit', ...unit),
  project('express5', ...web),
  withServers(project('stores', 'stores/**/*')),
  project('house', 'house/**/*'),
];

/** .ci/nightly plays its part of these projects whole: what it repeats all night is deep. */
export const isNight = env['PIDGATE_NIGHTLY'] === '1';

/** `npm test`. The rest is in jest.deep.config.mjs. */
export default {
  ...run,
  testTimeout: isNight ? run.testTimeout : 60_000,
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
    '<rootDir>/tools/related/map-reporter.mjs', // with coverage, it writes what each file has executed
    [
      reporter,
      {
        name: 'npm test',
        slowMs: 300,
        elsewhere: `${deep} (npm run test:deep), Express 4 (npm run test:versions)`,
      },
    ],
  ],
  projects: isNight ? ofLib : quick(ofLib),
};

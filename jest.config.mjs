const common = {
  testEnvironment: 'node',
  roots: ['<rootDir>/lib', '<rootDir>/test'], // without lib, untested files hide from coverage
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }] },
};

/**
 * @param {string} displayName
 * @param {string[]} folders
 */
const project = (displayName, ...folders) => ({
  ...common,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/test/${folder === '.' ? '' : `${folder}/**/`}*.test.ts`),
});

const web = ['web', 'faults'];

const servers = {
  globalSetup: '<rootDir>/test/support/services.ts',
  globalTeardown: '<rootDir>/test/support/services-teardown.ts',
};

export default {
  coverageProvider: 'babel',
  collectCoverageFrom: ['lib/**/*.ts'],
  coverageReporters: ['text-summary', 'json', 'lcov'],
  coverageThreshold: {
    global: { lines: 95 },
    './lib/flow/': { branches: 100 },
    './lib/presentation/': { branches: 100 },
  },
  workerIdleMemoryLimit: '512MB',
  reporters: ['default', '<rootDir>/test/support/reporter.mjs'],
  projects: [
    project('unit', 'safe', 'protocol', 'presentation', 'flow', 'options', 'dev', '.'),
    project('express5', ...web),
    {
      ...project('express4', ...web),
      moduleNameMapper: { ...common.moduleNameMapper, '^express$': 'express4' },
    },
    { ...project('stores', 'stores', 'example-app', 'lab/deployment'), ...servers },
    project('lab', 'lab/fuzz', 'lab/interleavings'),
    project('house', 'house', 'package'),
    project('e2e', 'e2e'),
    project('consumers', 'consumers'),
  ],
};

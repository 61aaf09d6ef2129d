import all from '../../jest.config.mjs';

const unit = all.projects.find(({ displayName }) => displayName === 'unit');

/** One project, as Stryker needs it; properties try the same mutant hundreds of times and tell little more. */
export default {
  ...unit,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/presentation/**/*.test.ts'],
  testRunner: '<rootDir>/bench/mutation/jest-circus-until-killed.cjs',
  testSequencer: '<rootDir>/bench/mutation/sequencer.mjs',
  testPathIgnorePatterns: ['properties.test.ts$'],
};

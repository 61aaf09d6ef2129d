import { project } from '../../jest.config.mjs';

const verify = project('checks', 'verify/**/*');
const [[files, [, options]]] = Object.entries(verify.transform);

export default {
  ...verify,
  rootDir: '../..',
  testEnvironment: '<rootDir>/bench/checks/environment.mjs',
  transform: { [files]: ['<rootDir>/bench/checks/switchable.mjs', options] },
  testTimeout: 20_000, // without its check, a test may wait for what never comes
  reporters: [],
};

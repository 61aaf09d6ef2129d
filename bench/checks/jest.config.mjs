import { project } from '../../jest.config.mjs';

const presentation = project('checks', 'presentation/**/*');
const [[files, [, options]]] = Object.entries(presentation.transform);

export default {
  ...presentation,
  rootDir: '../..',
  testEnvironment: '<rootDir>/bench/checks/environment.mjs',
  transform: { [files]: ['<rootDir>/bench/checks/switchable.mjs', options] },
  testTimeout: 20_000, // without its check, a test may wait for what never comes
  reporters: [],
};

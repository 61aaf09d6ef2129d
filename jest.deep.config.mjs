import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  deepFiles,
  isNight,
  ofLib,
  onExpress4,
  project,
  reporter,
  run,
  withServers,
} from './jest.config.mjs';

/** Files that .ci/nightly alone runs: frameworks are installed and built. */
export const nightFiles = ['consumers/data-addresses'];

const tests = join(import.meta.dirname, 'test');

/** Files in which `deep.test` or `deep.describe` marks something. */
const marked = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(
    (file) =>
      file.endsWith('.test.ts') && /\bdeep\.(test|describe)\b/.test(readFileSync(join(tests, file), 'utf8')),
  )
  .map((file) => file.replaceAll('\\', '/').slice(0, -'.test.ts'.length));

const isOfDeep = [...deepFiles, ...marked].join('|');

/** The other part of what `npm test` runs. */
const rest = ofLib.map((its) => ({
  ...its,
  testEnvironmentOptions: { only: 'deep' },
  testPathIgnorePatterns: [`/test/(?!(${isOfDeep})\\.test\\.ts$)`],
}));

/** `npm run test:deep`: what takes long, and what needs more than this Node and its packages. */
export default {
  ...run,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  maxWorkers: availableParallelism() + 2, // some wait for servers and packages most of the time
  reporters: ['default', [reporter, { name: 'npm run test:deep' }]],
  projects: [
    ...rest,
    project('e2e', 'e2e/*'),
    project(
      'lab',
      ...['certificates', 'fuzz', 'histories', 'interleavings', 'renewals', 'simulate', 'simulator'].map(
        (name) => `lab/${name}/*`,
      ),
    ),
    onExpress4(project('express4', 'lab/fuzz/fuzz', 'e2e/pages/ways-on')),
    withServers(project('deployment', 'lab/deployment/**/*')),
    project('pictures', 'e2e/pictures/*', 'e2e/pages/*'),
    project('wallets', 'lab/wallets/*', 'e2e/wallets/*'),
    {
      ...project('consumers', 'consumers/*', 'package/*'),
      testPathIgnorePatterns: isNight ? [] : nightFiles.map((name) => `/test/${name}\\.test\\.ts$`),
    },
    project('tools', 'tools/*'),
  ],
};

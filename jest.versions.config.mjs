import { env } from 'node:process';
import { onExpress4, project, run, unit, web, withServers } from './jest.config.mjs';

const oldest = project('express421', ...web);

/**
 * `npm run test:versions`, under one Node: whatever the runtime or Express decides. Left out are the tests of documents
 * and rules, which read files, the laboratories and the browser, which see nothing of Node.
 */
export default {
  ...run,
  testTimeout: 300_000, // two of these may share a busy machine
  reporters: ['default', '<rootDir>/tools/versions/reporter.mjs'],
  projects: [
    project('unit', ...unit),
    project('express5', ...web),
    onExpress4(project('express4', ...web)),
    {
      ...oldest,
      moduleNameMapper: { ...oldest.moduleNameMapper, '^express$': env['PIDGATE_EXPRESS'] ?? 'express4' },
    },
    withServers(project('stores', 'stores/**/*')),
    project('package', 'package/**/*'),
  ],
};

import { env } from 'node:process';
import { onExpress4, project, quick, run, unit, web, withServers } from './jest.config.mjs';

/** @param {ReturnType<typeof project>} its */
const onOldestExpress4 = (its) => ({
  ...its,
  moduleNameMapper: { ...its.moduleNameMapper, '^express$': env['PIDGATE_EXPRESS'] ?? 'express4' },
});

const isEnds = env['PIDGATE_VERSIONS'] === 'ends';

const projects = [
  // For `-- ends`, of what an app runs in production alone: without lib/dev.
  project(
    'unit',
    ...unit.filter((files) => !isEnds || !files.startsWith('dev/')),
    'lab/simulator/simulator',
    'lab/histories/checker',
  ),
  project('express5', ...web),
  onExpress4(project('express4', ...web)),
  onOldestExpress4(project('express421', ...web)),
  withServers(project('stores', 'stores/**/*')),
  project('package', 'package/**/*'),
];

/** Deep tests that Node or Express decides: all of their files runs at both ends. */
const files = [
  'dev/sandbox/issuers/keys',
  'stores/table-store',
  'faults/open-bodies',
  'lab/simulator/simulator',
];
const decided = [
  withServers(project('deep', ...files)),
  onOldestExpress4(withServers(project('deep421', ...files))),
];

/**
 * `npm run test:versions`, under one Node: whatever the runtime or Express decides. Left out are the tests of documents
 * and rules, which read files, the laboratories and the browser, which see nothing of Node. Of the projects that run
 * for `-- ends`, deep tests run only where they are named here; without it all run.
 */
export default {
  ...run,
  reporters: ['default', '<rootDir>/tools/versions/reporter.mjs'],
  projects: isEnds ? [...quick(projects), ...decided] : projects,
};

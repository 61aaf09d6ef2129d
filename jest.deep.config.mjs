import { onExpress4, project, reporter, run, web, withServers } from './jest.config.mjs';

const fuzz = 'lab/fuzz/*';

/** `npm run test:deep`: what takes long, or repeats `npm test` under other conditions. */
export default {
  ...run,
  reporters: ['default', [reporter, { name: 'npm run test:deep' }]],
  projects: [
    project('lab', fuzz, 'lab/interleavings/*'),
    onExpress4(project('express4', fuzz, ...web)),
    withServers(project('deployment', 'lab/deployment/**/*')),
    project('pictures', 'e2e/pictures/*'),
    project('consumers', 'consumers/*'),
  ],
};

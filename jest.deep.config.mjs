import { onExpress4, project, reporter, run, web, withServers } from './jest.config.mjs';

/** `npm run test:deep`: what takes long, or repeats `npm test` under other conditions. */
export default {
  ...run,
  testTimeout: 300_000, // many processes, on a machine that may be busy
  reporters: ['default', [reporter, { name: 'npm run test:deep' }]],
  projects: [
    project(
      'lab',
      ...['fuzz', 'interleavings', 'renewals', 'simulate', 'traces'].map((name) => `lab/${name}/*`),
      'lab/simulator/planted',
      'lab/histories/histories',
    ),
    onExpress4(project('express4', 'lab/fuzz/fuzz', ...web)),
    withServers(project('deployment', 'lab/deployment/**/*')),
    project('pictures', 'e2e/pictures/*', 'e2e/pages/*'),
    project('wallets', 'lab/wallets/*', 'e2e/wallets/*'),
    project('consumers', 'consumers/*', 'package/*'),
    project('tools', 'tools/*'),
  ],
};

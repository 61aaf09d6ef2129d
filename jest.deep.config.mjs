import { availableParallelism } from 'node:os';
import { onExpress4, project, reporter, run, withServers } from './jest.config.mjs';

/** `npm run test:deep`: what takes long, and what needs more than this Node and its packages. */
export default {
  ...run,
  maxWorkers: availableParallelism() + 1, // some wait for servers and packages most of the time
  testTimeout: 300_000, // many processes, on a machine that may be busy
  reporters: ['default', [reporter, { name: 'npm run test:deep' }]],
  projects: [
    project(
      'lab',
      ...['certificates', 'fuzz', 'interleavings', 'renewals', 'simulate'].map((name) => `lab/${name}/*`),
      'lab/simulator/planted',
      'lab/histories/histories',
    ),
    onExpress4(project('express4', 'lab/fuzz/fuzz')),
    withServers(project('deployment', 'lab/deployment/**/*')),
    project('pictures', 'e2e/pictures/*', 'e2e/pages/*'),
    project('wallets', 'lab/wallets/*', 'e2e/wallets/*'),
    withServers(project('bridge', 'bridge/**/*')),
    project('consumers', 'consumers/*', 'package/*'),
    project('tools', 'tools/*'),
  ],
};

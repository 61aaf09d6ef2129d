import { expect, it } from '@jest/globals';
import { run } from '../../../lib/dev/cli/run.js';
import { freePort } from '../../support/free-port.js';
import { folder, terminal } from './terminal.js';

const apps = {
  'serves from the processes of a cluster': `
    const cluster = require('node:cluster')
    if (cluster.isPrimary) {
      const worker = cluster.fork()
      process.on('SIGTERM', () => { worker.process.kill(); worker.on('exit', () => process.exit(5)) })
    } else {
      require('node:http').createServer((_req, res) => { res.end('from a worker') }).listen(process.env.PORT, '127.0.0.1')
    }`,
  'forks a process that waits for what it is told': `
    if (process.argv[2] === 'forked') {
      process.on('message', (text) => process.send('from a ' + text))
    } else {
      const child = require('node:child_process').fork(__filename, ['forked'])
      process.on('SIGTERM', () => { child.kill(); process.exit(5) })
      require('node:http').createServer((_req, res) => {
        child.once('message', (text) => res.end(text))
        child.send('worker')
      }).listen(process.env.PORT, '127.0.0.1')
    }`,
};

it.each(Object.entries(apps))('an app that %s', async (_what, entry) => {
  const port = await freePort();
  const env = { PATH: process.env['PATH'], PORT: String(port) };
  const at = terminal({ cwd: folder({ 'server.js': entry }), env });
  const ended = run(['dev'], at);
  await at.said('Start a verification');
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('from a worker');
  at.signals.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(5);
});

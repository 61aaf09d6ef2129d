import { describe, expect, it } from '@jest/globals';
import { app, startDev } from './terminal.js';

describe('Signals', () => {
  /** An app that takes SIGINT and SIGTERM for its own business, and tells which it got. */
  const stubborn = (then: string): string => `
    const server = require('node:http').createServer((_req, res) => { res.end(got.join()) })
    const got = []
    for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => { got.push(name); ${then} })
    server.listen(process.env.PORT, '127.0.0.1')`;

  it("the app's own exit code after a signal is ours", async () => {
    const { at, ended } = await startDev(stubborn('process.exit(5)'));
    at.signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(5);
  });

  it('a second signal kills an app that does not end', async () => {
    const { at, ended } = await startDev(stubborn(''));
    at.signals.emit('SIGTERM', 'SIGTERM');
    at.signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(128 + 9);
  });

  it('five seconds kill an app that does not end', async () => {
    const wait = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));
    const { at, ended } = await startDev(stubborn(''), { wait });
    at.signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(128 + 9);
  });

  it('Ctrl-C at a keyboard reaches the app by itself: it is not sent twice', async () => {
    let late = (): void => {};
    const grace = new Promise<void>((resolve) => (late = resolve));
    const wait = async (ms: number): Promise<void> => {
      if (ms === 5000) await grace;
    };
    const { at, ended, get } = await startDev(stubborn(''), { interactive: true, wait });
    at.signals.emit('SIGINT', 'SIGINT');
    expect(await get()).toBe('');
    late();
    expect(await ended).toBe(128 + 9);
  });

  it('the end of our process is the end of the app', async () => {
    const { at, ended } = await startDev(app);
    at.signals.emit('exit', 0);
    expect(await ended).toBe(128 + 9);
  });
});

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
  const { at, ended, get } = await startDev(entry);
  expect(await get()).toBe('from a worker');
  at.signals.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(5);
});

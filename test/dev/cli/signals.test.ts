import { describe, expect, it } from '@jest/globals';
import { run } from '../../../lib/dev/cli/run.js';
import { app, folder, terminal } from './terminal.js';
import { freePort } from '../../support/free-port.js';

const path = { PATH: process.env['PATH'] };

describe('Signals', () => {
  /** An app that takes SIGINT and SIGTERM for its own business, and tells which it got. */
  const stubborn = (then: string): string => `
    const server = require('node:http').createServer((_req, res) => { res.end(got.join()) })
    const got = []
    for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => { got.push(name); ${then} })
    server.listen(process.env.PORT, '127.0.0.1')`;

  async function started(entry: string, more: Parameters<typeof terminal>[0] = {}) {
    const port = await freePort();
    const cwd = folder({ 'server.js': entry });
    const at = terminal({ cwd, env: { ...path, PORT: String(port) }, ...more });
    const ended = run(['dev'], at);
    await at.said('Start a verification');
    return { at, ended, port };
  }

  it("the app's own exit code after a signal is ours", async () => {
    const { at, ended } = await started(stubborn('process.exit(5)'));
    at.signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(5);
  });

  it('a second signal kills an app that does not end', async () => {
    const { at, ended } = await started(stubborn(''));
    at.signals.emit('SIGTERM', 'SIGTERM');
    at.signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(128 + 9);
  });

  it('five seconds kill an app that does not end', async () => {
    const wait = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));
    const { at, ended } = await started(stubborn(''), { wait });
    at.signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(128 + 9);
  });

  it('Ctrl-C at a keyboard reaches the app by itself: it is not sent twice', async () => {
    let late = (): void => {};
    const grace = new Promise<void>((resolve) => (late = resolve));
    const wait = async (ms: number): Promise<void> => {
      if (ms === 5000) await grace;
    };
    const { at, ended, port } = await started(stubborn(''), { interactive: true, wait });
    at.signals.emit('SIGINT', 'SIGINT');
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('');
    late();
    expect(await ended).toBe(128 + 9);
  });

  it('the end of our process is the end of the app', async () => {
    const { at, ended } = await started(app);
    at.signals.emit('exit', 0);
    expect(await ended).toBe(128 + 9);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import { folder } from './terminal.js';
import { freePort } from '../../support/free-port.js';
import { root } from '../../support/root.js';

/** The real program, as a process of its own. */
function pidgate(args: string[], env: Record<string, string> = {}) {
  return spawn(process.execPath, [join(root, 'dist/dev/cli/main.mjs'), ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('The program', () => {
  it('prints the environment, serves, and ends on SIGTERM', async () => {
    const running = pidgate(['sandbox', '--port', '0']);
    const lines: string[] = [];
    for await (const line of createInterface(running.stdout)) {
      lines.push(line);
      if (line.startsWith('APP_URL=')) break;
    }
    const url = lines.find((line) => line.startsWith('IDENTITY_BASE_URL='))?.split('=')[1] ?? '';
    expect((await fetch(`${url}/jwks.json`)).status).toBe(200);
    running.kill('SIGTERM');
    expect(await once(running, 'exit')).toEqual([0, null]);
  });

  it.each([[[]], [['--watch']]])('takes the app along even when it is killed: dev %j', async (more) => {
    const watch = createServer();
    await new Promise<void>((resolve) => watch.listen(0, '127.0.0.1', resolve));
    const { port } = watch.address() as AddressInfo;
    const cwd = folder({ 'server.js': `require('node:net').connect(${port}, '127.0.0.1')` });
    const running = pidgate(['dev', `${cwd}/server.js`, ...more], { PORT: String(await freePort()) });
    const [fromApp] = (await once(watch, 'connection')) as [Socket];
    fromApp.resume().on('error', () => {});
    running.kill('SIGKILL');
    await once(fromApp, 'close'); // the app is gone
    watch.close();
    expect(running.killed).toBe(true);
  });

  it('ends with the app, which no channel keeps alive', async () => {
    const cwd = folder({ 'server.js': 'process.exitCode = 4' });
    const running = pidgate(['dev', `${cwd}/server.js`], { PORT: String(await freePort()) });
    expect(await once(running, 'exit')).toEqual([4, null]);
  });
});

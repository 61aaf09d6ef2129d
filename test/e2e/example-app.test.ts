import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { createBrowser } from '../support/browser.js';
import { decide } from '../support/wallet.js';
import { freePort } from '../support/free-port.js';

test('npm start: the command runs the example app against a sandbox, from the log-in to the success page', async () => {
  const port = await freePort();
  const running = spawn(process.execPath, ['dist/dev/cli/main.mjs', 'dev', 'example-app/main.ts'], {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(running, 'exit');
  try {
    const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
    const url = await addressIn(lines);
    expect(url).toBe(`http://localhost:${port}`);

    const browser = createBrowser();
    expect((await browser.get(url)).text).toContain('Log in as Erika');
    const loggedIn = await browser.post(`${url}/log-in`, { person: 'erika' });
    expect([loggedIn.status, loggedIn.location]).toEqual([303, '/']);
    const start = await browser.post(`${url}/identity/start`);
    expect(start.status).toBe(303);
    const done = await browser.visit(await decide(start.location ?? '', 'approve'));
    expect(done.url).toBe(`${url}/membership`);
    expect(done.text).toContain('Your membership');
    expect(done.text).toContain('Erika Mustermann');
    expect((await browser.get(`${url}/membership`)).status).toBe(200);

    const logIn = async (headers: Record<string, string>) => {
      return (await fetch(`${url}/log-in`, { method: 'POST', headers, redirect: 'manual' })).status;
    };
    expect(await logIn({})).toBe(403); // no browser sends a form without telling where it is from
    expect(await logIn({ origin: 'https://example.org' })).toBe(403);
    expect(await logIn({ origin: url })).toBe(303);

    const foreign = await browser.post(`${url}/forget`, {}, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
    expect((await browser.get(`${url}/membership`)).status).toBe(200);
    expect((await browser.post(`${url}/forget`)).status).toBe(303);
    expect((await browser.get(`${url}/membership`)).location).toBe('/identity/start?returnTo=%2Fmembership');
  } finally {
    running.kill('SIGTERM');
  }
  expect(await ended).toEqual([expect.any(Number), null]);
});

/** The address that the command prints for people to open. */
async function addressIn(lines: AsyncIterator<string>): Promise<string> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('The command ended before it printed an address.');
    const address = /^ {2}App +(http\S+)/.exec(value)?.[1];
    if (address !== undefined) return address;
  }
}

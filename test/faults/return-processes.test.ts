import { describe, expect, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { me } from '../support/account.js';
import { openSandbox, type Running, startApp } from '../support/app.js';
import { gate } from '../support/callbacks.js';

describe('two processes on one store', () => {
  /** Two apps that share flows and sessions, as two processes behind a balancer do. */
  async function two(onSuccess: () => unknown, onRead = (): void => {}): Promise<[Running, Running]> {
    const sandbox = await openSandbox();
    const inner = memoryStore();
    const read: FlowStore['read'] = async (id) => {
      onRead();
      return await inner.read(id);
    };
    const shared = { store: { ...inner, read }, sessions: new MemoryStore() };
    const open = async (...origins: string[]): Promise<Running> =>
      await startApp({
        sandbox,
        origins,
        session: { store: shared.sessions, rolling: true },
        options: { store: shared.store, onSuccess, keep: () => 'kept' },
        after: me,
      });
    const first = await open();
    const apps: [Running, Running] = [first, await open(first.url)];
    sandbox.redirectUrl = `${apps[0].url}/identity/callback`;
    return apps;
  }

  test('F4 one return here and one there at the same moment: onSuccess once, the session stays usable', async () => {
    const [entered, finish] = [gate(), gate()];
    let runs = 0;
    let reads = -Infinity;
    const [one, other] = await two(
      async () => {
        runs += 1;
        reads = 0;
        entered.open();
        await finish.opened;
      },
      () => {
        reads += 1;
        if (reads === 2) finish.open(); // the other one has read the lease, and looks again
      },
    );
    const browser = one.browser();
    const back = await one.toReturn(browser);
    const first = browser.get(back);
    await entered.opened;
    const second = browser.get(back.replace(one.url, other.url));
    const both = [await first, await second];
    // The second one is sent on to the session that the first has just made.
    expect(both.map((it) => [it.status, it.location])).toEqual([
      [303, `${one.url}/`],
      [200, undefined],
    ]);
    expect((await browser.get(back.replace(one.url, other.url))).location).toBe(`${one.url}/`);
    expect(runs).toBe(1);
    expect((await browser.get(`${other.url}/me`)).json()).toBe('kept');
  });
});

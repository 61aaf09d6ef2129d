import { describe, expect, test } from '@jest/globals';
import { failed, started } from '../service/service.js';
import { type Running, startApp } from '../support/app.js';
import { startAsking, wallet } from '../support/asked-service.js';
import { decide } from '../support/wallet.js';
import { readOwn } from '../../lib/http/session/session-data.js';

const startAgain = 'Please start again in the browser where you began';

/** The flows that the browser's session knows of. */
function flowsOf(app: Running): readonly { id: string }[] {
  const [text = '{}'] = Object.values(app.stored());
  return readOwn(JSON.parse(text) as Record<string, unknown>, 'pidgate /identity').flows;
}

describe('F12 every start is its own flow', () => {
  async function open(options: Record<string, unknown> = {}) {
    const released: unknown[] = [];
    const onSuccess = ({ context }: { context: unknown }): void => void released.push(context);
    const context = (req: { query: Record<string, unknown> }): unknown => req.query['tab'] ?? null;
    const app = await startApp({ options: { onSuccess, context, ...options } });
    const browser = app.browser();
    /** Starts in a tab of this browser; returns the address of the wallet. */
    const tab = async (name: string): Promise<string> =>
      await app.start(browser, `?tab=${name}&returnTo=%2F${name}`);
    return { app, released, browser, tab };
  }

  test('F12 two tabs both complete, whichever comes back first', async () => {
    const { app, released, browser, tab } = await open();
    const first = await tab('one');
    const second = await tab('two');
    const backs = [await decide(second, 'approve'), await decide(first, 'approve')];
    const places = [];
    for (const back of backs) places.push((await browser.get(back)).location);
    expect(places).toEqual([`${app.url}/two`, `${app.url}/one`]);
    expect(released).toEqual(['two', 'one']);
  });

  test('F12 two starts of one session at the same moment both complete', async () => {
    const { app, released, browser, tab } = await open();
    await tab('cookie');
    const wallets = await Promise.all(['a', 'b', 'c'].map(async (name) => await tab(name)));
    expect(flowsOf(app)).toHaveLength(4);
    for (const address of wallets) {
      expect((await browser.get(await decide(address, 'approve'))).status).toBe(303);
    }
    expect(new Set(released)).toEqual(new Set(['a', 'b', 'c']));
  });

  test('F12 past five unfinished entries the oldest leaves, and ends on the start again page', async () => {
    const { app, released, browser, tab } = await open();
    const wallets = [];
    for (const name of ['1', '2', '3', '4', '5', '6']) wallets.push(await tab(name));
    expect(flowsOf(app)).toHaveLength(5);
    const [oldest = '', second = '', , , , last = ''] = wallets;
    const gone = await browser.visit(await decide(oldest, 'approve'));
    expect([gone.status, gone.text.includes(startAgain)]).toEqual([403, true]);
    expect(released).toEqual([]);
    for (const address of [second, last]) await browser.visit(await decide(address, 'approve'));
    expect(released).toEqual(['2', '6']);
  });

  test('F12 limits.pendingPerSession moves the bound', async () => {
    const { app, tab } = await open({ limits: { pendingPerSession: 1 } });
    await tab('a');
    await tab('b');
    expect(flowsOf(app)).toHaveLength(1);
  });

  test('F12 an entry lost to a parallel write ends on the start again page, never in another flow', async () => {
    const { app, released, browser, tab } = await open();
    const lost = await tab('lost');
    const before = { ...app.stored() };
    const other = await tab('other');
    // Another process read the session before the second start and writes it after.
    Object.assign(app.stored(), before);
    const shown = await browser.visit(await decide(other, 'approve'));
    expect([shown.status, shown.text.includes(startAgain)]).toEqual([403, true]);
    expect(released).toEqual([]);
    await browser.visit(await decide(lost, 'approve'));
    expect(released).toEqual(['lost']);
  });

  test('F12 starts that failed do not push a living one out: the next start prunes their entries', async () => {
    const app = await startAsking();
    const browser = app.browser();
    await app.start(browser);
    const [living] = flowsOf(app);
    app.service.answers(failed(500, 'error_internal'));
    for (let tries = 0; tries < 7; tries += 1) {
      expect((await browser.post(`${app.url}/identity/start`)).status).toBe(502);
      expect(flowsOf(app)).toHaveLength(2); // the living one, and the last that died
    }
    app.service.answers(started(wallet));
    await app.start(browser);
    expect(flowsOf(app)).toHaveLength(2);
    expect(flowsOf(app)[0]).toEqual(living);
    expect(app.store.held).toEqual(new Set(flowsOf(app).map(({ id }) => id)));
  });

  test('F12 where the store does not tell whether a flow lives, its entry stays', async () => {
    const app = await startAsking();
    const browser = app.browser();
    await app.start(browser);
    app.store.read = async () => await Promise.reject(new Error('down'));
    await app.start(browser);
    expect(flowsOf(app)).toHaveLength(2);
  });
});

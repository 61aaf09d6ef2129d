import { describe, expect, test } from '@jest/globals';
import { login } from '../support/account.js';
import { startApp } from '../support/app.js';
import { decide } from '../support/wallet.js';

const hour = 3_600_000;

async function open(maxAge: number, options: Record<string, unknown> = {}) {
  const app = await startApp({ session: { cookie: { maxAge } }, before: login(), options });
  const browser = app.browser();
  /** Whether the answer of a start has the session's cookie. */
  const renews = async (path = ''): Promise<boolean> => {
    const { headers } = await browser.post(`${app.url}/identity/start${path}`);
    return headers.getSetCookie().length > 0;
  };
  return { app, browser, renews };
}

describe('F89 the cookie lasts as long as the flow, and goes over no other one', () => {
  test('F89 one that the app has sent is renewed once: nobody knows when, and each request has put its session off', async () => {
    const { app, browser, renews } = await open(hour);
    await browser.post(`${app.url}/login`);
    await browser.get(`${app.url}/identity/start`);
    expect([await renews(), await renews(), await renews()]).toEqual([true, false, false]);
  });

  test('F89 a start that fails has sent it too', async () => {
    const { app, browser, renews } = await open(hour, {
      fetch: async () => await Promise.resolve(new Response('', { status: 500 })),
    });
    await browser.post(`${app.url}/login`);
    expect([await renews(), await renews()]).toEqual([true, false]);
  });

  test('F89 after a release it is that of the release', async () => {
    const { app, browser, renews } = await open(hour);
    await browser.get(await decide(await app.start(browser), 'approve'));
    expect(await renews()).toBe(false);
  });

  test('F89 one that ends before the flow is renewed each time', async () => {
    const { renews } = await open(60_000);
    expect([await renews(), await renews(), await renews()]).toEqual([true, true, true]);
  });
});

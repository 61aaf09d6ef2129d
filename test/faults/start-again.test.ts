import { describe, expect, test } from '@jest/globals';
import { type AppSetup, type Running, startApp } from '../support/app.js';
import { startAsking } from '../support/asked-service.js';
import { failed } from '../service/service.js';
import { decide } from '../support/wallet.js';

const named = { requests: { age: { reveal: ['birth_date'] } } };
const again = 'href="/identity/start/age?returnTo=%2Fclub"';

async function open(setup: AppSetup = {}): Promise<Running> {
  return await startApp({ ...setup, options: { ...named, ...setup.options } });
}

/** Starts the named request and comes back from the wallet with this decision. */
async function after(app: Running, decision: 'approve' | 'decline') {
  const browser = app.browser();
  const shown = await browser.post(`${app.url}/identity/start/age?returnTo=%2Fclub`);
  return { browser, back: await decide(shown.location ?? '', decision) };
}

describe('F59 "start again" leads to the request that failed', () => {
  test('F59 after a decline', async () => {
    const app = await open();
    const { browser, back } = await after(app, 'decline');
    const shown = await browser.get(back);
    expect([shown.status, shown.text.includes(again)]).toEqual([200, true]);
  });

  test('F59 where somebody else is logged in at the return', async () => {
    let user = 'anna';
    const app = await open({ options: { subject: () => user } });
    const { browser, back } = await after(app, 'approve');
    user = 'bert';
    const shown = await browser.get(back);
    expect([shown.status, shown.text.includes(again)]).toEqual([403, true]);
  });

  test('F59 where the service does not take the start', async () => {
    const app = await startAsking({ options: named });
    app.service.answers(failed(500, 'error_internal'));
    const shown = await app.browser().post(`${app.url}/identity/start/age?returnTo=%2Fclub`);
    expect([shown.status, shown.text.includes(again)]).toEqual([502, true]);
  });

  test('F59 from /status of a flow that failed', async () => {
    const app = await open({ options: { onSuccess: () => ({ refuse: 'under_age' }) } });
    const { browser, back } = await after(app, 'approve');
    await browser.get(back);
    const flow = new URL(back).searchParams.get('code')?.split('.')[0] ?? '';
    const shown = await browser.get(`${app.url}/identity/status?flow=${flow}`);
    expect(shown.json()).toEqual({ status: 'failed', start: '/identity/start/age?returnTo=%2Fclub' });
  });
});

describe('F59 another spelling of the mount path', () => {
  test.each(['/IDENTITY/start', '/Identity/callback', '/%69dentity/start', '/identity%2Fstart'])(
    "F59 %s is nobody's address, and no fault of the app",
    async (path) => {
      const app = await open();
      for (const method of ['GET', 'POST']) {
        const reply = await fetch(`${app.url}${path}`, { method, headers: { accept: 'text/html' } });
        expect(reply.status).toBe(404);
        expect(await reply.text()).not.toContain('config_invalid');
      }
      expect(app.events).toEqual([]);
    },
  );
});

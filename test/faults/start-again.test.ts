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
    const shown = await browser.visit(back);
    expect([shown.status, shown.text.includes(again)]).toEqual([403, true]);
  });

  test('F59 where the service does not take the start', async () => {
    const app = await startAsking({ options: named });
    app.service.answers(failed(500, 'error_internal'));
    const shown = await app.browser().post(`${app.url}/identity/start/age?returnTo=%2Fclub`);
    expect([shown.status, shown.text.includes(again)]).toEqual([502, true]);
  });

  test('F59 where it is not known which it was, only the way home; of one request, that one', async () => {
    const unknown = `${'A'.repeat(43)}.${'A'.repeat(43)}`;
    const shownBy = async (app: Running): Promise<boolean[]> => {
      const pages = ['code=' + unknown, 'error=return_wrong_browser', 'error=state_unknown'].map(
        async (query) => await app.browser().visit(`${app.url}/identity/return?${query}`),
      );
      const texts = (await Promise.all(pages)).map(({ text }) => text);
      for (const text of texts) expect(text).toMatch(/<a (class="button" )?href="\/">Back to /);
      for (const text of texts.slice(0, 2)) expect(text).toContain('you may have logged out meanwhile');
      return texts.map((text) => text.includes('/identity/start'));
    };
    expect(await shownBy(await open())).toEqual([false, false, false]);
    expect(await shownBy(await startApp())).toEqual([true, true, true]);
    expect(await shownBy(await open({ options: { reveal: undefined } }))).toEqual([true, true, true]);
  });

  test('F59 at an address of the app that is not the main one', async () => {
    const app = await open({ options: { appUrl: 'http://localhost:1' } });
    const shown = await app.browser().post(`${app.url}/identity/start/age`);
    const again = shown.text.includes('href="http://localhost:1/identity/start/age"');
    expect([shown.status, again]).toEqual([400, true]);
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

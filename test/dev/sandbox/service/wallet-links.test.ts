import { describe, expect, it } from '@jest/globals';
import { createBrowser } from '../../../support/browser.js';
import {
  type GermanFlow,
  agree,
  changes,
  germanFlow,
  headingOf,
  news,
  openWallet,
  walletLinkOn,
  choose,
} from '../german.js';

const returnUrl = 'http://localhost:3000/identity/return?code=c';
const crossDevice = { request: { same_device: false } };

/** The page after "On another device". */
async function qrFlow(): Promise<GermanFlow> {
  const flow = await germanFlow(crossDevice);
  await choose(flow, 'qr');
  return flow;
}

describe('The page that hands over to the wallet', () => {
  it('on the same device leads to the wallet at once', async () => {
    const flow = await germanFlow();
    const { text, headers } = await flow.browser.get(flow.page);
    expect(headingOf(text)).toBe('Open your wallet');
    expect(text).toMatch(/href="openid4vp:\/\/\?client_id=x509_hash/);
    expect(text).toMatch(/href="haip-vp:\/\/\?client_id=x509_hash/);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('elsewhere asks first where the wallet is; a click too many changes nothing', async () => {
    const flow = await germanFlow(crossDevice);
    const first = await flow.browser.get(flow.page);
    expect(headingOf(first.text)).toMatch(/asks for information about you$/);
    expect(first.text).not.toContain('request_uri');
    expect((await flow.browser.post(flow.page, { way: 'link' })).status).toBe(303);
    const opened = await flow.browser.get(flow.page);
    expect(headingOf(opened.text)).toBe('Open your wallet');
    await flow.browser.post(flow.page, { way: 'link' });
    expect(walletLinkOn((await flow.browser.get(flow.page)).text)).toBe(walletLinkOn(opened.text));
  });

  it('binds the way back to the browser that opened it first, by a cookie for this page alone', async () => {
    const flow = await germanFlow(crossDevice);
    const { headers } = await flow.browser.get(flow.page);
    const path = new URL(flow.page).pathname;
    expect(headers.get('set-cookie')).toMatch(
      new RegExp(`^visitor=[\\w-]{32}; Path=${path}; HttpOnly; SameSite=Lax$`),
    );
    const other = createBrowser();
    for (const shown of [
      await other.get(flow.page),
      await other.post(flow.page, { way: 'link' }),
      await other.get(flow.page, { cookie: 'visitor=x' }),
    ]) {
      expect([shown.status, headingOf(shown.text)]).toEqual([403, 'This page is open in another browser']);
      expect(shown.headers.get('set-cookie')).toBeNull();
    }
    expect((await other.get(`${flow.page}/changes`)).status).toBe(404);
  });

  it('F85 a page that nobody has opened belongs to nobody: it takes no choice and tells nothing', async () => {
    const flow = await germanFlow(crossDevice);
    for (const cookie of [undefined, '', 'visitor=', 'visitor', 'visitor=undefined', 'a=b; visitor=']) {
      const headers: Record<string, string> = {
        'sec-fetch-site': 'same-origin',
        ...(cookie !== undefined && { cookie }),
      };
      const body = new URLSearchParams({ way: 'link' });
      const posted = await fetch(flow.page, { method: 'POST', headers, body, redirect: 'manual' });
      expect([cookie, posted.status]).toEqual([cookie, 403]);
      const watched = await fetch(`${flow.page}/changes`, { headers });
      expect([cookie, watched.status]).toEqual([cookie, 404]);
    }
    expect((await flow.browser.get(flow.page)).status).toBe(200); // and the first who opens it still may
    expect((await flow.browser.post(flow.page, { way: 'qr' })).status).toBe(303);
  });

  it('a look ahead does not make anyone the first', async () => {
    const flow = await germanFlow(crossDevice);
    const head = await fetch(flow.page, { method: 'HEAD' });
    expect(head.headers.get('set-cookie')).toBeNull();
    expect((await flow.browser.get(flow.page)).headers.get('set-cookie')).toContain('visitor=');
  });

  it('another device: the wallet gets nothing, the browser that waits gets one 303, and no page has the address', async () => {
    const flow = await qrFlow();
    const waiting = await flow.browser.get(flow.page);
    expect(headingOf(waiting.text)).toBe('Scan this with your phone');
    expect(waiting.text).toMatch(/<svg\s+class="qr"/);
    const phone = createBrowser();
    const wallet = new URL((await phone.get(walletLinkOn(waiting.text))).location ?? '', flow.service.url)
      .href;
    const answered = await agree(flow, wallet, phone);
    expect(answered.location).toBe(new URL(wallet).pathname);
    expect((await phone.get(wallet)).text).not.toContain('code=c');
    expect((await phone.get(flow.page)).status).toBe(403);
    const back = await flow.browser.get(flow.page);
    expect([back.status, back.location]).toEqual([303, returnUrl]);
    expect(back.headers.get('referrer-policy')).toBe('no-referrer');
    expect(back.headers.get('cache-control')).toBe('no-store');
    const again = await flow.browser.get(flow.page);
    expect([again.status, headingOf(again.text)]).toEqual([200, 'This request is answered']);
    expect(again.text).not.toContain('code=c');
    expect(await flow.verdict()).toMatchObject({ valid: true });
  });

  it('this device: the wallet gets the way back, and the page never has it', async () => {
    const flow = await germanFlow(crossDevice);
    await choose(flow, 'link');
    expect((await agree(flow, await openWallet(flow))).location).toBe(returnUrl);
    const { status, text } = await flow.browser.get(flow.page);
    expect(status).toBe(200);
    expect(text).not.toContain('code=c');
  });

  it('refuses a way that is none', async () => {
    const flow = await germanFlow(crossDevice);
    await flow.browser.get(flow.page);
    expect((await flow.browser.post(flow.page, { way: 'pigeon' })).status).toBe(400);
  });

  it('shows what was wrong with the reply of the app, and sends it again', async () => {
    const flow = await germanFlow();
    const good = flow.service.redirectUrl;
    flow.service.redirectUrl = `${flow.service.url}/nowhere`;
    const { location } = await agree(flow, await openWallet(flow));
    expect(location?.startsWith(`${flow.page}?response_code=`)).toBe(true);
    const failed = await flow.browser.get(location ?? '');
    expect([failed.status, headingOf(failed.text)]).toEqual([502, 'The app answered 404']);
    flow.service.redirectUrl = good;
    await flow.browser.post(flow.page, { decision: 'again' });
    expect(flow.callbacks).toHaveLength(1);
    expect(await flow.verdict()).toMatchObject({ valid: true });
  });

  it('tells a page that waits when it is out of date', async () => {
    const flow = await qrFlow();
    const read = async (seen: string) => {
      const response = await changes(flow, seen);
      return [response.headers.get('content-type'), await news(response)];
    };
    expect(await read('choice')).toEqual([
      'text/event-stream; charset=utf-8',
      'retry: 1000\n\ndata: changed\n\n',
    ]);
    const later = read('waiting');
    await agree(flow, await openWallet(flow));
    expect((await later)[1]).toContain('data: changed');
  });
});

import { describe, expect, it } from '@jest/globals';
import { refusingPort } from '../../../support/refusing-port.js';
import { decide } from '../../../support/wallet.js';
import { goodReply } from '../customer.js';
import { aCustomer, folded, post, prove, request, sandbox, start } from '../open.js';

const returnUrl = 'http://localhost:3000/identity/return?code=c';

async function page(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: folded(await response.text()) };
}

describe('A decision', () => {
  it('to share sends the presentation and the browser on with 303', async () => {
    const { redirectUrl, callbacks } = await aCustomer();
    const posted = await post(await start(await sandbox({ redirectUrl })), { decision: 'approve' });
    expect([posted.status, posted.location]).toEqual([303, returnUrl]);
    expect(callbacks).toHaveLength(1);
  });

  it('to decline sends user_declined', async () => {
    const { redirectUrl, callbacks } = await aCustomer();
    const url = await start(await sandbox({ redirectUrl }), { state: 'declined-state' });
    expect(await decide(url, 'decline')).toBe(returnUrl);
    expect(Object.fromEntries(callbacks[0]?.body ?? [])).toEqual({
      error: 'user_declined',
      error_description: 'The person declined to share their identity.',
      state: 'declined-state',
    });
  });

  it('for an error sends the first of the list', async () => {
    const { redirectUrl, callbacks } = await aCustomer();
    expect(await decide(await start(await sandbox({ redirectUrl })), 'error')).toBe(returnUrl);
    expect(callbacks[0]?.body.get('error')).toBe('wallet_timeout');
  });

  it.each([
    ['timeout', 'wallet_timeout'],
    ['wrong_pin', 'wrong_pin'],
    ['card_blocked', 'card_blocked'],
    ['credential_missing', 'identity_unavailable'],
    ['service_error', 'error_internal'],
    ['unknown_error_code', 'sandbox_code_from_tomorrow'],
  ])('for %s sends %s', async (scenario, error) => {
    const { redirectUrl, callbacks } = await aCustomer();
    const url = await start(await sandbox({ redirectUrl }));
    const posted = await post(url, { decision: 'scenario', scenario });
    expect(posted.status).toBe(303);
    expect(callbacks[0]?.body.get('error')).toBe(error);
    expect(callbacks[0]?.body.has('presentation')).toBe(false);
  });

  it.each([
    {},
    { decision: 'maybe' },
    { decision: 'scenario', scenario: 'toString' },
    { decision: 'scenario' },
    { decision: 'again' },
    { decision: 'scenario', scenario: 'prove_500' },
  ])('that is none (%j): 400, nothing is sent', async (fields) => {
    const { redirectUrl, callbacks } = await aCustomer();
    const posted = await post(await start(await sandbox({ redirectUrl })), fields as Record<string, string>);
    expect(posted.status).toBe(400);
    expect(callbacks).toHaveLength(0);
  });

  it('that is no form at all: 400', async () => {
    const { redirectUrl } = await aCustomer();
    const response = await fetch(await start(await sandbox({ redirectUrl })), { method: 'POST' });
    expect(response.status).toBe(400);
  });

  it('larger than any form of the page: 413, nothing is sent', async () => {
    const { redirectUrl, callbacks } = await aCustomer();
    const url = await start(await sandbox({ redirectUrl }));
    const posted = await post(url, { decision: 'approve', more: 'x'.repeat(5000) });
    expect(posted.status).toBe(413);
    expect(callbacks).toHaveLength(0);
  });

  it('again goes to the same address and sends nothing', async () => {
    const { redirectUrl, callbacks } = await aCustomer();
    const url = await start(await sandbox({ redirectUrl }));
    await decide(url, 'approve');
    const again = await post(url, { decision: 'approve' });
    expect([again.status, again.location]).toEqual([303, returnUrl]);
    expect(callbacks).toHaveLength(1);
  });

  it('of another kind after it: 409, nothing is sent', async () => {
    const { redirectUrl, callbacks } = await aCustomer();
    const url = await start(await sandbox({ redirectUrl }));
    await decide(url, 'error');
    expect((await post(url, { decision: 'approve' })).status).toBe(409);
    expect((await post(url, { decision: 'scenario', scenario: 'service_error' })).status).toBe(409);
    expect(callbacks).toHaveLength(1);
  });

  it('twice at the same moment sends one callback', async () => {
    const { redirectUrl, callbacks } = await aCustomer();
    const url = await start(await sandbox({ redirectUrl }));
    const both = await Promise.all([post(url, { decision: 'approve' }), post(url, { decision: 'approve' })]);
    expect(both.map(({ location }) => location)).toEqual([returnUrl, returnUrl]);
    expect(callbacks).toHaveLength(1);
  });

  it('leaves a page that says so, and leads on', async () => {
    const { redirectUrl } = await aCustomer();
    const service = await sandbox({ redirectUrl });
    for (const [decision, words] of [
      ['approve', 'You shared your identity.'],
      ['decline', 'You declined.'],
      ['error', 'You chose “The wallet does not answer in time.”'],
    ] as const) {
      const url = await start(service);
      await decide(url, decision);
      const { status, text } = await page(url);
      expect(status).toBe(200);
      expect(text).toContain('This request is answered');
      expect(text).toContain(words);
      expect(text).not.toContain('code=c');
    }
  });

  it('the page after an error leads on as well', async () => {
    const { redirectUrl, callbacks } = await aCustomer();
    const url = await start(await sandbox({ redirectUrl }));
    await decide(url, 'error');
    expect((await page(url)).text).toContain('name="decision" value="again"');
    expect((await post(url, { decision: 'again' })).location).toBe(returnUrl);
    expect(callbacks).toHaveLength(1);
  });

  it('under way shows that it is on its way', async () => {
    let arrived = (): void => {};
    let release = (): void => {};
    const atCustomer = new Promise<void>((resolve) => (arrived = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    const { redirectUrl } = await aCustomer(async () => {
      arrived();
      await released;
      return goodReply;
    });
    const url = await start(await sandbox({ redirectUrl }));
    const posted = post(url, { decision: 'approve' });
    await atCustomer;
    expect((await page(url)).text).toContain('On its way');
    release();
    expect((await posted).location).toBe(returnUrl);
  });

  it('whose delivery failed is sent again with the same bytes', async () => {
    const { redirectUrl, callbacks } = await aCustomer((nth) => (nth === 1 ? { status: 400 } : goodReply));
    const url = await start(await sandbox({ redirectUrl }));
    expect((await post(url, { decision: 'approve' })).status).toBe(502);
    expect((await page(url)).status).toBe(502);
    expect((await post(url, { decision: 'decline' })).status).toBe(409);
    expect((await post(url, { decision: 'approve' })).location).toBe(returnUrl);
    expect(callbacks).toHaveLength(2);
    expect(callbacks[0]?.body.toString()).toBe(callbacks[1]?.body.toString());
  });

  it('can be taken again after a fault inside the sandbox', async () => {
    let broken = false;
    const { redirectUrl, callbacks } = await aCustomer();
    let calls = 0;
    const service = await sandbox({
      redirectUrl,
      clock: () => {
        calls += 1;
        if (broken && calls > 1) throw new Error('no time'); // found; then it is to sign
        return new Date();
      },
    });
    const url = await start(service);
    [broken, calls] = [true, 0];
    const failed = await post(url, { decision: 'approve' });
    expect(failed.status).toBe(500);
    expect(failed.text).toContain('The sandbox failed');
    expect(failed.text).not.toContain('no time');
    broken = false;
    expect(await decide(url, 'approve')).toBe(returnUrl);
    expect(callbacks).toHaveLength(1);
  });
});

describe('test/support/wallet.ts', () => {
  it('fails with the words of the page that came instead', async () => {
    const service = await sandbox();
    await expect(decide(await start(service), 'approve')).rejects.toThrow('No Redirect URL is set');
    service.redirectUrl = `http://127.0.0.1:${await refusingPort()}/identity/callback`;
    await expect(decide(await start(service), 'approve')).rejects.toThrow('The wallet answered 502: The app');
    expect((await prove(service, request())).status).toBe(200);
  });
});

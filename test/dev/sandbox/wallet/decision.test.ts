import { describe, expect, it } from '@jest/globals';
import { attributeIds } from '../../../../lib/types/attributes.js';
import { decide } from '../../../support/wallet.js';
import { goodReply } from '../customer.js';
import { aCustomer, folded, post, sandbox, start } from '../open.js';

const returnUrl = 'http://localhost:3000/identity/return?code=c';

async function page(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: folded(await response.text()) };
}

/** The wallet page of a new verification, and its customer. */
async function opened(more: Record<string, unknown> = {}, ...answer: Parameters<typeof aCustomer>) {
  const { redirectUrl, callbacks } = await aCustomer(...answer);
  const service = await sandbox({ redirectUrl });
  return { url: await start(service, more), callbacks, service, redirectUrl };
}

describe('A decision', () => {
  it('to decline sends access_denied', async () => {
    const { url, callbacks } = await opened({ state: 'declined-state' });
    expect(await decide(url, 'decline')).toBe(returnUrl);
    expect(Object.fromEntries(callbacks[0]?.body ?? [])).toEqual({
      error: 'access_denied',
      error_description: 'The person declined to share their identity.',
      state: 'declined-state',
    });
  });

  it('for an error sends the first of the list', async () => {
    const { url, callbacks } = await opened();
    expect(await decide(url, 'error')).toBe(returnUrl);
    expect(callbacks[0]?.body.get('error')).toBe('wallet_timeout');
  });

  it.each([
    ['timeout', 'wallet_timeout'],
    ['wrong_pin', 'access_denied'],
    ['card_blocked', 'card_blocked'],
    ['credential_missing', 'access_denied'],
    ['service_error', 'error_internal'],
    ['unknown_error_code', 'sandbox_code_from_tomorrow'],
  ])('for %s sends %s', async (scenario, error) => {
    const { url, callbacks } = await opened();
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
    const { url, callbacks } = await opened();
    const posted = await post(url, fields as Record<string, string>);
    expect(posted.status).toBe(400);
    expect(callbacks).toHaveLength(0);
  });

  it('that is no form at all: 400', async () => {
    expect((await fetch((await opened()).url, { method: 'POST' })).status).toBe(400);
  });

  it('again goes to the same address and sends nothing', async () => {
    const { url, callbacks } = await opened();
    await decide(url, 'approve');
    const again = await post(url, { decision: 'approve' });
    expect([again.status, again.location]).toEqual([303, returnUrl]);
    expect(callbacks).toHaveLength(1);
  });

  it('of another kind after it: 409, nothing is sent', async () => {
    const { url, callbacks } = await opened();
    await decide(url, 'error');
    expect((await post(url, { decision: 'approve' })).status).toBe(409);
    expect((await post(url, { decision: 'scenario', scenario: 'service_error' })).status).toBe(409);
    expect(callbacks).toHaveLength(1);
  });

  it('twice at the same moment sends one callback', async () => {
    const { url, callbacks } = await opened();
    const both = await Promise.all([post(url, { decision: 'approve' }), post(url, { decision: 'approve' })]);
    expect(both.map(({ location }) => location)).toEqual([returnUrl, returnUrl]);
    expect(callbacks).toHaveLength(1);
  });

  it('leaves a page that says so, and leads on', async () => {
    const { service, callbacks } = await opened();
    for (const [decision, words] of [
      ['approve', 'You shared this information.'],
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
      expect(text).toContain('name="decision" value="again"');
      expect((await post(url, { decision: 'again' })).location).toBe(returnUrl);
    }
    expect(callbacks).toHaveLength(3);
  });

  it('under way shows that it is on its way', async () => {
    let arrived = (): void => {};
    let release = (): void => {};
    const atCustomer = new Promise<void>((resolve) => (arrived = resolve));
    const released = new Promise<void>((resolve) => (release = resolve));
    const { url } = await opened({}, async () => {
      arrived();
      await released;
      return goodReply;
    });
    const posted = post(url, { decision: 'approve' });
    await atCustomer;
    expect((await page(url)).text).toContain('On its way');
    release();
    expect((await posted).location).toBe(returnUrl);
  });

  it('whose delivery failed is sent again with the same bytes', async () => {
    const { url, callbacks } = await opened({}, (nth) => (nth === 1 ? { status: 400 } : goodReply));
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

describe('A decision counts only from the page itself', () => {
  // bad-input.test.ts has the others, for each address.
  it.each<[string, Record<string, string> | ((url: string) => Record<string, string>), number]>([
    ['Sec-Fetch-Site same-origin', { 'sec-fetch-site': 'same-origin' }, 303],
    ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }, 403],
    ['Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }, 403],
    ['neither header', {}, 303],
    ['its own Origin', (url) => ({ origin: url }), 303],
  ])('%s', async (_what, headers, status) => {
    const { url, callbacks, service } = await opened();
    const own = typeof headers === 'function' ? headers(service.url) : headers;
    expect((await post(url, { decision: 'approve' }, own)).status).toBe(status);
    expect(callbacks).toHaveLength(status === 303 ? 1 : 0);
  });
});

describe('The wallet page', () => {
  it('shows who asks, what is shared with its values, and what stays', async () => {
    const { url, redirectUrl } = await opened({ revealed: ['given_name', 'birth_date'] });
    const { status, text } = await page(url);
    expect(status).toBe(200);
    expect(text).toContain(`${new URL(redirectUrl).host} asks for this information`);
    expect(text).toContain('<dt>Given name</dt><dd>Erika</dd>');
    expect(text).toContain('<dt>Date of birth</dt><dd>12 August 1964</dd>');
    expect(text).toContain('Stays in the wallet</h2><p class="soft">Family name, nationality<');
  });

  it.each([
    [{}, 'en', '12 August 1964'],
    [{}, 'de', '12. August 1964'],
    [{ person: 'unknown_day' }, 'de', '1951'],
    [{ person: { birth_date: '1971-05-00' } }, 'en', 'May 1971'],
    [{ person: { birth_date: '1971-00-09' } }, 'en', '1971-00-09'],
    [{ variant: 'base' }, 'en', '12 August 1964'],
  ] as const)('%j: the birth date reads in %s as %s', async (options, language, written) => {
    const url = await start(await sandbox(options), { revealed: ['birth_date'] });
    const text = await (await fetch(url, { headers: { 'accept-language': language } })).text();
    expect(text).toContain(`<dd>${written}</dd>`);
  });

  it.each([
    ['DE', 'Germany', 'Yes'],
    ['FR', 'France', 'No'],
  ])('shows the answer for the nationality %s of %s: %s', async (nationality, country, answer) => {
    const url = await start(await sandbox(), { derived: { nationality } });
    expect((await page(url)).text).toContain(
      `<dt>Whether you are a national of ${country} <span class="hint">yes or no only</span></dt><dd>${answer}</dd>`,
    );
  });

  it('escapes what the app sent', async () => {
    const person = { given_name: '"><script>alert(1)</script>' };
    const { text } = await page(await start(await sandbox({ person })));
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
  });

  it('leaves no heading over nothing where all is asked', async () => {
    const url = await start(await sandbox(), {
      revealed: attributeIds,
    });
    expect((await page(url)).text).not.toContain('Stays in the wallet');
  });

  it('holds neither state nor key', async () => {
    const { url, service } = await opened({ state: 'the-secret-state' });
    const { text } = await page(url);
    expect(text).not.toContain('the-secret-state');
    expect(text).not.toContain(service.options.apiKey);
  });

  it('without a Redirect URL says so, how to set one, and offers no decision', async () => {
    const service = await sandbox();
    const url = await start(service);
    const { text } = await page(url);
    expect(text).toContain('No Redirect URL is set');
    expect(text).toContain('pidgate dev --callback &lt;url&gt;');
    expect(text).not.toContain('<button');
    const posted = await post(url, { decision: 'approve' });
    expect(posted.status).toBe(409);
    expect(posted.text).toContain('No Redirect URL is set');
    const { redirectUrl } = await aCustomer();
    service.redirectUrl = redirectUrl;
    expect(await decide(url, 'approve')).toBe(returnUrl);
  });

  it('an unknown request: 404', async () => {
    const { url } = await sandbox();
    expect((await page(`${url}/wallet/unknown`)).status).toBe(404);
    expect((await post(`${url}/wallet/unknown`, { decision: 'approve' })).status).toBe(404);
  });

  it('a request expires after nine minutes, and its page says so from then on', async () => {
    let time = Date.now();
    const service = await sandbox({ clock: () => new Date(time) });
    const url = await start(service);
    time += 9 * 60 * 1000 - 1;
    expect((await page(url)).status).toBe(200);
    const younger = await start(service);
    time += 1;
    expect((await page(url)).status).toBe(410);
    expect((await page(younger)).status).toBe(200);
    time += 24 * 60 * 60 * 1000;
    await start(service);
    expect((await page(url)).status).toBe(410);
  });
});

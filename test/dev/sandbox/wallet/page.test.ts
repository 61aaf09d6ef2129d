import { describe, expect, it } from '@jest/globals';
import { decide } from '../../../support/wallet.js';
import { aCustomer, folded, post, sandbox, start } from '../open.js';

const returnUrl = 'http://localhost:3000/identity/return?code=c';

async function page(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: folded(await response.text()) };
}

describe('The wallet page', () => {
  it('shows who asks, what is shared with its values, and what stays', async () => {
    const { redirectUrl } = await aCustomer();
    const url = await start(await sandbox({ redirectUrl }), { revealed: ['given_name', 'birth_date'] });
    const { status, text } = await page(url);
    expect(status).toBe(200);
    expect(text).toContain(`${new URL(redirectUrl).host} asks for your identity`);
    expect(text).toContain('<dt>Given name</dt><dd>Erika</dd>');
    expect(text).toContain('<dt>Date of birth</dt><dd>1964-08-12</dd>');
    expect(text).toContain('Stays in the wallet</h2><p class="soft">Family name, Nationality<');
  });

  it('shows the birth date as the base variant sends it', async () => {
    const { redirectUrl } = await aCustomer();
    const url = await start(await sandbox({ redirectUrl, variant: 'base' }), { revealed: ['birth_date'] });
    expect((await page(url)).text).toContain('<dd>12-08-1964</dd>');
  });

  it.each([
    ['DE', 'Germany', 'Yes'],
    ['FR', 'France', 'No'],
  ])('shows the answer for the nationality %s of %s: %s', async (nationality, country, answer) => {
    const url = await start(await sandbox(), { derived: { nationality } });
    expect((await page(url)).text).toContain(
      `<dt>Whether you hold the nationality of ${country} <span class="hint">only yes or no</span></dt><dd>${answer}</dd>`,
    );
  });

  it('escapes what the app sent', async () => {
    const person = { given_name: '"><script>alert(1)</script>' };
    const { text } = await page(await start(await sandbox({ person })));
    expect(text).not.toContain('<script');
    expect(text).toContain('&#34;&#62;&#60;script&#62;');
  });

  it('leaves no heading over nothing where all is asked', async () => {
    const url = await start(await sandbox(), {
      revealed: ['family_name', 'given_name', 'birth_date', 'nationality'],
    });
    expect((await page(url)).text).not.toContain('Stays in the wallet');
  });

  it('holds neither state nor key', async () => {
    const service = await sandbox(await aCustomer().then(({ redirectUrl }) => ({ redirectUrl })));
    const { text } = await page(await start(service, { state: 'the-secret-state' }));
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

  it('a request is gone after ten minutes', async () => {
    let time = Date.now();
    const service = await sandbox({ clock: () => new Date(time) });
    const url = await start(service);
    time += 10 * 60 * 1000 - 1;
    expect((await page(url)).status).toBe(200);
    const younger = await start(service);
    time += 1;
    expect((await page(url)).status).toBe(404);
    expect((await page(younger)).status).toBe(200);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createBrowser } from '../../../support/browser.js';
import { agree, germanFlow, headingOf, openWallet, openedWallet } from '../german.js';

const returnUrl = 'http://localhost:3000/identity/return?code=c';

describe('The built-in wallet', () => {
  it('shows who asks, for what, and whose card answers', async () => {
    const flow = await germanFlow({ request: { revealed: ['birth_date', 'given_name'] } });
    const { text } = await flow.browser.get(await openWallet(flow));
    expect(headingOf(text)).toBe('Share this information?');
    expect(text).toMatch(/x509_hash:[\w-]{43}/);
    const [, shared = ''] = text.split('Will be shared');
    expect(shared.indexOf('Date of birth')).toBeLessThan(shared.indexOf('Given name'));
    expect(text).toMatch(/<option value="erika" selected\s*>/);
    expect(text).not.toContain(flow.state);
  });

  it('says what the service sees where the card has no such answer', async () => {
    const flow = await germanFlow({ request: { derived: { nationality: 'DE' } } });
    const { text } = await flow.browser.get(await openWallet(flow));
    const kept = /<h2>Stays in the wallet<\/h2>\s*<p[^>]*>([^<]*)</.exec(text)?.[1] ?? '';
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'The service sees the nationalities and passes on only yes or no',
    );
    expect(kept).toContain('Family name');
    expect(kept).not.toContain('Nationality');
    const without = await germanFlow();
    const other = (await without.browser.get(await openWallet(without))).text;
    expect(other).not.toContain('the service sees');
    expect(other).toContain('Nationality, address and more');
  });

  it('approve and the right PIN: the wallet gets the way back, and the kit accepts the proof', async () => {
    const { flow, wallet } = await openedWallet();
    await flow.browser.post(wallet, { decision: 'approve' });
    expect(headingOf((await flow.browser.get(wallet)).text)).toBe('Enter your PIN');
    const { status, location } = await flow.browser.post(wallet, { decision: 'pin', pin: '123456' });
    expect([status, location]).toEqual([303, returnUrl]);
    expect(await flow.verdict()).toMatchObject({ valid: true, attributes: { given_name: 'ERIKA' } });
    const { text } = await flow.browser.get(flow.page);
    expect(headingOf(text)).toBe('This request is answered');
    expect(text).not.toContain('code=c');
  });

  it.each([
    ['minor', { given_name: 'LEON' }],
    ['umlauts', { given_name: 'ÄNNE JÖRG', family_name: 'GRÖẞMANN-ÜBELACKER' }],
    ['greek', { given_name: 'ΕΛΈΝΗ' }],
    ['dual', { nationality: ['DE', 'FR'] }],
    ['stateless', { nationality: ['QS'] }],
    ['leap_day', { birth_date: '2008-02-29' }],
    ['one_name', { given_name: '-' }],
  ])('the card of %s is as the provider writes it', async (person, attributes) => {
    const flow = await germanFlow({
      request: { revealed: ['given_name', 'family_name', 'birth_date', 'nationality'] },
    });
    const wallet = await openWallet(flow);
    expect((await flow.browser.post(wallet, { decision: 'person', person })).status).toBe(303);
    await agree(flow, wallet);
    expect(await flow.verdict()).toMatchObject({ valid: true, attributes });
  });

  it('a birth date that is partly unknown is refused by the kit, not guessed', async () => {
    const flow = await germanFlow({ person: 'unknown_day', request: { revealed: ['birth_date'] } });
    await agree(flow, await openWallet(flow));
    expect(await flow.verdict()).toMatchObject({ valid: false, code: 'attribute_invalid' });
  });

  it('a wrong PIN says how many tries are left; the third blocks the card, and the app hears of it', async () => {
    const { flow, wallet } = await openedWallet();
    await flow.browser.post(wallet, { decision: 'approve' });
    const pages = [];
    for (const pin of ['000000', '000001', '000002']) {
      await flow.browser.post(wallet, { decision: 'pin', pin });
      pages.push((await flow.browser.get(wallet)).text);
    }
    expect(pages.map(headingOf)).toEqual(['That PIN is wrong', 'That PIN is wrong', 'This card is blocked']);
    expect(pages[0]).toContain('You have 2 tries left.');
    expect(pages[1]).toContain('You have one try left.');
    await flow.browser.post(wallet, { decision: 'pin', pin: '123456' });
    const blocked = (await flow.browser.get(wallet)).text;
    expect(headingOf(blocked)).toBe('This card is blocked');
    expect(blocked).toContain('value="blocked">Back to the website<');
    expect(flow.callbacks).toHaveLength(0);
    const { location } = await flow.browser.post(wallet, { decision: 'blocked' });
    expect(location).toBe(returnUrl);
    expect(flow.callbacks[0]?.body.get('error')).toBe('card_blocked');
  });

  it.each([
    ['Cancel before any PIN', [], 'access_denied'],
    ['Cancel after a wrong PIN', [{ decision: 'pin', pin: '000000' }], 'access_denied'],
  ])('%s: %s', async (_what, before, error) => {
    const { flow, wallet } = await openedWallet();
    await flow.browser.post(wallet, { decision: 'approve' });
    for (const form of before) await flow.browser.post(wallet, form);
    expect((await flow.browser.post(wallet, { decision: 'give_up' })).location).toBe(returnUrl);
    expect(flow.callbacks[0]?.body.get('error')).toBe(error);
  });

  it('decline: the app gets access_denied and no presentation', async () => {
    const flow = await germanFlow();
    const { location } = await flow.browser.post(await openWallet(flow), { decision: 'decline' });
    expect(location).toBe(returnUrl);
    expect(Object.fromEntries(flow.callbacks[0]?.body ?? [])).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: flow.state,
    });
  });

  it.each([
    [{ decision: 'scenario', scenario: 'constructor' }],
    [{ decision: 'scenario', scenario: 'keys_unreachable' }],
    [{ decision: 'pin', pin: '123456' }],
    [{ decision: 'blocked' }],
    [{ decision: 'give_up' }],
    [{ decision: 'person', person: 'nobody' }],
    [{}],
  ])('%j before its time, or not known: 400, nothing is sent', async (form) => {
    const flow = await germanFlow();
    const { status } = await flow.browser.post(await openWallet(flow), form as Record<string, string>);
    expect(status).toBe(400);
    expect(flow.callbacks).toHaveLength(0);
  });

  it.each([
    ['no request at all', ''],
    ['a request of elsewhere', '?client_id=x&request_uri=http%3A%2F%2Flocalhost%3A1%2Frequest%2Fx'],
    ['two of them', '?client_id=x&request_uri=a&request_uri=b'],
  ])('opens nothing for %s: 404', async (_what, query) => {
    const { service, browser } = await germanFlow();
    expect((await browser.get(`${service.url}/holder${query}`)).status).toBe(404);
  });

  it('stops where the link names another client than the certificate', async () => {
    const flow = await germanFlow();
    const shown = await flow.browser.get(flow.page);
    const link = /href="([^"]*\/holder\?[^"]*)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const other = new URL(link);
    other.searchParams.set('client_id', 'x509_hash:someone-else');
    const { status, text } = await flow.browser.get(other.href);
    expect([status, headingOf(text)]).toEqual([409, 'The wallet stops here']);
  });

  it('a second wallet for the same request comes too late', async () => {
    const flow = await germanFlow();
    const [one, other] = [await openWallet(flow), await openWallet(flow, createBrowser())];
    await flow.browser.post(one, { decision: 'decline' });
    const { status, text } = await flow.browser.post(other, { decision: 'decline' });
    expect([status, headingOf(text)]).toEqual([409, 'The wallet stops here']);
    expect(flow.callbacks).toHaveLength(1);
    expect(headingOf((await flow.browser.get(one)).text)).toBe('Done');
  });

  it.each([
    ['the PIN', [{ decision: 'approve' }], { decision: 'pin', pin: '123456' }],
    ['Decline', [], { decision: 'decline' }],
  ])('%s sent twice gives one answer, and both lead back to the app', async (_what, before, form) => {
    const { flow, wallet } = await openedWallet();
    for (const earlier of before) await flow.browser.post(wallet, earlier);
    const pressed = [flow.browser.post(wallet, form), flow.browser.post(wallet, form)];
    const later = [...(await Promise.all(pressed)), await flow.browser.post(wallet, form)];
    expect(later.map(({ status, location }) => [status, location])).toEqual(
      Array.from({ length: 3 }, () => [303, returnUrl]),
    );
    expect(flow.callbacks).toHaveLength(1);
  });
});

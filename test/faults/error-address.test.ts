import { describe, expect, test } from '@jest/globals';
import { type AppSetup, noCode, startApp } from '../support/app.js';
import type { Browser } from '../support/browser.js';

const general = 'We cannot find this verification';

/** What each says of a person's ID, or of what the person did. */
const aboutPerson = [
  'attribute_invalid',
  'attributes_missing',
  'card_blocked',
  'credential_expired',
  'credential_missing',
  'credential_revoked',
  'declined',
  'identity_insufficient',
  'not_shared',
  'refused',
  'timed_out',
];

/** An app, a browser that has begun there, and the address of its error page. */
async function open(setup: AppSetup = {}) {
  const app = await startApp(setup);
  const browser = app.browser();
  await app.start(browser, '?returnTo=/club');
  const flow = app.events.find(({ type }) => type === 'flow.started')?.flow ?? '';
  const addressOf = (code: string): string => `${app.url}/identity/return?error=${code}&flow=${flow}`;
  return { app, browser, addressOf };
}

const titleAt = async (browser: Browser, address: string): Promise<string> =>
  /<h1>(.*?)<\/h1>/s.exec((await browser.visit(address)).text)?.[1] ?? '';

describe('F125 a page about a person’s ID speaks only to whom it happened', () => {
  test.each(aboutPerson)('F125 %s, opened by its owner and by a stranger', async (code) => {
    const { app, browser, addressOf } = await open();
    const own = await titleAt(browser, addressOf(code));
    expect([own === '', own === general]).toEqual([false, false]);
    // Somebody without a session, and somebody who has one of their own here.
    const other = app.browser();
    await app.start(other);
    for (const stranger of [app.browser(), other]) {
      expect(await titleAt(stranger, `${app.url}/identity/return?error=${code}`)).toBe(general);
      expect(await titleAt(stranger, addressOf(code))).toBe(general);
    }
    // The owner's other flow has come after it: the older one is known by its record.
    await app.start(browser);
    expect(await titleAt(browser, addressOf(code))).toBe(own);
  });

  test('F125 without the name of a flow it speaks to nobody, and no name of a flow is shown that nobody owns', async () => {
    const { app, browser } = await open();
    for (const flow of ['', '&flow=', '&flow=<b>', `&flow=${noCode.slice(0, 43)}`, '&flow=a&flow=b']) {
      const page = await browser.visit(`${app.url}/identity/return?error=card_blocked${flow}`);
      expect([page.status, page.text.includes(general), page.text.includes('blocked')]).toEqual([
        200,
        true,
        false,
      ]);
    }
  });

  test('F125 where the session’s cookie is SameSite=Strict, one step from this site brings it', async () => {
    const { app, browser, addressOf } = await open();
    const from = await app.browser().get(addressOf('card_blocked')); // as a redirect from another site comes
    expect(from.status).toBe(200);
    expect(from.text).not.toContain('blocked.');
    const [, step = ''] = /content="0;url=([^"]*)"/.exec(from.text) ?? [];
    const again = step.replaceAll('&amp;', '&');
    expect(again).toContain('error=card_blocked');
    expect(await titleAt(browser, new URL(again, app.url).href)).toBe('Your identity card is blocked');
    expect(await titleAt(app.browser(), new URL(again, app.url).href)).toBe(general);
  });

  test("F125 with confirm: 'callback' it is general", async () => {
    const { app, browser, addressOf } = await open({
      options: { confirm: 'callback', onSuccess: () => undefined },
    });
    for (const code of aboutPerson) expect(await titleAt(browser, addressOf(code))).toBe(general);
    // At once: a step from this site would change nothing.
    expect((await app.browser().get(addressOf('declined'))).text).toContain(`<h1>${general}</h1>`);
  });

  test('F125 the app’s own page is told state_unknown, unless the session owns the flow', async () => {
    const { app, browser, addressOf } = await open({ options: { errorRedirect: '/sorry' } });
    const address = addressOf('credential_revoked');
    expect((await browser.get(address)).location).toContain('/sorry?error=credential_revoked&');
    const ofNone = await browser.get(`${app.url}/identity/return?error=service_error`);
    expect(ofNone.location).toBe('/sorry?error=service_error'); // it names no flow, so it is about none
    expect((await app.browser().get(`${address}&reload=1`)).location).toBe('/sorry?error=state_unknown');
    const other = app.browser();
    await app.start(other);
    expect((await other.get(address)).location).toContain('/sorry?error=state_unknown');
  });

  test.each(['service_unreachable', 'config_invalid', 'presentation_invalid', 'service_error'])(
    'F125 %s is about no person: everybody reads it',
    async (code) => {
      const { app, addressOf } = await open();
      const title = await titleAt(app.browser(), addressOf(code));
      expect([title === '', title === general]).toEqual([false, false]);
    },
  );
});

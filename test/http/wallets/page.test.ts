import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { type AppSetup, unknownState } from '../../support/app.js';
import { startWalletApp, type WalletApp } from '../../support/wallets.js';

const open = async (options: AppSetup['options'] = {}): Promise<WalletApp> =>
  await startWalletApp({ options });

describe('the page that waits for a wallet', () => {
  test('its policy allows its one script by its digest, and to ask this app', async () => {
    const app = await open();
    const { shown } = await app.begin();
    const [script = '', ...others] = [...shown.text.matchAll(/<script>(.*?)<\/script>/gs)].map(
      ([, text]) => text ?? '',
    );
    const digest = createHash('sha256').update(script).digest('base64');
    expect(others).toEqual([]);
    const policy = shown.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([`script-src 'sha256-${digest}'`, "connect-src 'self'", "default-src 'none'"]),
    );
    expect(() => new Script(script)).not.toThrow();
    expect(shown.text.match(/<script/g)).toHaveLength(1);
  });
});

describe('a browser that has not started it', () => {
  test('is told so at the same address, and of the flow nothing', async () => {
    const app = await open({ pages: { name: 'Nordlicht' } });
    const { page, state, poll } = await app.begin('?returnTo=/club');
    const stranger = app.browser();
    const shown = await stranger.get(page);
    expect([shown.status, shown.location]).toEqual([403, undefined]);
    expect(shown.text).toContain('<h1>Nordlicht does not recognise this browser</h1>');
    expect(shown.text).toContain('allow them for this site, and load this page again');
    expect(shown.text).not.toMatch(/openid4vp:|returnTo|<script|has ended|ended it/);
    expect((await poll(stranger)).status).toBe(404);
    const unknown = await stranger.get(page.replace(state, unknownState()));
    expect(unknown.text.replaceAll(/state=[^"&]+/g, '')).toBe(shown.text.replaceAll(/state=[^"&]+/g, ''));
    expect((await poll()).body).toEqual({ status: 'pending' });
  });
});

describe('P68 a language that the person has chosen', () => {
  /** The addresses of the kit's own that a page leads to, but for those that choose a language. */
  const kitLinks = (text: string): string[] =>
    [
      ...text.matchAll(
        /<(?:a class="button[^"]*"|form method="post"[^>]*?) (?:href|action)="(\/identity[^"]*)"/g,
      ),
    ].map(([, address = '']) => address.replaceAll('&amp;', '&'));

  test('stays on the page, in what it polls, after Cancel, and on the start that follows', async () => {
    const app = await open();
    const browser = app.browser();
    const start = await browser.get(`${app.url}/identity/start?lang=fr`);
    expect(kitLinks(start.text)).toEqual(['/identity/start?lang=fr&form=kit']);
    const waiting = await app.begin('?lang=fr', browser);
    expect(waiting.shown.text).toContain('<html lang="fr">');
    const { state, page } = waiting;
    const own = `/identity/wallet?state=${state}&lang=fr`;
    expect(waiting.shown.text).toContain(`data-poll="${own.replace('&', '&amp;')}"`);
    expect(kitLinks(waiting.shown.text)).toEqual([own, own]); // without scripts, and Cancel
    expect(waiting.shown.text).toContain(`lang=de" lang="de"`);
    const cancelled = await browser.post(page);
    expect(cancelled.location).toMatch(/\/identity\/return\?error=declined&flow=[\w-]{43}&lang=fr$/);
    const after = await browser.get(cancelled.location ?? '');
    expect(after.text).toContain('<h1>Vous avez annulé</h1>');
    expect(kitLinks(after.text)).toEqual(['/identity/start?lang=fr']);
  });

  test('stays at the return, where it is refused too, and on the pages for a browser that is not known', async () => {
    const app = await open({
      onSuccess: () => {
        throw new Error('The app has a fault.');
      },
    });
    const { links, again, browser, page } = await app.begin('?lang=de');
    const opened = await app.wallet.open(links.code ?? '');
    await opened.send(await opened.respond());
    const { location = '' } = await again();
    expect(location).toMatch(/\/identity\/return\?code=[\w-]{43}\.[\w-]{43}&lang=de$/);
    expect((await browser.get(location)).text).toContain('<h1>Fast geschafft</h1>');
    const stranger = await app.browser().get(page);
    expect(stranger.text).toContain('<html lang="de">');
    expect(kitLinks(stranger.text)).toEqual(['/identity/start?lang=de']);
    const first = await app.browser().get(location); // a cookie may come with a step from this site
    expect(first.text).toMatch(/url=\/identity\/return\?code=[^"]+&amp;reload=1&amp;lang=de"/);
    const last = await app.browser().get(`${location}&reload=2`);
    expect(kitLinks(last.text)).toEqual(['/identity/start?lang=de']);
  });

  test('is not written into an address of the app', async () => {
    const app = await open({ errorRedirect: '/sorry', confirm: 'callback', onSuccess: () => {} });
    const { page, browser } = await app.begin('?lang=de');
    const cancelled = await browser.post(page);
    expect(cancelled.location).toBe(`${app.url}/sorry?error=declined`);
  });
});

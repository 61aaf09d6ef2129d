import { describe, expect, it } from '@jest/globals';
import { germanFlow, headingOf, openWallet } from './german.js';
import { sandbox, start } from './open.js';

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
const pageIn = async (url: string, headers: Record<string, string> = german): Promise<string> =>
  await (await fetch(url, { headers })).text();

describe('the sandbox speaks the language that a browser asks for', () => {
  it('the consent page, the page of an unknown request, and English for anybody else', async () => {
    const service = await sandbox({ redirectUrl: 'http://localhost:1/cb' });
    const url = await start(service);
    const page = await pageIn(url);
    expect(page).toContain('<html lang="de">');
    expect(headingOf(page)).toBe('localhost:1 fragt diese Angaben ab');
    expect(page).toContain('Die Wallet antwortet nicht rechtzeitig (timeout)');
    const unknown = await pageIn(`${service.url}/wallet/unknown`);
    expect(headingOf(unknown)).toBe('Diese Anfrage ist abgelaufen');
    expect(unknown).toContain('</strong> Wallet,'); // a person sees it, not its developer
    expect(page).toContain('· pidgate-Testumgebung</title>');
    expect(await pageIn(`${service.url}/nowhere`)).toContain('<a href="/">Übersicht</a>');
    for (const language of ['en', 'fr', '*', 'en, de;q=0.5']) {
      expect(headingOf(await pageIn(url, { 'accept-language': language }))).toBe(
        'localhost:1 asks for this information',
      );
    }
  });

  it.each([
    ['en', 'Family name, nationality', 'Is only French'],
    ['de', 'Familienname, Staatsangehörigkeit', 'Hat nur die französische Staatsangehörigkeit'],
  ])('%s: capitals within a list as they are written there', async (lang, list, option) => {
    const flow = await germanFlow({ request: { revealed: ['given_name', 'birth_date'] } });
    const page = await flow.browser.get(await openWallet(flow), { 'accept-language': lang });
    expect(page.text).toContain(`>${list}</p>`);
    expect(page.text).toContain(`<span>${option}</span>`);
  });

  it('the whole way of the German identity card', async () => {
    const flow = await germanFlow({ request: { derived: { nationality: 'FR' } } });
    const wallet = await openWallet(flow);
    const ask = (await flow.browser.get(wallet, german)).text;
    expect(headingOf(ask)).toMatch(/fragt diese Angaben ab$/);
    expect(ask).toContain('Staatsangehörigkeit: Frankreich');
    const posted = async (form: Record<string, string>) => {
      await flow.browser.post(wallet, form, german);
      return (await flow.browser.get(wallet, german)).text;
    };
    expect(headingOf(await posted({ decision: 'approve' }))).toBe('Geben Sie Ihre PIN ein');
    const pin = { decision: 'pin', pin: '000000' };
    expect(await posted({ ...pin, pin: '12' })).toContain('Die PIN hat sechs Ziffern.');
    expect(await posted(pin)).toContain('Sie haben noch 2 Versuche. Danach ist der Ausweis gesperrt.');
    expect(await posted(pin)).toContain('Sie haben noch einen Versuch.');
    expect(headingOf(await posted(pin))).toBe('Dieser Ausweis ist gesperrt');
    await posted({ decision: 'blocked' });
    expect((await flow.browser.get(flow.page, german)).text).toContain('Diese Anfrage ist beantwortet');
  });

  it('a link leads to the other language, which then holds on every page', async () => {
    const flow = await germanFlow();
    const first = await flow.browser.get(flow.page);
    expect(first.text).toContain('<a href="?lang=de" hreflang="de" lang="de">Deutsch</a>');
    const chosen = await flow.browser.get(`${flow.page}?lang=de`);
    expect(headingOf(chosen.text)).toMatch(/fragt diese Angaben ab$/);
    expect(chosen.text).toContain('<a href="?lang=en" hreflang="en" lang="en">English</a>');
    expect(chosen.headers.get('set-cookie')).toBe('pidgate_sandbox_lang=de; Path=/; HttpOnly; SameSite=Lax');
    const wallet = await openWallet(flow);
    expect(headingOf((await flow.browser.get(wallet)).text)).toMatch(/fragt diese Angaben ab$/);
    const back = await flow.browser.get(`${wallet}?lang=en`, german);
    expect(headingOf(back.text)).toMatch(/asks for this information$/);
    expect(headingOf((await flow.browser.get(wallet, german)).text)).toMatch(/asks for this information$/);
    const other = await flow.browser.get(`${wallet}?lang=eo`, german);
    expect([headingOf(other.text), other.headers.get('set-cookie')]).toEqual([
      expect.stringMatching(/asks for this information$/),
      null,
    ]);
    expect((await flow.browser.get(flow.service.url)).text).not.toContain('?lang='); // in English only
  });
});

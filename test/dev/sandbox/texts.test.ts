import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { peopleOn, type PersonName } from '../../../lib/dev/sandbox/people/people.js';
import { isChoosable } from '../../../lib/dev/sandbox/pages/scenario-choice.js';
import { germanTexts as de } from '../../../lib/dev/sandbox/pages/texts/de.js';
import { englishTexts as en, type SandboxTexts } from '../../../lib/dev/sandbox/pages/texts/en.js';
import { scenarioIds } from '../../../lib/dev/sandbox/scenarios/catalogue.js';
import { germanFlow, headingOf, openWallet } from './german.js';
import { sandbox, start } from './open.js';

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
const pageIn = async (url: string, headers: Record<string, string> = german): Promise<string> =>
  await (await fetch(url, { headers })).text();

/** Every sentence of one language, the functions with the same values. */
function sentences(say: SandboxTexts): string[] {
  return Object.entries(say).flatMap(([name, text]) => {
    if (['lang', 'says', 'reasonOf', 'refusal'].includes(name)) return [];
    if (typeof text === 'string') return text;
    if (typeof text === 'function') return (text as (value: number) => string)(2);
    return Object.values(text as object) as string[];
  });
}

describe('P15 the sandbox speaks German to a browser that asks for it', () => {
  it('P15 each text is translated, whole', () => {
    const [english, translated] = [sentences(en), sentences(de)];
    expect(translated).toHaveLength(english.length);
    expect(translated.filter((text) => english.includes(text))).toEqual([]);
    expect(translated.filter((text) => /\b(the|you|your|wallet|is)\b/i.test(text))).toEqual([]);
  });

  it('P15 so are the people, the scenarios that one can choose, and why the wallet stops', () => {
    const names = Object.keys(peopleOn(new Date())) as PersonName[];
    expect(names.filter((name) => en.reasonOf(name) === de.reasonOf(name))).toEqual([]);
    const asked = { issuer: 'xx-sandbox', revealed: [], state: '', same_device: true };
    const chosen = scenarioIds.filter((id) => isChoosable(id, { ...asked, derived: { nationality: 'DE' } }));
    expect(chosen.length).toBeGreaterThan(25);
    expect(chosen.filter((id) => de.says(id) === id || de.says(id) === en.says(id))).toEqual([]);
    const source = readFileSync('lib/dev/sandbox/wallet/wallet.ts', 'utf8');
    const refusals = [...source.matchAll(/new WalletRefusal\(\s*'([^']+)'/g)].map(
      ([, reason = '']) => reason,
    );
    expect(refusals).toHaveLength(6);
    expect(refusals.filter((reason) => de.refusal(reason) === reason)).toEqual([]);
  });

  it('P15 the consent page, the page of an unknown request, and English for anybody else', async () => {
    const service = await sandbox({ redirectUrl: 'http://localhost:1/cb' });
    const url = await start(service);
    const page = await pageIn(url);
    expect(page).toContain('<html lang="de">');
    expect(headingOf(page)).toBe('localhost:1 fragt diese Angaben ab');
    expect(page).toContain('timeout: Die Ausweis-App antwortet nicht rechtzeitig.');
    const unknown = await pageIn(`${service.url}/wallet/unknown`);
    expect(headingOf(unknown)).toBe('Diese Anfrage ist abgelaufen');
    expect(unknown).toContain('</strong> Ausweisdienst,'); // a person sees it, not its developer
    expect(page).toContain('· pidgate-Testumgebung</title>');
    expect(await pageIn(`${service.url}/nowhere`)).toContain('<a href="/">Übersicht</a>');
    for (const language of ['en', 'fr', '*', 'en, de;q=0.5']) {
      expect(headingOf(await pageIn(url, { 'accept-language': language }))).toBe(
        'localhost:1 asks for this information',
      );
    }
  });

  it('P15 the whole way of the German identity card', async () => {
    const flow = await germanFlow({ request: { derived: { nationality: 'FR' } } });
    expect(headingOf((await flow.browser.get(flow.page, german)).text)).toBe('Öffnen Sie Ihre Ausweis-App');
    const wallet = await openWallet(flow);
    const ask = (await flow.browser.get(wallet, german)).text;
    expect(headingOf(ask)).toBe('Diese Angaben übermitteln?');
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
    expect((await flow.browser.get(wallet, german)).text).toContain('Es wurde nichts übermittelt');
    expect((await flow.browser.get(flow.page, german)).text).toContain('Diese Anfrage ist beantwortet');
  });

  it('P15 a link leads to the other language, which then holds on every page', async () => {
    const flow = await germanFlow();
    const first = await flow.browser.get(flow.page);
    expect(first.text).toContain('<a href="?lang=de" hreflang="de" lang="de">Deutsch</a>');
    const chosen = await flow.browser.get(`${flow.page}?lang=de`);
    expect(headingOf(chosen.text)).toBe('Öffnen Sie Ihre Ausweis-App');
    expect(chosen.text).toContain('<a href="?lang=en" hreflang="en" lang="en">English</a>');
    expect(chosen.headers.get('set-cookie')).toBe('pidgate_sandbox_lang=de; Path=/; HttpOnly; SameSite=Lax');
    const wallet = await openWallet(flow);
    expect(headingOf((await flow.browser.get(wallet)).text)).toBe('Diese Angaben übermitteln?');
    const back = await flow.browser.get(`${wallet}?lang=en`, german);
    expect(headingOf(back.text)).toBe('Share this information?');
    expect(headingOf((await flow.browser.get(wallet, german)).text)).toBe('Share this information?');
    const other = await flow.browser.get(`${wallet}?lang=fr`, german);
    expect([headingOf(other.text), other.headers.get('set-cookie')]).toEqual([
      'Share this information?',
      null,
    ]);
    expect((await flow.browser.get(flow.service.url)).text).not.toContain('?lang='); // in English only
  });
});

import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { en } from '../../lib/options/pages/en.js';
import { type Running, noCode, startApp, throws } from '../support/app.js';
import { unhandledIn } from '../support/unhandled.js';

afterEach(() => void jest.restoreAllMocks());

async function open(pages?: object): Promise<Running> {
  return await startApp({ options: { pages } });
}

async function start(app: Running, headers: Record<string, string> = {}): Promise<string> {
  return (await app.browser().get(`${app.url}/identity/start`, headers)).text;
}

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
const titles = { en: 'Prove who you are', de: 'Weisen Sie sich aus', fr: 'Prouvez votre identité' };

describe('the language of a page', () => {
  test('is what the browser asks for, else English', async () => {
    const app = await open();
    expect(await start(app, german)).toMatch(/<html lang="de">[^]*Weisen Sie sich aus/);
    const french = await start(app, { 'accept-language': 'fr-CH, fr;q=0.9, de;q=0.8' });
    expect(french).toMatch(/<html lang="fr">[^]*Prouvez votre identité/);
    expect(await start(app, german)).toContain('lang="fr" hreflang="fr">Français</a>');
    expect(await start(app, { 'accept-language': 'eo' })).toContain(titles.en);
    expect(await start(app)).toContain(titles.en);
    expect(await start(app, { 'accept-language': '*;q=0, "<script>' })).toContain('<html lang="en">');
  });

  test('is what the app says, by tag or by its first part', async () => {
    let said: unknown;
    const app = await open({
      locale: () => said,
      texts: { 'pt-BR': { ...en, start_title: 'Prove quem é' } },
    });
    for (const [tag, title] of [
      ['de', titles.de],
      ['DE-ch', titles.de],
      ['fr-CA', titles.fr],
      ['pt-br', 'Prove quem é'],
      ['en-GB', titles.en],
    ]) {
      said = tag;
      expect(await start(app, { 'accept-language': 'eo' })).toContain(title);
    }
    for (const odd of ['eo', '', undefined, 7, Promise.resolve('en'), 'constructor']) {
      said = odd;
      expect(await start(app, german)).toContain(titles.de);
    }
  });

  test('a function that throws costs no page', async () => {
    const app = await open({ locale: throws() });
    const page = await start(app, german);
    expect(page).toContain(titles.de);
    expect(page).not.toContain('marker');
  });

  test('one that is async by mistake, and fails, costs neither a page nor the process', async () => {
    const unhandled = await unhandledIn(async () => {
      const app = await open({ locale: async () => await Promise.reject(new Error('marker')) });
      expect(await start(app, german)).toContain(titles.de);
    });
    expect(unhandled).toEqual([]);
  });

  test('an error page speaks it too', async () => {
    const app = await open();
    const { text } = await app.browser().get(`${app.url}/identity/return?error=attributes_missing`, german);
    expect(text).toContain('Es fehlt etwas');
    expect(text).toContain('Zurück zu 127.0.0.1:');
  });
});

describe('whose page it is', () => {
  test('the site has its name, logo, colour and links on every page', async () => {
    const app = await open({
      name: 'Erika & Co',
      logo: '/logo.png',
      colors: { accent: '#e30613' },
      homeUrl: '/home',
      privacyUrl: 'https://shop.example/privacy',
    });
    const returns = ['/return', `/return?code=${noCode}`, '/return?error=refused'];
    for (const address of ['/start', '/start?returnTo=//x', ...returns]) {
      const { text, headers } = await app.browser().get(`${app.url}/identity${address}`);
      expect(text).toContain('<a href="/home"><img src="/logo.png" alt="Erika &amp; Co" /></a>');
      expect(text).toMatch(/<a (class="button" )?href="\/home">(Cancel|Back to Erika &amp; Co)<\/a>/);
      expect(text).toContain('<a href="https://shop.example/privacy">Privacy</a>');
      expect(text).toContain('--accent:#e30613;--accent-ink:#ffffff');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
    }
  });

  test('a picture in a data: URL is allowed by its scheme, and no text of it reaches a header', async () => {
    const app = await open({ logo: 'data:image/png;base64,bWFya2Vy' });
    const { headers } = await app.browser().get(`${app.url}/identity/start`);
    expect(headers.get('content-security-policy')).toContain('; img-src data:; ');
    expect(JSON.stringify([...headers])).not.toContain('bWFya2Vy');
  });

  test('without a name it is the host of this request, out of appUrl', async () => {
    const app = await startApp({
      options: { appUrl: ['https://shop.example', 'https://www.shop.example'] },
      before: (its) => its.set('trust proxy', 'loopback'),
    });
    expect(await start(app, { 'x-forwarded-host': 'www.shop.example' })).toContain('>www.shop.example</a>');
    const other = await start(app, { 'x-forwarded-host': 'evil.example' });
    expect(other).toContain('>shop.example</a>');
    expect(other).not.toContain('evil');
  });
});

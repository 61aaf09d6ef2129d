import { describe, expect, test } from '@jest/globals';
import { en } from '../../lib/options/pages/en.js';
import { configured, refusal } from './settings.js';

const png = 'data:image/png;base64,iVBORw0KGgo=';

describe('the option pages', () => {
  test('nothing of it is needed', () => {
    for (const pages of [undefined, {}, { name: undefined, texts: undefined }]) {
      const its = configured({ pages }).pages;
      expect(its).toMatchObject({ homeUrl: '/', name: undefined, privacyUrl: undefined });
      expect(its.languages.map(({ lang }) => lang)).toEqual(['en', 'de']);
      expect(Object.isFrozen(its)).toBe(true);
    }
  });

  test.each([
    [{ logo: '/logo.svg', homeUrl: '/home?a=1', privacyUrl: 'https://shop.example/privacy' }],
    [{ logo: png, accent: '#E30613', name: '<b>&' }],
    [{ logo: 'data:image/webp;base64,AAAA' }],
    [{ logo: 'data:image/jpeg;base64,/9j/AAAA' }],
  ])('takes %j', (pages) => {
    expect(configured({ pages }).pages).toMatchObject(pages);
  });

  const logo =
    'Option pages.logo: must be a path of the app, or a data: URL of a PNG, JPEG or WebP of at most 100 kB.';
  const colour = 'Option pages.accent: must be a colour such as #0b5a8a.';
  const address = 'must be an https address or a path of the app.';
  test.each([
    [[], 'The options of pages must be an object.'],
    ['Shop', 'The options of pages must be an object.'],
    [
      { colour: '#000000' },
      'Unknown option colour of pages. Known options: name, logo, accent, privacyUrl, homeUrl, locale, texts, render.',
    ],
    [{ privacyURL: '/p' }, 'Unknown option privacyURL of pages. Did you mean privacyUrl?'],
    [{ name: '' }, 'Option pages.name must be a non-empty string.'],
    [{ name: 7 }, 'Option pages.name must be a non-empty string.'],
    [{ logo: 'logo.png' }, logo],
    [{ logo: '//evil.example/logo.png' }, logo],
    [{ logo: 'https://cdn.example/logo.png' }, logo],
    [{ logo: 'data:image/svg+xml;base64,AAAA' }, logo],
    [{ logo: 'data:image/gif;base64,AAAA' }, logo],
    [{ logo: 'data:text/html;base64,AAAA' }, logo],
    [{ logo: 'data:image/png;base64,AA"AA' }, logo],
    [{ logo: `data:image/png;base64,${'A'.repeat(100_000)}` }, logo],
    [{ logo: 7 }, logo],
    [{ accent: 'red' }, colour],
    [{ accent: '#abc' }, colour],
    [{ accent: '#0b5a8a;}' }, colour],
    [{ accent: 7 }, colour],
    [{ privacyUrl: 'http://shop.example/privacy' }, `Option pages.privacyUrl: ${address}`],
    [{ privacyUrl: 'javascript:alert(1)' }, `Option pages.privacyUrl: ${address}`],
    [{ homeUrl: '' }, `Option pages.homeUrl: ${address}`],
    [{ homeUrl: '/\\evil.example' }, `Option pages.homeUrl: ${address}`],
    [{ locale: 'de' }, 'Option pages.locale must be a function.'],
    [{ render: '<html>' }, 'Option pages.render must be a function.'],
  ])('refuses %j', (pages, message) => {
    expect(refusal({ pages })).toBe(message);
  });

  test('texts: own ones replace the built-in, by language and key', () => {
    const texts = { de: { cancel: 'Lieber nicht', home: undefined }, en: { purpose: 'Because.' } };
    const [english, german] = configured({ pages: { texts } }).pages.languages;
    expect([german?.texts.cancel, german?.texts.home]).toEqual(['Lieber nicht', 'Zurück zu {name}']);
    expect([english.texts.cancel, english.purposes.get('default')]).toEqual(['Cancel', 'Because.']);
  });

  test('texts: a further language is whole', () => {
    const fr = { ...en, cancel: 'Annuler' };
    const { languages } = configured({ pages: { texts: { fr } } }).pages;
    expect(languages.map(({ lang, texts }) => [lang, texts.cancel])).toEqual([
      ['en', 'Cancel'],
      ['de', 'Abbrechen'],
      ['fr', 'Annuler'],
    ]);
    expect(refusal({ pages: { texts: { fr: { ...fr, hop_text: undefined } } } })).toBe(
      'Option pages.texts.fr: the text hop_text is missing; a further language needs every text.',
    );
  });

  test.each([
    [{ en: { cancle: 'No' } }, 'Unknown option cancle of pages.texts.en. Did you mean cancel?'],
    [{ en: { 'purpose.age': 'Why' } }, 'Unknown option purpose.age of pages.texts.en. '],
    [{ en: { constructor: 'No' } }, 'Unknown option constructor of pages.texts.en. '],
    [{ en: JSON.parse('{"__proto__":"No"}') as unknown }, 'Unknown option __proto__ of pages.texts.en. '],
    [
      JSON.parse('{"__proto__":{"cancel":"No"}}') as unknown,
      'Option pages.texts: each name must be a language',
    ],
    [{ constructor: {} }, 'Option pages.texts: each name must be a language such as en, de or pt-BR.'],
    [{ en: { cancel: '' } }, 'Option pages.texts.en.cancel must be a non-empty string.'],
    [{ en: 'No' }, 'The options of pages.texts.en must be an object.'],
    [{ e: {} }, 'Option pages.texts: each name must be a language such as en, de or pt-BR.'],
    [{ 'pt-br': {} }, 'Option pages.texts: each name must be a language such as en, de or pt-BR.'],
    [{ '"><script>': {} }, 'Option pages.texts: each name must be a language such as en, de or pt-BR.'],
    [[], 'The options of pages.texts must be an object.'],
  ])('texts are not %j', (texts, message) => {
    expect(refusal({ pages: { texts } })).toEqual(expect.stringContaining(message));
  });
});

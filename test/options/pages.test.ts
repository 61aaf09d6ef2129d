import { describe, expect, test } from '@jest/globals';
import { en } from '../../lib/options/pages/en.js';
import { builtIn } from '../../lib/options/pages/languages.js';
import { configured, refusal } from './settings.js';

const png = 'data:image/png;base64,iVBORw0KGgo=';

const languagesWith = async (texts: object) =>
  await Promise.all(configured({ pages: { texts } }).pages.languages.map(({ load }) => load()));

describe('the option pages', () => {
  test('nothing of it is needed', () => {
    for (const pages of [undefined, {}, { name: undefined, texts: undefined }]) {
      const its = configured({ pages }).pages;
      expect(its).toMatchObject({ homeUrl: '/' });
      expect(its.languages.map(({ lang }) => lang)).toEqual(Object.keys(builtIn));
      expect(Object.isFrozen(its)).toBe(true);
    }
  });

  test.each([
    [{ name: '<b>&', homeUrl: '/home?a=1', privacyUrl: 'https://shop.example/privacy' }],
    [{ logo: { light: '/logo.svg', dark: png } }],
    [{ colors: { accent: { light: '#E30613', dark: '#ff0000' } } }],
    [{ font: 'system-ui, -apple-system, "Source Sans 3", \'Segoe UI\', Helvetica Neue, sans-serif' }],
    [{ font: 'a'.repeat(200) }],
  ])('takes %j', (pages) => {
    expect(configured({ pages }).pages).toMatchObject(pages);
  });

  test.each(['/logo.svg', png, 'data:image/webp;base64,AAAA', 'data:image/jpeg;base64,/9j/AAAA'])(
    'one logo or colour is for both schemes: %s',
    (logo) => {
      const { pages } = configured({ pages: { logo, colors: { surface: '#ffffff' } } });
      expect(pages.logo).toEqual({ light: logo, dark: logo });
      expect(pages.colors).toEqual({ surface: { light: '#ffffff', dark: '#ffffff' } });
    },
  );

  const logo =
    'Option pages.logo: must be a path of the app, or a data: URL of a PNG, JPEG or WebP of at most 100 kB.';
  const colour = 'Option pages.colors.accent: must be a colour such as #0b5a8a.';
  const font =
    'Option pages.font: must be font families such as Georgia, "Times New Roman", serif (no file).';
  const badFonts = `serif}body{display:none "SegoeUI </style> a, url(x) a'b ä`.split(' ');
  const address = 'must be an https address or a path of the app.';
  test.each([
    [[], 'The options of pages must be an object.'],
    ['Shop', 'The options of pages must be an object.'],
    [
      { theme: '#000000' },
      'Unknown option theme of pages. Known options: name, logo, colors, font, privacyUrl, homeUrl, otherWay, locale, texts, render.',
    ],
    [{ privacyURL: '/p' }, 'Unknown option privacyURL of pages. Did you mean privacyUrl?'],
    [{ name: '' }, 'Option pages.name: must be a non-empty string.'],
    [{ name: 7 }, 'Option pages.name: must be a non-empty string.'],
    [{ logo: 'logo.png' }, logo],
    [{ logo: '//evil.example/logo.png' }, logo],
    [{ logo: 'https://cdn.example/logo.png' }, logo],
    [{ logo: 'data:image/svg+xml;base64,AAAA' }, logo],
    [{ logo: 'data:image/gif;base64,AAAA' }, logo],
    [{ logo: 'data:text/html;base64,AAAA' }, logo],
    [{ logo: 'data:image/png;base64,AA"AA' }, logo],
    [{ logo: `data:image/png;base64,${'A'.repeat(100_000)}` }, logo],
    [{ logo: 7 }, logo],
    [{ logo: { light: '/logo.svg' } }, logo.replace('logo', 'logo.dark')],
    [{ logo: { light: '//evil.example/logo.png', dark: '/logo.svg' } }, logo.replace('logo', 'logo.light')],
    [{ logo: ['/logo.svg'] }, logo],
    [{ accent: '#0b5a8a' }, 'Unknown option accent of pages. Known options: '],
    [{ colors: '#0b5a8a' }, 'Option pages.colors: must be an object.'],
    [{ colors: { acent: '#0b5a8a' } }, 'Unknown option acent of pages.colors. Did you mean accent?'],
    [{ colors: { accent: 'red' } }, colour],
    [{ colors: { accent: '#abc' } }, colour],
    [{ colors: { accent: '#0b5a8a;}' } }, colour],
    [{ colors: { accent: 7 } }, colour],
    [{ colors: { accent: ['#0b5a8a'] } }, colour],
    [
      { colors: { surface: { light: '#ffffff', dark: 'x' } } },
      'Option pages.colors.surface.dark: must be a colour such as #0b5a8a.',
    ],
    ...[...badFonts, 'Source Sans 3', 'a\nb', 'a'.repeat(201), '', 7].map(
      (its) => [{ font: its }, font] as const,
    ),
    [{ privacyUrl: 'http://shop.example/privacy' }, `Option pages.privacyUrl: ${address}`],
    [{ privacyUrl: 'javascript:alert(1)' }, `Option pages.privacyUrl: ${address}`],
    [{ homeUrl: '' }, `Option pages.homeUrl: ${address}`],
    [{ homeUrl: '/\\evil.example' }, `Option pages.homeUrl: ${address}`],
    [{ locale: 'de' }, 'Option pages.locale: must be a function.'],
    [{ render: '<html>' }, 'Option pages.render: must be a function.'],
  ])('refuses %j', (pages, message) => {
    expect(refusal({ pages })).toContain(message);
  });

  test('texts: own ones replace the built-in, by language and key', async () => {
    const texts = { de: { cancel: 'Lieber nicht', home: undefined }, en: { purpose: 'Because.' } };
    const [english, german] = await languagesWith(texts);
    expect([german?.texts.cancel, german?.texts.home]).toEqual(['Lieber nicht', 'Zurück zu {name}']);
    expect([english?.texts.cancel, english?.own.get('purpose')]).toEqual(['Cancel', 'Because.']);
  });

  test('P39 texts: a further language may lack some, and those are in English', async () => {
    const { languages } = configured({ pages: { texts: { eo: { cancel: 'Nuligi' } } } }).pages;
    expect(languages.map(({ lang }) => lang)).toEqual([...Object.keys(builtIn), 'eo']);
    const eo = (await languagesWith({ eo: { cancel: 'Nuligi' } })).at(-1);
    expect(eo?.texts).toEqual({ ...en, cancel: 'Nuligi' });
    expect(languages.at(-1)?.missing).toEqual(Object.keys(en).filter((key) => key !== 'cancel'));
    const whole = configured({ pages: { texts: { eo: { ...en } } } }).pages.languages;
    expect(whole.flatMap(({ missing }) => missing)).toEqual([]);
  });

  test('P39 texts: one of a region has those of its language', async () => {
    const texts = { 'fr-CA': { privacy: 'Vie privée' }, 'eo-XA': { cancel: 'Nuligi' } };
    const { languages } = configured({ pages: { texts } }).pages;
    expect(languages.map(({ lang, missing }) => [lang, missing.length > 0])).toEqual([
      ...Object.keys(builtIn).map((lang) => [lang, false]),
      ['fr-CA', false],
      ['eo-XA', true],
    ]);
    const [canadian] = (await languagesWith(texts)).slice(-2);
    expect([canadian?.lang, canadian?.texts.privacy, canadian?.texts.cancel]).toEqual([
      'fr-CA',
      'Vie privée',
      'Annuler',
    ]);
  });

  const language = 'Option pages.texts: each name must be a language such as en, de or pt-BR.';
  test.each([
    [{ en: { cancle: 'No' } }, 'Unknown option cancle of pages.texts.en. Did you mean cancel?'],
    [{ en: { 'purpose.age': 'Why' } }, 'Unknown option purpose.age of pages.texts.en. '],
    [{ en: { constructor: 'No' } }, 'Unknown option constructor of pages.texts.en. '],
    [{ en: JSON.parse('{"__proto__":"No"}') as unknown }, 'Unknown option __proto__ of pages.texts.en. '],
    [JSON.parse('{"__proto__":{"cancel":"No"}}') as unknown, language],
    [{ constructor: {} }, language],
    [{ en: { cancel: '' } }, 'Option pages.texts.en.cancel: must be a non-empty string.'],
    [{ en: 'No' }, 'The options of pages.texts.en must be an object.'],
    [{ e: {} }, language],
    [{ 'pt-br': {} }, language],
    [{ '"><script>': {} }, language],
    [[], 'The options of pages.texts must be an object.'],
  ])('texts are not %j', (texts, message) => {
    expect(refusal({ pages: { texts } })).toEqual(expect.stringContaining(message));
  });
});

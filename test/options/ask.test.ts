import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  ask,
  IdentityError,
  identityVerification,
  memoryStore,
  sdJwtVc,
  signedJwt,
} from '../../lib/index.js';
import { en } from '../../lib/options/pages/en.js';
import { builtIn } from '../../lib/options/pages/languages.js';
import { issuerKeys } from '../support/verify/issuer.js';
import { accessOf } from '../support/wallets.js';
import { configured, good, refusal, withEnvironment } from './settings.js';

const languagesWith = async (texts: object) =>
  await Promise.all(configured({ pages: { texts } }).pages.languages.map(({ load }) => load()));

describe('ask', () => {
  /** What `ask` says of a question that no type has judged. */
  function refused(question: unknown): string {
    try {
      ask(question as never);
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'config_invalid') return error.message;
      throw error;
    }
    throw new Error('ask accepted it');
  }

  describe('ask', () => {
    test('returns a frozen value that bears a mark which every copy of the package knows', () => {
      const reveal: ('birth_date' | 'given_name')[] = ['birth_date'];
      const age = ask({ reveal, purpose: 'For your age.', keepFor: '30d', successRedirect: undefined });
      reveal.push('given_name');
      expect(age).toMatchObject({ reveal: ['birth_date'], purpose: 'For your age.', keepFor: 2_592_000_000 });
      expect(Object.isFrozen(age) && Object.isFrozen(age.reveal)).toBe(true);
      const reasons = { door: 'For the door.' };
      const door = ask({
        reveal,
        reasons,
        otherWay: { url: '/desk' },
        keepFor: { atMost: '1d', for: () => '1h' },
      });
      for (const member of Object.values(door)) expect(Object.isFrozen(member)).toBe(true);
      expect(Object.isFrozen(reasons)).toBe(false); // the caller's own
      expect(Object.getOwnPropertySymbols(age)).toEqual([Symbol.for('pidgate.ask')]);
    });

    test('leaves keep as it is: it can be tested alone', () => {
      const question = ask({
        reveal: ['given_name'],
        keep: ({ attributes }) => attributes.given_name.length,
      });
      const result = { attributes: { given_name: 'Erika' } } as never;
      expect(question.keep?.(result)).toBe(5);
    });

    test.each([
      [undefined, 'Option ask: must be an object.'],
      [{ reveal: [] }, 'Option ask.reveal: must be a list of at least one attribute id.'],
      [{ reveal: ['given_name'], purposes: 'x' }, 'Unknown option purposes of ask. Did you mean purpose?'],
      [
        { reveal: ['given_name'], derived: { country: 'DE' } },
        'Unknown option country of ask.derived. Known options: nationality.',
      ],
      [{ reveal: ['given_name'], keep: true }, 'Option ask.keep: must be a function.'],
    ])('%j is refused', (question, message) => {
      expect(refused(question)).toBe(message);
    });
  });

  describe('the questions of a factory', () => {
    test('are values of ask, or plain objects that it takes for them', () => {
      const keep = (): string => 'kept';
      const question = { reveal: ['birth_date'], keep, keepFor: '1h', successRedirect: '/in' } as const;
      const { questions } = configured({ questions: { value: ask(question), plain: question } });
      const { name: _value, ...value } = questions.get('value') ?? {};
      const { name: _plain, ...plain } = questions.get('plain') ?? {};
      expect(value).toEqual(plain);
      expect(value).toMatchObject({ keep, keepFor: 3_600_000, successRedirect: '/in' });
    });

    test('have a keepFor of their own, or that of the options', () => {
      const brief = ask({ reveal: ['birth_date'], keepFor: '10m' });
      const general = ask({ reveal: ['birth_date'] });
      const { questions } = configured({ keepFor: '30d', questions: { brief, general } });
      expect([...questions.values()].map(({ name, keepFor }) => [name, keepFor])).toEqual([
        ['default', 2_592_000_000],
        ['brief', 600_000],
        ['general', 2_592_000_000],
      ]);
    });

    test('need no default one', () => {
      const questions = { age: ask({ reveal: ['birth_date'] }) };
      expect([...configured({ reveal: undefined, questions }).questions.keys()]).toEqual(['age']);
    });

    test.each([{}, { questions: {} }, { questions: undefined }])('are at least one: not %j', (options) => {
      expect(refusal({ reveal: undefined, ...options })).toBe(
        'Option reveal is missing: name the attributes to ask for, or set questions, each made by ask.',
      );
    });

    test.each([
      ['keep', () => 'x'],
      ['allow', () => true],
      ['purpose', 'Why'],
      ['derived', { nationality: 'DE' }],
      ['otherWay', { url: '/by-post' }],
    ])('%s belongs to a question', (name, value) => {
      const questions = { age: { reveal: ['birth_date'] } };
      expect(refusal({ reveal: undefined, questions, [name]: value })).toBe(
        `Option ${name}: belongs to a question, and without reveal there is none at the top. ` +
          `Set reveal, or move ${name} into ask.`,
      );
    });

    test('a text for the page of the default one is unknown where there is none', () => {
      const questions = { age: { reveal: ['birth_date'] } };
      const pages = { texts: { en: { purpose: 'Why' } } };
      expect(refusal({ reveal: undefined, questions, pages })).toContain('Unknown option purpose');
    });
  });
});

describe('factory', () => {
  const make = (change: object = {}): unknown => identityVerification({ ...good, ...change } as never);

  describe('the configuration', () => {
    test('is frozen, and no part of it follows what the caller changes later', () => {
      const options = {
        ...good,
        reveal: ['given_name'],
        derived: { nationality: 'DE' },
        appUrl: ['https://shop.example'],
        limits: { concurrentStarts: 3 },
        routes: { start: '/begin' },
        questions: { age: { reveal: ['birth_date'] } },
        trust: { ...good.trust },
      };
      const config = configured(options);
      options.reveal.push('family_name');
      options.derived.nationality = 'FR';
      options.appUrl.push('https://evil.example');
      options.limits.concurrentStarts = 9;
      options.routes.start = '/other';
      options.questions.age.reveal.push('nationality');
      expect(config.questions.get('default')).toMatchObject({
        reveal: ['given_name'],
        derived: { nationality: 'DE' },
      });
      expect(config.questions.get('age')?.reveal).toEqual(['birth_date']);
      const question = config.questions.get('age');
      const { limits, routes, origins } = config;
      expect([origins, limits.concurrentStarts, routes.start]).toEqual([
        options.appUrl.slice(0, 1),
        3,
        '/begin',
      ]);
      for (const part of [config, limits, routes, origins, question, question?.reveal, question?.derived]) {
        expect(Object.isFrozen(part)).toBe(true);
      }
    });

    test('the clock is the platform’s where none is given', () => {
      const before = Date.now();
      expect(configured().clock().getTime()).toBeGreaterThanOrEqual(before);
      const clock = (): Date => new Date(0);
      expect(configured({ clock }).clock).toBe(clock);
    });
  });

  describe('the factory', () => {
    const warnings: unknown[][] = [];
    afterEach(() => {
      jest.restoreAllMocks();
      warnings.length = 0;
    });
    const listen = (): void => {
      jest.spyOn(process, 'emitWarning').mockImplementation((...args: unknown[]) => void warnings.push(args));
    };

    const warning = (code: string, words: string) => [
      expect.stringContaining(words),
      { type: 'PidgateWarning', code: `PIDGATE_${code}` },
    ];

    test('throws config_invalid at construction, without a secret', () => {
      for (const apiKey of ['marker key', 'marker\n', 'märker']) {
        const message = 'apiKey may contain only printable ASCII characters, no spaces.';
        expect(() => make({ apiKey })).toThrow(expect.objectContaining({ code: 'config_invalid', message }));
      }
      expect(() => make({ trust: { 'de-ausweis': { format: 'marker' } } })).toThrow(
        expect.objectContaining({ code: 'config_invalid', message: expect.not.stringContaining('marker') }),
      );
      for (const entry of [null, 7, 'text', []]) {
        expect(() => make({ trust: { 'de-ausweis': entry } })).toThrow(
          expect.objectContaining({ code: 'config_invalid' }),
        );
      }
    });

    test('warns once in production of flows that live in one process', () => {
      listen();
      withEnvironment({ NODE_ENV: 'production' }, () => {
        make();
        expect(warnings).toEqual([warning('MEMORY', 'more than one process')]);
        make({ store: { ...memoryStore() }, secret: 'xy'.repeat(16) }); // one that the kit did not make
        expect(warnings).toHaveLength(1);
      });
      make();
      expect(warnings).toHaveLength(1);
    });

    test("warns of an appUrl that has the router's own path at its end", () => {
      listen();
      make({ appUrl: 'https://identity.example' });
      make({ appUrl: 'https://shop.example/identity-shop' });
      make({ appUrl: 'https://shop.example/identity' });
      const words =
        'pidgate: appUrl is https://shop.example/identity: remove /identity, unless a proxy strips it.';
      expect(warnings).toEqual([warning('APP_URL', words)]);
    });

    test('names all texts at once that a language lacks', () => {
      listen();
      make({ pages: { texts: { eo: { ...en, cancel: undefined, redirect_text: undefined }, de: {} } } });
      const words =
        'pidgate: pages.texts.eo lacks cancel, redirect_text, so the page shows these in English. pidgate/texts.en.json has all texts.';
      expect(warnings).toEqual([warning('TEXTS', words)]);
    });

    test("says once what confirm: 'callback' gives up", () => {
      listen();
      make({ confirm: 'callback' });
      make({ confirm: 'return' });
      expect(warnings).toEqual([warning('CONFIRM_CALLBACK', 'a result belongs to no browser')]);
    });
  });

  test('a builder makes the same entry as its format in a plain object', () => {
    const keys = { jwksUri: 'https://issuer.example/jwks.json' };
    const credential = {
      keys,
      vct: ['urn:eudi:pid:1'],
      keyBinding: { nonce: 'state-sha256', audience: 'shop' },
    } as const;
    const token = {
      keys,
      iss: 'https://issuer.example',
      audience: 'shop',
      typ: 'result+jwt',
      binding: { claim: 'nonce', value: 'state-sha256' },
      claims: { given_name: ['given_name'] },
    } as const;
    const entries = { 'de-ausweis': sdJwtVc(credential), 'xx-service': signedJwt(token) };
    expect(entries).toEqual({
      'de-ausweis': { format: 'sd-jwt-vc', ...credential },
      'xx-service': { format: 'jwt', ...token },
    });
    expect(Object.values(entries).every((entry) => Object.isFrozen(entry))).toBe(true);
    expect(configured({ trust: entries }).trust).toEqual(entries);
  });
});

describe('pages', () => {
  const png = 'data:image/png;base64,iVBORw0KGgo=';

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

    test('texts: a further language may lack some, and those are in English', async () => {
      const { languages } = configured({ pages: { texts: { eo: { cancel: 'Nuligi' } } } }).pages;
      expect(languages.map(({ lang }) => lang)).toEqual([...Object.keys(builtIn), 'eo']);
      const eo = (await languagesWith({ eo: { cancel: 'Nuligi' } })).at(-1);
      expect(eo?.texts).toEqual({ ...en, cancel: 'Nuligi' });
      expect(languages.at(-1)?.missing).toEqual(Object.keys(en).filter((key) => key !== 'cancel'));
      const whole = configured({ pages: { texts: { eo: { ...en } } } }).pages.languages;
      expect(whole.flatMap(({ missing }) => missing)).toEqual([]);
    });

    test('texts: one of a region has those of its language', async () => {
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
});

describe('rules', () => {
  const local = 'http://127.0.0.1:4000';

  describe('https', () => {
    test('baseUrl: https, or loopback', () => {
      const bad =
        'http://service.example service.example ftp://service.example https://user:marker@service.example';
      for (const baseUrl of [...bad.split(' '), 'marker'])
        expect(refusal({ baseUrl })).toBe(
          'Option baseUrl (or IDENTITY_BASE_URL): must be an https URL (http only on loopback).',
        );
      for (const baseUrl of `https://service.example/api http://localhost:4000 ${local} http://[::1]:4000`.split(
        ' ',
      ))
        expect(configured({ baseUrl }).baseUrl).toBe(baseUrl);
      expect(refusal({ baseUrl: 'https://service.example/api/prove' })).toBe(
        "baseUrl (or IDENTITY_BASE_URL) must be the service's address without /prove.",
      );
    });

    test('F77 wherever an entry fetches keys or anchors from, derivedBy included: https, or http where baseUrl is on loopback too', () => {
      const entry = {
        format: 'sd-jwt-vc',
        keys: { jwksUri: 'https://x.example' },
        vct: ['x'],
        keyBinding: { nonce: 'state-sha256', audience: 'x' },
      };
      const inside = (change: object): object => ({ 'de-ausweis': { ...entry, ...change } });
      const ways: [place: string, keys: (url: unknown) => object][] = [
        ['keys.jwksUri', (jwksUri) => ({ jwksUri })],
        ['keys.x5c.trustedList.url', (url) => ({ x5c: { trustedList: { url } } })],
      ];
      const words = `jwks http://localhost/jwks http://[::1]/ http://issuer.example/jwks ${local}/jwks`;
      const bad = [...words.split(' '), 7, null];
      for (const [place, keys] of ways) {
        for (const [below, trust] of [
          ['', (url: unknown) => inside({ keys: keys(url) })],
          ['derivedBy.', (url: unknown) => inside({ derivedBy: { format: 'jwt', keys: keys(url) } })],
        ] as const) {
          const message = `Option trust.de-ausweis.${below}${place}: must be https (http only on loopback, where baseUrl is too).`;
          for (const url of bad) expect(refusal({ trust: trust(url) })).toBe(message);
          expect(configured({ trust: trust('https://issuer.example/jwks') }).trust).toBeDefined();
          expect(configured({ baseUrl: local, trust: trust(`${local}/jwks`) }).trust).toBeDefined();
          expect(refusal({ baseUrl: local, trust: trust('http://issuer.example/jwks') })).toBe(message);
        }
      }
    });

    const origin =
      'Option appUrl (or APP_URL) must be an https origin (http on loopback where baseUrl is too), ' +
      'optionally followed by the path prefix that your proxy strips.';
    test('appUrl is an origin, with a path at the most', () => {
      const [shop, bad] = ['https://shop.example', '/shop// /%41 /shop?a /?a ? #'.split(' ')];
      const others = 'http://shop.example https://user@shop.example shop.example *'.split(' ');
      for (const appUrl of [...bad.map((rest) => shop + rest), ...others, `${shop}/a b`, `${shop},${shop}`]) {
        expect(refusal({ appUrl })).toBe(origin);
        expect(refusal({ appUrl: ['https://other.example', appUrl] })).toBe(origin);
      }
      expect(refusal({ appUrl: 'http://localhost:3000/' })).toBe(
        'Option appUrl (or APP_URL) is http://localhost:3000, and baseUrl is not on this machine: then appUrl must be https. With the options of a sandbox, leave its baseUrl as it is.',
      );
    });

    test('appUrl: an origin may have the path that a proxy takes off, and stands there once', () => {
      const appUrl = ['https://shop.example/shop/', 'https://www.shop.example/a/b', 'https://x.example'];
      const config = configured({ appUrl });
      expect(config.origins).toEqual([
        'https://shop.example/shop',
        'https://www.shop.example/a/b',
        'https://x.example',
      ]);
      expect(config.scope).toBe('/identity /a/b /shop');
      expect(configured({ appUrl: ['https://shop.example', 'https://www.shop.example/'] }).scope).toBe(
        '/identity',
      );
      expect(refusal({ appUrl: ['https://shop.example/a', 'https://shop.example/b'] })).toBe(
        'Option appUrl: the same origin is listed twice. Remove one.',
      );
    });

    test('appUrl: origins, written as browsers write them', () => {
      expect(
        configured({ appUrl: ['HTTPS://Shop.example:443/', 'https://www.shop.example'] }).origins,
      ).toEqual(['https://shop.example', 'https://www.shop.example']);
      expect(configured({ baseUrl: local, appUrl: 'http://localhost:3000' }).origins).toEqual([
        'http://localhost:3000',
      ]);
    });
  });

  describe('trust', () => {
    test('an issuer without an entry is refused', () => {
      const message = 'Option trust has no entry for the issuer de-ausweis: nothing could be verified.';
      expect(refusal({ trust: undefined })).toBe(message);
      expect(refusal({ trust: {} })).toBe(message);
      expect(refusal({ trust: { 'de-ausweis': undefined } })).toBe(message);
      expect(refusal({ trust: { 'DE-AUSWEIS': good.trust['de-ausweis'] } })).toBe(
        `${message} It has one for DE-AUSWEIS: the names must be equal.`,
      );
      expect(refusal({ issuer: 'constructor' })).toBe(message.replace('de-ausweis', 'constructor'));
      expect(refusal({ issuer: 'toString', trust: {} })).toBe(message.replace('de-ausweis', 'toString'));
    });

    test('the issuer of a named question needs an entry of its own, and the sandbox its permission', () => {
      const trust = { ...good.trust, 'fr-wallet': good.trust['de-ausweis'] };
      const questions = { age: { reveal: ['birth_date'], issuer: 'fr-wallet' } };
      expect(refusal({ questions })).toBe(
        'Option trust has no entry for the issuer fr-wallet: nothing could be verified.',
      );
      const config = configured({ questions, trust });
      expect([...config.questions.values()].map(({ issuer }) => issuer)).toEqual(['de-ausweis', 'fr-wallet']);
      withEnvironment({ NODE_ENV: 'production' }, () => {
        const sandboxed = { age: { reveal: ['birth_date'], issuer: 'xx-sandbox' } };
        expect(refusal({ questions: sandboxed })).toMatch(/^The issuer xx-sandbox proves nothing/);
      });
    });
  });

  describe('the sandbox', () => {
    const sandbox = { issuer: 'xx-sandbox', trust: { 'xx-sandbox': good.trust['de-ausweis'] } };
    const message =
      'The issuer xx-sandbox proves nothing: it needs NODE_ENV=development or test, or allowSandbox: true.';

    // With an entry that bears the sandbox's mark: F74 in sandbox-mark.test.ts.
    test('is refused outside development unless it is allowed, by code or environment', () => {
      withEnvironment({ IDENTITY_ISSUER: 'xx-sandbox' }, () => {
        for (const options of [sandbox, { ...sandbox, issuer: undefined }]) {
          expect(refusal({ ...options, allowSandbox: false })).toBe(message);
          expect(configured({ ...options, allowSandbox: true }).issuer).toBe('xx-sandbox');
        }
      });
      withEnvironment({ NODE_ENV: 'development' }, () => {
        expect(configured(sandbox).issuer).toBe('xx-sandbox');
      });
    });

    test('trust for another issuer stands beside it without harm', () => {
      withEnvironment({ NODE_ENV: 'production' }, () => {
        expect(configured({ trust: { ...good.trust, ...sandbox.trust } }).issuer).toBe('de-ausweis');
      });
    });
  });

  describe('what the service would refuse', () => {
    test('derived in the base variant', () => {
      const message = 'Option derived: derived is not part of the base variant.';
      expect(refusal({ variant: 'base', derived: { nationality: 'DE' } })).toBe(message);
      expect(configured({ variant: 'base', derived: {} }).variant).toBe('base');
      expect(configured({ derived: { nationality: 'DE' } }).questions.get('default')?.derived).toEqual({
        nationality: 'DE',
      });
      withEnvironment({ IDENTITY_VARIANT: 'base' }, () => {
        expect(refusal({ derived: { nationality: 'DE' } })).toBe(message);
        const questions = { dutch: { reveal: ['given_name'], derived: { nationality: 'NL' } } };
        expect(refusal({ questions })).toBe(message.replace('derived:', 'questions.dutch.derived:'));
      });
    });

    test('a nationality is the code of a country', () => {
      for (const nationality of ['DE', 'FR', 'GB', 'NA']) {
        const { questions } = configured({ derived: { nationality } });
        expect(questions.get('default')?.derived).toEqual({ nationality });
      }
      const message = 'derived.nationality: must be a country code of ISO 3166-1: use a code such as DE.';
      for (const nationality of [
        '',
        7,
        'D E',
        ...'XX EU DEU QU de Germany <b> constructor marker-of-a-stranger'.split(' '),
      ]) {
        expect(refusal({ derived: { nationality } })).toBe(`Option ${message}`);
        const questions = { age: { reveal: ['birth_date'], derived: { nationality } } };
        expect(refusal({ questions })).toBe(`Option questions.age.${message}`);
      }
    });
  });

  describe('places to go to', () => {
    test.each([
      'https://evil.example/',
      '//evil.example',
      'welcome',
      '/\\evil.example',
      'javascript:alert(1)',
    ])('not %s', (to) => {
      const must = 'must be a path of the app, such as /welcome.';
      expect(refusal({ successRedirect: to })).toBe(`Option successRedirect: ${must}`);
      expect(refusal({ errorRedirect: to })).toBe(`Option errorRedirect: ${must}`);
      expect(refusal({ questions: { age: { reveal: ['birth_date'], successRedirect: to } } })).toBe(
        `Option questions.age.successRedirect: ${must}`,
      );
    });

    test('a question without a place of its own has that of the factory', () => {
      const { questions } = configured({
        successRedirect: '/in',
        questions: {
          age: { reveal: ['birth_date'] },
          bar: { reveal: ['birth_date'], successRedirect: '/bar' },
        },
      });
      expect([...questions.values()].map((it) => it.successRedirect)).toEqual(['/in', '/in', '/bar']);
      expect(configured().questions.get('default')?.successRedirect).toBe('/');
    });
  });

  describe('routes', () => {
    test('each has an address of its own', () => {
      expect(refusal({ routes: { start: '/return' } })).toBe(
        'Option routes: two routes have the same address. Give each its own.',
      );
      expect(refusal({ routes: { status: '/START' } })).toBe(
        'Option routes: two routes have the same address. Give each its own.',
      );
      expect(configured({ routes: { status: false, start: '/status' } }).routes.start).toBe('/status');
    });

    test('none lies where the names of questions are', () => {
      expect(refusal({ routes: { callback: '/Start/callback' } })).toBe(
        'Option routes: a path below /start would be the start of a question of that name. Choose a path that is not below it.',
      );
      expect(configured({ routes: { start: false, callback: '/start/callback' } }).routes.callback).toBe(
        '/start/callback',
      );
      expect(configured({ routes: { callback: '/starting/callback' } }).routes.callback).toBe(
        '/starting/callback',
      );
    });

    test('return may be left out only where nothing comes back to it', () => {
      const message = "Option routes.return: false needs confirm: 'callback' and an errorRedirect.";
      const routes = { return: false };
      expect(refusal({ routes })).toBe(message);
      expect(refusal({ routes, errorRedirect: '/sorry' })).toBe(message);
      expect(refusal({ routes, confirm: 'callback' })).toBe(message);
      expect(configured({ routes, confirm: 'callback', errorRedirect: '/sorry' }).routes.return).toBe(false);
    });
  });

  describe("confirm: 'callback'", () => {
    test('has nothing to keep, and nothing to judge', () => {
      const message =
        "Option keep: confirm: 'callback' stores nothing in the session; remove keep, or use 'return'.";
      const keep = (): void => undefined;
      expect(refusal({ confirm: 'callback', keep })).toBe(message);
      expect(refusal({ confirm: 'callback', questions: { age: { reveal: ['birth_date'], keep } } })).toBe(
        message.replace('keep', 'questions.age.keep'),
      );
      expect(refusal({ confirm: 'callback', allow: () => true })).toBe(message.replaceAll('keep', 'allow'));
      expect(
        configured({ confirm: 'callback', questions: { age: { reveal: ['birth_date'] } } }).confirm,
      ).toBe('callback');
    });
  });
});

describe('an age', () => {
  test.each([1, 9, 10, 18, 99, 100, 149, 150])('of %i years can be asked for', (years) => {
    const reveal = [`age_over_${years}`];
    expect(ask({ reveal } as never)).toMatchObject({ reveal });
  });

  const form = 'must be age_over_ and a whole number of years from 1 to 150, such as age_over_18.';
  const meant = (years: number): string => `${form} Did you mean age_over_${years}?`;
  test.each([
    ['age', form],
    ['age_over', form],
    ['age_over_0', form],
    ['age_over_151', form],
    ['age_over_1e3', form],
    ['age_over_-18', meant(18)],
    ['age_over_18years', meant(18)],
    ['age_over_021', meant(21)],
    ['age_at_least_16', meant(16)],
    ['over_18', meant(18)],
    ['isOver18', meant(18)],
    ['Age_Over_18', meant(18)],
    ['age_over_18_21', form],
  ])('%s is told with what was meant', (id, why) => {
    expect(refusal({ reveal: ['given_name', id] })).toBe(`Option reveal[1]: ${why}`);
  });

  test.each([
    ['age_over_21', "Did you mean reveal: ['age_over_21']?"],
    ['age', "Did you mean reveal: ['age_over_18']?"],
    ['over_16', "Did you mean reveal: ['age_over_16']?"],
  ])('in derived, %s is told with what was meant', (id, hint) => {
    expect(refusal({ derived: { nationality: 'DE', [id]: '18' } })).toBe(
      `Option derived: must not have ${id}: an age is an attribute of reveal. ${hint}`,
    );
  });

  test('is asked for itself only of wallets, which may have it, and not beside the date of birth', async () => {
    const { entry } = await accessOf();
    const own = { baseUrl: undefined, apiKey: undefined, appUrl: 'https://shop.example', wallets: entry };
    const { jwk } = issuerKeys;
    const trust = (claims?: object) => ({
      'de-ausweis': { format: 'sd-jwt-vc', keys: { jwks: { keys: [jwk] } }, vct: ['a'], claims },
    });
    const asks = (change: object): unknown =>
      configured({ reveal: ['age_over_18'], ...change }).questions.get('default')?.asksForAges;
    expect(asks({})).toBe(false);
    expect(asks({ ...own, trust: trust() })).toBe(true);
    expect(asks({ ...own, trust: trust({ birth_date: ['born'] }) })).toBe(true);
    expect(asks({ ...own, trust: trust({ age_over: false }) })).toBe(false);
    expect(asks({ ...own, trust: trust(), reveal: ['age_over_18', 'birth_date'] })).toBe(false);
    expect(asks({ ...own, trust: trust(), reveal: ['given_name'] })).toBe(false);
  });
});

import { afterEach, describe, expect, jest, test } from '@jest/globals';
import ejs from 'ejs';
import type { Express, Response } from 'express';
import session from 'express-session';
import { createTheme, type Theme } from '../../lib/http/pages/theme.js';
import type { IdentityPage } from '../../lib/index.js';
import { en } from '../../lib/options/pages/en.js';
import { read } from '../house/documents.js';
import { configured } from '../options/settings.js';
import { login } from '../support/account.js';
import { type AppSetup, noCode, type Running, startApp, throws, unknownState } from '../support/app.js';
import { deep } from '../support/deep.js';
import { listen } from '../support/lines.js';
import { unhandledIn } from '../support/unhandled.js';
import { startWalletApp } from '../support/wallets.js';

describe('render', () => {
  afterEach(() => void jest.restoreAllMocks());

  async function open(render: unknown, setup: AppSetup = {}): Promise<Running> {
    const pages = { name: '<script>marker</script>', privacyUrl: '/privacy?a=1&b=2', render };
    return await startApp({ ...setup, options: { pages, ...setup.options } });
  }

  const template = read('docs/pages/identity.ejs');
  const withEjs = (page: IdentityPage): string => ejs.render(template, { page });

  describe("pages that the app's own template renders", () => {
    test('EJS: the page works, and what is escaped there stays text', async () => {
      const app = await open(withEjs);
      const browser = app.browser();
      const { status, text, headers } = await browser.get(
        `${app.url}/identity/start?returnTo=/club%3Fa%3D%22%3E`,
      );
      expect(status).toBe(200);
      expect(text).toContain('<p>&lt;script&gt;marker&lt;/script&gt; asks for');
      expect(text).not.toContain('<script');
      expect(text).toContain('<li>Given name </li><li>Date of birth </li>');
      expect(text).toContain('href="/privacy?a=1&amp;b=2"');
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? '';
      expect(action).toBe('/identity/start?returnTo=%2Fclub%3Fa%3D%2522%253E&amp;form=kit');
      const fields = [...text.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]);
      const form = Object.fromEntries(fields) as Record<string, string>;
      const started = await browser.post(`${app.url}${action.replace('&amp;', '&')}`, form);
      expect([started.status, started.location?.startsWith(app.sandbox.url)]).toEqual([303, true]);
    });

    test('EJS: the page that waits for a wallet has its link, its code and what came of an answer', async () => {
      const app = await startWalletApp({ options: { pages: { name: 'Nordlicht', render: withEjs } } });
      const { links, again, shown } = await app.begin();
      expect(shown.text).toMatch(
        /<script src="\/wallet-page\.js" data-poll="\/identity\/wallet\?state=[\w-]{43}">/,
      );
      expect(links.code).not.toBe(links.link);
      await (await app.wallet.open(links.link ?? '')).decline();
      await (await app.wallet.open(links.code ?? '')).decline();
      expect((await again()).text).toMatch(/<p role="status">An answer came, but it does not count/);
    });

    test('gets the whole page as data, of a closed form', async () => {
      let seen: IdentityPage | undefined;
      const app = await open((page: IdentityPage) => {
        seen = page;
        return '<p>ok</p>';
      });
      await app.browser().get(`${app.url}/identity/return?error=presentation_invalid`);
      expect(seen).toEqual({
        name: 'error',
        status: 200,
        code: 'presentation_invalid',
        lang: 'en',
        texts: {
          site: '<script>marker</script>',
          title: 'Your proof was not accepted',
          lead: 'What your wallet sent could not be accepted as valid proof. Please start again. If it happens again, check whether your wallet app is up to date.',
          more: [],
          notes: [],
          action: 'Start again',
          home: 'Back to <script>marker</script>',
          privacy: 'Privacy',
          support: 'If you contact <script>marker</script>, give this code: presentation_invalid',
        },
        links: { action: '/identity/start', home: '/', privacy: '/privacy?a=1&b=2' },
      });
    });

    test('no page that it renders has a code in its address, and the redirect page and "try again" are the kit\'s', async () => {
      const seen: string[] = [];
      const render = (page: IdentityPage, { req }: { req: { originalUrl: string } }): string => {
        seen.push(`${page.name} ${req.originalUrl}`);
        return '<p>own</p>';
      };
      const pages = { render };
      const other = await open(render, { options: { pages, onSuccess: throws() } });
      const browser = other.browser();
      const redirect = await browser.get(`${other.url}/identity/return?code=${noCode}`);
      expect(redirect.text).toContain('http-equiv="refresh"');
      const clean = '/identity/return?error=return_code_invalid';
      for (const odd of [`code=${noCode}&reload=2`, 'code=x', 'code=a&code=b']) {
        const gone = await browser.get(`${other.url}/identity/return?${odd}`);
        expect([gone.status, gone.location]).toEqual([303, clean]);
      }
      const waiting = await other.waiting();
      const failed = await waiting.browser.get(waiting.back);
      expect([failed.status, failed.text.includes('Almost done')]).toEqual([500, true]);
      expect(seen).toEqual([]);
      expect((await browser.get(`${other.url}${clean}`)).text).toBe('<p>own</p>');
      expect(seen).toEqual([`start_again ${clean}`]);
    });

    test('the session that began reads the same at the address without the code as at the one with it', async () => {
      const app = await open(withEjs);
      const { back, browser } = await app.waiting();
      const flow = /code=([^.]+)/.exec(back)?.[1];
      const gone = await browser.get(back.replace(/[^.]+$/, unknownState()));
      expect(gone.location).toBe(`/identity/return?error=return_code_invalid&flow=${flow}`);
      expect((await browser.get(app.url + gone.location)).text).toContain('This verification has ended');
      expect((await app.browser().get(app.url + gone.location)).text).toContain(
        'Your wallet opened a different browser',
      );
    });

    test('a limiter in front of the return leads to an address without the code, too', async () => {
      const made: { app?: Running } = {};
      const limit = (express: Express): void => {
        express.use('/identity', (req, res, next) => {
          if (req.path === '/return') made.app?.identity.busy(req, res, next);
          else next();
        });
      };
      made.app = await open(() => '<p>own</p>', { before: limit });
      const shown = await made.app.browser().get(`${made.app.url}/identity/return?code=${noCode}`);
      expect([shown.status, shown.location]).toEqual([303, '/identity/return?error=busy']);
    });

    test('a session that is missing at the return is told without the code too', async () => {
      const app = await open(() => '<p>own</p>', { session: false });
      const shown = await app.browser().get(`${app.url}/identity/return?code=${noCode}`);
      expect([shown.status, shown.location]).toEqual([303, '/identity/return?error=session_missing']);
    });

    test('is not asked for HEAD, nor by a browser that only looks ahead', async () => {
      const render = jest.fn(() => '<p>own</p>');
      const app = await open(render);
      await fetch(`${app.url}/identity/start`, { method: 'HEAD' });
      await app.browser().get(`${app.url}/identity/start`, { 'sec-purpose': 'prefetch' });
      expect(render).not.toHaveBeenCalled();
      await app.browser().get(`${app.url}/identity/start`);
      expect(render).toHaveBeenCalledTimes(1);
    });

    test("what it sets on the response counts; the status and no-store are the kit's", async () => {
      const app = await open((_page: IdentityPage, { res }: { res: Response }) => {
        res.status(299).set('Content-Security-Policy', "default-src 'nonce-x'").set('X-Own', '1');
        return '<p>own</p>';
      });
      const { status, headers } = await app.browser().get(`${app.url}/identity/return?error=refused`);
      expect([status, headers.get('x-own'), headers.get('content-security-policy')]).toEqual([
        200,
        '1',
        "default-src 'nonce-x'",
      ]);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    });

    test('it may read the session, and writes none', async () => {
      const store = new session.MemoryStore();
      const set = jest.spyOn(store, 'set');
      const app = await open(
        (_page: IdentityPage, { req }: { req: { session: { user?: string; more?: string } } }) => {
          req.session.more = 'marker';
          return `<p>${req.session.user}</p>`;
        },
        {
          session: { store },
          before: login({ user: 'Erika' }),
        },
      );
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      set.mockClear();
      const { text } = await browser.get(`${app.url}/identity/start`);
      expect(text).toBe('<p>Erika</p>');
      expect(set).not.toHaveBeenCalled();
    });

    test.each([
      ['throws', throws(), 'hook_failed'],
      ['rejects', async () => await Promise.reject(new Error('marker')), 'hook_failed'],
      ['returns nothing', () => undefined, 'hook_failed'],
      ['returns an empty page', () => '', 'hook_failed'],
      ['returns no string', () => ({ html: 'marker' }), 'hook_failed'],
      ['never ends', async () => await new Promise(() => {}), 'hook_timeout'],
    ])("one that %s gets the kit's page, and the operator hears of it", async (_how, render, code) => {
      const { lines: heard, logger } = listen();
      const app = await open(render, { options: { limits: { hookTimeout: 20 }, logger } });
      const { status, text, headers } = await app.browser().get(`${app.url}/identity/start`);
      expect(status).toBe(200);
      expect(heard).toEqual([
        expect.stringMatching(
          `^\\w+ pidgate: ${code}\\. .*pages\\.render.*\\. See npx pidgate explain ${code}$`,
        ),
      ]);
      expect(text).toContain('Prove who you are');
      expect(text.replaceAll('&lt;script&gt;marker', '')).not.toContain('marker');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    });

    test('one that answers itself is not answered twice', async () => {
      const app = await open((_page: IdentityPage, { res }: { res: Response }) => {
        res.send('<p>by itself</p>');
        return '<p>own</p>';
      });
      const { text } = await app.browser().get(`${app.url}/identity/start`);
      expect(text).toBe('<p>by itself</p>');
    });
  });
});

describe('page context', () => {
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

    test('is written from right to left, where its script is', async () => {
      const tags = ['ar', 'he', 'syr', 'dv', 'nqo', 'ff-Adlm', 'rhg'];
      const app = await open({ texts: Object.fromEntries(tags.map((tag) => [tag, { cancel: '<' }])) });
      for (const tag of tags) {
        expect(await start(app, { 'accept-language': tag })).toContain(`<html lang="${tag}" dir="rtl">`);
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
      const { text } = await app
        .browser()
        .get(`${app.url}/identity/return?error=presentation_invalid`, german);
      expect(text).toContain('Ihr Nachweis wurde nicht anerkannt');
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
});

describe('theme', () => {
  const colours = [
    '#000000',
    '#ffffff',
    '#ff0000',
    '#00ff00',
    '#0000ff',
    '#ffff00',
    '#808080',
    '#0b5a8a',
    '#E30613',
    '#1fa682', // at the edge: what counts is the colour as it is written
  ];

  type Rgb = [number, number, number];
  const parse = (hex = ''): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;

  /** WCAG's contrast, computed here by itself. */
  function contrast(a: Rgb, b: Rgb): number {
    const light = ([r, g, bl]: Rgb): number => {
      const [x, y, z] = [r, g, bl].map((it) => {
        const c = it / 255;
        return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
      }) as Rgb;
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const [p, q] = [light(a), light(b)];
    return (Math.max(p, q) + 0.05) / (Math.min(p, q) + 0.05);
  }

  const schemes = ['light', 'dark'] as const;
  type Colours = { accent?: string; background?: string; surface?: string };

  /** The declarations of both schemes. */
  function declarationsOf(own: Colours): { light: string; dark: string } {
    const { markup } = themeOf(own).style;
    const [, light = '', dark = ''] =
      /^<style>:root\{([^}]*)\}\n@media[^:]*:dark\)\{:root\{([^}]*)\}\}/.exec(markup) ?? [];
    return { light, dark };
  }

  function themeOf(own: Colours): Theme {
    return createTheme(configured({ pages: { colors: own } }).pages);
  }

  const readIn = (declarations: string): Readonly<Record<string, Rgb>> =>
    Object.fromEntries(
      [...declarations.matchAll(/--([\w-]+):(#[0-9a-f]{6})/g)].map(
        ([, name = '', value]) => [name, parse(value)] as const,
      ),
    );

  const pairs = [
    ['ink', 'card'],
    ['soft', 'card'],
    ['link', 'card'],
    ['link', 'tint'],
    ['ink', 'note'],
    ['accent-ink', 'accent'],
    ['accent-ink', 'accent-over'],
    ['note-line', 'note', 3], // a shape, not text
  ] as const;

  /** What of a site's colours cannot be read, or is not as the site has it. */
  function illegibleOf(own: Colours): unknown[] {
    const declared = declarationsOf(own);
    return schemes.flatMap((scheme) => {
      const its = readIn(declared[scheme]);
      const of = (name: string): Rgb => its[name] ?? [0, 0, 0];
      const changed = [
        ['accent', own.accent],
        ['ground', own.background],
        ['card', own.surface],
      ].filter(([name, colour]) => colour !== undefined && String(of(name ?? '')) !== String(parse(colour)));
      const low = pairs.filter(([a, b, least = 4.5]) => !(contrast(of(a), of(b)) >= least));
      return [...changed, ...low].map((found) => [own, scheme, ...found]);
    });
  }

  describe("a site's own colours", () => {
    test("the kit's own can be read", () => {
      expect(illegibleOf({})).toEqual([]);
      expect(declarationsOf({}).light).toContain('--link:#0b5a8a');
    });

    test.each(colours)('%s: what is written on it and in it can be read, in both schemes', (accent) => {
      expect(illegibleOf({ accent })).toEqual([]);
    });

    deep.test('so it is with accents from all over the range', () => {
      const all = Array.from({ length: 1_024 }, (_, n) => `#${(n * 16_381).toString(16).padStart(6, '0')}`);
      expect(all.flatMap((accent) => illegibleOf({ accent }))).toEqual([]);
    });

    deep.test('a surface is legible with every accent, or refused by itself', () => {
      const greys = Array.from(
        { length: 64 },
        (_, n) => `#${(n * 4).toString(16).padStart(2, '0').repeat(3)}`,
      );
      const tints = ['#f7f4f0', '#fdf1d6', '#211d1a', '#e6d2b5', '#002b36', '#ffe0e0', '#3b0764', '#c0ffee'];
      const all = [...greys, ...tints].flatMap((surface) => colours.map((accent) => ({ accent, surface })));
      const taken = all.filter((own) => refusalOf(own) === undefined);
      expect(taken.flatMap(illegibleOf)).toEqual([]);
      expect(taken.length).toBeGreaterThan(0.8 * all.length); // only middle greys are refused
      const why = new Set(all.map((own) => /: (.*?) \(/.exec(refusalOf(own) ?? '')?.[1]));
      expect([...why]).toEqual(expect.arrayContaining(['text on the surface', 'the icon']));
    });

    test('a colour that can be read stays as it is', () => {
      expect(declarationsOf({ accent: '#0b5a8a' }).light).toContain('--accent-ink:#ffffff');
      expect(declarationsOf({ accent: '#ffdd00' }).light).toContain('--accent-ink:#000000');
    });

    test('each scheme may have its own; one for both has one look in both', () => {
      const surface = { light: '#fffaf0', dark: '#211d1a' };
      const { light, dark } = declarationsOf({ surface } as never);
      expect([light, dark].map((it) => /^color-scheme:(\w+);.*--card:(#\w+)/.exec(it)?.slice(1))).toEqual([
        ['light', '#fffaf0'],
        ['dark', '#211d1a'],
      ]);
      const one = declarationsOf({ surface: '#fffaf0', background: '#f7f4f0', accent: '#9a3f0c' });
      expect(one.dark).toBe(one.light);
    });

    test.each([
      ['#777777', 'text on the surface (#e8eef3 on #777777) has a contrast of 3.82:1 in the light scheme'],
      [
        { light: '#ffffff', dark: '#808080' },
        'text on the surface (#14202b on #808080) has a contrast of 4.18:1 in the dark scheme',
      ],
    ])('%j is refused with its pair and ratio', (surface, sentence) => {
      expect(refusalOf({ surface } as never)).toBe(
        `Option pages.colors: ${sentence}; it must be at least 4.5:1.`,
      );
    });
  });

  function refusalOf(own: Colours): string | undefined {
    try {
      themeOf(own);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  describe('font and logo', () => {
    test('a font is written as it is, and the policy counts it', () => {
      const plain = createTheme(configured({}).pages);
      const own = createTheme(configured({ pages: { font: 'Georgia, "Times New Roman", serif' } }).pages);
      expect(own.style.markup).toContain('html{font-family:Georgia, "Times New Roman", serif}\n</style>');
      expect(own.policy).not.toBe(plain.policy);
    });

    test.each([
      ['/logo.svg', "img-src 'self';"],
      [{ light: 'data:image/png;base64,AAAA', dark: '/dark.svg' }, "img-src data: 'self';"],
      [undefined, 'base-uri'],
    ])('the policy allows what the logo needs: %j', (logo, part) => {
      const { policy } = createTheme(configured({ pages: { logo } }).pages);
      expect(policy.split('; ').slice(2).join('; ')).toMatch(new RegExp(`^${part}`));
    });
  });
});

import ejs from 'ejs';
import type { Response } from 'express';
import session from 'express-session';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { IdentityPage } from '../../lib/index.js';
import { listen } from '../support/lines.js';
import { login } from '../support/account.js';
import { blocksOf } from '../house/documents.js';
import { type AppSetup, type Running, noCode, startApp, throws } from '../support/app.js';

afterEach(() => void jest.restoreAllMocks());

async function open(render: unknown, setup: AppSetup = {}): Promise<Running> {
  const pages = { name: '<script>marker</script>', privacyUrl: '/privacy?a=1&b=2', render };
  return await startApp({ ...setup, options: { pages, ...setup.options } });
}

const documented = blocksOf('docs/pages.md').filter(({ language }) => language === 'html');
const template = documented.map(({ code }) => code).join('');
const withEjs = (page: IdentityPage): string => ejs.render(template, { page });

describe("pages that the app's own template renders", () => {
  test('EJS: the page works, and what is escaped there stays text', async () => {
    const app = await open(withEjs);
    const browser = app.browser();
    const { status, text, headers } = await browser.get(
      `${app.url}/identity/start?returnTo=/club%3Fa%3D%22%3E`,
    );
    expect(status).toBe(200);
    expect(text).toContain('<p>&lt;script&gt;marker&lt;/script&gt; asks you');
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

  test('gets the whole page as data, of a closed form', async () => {
    let seen: IdentityPage | undefined;
    const app = await open((page: IdentityPage) => {
      seen = page;
      return '<p>ok</p>';
    });
    await app.browser().get(`${app.url}/identity/return?error=attributes_missing`);
    expect(seen).toEqual({
      name: 'error',
      status: 200,
      code: 'attributes_missing',
      lang: 'en',
      texts: {
        site: '<script>marker</script>',
        title: 'Something is missing',
        lead: 'Your wallet did not share everything that was requested. Please start again and share all of it.',
        more: [],
        notes: [],
        action: 'Start again',
        home: 'Back to <script>marker</script>',
        privacy: 'Privacy',
        support: expect.stringMatching(/^Support code: attributes_missing, \d\d:\d\d$/),
      },
      links: { action: '/identity/start', home: '/', privacy: '/privacy?a=1&b=2' },
    });
  });

  test('no page that it renders has a code in its address, and the redirect page and "try again" are the kit\'s', async () => {
    const seen: string[] = [];
    const other = await open((page: IdentityPage, { req }: { req: { originalUrl: string } }) => {
      seen.push(`${page.name} ${req.originalUrl}`);
      return '<p>own</p>';
    });
    const browser = other.browser();
    const redirect = await browser.get(`${other.url}/identity/return?code=${noCode}`);
    expect(redirect.text).toContain('http-equiv="refresh"');
    const clean = '/identity/return?error=return_code_invalid';
    for (const odd of [`code=${noCode}&reload=2`, 'code=x', 'code=a&code=b']) {
      const gone = await browser.get(`${other.url}/identity/return?${odd}`);
      expect([gone.status, gone.location]).toEqual([303, clean]);
    }
    expect(seen).toEqual([]);
    expect((await browser.get(`${other.url}${clean}`)).text).toBe('<p>own</p>');
    expect(seen).toEqual([`start_again ${clean}`]);
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
    ['throws', throws()],
    ['rejects', async () => await Promise.reject(new Error('marker'))],
    ['returns nothing', () => undefined],
    ['returns no string', () => ({ html: 'marker' })],
    ['never ends', async () => await new Promise(() => {})],
  ])("one that %s gets the kit's page, and the operator hears of it", async (_how, render) => {
    const { lines: heard, logger } = listen();
    const app = await open(render, { options: { limits: { hookTimeout: 20 }, logger } });
    const { status, text, headers } = await app.browser().get(`${app.url}/identity/start`);
    expect(status).toBe(200);
    expect(heard).toEqual([
      expect.stringMatching(/^\w+ pidgate: hook_(failed|timeout)\. [A-Z].+\. See npx pidgate explain \w+$/),
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

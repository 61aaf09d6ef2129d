import { createHash } from 'node:crypto';
import helmet from 'helmet';
import { afterEach, describe, expect, test } from '@jest/globals';
import { errorCodes } from '../../../lib/errors.js';
import { serviceErrors } from '../../../lib/protocol/service-errors.js';
import type { RequestConfiguration } from '../../../lib/options/requests.js';
import { errorPage, hopPage, startAgainPage, tryAgainPage } from '../../../lib/web/pages/error-page.js';
import { type Content, html, raw } from '../../../lib/web/pages/escape.js';
import type { Page } from '../../../lib/web/pages/page.js';
import { type StartPage, startPage } from '../../../lib/web/pages/start-page.js';
import { textFor } from '../../../lib/web/pages/texts.js';
import { type AppSetup, type Running, startApp } from '../../support/app.js';

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>&`;
const escaped =
  '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;';

const request: RequestConfiguration = {
  name: 'default',
  reveal: ['given_name', 'birth_date'],
  derived: {},
  purpose: undefined,
  keep: undefined,
  successRedirect: '/',
};
const shown = (change: Partial<StartPage> = {}): string =>
  words(startPage({ request, action: '/identity/start', keepFor: 28_800_000, sandbox: false, ...change }));
const words = ({ body }: Page): string =>
  body.markup
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('markup', () => {
  test('escapes whatever is not markup, in text and in attributes', () => {
    expect(html`<a href="${hostile}">${hostile}</a>`.markup).toBe(`<a href="${escaped}">${escaped}</a>`);
  });

  test('joins lists, drops what is absent, keeps numbers and markup', () => {
    const list: Content = [1, html`<b>${'<'}</b>`, [raw('<i></i>'), undefined], false];
    expect(html`<p>${list}${undefined}${false}${0}</p>`.markup).toBe('<p>1<b>&lt;</b><i></i>0</p>');
  });
});

describe('the start page', () => {
  test('tells what is asked, why and what is kept', () => {
    expect(shown({ request: { ...request, purpose: 'To let you in.', keep: () => 1 } })).toBe(
      'To let you in. What you will be asked to share Given name Date of birth What is kept What this site needs of ' +
        'the above stays in your session and is forgotten after 8 hours at the latest. Continue to my wallet Your ' +
        'wallet shows the same list again. Nothing is shared until you agree there.',
    );
  });

  test('names all attributes, and a derived one as the question that it is', () => {
    const all: Partial<RequestConfiguration> = {
      reveal: ['family_name', 'given_name', 'birth_date', 'nationality'],
      derived: { nationality: 'DE' },
    };
    expect(shown({ request: { ...request, ...all } })).toContain(
      'Family name Given name Date of birth Nationality Whether you hold the nationality of Germany only yes or no',
    );
    for (const [value, name] of [
      ['FR', 'France'],
      ['XX', 'XX'],
      ['de', 'de'],
      ['<b>', '&lt;b&gt;'],
    ]) {
      const derived = { nationality: value ?? '' };
      expect(shown({ request: { ...request, derived } })).toContain(
        `the nationality of ${name} only yes or no`,
      );
    }
  });

  test.each([
    [1, '1 second'],
    [30_000, '30 seconds'],
    [60_000, '1 minute'],
    [90_000, '2 minutes'],
    [3_600_000, '1 hour'],
    [30 * 86_400_000, '30 days'],
  ])('%d ms are %s', (keepFor, text) => {
    expect(shown({ keepFor })).toContain(
      `Only that you have verified your identity, and when: it stays in your session and is forgotten after ${text} at`,
    );
  });

  test('says nothing of keeping where nothing enters the session', () => {
    expect(shown({ keepFor: undefined })).not.toContain('kept');
  });

  test('says that the sandbox proves nothing, and that a start was refused', () => {
    expect(shown()).not.toMatch(/Test mode|not started from this page/);
    expect(shown({ sandbox: true })).toContain('Test mode: a sandbox stands in');
    expect(shown({ refused: true })).toMatch(
      /^The verification was not started from this page\. Please start it here\./,
    );
    expect(startPage({ request, action: undefined, keepFor: 1, sandbox: true, refused: true }).status).toBe(
      403,
    );
  });

  test('escapes the purpose and the address', () => {
    const page = startPage({
      request: { ...request, purpose: hostile },
      action: hostile,
      keepFor: 1,
      sandbox: false,
    });
    expect(page.body.markup).not.toContain('<script');
    expect(page.body.markup).toContain(`action="${escaped}"`);
  });
});

describe('the texts', () => {
  test('every code has one that says what to do, and names nothing from inside', () => {
    for (const code of [
      ...Object.keys(errorCodes),
      ...Object.keys(serviceErrors),
      'made_up',
      'constructor',
      '__proto__',
    ]) {
      const { title, text } = textFor(code);
      expect([code, `${title} ${text}`]).toEqual([code, expect.stringMatching(/^[A-Z].{20,}\.$/)]);
      expect(`${title} ${text}`).not.toMatch(/_|session|store|hook|config|flow|token|key/i);
    }
  });

  test('a person is not told what only the developer can mend', () => {
    const page = errorPage({ status: 500, code: 'session_missing', start: undefined });
    expect(words(page)).toBe(
      'This site is busy or has a fault just now. It may work again in a few minutes. For support: session_missing',
    );
    expect(words(errorPage({ status: 500, code: 'x', start: '/s', hint: hostile }))).toContain(
      `For the developer: ${escaped}`,
    );
  });

  test('start again, try again and the hop lead on without a script', () => {
    expect(startAgainPage('/identity/start').body.markup).toContain(
      '<a class="button" href="/identity/start">',
    );
    expect(startAgainPage(undefined).body.markup).not.toContain('<a');
    expect(tryAgainPage(500, 'hook_failed').body.markup).toContain('<a class="button" href="">Try again</a>');
    expect(hopPage(hostile).body.markup).toContain(`href="${escaped}"`);
  });
});

describe('a page as it is sent', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  async function open(setup: AppSetup = {}): Promise<Running> {
    const app = await startApp(setup);
    closing.push(async () => await app.close());
    return app;
  }
  const addresses = ['/start', '/start?returnTo=//x', '/start/nothing', '/return', '/return?error=refused'];

  test('allows its own stylesheet and nothing else', async () => {
    const app = await open();
    for (const address of addresses) {
      const { text, headers } = await app.browser().get(`${app.url}/identity${address}`);
      const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
      const digest = createHash('sha256').update(style).digest('base64');
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(style).toContain(':focus-visible');
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(text.match(/<style/g)).toHaveLength(1);
      expect(text).not.toMatch(/<script|<link|<iframe|<img|\son\w+=|\sstyle=|url\(|@import|@font-face/);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  test('the hop goes on by itself, and sets no cookie', async () => {
    const app = await open({ session: { saveUninitialized: true } });
    const code = `${'A'.repeat(43)}.${'A'.repeat(43)}`;
    const { status, text, headers } = await app.browser().get(`${app.url}/identity/return?code=${code}`);
    const next = `/identity/return?code=${code}&amp;hop=1`;
    expect(status).toBe(200);
    expect(text).toContain(`<meta http-equiv="refresh" content="0;url=${next}" />`);
    expect(text).toContain(`<a class="button" href="${next}">Continue</a>`);
    expect(headers.getSetCookie()).toEqual([]);
  });

  test("replaces helmet's policy, and one that only reports", async () => {
    const app = await open({
      before: (its) => {
        its.use(helmet());
        its.use(helmet.contentSecurityPolicy({ reportOnly: true }));
      },
      after: (its) => its.get('/else', (_req, res) => void res.send('of the app')),
    });
    for (const address of addresses) {
      const { headers } = await app.browser().get(`${app.url}/identity${address}`);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(headers.get('content-security-policy')).not.toContain('form-action');
      expect(headers.get('content-security-policy-report-only')).toBeNull();
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe(address === '/start' ? 'same-origin' : 'no-referrer');
    }
    const other = await app.browser().get(`${app.url}/else`);
    expect(other.headers.get('content-security-policy')).toContain("form-action 'self'"); // the app's own stay
  });
});

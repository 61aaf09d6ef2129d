import { beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { type Asked, startAsking } from '../support/asked-service.js';
import { type Running, startApp } from '../support/app.js';
import { byKit } from '../support/browser.js';
import { deep } from '../support/deep.js';
import { nightly, seed } from '../support/seed.js';
import { decide } from '../support/wallet.js';

const hostile = [
  '//evil.example ///evil.example /\\evil.example \\\\evil.example /\\/evil.example /a\\b',
  '/.//evil.example /..//evil.example /a/..//evil.example /%2e%2e//evil.example',
  '/%2F/evil.example /%2fevil.example /%5Cevil.example /a%0d%0aSet-Cookie:x=1 /a%00',
  'https://evil.example/ https:evil.example HTTPS:/\\evil.example http://own@evil.example/',
  '//own@evil.example javascript:alert(1) data:text/html,x club ?a=b #a',
].flatMap((values) => values.split(' '));
const withControls = [
  '/\t/evil.example',
  '/\n/evil.example',
  '\r//evil.example',
  '/a\u0000',
  '/a\u007f',
  '/a\u0085',
];
hostile.push(...withControls, ' //evil.example', '/a\r\nSet-Cookie: x=1', '');

/** The same numbers for the same seed. */
function numbers(first: number): (below: number) => number {
  let state = first;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('F13 returnTo takes only paths of this app', () => {
  let app: Asked;
  beforeAll(async () => {
    app = await startAsking({
      before: (its) => {
        its.use('/parsed', express.urlencoded({ extended: true }));
        its.use('/parsed', express.json());
      },
      after: (its, identity) => {
        its.post('/own', async (req, res) => {
          await identity.start(req, res, { returnTo: req.query['to'] as string });
        });
        its.post('/parsed', async (req, res) => await identity.start(req, res));
      },
    });
  });

  const refused = async (reply: Response): Promise<void> => {
    const text = await reply.text();
    expect([reply.status, reply.headers.get('location')]).toEqual([400, null]);
    expect(text).toContain('<code>return_to_invalid</code>');
    expect(text).not.toContain('evil.example');
    expect(app.service.seen).toEqual([]);
    expect(app.store.created).toEqual([]);
    expect(app.told).toEqual([]);
  };
  const same = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
  const post = async (path: string, body?: URLSearchParams | string, headers = {}): Promise<Response> =>
    await fetch(`${app.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...same, ...headers },
      ...(body !== undefined && { body }),
    });
  const value = (given: string): string => given.replace('own', new URL(app.url).host);

  test.each(hostile)(
    'F13 %j is refused on the page, in the query, as a field and as an override',
    async (given) => {
      const to = encodeURIComponent(value(given));
      await refused(await fetch(`${app.url}/identity/start?returnTo=${to}`, { headers: same }));
      await refused(await post(`/identity/start?returnTo=${to}`));
      await refused(await post('/identity/start', new URLSearchParams({ returnTo: value(given) })));
      await refused(await post(`/own?to=${to}`));
    },
  );

  test('F13 what is no text is refused, whoever parsed it', async () => {
    await refused(await post('/identity/start?returnTo=/a&returnTo=/b'));
    await refused(await post('/parsed', new URLSearchParams('returnTo[x]=/a')));
    await refused(await post('/parsed', new URLSearchParams('returnTo=/a&returnTo=/b')));
    await refused(
      await post('/parsed', '{"returnTo":{"toString":"/a"}}', { 'content-type': 'application/json' }),
    );
    await refused(await post('/parsed', '{"returnTo":7}', { 'content-type': 'application/json' }));
  });

  test('F13 a foreign POST with a hostile returnTo gets no page that leads there', async () => {
    const reply = await post('/identity/start?returnTo=%2F%2Fevil.example', undefined, {
      'sec-fetch-site': 'none',
    });
    await refused(reply);
  });

  deep.test('F13 of many made-up values, whatever passes leads to a path of this origin', async () => {
    const parts =
      '/ / // \\ . .. %2f %2e %5c %09 \t \n @ : ; ? # & a ü %20 % \u2028 \ufeff evil.example https: javascript: x=1'
        .split(' ')
        .concat(' ');
    const pick = numbers(seed);
    const given = Array.from({ length: nightly ? 5_000 : 250 }, () => {
      const length = 1 + pick(6);
      return (pick(5) > 0 ? '/' : '') + Array.from({ length }, () => parts[pick(parts.length)]).join('');
    });
    let passed = 0;
    for (const path of given) {
      const reply = await fetch(`${app.url}/identity/start?returnTo=${encodeURIComponent(path)}`, {
        headers: same,
      });
      if (reply.status === 400) continue;
      const action = /<form method="post" action="([^"]*)"/.exec(await reply.text())?.[1] ?? '';
      const returnTo = new URL(action.replaceAll('&amp;', '&'), app.url).searchParams.get('returnTo') ?? '';
      const { origin, pathname, search, hash } = new URL(path, app.url);
      expect([path, origin, returnTo]).toEqual([path, app.url, pathname + search + hash]);
      expect(new URL(returnTo, 'https://other.example').host).toBe('other.example');
      expect(returnTo).not.toMatch(/\s/); // the session keeps it as a word among others
      passed += 1;
    }
    expect(passed).toBeGreaterThan(given.length / 10);
    expect(passed).toBeLessThan(given.length * 0.9);
    expect(app.store.created).toEqual([]);
  });
});

describe('F13 a good returnTo', () => {
  let app: Running;
  beforeAll(async () => {
    app = await startApp({ options: { appUrl: ['https://shop.example'] } });
  });

  deep.test('F13 ends at the address that a browser would compute, under the origin of appUrl', async () => {
    const good = ['/', '/club?a=1&b=//x#top', '/a/../b', '/größe und so', '/a%20b', '/@x', '/a/;b'];
    for (const path of good) {
      const running = await startApp({ sandbox: app.sandbox });
      app.sandbox.redirectUrl = `${running.url}/identity/callback`;
      const browser = running.browser();
      const back = await running.toReturn(browser, `?returnTo=${encodeURIComponent(path)}`);
      expect((await browser.get(back)).location).toBe(new URL(path, running.url).href);
      await running.close();
    }
  });

  test('F13 comes as a field of a form, and the override of the app comes before both', async () => {
    const running = await startApp({
      sandbox: app.sandbox,
      after: (its, identity) => {
        its.post('/own', async (req, res) => await identity.start(req, res, { returnTo: '/override' }));
      },
    });
    app.sandbox.redirectUrl = `${running.url}/identity/callback`;
    const ends = [];
    for (const path of ['/identity/start', '/identity/start?returnTo=%2Fquery', '/own?returnTo=%2Fquery']) {
      const browser = running.browser();
      const { location = '' } = await browser.post(byKit(`${running.url}${path}`), { returnTo: '/field' });
      ends.push((await browser.get(await decide(location, 'approve'))).location);
    }
    expect(ends).toEqual(['/field', '/query', '/override'].map((path) => `${running.url}${path}`));
    await running.close();
  });

  test('F13 under a host that appUrl does not list nothing starts', async () => {
    const reply = await app.browser().post(`${app.url}/identity/start?returnTo=%2Fclub`);
    expect([reply.status, reply.text.includes('<code>origin_not_allowed</code>')]).toEqual([400, true]);
  });
});

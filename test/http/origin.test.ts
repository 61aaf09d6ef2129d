import express from 'express';
import request from 'supertest';
import { describe, expect, test } from '@jest/globals';
import { good } from '../options/settings.js';
import { identityWith } from '../support/app.js';

/** Each base has a prefix of its own: the form of the start page shows which one was chosen. */
const bases = ['https://shop.example/a', 'https://www.shop.example:8443/b', 'http://localhost:3000/c'];

function appUnder(appUrl: readonly string[], trust: boolean | string | number = false): express.Express {
  const identity = identityWith({ ...good, baseUrl: 'http://localhost:4000', logger: false, appUrl });
  return express().set('trust proxy', trust).use('/identity', identity);
}

/** The base that the kit takes a request with these headers to have come in under. */
async function baseFor(
  headers: Record<string, string>,
  { trust, list = bases }: { trust?: boolean | string | number; list?: readonly string[] } = {},
): Promise<string | undefined> {
  const shown = await request(appUnder(list, trust)).get('/identity/start?returnTo=/x').set(headers);
  if (shown.status === 400 && shown.text.includes('origin_not_allowed')) return undefined;
  const [, prefix] = /action="(\/\w)\/identity\/start/.exec(shown.text) ?? [];
  return list.find((base) => base.endsWith(String(prefix))) ?? `${shown.status} ${shown.text}`;
}

describe('the public origin of a request', () => {
  test.each([
    ['shop.example', 'https://shop.example/a'],
    ['SHOP.example', 'https://shop.example/a'],
    ['shop.example:443', 'https://shop.example/a'],
    ['www.shop.example:8443', 'https://www.shop.example:8443/b'],
    ['localhost:3000', 'http://localhost:3000/c'],
  ])('Host %s is %s', async (host, base) => {
    expect(await baseFor({ host })).toBe(base);
  });

  const others =
    'evil.example shop.example.evil.example www.shop.example localhost:3001 shop.example:80 shop.example:99999 [::1';
  const hidden =
    'evil.example@shop.example shop.example/evil.example shop.example/a shop.example? shop.example#evil.example';
  test.each([
    ...`${others} ${hidden}`.split(' '),
    'a b',
    'shop.example\\evil.example',
    'shop%2eexample',
    'shop.example:',
    'shop.example:0443',
    'shop.example.',
    '',
  ])('F26 Host %s is none of them', async (host) => {
    expect(await baseFor({ host })).toBeUndefined();
  });

  test('F26 X-Forwarded-Host counts only behind a trusted proxy, and only its first value', async () => {
    const headers = { host: 'internal', 'x-forwarded-host': 'shop.example, proxy.internal' };
    expect(await baseFor(headers)).toBeUndefined();
    expect(await baseFor(headers, { trust: true })).toBe('https://shop.example/a');
    expect(await baseFor(headers, { trust: 'loopback' })).toBe('https://shop.example/a');
    expect(await baseFor(headers, { trust: '10.0.0.1' })).toBeUndefined();
    const evil = { ...headers, 'x-forwarded-host': 'evil.example' };
    expect(await baseFor(evil, { trust: true })).toBeUndefined();
    expect(await baseFor({ host: 'shop.example' }, { trust: true })).toBe('https://shop.example/a');
  });

  test('of two origins with one host, the scheme decides; a proxy may leave it unknown', async () => {
    const list = ['https://localhost:8080/a', 'http://localhost:8080/b'];
    expect(await baseFor({ host: 'localhost:8080' }, { list })).toBe('http://localhost:8080/b');
    const proxied = { host: 'localhost:8080', 'x-forwarded-proto': 'https' };
    expect(await baseFor(proxied, { list, trust: true })).toBe('https://localhost:8080/a');
    expect(await baseFor({ host: 'shop.example' })).toBe('https://shop.example/a'); // TLS ends before the app
  });
});

describe('whether a page of the app sent a start', () => {
  /** Without a session a start gets no further than that. */
  async function isOurs(headers: Record<string, string>): Promise<boolean> {
    const posted = await request(appUnder(bases))
      .post('/identity/start')
      .set({ host: 'shop.example', accept: 'application/json', ...headers });
    const { error } = posted.body as { error: string };
    expect(['cross_site', 'session_missing']).toContain(error);
    return error === 'session_missing';
  }

  test.each([
    ['same-origin', 'https://shop.example', true],
    ['same-origin', 'https://evil.example', true],
    ['same-site', 'https://shop.example', false],
    ['cross-site', 'https://shop.example', false],
    ['none', 'https://shop.example', false],
    ['', 'https://shop.example', false],
    ['Same-Origin', 'https://shop.example', false],
    ['same-origin, same-origin', 'https://shop.example', false],
  ])('F10 where a browser sends Sec-Fetch-Site, that alone decides: %j with %s', async (site, origin, is) => {
    expect(await isOurs({ origin, 'sec-fetch-site': site })).toBe(is);
  });

  test('F10 of two origins of the app, either may start; an Origin header has no path', async () => {
    expect(await isOurs({ origin: 'https://shop.example' })).toBe(true);
    expect(await isOurs({ origin: 'https://www.shop.example:8443' })).toBe(true);
    expect(await isOurs({ origin: 'http://shop.example' })).toBe(false);
    expect(await isOurs({ origin: 'https://shop.example:443' })).toBe(false);
  });
});

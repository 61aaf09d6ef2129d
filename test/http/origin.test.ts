import express from 'express';
import request from 'supertest';
import { describe, expect, test } from '@jest/globals';
import { fromThisApp, originOf } from '../../lib/http/request-origin.js';

const origins = ['https://shop.example', 'https://www.shop.example:8443', 'http://localhost:3000'];

/** The origin that an app finds for a request with these headers. */
async function found(
  headers: Record<string, string>,
  { trust = false, list = origins }: { trust?: boolean | string | number; list?: readonly string[] } = {},
): Promise<unknown> {
  const app = express();
  app.set('trust proxy', trust);
  app.use((req, res) => void res.json({ origin: originOf(req, list) ?? null }));
  const reply = await request(app).get('/').set(headers);
  return (reply.body as { origin: unknown }).origin;
}

describe('the public origin of a request', () => {
  test.each([
    ['shop.example', 'https://shop.example'],
    ['SHOP.example', 'https://shop.example'],
    ['shop.example:443', 'https://shop.example'],
    ['www.shop.example:8443', 'https://www.shop.example:8443'],
    ['localhost:3000', 'http://localhost:3000'],
  ])('Host %s is %s', async (host, origin) => {
    expect(await found({ host })).toBe(origin);
  });

  test.each([
    'evil.example',
    'shop.example.evil.example',
    'www.shop.example',
    'localhost:3001',
    'shop.example:80',
    'a b',
    'shop.example:99999',
    '[::1',
    'evil.example@shop.example',
    'shop.example/evil.example',
    'shop.example?',
    'shop.example#evil.example',
    'shop.example\\evil.example',
    'shop%2eexample',
    'shop.example:',
    'shop.example:0443',
    'shop.example.',
    '',
  ])('F26 Host %s is none of them', async (host) => {
    expect(await found({ host })).toBeNull();
  });

  test('F26 X-Forwarded-Host counts only behind a trusted proxy, and only its first value', async () => {
    const headers = { host: 'internal', 'x-forwarded-host': 'shop.example, proxy.internal' };
    expect(await found(headers)).toBeNull();
    expect(await found(headers, { trust: true })).toBe('https://shop.example');
    expect(await found(headers, { trust: 'loopback' })).toBe('https://shop.example');
    expect(await found(headers, { trust: '10.0.0.1' })).toBeNull();
    expect(await found({ ...headers, 'x-forwarded-host': 'evil.example' }, { trust: true })).toBeNull();
    expect(await found({ host: 'shop.example' }, { trust: true })).toBe('https://shop.example');
  });

  test('of two origins with one host, the scheme decides; a proxy may leave it unknown', async () => {
    const list = ['https://shop.example:8080', 'http://shop.example:8080'];
    expect(await found({ host: 'shop.example:8080' }, { list })).toBe('http://shop.example:8080');
    const proxied = { host: 'shop.example:8080', 'x-forwarded-proto': 'https' };
    expect(await found(proxied, { list, trust: true })).toBe('https://shop.example:8080');
    expect(await found({ host: 'shop.example' })).toBe('https://shop.example'); // TLS ends before the app
  });

  test('F26 Host with the path of a listed base is none of them', async () => {
    expect(await found({ host: 'shop.example/club' }, { list: ['http://shop.example/club'] })).toBeNull();
  });

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
    const app = express().use((req, res) => void res.json(fromThisApp(req, origins)));
    const headers = { host: 'shop.example', origin, 'sec-fetch-site': site };
    expect((await request(app).post('/').set(headers)).body).toBe(is);
  });

  test('F10 of two origins of the app, either may start', async () => {
    const app = express().use((req, res) => void res.json(fromThisApp(req, origins)));
    const from = async (origin: string): Promise<unknown> =>
      (await request(app).post('/').set({ host: 'shop.example', origin })).body;
    expect(await from('https://shop.example')).toBe(true);
    expect(await from('https://www.shop.example:8443')).toBe(true);
    expect(await from('http://shop.example')).toBe(false);
    expect(await from('https://shop.example:443')).toBe(false);
    const below = express().use(
      (req, res) => void res.json(fromThisApp(req, ['https://shop.example/shop', 'https://x.example'])),
    );
    const posted = await request(below)
      .post('/')
      .set({ host: 'shop.example', origin: 'https://shop.example' });
    expect(posted.body).toBe(true); // an Origin header has no path
  });
});

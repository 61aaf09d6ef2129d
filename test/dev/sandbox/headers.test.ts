import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { sandbox, start } from './open.js';

async function statusFor(url: string, host: string, path = '/'): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}${path}`, { headers: { host } }, (res) => {
      res.resume();
      resolve(res.statusCode);
    });
    sent.once('error', reject).end();
  });
}

describe('The Host header', () => {
  it('must be the address of the sandbox, else 421 for every path', async () => {
    const { url } = await sandbox();
    const { port, host } = new URL(url);
    expect(await statusFor(url, host)).toBe(200);
    expect(await statusFor(url, `localhost:${port}`)).toBe(200);
    for (const wrong of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      'localhost:1',
      `127.0.0.1:${port}.evil`,
      `127.0.0.1:${port}0`,
      `127.0.0.1:0${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0x7f000001:${port}`,
      `0.0.0.0:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `LOCALHOST:${port}`,
      `localhost.:${port}`,
      `evil@localhost:${port}`,
      `localhost:${port}@evil`,
      `localhost:${port},evil`,
      `x.localhost:${port}`,
    ]) {
      expect(await statusFor(url, wrong)).toBe(421);
      expect(await statusFor(url, wrong, '/jwks.json')).toBe(421);
      expect(await statusFor(url, wrong, '/prove')).toBe(421);
    }
  });
});

describe('Every page', () => {
  it.each(['/', '/nothing', '/wallet/x', '/jwks.json', '/prove'])(
    '%s carries the strict headers',
    async (path) => {
      const { headers } = await fetch(`${(await sandbox()).url}${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  it('the home page tells issuer, person, variant and Redirect URL', async () => {
    const service = await sandbox({ redirectUrl: 'http://localhost:3000/identity/callback' });
    const text = await (await fetch(service.url)).text();
    for (const words of [
      'xx-sandbox, de-ausweis (simulated)',
      'Erika Mustermann',
      'derived',
      'http://localhost:3000/identity/callback',
    ]) {
      expect(text).toContain(`<dd>${words}</dd>`);
    }
    service.redirectUrl = undefined;
    expect(await (await fetch(service.url)).text()).toContain('No Redirect URL is set');
  });

  it('carries the very stylesheet that its policy allows', async () => {
    const response = await fetch((await sandbox()).url);
    const content = /<style>([^]*?)<\/style>/.exec(await response.text())?.[1] ?? '';
    const digest = createHash('sha256').update(content).digest('base64');
    expect(content).toContain('color-scheme');
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}'`);
  });

  it('an unknown path: 404; a broken path: 400', async () => {
    const { url } = await sandbox();
    expect((await fetch(`${url}/constructor`)).status).toBe(404);
    expect((await fetch(`${url}/wallet/%ff`)).status).toBe(400);
  });

  it('has language, title, viewport and labels', async () => {
    const text = await (
      await fetch(await start(await sandbox({ redirectUrl: 'http://localhost:1/cb' })))
    ).text();
    expect(text).toContain('<html lang="en">');
    expect(text).toMatch(/<title>localhost:1 asks for your identity · pidgate sandbox<\/title>/);
    expect(text).toContain('name="viewport"');
    expect(text).toContain('<label for="scenario">');
    expect(text).toContain('Sandbox</strong> Wallet, no real identity');
  });
});

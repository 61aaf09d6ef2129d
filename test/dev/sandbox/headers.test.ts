import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sandbox, start } from './open.js';

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
      // Keys may be kept, so that two runs in a row do not ask for them twice.
      expect(headers.get('cache-control')).toBe(path === '/jwks.json' ? 'max-age=600' : 'no-store');
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

  it('has language, title, viewport and labels', async () => {
    const text = await (
      await fetch(await start(await sandbox({ redirectUrl: 'http://localhost:1/cb' })))
    ).text();
    expect(text).toContain('<html lang="en">');
    expect(text).toMatch(/<title>localhost:1 asks for this information · pidgate sandbox<\/title>/);
    expect(text).toContain('name="viewport"');
    expect(text).toContain('<label for="scenario">');
    expect(text).toContain('Sandbox</strong> Wallet, no real identity');
  });
});

import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { type AppSetup } from '../../support/app.js';
import { startWalletApp, type WalletApp } from '../../support/wallets.js';

const open = async (options: AppSetup['options'] = {}): Promise<WalletApp> =>
  await startWalletApp({ options });

describe('the page that waits for a wallet', () => {
  test('its policy allows its one script by its digest, and to ask this app', async () => {
    const app = await open();
    const { shown } = await app.begin();
    const [script = '', ...others] = [...shown.text.matchAll(/<script>(.*?)<\/script>/gs)].map(
      ([, text]) => text ?? '',
    );
    const digest = createHash('sha256').update(script).digest('base64');
    expect(others).toEqual([]);
    const policy = shown.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([`script-src 'sha256-${digest}'`, "connect-src 'self'", "default-src 'none'"]),
    );
    expect(() => new Script(script)).not.toThrow();
    expect(shown.text.match(/<script/g)).toHaveLength(1);
  });
});

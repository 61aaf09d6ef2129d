import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../lib/index.js';
import { type AppSetup, openSandbox, type Running, startApp } from '../support/app.js';
import { valid } from '../support/callbacks.js';
import { decide } from '../support/wallet.js';

type Wallet = NonNullable<AppSetup['wallet']>;

/** An app before a deployment, and after it: two processes on one store, with the new one at the callback. */
async function deployed(wallet: Wallet, changed: (before: Running) => Record<string, unknown>) {
  const sandbox = await openSandbox(wallet);
  const seen: unknown[] = [];
  const shared = {
    store: memoryStore(),
    onVerified: ({ result }: { result: { issuer: string; attributes: object } }) =>
      void seen.push([result.issuer, { ...result.attributes }]),
  };
  const before = await startApp({ sandbox, options: shared });
  const after = await startApp({
    sandbox,
    origins: [before.url],
    options: { ...shared, ...changed(before) },
  });
  sandbox.redirectUrl = `${after.url}/identity/callback`;
  return { before, seen };
}

const erika = { given_name: 'Erika', birth_date: '1964-08-12' };

describe('a verification that began before a deployment and is answered after it', () => {
  test.each([
    ['base', 'derived'],
    ['derived', 'base'],
  ] as const)('is judged under its own variant: %s, then %s', async (variant, next) => {
    const { before, seen } = await deployed({ variant }, () => ({ variant: next }));
    const browser = before.browser();
    const back = await decide(await before.start(browser), 'approve');
    expect(seen).toEqual([['xx-sandbox', erika]]);
    expect((await browser.get(back)).location).toBe(`${before.url}/`);
  });

  test('is judged by its own issuer, while its entry stays in trust', async () => {
    const { before, seen } = await deployed({}, ({ sandbox }) => ({
      issuer: 'xx-next',
      trust: { ...sandbox.options.trust, 'xx-next': () => valid },
    }));
    const browser = before.browser();
    const back = await decide(await before.start(browser), 'approve');
    expect(seen).toEqual([['xx-sandbox', erika]]);
    expect((await browser.get(back)).location).toBe(`${before.url}/`);
  });
});

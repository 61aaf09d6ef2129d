import { expect } from '@jest/globals';
import type { RequestHandler } from 'express';
import type { Page } from 'playwright-core';
import { linksOn, startWalletApp, type WalletApp } from '../../support/wallets.js';

/** Chromium tells by a header of its own whether it is a phone. */
export const phone = {
  userAgent:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/141.0.0.0 Mobile Safari/537.36',
  isMobile: true,
  hasTouch: true,
};

type Setup = NonNullable<Parameters<typeof startWalletApp>[0]>;

interface SceneSetup extends Setup {
  /** Stands in front of all, as a proxy does. */
  readonly inFront?: RequestHandler;
  /** Further pages. */
  readonly guarded?: Setup['after'];
}

/** An app that asks wallets, and a wallet of other people's libraries. */
export interface Scene extends WalletApp {
  /** What the app answers to everything, while it is set. */
  trouble: RequestHandler | undefined;
}

export async function openScene({ inFront, guarded, ...setup }: SceneSetup = {}): Promise<Scene> {
  const mood: Pick<Scene, 'trouble'> = { trouble: undefined };
  const app = await startWalletApp({
    ...setup,
    options: { pages: { name: 'Nordlicht', privacyUrl: '/privacy' }, ...setup.options },
    before: (its) => {
      if (inFront !== undefined) its.use(inFront);
      its.use((req, res, next) => {
        if (mood.trouble === undefined) next();
        else void mood.trouble(req, res, next);
      });
    },
    after: (its, identity) => {
      guarded?.(its, identity);
      its.get(['/club', '/club/:name'], (_req, res) => {
        res.send('<!doctype html><title>Club</title><h1>Club</h1>');
      });
    },
  });
  return Object.assign(mood, app);
}

/** From the start page to the page that waits, in any language. */
export async function begin({ url }: Scene, page: Page, returnTo = '/club'): Promise<void> {
  await page.goto(`${url}/identity/start?returnTo=${returnTo}`);
  await page.locator('form button').click();
  await page.waitForURL('**/identity/wallet?*');
}

/** Has the wallet answer the request on a page, and returns where it sends its own browser. */
export async function answer(
  { wallet }: Scene,
  page: Page,
  way: keyof ReturnType<typeof linksOn>,
): Promise<string> {
  const opened = await wallet.open(linksOn(await page.content())[way] ?? '');
  const { status, body } = await opened.send(await opened.respond());
  expect(status).toBe(200);
  return body.redirect_uri ?? '';
}

export async function decline({ wallet }: Scene, page: Page): Promise<void> {
  const opened = await wallet.open(linksOn(await page.content()).code ?? '');
  await opened.decline();
}

/** Waits until the page has asked once more. */
export async function asked(page: Page): Promise<void> {
  const request = await page.waitForRequest((its) => its.resourceType() === 'fetch');
  await request.response().catch(() => null);
}

/** Lets time pass on a page whose clock is held, until it has asked once more. */
export async function pass(page: Page, seconds: number): Promise<void> {
  const once = asked(page);
  await page.clock.fastForward(seconds * 1_000);
  await once;
}

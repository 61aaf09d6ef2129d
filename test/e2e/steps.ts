import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { RunningApp } from './running-app.js';
import { languages } from '../../lib/dev/sandbox/pages/texts/languages.js';

/** Waits for the page with this heading. */
export async function arrive(page: Page, heading: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

export async function press(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
}

export async function follow(page: Page, link: string): Promise<void> {
  await page.getByRole('link', { name: link, exact: true }).click();
}

export async function logIn(page: Page, url: string, name: 'Erika' | 'Max'): Promise<void> {
  await page.goto(url);
  await press(page, `Log in as ${name}`);
  await page.getByText(`${name} Mustermann`).first().waitFor();
}

/** From a link of the app, over the start page, to the wallet. */
export async function goToWallet(page: Page, link = 'Verify my identity'): Promise<void> {
  await follow(page, link);
  await arrive(page, /^Prove (who you are|your age)$/);
  await press(page, 'Continue to my wallet');
  await arriveAtWallet(page);
}

/** Somebody with a browser of their own, logged in and at the wallet. */
export async function openAtWallet(
  running: RunningApp,
  name: 'Erika' | 'Max' = 'Erika',
  link?: string,
): Promise<Page> {
  const page = await running.open();
  await logIn(page, running.url, name);
  await goToWallet(page, link);
  return page;
}

/** What the page at the service has after the app's name, in every language. */
const asks = languages.map(({ asksForThis }) => asksForThis('').trim());

export async function arriveAtWallet(page: Page): Promise<void> {
  await arrive(page, new RegExp(`(${asks.join('|')})$`));
}

/** What a person does in the wallet with a German identity card. */
export async function shareWithPin(wallet: Page): Promise<void> {
  await arriveAtWallet(wallet);
  await share(wallet);
  await arrive(wallet, 'Enter your PIN');
  await enterPin(wallet, '123456');
}

export async function enterPin(wallet: Page, pin: string): Promise<void> {
  await wallet.getByLabel('PIN of your identity card').fill(pin);
  await press(wallet, 'Continue');
}

export async function share(page: Page): Promise<void> {
  await page.locator('button[value=approve]').click();
}

/** Nothing was released to this browser: the guard still asks. */
export async function expectNotVerified(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/membership`);
  expect(page.url().replace('&reason=counter', '')).toBe(`${url}/identity/start?returnTo=%2Fmembership`);
  await page.goto(`${url}/machines`);
  expect(page.url()).toBe(`${url}/identity/start?returnTo=%2Fmachines`);
}

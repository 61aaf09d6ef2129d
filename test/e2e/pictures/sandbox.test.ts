import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { beforeEach, expect, test } from '@jest/globals';
import type { Express } from 'express';
import { badReplies, deliveries, foreignForm } from './extra-routes.js';
import { start } from '../../dev/sandbox/open.js';
import { refusingPort } from '../../support/refusing-port.js';
import { emptyShots, shoot, shootAt, shootWhen } from './shots.js';
import { type RunningApp, describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, press, share } from '../steps.js';

emptyShots('sandbox');

/** A request as the kit would make it. */
async function prove({ sandbox }: RunningApp, more: Record<string, unknown> = {}): Promise<string> {
  const state = randomBytes(32).toString('base64url');
  return await start(sandbox, { revealed: ['given_name', 'birth_date'], state, same_device: true, ...more });
}

function front(app: Express): void {
  badReplies(app);
  foreignForm(app);
}

describeInChromium('Pictures of the sandbox', () => {
  const running = runInChromium({ front });

  beforeEach(() => {
    running.sandbox.redirectUrl = `${running.url}/identity/callback`;
  });

  test('the wallet', async () => {
    const page = await running.open();
    const asked = await prove(running); // before its page opens, which loads itself again at every news
    await shootAt(page, running.sandbox.url, 'sandbox-home');
    await page.goto(asked);
    await arriveAtWallet(page);
    await shoot(page, 'sandbox-wallet', 'both');
    await page.getByText('Make something go wrong').click();
    await shoot(page, 'sandbox-wallet-error');
    await page.goto(
      await prove(running, {
        revealed: ['family_name', 'given_name', 'birth_date', 'nationality'],
        derived: { nationality: 'FR' },
      }),
    );
    await shoot(page, 'sandbox-wallet-derived');
  });

  test('P14 the pages for developers; what is open on a timeline stays open when news come', async () => {
    const page = await running.open();
    const asked = await prove(running);
    await page.goto(running.sandbox.url);
    await page.locator('.flows a').first().click();
    await page.locator('#sent-0 summary').click();
    const body = new URLSearchParams({ decision: 'approve' });
    await fetch(asked, { method: 'POST', body, redirect: 'manual' });
    await page.getByText('service → app').waitFor();
    await page.locator('#sent-0[open]').waitFor();
    expect(await page.locator('#received-0').getAttribute('open')).toBeNull();
    await shoot(page, 'sandbox-timeline', 'both');
    await page.locator('.fault a').click();
    await shoot(page, 'sandbox-error-code');
    await page.getByRole('link', { name: 'The person declines.' }).click();
    await shoot(page, 'sandbox-simulate');
    await press(page, 'Start');
    await page.getByText(/\d+ passed/).waitFor();
    await shoot(page, 'sandbox-simulated');
    await page.goto(running.sandbox.url);
    await page.locator('#robot summary').click();
    await page.locator('#settings summary').click();
    await shoot(page, 'sandbox-home-many', 'both');
  });

  test('short notices', async () => {
    const page = await running.open();
    await shootAt(page, `${running.sandbox.url}/wallet/no-such-request`, 'sandbox-gone');
    await shootAt(page, `${running.sandbox.url}/nowhere`, 'sandbox-nothing-here');
    const asked = await prove(running);
    await page.goto(asked);
    const other = await page.context().newPage();
    await other.goto(asked);
    await press(page, 'Share');
    await arrive(page, 'This verification has ended'); // the app did not begin it
    await arrive(other, 'This request is answered'); // by itself
    await shoot(other, 'sandbox-over');
  });

  test('notices for forms that count for nothing', async () => {
    const page = await running.open();
    const asked = await prove(running);
    await page.goto(`${running.url}/foreign?to=${asked}`);
    await press(page, 'Send');
    await shootWhen(page, 'Request from another site refused', 'sandbox-foreign-form');
    await page.goto(asked);
    await page.locator('[value=approve]').evaluate((button) => button.setAttribute('value', 'perhaps'));
    await press(page, 'Share');
    await shootWhen(page, 'No decision', 'sandbox-no-decision');
  });

  test('no Redirect URL', async () => {
    const page = await running.open();
    running.sandbox.redirectUrl = undefined;
    const asked = await prove(running);
    await shootAt(page, running.sandbox.url, 'sandbox-home-no-redirect-url');
    await shootAt(page, asked, 'sandbox-wallet-no-redirect-url');
  });

  // test/dev/sandbox/service/deliver.test.ts has the words for every other reply, on this same page.
  test('a reply that does not do', async () => {
    running.sandbox.redirectUrl = `${running.url}/reply/page`;
    const page = await running.open();
    await page.goto(await prove(running));
    await share(page);
    await shootWhen(page, 'The reply is not JSON', 'sandbox-problem-page');
  });

  test('nobody answers', async () => {
    running.sandbox.redirectUrl = `http://127.0.0.1:${await refusingPort()}/identity/callback`;
    const page = await running.open();
    await page.goto(await prove(running));
    await share(page);
    await shootWhen(page, 'The app could not be reached', 'sandbox-problem-unreachable');
    expect(await page.getByRole('button', { name: 'Send the callback again' }).count()).toBe(1);
  });
});

describeInChromium('Pictures of the sandbox', () => {
  const running = runInChromium({ front, timeout: 10_000 }); // enough to look at the page that says so

  test('while the app takes its time', async () => {
    running.sandbox.redirectUrl = `${running.url}/reply/never`;
    const page = await running.open();
    const asked = await prove(running);
    await page.goto(asked);
    const other = await page.context().newPage();
    const delivered = once(deliveries, 'delivered');
    const sending = share(page);
    await delivered;
    await other.goto(asked);
    await shootWhen(other, 'On its way', 'sandbox-sending');
    await sending;
    await shootWhen(page, 'The app took too long', 'sandbox-problem-never');
  });
});

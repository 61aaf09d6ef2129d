import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { beforeEach, expect, test } from '@jest/globals';
import type { Express } from 'express';
import { badReplies, deliveries } from './bad-replies.js';
import { foreignForm } from './foreign-form.js';
import { refusingPort } from '../../support/refusing-port.js';
import { emptyShots, shoot } from './shots.js';
import { type Stage, describeInChromium, setStage } from '../running-app.js';
import { arrive, arriveAtWallet, press, share } from '../steps.js';

emptyShots('sandbox');

/** A request as the kit would make it. */
async function prove({ sandbox }: Stage, more: object = {}): Promise<string> {
  const { baseUrl, apiKey, issuer } = sandbox.options;
  const reply = await fetch(`${baseUrl}/prove`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({
      issuer,
      revealed: ['given_name', 'birth_date'],
      state: randomBytes(32).toString('base64url'),
      same_device: true,
      ...more,
    }),
  });
  return ((await reply.json()) as { redirect_url: string }).redirect_url;
}

function front(app: Express): void {
  badReplies(app);
  foreignForm(app);
}

describeInChromium('Pictures of the sandbox', () => {
  const stage = setStage({ front });

  beforeEach(() => {
    stage.sandbox.redirectUrl = `${stage.url}/identity/callback`;
  });

  test('the wallet', async () => {
    const page = await stage.open();
    const asked = await prove(stage); // before its page opens, which loads itself again at every news
    await page.goto(stage.sandbox.url);
    await shoot(page, 'sandbox-home');
    await page.goto(asked);
    await arriveAtWallet(page);
    await shoot(page, 'sandbox-wallet');
    await shoot(page, 'sandbox-wallet', 'dark');
    await page.getByText('Make something go wrong').click();
    await shoot(page, 'sandbox-wallet-error');
    await page.goto(
      await prove(stage, {
        revealed: ['family_name', 'given_name', 'birth_date', 'nationality'],
        derived: { nationality: 'FR' },
      }),
    );
    await shoot(page, 'sandbox-wallet-derived');
  });

  test('short notices', async () => {
    const page = await stage.open();
    await page.goto(`${stage.sandbox.url}/wallet/no-such-request`);
    await shoot(page, 'sandbox-gone');
    await page.goto(`${stage.sandbox.url}/nowhere`);
    await shoot(page, 'sandbox-nothing-here');
    const asked = await prove(stage);
    await page.goto(asked);
    const other = await page.context().newPage();
    await other.goto(asked);
    await press(page, 'Share');
    await arrive(page, 'That did not work'); // the app did not begin it
    await press(other, 'Decline');
    await arrive(other, 'Already answered');
    await shoot(other, 'sandbox-already-decided');
    await other.goto(asked);
    await shoot(other, 'sandbox-over');
  });

  test('notices for forms that count for nothing', async () => {
    const page = await stage.open();
    const asked = await prove(stage);
    await page.goto(`${stage.url}/foreign?to=${asked}`);
    await press(page, 'Send');
    await arrive(page, 'Not from another site');
    await shoot(page, 'sandbox-foreign-form');
    await page.goto(asked);
    await page.locator('[value=approve]').evaluate((button) => button.setAttribute('value', 'perhaps'));
    await press(page, 'Share');
    await arrive(page, 'No decision');
    await shoot(page, 'sandbox-no-decision');
  });

  test('no Redirect URL', async () => {
    const page = await stage.open();
    stage.sandbox.redirectUrl = undefined;
    const asked = await prove(stage);
    await page.goto(stage.sandbox.url);
    await shoot(page, 'sandbox-home-no-redirect-url');
    await page.goto(asked);
    await shoot(page, 'sandbox-wallet-no-redirect-url');
  });

  test.each([
    ['not-found', 'The app answered 404'],
    ['server-error', 'The app answered 500'],
    ['forbidden', 'The app answered 403'],
    ['redirect', 'The app answered 302'],
    ['page', 'The reply is not JSON'],
    ['not-json', 'The reply is not JSON'],
    ['no-redirect-uri', 'The reply has no redirect_uri'],
    ['relative', 'The redirect_uri is not a full address'],
    ['too-large', 'The reply is too large'],
    ['not-utf8', 'The reply is not UTF-8'],
  ])('a reply that does not do: %s', async (kind, title) => {
    stage.sandbox.redirectUrl = `${stage.url}/reply/${kind}`;
    const page = await stage.open();
    await page.goto(await prove(stage));
    await share(page);
    await arrive(page, title);
    await shoot(page, `sandbox-problem-${kind}`);
  });

  test('nobody answers', async () => {
    stage.sandbox.redirectUrl = `http://127.0.0.1:${await refusingPort()}/identity/callback`;
    const page = await stage.open();
    await page.goto(await prove(stage));
    await share(page);
    await arrive(page, 'The app could not be reached');
    await shoot(page, 'sandbox-problem-unreachable');
    expect(await page.getByRole('button', { name: 'Send the callback again' }).count()).toBe(1);
  });
});

describeInChromium('Pictures of the sandbox', () => {
  const stage = setStage({ front, timeout: 10_000 }); // enough to look at the page that says so

  test('while the app takes its time', async () => {
    stage.sandbox.redirectUrl = `${stage.url}/reply/never`;
    const page = await stage.open();
    const asked = await prove(stage);
    await page.goto(asked);
    const other = await page.context().newPage();
    const delivered = once(deliveries, 'delivered');
    const sending = share(page);
    await delivered;
    await other.goto(asked);
    await arrive(other, 'On its way');
    await shoot(other, 'sandbox-sending');
    await sending;
    await arrive(page, 'The app took too long');
    await shoot(page, 'sandbox-problem-never');
  });
});

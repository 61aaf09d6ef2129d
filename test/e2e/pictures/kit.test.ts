import { test } from '@jest/globals';
import type { Express } from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';
import type { Sandbox } from 'pidgate/sandbox';
import { foreignForm, foreignFormAt } from './extra-routes.js';
import { emptyShots, shoot, shootAt, shootWhen } from './shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, follow, goToWallet, logIn, press, share } from '../steps.js';

emptyShots('kit');

/** A code of the right form that nobody has made. */
const code = `${'A'.repeat(43)}.${'A'.repeat(43)}`;

/** Two apps in development, where pages speak to the developer too; the one has forgotten its session. */
function inDevelopment(app: Express, { options }: Sandbox): void {
  const mode = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'development';
  const withSession = session({ secret: 'only for tests', resave: false, saveUninitialized: false });
  const pages = { otherWay: { url: '/counter' } };
  const identity = identityVerification({ ...options, path: '/dev', reveal: ['given_name'], pages });
  app.use('/dev', withSession, identity);
  app.use('/limited', identity.busy);
  app.use('/bare', identityVerification({ ...options, path: '/bare', reveal: ['given_name'] }));
  process.env['NODE_ENV'] = mode;
}

const startAgain = 'Please start again in the browser where you began';

describeInChromium('Pictures of the kit', () => {
  let sabotage = 0;
  const running = runInChromium({
    front: (app, sandbox) => {
      inDevelopment(app, sandbox);
      foreignForm(app);
    },
    log: (line) => {
      if (line.startsWith('verified') && sabotage-- > 0) throw new Error('The app has a fault.');
    },
  });

  test('before the wallet', async () => {
    const page = await running.open();
    await shootAt(page, `${running.url}/identity/start`, 'kit-start', 'both');
    const member = await running.open();
    await logIn(member, running.url, 'Erika');
    await member.goto(`${running.url}/identity/start/vote`);
    await shootWhen(member, 'Prove who you are', 'kit-start-derived');
    await shootAt(page, `${running.url}/bare/start`, 'kit-start-plain');
    await press(page, 'Continue to my wallet');
    await shootWhen(page, 'This site is not set up correctly', 'kit-error-for-developer');
    await page.goto(foreignFormAt(running.url, `${running.url}/identity/start`));
    await press(page, 'Send');
    await shootWhen(page, 'Prove who you are', 'kit-start-refused');
  });

  test('after the wallet: errors', async () => {
    const page = await running.open();
    for (const error of [
      'service_error',
      'service_unreachable',
      'attributes_missing',
      'refused',
      'state_unknown',
    ]) {
      await shootAt(page, `${running.url}/dev/return?error=${error}`, `kit-error-${error}`);
    }
    await page.goto(`${running.url}/dev/return?code=${code}&reload=1`);
    await arrive(page, startAgain);
    await shoot(page, 'kit-start-again-for-developer');
    await shootAt(page, `${running.url}/bare/return?code=${code}&reload=1`, 'kit-session-missing');
    await page.goto(`${running.url}/identity/return?code=${code}&reload=1`);
    await arrive(page, startAgain);
    await shoot(page, 'kit-start-again', 'both');
  });

  test('P29, P30 an ID with which no new try helps, and where too many come', async () => {
    const page = await running.open();
    await shootAt(page, `${running.url}/limited`, 'kit-busy', 'both');
    await shootAt(page, `${running.url}/dev/return?error=credential_expired`, 'kit-error-expired', 'both');
  });

  test('the step that brings a Strict cookie', async () => {
    const page = await running.open();
    await page.route(/reload=1/, async (route) => await route.fulfill({ status: 204 }));
    await page.goto(`${running.url}/identity/return?code=${code}`);
    await shootWhen(page, 'One moment', 'kit-one-moment');
  });

  test('the app fails at the last step: the same page again works', async () => {
    const page = await running.open();
    await logIn(page, running.url, 'Erika');
    await goToWallet(page);
    sabotage = 1;
    await share(page);
    await shootWhen(page, 'Almost done', 'kit-try-again');
    await follow(page, 'Try again');
    await arrive(page, 'Your membership');
  });
});

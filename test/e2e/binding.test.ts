import { expect, jest, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { regularWith } from '../../example-app/members.js';
import { describeInChromium, runInChromium } from './running-app.js';
import { arrive, expectNotVerified, follow, goToWallet, logIn, press, share, openAtWallet } from './steps.js';

const startAgain = 'Your wallet opened a different browser';

/** The state of a flow, as the browser that began it may ask. */
async function statusOf(page: Page, url: string, returnUrl: string): Promise<unknown> {
  const [flow = ''] = new URL(returnUrl).searchParams.get('code')?.split('.') ?? [];
  const reply = await page.request.get(`${url}/identity/status?flow=${flow}`);
  return await reply.json();
}

describeInChromium('In a browser, who gets the result', () => {
  const running = runInChromium();
  jest.spyOn(console, 'warn').mockReturnValue(); // of returns that find no flow, which is what these are about

  test('two tabs of one browser that answer at the same moment: both complete', async () => {
    const one = await running.open();
    await logIn(one, running.url, 'Erika');
    const two = await one.context().newPage();
    await two.goto(running.url);
    await goToWallet(one, 'Go to the machines');
    await goToWallet(two, 'Get my voting card');
    await Promise.all([share(one), share(two)]);
    await Promise.all([one, two].map(async (page) => await arrive(page, /^(Machines|Voting card|Log in)$/)));
    // What a tab was asking for while the other one's return renewed the session may have met the log-in page.
    await Promise.all([one.goto(`${running.url}/machines`), two.goto(`${running.url}/voting-card`)]);
    await Promise.all([arrive(one, 'Machines'), arrive(two, 'Voting card')]);
  });

  test('F2, F7: a second browser answers the wallet and comes back: start again, and the code is revoked', async () => {
    const first = await openAtWallet(running);

    const second = await running.open();
    await second.goto(first.url()); // the link, passed on
    await share(second);
    await arrive(second, startAgain);
    const returnUrl = second.url();
    expect(await second.content()).not.toContain('Mustermann');
    expect(await second.context().cookies()).toEqual([]);

    expect(await statusOf(first, running.url, returnUrl)).toEqual({
      status: 'failed',
      start: '/identity/start?reason=counter',
    });
    await first.goto(returnUrl); // even the owner, with the right code, is too late
    await arrive(first, 'This verification has ended');
    expect(running.log).toEqual([expect.stringMatching(/^not verified: return_wrong_browser/)]);
    await expectNotVerified(first, running.url);
  });

  test('F3: who completed a flow passes its return link on: the second browser gets nothing', async () => {
    const first = await openAtWallet(running);
    const [back] = await Promise.all([first.waitForRequest(/identity\/return/), share(first)]);
    await arrive(first, 'Your membership');

    const second = await running.open();
    await logIn(second, running.url, 'Erika');
    await second.goto(back.url());
    await arrive(second, startAgain);
    await expectNotVerified(second, running.url);
    await first.reload();
    await arrive(first, 'Your membership'); // what was released stays released
  });

  test('F40: A starts, logs out, B logs in and comes back: nothing is released', async () => {
    const page = await openAtWallet(running);
    const other = await page.context().newPage();
    await other.goto(running.url);
    await press(other, 'Log out');
    await logIn(other, running.url, 'Max');
    await share(page);
    await arrive(page, startAgain);
    await expectNotVerified(page, running.url);
  });

  test('F40: the same in one session, whose log-out has destroyed nothing', async () => {
    const page = await openAtWallet(running);
    changePerson('max');
    await share(page);
    await arrive(page, 'The login has changed');
    expect(running.log.filter((line) => line.startsWith('not verified'))).toEqual([]);
    await expectNotVerified(page, running.url);
  });

  test('F40: what A has kept is never shown to B', async () => {
    const page = await openAtWallet(running);
    await share(page);
    await arrive(page, 'Your membership');
    changePerson('max');
    await follow(page, 'Drehmoment');
    await page.getByRole('heading', { name: 'Hello, Max Mustermann' }).waitFor();
    await expectNotVerified(page, running.url);
    changePerson('erika'); // reading writes nothing: for A it counts again
    await page.goto(`${running.url}/membership`);
    expect(page.url()).toBe(`${running.url}/membership`);
  });

  /** As an app would that only overwrites who is logged in. */
  function changePerson(key: 'erika' | 'max'): void {
    const stored = Reflect.get(running.sessions, 'sessions') as Record<string, string>;
    for (const [id, text] of Object.entries(stored)) {
      stored[id] = JSON.stringify({ ...(JSON.parse(text) as object), member: regularWith(key) });
    }
  }
});

describeInChromium('In a browser, with a SameSite=Strict session cookie', () => {
  const running = runInChromium({ cookie: { sameSite: 'strict' } });

  test('F9: the flow completes, by one step on the app’s own site', async () => {
    const page = await running.open();
    const returns: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/identity/return')) returns.push(request.url());
    });
    await logIn(page, running.url, 'Erika');
    const [before] = await page.context().cookies();
    expect(before?.sameSite).toBe('Strict');
    await goToWallet(page, 'Go to the machines');
    await share(page);
    await arrive(page, 'Machines');
    expect(returns).toEqual([expect.not.stringContaining('reload=1'), `${returns[0]}&reload=1`]);
    const cookies = await page.context().cookies();
    expect(cookies).toMatchObject([{ sameSite: 'Strict', name: before?.name }]);
    expect(cookies[0]?.value).not.toBe(before?.value); // a new session id
    await page.reload();
    await arrive(page, 'Machines');
  });

  test('F9: in a second browser the step brings no cookie either, and nothing is released', async () => {
    const first = await openAtWallet(running);
    const second = await running.open();
    await logIn(second, running.url, 'Max');
    await second.goto(first.url());
    await share(second);
    await arrive(second, startAgain);
    expect(await statusOf(first, running.url, second.url())).toMatchObject({ status: 'failed' });
    await expectNotVerified(second, running.url);
  });
});

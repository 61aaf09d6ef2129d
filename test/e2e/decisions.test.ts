import { expect, test } from '@jest/globals';
import { describeInChromium, setStage } from './stage.js';
import {
  arrive,
  arriveAtWallet,
  expectNotVerified,
  follow,
  goToWallet,
  logIn,
  press,
  share,
} from './steps.js';

describeInChromium('In a browser, what the person decides', () => {
  const stage = setStage();

  test('approve: the guard leads over the wallet to the page, with what is kept on it', async () => {
    const page = await stage.open();
    const returns: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/identity/return') && returns.push(request.url()),
    );
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page, 'Go to the machines');
    expect(new URL(page.url()).origin).toBe(stage.sandbox.url);
    await share(page);
    await arrive(page, 'Machines');
    expect(page.url()).toBe(`${stage.url}/machines`);
    const kept = await page.locator('dd').allInnerTexts();
    expect(kept).toEqual(['Erika Mustermann', 'Yes', expect.stringMatching(/ UTC$/), expect.any(String)]);
    expect(stage.log).toContain(`verified: receipt ${kept[3]}`);
    expect(returns).toHaveLength(1); // a Lax cookie needs no second step
    await page.reload();
    await arrive(page, 'Machines');
    await page.goBack(); // the way back through history releases nothing twice
    expect(stage.log.filter((line) => line.startsWith('verified'))).toHaveLength(1);
  });

  test('approve, from the app’s own link: the success page', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page);
    await share(page);
    await arrive(page, 'Thank you, that is you');
    await follow(page, 'Go to the machines');
    await arrive(page, 'Machines');
  });

  test('approve a second, named request: yes or no, and no more', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page, 'Take a tool abroad');
    await share(page);
    await arrive(page, 'Take a tool abroad');
    await page.getByText('covers you abroad').waitFor();
    await expectNotVerified(page, stage.url); // one answer is not the other
  });

  test('decline: the app says so, and nothing is released', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page);
    await press(page, 'Decline');
    await arrive(page, 'You kept your data to yourself');
    expect(page.url()).toBe(`${stage.url}/not-verified?error=declined`);
    expect(stage.log).toContain('not verified: declined (callback)');
    await expectNotVerified(page, stage.url);
  });

  test('an error from the service: its page names a code, and a new try works', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page);
    await page.getByText('Make something go wrong').click();
    await page.getByLabel('What shall happen?').selectOption('no_identity');
    await press(page, 'Let it happen');
    await arrive(page, 'That did not work');
    expect(page.url()).toBe(`${stage.url}/not-verified?error=no_identity`);
    expect(stage.log).toContain('not verified: no_identity (callback)');
    await follow(page, 'Try again');
    await press(page, 'Continue to my wallet');
    await arriveAtWallet(page);
    await share(page);
    await arrive(page, 'Thank you, that is you');
  });

  test('a proof of another name is refused by the app’s own hook', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Max');
    await goToWallet(page);
    await share(page);
    await arrive(page, 'This is not your account');
    await expectNotVerified(page, stage.url);
  });

  test('forget my data: what was kept is gone from the session, the log-in stays', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page);
    await share(page);
    await arrive(page, 'Thank you, that is you');
    const stored = (): string => JSON.stringify(Reflect.get(stage.sessions, 'sessions'));
    const receipt = await page.locator('dd code').innerText();
    expect(stored()).toContain(receipt);
    await press(page, 'Forget my data');
    await page.getByRole('heading', { name: 'Hello, Erika Mustermann' }).waitFor();
    expect(stored()).not.toContain(receipt);
    await expectNotVerified(page, stage.url);
  });

  test('log out: the session is destroyed', async () => {
    const page = await stage.open();
    await logIn(page, stage.url, 'Erika');
    await goToWallet(page, 'Go to the machines');
    await share(page);
    await arrive(page, 'Machines');
    await press(page, 'Log out');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await page.goto(`${stage.url}/machines`);
    expect(page.url()).toBe(`${stage.url}/`);
  });
});

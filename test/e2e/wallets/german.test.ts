import { test } from '@jest/globals';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, goToWallet, logIn } from '../steps.js';

describeInChromium('In a browser, the way of the German identity card', () => {
  const running = runInChromium({ issuer: 'de-ausweis' });

  test('with the keyboard alone, as somebody else, without JavaScript', async () => {
    const page = await running.open({ javaScriptEnabled: false });
    await logIn(page, running.url, 'Erika');
    await goToWallet(page);
    await page.getByRole('button', { name: 'Leon (17)' }).press('Enter');
    await page.getByText('LEON', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Share', exact: true }).press('Enter');
    await page.getByLabel('PIN of your identity card').fill('123456');
    await page.getByLabel('PIN of your identity card').press('Enter');
    await arrive(page, 'This ID does not fit the account');
  });
});

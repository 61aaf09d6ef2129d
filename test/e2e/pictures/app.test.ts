import { test } from '@jest/globals';
import { emptyShots, shoot } from './shots.js';
import { describeInChromium, setStage } from '../stage.js';
import { arrive, follow, goToWallet, logIn, share } from '../steps.js';

emptyShots('app');

describeInChromium('Pictures of the example app', () => {
  const stage = setStage();

  test('from the log-in to the forgotten data', async () => {
    const page = await stage.open();
    await page.goto(stage.url);
    await shoot(page, 'app-home');
    await shoot(page, 'app-home', 'dark');
    await logIn(page, stage.url, 'Erika');
    await shoot(page, 'app-home-logged-in');
    await goToWallet(page);
    await share(page);
    await arrive(page, 'Thank you, that is you');
    await shoot(page, 'app-verified');
    await follow(page, 'Go to the machines');
    await arrive(page, 'Machines');
    await shoot(page, 'app-machines');
    await shoot(page, 'app-machines', 'dark');
    await follow(page, 'Drehmoment');
    await page.getByRole('heading', { name: 'Welcome, Erika Mustermann' }).waitFor();
    await shoot(page, 'app-home-verified');
    await goToWallet(page, 'Take a tool abroad');
    await share(page);
    await arrive(page, 'Take a tool abroad');
    await shoot(page, 'app-abroad');
  });

  test('where it fails', async () => {
    const page = await stage.open();
    await page.goto(`${stage.url}/not-verified?error=service_unreachable`);
    await shoot(page, 'app-not-verified');
    await page.goto(`${stage.url}/not-verified?error=declined`);
    await shoot(page, 'app-declined');
    await page.goto(`${stage.url}/not-verified?error=other_person`);
    await shoot(page, 'app-other-person');
    await page.goto(`${stage.url}/no-such-page`);
    await shoot(page, 'app-not-found');
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import { isAtLeast } from '../../../lib/index.js';
import { type AppSetup, type Identity, type Running, startApp } from '../../support/app.js';
import { createBrowser } from '../../support/browser.js';
import { deep } from '../../support/deep.js';
import { inMode } from '../../support/mode.js';
import { changesOf, pageSaying, wordsOf } from './timeline/pages.js';
import { sandbox } from './open.js';

/** A library in development, whose machines are for adults. */
async function library(more: AppSetup = {}): Promise<Running> {
  return await inMode(
    'development',
    async () =>
      await startApp({
        options: {
          pages: { name: 'Drehmoment' },
          keep: ({ attributes }: { attributes: { given_name: string } }) => ({ name: attributes.given_name }),
          questions: {
            age: {
              reveal: ['birth_date'],
              keep: ({ attributes }: { attributes: { birth_date: string } }) => ({
                adult: isAtLeast(attributes.birth_date, 18),
              }),
              allow: ({ adult }: { adult: boolean }) => adult,
              successRedirect: '/machines',
            },
          },
        },
        after: (app, identity) => {
          app.get(
            '/machines',
            identity.require({ question: 'age' }),
            (_req, res) => void res.send('Machines'),
          );
        },
        ...more,
      }),
  );
}

/** Follows a link of the three through app and wallet, and returns the last page of the app. */
async function take({ sandbox: { url } }: Running, stop: string, browser = createBrowser()) {
  const begun = await browser.visit((await browser.get(`${url}/try/${stop}`)).location ?? '');
  const form = /<form method="post" action="([^"]+)"/.exec(begun.text)?.[1] ?? '';
  const shown = await browser.post(new URL(form.replaceAll('&amp;', '&'), begun.url).href, {});
  const wallet = shown.location ?? '';
  const page = await browser.get(wallet);
  const { location = '' } = await browser.post(wallet, { decision: 'approve' });
  return { start: begun.url, wallet: page.text, last: await browser.visit(location) };
}

/** Presses "Play all three", and returns the page as soon as the app has told what came of it. */
async function play({ sandbox: { url } }: Running) {
  const { status, location } = await createBrowser().post(`${url}/play`, {});
  expect([status, location]).toEqual([303, '/play']);
}

const column = (page: string, title: string): string =>
  wordsOf(new RegExp(`<li>\\s*<h2>${title}</h2>[^]*?</li>`).exec(page)?.[0] ?? '').trim();

describe('a yes, a no and a forgery', () => {
  deep.test('one press plays all three through the app: asked, shared, checked, stored', async () => {
    const app = await library();
    await pageSaying(app.sandbox, '/', 'Drehmoment');
    const home = await (await fetch(app.sandbox.url)).text();
    expect(home).toMatch(/<form method="post" action="\/play"[^>]*><button class="main">Play all three</);
    await play(app);
    await pageSaying(app.sandbox, '/play', 'data-follow=""'); // the app has told all
    const page = await (await fetch(`${app.sandbox.url}/play`)).text();
    const walked = 'Asked Date of birth Shared Date of birth Checked';
    expect(column(page, 'Erika, a yes')).toMatch(
      new RegExp(
        `${walked} \\d+ checks ✓ Stored \\{"adult":true\\} Yes: /machines opens\\. Date of birth: in this app for [\\d.]+ m?s , from the callback to the release\\. What is left of it: \\{"adult":true\\}`,
      ),
    );
    expect(column(page, 'Leon, a no')).toMatch(
      new RegExp(
        `${walked} \\d+ checks ✓ Stored \\{"adult":false\\} No: the proof is good, and /machines stays closed\\.`,
      ),
    );
    const forged = column(page, 'A forged card');
    expect(forged).toMatch(
      new RegExp(
        `${walked} \\d+ checks ✓, K02 ✗ Stored Nothing\\. Refused: no government signed this card\\. \\(K02\\)`,
      ),
    );
    expect(forged).not.toContain('in this app for');
    expect([...page.matchAll(/href="\/try\/(\w+)"/g)].map(([, stop]) => stop)).toEqual([
      'erika',
      'leon',
      'forged',
    ]);
    expect(Object.keys(app.stored())).toHaveLength(3); // a browser for each of them
  });

  it('of an app that does not answer it says so; without an app, how to set it; before, it leads home', async () => {
    const service = await sandbox({ redirectUrl: 'http://127.0.0.1:1/id/callback' });
    const browser = createBrowser();
    expect((await browser.get(`${service.url}/play`)).location).toBe('/');
    await browser.post(`${service.url}/play`, {});
    expect(column((await browser.get(`${service.url}/play`)).text, 'Leon, a no')).toContain(
      'Nothing responds at http://127.0.0.1:1: is the app running?',
    );
    service.redirectUrl = undefined;
    expect((await browser.post(`${service.url}/play`, {})).status).toBe(409);
  });

  deep.test('the timeline says how long what was shared was in the app, and what is left of it', async () => {
    const app = await library();
    await take(app, 'erika');
    const home = await pageSaying(app.sandbox, '/', 'age verified');
    const [, path = ''] = /href="(\/timeline\/[^"]+)"/.exec(home) ?? [];
    expect(wordsOf(await pageSaying(app.sandbox, path, 'in this app for'))).toMatch(
      /Stored \{"adult":true\} Date of birth: in this app for [\d.]+ m?s , from the callback to the release\. What is left of it: \{"adult":true\} \./,
    );
  });
});

describe('somebody is one of the three', () => {
  deep.test('no step shows another person’s result: each begins by forgetting', async () => {
    const app = await library();
    const browser = createBrowser();
    const machines = async () => (await browser.get(`${app.url}/machines`)).status;
    await pageSaying(app.sandbox, '/', 'Drehmoment');

    const erika = await take(app, 'erika', browser);
    expect(erika.start).toBe(`${app.url}/identity/start/age`);
    expect(erika.wallet).toContain('12 August 1964');
    expect([erika.last.text, await machines()]).toEqual(['Machines', 200]);

    const { location = '' } = await browser.get(`${app.sandbox.url}/try/leon`);
    const start = await browser.get(location);
    expect([start.status, start.location]).toEqual([303, './age']);
    expect(await machines()).toBe(303); // Erika's yes is gone

    const leon = await take(app, 'leon', browser);
    expect(leon.wallet).toContain('You are Leon Mustermann.');
    expect([leon.last.status, await machines()]).toEqual([403, 403]);

    const forged = await take(app, 'forged', browser);
    expect(forged.wallet).toContain('12 August 1964');
    expect(wordsOf(forged.last.text)).toContain('K02');
    expect(wordsOf(forged.last.text)).not.toContain('still counts');
    expect(await machines()).toBe(303); // nor is Leon's no there
  });

  it.each([
    ['development', 303, 303],
    ['test', 200, 200],
  ])(
    'in mode %s an address that begins afresh answers %i, and the page behind the guard %i',
    async (mode, start, club) => {
      const after = (its: Express, identity: Identity): void => {
        its.get('/club', identity.require(), (_req, res) => void res.send('Welcome'));
      };
      const app = await inMode(mode, () => startApp({ options: { keep: () => 'kept' }, after }));
      const { browser, back } = await app.waiting();
      await browser.get(back);
      expect((await browser.get(`${app.url}/club`)).status).toBe(200);
      expect((await browser.get(`${app.url}/identity/start?pidgate-afresh`)).status).toBe(start);
      expect((await browser.get(`${app.url}/club`)).status).toBe(club);
    },
  );

  it('a page whose guard was seen is where a link leads back to', async () => {
    const app = await library();
    await fetch(`${app.url}/machines`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    await pageSaying(app.sandbox, '/', 'Drehmoment');
    const { location = '' } = await createBrowser().get(`${app.sandbox.url}/try/leon`);
    expect(location).toBe(`${app.url}/identity/start/age?returnTo=%2Fmachines&pidgate-afresh`);
    expect((await createBrowser().visit(location)).url).toBe(
      `${app.url}/identity/start/age?returnTo=%2Fmachines`,
    );
  });

  it('who is chosen counts for this browser, and for its next verification alone', async () => {
    const app = await library();
    const browser = createBrowser();
    await browser.get(`${app.sandbox.url}/try/leon`);
    const start = async (whose: typeof browser): Promise<string> =>
      (await whose.post(`${app.url}/identity/start/age?form=kit`, {})).location ?? '';
    const other = createBrowser();
    expect((await other.get(await start(other))).text).toContain('You are Erika Mustermann.');
    const wallet = await start(browser);
    expect((await browser.get(wallet)).text).toContain('You are Leon Mustermann.');
    expect((await browser.get(wallet)).text).toContain('You are Leon Mustermann.');
    expect((await browser.get(await start(browser))).text).toContain('You are Erika Mustermann.');
  });

  it('of an app that tells nothing: the start beside its callback; without that, how to set it', async () => {
    const service = await sandbox({ redirectUrl: 'http://localhost:1/id/callback' });
    const { status, location, headers } = await createBrowser().get(`${service.url}/try/erika`);
    expect([status, location]).toEqual([303, 'http://localhost:1/id/start']);
    expect(headers.get('set-cookie')).toBe(
      'pidgate_sandbox_try=erika; Path=/wallet/; Max-Age=600; HttpOnly; SameSite=Lax',
    );
    expect((await createBrowser().get(`${service.url}/try/nobody`)).status).toBe(404);
    service.redirectUrl = undefined;
    const without = await createBrowser().get(`${service.url}/try/erika`);
    expect([without.status, wordsOf(without.text).includes('No Redirect URL is set')]).toEqual([409, true]);
    expect(without.text).not.toContain('/try/');
  });
});

describe('the overview', () => {
  it('a row has the question’s name, the app’s, and the way back to the wallet while it waits', async () => {
    const app = await library();
    const browser = app.browser();
    const wallet = (await browser.post(`${app.url}/identity/start/age?form=kit`, {})).location ?? '';
    const home = await pageSaying(app.sandbox, '/', 'age waiting');
    expect(wordsOf(home)).toMatch(
      /\d\d:\d\d:\d\d age waiting Drehmoment, Date of birth, for [\d.]+ m?s, xx-sandbox/,
    );
    expect(home).toContain(`<a href="${wallet}">Back to the wallet</a>`);
    await browser.post(wallet, { decision: 'approve' });
    expect(await pageSaying(app.sandbox, '/', 'age verified')).not.toContain('Back to the wallet');
  });

  it('the robot’s runs are folded away, and not counted with the others', async () => {
    const app = await library();
    await app.released();
    const scenarios = ['approve', 'declined', 'expired', 'prove_500'];
    const response = await fetch(`${app.sandbox.url}/simulate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${app.url}/machines`, scenarios }),
    });
    await response.text();
    const home = await (await fetch(app.sandbox.url)).text();
    const [, list = ''] = /<h2 id="timeline">[^]*?<ol class="flows">([^]*?)<\/ol>/.exec(home) ?? [];
    expect(list.match(/<li>/g)).toHaveLength(1);
    const [robot = ''] = /<details id="robot"[^]*?<\/details>/.exec(home) ?? [];
    expect(wordsOf(robot)).toMatch(/^ ?5 of the robot: 2 verified, 1 declined, 2 refused /);
    expect(wordsOf(robot)).toContain('The credential has expired. (expired)');
    expect(robot.match(/<li>/g)).toHaveLength(5);
  });

  it('the settings are folded away', async () => {
    const { url } = await sandbox({ redirectUrl: 'http://localhost:1/id/callback', variant: 'base' });
    const home = await (await fetch(url)).text();
    const [settings = ''] = /<details id="settings"[^]*?<\/details>/.exec(home) ?? [];
    expect(wordsOf(settings)).toContain('Variant base Redirect URL http://localhost:1/id/callback');
    expect(home.replace(settings, '')).not.toContain('Variant');
    expect(changesOf(home)).toMatch(/^\/changes\?seen=/);
  });
});

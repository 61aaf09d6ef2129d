import { describe, expect, it } from '@jest/globals';
import { isAtLeast } from '../../../lib/index.js';
import { type AppSetup, type Running, startApp } from '../../support/app.js';
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
              successRedirect: '/machines',
            },
          },
        },
        after: (app, identity) => {
          const guard = identity.require({
            question: 'age',
            allow: ({ adult }: { adult: boolean }) => adult,
          } as never);
          app.get('/machines', guard, (_req, res) => void res.send('Machines'));
        },
        ...more,
      }),
  );
}

/** Follows a stop of the tour through app and wallet, and returns the last page of the app. */
async function take({ sandbox: { url } }: Running, stop: string, browser = createBrowser()) {
  const begun = await browser.get(`${url}/try/${stop}`);
  const start = begun.location ?? '';
  const form = /<form method="post" action="([^"]+)"/.exec((await browser.get(start)).text)?.[1] ?? '';
  const shown = await browser.post(new URL(form.replaceAll('&amp;', '&'), start).href, {});
  const wallet = shown.location ?? '';
  const page = await browser.get(wallet);
  const { location = '' } = await browser.post(wallet, { decision: 'approve' });
  return { start, wallet: page.text, last: await browser.visit(location) };
}

const card = (home: string, title: string): string =>
  wordsOf(new RegExp(`<li>\\s*<h3>${title}</h3>[^]*?</li>`).exec(home)?.[0] ?? '');

describe('P22 a tour, on the sandbox’s page', () => {
  deep.test(
    'P22 three links: each begins at the app’s own start, and ends where one sees what was asked, shared, checked, stored',
    async () => {
      const app = await library();
      const { url } = app.sandbox;
      await pageSaying(app.sandbox, '/', 'Drehmoment');
      const home = await (await fetch(url)).text();
      expect([...home.matchAll(/href="\/try\/(\w+)"/g)].map(([, stop]) => stop)).toEqual([
        'erika',
        'leon',
        'forged',
      ]);
      expect(wordsOf(home)).toContain('They begin and end in Drehmoment');

      const erika = await take(app, 'erika');
      expect(erika.start).toBe(`${app.url}/identity/start/age`);
      expect(erika.wallet).toContain('12 August 1964');
      expect([erika.last.status, erika.last.text]).toEqual([200, 'Machines']);
      const timeline = await pageSaying(app.sandbox, '/', 'stored {"adult":true}');
      const [, path = ''] =
        /href="(\/timeline\/[^"]+)" aria-label="The timeline: Erika, a yes">The timeline</.exec(timeline) ??
        [];
      expect(wordsOf(await pageSaying(app.sandbox, path, 'released'))).toMatch(
        /Next: Leon, a no The tour Asked Date of birth Shared Date of birth Checked \d+ checks passed\. Every check Stored \{"adult":true\}/,
      );

      const leon = await take(app, 'leon');
      expect(leon.wallet).toContain('You are Leon Mustermann.');
      expect(leon.last.status).toBe(403);
      expect(card(await pageSaying(app.sandbox, '/', 'stored {"adult":false}'), 'Leon, a no')).toContain(
        'verified stored {"adult":false}',
      );

      const forged = await take(app, 'forged');
      expect(forged.wallet).toContain('12 August 1964');
      expect(wordsOf(forged.last.text)).toContain('For the developer: K02:');
      expect(card(await pageSaying(app.sandbox, '/', 'by check K02'), 'A forged card')).toContain(
        'refused by check K02',
      );
      const [, refused = ''] = /href="http:\/\/[^/]+(\/timeline\/[^"]+)"/.exec(forged.last.text) ?? [];
      expect(wordsOf(await pageSaying(app.sandbox, refused, 'reports the same check'))).toContain(
        'Next: every scenario, played by a robot The tour Asked Date of birth Shared Date of birth Checked K02: ',
      );
    },
  );

  it('P22 a page whose guard was seen is where a stop leads back to', async () => {
    const app = await library();
    await fetch(`${app.url}/machines`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    await pageSaying(app.sandbox, '/simulate', `${app.url}/machines`);
    const { location } = await createBrowser().get(`${app.sandbox.url}/try/leon`);
    expect(location).toBe(`${app.url}/identity/start/age?returnTo=%2Fmachines`);
  });

  it('P22 who is chosen counts for this browser, and for its next verification alone', async () => {
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

  it('P22 of an app that tells nothing: the start beside its callback; without that, how to set it', async () => {
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

describe('P33 the overview', () => {
  it('P33 a row has the question’s name, the app’s, and the way back to the wallet while it waits', async () => {
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

  it('P33 the robot’s runs are folded away, and not counted with the others', async () => {
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

  it('P33 the settings are folded away', async () => {
    const { url } = await sandbox({ redirectUrl: 'http://localhost:1/id/callback', variant: 'base' });
    const home = await (await fetch(url)).text();
    const [settings = ''] = /<details id="settings"[^]*?<\/details>/.exec(home) ?? [];
    expect(wordsOf(settings)).toContain('Variant base Redirect URL http://localhost:1/id/callback');
    expect(home.replace(settings, '')).not.toContain('Variant');
    expect(changesOf(home)).toMatch(/^\/changes\?seen=/);
  });
});

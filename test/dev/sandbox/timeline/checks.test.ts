import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { isAtLeast } from '../../../../lib/index.js';
import { run } from '../../../../lib/dev/cli/run.js';
import type { InspectReport } from '../../../../lib/dev/inspect/report.js';
import type { ScenarioId } from '../../../../lib/dev/sandbox/index.js';
import { type AppSetup, type Running, startApp } from '../../../support/app.js';
import { inMode } from '../../../support/mode.js';
import { decide } from '../../../support/wallet.js';
import { folder, terminal } from '../../cli/terminal.js';
import { clubApp } from '../simulator/customer-app.js';
import { aCustomer, prove, request, sandbox, timelineOf } from '../open.js';
import { pageSaying, wordsOf } from './pages.js';

/** The checks that a page lists, by their numbers. */
function listed(page: string): Map<string, string> {
  const rows = page.matchAll(
    /<li>\s*<span class="badge \w+">([a-z ]+)<\/span>\s*<strong translate="no">(\w+)<\/strong>/g,
  );
  return new Map([...rows].map(([, state = '', check = '']) => [check, state]));
}

describe('what pidgate checked is on the timeline', () => {
  const failing: [ScenarioId, string | undefined][] = [
    ['approve', undefined],
    ['extra_attribute', undefined],
    ['invalid_signature', 'K02'],
    ['wrong_key', 'B06'],
    ['wrong_nonce', 'B07'],
    ['wrong_audience', 'B08'],
    ['expired', 'C04'],
    ['revoked', 'T15'],
    ['keys_unreachable', undefined],
    ['missing_attribute', 'C13'],
    ['wrong_type', 'C13'],
  ];
  const issuers = ['xx-sandbox', 'de-ausweis'] as const;
  const cases = issuers.flatMap((issuer) =>
    failing.map(([scenario, check]) => [issuer, scenario, check] as const),
  );

  it.each(cases)(
    '%s, %s: every check with its number, as inspect lists them',
    async (issuer, scenario, check) => {
      let sent = '';
      const service = await sandbox({
        issuer,
        fetch: async (url, init) => {
          sent = typeof init?.body === 'string' ? init.body : '';
          return await fetch(url, init);
        },
      });
      await service.complete(clubApp(service.options), { scenario });
      const { text } = await timelineOf(service);
      const checks = listed(text);
      const failed = [...checks].filter(([, state]) => state === 'failed').map(([number]) => number);
      const isPlayed = !(scenario === 'keys_unreachable' && issuer === 'de-ausweis');
      expect(
        isPlayed && scenario === 'keys_unreachable' ? ['K14'] : check === undefined ? [] : [check],
      ).toEqual(failed);
      const body = new URLSearchParams(sent);
      const cwd = folder({ 'trust.json': JSON.stringify(service.options.trust) });
      const io = terminal({ cwd, stdin: Readable.from([body.get('presentation') ?? '']) });
      const args = ['--trust', `trust.json#${issuer}`, `--state=${body.get('state') ?? ''}`, '--json'];
      await run(['inspect', ...args], io);
      expect(io.err()).toBe('');
      const report = JSON.parse(io.out()) as InspectReport;
      expect([...checks.keys()].toSorted()).toEqual(report.checks.map((line) => line.check).toSorted());
      const passed = report.checks.filter((line) => line.state === 'passed').map((line) => line.check);
      expect(passed.length).toBeGreaterThan(20);
      // inspect asks for no attribute, and keys that were away for one callback are there again.
      const later = check === 'C13' || scenario === 'keys_unreachable' ? [] : passed;
      expect(later.filter((number) => checks.get(number) !== 'passed')).toEqual([]);
    },
  );

  it.each(issuers)(
    '%s: a later verification shows the checks of the first, path and status list too',
    async (issuer) => {
      const service = await sandbox({ issuer });
      const app = clubApp(service.options);
      const pages: string[] = [];
      for (let visits = 0; visits < 3; visits += 1) {
        await service.complete(app);
        pages.push((await timelineOf(service)).text);
      }
      const [first, ...later] = pages.map((page) => Object.fromEntries(listed(page)));
      expect(first).toMatchObject(
        issuer === 'de-ausweis' ? { K05: 'passed', T06: 'passed' } : { K14: 'passed' },
      );
      expect(later).toEqual([first, first]);
    },
  );

  it('what a good presentation does not call for is not said to be out of reach', async () => {
    const service = await sandbox();
    await service.complete(clubApp(service.options));
    const { text } = await timelineOf(service);
    expect(wordsOf(text)).toMatch(/\d+ are not needed here/);
    expect(new Set(listed(text).values())).toEqual(new Set(['passed', 'not needed']));
    await service.complete(clubApp(service.options), { scenario: 'wrong_nonce' });
    const refused = await timelineOf(service);
    expect(new Set(listed(refused.text).values())).toEqual(new Set(['failed', 'passed', 'not reached']));
  });

  it.each<[ScenarioId, string, string]>([
    ['declined', 'Shared Nothing. Checked Nothing: there was no proof. Stored Nothing.', 'declined'],
    [
      'callback_lost',
      'Checked Nothing: the app did not get as far as the proof. Stored Nothing yet.',
      'waiting',
    ],
    ['empty_body', 'Checked Nothing: the app did not get as far as the proof. Stored Nothing.', 'refused'],
  ])('%s: nothing was checked, and it says why', async (scenario, said, state) => {
    const service = await sandbox();
    await service.complete(clubApp(service.options), { scenario });
    const { text } = await timelineOf(service);
    expect(wordsOf(text)).toContain(`Asked Given name, date of birth `);
    expect(wordsOf(text)).toContain(said);
    expect(text).toMatch(new RegExp(`<span class="badge \\w+">${state}</span>`));
    expect(listed(text).size).toBe(0);
  });

  it('says what is asked, and that nothing happened yet, while the wallet has the request', async () => {
    const service = await sandbox();
    service.redirectUrl = (await aCustomer()).redirectUrl;
    await prove(service, request({ revealed: ['birth_date'] }));
    const { text } = await timelineOf(service);
    expect(wordsOf(text)).toContain(
      'Asked Date of birth Shared Nothing yet. Checked Nothing yet. Stored Nothing yet.',
    );
  });
});

/** An app in development with a sandbox of its own. */
async function develop(setup: AppSetup = {}): Promise<Running> {
  return await inMode('development', async () => await startApp(setup));
}

const age = {
  reveal: undefined,
  pages: { name: 'Drehmoment' },
  questions: {
    age: {
      reveal: ['birth_date'],
      keep: ({ attributes }: { attributes: { birth_date: string } }) => ({
        adult: isAtLeast(attributes.birth_date, 18),
        born: attributes.birth_date,
      }),
    },
  },
};

const takesAll = { valid: true, attributes: { birth_date: '1964-08-12' }, derived: {} } as const;

describe('an app in development tells the sandbox what it asks, refuses and stores', () => {
  it('the name of the question, and what is stored, without its values', async () => {
    const app = await develop({ options: age });
    const browser = app.browser();
    const shown = await browser.post(`${app.url}/identity/start/age`);
    const { path, text } = await timelineOf(app.sandbox);
    expect(text).toContain('<h1>age: waiting</h1>');
    await browser.get(await decide(shown.location ?? '', 'approve'));
    const page = await pageSaying(app.sandbox, path, 'released app → browser');
    expect(wordsOf(page)).toContain('Stored {"adult":true,"born":"[hidden]"}');
    expect(wordsOf(page)).toMatch(
      /Asked Date of birth Shared Date of birth Checked \d\d checks passed\. Every check /,
    );
    expect(wordsOf(page)).toContain(`start browser → app`);
    expect(page).not.toContain('1964');
  });

  it.each<[string, () => unknown]>([
    ['throws', () => JSON.parse('{') as unknown],
    ['rejects', async () => await Promise.reject(new Error('away'))],
    ['returns what JSON cannot carry', () => ({ since: 1n })],
  ])('a keep that %s fails as it does without a sandbox', async (_what, keep) => {
    const app = await develop({ options: { keep } });
    const { browser, back } = await app.waiting();
    expect((await browser.get(back)).status).toBe(500);
    const { path } = await timelineOf(app.sandbox);
    await pageSaying(app.sandbox, path, 'Stored Nothing: the app ended it with hook_failed.');
  });

  it('where nothing is kept, that only the issuer, the time and the receipt are', async () => {
    const app = await develop();
    await app.released();
    const { path } = await timelineOf(app.sandbox);
    await pageSaying(
      app.sandbox,
      path,
      'Stored Nothing about the person: the issuer, the time and the number',
    );
  });

  it('of a check that its own trust entry refuses: both are shown, and both pages lead to each other', async () => {
    const said: string[] = [];
    const service = await sandbox({ log: (line) => void said.push(line) });
    const { 'xx-sandbox': entry } = service.options.trust;
    const trust = { 'xx-sandbox': { ...entry, vct: ['urn:eudi:pid:xx:9'] } };
    const app = await develop({ sandbox: service, options: { ...age, trust } });
    service.redirectUrl = `${app.url}/identity/callback`;
    const browser = app.browser();
    const shown = await browser.post(`${app.url}/identity/start/age`);
    const refused = await browser.visit(await decide(shown.location ?? '', 'approve'));
    expect(wordsOf(refused.text)).toContain(
      'For the developer: C02: The credential is not of the type (vct)',
    );
    const [, address = ''] = /href="([^"]+)">the timeline of this verification</.exec(refused.text) ?? [];
    expect(address.startsWith(`${service.url}/timeline/`)).toBe(true);
    const page = await pageSaying(service, new URL(address).pathname, 'Your app reports C02');
    expect(wordsOf(page)).toContain('checks passed. Your app reports C02. Every check');
    expect(wordsOf(page)).toMatch(
      /Your app reports: C02 must hold: The vct is exactly one of the expected types\. It did not\./,
    );
    expect(wordsOf(page)).toContain("By the sandbox's own trust entry none failed.");
    expect(page).toContain('<h1>age: refused by C02</h1>');
    expect(said.join('\n')).toContain('✗ age refused by your app alone  ');
  });

  it('the same check: the page of the refusal names it, and leads to this timeline', async () => {
    const app = await develop({ options: age });
    const browser = app.browser();
    app.sandbox.next('wrong_nonce');
    const shown = await browser.post(`${app.url}/identity/start/age`);
    const refused = await browser.visit(await decide(shown.location ?? '', 'approve'));
    expect(wordsOf(refused.text)).toContain('For the developer: B07: ');
    const [, address = ''] = /href="([^"]+)">the timeline of this verification</.exec(refused.text) ?? [];
    const page = await pageSaying(app.sandbox, new URL(address).pathname, 'Your app reports the same check.');
    expect([...listed(page)].filter(([, state]) => state === 'failed')).toEqual([['B07', 'failed']]);
    expect(page).toContain('<h1>age: refused by B07</h1>');
    expect(wordsOf(page)).toMatch(/failed B07 must hold: [^.]+\. It did not\./);
    expect(wordsOf(page)).toContain('callback refused');
    expect(wordsOf(page)).toContain('refused (HTTP 200)');
  });

  it('passes are compared too: the app accepts what the sandbox accepts, or what it does not', async () => {
    const app = await develop({ options: age });
    const first = await app.browser().post(`${app.url}/identity/start/age`);
    await fetch(await decide(first.location ?? '', 'approve'), { redirect: 'manual' });
    const { path } = await timelineOf(app.sandbox);
    const page = await pageSaying(app.sandbox, path, 'Your app accepted it too.');
    expect(wordsOf(page)).toContain('What pidgate checks, run again here by the sandbox');

    const service = await sandbox();
    const lax = await develop({
      sandbox: service,
      options: { ...age, trust: { 'xx-sandbox': async () => await Promise.resolve(takesAll) } },
    });
    service.redirectUrl = `${lax.url}/identity/callback`;
    const browser = lax.browser();
    service.next('wrong_nonce');
    const shown = await browser.post(`${lax.url}/identity/start/age`);
    await browser.get(await decide(shown.location ?? '', 'approve'));
    const { path: accepted } = await timelineOf(service);
    await pageSaying(service, accepted, 'Your app accepted it, and the sandbox does not: B07.');
  });

  it('under the headings of docs/checks.md, with the sources written out', async () => {
    const service = await sandbox();
    await service.complete(clubApp(service.options), { scenario: 'invalid_signature' });
    const { text } = await timelineOf(service);
    const [, passed = ''] = /<details id="checks-passed"[^>]*>([^]*?)<\/details>/.exec(text) ?? [];
    const headings = [...passed.matchAll(/<h3>([^<]+)<\/h3>/g)].map(([, heading]) => heading);
    expect(headings.slice(0, 2)).toEqual(['Envelope and parsing', 'Header of the issuer&#39;s JWS']);
    expect(readFileSync('docs/checks.md', 'utf8')).toContain('## Envelope and parsing');
    expect(wordsOf(passed)).toContain('(RFC 9901, section 4)');
    expect(wordsOf(text)).not.toMatch(/\((?:9901|8725|5280|VC|TSL|VP) /);
  });

  it.each(['test', 'production'])('in %s nothing is told', async (mode) => {
    const service = await sandbox();
    const { 'xx-sandbox': entry } = service.options.trust;
    const options = { ...age, allowSandbox: true, trust: { 'xx-sandbox': entry } };
    const setup = { sandbox: service, options };
    const app = await inMode(mode, async () => await startApp(setup));
    service.redirectUrl = `${app.url}/identity/callback`;
    const browser = app.browser();
    const shown = await browser.post(`${app.url}/identity/start/age`);
    await browser.get(await decide(shown.location ?? '', 'approve'));
    const { text } = await timelineOf(app.sandbox);
    expect(text).toContain('<h1>Date of birth: verified</h1>');
    expect(wordsOf(text)).toContain(
      'Stored Not known here: the app tells it where it runs with pidgate dev.',
    );
  });

  it('what is told is refused where it has another form, or comes from a page', async () => {
    const { url } = await sandbox();
    const tell = async (news: unknown, headers = {}) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
      return (await fetch(`${url}/app`, { ...init, body: JSON.stringify(news) })).status;
    };
    const app = { type: 'app', name: 'An app', url: 'http://localhost:1', questions: [] };
    expect(await tell(app)).toBe(204);
    for (const news of [{}, null, { ...app, url: 'javascript:alert(1)' }, { ...app, more: 1 }]) {
      expect(await tell(news)).toBe(400);
    }
    expect(await tell(app, { origin: 'https://evil.example' })).toBe(403);
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { type PersonOption, createSandbox } from 'pidgate/sandbox';
import { memoryStore } from 'pidgate';
import { createApp } from '../../example-app/app.js';
import { type Browser, type Shown, createBrowser } from '../support/browser.js';
import { decide } from '../support/wallet.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Example {
  readonly url: string;
  readonly sessions: MemoryStore;
  readonly log: string[];
  /** The clock of app and sandbox. */
  readonly time: { now: Date };
}

async function openExample(person: PersonOption = 'erika'): Promise<Example> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const time = { now: new Date() };
  const clock = (): Date => time.now;
  const sandbox = await createSandbox({ person, clock, redirectUrl: `${url}/identity/callback` });
  closing.push(async () => await sandbox.close());
  const sessions = new MemoryStore();
  const log: string[] = [];
  const app = createApp({
    service: sandbox.options,
    sandboxUrl: sandbox.url,
    engine: { sessions, flows: memoryStore() },
    clock,
    log: (line) => log.push(line),
  });
  server.on('request', app);
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url, sessions, log, time };
}

/** Opens a page, and goes to the wallet and back where its guard asks for that. */
async function reach(
  { url }: Example,
  browser: Browser,
  path: string,
  decision: 'approve' | 'decline' = 'approve',
): Promise<Shown & { readonly url: string }> {
  const { location = '' } = await browser.get(url + path);
  expect(location).toContain('/identity/start');
  const start = await browser.post(url + location);
  expect(start.status).toBe(303);
  return await browser.visit(await decide(start.location ?? '', decision));
}

async function logIn({ url }: Example, browser: Browser, person: string, next = '/'): Promise<Shown> {
  return await browser.post(`${url}/log-in`, { person, next });
}

const stored = ({ sessions }: Example): string => JSON.stringify(Reflect.get(sessions, 'sessions'));

describe('Story 1 of the example app, an age check', () => {
  it('needs no log-in, and keeps one boolean', async () => {
    const example = await openExample();
    const page = await reach(example, createBrowser(), '/machines');
    expect([page.status, page.url]).toEqual([200, `${example.url}/machines`]);
    expect(page.text).toContain('You are of age');
    expect(stored(example)).toContain('adult');
    expect(stored(example)).not.toMatch(/1964|Mustermann|Erika/);
  });

  it('shuts a minor out with a page that leads home, and asks once', async () => {
    const example = await openExample({ birth_date: `${new Date().getFullYear() - 10}-01-01` });
    const browser = createBrowser();
    const page = await reach(example, browser, '/machines');
    expect([page.status, page.url]).toEqual([403, `${example.url}/machines`]);
    expect(page.text).toContain('identity_insufficient');
    expect(page.text).toContain('Back to Drehmoment');
    expect(await browser.get(`${example.url}/machines`)).toMatchObject({ status: 403, location: undefined });
  });
});

describe('Story 2, an account', () => {
  it('opens an account and logs in inside onSuccess', async () => {
    const example = await openExample();
    const browser = createBrowser();
    const page = await reach(example, browser, '/membership');
    expect(page.url).toBe(`${example.url}/membership`);
    expect(page.text).toContain('Erika Mustermann');
    expect(page.text).toMatch(/D-\d{6}/);
    expect((await browser.get(example.url)).text).toContain('Log out');
  });

  it('gives one person one number, and two verifications two', async () => {
    const example = await openExample();
    const numbers: (string | undefined)[] = [];
    for (const browser of [createBrowser(), createBrowser()]) {
      const { text } = await reach(example, browser, '/membership');
      const again = await browser.get(`${example.url}/membership`);
      expect(/D-\d{6}/.exec(again.text)?.[0]).toBe(/D-\d{6}/.exec(text)?.[0]);
      numbers.push(/D-\d{6}/.exec(text)?.[0]);
    }
    expect(new Set(numbers).size).toBe(2);
  });

  it('refuses the proof of another person than the one who is logged in', async () => {
    const example = await openExample();
    const browser = createBrowser();
    await logIn(example, browser, 'max');
    const page = await reach(example, browser, '/membership');
    expect(page.url).toBe(`${example.url}/not-verified?error=other_person`);
    expect(page.text).toContain('This is not your account');
    expect((await browser.get(`${example.url}/membership`)).location).toContain('/identity/start');
  });
});

describe('Story 3, a price for residents', () => {
  it('asks for the log-in before any data, on the page and at the start itself', async () => {
    const example = await openExample();
    const browser = createBrowser();
    const toLogIn = '/log-in?next=%2Fresident';
    expect((await browser.get(`${example.url}/resident`)).location).toBe(toLogIn);
    expect((await browser.get(`${example.url}/identity/start/resident`)).location).toBe(toLogIn);
    expect((await browser.post(`${example.url}/identity/start/resident`)).location).toBe(toLogIn);
    expect((await browser.get(example.url + toLogIn)).text).toContain('Please log in first');
    expect((await logIn(example, browser, 'erika', '/resident')).location).toBe('/resident');
    expect((await logIn(example, browser, 'erika', 'https://evil.example')).location).toBe('/');
  });

  it('halves the price of a citizen, and no nationality is kept', async () => {
    const example = await openExample();
    const browser = createBrowser();
    await logIn(example, browser, 'erika');
    const page = await reach(example, browser, '/resident');
    expect(page.text).toContain('You pay half');
    expect(page.text).toContain('€ 9.00');
    expect(stored(example)).toContain('resident');
    expect(stored(example)).not.toContain('nationality');
    expect((await reach(example, browser, '/machines')).text).toContain('€ 9.00');
  });

  it('leaves the price of all others', async () => {
    const example = await openExample({ nationality: ['FR'] });
    const browser = createBrowser();
    await logIn(example, browser, 'erika');
    const page = await reach(example, browser, '/resident');
    expect(page.text).toContain('Your price stays as it was');
    expect(page.text).not.toContain('€ 9.00');
  });

  it('refuses the proof of another person', async () => {
    const example = await openExample();
    const browser = createBrowser();
    await logIn(example, browser, 'max');
    expect((await reach(example, browser, '/resident')).url).toContain('?error=other_person');
  });
});

describe('The step-up', () => {
  it('asks again after ten minutes, and the membership goes on', async () => {
    const example = await openExample();
    const browser = createBrowser();
    expect((await browser.get(`${example.url}/door`)).location).toBe('/log-in?next=%2Fdoor');
    await reach(example, browser, '/membership');
    expect((await browser.get(`${example.url}/door`)).status).toBe(200);
    example.time.now = new Date(example.time.now.getTime() + 601_000);
    expect((await browser.get(`${example.url}/membership`)).status).toBe(200);
    expect((await browser.get(`${example.url}/door`)).location).toBe('/identity/start?returnTo=%2Fdoor');
    const door = await reach(example, browser, '/door');
    expect([door.status, door.url]).toEqual([200, `${example.url}/door`]);
    expect(door.text).toMatch(/class="code">\d{5}</);
  });
});

describe('What the example app says of itself', () => {
  it('lists what it keeps, and erases it', async () => {
    const example = await openExample();
    const browser = createBrowser();
    expect((await browser.get(`${example.url}/kept`)).text).toContain('No verification is stored.');
    await reach(example, browser, '/membership');
    await reach(example, browser, '/machines');
    await reach(example, browser, '/resident');
    const { text } = await browser.get(`${example.url}/kept`);
    for (const each of ['Erika Mustermann, 1964-08-12', 'At least 18', 'German citizen']) {
      expect(text).toContain(each);
    }
    expect(await browser.post(`${example.url}/forget`)).toMatchObject({ status: 303, location: '/kept' });
    expect((await browser.get(`${example.url}/kept`)).text).toContain('No verification is stored.');
    expect(stored(example)).not.toMatch(/1964|adult/);
  });

  it('shows the lines behind each page, and the timeline of its verification', async () => {
    const example = await openExample();
    const browser = createBrowser();
    const linesOf = ({ text }: Shown) => /<pre[^>]*><code>(.*?)<\/code><\/pre>/s.exec(text)?.[1] ?? '';
    await reach(example, browser, '/membership');
    const machines = await reach(example, browser, '/machines');
    const expected: [path: string, parts: string[]][] = [
      ['/', ['export function createIdentity', 'requests: { age, resident }']],
      ['/machines', ['export const age = ask({', 'isAtLeast(', 'allow: ({ adult }) =&#62; adult']],
      ['/membership', ['export const account = {', 'export function openAccount', 'newMember(']],
      ['/door', ['maxAge: freshFor']],
      ['/kept', ['identity.forget(req)']],
      ['/not-verified?error=declined', ['codes: [&#39;declined&#39;]']],
    ];
    for (const [path, parts] of expected) {
      const lines = linesOf(await browser.get(example.url + path));
      for (const part of parts) expect([path, lines.includes(part)]).toEqual([path, true]);
      expect(lines.split('\n').length).toBeLessThan(75);
    }
    const [, timeline = ''] = /href="(http:[^"]*\/timeline\/[^"]*)"/.exec(machines.text) ?? [];
    const page = await fetch(timeline);
    expect([page.status, (await page.text()).includes('/prove')]).toEqual([200, true]);
  });

  it('speaks German to a browser that asks for it, and to a person who chose it', async () => {
    const example = await openExample();
    const german = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' };
    const browser = createBrowser();
    const home = await browser.get(example.url, german);
    expect(home.text).toContain('<html lang="de">');
    expect(home.text).toContain('Werkzeug leihen');
    const start = await browser.get(`${example.url}/identity/start/age`, german);
    expect(start.text).toContain('ob Sie mindestens 18 Jahre alt sind');
    const chosen = await browser.get(`${example.url}/not-verified?error=declined&lang=en`, german);
    expect([chosen.status, chosen.location]).toEqual([303, '/not-verified?error=declined']);
    expect((await browser.get(example.url, german)).text).toContain('<html lang="en">');
    expect((await browser.get(`${example.url}/identity/start/age`, german)).text).toContain(
      'Prove who you are',
    );
    expect((await browser.get(`${example.url}//evil.example?lang=de`)).location).toBe('/evil.example');
  });

  const families: [code: string, words: string][] = [
    ['declined', 'You kept your data to yourself'],
    ['timed_out', 'The time was up'],
    ['credential_missing', 'Your wallet has no identity that fits'],
    ['presentation_invalid', 'Your proof was not accepted'],
    ['other_person', 'This is not your account'],
    ['service_unreachable', 'We cannot verify anybody right now'],
    ['config_invalid', 'Something is set up wrongly here'],
    ['service_error', 'That did not work'],
    ['<script>', 'That did not work'],
  ];
  it.each(families)('has a page for a failure: %s', async (code, words) => {
    const { url } = await openExample();
    const page = await createBrowser().get(`${url}/not-verified?error=${encodeURIComponent(code)}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(words);
    expect(page.text).toContain('Back to the start');
    expect(page.text).not.toContain('<script>');
  });

  it('declined: back on the page of its family, with nothing kept', async () => {
    const example = await openExample();
    const browser = createBrowser();
    const page = await reach(example, browser, '/machines', 'decline');
    expect(page.url).toBe(`${example.url}/not-verified?error=declined`);
    expect(example.log).toEqual(['not verified: declined (callback)']);
    expect((await browser.get(`${example.url}/machines`)).location).toContain('/identity/start/age');
  });
});

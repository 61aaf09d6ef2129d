import type { RequestListener } from 'node:http';
import { describe, expect, it, jest } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { type PersonOption, createSandbox } from 'pidgate/sandbox';
import { createApp } from '../../example-app/app.js';
import { newMember } from '../../example-app/members.js';
import { secretOf } from '../../example-app/secret-of.js';
import { languages } from '../../example-app/texts/index.js';
import { type Browser, type Shown, createBrowser } from '../support/browser.js';
import { closeAfter } from '../support/close-after.js';
import { root } from '../support/root.js';
import { endAll, runNode, runServer } from '../support/run-app.js';
import { serve } from '../support/serve.js';
import { decide } from '../support/wallet.js';

interface Example {
  readonly url: string;
  readonly sessions: MemoryStore;
  readonly log: string[];
  /** The clock of app and sandbox. */
  readonly time: { now: Date };
  /** Somebody's browser. */
  readonly browser: Browser;
  /** A page of the app in that browser. */
  readonly see: (path: string, headers?: Record<string, string>) => Promise<Shown>;
  /** A form of the app, sent from it. */
  readonly send: (path: string, form?: Record<string, string>) => Promise<Shown>;
}

async function openExample(person: PersonOption = 'erika'): Promise<Example> {
  let app: RequestListener = () => undefined;
  const url = await serve((req, res) => app(req, res), 'localhost');
  const time = { now: new Date() };
  const clock = (): Date => time.now;
  const sandbox = await createSandbox({ person, clock, redirectUrl: `${url}/identity/callback` });
  closeAfter(async () => await sandbox.close());
  const sessions = new MemoryStore();
  const log: string[] = [];
  const example = createApp({
    identity: { ...sandbox.options, clock },
    session: { secret: 'only for tests', store: sessions },
    log: (line) => log.push(line),
  });
  example.locals['sandboxUrl'] = sandbox.url;
  app = example;
  const browser = createBrowser();
  return {
    url,
    sessions,
    log,
    time,
    browser,
    see: async (path, headers) => await browser.get(url + path, headers),
    send: async (path, form) => await browser.post(url + path, form),
  };
}

/** Opens a page, and goes to the wallet and back where its guard asks for that. */
async function reach(
  { browser, see, send }: Pick<Example, 'browser' | 'see' | 'send'>,
  path: string,
  decision: 'approve' | 'decline' = 'approve',
): Promise<Shown & { readonly url: string }> {
  const { location = '' } = await see(path);
  expect(location).toContain('/identity/start');
  const start = await send(location);
  expect(start.status).toBe(303);
  return await browser.visit(await decide(start.location ?? '', decision));
}

async function logIn({ send }: Example, person: string, next = '/'): Promise<Shown> {
  return await send('/log-in', { person, next });
}

const stored = ({ sessions }: Example): string => JSON.stringify(Reflect.get(sessions, 'sessions'));

describe('Story 1 of the example app, an age check', () => {
  it('needs no log-in, and keeps one boolean', async () => {
    const example = await openExample();
    const page = await reach(example, '/machines');
    expect([page.status, page.url]).toEqual([200, `${example.url}/machines`]);
    expect(page.text).toContain('You are 18 or over');
    expect(stored(example)).not.toMatch(/adult|1964-|Mustermann|Erika/); // sealed
  });

  it('shuts a minor out with a page that leads home, and asks once', async () => {
    const example = await openExample({ birth_date: `${new Date().getFullYear() - 10}-01-01` });
    const page = await reach(example, '/machines');
    expect([page.status, page.url]).toEqual([403, `${example.url}/machines`]);
    // Two buttons lead on, and nothing is left to ask support.
    const buttons = [...page.text.matchAll(/<a class="button[^"]*" href="([^"]+)">([^<]+)</g)];
    expect(buttons.map(([, path, words]) => `${path} ${words}`)).toEqual([
      '/tools See what I can borrow',
      '/counter Come to the counter',
    ]);
    expect(page.text).not.toContain('give this code');
    expect(page.text).toContain('Back to Drehmoment');
    const tools = await example.see('/tools');
    expect(tools.text).toMatch(/Drills<.*Ladders<.*Clamps<.*This was not my ID: <a href="\/forget"/s);
    expect(await example.see('/machines')).toMatchObject({ status: 403, location: undefined });
  });
});

describe('Story 2, an account', () => {
  it('opens an account and logs in inside onSuccess', async () => {
    const example = await openExample();
    const page = await reach(example, '/membership');
    expect(page.url).toBe(`${example.url}/membership`);
    expect(page.text).toContain('Erika Mustermann');
    expect(page.text).toMatch(/D(-\d{4}){4}/);
    expect((await example.see('/')).text).toContain('Log out');
  });

  it('gives one person one number, and two verifications two', async () => {
    const example = await openExample();
    const numbers: (string | undefined)[] = [];
    for (const browser of [example.browser, createBrowser()]) {
      const see = async (path: string): Promise<Shown> => await browser.get(example.url + path);
      const send = async (path: string): Promise<Shown> => await browser.post(example.url + path);
      const { text } = await reach({ browser, see, send }, '/membership');
      const again = await see('/membership');
      expect(/D(-\d{4}){4}/.exec(again.text)?.[0]).toBe(/D(-\d{4}){4}/.exec(text)?.[0]);
      numbers.push(/D(-\d{4}){4}/.exec(text)?.[0]);
    }
    expect(new Set(numbers).size).toBe(2);
  });

  it('refuses the proof of another person than the one who is logged in', async () => {
    const example = await openExample();
    await logIn(example, 'max');
    const page = await reach(example, '/membership');
    expect(page.url).toBe(`${example.url}/other-person/default`);
    // The wrong card is likelier than the wrong account: the right card comes first.
    expect(page.text).toMatch(
      /<a class="button" href="\/identity\/start">Use my own card<\/a>\s*<form method="post" action="\/log-out"><button class="button other">Log out/,
    );
    expect(page.text).toContain('This ID does not fit the account');
    expect((await example.see('/membership')).location).toContain('/identity/start');
  });
});

describe('Story 3, a voting card', () => {
  it('asks for the log-in before any data, on the page and at the start itself', async () => {
    const example = await openExample();
    const toLogIn = '/log-in?next=%2Fvoting-card';
    expect((await example.see('/voting-card')).location).toBe(toLogIn);
    expect((await example.see('/identity/start/vote')).location).toBe(toLogIn);
    expect((await example.send('/identity/start/vote')).location).toBe(toLogIn);
    expect((await example.see(toLogIn)).text).toContain('Please log in first');
    expect((await logIn(example, 'erika', '/voting-card')).location).toBe('/voting-card');
    expect((await logIn(example, 'erika', 'https://evil.example')).location).toBe('/');
  });

  it('is for citizens, and no nationality is kept; every member pays half', async () => {
    const example = await openExample();
    await logIn(example, 'erika');
    const page = await reach(example, '/voting-card');
    expect(page.text).toContain('You can elect the board');
    expect(stored(example)).not.toMatch(/mayVote|nationality/); // sealed
    expect((await reach(example, '/machines')).text).toContain('€9.00');
  });

  it('tells all others what the statutes say', async () => {
    const example = await openExample({ nationality: ['FR'] });
    await logIn(example, 'erika');
    const page = await reach(example, '/voting-card');
    expect(page.text).toContain('only German citizens elect the board');
    expect(page.text).not.toContain('You can elect');
    expect(page.text).toContain('<h1>You cannot vote in this election</h1>');
    expect(page.text).toContain('href="/identity/start/vote?returnTo=/voting-card"');
    // A no is not kept for a month.
    expect((await example.see('/voting-card')).status).toBe(200);
    example.time.now = new Date(example.time.now.getTime() + 600_000);
    expect((await example.see('/voting-card')).location).toContain('/identity/start/vote');
  });

  it('refuses the proof of another person', async () => {
    const example = await openExample();
    await logIn(example, 'max');
    expect((await reach(example, '/voting-card')).url).toBe(`${example.url}/other-person/vote`);
  });
});

describe('story 4, forget me', () => {
  const ask = '/identity/start/erasure?returnTo=%2Ferasure';

  it('finds the account, asks once, erases it and gives a receipt', async () => {
    const example = await openExample();
    const why = await example.see(ask);
    expect(why.text).toContain('Before we erase your account, we want to see that it is yours.');
    const found = await reach(example, '/erasure');
    expect(found.text).toMatch(/Erase your account\?.*Erika Mustermann.*D-100001/s);
    expect(stored(example)).not.toMatch(/erika|1964-|Mustermann/); // sealed
    const id = example.browser.cookies.get('drehmoment');
    expect((await example.send('/erasure')).location).toBe('/erased');
    const { text } = await example.see('/erased');
    expect(text).toMatch(/Your account is erased.*Receipt.*\d{4} at \d\d:\d\d/s);
    expect(example.browser.cookies.get('drehmoment')).not.toBe(id);
    const [, receipt = ''] = /<dd><code[^>]*>([^<]+)</.exec(text) ?? [];
    expect(example.log).toEqual([`verified: erasure, receipt ${receipt}`]);
    expect((await example.see('/kept')).text).toContain(`>${receipt}</code>`);
    expect((await example.see('/erasure')).location).toBe(ask);
    expect((await createBrowser().get(`${example.url}/erased`)).location).toBe('/');
  });

  it('erases the account of the person who is logged in, with all that was kept', async () => {
    const example = await openExample();
    await reach(example, '/machines');
    const [number = ''] = /D(-\d{4}){4}/.exec((await reach(example, '/membership')).text) ?? [];
    expect((await reach(example, '/erasure')).text).toContain(number);
    expect((await example.see('/kept')).text).toMatch(
      new RegExp(`Account to erase</th>\\s*<td[^>]*>${number}<`),
    );
    await example.send('/erasure');
    expect(stored(example)).not.toMatch(/D-\d{4}|1964-|adult/);
    expect((await example.see('/')).text).toContain('Log in as Erika');
  });

  it('refuses the proof of another person', async () => {
    const example = await openExample();
    await logIn(example, 'max');
    const page = await reach(example, '/erasure');
    expect(page.url).toContain('/other-person/erasure');
    expect((await example.send('/erasure')).location).toBe('/erasure');
    expect((await example.see('/')).text).toContain('D-100002');
  });

  it.each<[string, PersonOption]>([
    ['name', 'umlauts'],
    ['birthday', { birth_date: '1964-08-13' }],
  ])('finds nobody by another %s', async (_, person) => {
    const example = await openExample(person);
    expect((await reach(example, '/erasure')).text).toContain('You have no account here');
    expect((await example.send('/erasure')).location).toBe('/erasure');
    expect((await example.see('/kept')).text).toContain('none found');
  });

  it('asks again after ten minutes', async () => {
    const example = await openExample();
    await reach(example, '/erasure');
    example.time.now = new Date(example.time.now.getTime() + 600_000);
    expect((await example.send('/erasure')).location).toBe('/erasure');
    expect((await example.see('/erasure')).location).toContain(ask);
  });
});

describe('the pages of the app', () => {
  const german = { 'accept-language': 'de' };

  it('two stories are the strong buttons, and Log in is not; the first link skips to the content', async () => {
    const { url } = await openExample();
    const { text } = await createBrowser().get(url);
    const strong = [...text.matchAll(/<a class="button" href="([^"]+)"/g)].map(([, path]) => path);
    expect(strong).toEqual(['/machines', '/membership']);
    for (const path of ['/voting-card', '/door', '/erasure']) expect(text).toContain(`<a href="${path}">`);
    expect(text.match(/<button class="button[^"]*"/g)).toEqual(Array(2).fill('<button class="button other"'));
    expect(/<a [^>]*>/.exec(text)?.[0]).toBe('<a class="skip" href="#main">');
    expect(text).toContain('<main id="main"');
  });

  it('money, dates and names are as people write them', async () => {
    const example = await openExample({ given_name: '-', family_name: 'SUHARTO-GRÖẞMANN' });
    const inGerman = async (path: string): Promise<string> => (await example.see(path, german)).text;
    expect((await reach(example, '/machines')).text).toMatch(/€18\.00\s+a day/);
    expect(await inGerman('/machines')).toMatch(/18,00\u00a0€\s+pro Tag/); // which does not break
    expect((await reach(example, '/membership')).text).toContain('<dd>Suharto-Größmann</dd>');
    expect(await inGerman('/membership')).toContain('12. August 1964');
    await reach(example, '/voting-card');
    expect(await inGerman('/voting-card')).toContain('am 12. Dezember 2026');
    expect(await inGerman('/kept')).toContain('<td data-label="Wert">Suharto-Größmann, 12. August 1964</td>');
  });

  it('lists what was asked and not kept, of this session alone', async () => {
    const example = await openExample();
    await reach(example, '/machines');
    const { text } = await example.see('/kept');
    expect(text).toContain('For the machines: your date of birth, if your wallet showed it.');
    expect(text).not.toMatch(/For the (election|door|erasure)/);
  });

  it('a member from the counter is asked as one, also on the page itself', async () => {
    const example = await openExample();
    await logIn(example, 'erika');
    const { location = '' } = await example.see('/membership');
    expect((await example.see(location)).text).toContain('You became a member at the counter.');
    expect((await reach(example, '/membership')).text).not.toContain('filled in the form');
  });

  it('a form of another site gets a page', async () => {
    const { url } = await openExample();
    const page = await createBrowser().post(
      `${url}/log-in`,
      { person: 'max' },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect([page.status, page.text.includes('This form came from another site')]).toEqual([403, true]);
  });

  it('erasing what is kept asks once, and confirms', async () => {
    const example = await openExample();
    expect((await example.see('/forget')).location).toBe('/kept'); // there is nothing
    await reach(example, '/machines');
    expect((await example.see('/kept')).text).toContain('href="/forget"');
    const asked = await example.see('/forget');
    expect(asked.text).toMatch(/<form method="post" action="\/forget".*Erase my results.*Keep it/s);
    expect((await example.see('/kept')).text).toContain('At least 18');
  });
});

describe('one story', () => {
  it('a member who has shared a date of birth is not asked for it again at the machines', async () => {
    const example = await openExample();
    await reach(example, '/membership');
    const page = await example.see('/machines');
    expect([page.status, page.location]).toEqual([200, undefined]);
    expect(page.text).toContain('Your membership shows it. We did not ask again.');
    expect(page.text).toContain('What your membership says: your name and your date of birth.');
  });

  it('a member of 17 is refused there by the same date, and not asked either', async () => {
    const example = await openExample('minor');
    await reach(example, '/membership');
    const page = await example.see('/machines');
    expect([page.status, page.location]).toEqual([403, undefined]);
    expect(page.text).toContain('Not yet: machines are for people from 18');
    expect((await example.send('/machines', { machine: 'hammer' })).status).toBe(403);
  });

  it('what was proved before joining is erased, and the membership shows it', async () => {
    const example = await openExample();
    await reach(example, '/machines');
    const joined = await reach(example, '/membership');
    expect(joined.text).not.toContain('erased'); // nor is it where there was nothing
    expect(stored(example)).not.toContain('adult');
    expect((await example.see('/kept')).text).not.toContain('At least 18');
    expect((await example.see('/machines')).status).toBe(200);
    expect((await example.see('/log-in')).text).toContain('After you log in, you verify anew.');
  });

  it('the machines end in something that one can do', async () => {
    const example = await openExample();
    expect((await example.send('/machines', { machine: 'hammer' })).status).toBe(401);
    const page = await reach(example, '/machines');
    expect(page.text).toMatch(
      /18\+ ✓<.*Of your date of birth we stored only: yes\.<.*verified on [^<]+ at \d\d:\d\d<.*was in this app for [\d.]+ seconds\.</s,
    );
    expect(page.text.match(/aria-label="Reserve: /g)).toHaveLength(4);
    expect(await example.send('/machines', { machine: 'hammer' })).toMatchObject({
      status: 303,
      location: '/machines',
    });
    const reserved = await example.see('/machines');
    expect(reserved.text).toContain('Demolition hammer: reserved for you, and ready at the counter.');
    expect(reserved.text.match(/aria-label="Reserve: /g)).toHaveLength(3);
    await example.send('/machines', { machine: 'a castle' });
    expect((await example.see('/machines')).text.match(/aria-label="Reserve: /g)).toHaveLength(3);
    // A shared device: the result can be erased from here.
    expect(reserved.text).toContain('href="/forget"');
  });

  it.each(['/machines', '/membership', '/voting-card', '/door'])(
    'at %s, Max with the card of another is not told to try again',
    async (path) => {
      const example = await openExample();
      await logIn(example, 'max');
      const page = await reach(example, path);
      expect(page.url).toContain('/other-person/');
      expect(page.text).not.toContain('Try again');
      expect(page.text).toContain('>Use my own card</a>');
    },
  );
});

describe('what is kept', () => {
  it.each<[PersonOption, string, number]>([
    ['erika', 'yes', 30 * 24 * 60],
    ['minor', 'no', 10],
  ])('says until when in each row, and no longer: %s', async (person, value, minutes) => {
    const example = await openExample(person);
    await reach(example, '/machines');
    const at = example.time.now.getTime() + minutes * 60_000;
    const until = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(at);
    const { text } = await example.see('/kept');
    expect(text).toContain(`<td data-label="Value">${value}</td>`);
    expect(text).toContain(`<td data-label="Kept until">${until}</td>`);
    example.time.now = new Date(at - 1);
    expect((await example.see('/kept')).text).toContain('At least 18');
    example.time.now = new Date(at);
    expect((await example.see('/kept')).text).toContain('No verification is stored.');
  });

  it('says what each of the two ways to erase means', async () => {
    const example = await openExample();
    await reach(example, '/membership');
    const { text } = await example.see('/kept');
    expect(text).toMatch(
      /You stay logged in.*href="\/forget".*Or the account with all results.*href="\/erasure"/s,
    );
  });
});

/** The texts of a language that stand alone, as pages have them; short words may be the same in two languages. */
function textsIn(texts: unknown): string[] {
  if (typeof texts === 'string') return texts.length < 12 ? [] : texts.split('\n').map(escaped);
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(textsIn) : [];
}
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

describe.each(Object.entries(languages))('The language %s', (tag, texts) => {
  const ownTexts = textsIn(texts);
  const others = Object.values(languages).filter((other) => other !== texts);
  const foreign = others
    .flatMap(({ language: _, ...other }) => textsIn(other))
    .filter((text) => !ownTexts.includes(text));

  it('is that of every page, from its title to its foot, and leads to all others', async () => {
    const example = await openExample();
    const asked = { 'accept-language': tag };
    const paths = [
      '/',
      '/counter',
      '/door',
      '/identity/start',
      '/kept',
      '/log-in',
      '/no-such-page',
      '/erased',
    ];
    const shown: [string, Shown][] = [];
    const look = async (path: string) => shown.push([path, await example.see(path, asked)]);
    for (const path of paths) await look(path);
    for (const path of ['/machines', '/membership', '/voting-card', '/door', '/erasure']) {
      await reach(example, path);
      await look(path);
    }
    for (const path of ['/', '/kept', '/forget', '/identity/start/age?returnTo=/machines']) await look(path);
    for (const path of ['/other-person/door', '/tools', '/counter']) await look(path);
    await example.send('/erasure');
    await look('/erased');
    for (const [path, { text, location }] of shown) {
      if (location !== undefined) continue;
      expect([path, foreign.filter((words) => text.includes(words))]).toEqual([path, []]);
      expect([path, text.includes(`<html lang="${tag}"`)]).toEqual([path, true]);
      const unlinked = others.filter(({ language }) => !new RegExp(`>${language}</a>`, 'i').test(text));
      expect([path, unlinked]).toEqual([path, []]);
    }
  });
});

describe('F99 the example is a model', () => {
  it('F99 member numbers do not collide', () => {
    const names = { given_name: 'Erika', family_name: 'Mustermann', birth_date: '1964-08-12' };
    const numbers = Array.from({ length: 20_000 }, (_, count) => newMember(`receipt ${count}`, names).number);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('F99 a number is not what says who is logged in', async () => {
    const example = await openExample();
    await reach(example, '/membership');
    const change = (change: Record<string, string>): void => {
      const sessions = Reflect.get(example.sessions, 'sessions') as Record<string, string>;
      for (const [id, text] of Object.entries(sessions)) {
        const session = JSON.parse(text) as { member?: object };
        sessions[id] = JSON.stringify({ ...session, member: { ...session.member, ...change } });
      }
    };
    change({ number: 'D-100001' }); // a new card
    expect((await example.see('/membership')).status).toBe(200);
    change({ id: 'somebody else' });
    expect((await example.see('/membership')).location).toContain('/identity/start');
  });

  it.each(['/membership', '/voting-card', '/door', '/erasure'])(
    'F99 somebody of the same name, born on another day, is refused at %s',
    async (path) => {
      const example = await openExample({ birth_date: '1964-08-13' });
      await logIn(example, 'erika');
      expect((await reach(example, path)).url).toContain('/other-person/');
      expect((await example.see(path)).location).toContain('/identity/start');
    },
  );

  it('F99 has no secret of its own outside development', () => {
    const before = { ...process.env };
    closeAfter(() => (process.env = before));
    for (const mode of ['production', 'staging', '']) {
      process.env = { NODE_ENV: mode };
      expect(() => secretOf('SESSION_SECRET')).toThrow('SESSION_SECRET is not set');
      process.env = { NODE_ENV: mode, SESSION_SECRET: 'of this test' };
      expect(secretOf('SESSION_SECRET')).toBe('of this test');
    }
  });

  it.each([
    ['main', 'SESSION_SECRET', {}],
    ['scaled', 'SESSION_SECRET', {}],
    ['scaled', 'IDENTITY_SECRET', { SESSION_SECRET: 'of this test' }],
  ])('F99 %s.ts does not start outside development without its %s', async (name, variable, secrets) => {
    const env = { NODE_ENV: 'production', REDIS_URL: 'redis://127.0.0.1:9', ...secrets };
    const app = await runNode(['--import', 'tsx', `example-app/${name}.ts`], root, env);
    expect(await app.end()).toEqual([1, null]);
    expect(app.said()).toContain(`Error: ${variable} is not set`);
  });

  it('F99 behind a proxy, in production: each person has a limit of their own, and a __Host- cookie', async () => {
    const sandbox = await createSandbox();
    closeAfter(async () => await sandbox.close());
    const appUrl = 'https://drehmoment.example';
    const trust = { 'xx-sandbox': sandbox.options.trust['xx-sandbox'] };
    const code = `
      import { createApp } from '../../example-app/app.js';
      const identity = ${JSON.stringify({ ...sandbox.options, appUrl, trust })};
      createApp({ identity }).listen(process.env.PORT, () => console.log('It listens.'));`;
    const env = { NODE_ENV: 'production', SESSION_SECRET: 'of this test' };
    const app = await runServer(code, ['--import', 'tsx'], env);
    await app.says('It listens.');
    const host = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'drehmoment.example' };
    const post = async (path: string, person: string): Promise<Shown> => {
      const headers = { ...host, origin: appUrl, 'x-forwarded-for': person };
      return await createBrowser().post(app.url + path, { person: 'erika' }, headers);
    };
    expect((await post('/log-in', '203.0.113.1')).headers.get('set-cookie')).toMatch(
      /^__Host-drehmoment=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const use = async (person: string): Promise<number> =>
      (
        await fetch(`${app.url}/identity/start`, {
          method: 'HEAD',
          headers: { ...host, 'x-forwarded-for': person },
        })
      ).status;
    const statuses: number[] = [];
    for (let count = 0; count < 601; count += 1) statuses.push(await use('203.0.113.1'));
    expect([...new Set(statuses)]).toEqual([204, 429]);
    expect(await use('203.0.113.2')).toBe(204);
    await endAll();
  });
});

describe('The step-up', () => {
  it('asks again after ten minutes, and the membership goes on', async () => {
    const example = await openExample();
    expect((await example.see('/door')).location).toBe('/log-in?next=%2Fdoor');
    // Nor to the wallet, for somebody who has logged out since the start page was shown.
    expect((await example.send('/identity/start/door')).location).toBe('/log-in?next=%2Fdoor');
    await reach(example, '/membership');
    const start = '/identity/start/door?returnTo=%2Fdoor';
    expect((await example.see('/door')).location).toBe(start);
    const why = await example.see(start);
    expect(why.text).toContain('Before we show the door code');
    expect(why.text).not.toMatch(/Become a member|voting/);
    await reach(example, '/door');
    const shown = await example.see('/door');
    expect([shown.status, Number(shown.headers.get('refresh')) > 0]).toEqual([200, true]);
    example.time.now = new Date(example.time.now.getTime() + 601_000);
    expect((await example.see('/membership')).status).toBe(200);
    expect((await example.see('/door')).location).toBe(`${start}&reason=stale`);
    const again = await example.see(`${start}&reason=stale`);
    expect(again.text).toMatch(
      /Before we show the door code, [^<]+\. Your last check was too long ago\. Please verify again\./,
    );
    const door = await reach(example, '/door');
    expect([door.status, door.url]).toEqual([200, `${example.url}/door`]);
    expect(door.text).toMatch(/class="code">\d{5}</);
  });
});

describe('What the example app says of itself', () => {
  it('lists what it keeps, and erases it', async () => {
    const example = await openExample();
    expect((await example.see('/kept')).text).toContain('No verification is stored.');
    await logIn(example, 'erika');
    await reach(example, '/machines'); // a member shows who it is there
    await reach(example, '/voting-card');
    const { text } = await example.see('/kept');
    for (const each of ['Erika Mustermann, 12 August 1964', 'German citizen']) {
      expect(text).toContain(each);
    }
    expect(await example.send('/forget')).toMatchObject({
      status: 303,
      location: '/kept?erased',
    });
    const left = await example.see('/kept?erased');
    expect(left.text).toContain('Your results are erased.');
    expect(stored(example)).not.toMatch(/adult|mayVote/);
    // The account is no result of a verification, and stays with what it has.
    expect(left.text).toMatch(/Your account \(D-100001, Erika Mustermann, born 12 August 1964\) stays until/);
  });

  it('forgets at the log-out who was verified', async () => {
    const example = await openExample();
    await reach(example, '/machines');
    expect((await example.send('/log-out')).location).toBe('/');
    expect(stored(example)).not.toMatch(/adult/);
    expect((await example.see('/door')).location).toBe('/log-in?next=%2Fdoor');
  });

  it('links the timeline of the verification that opened the page', async () => {
    const example = await openExample();
    const machines = await reach(example, '/machines');
    const [, timeline = ''] = /href="(http:[^"]*\/timeline\/[^"]*)"/.exec(machines.text) ?? [];
    const page = await fetch(timeline);
    expect([page.status, (await page.text()).includes('/prove')]).toEqual([200, true]);
  });

  it('speaks German to a browser that asks for it, and to a person who chose it', async () => {
    const example = await openExample();
    const german = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' };
    const home = await example.see('/', german);
    expect(home.text).toContain('<html lang="de">');
    expect(home.text).toContain('Werkzeug leihen');
    const start = await example.see('/identity/start/age', german);
    expect(start.text).toContain('Ob Sie mindestens 18 sind');
    const chosen = await example.see('/log-in?next=%2Fdoor&lang=en', german);
    expect([chosen.status, chosen.location]).toEqual([303, '/log-in?next=%2Fdoor']);
    expect((await example.see('/', german)).text).toContain('<html lang="en">');
    expect((await example.see('/identity/start/age', german)).text).toContain('Prove your age');
    expect((await example.see('//evil.example?lang=de')).location).toBe('/evil.example');
  });

  it.each([
    ['timed_out', 9],
    ['state_unknown', 60], // the flow itself has ended too
  ])('a request that expired at the wallet leads to pidgate’s page: %s', async (code, minutes) => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue(); // of a callback that finds no flow
    const example = await openExample();
    const browser = createBrowser();
    const { location = '' } = await browser.get(`${example.url}/machines`);
    const { location: wallet = '' } = await browser.post(example.url + location);
    example.time.now = new Date(example.time.now.getTime() + minutes * 60_000);
    expect((await browser.get(wallet)).text).toContain('value="back">Back to localhost');
    const back = await browser.post(wallet, { way: 'back' });
    const page = await browser.visit(back.location ?? '');
    expect(page.url).toContain(`${example.url}/identity/return?error=${code}`);
    expect(page.text).toContain('href="/identity/start/age?returnTo=%2Fmachines"');
    expect(warn.mock.calls.length).toBe(code === 'state_unknown' ? 1 : 0);
    warn.mockRestore();
  });

  it('nothing shared: pidgate says so, with nothing kept', async () => {
    const example = await openExample();
    const page = await reach(example, '/machines', 'decline');
    expect(page.url).toContain(`${example.url}/identity/return?error=not_shared`);
    expect(page.text).toContain('<a class="button" href="/identity/start/age?returnTo=%2Fmachines"');
    expect(example.log).toEqual([
      expect.stringMatching(/^not verified: not_shared \(callback\), flow [\w-]{9}$/),
    ]);
    expect((await example.see('/machines')).location).toContain('/identity/start/age');
  });
});

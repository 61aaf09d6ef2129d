import { describe, expect, test } from '@jest/globals';
import { readSupportCode, supportCodeOf } from '../../lib/internal/support-code.js';
import type { Express, RequestHandler } from 'express';
import { ask, isAtLeast } from '../../lib/index.js';
import { languageName } from '../../lib/internal/display-names.js';
import { builtIn } from '../../lib/options/pages/languages.js';
import {
  type AppSetup,
  type Running,
  identityWith,
  noCode,
  startApp,
  testClock,
  throws,
  sentStates,
} from '../support/app.js';
import { good } from '../options/settings.js';
import { decide } from '../support/wallet.js';

// What people read at the moments that decide.

const german = { 'accept-language': 'de' };

/** What stands on a page below its title. */
const words = (text: string): string =>
  text
    .replace(/^[^]*<h1>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', "'")
    .trim();

/** A page, as a new browser is shown it. */
const shownAt = async (app: Running, path: string, headers = {}): Promise<string> =>
  (await app.browser().get(app.url + path, headers)).text;

const door = 'Before we show the door code, we want to see that it is you.';

/** What the club says in German too: an app has the languages in which it says why it asks. */
const inGerman = { texts: { de: { purpose: 'Werden Sie Mitglied.' } } };

/** A club that says nothing of its own has every language that pidgate has. */
const wordless = { purpose: undefined, reasons: undefined };

/** A club with a door, whose code asks for a verification of the last ten minutes. */
async function openClub(
  more: object = {},
  guard: object = {},
): Promise<Running & { clock: ReturnType<typeof testClock> }> {
  const clock = testClock();
  const app = await startApp({
    options: {
      clock,
      purpose: 'Become a member.',
      reasons: { door },
      keep: () => ({ adult: false }),
      keepFor: '30d',
      ...more,
    },
    after: (its, identity) => {
      its.get('/club', identity.require(), (_req, res) => void res.send('club'));
      its.get(
        '/door',
        identity.require({ maxAge: '10m', ...guard } as never),
        (_req, res) => void res.send('code'),
      );
    },
  });
  return Object.assign(app, { clock });
}

describe('why, each time', () => {
  test('a guard names the reason, in each language; nothing else of an address is a reason', async () => {
    const texts = {
      de: {
        'reasons.door': 'Bevor wir Ihnen den Türcode zeigen, möchten wir sicher sein, dass Sie es sind.',
      },
    };
    const app = await openClub({ pages: { texts } }, { reason: 'door' });
    const browser = app.browser();
    const { location = '' } = await browser.get(`${app.url}/door`);
    expect(location).toBe('/identity/start?returnTo=%2Fdoor&reason=door');
    const page = await browser.get(app.url + location);
    expect(words(page.text)).toContain(`${door} What you`);
    expect(page.text).not.toContain('Become a member');
    expect(page.text).toContain('action="/identity/start?returnTo=%2Fdoor&amp;reason=door&amp;form=kit"');
    expect(words((await browser.get(app.url + location, german)).text)).toContain(
      'Bevor wir Ihnen den Türcode zeigen',
    );
    for (const other of ['window', 'constructor', '__proto__', '<b>', 'stale']) {
      const { text } = await browser.get(`${app.url}/identity/start?reason=${encodeURIComponent(other)}`);
      expect(words(text)).toContain('Become a member.');
    }
    const json = await browser.get(`${app.url}/door`, { accept: 'application/json' });
    expect(json.json()).toMatchObject({ start: '/identity/start?reason=door' });
  });

  test('a failed try leads back to the same reason', async () => {
    const app = await openClub();
    const browser = app.browser();
    const back = await decide(await app.start(browser, '?returnTo=/door&reason=door'), 'decline');
    const { text } = await browser.get(back);
    expect(text).toContain('href="/identity/start?returnTo=%2Fdoor&amp;reason=door"');
  });

  test('an older tab knows where it wanted to go, and no longer why it asked', async () => {
    const app = await openClub();
    const browser = app.browser();
    const older = await app.start(browser, '?returnTo=/door&reason=door');
    await app.start(browser, '?returnTo=/club');
    const { text } = await browser.get(await decide(older, 'decline'));
    expect(text).toContain('href="/identity/start?returnTo=%2Fdoor"');
  });

  test('without a reason, a guard whose result is too old says so', async () => {
    const app = await openClub({ pages: inGerman });
    const browser = await app.released();
    app.clock.forward(11 * 60_000);
    const { location = '' } = await browser.get(`${app.url}/door`);
    const { text } = await browser.get(app.url + location);
    expect(words(text)).toContain('Become a member. Your last check was too long ago. Please verify again.');
    expect(words((await browser.get(app.url + location, german)).text)).toContain(
      'noch einmal ausweisen: Das letzte Mal liegt zu lange zurück.',
    );
  });

  test('the start page of somebody who is verified is the page of everybody, in each language', async () => {
    const app = await openClub({ successRedirect: '/club' });
    const browser = await app.released();
    for (const headers of [{}, german]) {
      const mine = await browser.get(`${app.url}/identity/start?returnTo=/door`, headers);
      const other = await app.browser().get(`${app.url}/identity/start?returnTo=/door`, headers);
      expect([mine.status, mine.text]).toEqual([200, other.text]);
    }
  });

  test('a guard with a reason that its question does not have is refused', async () => {
    const app = await openClub();
    expect(() => app.identity.require({ reason: 'dor' })).toThrow('Did you mean door?');
    expect(() => app.identity.require({ refused: 'age' })).toThrow('needs texts of that name in pages.texts');
  });
});

describe('what is stored', () => {
  test('two lists, where the app says what; the time and a receipt are among them', async () => {
    const texts = { en: { notKept: 'Your date of birth' }, de: { keptAs: 'Ihr Name\nOb Sie 18 sind' } };
    const app = await openClub({ keptAs: 'Whether you are 18 or over', pages: { texts } });
    const text = await shownAt(app, '/identity/start');
    expect(words(text)).toContain(
      'We store, until your session ends, and for 30 days at most Whether you are 18 or over The time, and a receipt number ' +
        'We do not store Your date of birth Your wallet shows',
    );
    expect(words(await shownAt(app, '/identity/start', german))).toContain(
      'Das speichern wir bis zum Ende Ihrer Sitzung, aber höchstens 30 Tage Ihr Name Ob Sie 18 sind Zeitpunkt und Belegnummer Ihre Wallet zeigt',
    );
  });

  test('without it, what is true of every app', async () => {
    const app = await openClub();
    const text = await shownAt(app, '/identity/start');
    expect(words(text)).toMatch(
      /stores what you share is not stated here\. A receipt number and the time are stored until your session ends, and for 30 days at most\./,
    );
    expect(words(text)).not.toContain('We do not store');
  });
});

/** Adults only, where the sandbox's person is the one who is asked. */
async function openBar(
  pages: object = {},
  more: object = {},
  routes: AppSetup['after'] = () => {},
): Promise<Running & { clock: ReturnType<typeof testClock> }> {
  const clock = testClock();
  const age = ask({
    reveal: ['birth_date'],
    keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 90) }),
    keepFor: { atMost: '30d', for: ({ adult }) => (adult ? '30d' : '10m') },
  });
  const app = await startApp({
    options: { clock, reveal: undefined, questions: { age }, pages, ...more },
    after: (its, identity) => {
      const refused = 'texts' in pages ? 'too_young' : undefined;
      routes(its, identity);
      const allow = (kept: unknown): boolean => (kept as { adult: boolean }).adult;
      its.get(
        '/bar',
        identity.require({ question: 'age', allow, refused } as never),
        (_req, res) => void res.send('bar'),
      );
    },
  });
  return Object.assign(app, { clock });
}

const tooYoung = {
  'refused.too_young.title': 'Only from 18',
  'refused.too_young.text': 'Your wallet says that you are younger, says {name}.',
  'refused.too_young.link': '[All other tools](/tools)',
};

async function goTo(app: Running, browser: ReturnType<Running['browser']>): Promise<string> {
  const page = await browser.post(`${app.url}/identity/start/age?returnTo=/bar`);
  return (await browser.visit(await decide(page.location ?? '', 'approve'))).text;
}

describe('a negative answer', () => {
  test('counts for ten minutes, not for a month; its page has a link for another ID, in the same language', async () => {
    const app = await openBar();
    const browser = app.browser();
    expect(words((await browser.get(`${app.url}/identity/start/age`)).text)).toContain('for 30 days at most');
    const text = await goTo(app, browser);
    expect(words(text)).toContain('You cannot use this page');
    expect(words(text)).not.toContain('What you proved stays stored');
    const start = '/identity/start/age?returnTo=%2Fbar';
    expect(text).toContain(`<p class="away"><a href="${start}">Verify with another ID</a></p>`);
    expect((await browser.get(`${app.url}/bar?lang=de`)).text).toContain(
      `<a href="${start}%3Flang%3Dde&amp;lang=de">Einen anderen Ausweis verwenden</a>`,
    );
    app.clock.forward(10 * 60_000 - 1);
    expect((await browser.get(`${app.url}/bar`)).status).toBe(403);
    app.clock.forward(1);
    expect((await browser.get(`${app.url}/bar`)).location).toContain('/identity/start/age?');
  });

  test('where no start is left, its page says how long the result counts', async () => {
    const pages = { texts: { en: tooYoung, es: { cancel: 'Cancelar' } } };
    const app = await openBar(pages, { routes: { start: false } }, (its, identity) => {
      its.post('/go', async (req, res) => {
        await identity.start(req, res, { question: 'age', returnTo: '/bar' } as never);
      });
    });
    const browser = app.browser();
    const { location = '' } = await browser.post(`${app.url}/go`, {}, { 'sec-fetch-mode': 'cors' });
    const text = words((await browser.visit(await decide(location, 'approve'))).text);
    expect(text).toContain('What you proved stays stored for up to 10 minutes more.');
    // Where a sentence is in English, so is the time in it.
    const spanish = words((await browser.get(`${app.url}/bar`, { 'accept-language': 'es' })).text);
    expect(spanish).toContain('What you proved stays stored for up to 10 minutes more.');
  });

  test.each([
    ['throws', throws()],
    ['answers no duration', () => 'soon'],
    ['answers later', async () => await Promise.reject(new Error('marker'))],
  ])('a function that %s releases nothing', async (_, choose) => {
    const app = await openClub({ keepFor: { atMost: '1d', for: choose } });
    const browser = app.browser();
    const page = await browser.get(await app.toReturn(browser));
    expect([page.status, page.text.includes('marker')]).toEqual([500, false]);
    expect((await browser.get(`${app.url}/club`)).status).toBe(303);
  });

  test('it never counts for longer than atMost, and is asked about what JSON makes of what is kept', async () => {
    const seen: unknown[] = [];
    const choose = (kept: unknown): string => {
      seen.push(kept);
      return '90d';
    };
    const app = await openClub({ keep: () => ({ at: new Date(0) }), keepFor: { atMost: '1d', for: choose } });
    const browser = await app.released();
    expect(seen).toEqual([{ at: '1970-01-01T00:00:00.000Z' }]);
    app.clock.forward(24 * 60 * 60_000);
    expect((await browser.get(`${app.url}/club`)).status).toBe(303);
  });
});

describe('a refusal says what, and what now', () => {
  test("a guard's page has the app's words and link, in each language that it has", async () => {
    const app = await openBar({ name: 'Drehmoment', texts: { en: tooYoung } });
    const browser = app.browser();
    const text = await goTo(app, browser);
    expect(words(text)).toContain('Only from 18 Your wallet says that you are younger, says Drehmoment.');
    expect(text).toContain('<a class="button" href="/tools">All other tools</a>');
    expect(words((await browser.get(`${app.url}/bar`, german)).text)).toContain(
      'Sie haben keinen Zugang zu dieser Seite',
    );
  });

  test.each(['onVerified', 'onSuccess'])(
    "%s's word has its page in the session that owns the flow",
    async (hook) => {
      const app = await openClub({
        pages: { texts: { en: tooYoung } },
        [hook]: () => ({ refuse: 'too_young' }),
      });
      const browser = app.browser();
      const { text, url } = await browser.visit(await app.toReturn(browser));
      expect(url).toMatch(/\/identity\/return\?error=refused&flow=[\w-]{43}$/);
      expect(words(text)).toContain('Only from 18');
      const general = 'We cannot find this verification';
      expect(words((await app.browser().get(`${url}&reload=1`)).text)).toContain(general); // F125
      const other = await browser.get(`${app.url}/identity/return?error=refused`);
      expect(words(other.text)).toContain(general);
    },
  );

  test('a link that is none is refused', () => {
    for (const link of ['/tools', '[Tools](javascript:alert)', '[](/x)', '[a](//evil.example)']) {
      const texts = { en: { 'refused.x.link': link } };
      expect(() => identityWith({ ...good, pages: { texts } })).toThrow('must be a link such as');
    }
    expect(() => identityWith({ ...good, pages: { texts: { en: { 'refused.X.title': 'x' } } } })).toThrow(
      'Unknown option refused.X.title',
    );
  });
});

describe('not shared, told truthfully', () => {
  test('access_denied claims none of its three meanings', async () => {
    const app = await openClub();
    const browser = app.browser();
    const { text } = await browser.visit(await decide(await app.start(browser), 'decline'));
    expect(words(text)).toMatch(
      /^Your wallet shared nothing Perhaps you cancelled or said no, the PIN was wrong, or your wallet has no matching ID\./,
    );
    expect(text).toContain('>Try again</a>');
  });
});

describe('another way', () => {
  const otherWay = { url: '/counter', text: 'At the counter' };

  test('is on the start page and wherever a verification ends without success', async () => {
    const app = await openBar({ otherWay, texts: { en: tooYoung } });
    const browser = app.browser();
    const link = '>At the counter</a>';
    const refused = await goTo(app, browser);
    const start = await browser.get(`${app.url}/identity/start/age`);
    expect(start.text).toContain('<a href="/counter">At the counter</a>');
    const ours = [
      'not_shared',
      'timed_out',
      'card_blocked',
      'refused',
      'service_unreachable',
      'config_invalid',
    ];
    const pages = await Promise.all(
      [...ours, 'return_wrong_browser'].map((code) => shownAt(app, `/identity/return?error=${code}`)),
    );
    for (const text of [start.text, refused, ...pages]) expect(text.split(link)).toHaveLength(2);
    expect((await browser.get(`${app.url}/identity/return?error=not_found`)).text).not.toContain(link);
  });

  test('is one link where the refusal leads there itself', async () => {
    const link = { 'refused.too_young.link': '[Ask us](/counter)' };
    const counter = { 'refused.too_young.title': 'Only from 18', ...link };
    const app = await openBar({ otherWay, texts: { en: counter } });
    const refused = await goTo(app, app.browser());
    expect(refused.match(/<a [^>]*href="\/counter"[^>]*>[^<]*/g)).toEqual([
      '<a class="button" href="/counter">Ask us',
    ]);
  });

  test('a question may have its own, and the words are in the language of the page', async () => {
    const own = { reveal: ['given_name'], otherWay: { url: 'https://post.example/' } };
    const app = await openClub({ questions: { own }, pages: { ...inGerman, otherWay: { url: '/counter' } } });
    expect(await shownAt(app, '/identity/start', german)).toContain(
      '<a href="/counter">Ich habe keine Wallet: andere Wege</a>',
    );
    expect(await shownAt(app, '/identity/start/own', german)).toContain(
      '<a href="https://post.example/">Ich habe',
    );
  });
});

describe('failures lead back to what the person was doing', () => {
  test('the service and the wallet see code and flow; the owner alone gets question and returnTo', async () => {
    const app = await openClub({ errorRedirect: '/sorry' });
    const browser = app.browser();
    const back = await decide(await app.start(browser, '?returnTo=/door%3Fa=1'), 'decline');
    expect(back).toMatch(/\/identity\/return\?error=not_shared&flow=[\w-]{43}$/);
    const own = await browser.get(back);
    const [, flow] = back.split('flow=');
    const address = `/sorry?error=not_shared&question=default&returnTo=%2Fdoor%3Fa%3D1&flow=${flow}&supportCode=${supportCodeOf(String(flow))}`;
    expect([own.status, own.location]).toEqual([303, address]);
    expect((await app.browser().get(`${back}&reload=1`)).location).toBe('/sorry?error=state_unknown'); // F125
  });

  test('after the flow has ended, its owner is led to where it began all the same', async () => {
    let now = Date.now();
    const app = await openClub({ errorRedirect: '/sorry', clock: () => new Date(now) });
    const browser = app.browser();
    const wallet = await app.start(browser, '?returnTo=/door');
    now += 3_600_000;
    const back = await decide(wallet, 'decline');
    expect(back).toBe(`${app.url}/identity/return?error=state_unknown`); // the same for every flow that has ended
    const { location } = await browser.get(back);
    expect(location).toMatch(
      /^\/sorry\?error=state_unknown&question=default&returnTo=%2Fdoor&flow=[\w-]{43}&supportCode=[\w-]{9}$/,
    );
    expect((await app.browser().get(back)).location).toBe('/sorry?error=state_unknown');
  });

  test("the app's own word for a refusal is its owner's too", async () => {
    const app = await openClub({ errorRedirect: '/sorry', onSuccess: () => ({ refuse: 'other_person' }) });
    const browser = app.browser();
    const refused = await browser.get(await app.toReturn(browser, '?returnTo=/door'));
    const { location } = await browser.get(refused.location ?? '');
    expect(location).toMatch(
      /^\/sorry\?error=other_person&question=default&returnTo=%2Fdoor&flow=[\w-]{43}&supportCode=[\w-]{9}$/,
    );
    const stranger = await app.browser().get(`${refused.location}&reload=1`);
    expect(stranger.location).toBe('/sorry?error=state_unknown'); // F125
  });

  test.each([
    ['card_blocked', 'Your identity card is blocked'],
    ['attribute_invalid', 'Your ID cannot be used here'],
  ])('%s, which a new try with the same ID does not cure, offers another one', async (code, title) => {
    const app = await openClub();
    const browser = app.browser();
    await app.start(browser, '?returnTo=/door');
    const flow = app.events.at(-1)?.flow;
    const { text } = await browser.get(`${app.url}/identity/return?error=${code}&flow=${flow}`);
    expect(words(text)).toContain(title);
    expect(text).toContain('<a href="/identity/start?returnTo=%2Fdoor">Verify with another ID</a>');
    expect(text.match(/\/identity\/start/g)).toHaveLength(1);
  });

  test('a fault of the set-up, which nobody at a wallet cures, offers no start', async () => {
    const app = await openClub();
    const browser = app.browser();
    await app.start(browser);
    const flow = app.events.at(-1)?.flow;
    const { text } = await browser.get(`${app.url}/identity/return?error=config_invalid&flow=${flow}`);
    expect(words(text)).toContain('This site is not set up correctly');
    expect(text).not.toContain('/identity/start');
  });
});

test.each([
  ['its start', {}, '/identity/start'],
  ['its home, where a form of the app begins', { routes: { start: false } }, '/'],
])('an address that the app does not know leads to the main one: %s', async (_what, options, path) => {
  const app = await startApp({
    options,
    before: (its) => void its.set('trust proxy', true),
    after: (its, identity) => {
      its.post('/go', async (req, res) => await identity.start(req, res, { returnTo: '/club' } as never));
    },
  });
  const elsewhere = { 'x-forwarded-host': 'elsewhere.example' };
  const { status, text } = await app.browser().post(`${app.url}/go`, {}, elsewhere);
  expect([status, text]).toEqual([
    400,
    expect.stringMatching(`<a class="button" href="${app.url}${path}">Start again</a>`),
  ]);
});

describe('busy is a page', () => {
  test('of the kit, or JSON, with Retry-After; the same address is the way on', async () => {
    let busy: RequestHandler = (_req, _res, next) => next();
    const app = await startApp({
      options: { pages: { name: 'Nordlicht' } },
      session: false,
      before: (its) => its.use('/identity', (req, res, next) => busy(req, res, next)),
      after: (its, identity) => {
        ({ busy } = identity);
        its.use('/limited', identity.busy);
        its.use(
          '/later',
          (_req, res, next) => {
            res.set('Retry-After', '7');
            next();
          },
          identity.busy,
        );
      },
    });
    const browser = app.browser();
    const page = await browser.get(`${app.url}/limited/start?a=1`, { accept: 'text/html', ...german });
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '60']);
    expect(words(page.text)).toMatch(
      /^Bitte warten .* Das muss nicht an Ihnen liegen\. .* in etwa 1 Minute noch einmal\. .* Zurück zu Nordlicht/,
    );
    expect(page.text).toContain('<a class="button" href="/limited/start?a=1">Noch einmal versuchen</a>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const posted = await browser.post(`${app.url}/limited/start`, {}, { accept: 'text/html' });
    expect([posted.status, posted.text.includes('/limited')]).toEqual([429, false]); // a link would be a GET
    for (const path of ['', '/%5c..']) {
      const plain = await browser.get(`${app.url}/limited${path}`, { accept: '*/*' });
      expect([plain.status, plain.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    }
    const toService = await browser.post(`${app.url}/identity/callback`, {}, { accept: '*/*' });
    expect([toService.status, toService.json()]).toMatchObject([429, { error: 'busy' }]);
    const toScript = await browser.get(`${app.url}/identity/status?flow=x`, { accept: '*/*' });
    expect([toScript.status, toScript.json()]).toMatchObject([429, { error: 'busy' }]);
    const besideIt = await browser.get(`${app.url}/identity/callback-x`, { accept: '*/*' });
    expect(besideIt.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const json = await browser.get(`${app.url}/later`, { accept: 'application/json' });
    expect([json.status, json.headers.get('retry-after')]).toEqual([429, '7']);
    expect(json.json()).toEqual({ error: 'busy', error_description: 'Too many requests: try again later.' });
  });
});

test('the page of a limiter has the other way of the question that is at its address', async () => {
  let busy: RequestHandler = (_req, _res, next) => next();
  const own = { reveal: ['given_name'] as const, otherWay: { url: '/desk', text: 'Come to the desk' } };
  const app = await startApp({
    options: { questions: { own }, pages: { otherWay: { url: '/counter' } } },
    before: (its) => its.use('/identity/start', (req, res, next) => busy(req, res, next)),
    after: (_its, identity) => {
      ({ busy } = identity);
    },
  });
  const browser = app.browser();
  const ways = [];
  for (const path of ['/own?returnTo=/club', '']) {
    const { status, text } = await browser.post(`${app.url}/identity/start${path}`);
    ways.push([status, /href="(\/desk|\/counter)"/.exec(text)?.[1]]);
  }
  expect(ways).toEqual([
    [429, '/desk'],
    [429, '/counter'],
  ]);
});

test.each([
  ['58', '1 minute'],
  ['61', '2 minutes'],
  ['7', '7 seconds'],
  ['3600', '1 hour'],
  ['Wed, 25 Nov 2026 12:03:00 GMT', '3 minutes'],
  ['Wed, 25 Nov 2026 11:00:00 GMT', '1 minute'],
  ['soon', '1 minute'],
  ['0', '1 minute'],
])('busy says when, from a Retry-After of %s, and blames nobody', async (retryAfter, told) => {
  const app = await startApp({
    options: { clock: () => new Date('2026-11-25T12:00:00Z') },
    session: false,
    after: (its, { busy }) =>
      its.use(
        '/limited',
        (_req, res, next) => {
          res.set('Retry-After', retryAfter);
          next();
        },
        busy,
      ),
  });
  const { status, text } = await app.browser().get(`${app.url}/limited`);
  expect([status, words(text)]).toEqual([
    429,
    expect.stringMatching(
      `^Please wait a moment Too many requests .* That may have nothing to do with you\\. Please try again in about ${told}\\. `,
    ),
  ]);
});

describe('an earlier yes still counts', () => {
  test('a third tab that shares nothing says so, in its own session alone, and leads to a new try', async () => {
    const app = await openClub({ successRedirect: '/club', pages: inGerman });
    const browser = await app.released();
    const back = await decide(await app.start(browser, '?returnTo=/door'), 'decline');
    const { text } = await browser.get(back);
    expect(words(text)).toMatch(
      /^Your wallet shared nothing .* What you proved before still counts\. Try again /,
    );
    expect(text).toContain('<a class="button" href="/identity/start?returnTo=%2Fdoor">Try again</a>');
    const other = await app.browser().get(back);
    expect(words(other.text)).not.toContain('still counts');
    expect(words((await browser.get(back, german)).text)).toContain('gilt weiterhin.');
  });

  test('F190 not for whom the rule of the question refuses', async () => {
    let enough = true;
    const app = await openClub({ allow: () => enough });
    const browser = await app.released();
    const back = await decide(await app.start(browser), 'decline');
    expect(words((await browser.get(back)).text)).toContain('still counts');
    enough = false;
    expect(words((await browser.get(back)).text)).not.toContain('still counts');
  });

  test('not once what was kept has run out', async () => {
    const app = await openClub({ keepFor: '5m' });
    const browser = await app.released();
    const back = await decide(await app.start(browser), 'decline');
    expect(words((await browser.get(back)).text)).toContain('still counts');
    app.clock.forward(5 * 60_000);
    expect(words((await browser.get(back)).text)).not.toContain('still counts');
  });

  test('not where the page had a reason to ask for a new one', async () => {
    const app = await openClub();
    const browser = await app.released();
    const back = await decide(await app.start(browser, '?returnTo=/door&reason=door'), 'decline');
    expect(words((await browser.get(back)).text)).not.toContain('still counts');
  });
});

const switchOf = (text: string): string[] =>
  [...text.matchAll(/<a class="lang" href="([^"]+)" lang="\w+" hreflang="\w+">([^<]+)</g)].map(
    ([, address = '', label = '']) => `${label} ${address.replaceAll('&amp;', '&')}`,
  );

/** A link to every language but one, of a page at this address. */
const linksFrom = (current: string, address: string): string[] =>
  Object.keys(builtIn)
    .filter((lang) => lang !== current)
    .map((lang) => `${languageName(lang)} ${address}lang=${lang}`);

describe('one language on a page', () => {
  /** What says on every page which language it is in, and what is said in it. */
  const languagesOf = (text: string): string[] => [
    ...new Set([...text.matchAll(/ (?:href)?lang="([\w-]+)"/g)].map(([, lang = '']) => lang)),
  ];
  const firstCode = {
    purpose: 'You must be 18 or over to enter the club.',
    keptAs: 'Whether you are 18 or over',
    pages: { name: 'The Corner Club' },
  };

  test.each(['de', 'fr', 'ar', 'de-AT,de;q=0.9'])(
    "README's first code speaks English to a browser of %s, on each page, without a switch",
    async (language) => {
      const app = await startApp({ options: { keep: () => ({ adult: false }), ...firstCode } });
      const browser = app.browser();
      const asks = { 'accept-language': language };
      const back = await decide(await app.start(browser), 'decline');
      const addresses = [`${app.url}/identity/start`, `${app.url}/identity/start?lang=de`, back];
      for (const address of [...addresses, `${app.url}/identity/return?code=${noCode}&reload=1`]) {
        const { text } = await browser.get(address, asks);
        expect(text).toContain('</html>');
        expect(languagesOf(text.replaceAll(/<div class="note"[^>]*>/g, ''))).toEqual(['en']);
      }
    },
  );

  test.each([
    ['a purpose', { reasons: undefined }],
    ['what is kept', { ...wordless, keptAs: 'Your name' }],
    ['a reason', { purpose: undefined }],
    [
      'the words for another way',
      { ...wordless, pages: { otherWay: { url: '/counter', text: 'At the counter' } } },
    ],
    [
      'the words of a question of its own',
      { ...wordless, questions: { age: { reveal: ['birth_date'], purpose: 'Age.' } } },
    ],
  ])('%s in code makes it English', async (_what, options) => {
    const app = await openClub(options);
    expect(languagesOf(await shownAt(app, '/identity/start', german))).toEqual(['en']);
  });

  test('an app without words of its own has every language, and a switch', async () => {
    const text = await shownAt(await openClub(wordless), '/identity/start', german);
    expect(languagesOf(text).toSorted()).toEqual(Object.keys(builtIn).toSorted());
    expect(text).toContain('<html lang="de">');
  });
});

describe('a language switch', () => {
  test('leads to the same page, and holds for the reply to its form; after the wallet the browser decides', async () => {
    const app = await openClub(wordless);
    const browser = app.browser();
    const start = `/identity/start?returnTo=%2Fclub&a=1`;
    const english = await browser.get(app.url + start);
    expect(switchOf(english.text)).toEqual(linksFrom('en', `${start}&`));
    const page = await browser.get(`${app.url}${start}&lang=de`);
    expect(page.text).toContain('<html lang="de">');
    expect(switchOf(page.text)).toEqual(linksFrom('de', `${start}&`));
    const [, action = ''] = /action="([^"]+)&amp;form=kit"/.exec(page.text) ?? [];
    const form = app.url + action.replaceAll('&amp;', '&');
    const evil = await browser.post(form, {}, { 'sec-fetch-site': 'cross-site', accept: 'text/html' });
    expect(evil.text).toContain('<html lang="de">');
    const { location = '' } = await browser.post(form);
    const back = await decide(location, 'decline');
    const failed = await browser.get(back);
    expect(failed.text).toContain('<html lang="en">');
    expect(switchOf(failed.text)).toEqual(linksFrom('en', `${back.slice(app.url.length)}&`));
    expect((await browser.get(back, { 'accept-language': 'fr' })).text).toContain('<html lang="fr">');
    const other = await app.browser().get(`${back}&reload=1&x=<b>`); // what anyone may have added stays behind
    expect(switchOf(other.text)).toEqual(linksFrom('en', '/identity/return?error=state_unknown&'));
    expect((await browser.get(`${back}&lang=de`)).text).toContain('<html lang="de">');
  });

  test.each(['xx', 'constructor', '<b>', 'DE'])('%s is no language of the address', async (lang) => {
    const app = await openClub(wordless);
    const text = await shownAt(app, `/identity/start?lang=${encodeURIComponent(lang)}`);
    expect(text).toContain('<html lang="en">');
    expect(switchOf(text)).toEqual(linksFrom('en', '/identity/start?'));
  });

  test('is on a refusal, on "start again" and where a limiter stops the person', async () => {
    const limited = (its: Express, { busy }: Running['identity']): void => void its.get('/slow', busy);
    const bar = await openBar({}, {}, limited);
    const browser = bar.browser();
    await goTo(bar, browser);
    const pages = [
      ['/bar', '/bar?', 403],
      ['/slow?a=1', '/slow?a=1&', 429],
      [`/identity/return?code=${noCode}&reload=1`, '/identity/return?error=return_code_invalid&', 403],
    ] as const;
    for (const [path, own, status] of pages) {
      const page = await browser.visit(bar.url + path);
      expect([page.status, switchOf(page.text)]).toEqual([status, linksFrom('en', own)]);
      const german = await browser.get(`${bar.url}${own}lang=de`);
      expect(switchOf(german.text)).toEqual(linksFrom('de', own));
    }
  });

  test("only to languages that the app has written, and the app's own choice counts after the person's", async () => {
    const seen = async (pages: object, query = ''): Promise<unknown[]> => {
      const app = await openClub({ pages });
      const text = await shownAt(app, `/identity/start${query}`);
      return [/<html lang="(\w+)"/.exec(text)?.[1], switchOf(text).map((link) => link.split(' ')[0])];
    };
    const written = { en: { purpose: 'Join.' }, de: { purpose: 'Mitmachen.' } };
    const locale = (): string => 'de';
    expect(await seen({ texts: written, locale })).toEqual(['de', ['English']]);
    expect(await seen({ texts: written, locale }, '?lang=en')).toEqual(['en', ['Deutsch']]);
    expect(await seen({ texts: written })).toEqual(['en', ['Deutsch']]);
    expect(await seen({ texts: { de: written.de }, locale })).toEqual(['de', []]);
    expect(await seen({ locale })).toEqual(['de', []]);
    expect(await seen({ locale }, '?lang=fr')).toEqual(['de', []]);
  });

  test('not on a page whose address has a code, nor on the reply to a form', async () => {
    const app = await openClub(wordless);
    const browser = app.browser();
    for (const reload of ['', '&reload=1']) {
      expect(
        switchOf((await browser.get(`${app.url}/identity/return?code=${noCode}${reload}`)).text),
      ).toEqual([]);
    }
    const refused = await browser.post(`${app.url}/identity/start`, {}, { 'sec-fetch-site': 'cross-site' });
    expect([refused.status, switchOf(refused.text)]).toEqual([403, []]);
  });
});

test('with one line, every step of one flow is in the log', async () => {
  const lines: string[] = [];
  const sent = sentStates();
  const onEvent = (event: unknown) => lines.push(JSON.stringify(event));
  const app = await startApp({ options: { onEvent, fetch: sent.fetch } });
  const browser = app.browser();
  const wallet = await app.start(browser);
  const [state = ''] = sent.states;
  await app.callback({ state, presentation: 'junk' });
  await browser.get(await decide(wallet, 'approve'));
  const logged = lines.map((line) => JSON.parse(line) as Record<string, string>);
  expect(new Set(logged.map(({ flow }) => flow)).size).toBe(1);
  const members = ['at', 'flow', 'question', 'supportCode', 'type'];
  expect(logged.map(({ type, code, check }) => [type, code, check])).toEqual([
    ['flow.started', undefined, undefined],
    ['callback.refused', 'presentation_invalid', expect.stringMatching(/^[A-Z]\d\d$/)],
    ['flow.verified', undefined, undefined],
    ['flow.confirmed', undefined, undefined],
  ]);
  expect(Object.keys(logged[0] ?? {}).toSorted()).toEqual(members);
});

describe('a support code that can be read out', () => {
  test('page, log line, events, onError and receipt of a flow have the same one, and grep finds it', async () => {
    const lines: string[] = [];
    const told: unknown[] = [];
    const sent = sentStates();
    const app = await startApp({
      options: {
        fetch: sent.fetch,
        logger: { error: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) },
        onEvent: (event: unknown) => lines.push(JSON.stringify(event)),
        onError: ({ supportCode }: { supportCode?: string }) => void told.push(supportCode),
        onSuccess: ({ result }: { result: { receipt: { number: string } } }) =>
          void told.push(result.receipt.number),
      },
    });
    const browser = app.browser();
    const wallet = await app.start(browser);
    const [state = ''] = sent.states;
    const refused = await app.callback({ state, presentation: 'junk' });
    const { redirect_uri: address } = (await refused.json()) as { redirect_uri: string };
    const { text } = await browser.get(address);
    const [, said = ''] = /code: <span translate="no"\s*><strong>(.{9})<\/strong>/.exec(text) ?? [];
    expect(said).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(text).not.toMatch(/\d\d:\d\d/); // a time that would be the page's, and not the failure's
    const grepped = lines.filter((line) => line.includes(said));
    expect(
      grepped.map((line) => /flow\.started|callback\.refused|pidgate: presentation_invalid/.exec(line)?.[0]),
    ).toEqual(['flow.started', 'pidgate: presentation_invalid', 'callback.refused']);
    await browser.get(await decide(wallet, 'approve'));
    expect(told).toEqual([said, said]);
  });

  test.each(['7F3K-9Q2M', '7f3k9q2m', ' 7F3K 9Q2M ', '7F3K-9q2m'])('%j is read as it was meant', (typed) => {
    expect(readSupportCode(typed)).toBe('7F3K-9Q2M');
  });

  test('letters that are read as figures are taken for them; what is no code is none', () => {
    expect(readSupportCode('OIL1-0000')).toBe('0111-0000');
    for (const none of ['', 'K02', 'declined', '7F3K-9Q2', '7F3K-9Q2MM', 'UUUU-UUUU']) {
      expect(readSupportCode(none)).toBeUndefined();
    }
  });
});

describe('a logo for each scheme', () => {
  test('the page has both, and the browser chooses', async () => {
    const logo = { light: '/ink.svg', dark: '/chalk white.svg' };
    const app = await openClub({ pages: { name: 'Nordlicht', logo } });
    const text = await shownAt(app, '/identity/start');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      '<picture><source srcset="/chalk%20white.svg" media="(prefers-color-scheme: dark)" />' +
        '<img src="/ink.svg" alt="Nordlicht" /></picture>',
    );
  });
});

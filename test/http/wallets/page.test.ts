import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { describe, expect, jest, test } from '@jest/globals';
import type { IdentityPage } from '../../../lib/index.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { decodeJwt } from 'jose';
import { script } from '../../../lib/http/wallet/script.js';
import type { Way } from '../../../lib/types/ways.js';
import { type AppSetup, testClock, throws, unknownState } from '../../support/app.js';
import type { Shown } from '../../support/browser.js';
import { deep } from '../../support/deep.js';
import { inMode } from '../../support/mode.js';
import { refusingPort } from '../../support/refusing-port.js';
import {
  accessOf,
  browserOn,
  entryOf,
  linksOn,
  startWalletApp,
  type WalletApp,
  type Waiting,
  walletWorld,
} from '../../support/wallets.js';

const { sandbox, access, openApp: open } = walletWorld();

describe('the page that waits for a wallet', () => {
  test('its policy allows its one script by its digest, and to ask this app', async () => {
    const app = await open();
    const { shown } = await app.begin();
    const [script = '', ...others] = [...shown.text.matchAll(/<script>(.*?)<\/script>/gs)].map(
      ([, text]) => text ?? '',
    );
    const digest = createHash('sha256').update(script).digest('base64');
    expect(others).toEqual([]);
    const policy = shown.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([`script-src 'sha256-${digest}'`, "connect-src 'self'", "default-src 'none'"]),
    );
    expect(() => new Script(script)).not.toThrow();
    expect(shown.text.match(/<script/g)).toHaveLength(1);
  });

  test('says who asks, why, for what and until when, and warns of codes of others', async () => {
    const app = await open({ purpose: 'We lend machines.', pages: { name: 'Nordlicht' } });
    const { shown } = await app.begin();
    for (const text of [
      'Nordlicht',
      'We lend machines.',
      'Given name',
      'Date of birth',
      'This request is open until ',
      'Scan it only if you opened this page yourself.',
    ])
      expect(shown.text).toContain(text);
    expect(shown.text).not.toContain('target="_blank"'); // the picture is a link in development alone
  });

  test('says of a sandbox that it proves nothing, and of another issuer nothing', async () => {
    const render = jest.fn((page: IdentityPage) => page.name);
    const real = { ...entryOf(sandbox()), keys: { jwksUri: 'https://issuer.example/jwks' } };
    for (const trust of [entryOf(sandbox()), real]) {
      await (await open({ trust: { 'de-ausweis': trust }, pages: { render } })).begin();
    }
    const notes = render.mock.calls.map(([page]) => page.texts.notes);
    expect(notes).toEqual([['Test: made-up people, proves nothing'], []]);
  });

  test('has the way for people who have no wallet, where the app has one', async () => {
    const link = '<p class="away"><a href="/counter">I have no wallet: other ways</a></p>';
    const [with_, without] = [await open({ pages: { otherWay: { url: '/counter' } } }), await open()];
    expect((await with_.begin()).shown.text).toContain(link);
    expect((await without.begin()).shown.text.match(/<p class="away">/g)).toHaveLength(1); // the way back
  });

  test('has its notice in sight, with the title of what it was, until an answer counts', async () => {
    const app = await open();
    const { links, again, poll } = await app.begin();
    const opened = await app.wallet.open(links.link ?? '');
    await opened.send(await opened.respond({ nonce: 'not-that-of-the-request' }));
    const { notice } = (await poll()).body;
    expect(notice).toMatch(
      /^An answer came, but it does not count: “Your proof was not accepted”\. You can try again here\. If you contact .*: [\w-]{9} \(presentation_invalid\)$/,
    );
    expect((await again()).text).toMatch(/<p id="notice" class="note"\s*>An answer came, but/);
    await opened.send(await opened.respond());
    const answered = await again();
    expect(answered.text).toContain('Your wallet has answered');
    expect(answered.text).not.toContain('An answer came, but');
    expect((await poll()).body).toEqual({ status: 'verified' });
  });

  test('of two in one session, each has the reason of its own start, if the session still knows it', async () => {
    const reasons = { door: 'We open the door.', gate: 'We open the gate.' };
    const app = await open({ purpose: 'We lend machines.', reasons });
    const first = await app.begin('?reason=door');
    const second = await app.begin('?reason=gate', first.browser);
    expect(second.shown.text).toContain('<p>We open the gate.</p>');
    expect((await first.again()).text).toContain('<p>We lend machines.</p>');
  });

  test('of a question that the app no longer has, it still waits', async () => {
    const store = memoryStore();
    const app = await open({ store, questions: { name: { reveal: ['given_name'] } } });
    const browser = app.browser();
    const { location = '' } = await browser.post(`${app.url}/identity/start/name`);
    const also = { origins: [app.url], session: { store: app.sessions } };
    const other = await open({ store }, {}, also);
    const { status, text } = await browser.get(location.replace(app.url, other.url));
    expect([status, linksOn(text).link !== undefined]).toEqual([200, true]);
    expect(text).not.toContain('Given name');
  });

  test('where the cookie of the session cannot come back, it says so in development', async () => {
    const app = await inMode(
      'development',
      async () => await open({}, {}, { session: { cookie: { secure: true } } }),
    );
    const { text } = await app.browser().get(`${app.url}/identity/wallet?state=${unknownState()}`);
    expect(text).toContain('does not recognise this browser');
    expect(text).toMatch(/secure/i);
  });

  test('only this app’s own pages cancel and post, and in development the refusal says so', async () => {
    const app = await inMode('development', async () => await open({ ways: ['link', 'browser'] }));
    const { page, browser, bring, poll } = await app.begin();
    const headers = { 'sec-fetch-site': 'cross-site', accept: 'application/json' };
    const refused = [await browser.post(page, {}, headers), await bring({ error: 'access_denied' }, headers)];
    const said = [
      'only the wallet page cancels.',
      'only the wallet page posts what the browser has brought.',
    ];
    for (const [at, { status, text }] of refused.entries()) {
      expect([status, text]).toEqual([
        403,
        expect.stringContaining(`A page of another origin sent this: ${said[at]}`),
      ]);
    }
    expect((await poll()).body).toEqual({ status: 'pending' });
  });

  test('names the time at which the request ends, with the zone', async () => {
    const clock = testClock();
    const own = { access: await accessOf(clock()) };
    const { shown } = await (await open({ clock, store: memoryStore({ clock }) }, own)).begin();
    const options = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
    const ends = new Date(clock().getTime() + 10 * 60_000).toLocaleTimeString('en', options);
    expect(shown.text).toContain(`data-time="${ends}">This request is open until ${ends}.<`);
  });

  test('in development it says what the log says of the last answer, and to a stranger why it is not theirs', async () => {
    const app = await inMode('development', async () => await open());
    const { links, poll, again, page } = await app.begin();
    const opened = await app.wallet.open(links.code ?? '');
    await opened.send(await opened.respond({ nonce: 'not-that-of-the-request' }));
    const said = /B07: [^]* See pidgate\/docs\/errors\.md#presentation_invalid\./;
    expect((await poll()).body.notice).toMatch(said);
    expect((await again()).text).toMatch(said);
    const stranger = (await app.browser().get(page)).text;
    expect(stranger).toContain('opened in a browser that has not started this verification: somebody sent');
    expect(stranger).toContain('the session cookie does not come.');
  });

  test('a query that names no flow, or something else, is nobody’s page', async () => {
    const before: AppSetup['before'] = (its) => void its.set('query parser', 'extended');
    const app = await open({}, {}, { before });
    const { browser, state } = await app.begin();
    for (const query of [
      '',
      '?state=',
      '?state[toString]=x',
      `?state[]=${state}`,
      `?state=${state}&state=x`,
    ]) {
      const shown = await browser.get(`${app.url}/identity/wallet${query}`);
      expect([query, shown.status]).toEqual([query, 403]);
    }
  });

  test('after a return in another browser has ended it, it leads to what that was', async () => {
    const app = await open();
    const { links, again, poll } = await app.begin();
    const opened = await app.wallet.open(links.link ?? '');
    const { body } = await opened.send(await opened.respond());
    const address = `${body.redirect_uri}&reload=2`; // a cookie would have come by now
    expect((await app.browser().get(address)).text).toContain('Your wallet opened a different browser');
    expect((await again()).location).toMatch(/\/return\?error=return_wrong_browser&flow=/);
    expect((await poll()).body).toEqual({ status: 'over' });
  });

  const noteOf = (text: string, id: string): string | undefined =>
    new RegExp(`<p id="${id}" class="note" hidden>([^<]*)</p>`).exec(text)?.[1];
  const leadOf = (text: string): string | undefined => /<p\s+class="lead">([^<]*)<\/p>/.exec(text)?.[1];

  test('has the notes of its script, and once it does not wait any more, only that it cannot be reached', async () => {
    const clock = testClock();
    const own = { access: await accessOf(clock()) };
    const app = await open({ clock, store: memoryStore({ clock }), pages: { name: 'Nordlicht' } }, own);
    const { browser, page, again, links } = await app.begin();
    clock.forward(60_000);
    const { text } = await again();
    expect(['soon', 'slow'].map((id) => noteOf(text, id))).toEqual([
      'This request ends in less than two minutes.',
      'Did your wallet show an error? Cancel, and tell Nordlicht.',
    ]);
    expect(noteOf(text, 'away')).toBeTruthy();
    expect(text).toMatch(/id="status" data-poll="[^"]+" data-status="pending" data-left="540000"/);
    expect(text).toMatch(/<p id="notice" class="note"\s+hidden><\/p>/);
    expect(text).toMatch(/<noscript>?\s*>?<p><a class="button other" href="[^"]+">My wallet has answered</);
    expect(text).toMatch(/<p class="soft" id="waiting" hidden>This page will continue/);
    expect(leadOf(text)).toBeUndefined();
    const opened = await app.wallet.open(links.link ?? '');
    await opened.send(await opened.respond());
    const answered = (await browser.get(page)).text;
    expect(['soon', 'slow', 'waiting'].map((id) => answered.includes(`id="${id}"`))).toEqual([
      false,
      false,
      false,
    ]);
    expect([noteOf(answered, 'away'), leadOf(answered)]).toEqual([
      noteOf(text, 'away'),
      expect.stringContaining('It has opened a page'),
    ]);
    expect(answered).toMatch(/data-status="verified"/);
    expect(answered).toMatch(/<a class="button other" href="\/identity\/start"/);
    expect(answered).toContain('Can’t find that page? Look in the other browsers on this device.');
  });

  test.each([
    ['a computer', {}, 'code', 'My wallet is on this device'],
    ['a phone', { 'sec-ch-ua-mobile': '?1' }, 'link', 'Nothing happens? My wallet is on another device'],
  ])('on %s, folds the other way behind its words', async (_, headers, first, words) => {
    const app = await open();
    const { browser, page } = await app.begin();
    const { text } = await browser.get(page, headers);
    const [shown = '', folded = ''] = text.split('<details>');
    const has = (part: string): string[] => [
      ...(part.includes('role="img"') ? ['code'] : []),
      ...(part.includes('href="openid4vp:') ? ['link'] : []),
    ];
    expect(has(shown)).toEqual([first]);
    expect(has(folded)).toEqual([first === 'code' ? 'link' : 'code']);
    expect(folded).toContain(`<summary class="button other">${words}</summary>`);
    expect(text).toContain('Scan this code with the phone');
    expect(text).toContain('>Open my wallet</a>');
    expect(text).toMatch(/<form method="post" action="[^"]+">\s*<button[^>]*>Cancel this request</);
  });

  test('gives the reason of the page that asked, which the session has', async () => {
    const app = await open({ purpose: 'We lend machines.', reasons: { door: 'We open the door.' } });
    const { shown } = await app.begin('?reason=door');
    expect(shown.text).toContain('<p>We open the door.</p>');
    expect(shown.text).not.toContain('We lend machines.');
  });

  test('pages.render gets it as data, and is not called by what the page polls', async () => {
    const render = jest.fn((page: IdentityPage) => `<p>${page.name} ${page.link} ${page.qrCode}</p>`);
    const app = await open({ pages: { name: 'Nordlicht', render } });
    const { poll, links, again, state } = await app.begin();
    expect(render).toHaveBeenCalledTimes(1);
    const [page] = render.mock.calls[0] ?? [];
    const like = (form: RegExp): unknown => expect.stringMatching(form);
    expect(page).toMatchObject({
      name: 'wallet',
      status: 200,
      pollAddress: `/identity/wallet?state=${state}`,
      link: like(/^openid4vp:\/\/\?/),
      qrCode: like(/^<svg[^]*<\/svg>$/),
      until: like(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      form: { method: 'post', action: `/identity/wallet?state=${state}`, fields: {} },
    });
    for (const member of ['notice', 'browser']) expect(page).not.toHaveProperty(member);
    await (await app.wallet.open(links.code ?? '')).decline();
    const { body } = await poll();
    expect(body).toEqual({ status: 'pending', notice: like(/\(not_shared\)$/) });
    expect(render).toHaveBeenCalledTimes(1);
    await again();
    expect(render.mock.lastCall?.[0]).toMatchObject({ notice: body.notice });
  });

  test.each([
    ['link', true, false],
    ['code', false, true],
  ] as const)('with the way %s alone there is no other', async (way, hasLink, hasCode) => {
    const app = await open({ ways: [way] });
    const { links, shown } = await app.begin();
    expect([links.link !== undefined, links.code !== undefined]).toEqual([hasLink, hasCode]);
    expect(shown.text).not.toContain('<summary');
    const render = jest.fn((page: IdentityPage) => page.name);
    await (await open({ ways: [way], pages: { render } })).begin();
    const members = Object.keys(render.mock.lastCall?.[0] ?? {});
    expect([members.includes('link'), members.includes('qrCode')]).toEqual([hasLink, hasCode]);
  });

  test('when the certificate that asked is gone, it is 503 and offers a new start, without link and code', async () => {
    const store = memoryStore();
    const app = await open({ store });
    const { page, browser } = await app.begin('?returnTo=/club');
    const renewed = await startWalletApp({
      sandbox: sandbox(),
      origins: [app.url],
      session: { store: app.sessions },
      options: { store },
    });
    const shown = await browser.get(page.replace(app.url, renewed.url));
    expect(shown.status).toBe(503);
    expect(shown.text).toContain('This request can no longer be used');
    expect(shown.text).not.toContain('Can’t find that page?');
    expect(shown.text).toContain('href="/identity/start?returnTo=%2Fclub"');
    expect(shown.text).toContain('<a class="button" href="/identity/start');
    expect(shown.text).not.toMatch(/openid4vp:|<svg\s+class="qr"|<form|open until/);
    const main = shown.text.slice(shown.text.indexOf('<main'));
    expect(main.replaceAll(/<style>[^]*?<\/style>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toMatch(
      /Your wallet can no longer answer this request\. You did nothing wrong\. Please start again\. \S+ is not responding at the moment\. If this continues, please start again later\. Start again Back to /,
    );
  });

  test('an answer that came before counts, although its certificate has gone', async () => {
    const store = memoryStore();
    const app = await open({ store });
    const { page, browser, links } = await app.begin();
    const opened = await app.wallet.open(links.link ?? '');
    await opened.send(await opened.respond());
    const also = { origins: [app.url], session: { store: app.sessions }, options: { store } };
    const renewed = await startWalletApp({ sandbox: sandbox(), ...also });
    const shown = await browser.get(page.replace(app.url, renewed.url));
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('Your wallet has answered')]);
  });

  test('the same when that certificate has ended since', async () => {
    const clock = testClock();
    const ending = new Date(clock().getTime() - 24 * 60 * 60_000 + 6 * 60_000);
    const app = await open({ clock, store: memoryStore({ clock }) }, { access: await accessOf(ending) });
    const { shown, again, links } = await app.begin();
    expect([shown.status, shown.text.includes('openid4vp:')]).toEqual([200, true]);
    clock.forward(6 * 60_000);
    const after = await again();
    expect([after.status, after.text.includes('openid4vp:')]).toEqual([503, false]);
    const asked = await app.browser().get(new URL(links.link ?? '').searchParams.get('request_uri') ?? '');
    expect([asked.status, asked.json()]).toEqual([503, expect.objectContaining({ error: 'config_invalid' })]);
    expect(after.text).toContain('This request can no longer be used');
  });
});

describe('a browser that has not started it', () => {
  test('is told so at the same address, and of the flow nothing', async () => {
    const app = await open({ pages: { name: 'Nordlicht' } });
    const { page, state, poll } = await app.begin('?returnTo=/club');
    const stranger = app.browser();
    const shown = await stranger.get(page);
    expect([shown.status, shown.location]).toEqual([403, undefined]);
    expect(shown.text).toContain('<h1>Nordlicht does not recognise this browser</h1>');
    expect(shown.text).toContain('allow them for this site, and load this page again');
    expect(shown.text).not.toMatch(/openid4vp:|returnTo|<script|has ended|ended it/);
    expect((await poll(stranger)).status).toBe(404);
    const json = { accept: 'application/json' };
    expect((await stranger.get(page.replace(state, unknownState()), json)).status).toBe(404);
    const unknown = await stranger.get(page.replace(state, unknownState()));
    expect(unknown.text.replaceAll(/state=[^"&]+/g, '')).toBe(shown.text.replaceAll(/state=[^"&]+/g, ''));
    expect((await poll()).body).toEqual({ status: 'pending' });
  });
});

test('of several questions, a browser that has not started it is led to the one that is asked', async () => {
  const app = await open({ questions: { name: { reveal: ['given_name'] } } });
  const { location = '' } = await app.browser().post(`${app.url}/identity/start/name?returnTo=/private`);
  const { status, text } = await app.browser().get(location);
  expect(status).toBe(403);
  expect(text).toContain('<a class="button other" href="/identity/start/name">Start again here</a>');
  expect(text).not.toContain('private');
});

describe('a language that the person has chosen', () => {
  /** The addresses of the kit's own that a page leads to, but for those that choose a language. */
  const kitLinks = (text: string): string[] =>
    [
      ...text.matchAll(
        /<(?:a class="button[^"]*"|form method="post"[^>]*?) (?:href|action)="(\/identity[^"]*)"/g,
      ),
    ].map(([, address = '']) => address.replaceAll('&amp;', '&'));

  test('stays on the page, in what it polls, after Cancel, and on the start that follows', async () => {
    const app = await open();
    const browser = app.browser();
    const start = await browser.get(`${app.url}/identity/start?lang=fr`);
    expect(kitLinks(start.text)).toEqual(['/identity/start?lang=fr&form=kit']);
    const waiting = await app.begin('?lang=fr', browser);
    expect(waiting.shown.text).toContain('<html lang="fr">');
    const { state, page } = waiting;
    const own = `/identity/wallet?state=${state}&lang=fr`;
    expect(waiting.shown.text).toContain(`data-poll="${own.replace('&', '&amp;')}"`);
    expect(kitLinks(waiting.shown.text)).toEqual([own, own]); // without scripts, and Cancel
    expect(waiting.shown.text).toContain(`lang=de" lang="de"`);
    await (await app.wallet.open(waiting.links.code ?? '')).decline();
    expect((await waiting.poll()).body.notice).toContain('n’a pas pu être prise en compte');
    const cancelled = await browser.post(page);
    expect(cancelled.location).toMatch(/\/identity\/return\?error=declined&flow=[\w-]{43}&lang=fr$/);
    const after = await browser.get(cancelled.location ?? '');
    expect(after.text).toContain('<h1>Vous avez annulé</h1>');
    expect(kitLinks(after.text)).toEqual(['/identity/start?lang=fr']);
  });

  test('stays at the return, where it is refused too, and on the pages for a browser that is not known', async () => {
    const app = await open({
      onSuccess: () => {
        throw new Error('The app has a fault.');
      },
    });
    const { links, again, browser, page } = await app.begin('?lang=de');
    const opened = await app.wallet.open(links.code ?? '');
    await opened.send(await opened.respond());
    const { location = '' } = await again();
    expect(location).toMatch(/\/identity\/return\?code=[\w-]{43}\.[\w-]{43}&lang=de$/);
    expect((await browser.get(location)).text).toContain('<h1>Fast geschafft</h1>');
    const stranger = await app.browser().get(page);
    expect(stranger.text).toContain('<html lang="de">');
    expect(kitLinks(stranger.text)).toEqual(['/identity/start?lang=de']);
    const first = await app.browser().get(location); // a cookie may come with a step from this site
    expect(first.text).toMatch(/url=\/identity\/return\?code=[^"]+&amp;reload=1&amp;lang=de"/);
    const last = await app.browser().get(`${location}&reload=2`);
    expect(kitLinks(last.text)).toEqual(['/identity/start?lang=de']);
  });

  test('is not written into an address of the app', async () => {
    const options = { errorRedirect: '/sorry', confirm: 'callback', onSuccess: () => {} };
    const app = await startWalletApp({ sandbox: sandbox(), options }, { access: access() });
    const { page, browser } = await app.begin('?lang=de');
    const cancelled = await browser.post(page);
    expect(cancelled.location).toBe(`${app.url}/sorry?error=declined`);
  });

  test('the text of a language that is not whole is marked as English, and so is the time in it', async () => {
    const app = await open({ pages: { locale: () => 'ar', texts: { ar: { wallet_title: 'محفظتك' } } } });
    const { shown } = await app.begin();
    expect(shown.text).toContain('<html lang="ar" dir="rtl">');
    expect(shown.text).toMatch(/<p id="notice" class="note" lang="en" dir="ltr" hidden>/);
    expect(shown.text).toMatch(
      /data-time="(\d+:\d\d [AP]M [^"]+)"><bdi lang="en" dir="ltr">[^<]* until \1\.</,
    );
  });
});

describe('F196 the page that may ask the browser', () => {
  const ways = ['link', 'code', 'browser'];
  const hasCode = ({ location = '' }: Shown): boolean => /\/return\?code=[\w-]{43}\.[\w-]{43}/.test(location);
  const answerTo = async (
    { wallet, url }: WalletApp,
    { request }: Waiting,
  ): Promise<{ response: string }> => ({
    response: await (await wallet.openByBrowser(request, url)).respond(),
  });

  test('has the signed request, with a key of its own, and neither state nor response_uri', async () => {
    const app = await open({ ways });
    const { request, links, state, shown } = await app.begin();
    const { expected_origins, response_mode, client_id, client_metadata, ...others } =
      decodeJwt<Record<string, never>>(request);
    const expected = [[app.url], 'dc_api.jwt', app.access.clientId];
    expect([expected_origins, response_mode, client_id]).toEqual(expected);
    expect(others).not.toHaveProperty('state');
    expect(others).not.toHaveProperty('response_uri');
    expect(browserOn(shown.text)?.action).toBe(`/identity/answer?state=${state}`);
    expect(app.events.map(({ type }) => type)).toEqual(['flow.started']); // no wallet has it by then
    const opened = [await app.wallet.open(links.link ?? ''), await app.wallet.open(links.code ?? '')];
    const metadata = [client_metadata, ...opened.map((its) => its.request.client_metadata)];
    const keys = (metadata as unknown as Metadata[]).flatMap(({ jwks }) => jwks.keys);
    expect(new Set(keys.map(({ x }) => x)).size).toBe(3);
    expect(keys.map(({ kid }) => kid)).toEqual(['browser', 'link', 'code'].map((way) => `${state}.${way}`));
  });

  interface Metadata {
    readonly jwks: { readonly keys: readonly { readonly x: string; readonly kid: string }[] };
  }

  test('may ask it, whatever the app has set for its other pages', async () => {
    const before: AppSetup['before'] = (its) => {
      its.use((_req, res, next) => {
        res.set('Permissions-Policy', 'camera=()');
        next();
      });
    };
    const app = await open({ ways: ['browser'] }, {}, { before });
    const { shown, browser, page } = await app.begin();
    expect(shown.headers.get('permissions-policy')).toBe('digital-credentials-get=(self)');
    const polled = await browser.get(page, { accept: 'application/json' });
    expect(polled.headers.get('permissions-policy')).toBe('camera=()');
    // There is no other way, so it says at once what is so where a browser cannot ask.
    expect(shown.text).toMatch(/<p id="unable" class="note">This browser cannot connect to a wallet\./);
    expect(shown.text).toMatch(/<p id="browser" hidden>\s*<button\s+class="button"/);
    expect(shown.text).toContain('DigitalCredential');
  });

  test.each([
    ['link', 'button'],
    ['code', 'button other'],
  ])('on a computer, beside the way %s, has a "%s" for it, and says less', async (way, look) => {
    const app = await open({ ways: [way, 'browser'] });
    const { shown } = await app.begin();
    expect(shown.text).toMatch(new RegExp(`<p id="browser" hidden>\\s*<button\\s+class="${look}"`));
    expect(shown.text).toMatch(/<p id="failed" class="note" hidden>Your browser returned no answer\./);
    expect(shown.text).not.toContain('id="unable"');
  });

  test('that was begun under other options has no button', async () => {
    const store = memoryStore();
    const first = await open({ ways, store });
    const { page, browser } = await first.begin();
    const also = { origins: [first.url], session: { store: first.sessions } };
    const second = await open({ store }, {}, also);
    const { status, text } = await browser.get(page.replace(first.url, second.url));
    expect([status, browserOn(text), linksOn(text).link !== undefined]).toEqual([200, undefined, true]);
  });

  deep.test('whose request cannot be signed has the other ways, and says so if there is none', async () => {
    const wallets = { ...access().entry, key: throws(new Error('the vault is away')) };
    for (const beside of ['link', 'code'] as const) {
      const { shown, links } = await (await open({ ways: [beside, 'browser'], wallets })).begin();
      expect([shown.status, links[beside] !== undefined]).toEqual([200, true]);
      expect(shown.text).not.toMatch(/id="browser"|DigitalCredential/);
    }
    const only = await (await open({ ways: ['browser'], wallets })).begin();
    expect([only.shown.status, only.shown.text]).toEqual([500, expect.stringContaining('>hook_failed<')]);
  });

  test('is rendered by the app with what such a page needs', async () => {
    const render = jest.fn((page: IdentityPage) => `<p>${page.name}</p>`);
    const app = await open({ ways: ['browser'], pages: { render } });
    const waiting = await app.begin();
    const [page] = render.mock.lastCall ?? [];
    expect(page?.browser).toEqual({
      request: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
      action: `/identity/answer?state=${waiting.state}`,
    });
    expect(Object.keys(page?.texts.wallet?.browser ?? {})).toEqual(['ask', 'failed', 'unable']);
    const { request = '' } = page?.browser ?? {};
    expect(hasCode(await waiting.bring(await answerTo(app, { ...waiting, request })))).toBe(true);
  });

  test('stays for a hook that fails, and leaves for one that refuses', async () => {
    let hook: () => unknown = throws(new Error('the hook failed'));
    const app = await open({ ways: ['browser'], onVerified: () => hook() });
    const waiting = await app.begin();
    const answer = await answerTo(app, waiting);
    expect((await waiting.bring(answer)).location).toBe(waiting.page.replace(app.url, ''));
    expect((await waiting.poll()).body.notice).toContain('(hook_failed)');
    hook = () => ({ refuse: 'too_young' });
    expect((await waiting.bring(answer)).location).toMatch(/\/return\?error=refused&flow=/);
  });

  deep.test('stays while keys cannot be fetched', async () => {
    const keys = { jwksUri: `http://127.0.0.1:${await refusingPort()}/jwks` };
    const trust = { 'de-ausweis': { ...entryOf(sandbox()), keys } };
    const app = await open({ ways, trust });
    const waiting = await app.begin();
    const { location } = await waiting.bring(await answerTo(app, waiting));
    expect(location).toBe(waiting.page.replace(app.url, ''));
    expect((await waiting.poll()).body.notice).toContain('(keys_unavailable)');
  });

  deep.test('with confirm callback, leads where the hook says', async () => {
    const onSuccess = (): object => ({ redirectTo: '/welcome' });
    const options = { ways: ['browser'], confirm: 'callback', onSuccess };
    const app = await startWalletApp({ sandbox: sandbox(), options }, { access: access() });
    const waiting = await app.begin();
    expect((await waiting.bring(await answerTo(app, waiting))).location).toBe(`${app.url}/welcome`);
  });

  deep.test('is of any process: what one has begun another one asks, and a third one takes', async () => {
    const options = { ways: ['browser'], store: memoryStore() };
    const first = await open(options);
    const also = { origins: [first.url], session: { store: first.sessions } };
    const [second, third] = [await open(options, {}, also), await open(options, {}, also)];
    const { page, browser } = await first.begin();
    const { text } = await browser.get(page.replace(first.url, second.url));
    const { request = '', action = '' } = browserOn(text) ?? {};
    const opened = await first.wallet.openByBrowser(request, first.url);
    const form = { response: await opened.respond() };
    expect(hasCode(await browser.post(`${third.url}${action}`, form))).toBe(true);
  });

  test('follows the option routes, and the prefix that a proxy takes off: an origin has no path', async () => {
    const origins = ['http://localhost:21999/shop'];
    const before: AppSetup['before'] = (its) => void its.set('trust proxy', true);
    const options = { ways: ['browser'], routes: { answer: '/brought' } };
    const app = await open(options, {}, { origins, before });
    const browser = app.browser();
    const headers = { 'x-forwarded-host': 'localhost:21999' };
    const { location = '' } = await browser.post(`${app.url}/identity/start`, {}, headers);
    const { search } = new URL(location);
    const { text } = await browser.get(`${app.url}/identity/wallet${search}&lang=de`, headers);
    const { request = '', action } = browserOn(text) ?? {};
    expect(action).toBe(`/shop/identity/brought${search}&lang=de`);
    expect(decodeJwt(request)['expected_origins']).toEqual(['http://localhost:21999']);
    const opened = await app.wallet.openByBrowser(request, 'http://localhost:21999');
    const form = { response: await opened.respond() };
    const brought = await browser.post(`${app.url}/identity/brought${search}&lang=de`, form, headers);
    expect(brought.location).toMatch(/^http:\/\/localhost:21999\/shop\/identity\/return\?code=.*&lang=de$/);
    expect((await browser.get(`${app.url}/identity/brought${search}`, headers)).status).toBe(405);
    const prefetch = { ...headers, 'sec-purpose': 'prefetch' };
    expect((await browser.post(`${app.url}/identity/brought${search}`, form, prefetch)).status).toBe(503);
  });
});

describe('F197 an app without the way browser', () => {
  const startWith = (ways: readonly Way[]): Pick<AppSetup, 'after'> => ({
    after: (its, identity) => {
      its.post('/go', (req, res) => void identity.start(req, res, { ways }));
    },
  });

  test('has not one byte of it: neither in its pages, nor in headers, nor as a route', async () => {
    const pages: IdentityPage[] = [];
    const render = (page: IdentityPage): string => {
      pages.push(page);
      throw new Error('the page of the kit instead');
    };
    const app = await open({ pages: { render } });
    const { shown, state } = await app.begin();
    expect([shown.text.includes(script), shown.text.includes('DigitalCredential')]).toEqual([true, false]);
    expect(/browser|digital|dc_api|data-request/i.exec(shown.text + JSON.stringify(pages))).toBeNull();
    expect(shown.headers.get('permissions-policy')).toBeNull();
    const brought = await app.browser().post(`${app.url}/identity/answer?state=${state}`, { error: 'x' });
    expect([brought.status, brought.text]).toEqual([404, expect.stringContaining('Cannot POST')]);
  });

  test('is told of a start that names a way for which it has no route', async () => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const options = { logger: { error: log, warn: log } };
    const app = await open(options, {}, startWith(['browser']));
    expect((await app.browser().post(`${app.url}/go`, {})).status).toBe(500);
    expect(lines).toContainEqual(expect.stringContaining("identity.start: ways has 'browser'"));
  });

  deep.test('a flow without it takes nothing by it, beside others that have it', async () => {
    const app = await open({ ways: ['browser'] }, {}, startWith(['code']));
    const browser = app.browser();
    const { location = '' } = await browser.post(`${app.url}/go`, {});
    expect(browserOn((await browser.get(location)).text)).toBeUndefined();
    const at = location.replace('/wallet', '/answer');
    const brought = await browser.post(at, { error: 'access_denied' }, { accept: 'application/json' });
    const error = expect.objectContaining({ error: 'callback_malformed' });
    expect([brought.status, brought.json()]).toEqual([400, error]);
  });
});

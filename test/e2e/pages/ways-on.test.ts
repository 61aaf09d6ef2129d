import { expect, test } from '@jest/globals';
import express, { type Request as AppRequest } from 'express';
import type { Page } from 'playwright-core';
import { errorCodes } from '../../../lib/errors.js';
import { textFor } from '../../../lib/http/pages/error-page.js';
import { en, type TextKey } from '../../../lib/options/pages/en.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { type Identity, noCode, type Running, startApp } from '../../support/app.js';
import { nightly } from '../../support/seed.js';
import { decide } from '../../support/wallet.js';
import { linksOn, startWalletApp, type WalletApp } from '../../support/wallets.js';
import { describeInChromium, runInChromium } from '../running-app.js';

// A robot meets each page that a person can meet, does what the page says to do next, and must get somewhere.

/** How an app is made. Six of them have each pair of two settings. */
interface Setup {
  /** The app asks wallets itself. */
  readonly wallets: boolean;
  readonly three: boolean;
  readonly otherWay: boolean;
  readonly homeUrl: boolean;
  /** Without the kit's own start route, forms of the app begin. */
  readonly start: boolean;
  /** This file runs on each Express, and each plays its own apps. */
  readonly express4: boolean;
}

const ones: Readonly<Record<keyof Setup, readonly number[]>> = {
  wallets: [1, 2, 3],
  three: [1, 2, 4],
  otherWay: [1, 3, 5],
  homeUrl: [2, 3, 4],
  start: [0, 1, 3],
  express4: [0, 2, 5],
};
const setups = [0, 1, 2, 3, 4, 5].map(
  (at) =>
    Object.fromEntries(Object.entries(ones).map(([name, its]) => [name, its.includes(at)])) as never as Setup,
);

/** By day, one on each Express: wallets and a service, with three questions and one, with a start route and without. */
const played = setups.filter((_, at) => nightly || at === 1 || at === 5);

/** What an app does otherwise while a page is brought about. */
interface Mood {
  isBusy?: boolean;
  hasNoSession?: boolean;
  refuses?: boolean;
  hookFails?: boolean;
}

interface World extends Setup {
  readonly app: Running & Partial<WalletApp>;
  /** The same app after its certificate was renewed: it can no longer ask with the old one. */
  readonly renewed: Running | undefined;
  readonly mood: Mood;
  readonly home: string;
  /** Which addresses of a start led to the page that was wanted: the same address is the same page for everybody. */
  readonly walked: Set<string>;
}

const question = ({ three }: Setup): { question?: 'age' } => (three ? { question: 'age' } : {});

async function open(setup: Setup): Promise<World> {
  const mood: Mood = {};
  const home = setup.homeUrl ? '/home' : '/';
  const questions = { age: { reveal: ['birth_date'] }, name: { reveal: ['given_name'] }, all: asked };
  const store = memoryStore();
  const options = {
    store,
    ...(setup.three ? { reveal: undefined, questions } : asked),
    ...(!setup.start && { routes: { start: false } }),
    pages: {
      name: 'Nordlicht',
      ...(setup.homeUrl && { homeUrl: home }),
      ...(setup.otherWay && { otherWay: { url: '/counter' } }),
    },
    subject: (req: AppRequest) => (req.session as { user?: string } | undefined)?.user,
    onSuccess: () => {
      if (mood.hookFails) throw new Error('The app has a fault.');
    },
  };
  let its: Identity | undefined;
  const before = (app: Running['app']): void => {
    app.use((req, _res, next) => {
      if (mood.hasNoSession) Object.assign(req, { session: undefined, sessionStore: undefined });
      next();
    });
    app.use(['/identity/start', '/go'], (req, res, next) => {
      if (mood.isBusy && its !== undefined) its.busy(req, res, next);
      else next();
    });
  };
  const after = (app: Running['app'], identity: Identity): void => {
    its = identity;
    const page = (title: string, more = ''): string =>
      `<!doctype html><title>${title}</title><h1>${title}</h1>${more}`;
    app.get('/log-in/:name', (req, res) => {
      Object.assign(req.session, { user: req.params.name });
      res.send(page('Logged in'));
    });
    app.get('/log-out', (req, res) => req.session.destroy(() => res.send(page('Logged out'))));
    app.all('/go', (req, res, next) => {
      identity.start(req, res, { ...question(setup), returnTo: '/club' } as never).catch(next);
    });
    const guard = identity.require(question(setup) as never);
    app.get('/club', guard, (_req, res) => void res.send(page('Club')));
    const allow = (): boolean => !mood.refuses;
    const strict = identity.require({ ...question(setup), allow } as never);
    app.get('/adults', strict, (_req, res) => void res.send(page('Club')));
    app.get('/counter', (_req, res) => void res.send(page('Counter')));
    app.get(['/', home], (_req, res) => {
      res.send(page('Home', '<form method="post" action="/go"><button>Begin</button></form>'));
    });
  };
  const all = { options, before, after };
  const app = await (setup.wallets ? startWalletApp(all) : startApp(all));
  const renewed = setup.wallets
    ? await startWalletApp({ ...all, origins: [app.url], session: { store: app.sessions } })
    : undefined;
  its = app.identity;
  return { ...setup, app, renewed, mood, home, walked: new Set() };
}

const asked = { reveal: ['given_name', 'birth_date'] };

/** A verification that was cancelled has a page with a row of its own. */
type Place = 'start' | 'home' | 'counter' | 'club' | 'wallet' | 'cancelled';

/** A page, and what it says to do next. */
interface Row {
  readonly page: TextKey;
  /** When people meet it. */
  readonly when: string;
  readonly where?: (setup: Setup) => boolean;
  readonly provoke: (world: World, page: Page) => Promise<unknown>;
  /** Its main button, and where that leads; a form has one, too. */
  readonly next: (world: Setup) => readonly [label: TextKey, place: Place];
  /** A link to a start for people who have another ID. */
  readonly hasAnotherId?: true;
}

/** Begins in this browser, as its page does, and leaves it where it is. */
async function beginIn(
  { app, three, start }: World,
  page: Page,
): Promise<{ flowId: string; redirectUrl: string }> {
  const address = start ? `/identity/start${three ? '/age' : ''}?returnTo=/club` : '/go';
  const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
  const response = await page.request.post(app.url + address, { headers });
  return (await response.json()) as never;
}

/** The same, and what the wallet of a service, or of the person, says of where the browser goes on. */
async function answered(world: World, page: Page): Promise<string> {
  const { redirectUrl } = await beginIn(world, page);
  if (!world.wallets) return await decide(redirectUrl, 'approve');
  const { wallet } = world.app;
  const shown = await (await page.request.get(redirectUrl, { headers: { accept: 'text/html' } })).text();
  const opened = await wallet?.open(linksOn(shown).link ?? '');
  return (await opened?.send(await opened.respond()))?.body.redirect_uri ?? '';
}

const failed =
  (code: string) =>
  async (world: World, page: Page): Promise<void> => {
    const { flowId } = await beginIn(world, page);
    await page.goto(`${world.app.url}/identity/return?error=${code}&flow=${flowId}`);
  };

/** A form on a page of another site. */
async function fromElsewhere(page: Page, address: string): Promise<void> {
  const body = `<form method="post" action="${address}"><button>Go</button></form>`;
  await page.route('http://elsewhere.example/', async (route) => {
    await route.fulfill({ contentType: 'text/html', body });
  });
  await page.goto('http://elsewhere.example/');
  await page.getByRole('button').click();
}

const toStart = ({ start }: Setup): Place => (start ? 'start' : 'home');
const again: Row['next'] = (its) => ['start_again', toStart(its)];
const later: Row['next'] = (its) => ['try_again', toStart(its)];
const elsewhereOn: Row['next'] = (its) => ['elsewhere_button', toStart(its)];
/** Where no question is named, only the app knows which of several it was. */
const unnamed =
  (label: TextKey): Row['next'] =>
  ({ start, three }) => [label, start && !three ? 'start' : 'home'];
const away: Row['next'] = ({ otherWay }) => (otherWay ? ['other_way_button', 'counter'] : ['home', 'home']);
const home: Row['next'] = () => ['home', 'home'];
const onToWallet: Row['next'] = () => ['start_button', 'wallet'];

const startOf = ({ app, three, start }: World, name = three ? '/age' : ''): string =>
  start ? `${app.url}/identity/start${name}?returnTo=/club` : `${app.url}/go`;

/** An error of a flow of this browser, at the address to which the service or the wallet sends it. */
const error = (
  page: TextKey,
  code: string,
  when: string,
  next: Row['next'],
  more: Partial<Row> = {},
): Row => ({
  page,
  when,
  next,
  provoke: failed(code),
  ...more,
});

const another = { hasAnotherId: true } as const;

const rows: readonly Row[] = [
  {
    page: 'start_title',
    when: 'a verification begins',
    where: ({ start }) => start,
    provoke: async (world, page) =>
      await page.goto(startOf(world, world.three ? '/all' : '').replace('/club', '/counter')),
    next: onToWallet,
  },
  {
    page: 'start_title_age',
    when: 'a verification of an age begins',
    where: ({ start, three }) => start && three,
    provoke: async (world, page) => await page.goto(startOf(world)),
    next: onToWallet,
  },
  {
    page: 'start_title',
    when: 'a page of another site sent the form',
    where: ({ three }) => !three,
    provoke: async (world, page) => await fromElsewhere(page, startOf(world)),
    next: onToWallet,
  },
  {
    page: 'wallet_title',
    when: 'the app waits for a wallet',
    where: ({ wallets }) => wallets,
    provoke: async (world, page) => await page.goto((await beginIn(world, page)).redirectUrl),
    next: () => ['wallet_cancel', 'cancelled'],
  },
  {
    page: 'wallet_answered_title',
    when: 'the wallet of this device has answered, and opened another browser',
    where: ({ wallets }) => wallets,
    provoke: async (world, page) => {
      const { redirectUrl } = await beginIn(world, page);
      await page.goto(redirectUrl);
      const opened = await world.app.wallet?.open(linksOn(await page.content()).link ?? '');
      await opened?.send(await opened.respond());
      await page.goto(redirectUrl);
    },
    next: again,
  },
  {
    page: 'wallet_gone_title',
    when: 'the certificate that asked has ended meanwhile',
    where: ({ wallets }) => wallets,
    provoke: async (world, page) => {
      const { redirectUrl } = await beginIn(world, page);
      await page.goto(redirectUrl.replace(world.app.url, world.renewed?.url ?? ''));
    },
    next: again,
  },
  {
    page: 'unrecognised_title',
    when: 'the waiting page is opened in another browser',
    where: ({ wallets }) => wallets,
    provoke: async (world, page) => {
      const { redirectUrl } = await beginIn(world, page);
      await page.context().clearCookies();
      await page.goto(redirectUrl);
    },
    next: elsewhereOn,
  },
  {
    page: 'declined_title',
    when: 'Cancel on the waiting page',
    where: ({ wallets }) => wallets,
    provoke: async (world, page) => {
      await page.goto((await beginIn(world, page)).redirectUrl);
      await page.locator('form button').click();
    },
    next: again,
  },
  error('declined_title', 'declined', 'the service says that the person said no', again),
  error('not_shared_title', 'not_shared', 'the wallet shared nothing and does not say why', later),
  error('card_blocked_title', 'card_blocked', 'three wrong PINs', away, another),
  error('unusable_title', 'attribute_invalid', 'a date of birth without a day', away, another),
  error('timed_out_title', 'timed_out', 'nobody answered in time', again),
  error('credential_missing_title', 'credential_missing', 'no such ID in the wallet', again),
  error('expired_title', 'credential_expired', 'the ID has expired', away, another),
  error('revoked_title', 'credential_revoked', 'the ID was revoked', away, another),
  error('incomplete_title', 'attributes_missing', 'an attribute is missing', again),
  error('refused_title', 'refused', 'a hook of the app refuses', away, another),
  error('service_error_title', 'service_error', 'the service ended it', again),
  error('proof_title', 'presentation_invalid', 'a check of the proof failed', again),
  error('away_title', 'service_unreachable', 'the service cannot be reached', later),
  error('trouble_title', 'service_reply_invalid', 'the service answers with something else', later),
  error('unchecked_title', 'keys_unavailable', 'keys or the status list cannot be fetched', later),
  error('busy_title', 'hook_failed', 'a hook of the app failed', later),
  error('ended_title', 'state_unknown', 'the answer came for a verification that has ended', again),
  {
    page: 'ended_title',
    when: 'an address about a person, in a browser whose it is not',
    provoke: async ({ app }, page) => await page.goto(`${app.url}/identity/return?error=timed_out`),
    next: unnamed('start_again'),
  },
  {
    page: 'insufficient_title',
    when: 'a guard refuses what was proved',
    provoke: async (world, page) => {
      await page.goto(await answered(world, page));
      world.mood.refuses = true;
      await page.goto(`${world.app.url}/adults`);
    },
    next: away,
    ...another,
  },
  {
    page: 'unknown_title',
    when: 'a link leads to a route of the app that only a form may ask',
    provoke: async ({ app }, page) => await page.goto(`${app.url}/go`),
    next: again,
  },
  {
    page: 'foreign_title',
    when: 'a page of another site cancels',
    where: ({ wallets }) => wallets,
    provoke: async ({ app }, page) => await fromElsewhere(page, `${app.url}/identity/wallet?state=x`),
    next: unnamed('start_again'),
  },
  {
    page: 'not_found_title',
    when: 'the address of a start names none of several questions',
    where: ({ start, three }) => start && three,
    provoke: async ({ app }, page) => await page.goto(`${app.url}/identity/start`),
    next: home,
  },
  {
    page: 'address_title',
    when: 'the app is opened under a name that it does not know',
    provoke: async (world, page) => {
      const url = world.app.url.replace('127.0.0.1', 'localhost');
      if (world.start) await page.goto(startOf(world).replace(world.app.url, url));
      else {
        await page.goto(url + world.home);
        await page.getByRole('button').click();
      }
    },
    next: again,
  },
  {
    page: 'link_title',
    when: 'a link names another site to return to',
    where: ({ start }) => start,
    provoke: async (world, page) => await page.goto(startOf(world).replace('/club', '//elsewhere.example')),
    next: home,
  },
  {
    page: 'limited_title',
    when: 'the limiter of the app has had enough',
    where: ({ start }) => start,
    provoke: async (world, page) => {
      world.mood.isBusy = true;
      await page.goto(startOf(world));
    },
    next: later,
  },
  {
    page: 'limited_title',
    when: 'the same of a form',
    where: ({ start }) => !start,
    provoke: async (world, page) => {
      await page.goto(world.app.url + world.home);
      world.mood.isBusy = true;
      await page.getByRole('button').click();
    },
    next: later,
  },
  {
    page: 'set_up_title',
    when: 'the app has no session',
    provoke: async (world, page) => {
      await page.goto(world.app.url + world.home);
      world.mood.hasNoSession = true;
      await page.getByRole('button').click();
    },
    next: away,
  },
  {
    page: 'elsewhere_title',
    when: 'the wallet opens another browser',
    provoke: async (world, page) => {
      const back = await answered(world, page);
      await page.context().clearCookies();
      await page.goto(back);
    },
    next: elsewhereOn,
  },
  {
    page: 'session_over_title',
    when: 'the session has ended meanwhile',
    provoke: async (world, page) => {
      const back = await answered(world, page);
      await page.goto(`${world.app.url}/log-out`);
      await page.goto(back);
    },
    next: elsewhereOn,
  },
  {
    page: 'broken_title',
    when: 'a part of the address was lost on the way',
    provoke: async ({ app }, page) => await page.goto(`${app.url}/identity/return`),
    next: unnamed('start_again'),
  },
  {
    page: 'used_title',
    when: 'the code is no longer that of this verification',
    provoke: async (world, page) => {
      const { flowId } = await beginIn(world, page);
      await page.goto(`${world.app.url}/identity/return?code=${flowId}.${noCode.slice(0, 43)}`);
    },
    next: again,
  },
  {
    page: 'changed_title',
    when: 'somebody else has logged in meanwhile',
    provoke: async (world, page) => {
      await page.goto(`${world.app.url}/log-in/erika`);
      const back = await answered(world, page);
      await page.goto(`${world.app.url}/log-in/leon`);
      await page.goto(back);
    },
    next: again,
  },
  {
    page: 'unfinished_title',
    when: 'a hook of the app fails at the return',
    provoke: async (world, page) => {
      const back = await answered(world, page);
      world.mood.hookFails = true;
      await page.goto(back);
    },
    next: () => ['try_again', 'club'],
  },
  {
    page: 'redirect_title',
    when: 'the cookie of the session does not come with a link from another site',
    provoke: async (world, page) => {
      const back = await answered(world, page);
      const cookies = await page.context().cookies();
      await page.context().clearCookies();
      const held = new Promise<void>((resolve) => {
        void page.route(/reload=1/, async (route) => {
          await route.fulfill({ status: 204 });
          resolve();
        });
      });
      await page.goto(back);
      await held;
      await page.context().addCookies(cookies);
      await page.unrouteAll();
    },
    next: () => ['continue', 'club'],
  },
  {
    page: 'redirect_title',
    when: 'a form of the app leads to the wallet of a service',
    where: ({ wallets }) => !wallets,
    provoke: async (world, page) => {
      await page.route(`${world.app.sandbox.url}/**`, async (route) => await route.fulfill({ status: 204 }));
      await page.goto(world.app.url + world.home);
      await page.getByRole('button').click();
      await page.getByRole('heading', { level: 1, name: en.redirect_title }).waitFor();
      await page.unrouteAll();
    },
    next: onToWallet,
  },
];

const said = (key: TextKey): string => en[key].replace('{name}', 'Nordlicht');
const titleOf = async (page: Page): Promise<string> => await page.locator('h1').innerText();

/** Where a page is: in the app, at a start, at a wallet. */
async function placeOf({ app }: World, page: Page): Promise<Place | 'elsewhere'> {
  const title = await titleOf(page);
  if (page.url().startsWith(app.sandbox.url) || title === en.wallet_title) return 'wallet';
  if (title === en.declined_title) return 'cancelled';
  if (title === en.start_title || title === en.start_title_age) return 'start';
  return title === 'Home' || title === 'Counter' || title === 'Club'
    ? (title.toLowerCase() as Place)
    : 'elsewhere';
}

/** From the page of a start, or of the app, over the wallet to the page that was wanted. */
async function finish(world: World, page: Page): Promise<void> {
  const place = await placeOf(world, page);
  if (place === 'counter' || place === 'club' || place === 'cancelled') return;
  const { pathname, search, origin } = new URL(page.url());
  if (place !== 'wallet') {
    if (world.walked.has(pathname + search)) return;
    await page.locator('form button').click();
  }
  await page.waitForURL(world.wallets ? '**/identity/wallet?*' : `${world.app.sandbox.url}/**`);
  // The wallet of the test trusts the certificate of the app as it was first.
  if (origin === world.renewed?.url) return;
  if (world.wallets) {
    const opened = await world.app.wallet?.open(linksOn(await page.content()).code ?? '');
    await opened?.send(await opened.respond());
    await page.reload();
  } else await page.locator('button[value=approve]').click();
  await page.getByRole('heading', { level: 1, name: /^(Club|Counter|Home)$/ }).waitFor();
  world.walked.add(pathname + search);
}

/** The button that stands out, or of a page that warns, the one that is there. */
const buttonOf = (page: Page) =>
  page.locator('main').locator('button.button, a.button').filter({ visible: true }).first();

/** Does what a page says to do next, and goes on to the end. */
async function goOn(world: World, page: Page): Promise<readonly [label: string, place: string]> {
  const title = await titleOf(page);
  const button = buttonOf(page);
  const label = await button.innerText();
  const links = await page
    .locator('main a:not(.lang)')
    .evaluateAll((all) =>
      all.map((link) => (link as HTMLAnchorElement).href).filter((href) => href.startsWith('http')),
    );
  await button.click();
  await page.waitForFunction((old) => document.querySelector('h1')?.innerText !== old, title);
  const place = await placeOf(world, page);
  await finish(world, page);
  for (const link of new Set(links)) {
    if (world.walked.has(link)) continue;
    world.walked.add(link);
    const { status, place: at } = await peek(world, page, link);
    expect([title, link, status, at]).toEqual([
      title,
      link,
      200,
      expect.stringMatching(/^(start|home|counter|club|wallet)$/),
    ]);
  }
  return [label, place];
}

/** Where a link leads that the robot does not press. */
async function peek(world: World, page: Page, link: string) {
  const other = await page.context().newPage();
  const response = await other.goto(link);
  const place = await placeOf(world, other);
  if (place === 'start') await finish(world, other);
  await other.close();
  return { status: response?.status(), place };
}

/** Where the link for people with another ID leads, on a page that has it. */
async function placeOfAnotherId(world: World, page: Page): Promise<string | undefined> {
  const links = page.getByRole('link', { name: en.another_id, exact: true });
  if ((await links.count()) === 0) return undefined;
  return (await peek(world, page, await links.evaluate((link: HTMLAnchorElement) => link.href))).place;
}

/** Where somebody else ends who opens the address, or the same person without cookies. */
async function strangersWay(world: World, stranger: Page, address: string): Promise<string> {
  const response = await stranger.goto(address);
  if (response?.headers()['content-type']?.startsWith('text/html') !== true) return 'no page';
  await stranger.waitForFunction((hop) => document.querySelector('h1')?.innerText !== hop, en.redirect_title);
  const place = await placeOf(world, stranger);
  return place === 'elsewhere' ? (await goOn(world, stranger))[1] : place;
}

describeInChromium('the way on from each page that a person can meet', () => {
  const running = runInChromium();

  test.each(played.filter(({ express4 }) => express4 === 'del' in express.application))(
    '%j',
    async (setup) => {
      const world = await open(setup);
      const [page, stranger] = [await running.open(), await running.open()];
      for (const row of rows.filter(({ where = () => true }) => where(setup))) {
        for (const each of [page, stranger]) await each.context().clearCookies();
        await page.unrouteAll();
        const what = `${row.page}: ${row.when}`;
        await row.provoke(world, page);
        await page.getByRole('heading', { level: 1, name: said(row.page), exact: true }).waitFor();
        const address = page.url();
        for (const name of Object.keys(world.mood)) Reflect.deleteProperty(world.mood, name);
        const withAnotherId = row.hasAnotherId === true && setup.start ? 'start' : undefined;
        expect([what, await placeOfAnotherId(world, page)]).toEqual([what, withAnotherId]);
        const [label, place] = row.next(setup);
        expect([what, ...(await goOn(world, page))]).toEqual([what, said(label), place]);

        // A guard that has no start to lead to answers somebody else as it answers a program.
        const isPage = setup.start || row.page !== 'insufficient_title';
        const theirs = isPage ? /^(start|home|counter|wallet)$/ : /^no page$/;
        expect([what, await strangersWay(world, stranger, address)]).toEqual([
          what,
          expect.stringMatching(theirs),
        ]);
      }
    },
    900_000,
  );

  test('each page has a row, and each row is met in some app', () => {
    const sections: readonly TextKey[] = ['kept_title', 'not_kept_title'];
    const titles = (Object.keys(en) as TextKey[]).filter(
      (key) => key.endsWith('_title') || key === 'start_title_age',
    );
    const pages = [
      ...titles.filter((key) => !sections.includes(key)),
      ...Object.keys(errorCodes).map((code) => textFor(code).title),
    ];
    expect([...new Set(rows.map(({ page }) => page))].toSorted()).toEqual([...new Set(pages)].toSorted());
    for (const { where = () => true } of rows) expect(setups.some(where)).toBe(true);
  });
});

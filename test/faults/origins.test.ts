import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { type IdentityPage, memoryStore, type TrustEntry } from '../../lib/index.js';
import { failed, started } from '../service/service.js';
import { startApp } from '../support/app.js';
import { type Asked, startAsking } from '../support/asked-service.js';
import type { Browser } from '../support/browser.js';
import { type CallbackApp, callbackApps, type CallbackSetup, turns, valid } from '../support/callbacks.js';
import { audience, iss, issuerKeys, mint, nonceOf, signJws, vct } from '../support/verify/issuer.js';
import { decide } from '../support/wallet.js';

describe('own origins', () => {
  const open = callbackApps();

  /** What two apps may share by mistake. */
  const shared = () => ({ store: memoryStore(), sessions: new MemoryStore() });
  type Shared = ReturnType<typeof shared>;

  const refuseAll = () => ({ valid: false, reason: 'Not signed by ours.', check: 'C02' }) as const;

  async function appOn({ store, sessions }: Shared, setup: CallbackSetup = {}): Promise<CallbackApp> {
    return await open({
      ...setup,
      session: { store: sessions },
      options: { store, keep: () => ({ adult: true }), ...setup.options },
      after: (its, identity) => {
        its.get('/club', identity.require({ allow: Boolean }), (req, res) => {
          res.json(identity.of(req)?.kept);
        });
      },
    });
  }

  async function inClub(app: CallbackApp, browser: Browser): Promise<number> {
    return (await browser.get(`${app.url}/club`)).status;
  }

  test('F127 one app of two names of this machine, with a sandbox: each verification comes back to its own', async () => {
    const origins = ['http://localhost:3000', 'http://acme.localhost:3000'];
    const app = await startApp({
      before: (its) => void its.set('trust proxy', true),
      options: { appUrl: origins, keep: ({ sandbox }: { sandbox: boolean }) => ({ sandbox }) },
      after: (its, identity) => {
        its.get('/club', identity.require(), (req, res) => void res.json(req.hostname));
      },
    });
    for (const origin of origins) {
      const at = { 'x-forwarded-host': new URL(origin).host };
      const browser = app.browser();
      const { location = '' } = await browser.post(`${app.url}/identity/start?returnTo=/club`, undefined, at);
      const back = new URL(await decide(location, 'approve'));
      expect(back.origin).toBe(origin);
      expect((await browser.get(`${app.url}${back.pathname}${back.search}`, at)).location).toBe(
        `${origin}/club`,
      );
      const { status, text } = await browser.get(`${app.url}/club`, at);
      expect([status, text]).toEqual([200, JSON.stringify(new URL(origin).hostname)]);
    }
  });

  describe("F64 an app's records are its own", () => {
    test('F64 a proof that staging accepts opens nothing in production', async () => {
      const both = shared();
      const onSuccess = jest.fn();
      const production = await appOn(both, { judge: refuseAll, hooks: { onSuccess } });
      const staging = await appOn(both, { judge: () => valid });
      const { state, flow, browser } = await production.begin();
      const refused = await production.deliver({ presentation: 'good', state });
      expect(refused.body.redirect_uri).toContain('error=presentation_invalid');
      const elsewhere = await staging.deliver({ presentation: 'good', state });
      expect(elsewhere.body.redirect_uri).toBe(`${staging.url}/identity/return?error=state_unknown`);
      expect([staging.judged, staging.ran, staging.events]).toMatchObject([
        [],
        [],
        [{ type: 'callback.unknown' }],
      ]);
      expect(await production.statusOf({ state, flow, browser })).toBe('pending');
      expect([onSuccess.mock.calls, await inClub(production, browser)]).toEqual([[], 303]);
    });

    test('F64 a return and a status of another app are unknown, also in the session that owns the flow', async () => {
      const both = shared();
      const mine = await appOn(both);
      const other = await appOn(both);
      const { back, state, flow, browser } = await mine.verified();
      expect(await other.statusOf({ state, flow, browser })).toBe('expired');
      const there = await browser.get(back.replace(mine.url, other.url));
      expect([there.status, there.text.includes('This verification has ended')]).toEqual([403, true]);
      expect([other.ran, await inClub(other, browser)]).toEqual([[], 303]);
      // Nothing was lost by it.
      await browser.visit(back);
      expect(await inClub(mine, browser)).toBe(200);
    });

    test('F64 a code is revoked at the app that it belongs to, and at no other', async () => {
      const both = shared();
      const mine = await appOn(both);
      const other = await appOn({ ...both, sessions: new MemoryStore() });
      const { back, ...begun } = await mine.verified();
      const shown = await other.browser().visit(back.replace(mine.url, other.url));
      expect([shown.status, other.ran, await mine.statusOf(begun)]).toEqual([403, [], 'verified']);
      expect((await mine.browser().visit(back)).status).toBe(403);
      expect([mine.ran, await mine.statusOf(begun)]).toEqual([
        ['onError return return_wrong_browser'],
        'failed',
      ]);
      expect((await begun.browser.visit(back)).status).toBe(403);
    });

    test('F64 an app that is moved finishes what began under the old name, while it lists that', async () => {
      const both = shared();
      const before = await appOn(both);
      const { state, browser } = await before.begin();
      const after = await appOn(both, { origins: [before.url] });
      const back = (await after.deliver({ presentation: 'good', state })).body.redirect_uri ?? '';
      expect(back).toContain(`${before.url}/identity/return?code=`);
      await browser.visit(back.replace(before.url, after.url));
      expect(await inClub(after, browser)).toBe(200);
    });
  });

  describe('F64 what was kept counts under the origins that the app lists now', () => {
    test('F64 what was kept at one host does not count at the other', async () => {
      const sessions = new MemoryStore();
      const one = await appOn({ store: memoryStore(), sessions });
      const other = await appOn({ store: memoryStore(), sessions });
      const { back, browser } = await one.verified();
      await browser.visit(back);
      expect([await inClub(one, browser), await inClub(other, browser)]).toEqual([200, 303]);
      const moved = await appOn({ store: memoryStore(), sessions }, { origins: [one.url] });
      expect(await inClub(moved, browser)).toBe(200);
    });
  });

  describe('F64 in development all origins of this machine are one', () => {
    const mode = process.env['NODE_ENV'];
    afterEach(() => void (process.env['NODE_ENV'] = mode));

    test.each([
      ['development', [200, 200]],
      ['test', [303, 303]],
      ['production', [303, 303]],
    ])('F64 in mode %s', async (now, statuses) => {
      jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      process.env['NODE_ENV'] = now;
      const both = shared();
      const one = await appOn(both);
      const other = await appOn(both);
      const { state, browser } = await one.begin();
      const back = (await other.deliver({ presentation: 'good', state })).body.redirect_uri ?? '';
      await browser.visit(back);
      await turns();
      expect([await inClub(one, browser), await inClub(other, browser)]).toEqual(statuses);
    });

    test('F64 an origin that is not of this machine is nobody else, in development too', async () => {
      process.env['NODE_ENV'] = 'development';
      const both = shared();
      const one = await appOn(both);
      const other = await appOn(both, { options: { appUrl: 'https://shop.example' } });
      const { state } = await one.begin();
      const reply = await other.deliver({ presentation: 'good', state });
      expect(reply.body.redirect_uri).toBe('https://shop.example/identity/return?error=state_unknown');
    });
  });
});

describe('page addresses', () => {
  const attack = `/x'onfocus='alert(1)'?a='%22"<b>&c='#'`;
  const sent = `returnTo=${encodeURIComponent(attack).replaceAll("'", '%27')}`;

  /** All addresses of a page, as the app's own template gets them. */
  function addressesOf({ form, links }: IdentityPage): string[] {
    return [form?.action, links.action, links.home, links.privacy].filter((it) => it !== undefined);
  }

  describe('F71 no address of a page has an apostrophe', () => {
    const pages: IdentityPage[] = [];
    afterEach(() => void (pages.length = 0));
    const render = (page: IdentityPage): string => {
      pages.push(page);
      return 'a page';
    };
    const options = {
      pages: { render, homeUrl: "/o'neill", privacyUrl: "https://o'neill.example/o'neill?'" },
    };

    const fromElsewhere = { 'sec-fetch-site': 'none' };
    const start = `/identity/start?${sent}`;
    const post = async (app: Asked, path: string, form = {}, headers = {}): Promise<unknown> =>
      await app.browser().post(`${app.url}${path}`, form, headers);
    type Visit = readonly [
      what: string,
      pages: IdentityPage['name'][],
      visit: (app: Asked) => Promise<unknown>,
    ];
    const visits: readonly Visit[] = [
      ['the start', ['start'], async (app) => await app.browser().get(`${app.url}${start}`)],
      ['a start from another site', ['start'], async (app) => await post(app, start, {}, fromElsewhere)],
      [
        'a start in a route of the app',
        ['start'],
        async (app) => await post(app, `/own/o'neill?'&${sent}`, {}, fromElsewhere),
      ],
      [
        'a start that failed',
        ['error'],
        async (app) => {
          app.service.answers(failed(500, 'error_internal'));
          await post(app, `${start}&form=kit`);
        },
      ],
      [
        "a start by a form of the app's own, on its way to the wallet",
        [], // the kit's own page, always
        async (app) => {
          app.service.answers(started("https://wallet.example/o'neill?a='"));
          await post(app, '/identity/start', { returnTo: attack });
        },
      ],
    ];

    test.each(visits)('F71 %s', async (_name, names, visit) => {
      const after = (its: Asked['app'], identity: Asked['identity']): void => {
        its.post('/own/:name', async (req, res) => await identity.start(req, res));
      };
      const app = await startAsking({ options, after });
      await visit(app);
      expect(pages.map((page) => page.name)).toEqual(names);
      expect(pages.flatMap(addressesOf).filter((address) => /['"<>]/.test(address))).toEqual([]);
    });

    test('F71 the path comes back as it was sent', async () => {
      const app = await startApp({ options });
      const browser = app.browser();
      await browser.get(`${app.url}/identity/start?returnTo=/o'neill`);
      const [page] = pages;
      expect(page?.form?.action).toBe('/identity/start?returnTo=%2Fo%27neill&form=kit');
      const { location = '' } = await browser.post(`${app.url}${page?.form?.action}`, {});
      expect((await browser.get(await decide(location, 'approve'))).location).toBe(`${app.url}/o'neill`);
    });
  });
});

describe('derived result', () => {
  const openApp = callbackApps();
  const jwks = { keys: [issuerKeys.jwk] };
  const seconds = ({ clock }: CallbackApp) => Math.floor(clock().getTime() / 1000);

  /** What the issuer signs of a derived result. */
  interface Signed {
    readonly result: '0' | '1';
    readonly value?: string;
  }

  const formats: Readonly<
    Record<string, [TrustEntry, (app: CallbackApp, state: string, signed: Signed) => string]>
  > = {
    'sd-jwt-vc': [
      { format: 'sd-jwt-vc', keys: { jwks }, vct: [vct], keyBinding: { nonce: 'state-sha256', audience } },
      (app, state, { result, value }) => {
        const iat = seconds(app);
        const derived = { derived: { nationality: result }, derived_for: { nationality: value } };
        const payload = { iat, exp: iat + 60, ...derived };
        return mint({ payload, binding: { payload: { iat, nonce: nonceOf(state) } } });
      },
    ],
    jwt: [
      {
        format: 'jwt',
        keys: { jwks },
        iss,
        audience,
        typ: 'result+jwt',
        binding: { claim: 'nonce', value: 'state-sha256' },
        claims: { given_name: ['given_name'], birth_date: ['birth_date'] },
        derived: { nationality: { result: ['german'], value: ['german_for'] } },
      },
      (app, state, { result, value }) => {
        const iat = seconds(app);
        const times = { iat, exp: iat + 60, iss, aud: audience, nonce: nonceOf(state) };
        const person = { given_name: 'Erika', birth_date: '1964-08-12' };
        const claims = { ...times, ...person, german: result, german_for: value };
        return signJws({ alg: 'ES256', typ: 'result+jwt' }, claims, issuerKeys);
      },
    ],
  };

  describe.each(Object.entries(formats))('a derived result in the format %s', (_format, [entry, sign]) => {
    const open = async (): Promise<CallbackApp> =>
      await openApp({
        hooks: { onVerified: () => undefined },
        options: { trust: { 'xx-test': entry }, derived: { nationality: 'DE' } },
      });

    test('F52 an issuer-signed "1" for FR never answers a question about DE', async () => {
      const app = await open();
      const { state } = await app.begin();
      for (const signed of [
        { result: '1', value: 'FR' },
        { result: '0', value: 'FR' },
        { result: '1' },
      ] as const) {
        const { status } = await app.deliver({ state, presentation: sign(app, state, signed) });
        expect(status).toBe(200);
      }
      expect(app.ran).toEqual(Array(3).fill('onError callback presentation_invalid'));
      expect(app.events.flatMap(({ check }) => check ?? [])).toEqual(['B19', 'B19', 'B19']);
    });

    test('F52 one for DE does', async () => {
      const app = await open();
      const { state } = await app.begin();
      await app.deliver({ state, presentation: sign(app, state, { result: '1', value: 'DE' }) });
      expect(app.ran).toEqual(['onVerified']);
    });
  });
});

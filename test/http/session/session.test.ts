import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { me } from '../../support/account.js';
import { type AppSetup, type Running, startApp } from '../../support/app.js';
import type { Browser } from '../../support/browser.js';
import { type CallbackApp, callbackApps } from '../../support/callbacks.js';
import { deep } from '../../support/deep.js';
import { nightly, seed } from '../../support/seed.js';
import { decide } from '../../support/wallet.js';
import { openedSession, sealedSession } from '../../support/sealed.js';

describe('kept', () => {
  const openApp = callbackApps();

  /** GET /of tells what is kept, before and after it is forgotten; /club is for whom something is kept of. */
  const showing: AppSetup['after'] = (app, identity) => {
    app.get('/of', (req, res) => void res.json(identity.of(req) ?? null));
    app.get('/club', identity.require(), (_req, res) => void res.end('open'));
    app.get('/forget', async (req, res) => {
      const before = identity.of(req)?.kept ?? null;
      await identity.forget(req);
      res.json([before, identity.of(req)?.kept ?? null]);
    });
  };

  const open = async (options: Record<string, unknown> = {}): Promise<CallbackApp> =>
    await openApp({ options: { keep: () => 'Erika', ...options }, after: showing });

  /** Starts in this browser, is verified, and comes back; answers the address that it came back to. */
  async function verify(app: CallbackApp, browser: Browser, path = ''): Promise<string> {
    const { state } = await app.begin(path, browser);
    const { body } = await app.deliver({ presentation: 'good', state });
    const back = body.redirect_uri ?? '';
    expect((await browser.get(back)).status).toBe(303);
    return back;
  }

  const shownTo = async ({ url }: CallbackApp, browser: Browser): Promise<unknown> =>
    ((await browser.get(`${url}/of`)).json() as { kept: unknown } | null)?.kept;

  describe('what is kept', () => {
    deep.test('comes back as it was, whatever the app keeps', async () => {
      let value: unknown;
      const app = await open({ keep: () => value });
      const strings = fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('\n', '\r', '\u2028', '\u2029', '"', '__proto__', 'Erika"}],"kept":{}'),
      );
      const values = fc.oneof(fc.jsonValue(), strings, fc.dictionary(strings, strings));
      await fc.assert(
        fc.asyncProperty(values, async (kept) => {
          value = kept;
          const browser = app.browser();
          await verify(app, browser);
          expect(JSON.stringify(await shownTo(app, browser))).toBe(JSON.stringify(kept));
        }),
        { seed, numRuns: nightly ? 500 : 20 },
      );
    });

    test('is gone in the very request that forgets it', async () => {
      const app = await open();
      const browser = app.browser();
      await verify(app, browser);
      expect((await browser.get(`${app.url}/forget`)).json()).toEqual(['Erika', null]);
    });
  });

  describe('a session of another form', () => {
    /** All that the kit has in the sessions of the app: in clear, and what is sealed, opened. */
    function parts(app: CallbackApp) {
      return Object.entries(app.stored()).flatMap(([id, text]) => {
        const session = JSON.parse(text) as Record<string, unknown>;
        const keep = (changed: object): void => void (app.stored()[id] = JSON.stringify(changed));
        return Object.keys(session)
          .filter((name) => /^pidgate\b/.test(name))
          .map((name) => {
            const isSealed = name !== 'pidgate';
            return {
              name,
              value: isSealed ? openedSession(app.identity, session) : session[name],
              put: (value: unknown): void =>
                keep(isSealed ? sealedSession(app.identity, value, session) : { ...session, [name]: value }),
              putRaw: (raw: unknown): void => keep({ ...session, [name]: raw }),
            };
          });
      });
    }

    /** The same value with one member or element of it, at any depth, exchanged for each of these. */
    function* exchanged(
      value: unknown,
      by: readonly unknown[],
      path: readonly string[] = [],
    ): Generator<{ path: readonly string[]; by: unknown; value: unknown }> {
      if (path.length > 0) for (const other of by) yield { path, by: other, value: other };
      if (typeof value !== 'object' || value === null) return;
      for (const [name, member] of Object.entries(value)) {
        for (const other of exchanged(member, by, [...path, name])) {
          const copy = structuredClone(value) as Record<string, unknown>;
          copy[name] = other.value;
          yield { ...other, value: copy };
        }
      }
    }

    /** All that a browser may ask for with it has an answer. */
    async function goesOn(app: CallbackApp, browser: Browser, back: string, flow: string): Promise<void> {
      const asked = [`${app.url}/of`, `${app.url}/club`, `${app.url}/identity/status?flow=${flow}`, back];
      for (const address of asked) {
        const shown = await browser.get(address);
        expect([address, shown.status < 500, shown.location ?? '']).toEqual([
          address,
          true,
          expect.not.stringContaining('javascript:'),
        ]);
      }
      expect((await browser.get(`${app.url}/identity/start`)).status).toBe(200);
    }

    const others = [null, 'x', 7, -1, true, [], {}, 'javascript:alert(1)', [null], { a: null }];

    deep.test('counts as none where it cannot be read, and a new verification goes well', async () => {
      const raws = ['', 'x', '{', 'null', '{}', '[]', '"x"', '{"flows":[null],"kept":null}', ...others];
      const app = await open();
      for (const raw of raws) {
        const browser = app.browser();
        app.sessions.clear();
        const back = await verify(app, browser);
        for (const { putRaw } of parts(app)) putRaw(raw);
        expect(await shownTo(app, browser)).toBeUndefined();
        expect((await browser.get(`${app.url}/club`)).status).toBe(303);
        await goesOn(app, browser, back, 'A'.repeat(43));
        await verify(app, browser);
        expect(await shownTo(app, browser)).toBe('Erika');
      }
    });

    deep.test(
      'is no error, whichever part of it is another thing, and what was kept beside an entry of it stays',
      async () => {
        const app = await open();
        const browser = app.browser();
        const back = await verify(app, browser);
        const { flow } = await app.begin('?returnTo=/there', browser);
        const sessions = { ...app.stored() };
        const [seen, lost]: [string[], string[]] = [[], []];
        for (const { name, value, put } of parts(app)) {
          for (const other of exchanged(value, [null, 7, {}, 'javascript:alert(1)'])) {
            Object.assign(app.stored(), sessions);
            put(other.value);
            seen.push([name, ...other.path].join(' '));
            await goesOn(app, browser, back, flow);
            if (other.path.length === 1 || other.by === null || other.path.includes('kept')) continue;
            Object.assign(app.stored(), sessions);
            put(other.value);
            if ((await shownTo(app, browser)) !== 'Erika') lost.push(other.path.join(' '));
          }
        }
        expect([lost, seen.some((path) => / kept default /.test(path))]).toEqual([[], true]);
      },
    );
  });

  describe('F85 what leaves the session', () => {
    test('F85 the address of the flow that was finished last leads there again, a start later too; older ones do not', async () => {
      const app = await open();
      const browser = app.browser();
      const first = await verify(app, browser, '?returnTo=/first');
      const last = await verify(app, browser, '?returnTo=/last');
      const leads = async (back: string): Promise<unknown> => (await browser.get(back)).location;
      expect([await leads(first), await leads(last)]).toEqual([undefined, `${app.url}/last`]);
      await app.begin('', browser);
      expect([await leads(first), await leads(last)]).toEqual([undefined, `${app.url}/last`]);
    });

    test('F85 flows that can no longer come back: a session that starts again and again does not grow', async () => {
      const app = await open();
      const browser = app.browser();
      const sizes: number[] = [];
      for (let starts = 0; starts < 12; starts += 1) {
        const { flow } = await app.begin('', browser);
        sizes.push(JSON.stringify(app.stored()).length);
        app.clock.forward(20 * 60_000);
        if (starts === 0) continue;
        await app.begin('', browser);
        expect(await app.statusOf({ state: '', flow, browser })).not.toBe('pending');
        app.clock.forward(20 * 60_000);
      }
      expect(new Set(sizes.slice(1)).size).toBe(1);
    });
  });
});

describe('other forms', () => {
  async function open(): Promise<Running> {
    return await startApp({
      options: { keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name },
      after: (app, identity) => {
        me(app, identity);
        app.get('/club', identity.require(), (_req, res) => void res.send('open'));
      },
    });
  }

  /** Changes what the kit has in each stored session. */
  function rewrite(
    app: Running,
    change: (session: Record<string, unknown>) => Readonly<Record<string, unknown>>,
  ): void {
    for (const [id, text] of Object.entries(app.stored())) {
      app.stored()[id] = JSON.stringify(change(JSON.parse(text) as Record<string, unknown>));
    }
  }

  /** A record in places, with this in the place of its receipt's id and its end. */
  const record = (id: unknown, until: unknown = 9e15): unknown[] => [
    { kept: 'x' },
    'xx-sandbox',
    true,
    1,
    id,
    '0000-0000',
    until,
    1,
    'c',
    'https://app.example',
  ];

  /** As another version of the kit, or of an app, may have left it. */
  const forms: readonly unknown[] = [
    null,
    0,
    '',
    'flows',
    [],
    {},
    JSON.stringify({ flows: [{ id: 'a', state: 'b', question: 'default', expiresAt: 1 }], kept: {} }),
    { last: 'a', kept: 'b', done: 'c' },
    { last: {}, kept: {}, done: {} },
    { last: { id: 7, until: 'soon' }, kept: { default: null } },
    { last: { id: 7, until: 9e15 } },
    { last: { id: 'a', until: 9e15, returnTo: 7, reason: {} }, kept: { default: 'Erika' } },
    { kept: { default: record(null) } },
    { kept: { default: record(7) } },
    { kept: { default: record('a', 'soon') } },
    { kept: [record('a')], done: { id: 'a', destination: 'javascript:alert(1)' } },
    { kept: { default: { verifiedAt: 1, until: 9e15, receipt: { id: 'a', number: 'b' } } } },
    { done: { id: 7, destination: 'https://evil.example/' } },
  ];

  describe('a session that has another form', () => {
    test.each(forms.map((form) => [JSON.stringify(form), form]))(
      'counts as one in which nothing is kept (%s), and every page has a way on',
      async (_, form) => {
        const app = await open();
        const browser = await app.released();
        expect((await browser.get(`${app.url}/club`)).status).toBe(200);
        rewrite(app, (session) => sealedSession(app.identity, form, session));
        const denied = await browser.get(`${app.url}/club`);
        expect([denied.status, denied.location]).toEqual([303, '/identity/start?returnTo=%2Fclub']);
        expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
        const shown = [
          await browser.get(`${app.url}/identity/start`),
          await browser.get(`${app.url}/identity/return?error=state_unknown`),
        ];
        for (const page of shown) {
          expect(page.status).toBe(200);
          expect(page.text).toMatch(/class="button"|<button/);
        }
        const back = await app.toReturn(browser);
        expect((await browser.get(back)).status).toBe(303);
        expect((await browser.get(`${app.url}/me`)).json()).toBe('Erika');
      },
    );

    test.each([
      ['verifiedAt', 3],
      ["the receipt's id", 4],
      ["the receipt's number", 5],
      ['until', 6],
      ['releasedAt', 7],
      ['asked', 8],
      ['origin', 9],
    ])('counts as one in which nothing is kept, where %s is something else', async (_, place) => {
      const app = await open();
      const browser = await app.released();
      rewrite(app, (session) => {
        const data = openedSession(app.identity, session) as { kept: { default: unknown[] } };
        data.kept.default[place] = { id: 7 };
        return sealedSession(app.identity, data, session);
      });
      expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
      expect((await browser.get(`${app.url}/club`)).status).toBe(303);
    });

    test('what another factory keeps stays as it is', async () => {
      const app = await open();
      const browser = app.browser();
      const back = await app.toReturn(browser);
      const other = { last: { state: 'theirs', until: 1 }, kept: { default: 'theirs' } };
      rewrite(app, (session) => ({ ...session, 'pidgate /other': other }));
      expect((await browser.get(back)).status).toBe(303);
      await app.start(browser);
      const [text = '{}'] = Object.values(app.stored());
      expect(JSON.parse(text)).toMatchObject({ 'pidgate /other': other });
    });
  });
});

describe('write session', () => {
  test('a session whose id did not come in the header Cookie is written as the store holds it now', async () => {
    let changed = false;
    const app: Running = await startApp({
      before: (its) =>
        its.use((req, _res, next) => {
          delete req.headers.cookie; // express-session also takes what a cookie parser has read elsewhere
          if (!changed) {
            next();
            return;
          }
          const held = JSON.parse(app.stored()[req.sessionID] ?? '') as object;
          app.stored()[req.sessionID] = JSON.stringify({ ...held, meanwhile: 'written' });
          next();
        }),
    });
    const browser = app.browser();
    const first = await app.start(browser);
    changed = true;
    const second = await app.start(browser);
    const all = Object.values(app.stored());
    expect(all).toHaveLength(1);
    const [text = ''] = all;
    expect(JSON.parse(text)).toMatchObject({ meanwhile: 'written' });
    changed = false;
    for (const wallet of [first, second]) {
      expect((await browser.get(await decide(wallet, 'approve'))).status).toBe(303);
    }
  });
});

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AppSetup } from '../../support/app.js';
import type { Browser } from '../../support/browser.js';
import { type CallbackApp, callbackApps } from '../../support/callbacks.js';
import { seed } from '../../support/seed.js';

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
  test('comes back as it was, whatever the app keeps', async () => {
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
      { seed, numRuns: 50 },
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
  /** All that the kit has in the sessions of the app, as values, whatever form they have there. */
  function parts(app: CallbackApp) {
    const read = (value: unknown): unknown => {
      try {
        return typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
      } catch {
        return value;
      }
    };
    return Object.entries(app.stored()).flatMap(([id, text]) => {
      const session = JSON.parse(text) as Record<string, unknown>;
      return Object.keys(session)
        .filter((name) => /^pidgate\b/.test(name))
        .map((name) => {
          const isText = typeof session[name] === 'string' && read(session[name]) !== session[name];
          const put = (value: unknown): void => {
            const written = isText ? JSON.stringify(value) : value;
            app.stored()[id] = JSON.stringify({ ...session, [name]: written });
          };
          return {
            name,
            value: read(session[name]),
            put,
            putRaw: (raw: unknown): void => {
              app.stored()[id] = JSON.stringify({ ...session, [name]: raw });
            },
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

  test('counts as none where it cannot be read, and a new verification goes well', async () => {
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

  test('is no error, whichever part of it is another thing, and what was kept beside an entry of it stays', async () => {
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
  });
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

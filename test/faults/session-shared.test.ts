import { describe, expect, test } from '@jest/globals';
import { openConnection } from '../lab/fuzz/connection.js';
import { bytesOf, form } from '../lab/fuzz/wire.js';
import { copyOf, idsOf, login, showing, shownTo } from '../support/account.js';
import { type AppSetup, type Running, startApp, testClock, throws } from '../support/app.js';
import type { Browser } from '../support/browser.js';
import { gate } from '../support/callbacks.js';
import { decide } from '../support/wallet.js';

type WithSession = { session: Record<string, unknown> };

const nothing = [null, null, null, null];

/** Another tab ends the session. */
const endSession = async ({ sessions }: Running, id: string): Promise<void> => {
  await new Promise((resolve) => sessions.destroy(id, resolve));
};

const setup: AppSetup = {
  options: {
    keep: () => 'own',
    questions: { named: { reveal: ['family_name'], keep: () => 'named' } },
    onSuccess: ({ req, result }: { req: WithSession; result: { question: string } }) => {
      req.session['note'] = `of ${result.question}`;
    },
  },
  before: login(),
  after: showing(['user', 'note'], 'named'),
};

async function open({ options, after, ...more }: AppSetup = {}): Promise<Running> {
  return await startApp({
    ...setup,
    ...more,
    options: { ...setup.options, ...options },
    after: (app, identity) => {
      setup.after?.(app, identity);
      after?.(app, identity);
    },
  });
}

/** Logs in and comes back from the wallet: what was kept is in the session. */
async function loggedIn(app: Running): Promise<Browser> {
  const browser = app.browser();
  await browser.post(`${app.url}/login`);
  await browser.get(await app.toReturn(browser));
  return browser;
}

/** Both have the session in which each has started a flow of its own. */
async function planted(app: Running) {
  const first = app.browser();
  const back = await app.toReturn(first);
  const second = copyOf(app, first);
  const shown = await second.post(`${app.url}/identity/start/named`);
  return { first, second, back, other: await decide(shown.location ?? '', 'approve') };
}

describe('F43 two browsers with one session id', () => {
  test('F43 the one that stays behind sees nothing: not during the hook, not after it, and no return of its own', async () => {
    const [inside, hook] = [gate(), gate()];
    const app = await open({
      options: {
        onSuccess: async ({ req }: { req: WithSession & { session: { save?: unknown } } }) => {
          req.session['note'] = 'of default';
          await new Promise((resolve) => (req.session['save'] as (done: unknown) => void)(resolve));
          inside.open();
          await hook.opened;
        },
      },
    });
    const { first, second, back, other } = await planted(app);
    const returning = first.visit(back);
    await inside.opened;
    expect(await shownTo(app, second)).toEqual(nothing);
    hook.open();
    expect((await returning).url).toBe(`${app.url}/`);
    expect(await shownTo(app, second)).toEqual(nothing);
    expect((await second.visit(other)).status).toBe(403);
    expect(await shownTo(app, second)).toEqual(nothing);
    expect(await shownTo(app, first)).toEqual([null, 'of default', 'own', null]);
  });

  test.each(['first', 'second'])(
    'F43 returns one after the other, the %s one first: neither sees the other',
    async (order) => {
      const app = await open();
      const { first, second, back, other } = await planted(app);
      const mine = { browser: first, back, own: [null, 'of default', 'own', null] };
      const theirs = { browser: second, back: other, own: [null, 'of named', null, 'named'] };
      const [one, two] = order === 'first' ? [mine, theirs] : [theirs, mine];
      await one.browser.visit(one.back);
      expect((await two.browser.visit(two.back)).status).toBe(403);
      expect(await shownTo(app, two.browser)).toEqual(nothing);
      expect(await shownTo(app, one.browser)).toEqual(one.own);
    },
  );

  test('F43 returns at the same moment: each sees its own or nothing', async () => {
    const app = await open();
    const { first, second, back, other } = await planted(app);
    await Promise.all([first.visit(back), second.visit(other)]);
    const [one, two] = [await shownTo(app, first), await shownTo(app, second)];
    expect([nothing, [null, 'of default', 'own', null]]).toContainEqual(one);
    expect([nothing, [null, 'of named', null, 'named']]).toContainEqual(two);
    expect([one, two]).not.toEqual([nothing, nothing]);
  });
});

describe('F44 a log-out stays a log-out', () => {
  const spellings: [string, (value: string) => string][] = [
    ['as it is', (value) => value],
    ['in quotes', (value) => `"${value}"`],
    ['unescaped', decodeURIComponent],
    ['with other escapes', (value) => value.replace(/^s%3A/, '%73%3a')],
    [
      'with each letter escaped',
      (value) =>
        decodeURIComponent(value).replaceAll(
          /./g,
          (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
        ),
    ],
  ];

  test.each(spellings)('F44 during a start whose body comes slowly, the cookie %s', async (_, spell) => {
    const app = await open();
    const browser = app.browser();
    await browser.post(`${app.url}/login`);
    const cookie = `connect.sid=${spell(browser.cookies.get('connect.sid') ?? '')}`;
    const [id = ''] = idsOf(app);
    const { host, port } = new URL(app.url);
    const connection = await openConnection(Number(port));
    const arrived = new Promise<void>((resolve) => {
      const get = app.sessions.get.bind(app.sessions);
      app.sessions.get = function read(asked, done) {
        app.sessions.get = get;
        get(asked, (...found) => {
          done(...found);
          resolve();
        });
      };
    });
    const headers = { Host: host, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': form, Cookie: cookie };
    const body = Buffer.from('returnTo=%2Fclub');
    const request = { method: 'POST', address: '/identity/start', headers: Object.entries(headers) };
    connection.send(bytesOf({ ...request, body: body.subarray(0, 4) }, [`Content-Length: ${body.length}`]));
    await arrived;
    await endSession(app, id);
    connection.send(body.subarray(4));
    // Where the cookie is spelled as express-session does, the page is shown once more.
    const status = cookie.includes('=s%3A') ? 200 : 303;
    expect(await connection.reply('POST')).toMatchObject({ status });
    await connection.abort(false);
    expect(idsOf(app)).not.toContain(id);
    expect(await shownTo(app, browser)).toEqual(nothing);
  });

  test.each([
    ...spellings.map((spelling) => [...spelling, 200, () => undefined] as const),
    ['as it is, and it throws', (value: string) => value, 500, throws()] as const,
  ])(
    'F31, F44 during an onSuccess that writes into the session, the cookie %s',
    async (_, spell, status, then) => {
      let id = '';
      const app = await open({
        session: { resave: true, rolling: true },
        options: {
          onSuccess: async ({ req }: { req: WithSession }) => {
            req.session['seen'] = true;
            await endSession(app, id);
            then();
          },
        },
      });
      const browser = app.browser();
      await browser.post(`${app.url}/login`);
      const back = await app.toReturn(browser);
      [id = ''] = idsOf(app);
      browser.cookies.set('connect.sid', spell(browser.cookies.get('connect.sid') ?? ''));
      const shown = await browser.get(back);
      expect([shown.status, shown.headers.getSetCookie()]).toEqual([status, []]);
      expect(shown.text.includes('http-equiv="refresh"')).toBe(status === 200);
      expect(idsOf(app)).toEqual([]);
      expect([(await browser.visit(back)).status, await shownTo(app, browser)]).toEqual([403, nothing]);
    },
  );

  test('F31 of the same request, after forget: it is not undone', async () => {
    const app = await open({
      after: (its, identity) => {
        its.post('/logout', (req, res, next) => {
          identity.forget(req).then(() => {
            delete (req as unknown as WithSession).session['user'];
            res.end();
          }, next);
        });
      },
    });
    const browser = await loggedIn(app);
    expect(await shownTo(app, browser)).toEqual(['erika', 'of default', 'own', null]);
    await browser.post(`${app.url}/logout`);
    expect(await shownTo(app, browser)).toEqual([null, 'of default', null, null]);
  });

  test('F40 of the same request, before the guard: it stays shut', async () => {
    const app = await open({
      options: { subject: (req: unknown) => (req as WithSession).session['user'] },
      after: (its, identity) => {
        its.use('/club', (req, _res, next) => {
          if (req.query['out'] === undefined) return next();
          // The kit's own answers write nothing: what the app changes before them, it saves.
          delete (req as unknown as WithSession).session['user'];
          req.session.save(next);
        });
        its.get('/club', identity.require(), (_req, res) => void res.send('open'));
      },
    });
    const browser = await loggedIn(app);
    expect((await browser.get(`${app.url}/club`)).text).toBe('open');
    expect((await browser.get(`${app.url}/club?out`)).status).toBe(303);
    expect(await shownTo(app, browser)).toMatchObject({ 0: null });
  });

  test('F36 while a page is made that finds what was kept to be over: of() writes nothing back', async () => {
    const clock = testClock();
    const app = await open({
      options: { clock },
      after: (its, identity) =>
        its.get('/slow', (req, res, next) => {
          const kept = identity.of(req)?.kept ?? null;
          endSession(app, req.sessionID).then(() => res.json(kept), next);
        }),
    });
    const browser = await loggedIn(app);
    clock.forward(9 * 3_600_000);
    expect((await browser.get(`${app.url}/slow`)).json()).toBeNull();
    expect(await shownTo(app, browser)).toEqual(nothing);
  });
});

import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { copyOf, idsOf, login, showing, shownTo } from '../support/account.js';
import { type AppSetup, type Running, startApp } from '../support/app.js';
import { gate } from '../support/callbacks.js';
import { decide } from '../support/wallet.js';

type WithSession = { session: Record<string, unknown> };

const nothing = [null, null, null, null];

const setup: AppSetup = {
  options: {
    keep: () => 'own',
    requests: { named: { reveal: ['family_name'], keep: () => 'named' } },
    onSuccess: ({ req, result }: { req: WithSession; result: { request: string } }) => {
      req.session['note'] = `of ${result.request}`;
    },
  },
  before: login(),
  after: showing(['user', 'note'], 'named'),
};

async function open(more: AppSetup = {}): Promise<Running> {
  return await startApp({ ...setup, ...more, options: { ...setup.options, ...more.options } });
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

  test('F43 returns one after the other, in either order: neither sees what belongs to the other', async () => {
    for (const order of ['first', 'second'] as const) {
      const app = await open();
      const { first, second, back, other } = await planted(app);
      const [one, two] = order === 'first' ? [first, second] : [second, first];
      const [its, theirs] = order === 'first' ? [back, other] : [other, back];
      await one.visit(its);
      expect((await two.visit(theirs)).status).toBe(403);
      expect(await shownTo(app, two)).toEqual(nothing);
      const own = order === 'first' ? [null, 'of default', 'own', null] : [null, 'of named', null, 'named'];
      expect(await shownTo(app, one)).toEqual(own);
    }
  });

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
  ];

  test.each(spellings)('F44 during a start whose body comes slowly, the cookie %s', async (_, spell) => {
    const app = await open();
    const browser = app.browser();
    await browser.post(`${app.url}/login`);
    const cookie = `connect.sid=${spell(browser.cookies.get('connect.sid') ?? '')}`;
    const [id = ''] = idsOf(app);
    const { port } = new URL(app.url);
    const socket = connect(Number(port), '127.0.0.1');
    let reply = '';
    socket.setEncoding('utf8').on('data', (part: string) => (reply += part));
    const ended = new Promise((resolve) => socket.on('close', resolve));
    const body = 'returnTo=%2Fclub';
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
    socket.write(
      [
        'POST /identity/start HTTP/1.1',
        `Host: 127.0.0.1:${port}`,
        'Connection: close',
        'Sec-Fetch-Site: same-origin',
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${body.length}`,
        `Cookie: ${cookie}`,
        '',
        body.slice(0, 4),
      ].join('\r\n'),
    );
    await arrived;
    await new Promise((resolve) => app.sessions.destroy(id, resolve)); // another tab logs out
    socket.write(body.slice(4));
    await ended;
    expect(reply).toContain('HTTP/1.1 303');
    expect(idsOf(app)).not.toContain(id);
    expect(await shownTo(app, browser)).toEqual(nothing);
  });

  test.each(spellings)('F44 during onSuccess, the cookie %s', async (_, spell) => {
    let id = '';
    const app = await open({
      session: { resave: true, rolling: true },
      options: {
        onSuccess: async () => {
          await new Promise((resolve) => app.sessions.destroy(id, resolve));
        },
      },
    });
    const browser = app.browser();
    await browser.post(`${app.url}/login`);
    const back = await app.toReturn(browser);
    [id = ''] = idsOf(app);
    browser.cookies.set('connect.sid', spell(browser.cookies.get('connect.sid') ?? ''));
    const shown = await browser.get(back);
    expect([shown.status, shown.headers.getSetCookie()]).toEqual([200, []]);
    expect(idsOf(app)).toEqual([]);
  });
});

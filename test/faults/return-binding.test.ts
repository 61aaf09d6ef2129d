import { describe, expect, test } from '@jest/globals';
import { me, showing, shownTo } from '../support/account.js';
import { type AppSetup, type Running, startApp, testClock, throws } from '../support/app.js';
import { type Browser, createBrowser } from '../support/browser.js';
import { decide } from '../support/wallet.js';

interface Told {
  readonly succeeded: unknown[];
  readonly errors: string[];
}

const withLogin: AppSetup = {
  options: { subject: (req: { session: { user?: string } }) => req.session.user },
  before: (app) =>
    app.post('/login/:name', (req, res) => {
      Object.assign(req.session, { user: req.params.name });
      res.end();
    }),
};

describe('binding to the browser', () => {
  async function open(setup: AppSetup = {}): Promise<Running & Told> {
    const succeeded: unknown[] = [];
    const errors: string[] = [];
    const app = await startApp({
      ...setup,
      options: {
        keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name,
        onSuccess: ({ result }: { result: unknown }) => void succeeded.push(result),
        onError: ({ error, step }: { error: { code: string }; step: string }) =>
          void errors.push(`${step} ${error.code}`),
        ...setup.options,
      },
      after: (app, identity) => {
        me(app, identity);
        setup.after?.(app, identity);
      },
    });
    return { ...app, succeeded, errors };
  }

  const keptBy = async (app: Running, browser: Browser): Promise<unknown> =>
    (await browser.get(`${app.url}/me`)).json();

  test('F1 the code without the session releases nothing', async () => {
    const app = await open();
    const { back } = await app.waiting();
    const stranger = app.browser();
    expect((await stranger.visit(back)).status).toBe(403);
    expect([await keptBy(app, stranger), app.succeeded]).toEqual([null, []]);
  });

  test('F1 the session without the code releases nothing, and the right code still does', async () => {
    const app = await open();
    const { browser, back } = await app.waiting();
    const [id] = codeOf(back).split('.');
    const guessed = await browser.visit(`${app.url}/identity/return?code=${id}.${'A'.repeat(43)}`);
    expect(guessed.status).toBe(403);
    expect(app.succeeded).toEqual([]);
    expect((await browser.get(back)).status).toBe(303);
    expect(await keptBy(app, browser)).toBe('Erika');
  });

  test('F1 of a flow that is not its own a browser learns nothing: every refusal shows one and the same page', async () => {
    const app = await open();
    const owner = app.browser();
    const back = await app.toReturn(owner);
    const [id] = codeOf(back).split('.');
    const at = (code: string): string => `${app.url}/identity/return?code=${code}`;
    const stranger = app.browser();
    const pages = [
      await stranger.visit(at(`${'A'.repeat(43)}.${'A'.repeat(43)}`)), // no flow
      await stranger.visit(at(`${id}.${'A'.repeat(43)}`)), // a flow, and another code
      await stranger.visit(back), // which ends it
      await stranger.visit(back), // a flow that has ended
    ];
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const incomplete = [
      await stranger.visit(at('nonsense')),
      await stranger.visit(`${app.url}/identity/return`),
      await stranger.visit(`${at('A'.repeat(43))}&code=${'A'.repeat(43)}`),
    ];
    expect(new Set(incomplete.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await owner.visit(back)).status).toBe(403);
  });

  test('F59 of several questions, another browser is led to the one whose code was right, in each language', async () => {
    const questions = { age: { reveal: ['birth_date'] }, vote: { reveal: ['given_name'] } };
    const setUp = { reveal: undefined, keep: undefined, questions };
    const app = await startApp({ options: setUp });
    const owner = app.browser();
    const { location = '' } = await owner.post(`${app.url}/identity/start/vote?returnTo=/private`);
    const back = await decide(location, 'approve');
    const stranger = app.browser();
    const at = (code: string): string => `${app.url}/identity/return?code=${code}`;
    const guessed = await stranger.visit(at(`${codeOf(back).split('.')[0]}.${'A'.repeat(43)}`));
    expect([guessed.status, buttonOf(guessed.text)]).toEqual([403, '/']);
    const refused = await stranger.visit(back);
    expect([refused.status, buttonOf(refused.text)]).toEqual([403, '/identity/start/vote']);
    expect(refused.text).not.toContain('private');
    const inGerman = await stranger.get(
      `${app.url}/identity/return?error=return_code_invalid&question=vote&lang=de`,
    );
    expect(refused.text).toContain(
      '/identity/return?error=return_code_invalid&amp;question=vote&amp;lang=de"',
    );
    expect(buttonOf(inGerman.text)).toBe('/identity/start/vote?lang=de');
    const page = await stranger.get(app.url + buttonOf(inGerman.text));
    expect([page.status, page.text.includes('Vorname')]).toEqual([200, true]);
    for (const name of ['constructor', '<b>', 'none', 'vote&question=vote']) {
      const address = `${app.url}/identity/return?error=return_code_invalid&question=${name}`;
      expect(buttonOf((await stranger.get(address)).text)).toBe('/');
    }
  });

  test("F2 the victim completes the attacker's flow: nobody gets data, and the code is revoked", async () => {
    const app = await open();
    const attacker = app.browser();
    const back = await app.toReturn(attacker); // the victim's wallet, from the attacker's link
    const victim = app.browser();
    expect((await victim.visit(back)).status).toBe(403);
    expect(app.errors).toEqual(['return return_wrong_browser']);
    expect((await attacker.visit(back)).status).toBe(403); // passing the address on is useless too
    expect([await keptBy(app, attacker), await keptBy(app, victim), app.succeeded]).toEqual([null, null, []]);
    expect(app.errors).toEqual(['return return_wrong_browser']);
  });

  test('F3 the attacker completes with his own identity and sends the address to the victim: refused', async () => {
    const app = await open();
    const back = await app.toReturn(app.browser());
    const victim = app.browser();
    await app.start(victim); // the victim has a flow of her own under way
    expect((await victim.visit(back)).status).toBe(403);
    expect(await keptBy(app, victim)).toBeNull();
    expect(app.succeeded).toEqual([]);
  });

  test('F4 two returns at once run onSuccess once, and both end in the app', async () => {
    const app = await open();
    const { browser, back } = await app.waiting();
    const both = await Promise.all([browser.visit(back), browser.visit(back)]);
    expect(both.map((it) => it.url)).toEqual([`${app.url}/`, `${app.url}/`]);
    expect(app.succeeded).toHaveLength(1);
    expect(await keptBy(app, browser)).toBe('Erika');
  });

  test('F4 after the release the address releases nothing more, to nobody', async () => {
    const app = await open();
    const { browser, back } = await app.waiting();
    await browser.get(back);
    expect((await browser.get(back)).status).toBe(303);
    expect(app.succeeded).toHaveLength(1);
    const stranger = app.browser();
    expect((await stranger.visit(back)).status).toBe(403);
    expect(await keptBy(app, stranger)).toBeNull();
    expect((await browser.get(back)).status).toBe(303); // a confirmed flow is not revoked
    expect(app.errors).toEqual([]);
  });

  test('F4 an onSuccess that throws leaves the code usable, keeps nothing and shuts the guard', async () => {
    let broken = true;
    const ids: string[] = [];
    const app = await open({
      options: {
        onSuccess: ({ result }: { result: { receipt: { id: string } } }) => {
          ids.push(result.receipt.id);
          if (broken) throw new Error('The database is away');
        },
      },
    });
    const { browser, back } = await app.waiting();
    const failed = await browser.get(back);
    expect(failed.status).toBe(500);
    expect(failed.text).toContain('Try again');
    expect(await keptBy(app, browser)).toBeNull();
    expect(app.errors).toEqual(['return hook_failed']);
    broken = false;
    expect((await browser.get(back)).status).toBe(303);
    expect(await keptBy(app, browser)).toBe('Erika');
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('F4 an onSuccess that refuses ends the flow for good', async () => {
    let runs = 0;
    const onSuccess = () => ({ refuse: `too_young_${(runs += 1)}` });
    const app = await open({ options: { onSuccess } });
    const { browser, back } = await app.waiting();
    const refused = await browser.get(back);
    const address = expect.stringContaining('/identity/return?error=refused&flow=');
    expect([refused.status, refused.location]).toEqual([303, address]);
    expect(app.errors).toEqual(['return refused']);
    expect((await browser.visit(back)).status).toBe(403);
    expect(runs).toBe(1);
    expect(await keptBy(app, browser)).toBeNull();
  });

  test('F4 after a keep that throws, onSuccess runs again with the same receipt', async () => {
    let broken = true;
    const app = await open({ options: { keep: () => (broken ? throws()() : 'kept') } });
    const { browser, back } = await app.waiting();
    expect((await browser.get(back)).status).toBe(500);
    broken = false;
    expect((await browser.get(back)).status).toBe(303);
    const receipts = app.succeeded.map((it) => (it as { receipt: { id: string } }).receipt.id);
    expect([receipts.length, new Set(receipts).size]).toEqual([2, 1]);
    expect(await keptBy(app, browser)).toBe('kept');
  });

  test('F5 /status says a state and nothing else, to the owning session only', async () => {
    const clock = testClock();
    const app = await open({ options: { clock } });
    const browser = app.browser();
    const { flowId, redirectUrl } = await begin(app, browser);
    const status = async (by = browser, flow = flowId): Promise<[number, unknown]> => {
      const shown = await by.get(`${app.url}/identity/status?flow=${flow}`);
      return [shown.status, shown.json()];
    };
    expect(await status()).toEqual([200, { status: 'pending' }]);
    const back = await decide(redirectUrl, 'approve');
    expect(await status()).toEqual([200, { status: 'verified' }]);
    const notYours = await status(app.browser());
    expect(notYours).toMatchObject([404, { error: 'state_unknown' }]);
    expect(await status(browser, 'A'.repeat(43))).toEqual(notYours);
    await browser.get(back);
    expect(await status()).toEqual([200, { status: 'confirmed' }]);
    const { flowId: next } = await begin(app, browser);
    clock.forward(11 * 60_000);
    expect(await status()).toEqual([200, { status: 'confirmed' }]); // the session tells of what has ended
    expect(await status(browser, next)).toEqual([200, { status: 'expired', start: '/identity/start' }]);
  });

  test("F7 a return in another browser: the first tab's status says failed and offers a new start", async () => {
    const app = await open();
    const browser = app.browser();
    const { flowId, redirectUrl } = await begin(app, browser);
    await app.browser().visit(await decide(redirectUrl, 'approve'));
    const shown = await browser.get(`${app.url}/identity/status?flow=${flowId}`);
    expect(shown.json()).toEqual({ status: 'failed', start: '/identity/start' });
  });

  test('F8 release: a new session id, its data and cookie lifetime kept, a clean URL, no-store', async () => {
    const app = await open({
      before: (app) => {
        app.post('/login', (req, res) => {
          Object.assign(req.session, { user: 'account-1' });
          req.session.cookie.maxAge = 86_400_000;
          res.end();
        });
        app.get('/user', (req, res) => {
          const { user, cookie } = req.session as typeof req.session & { user?: string };
          // express-session counts it back from the moment of expiry, a millisecond later perhaps.
          res.json({ user, seconds: Math.round((cookie.originalMaxAge ?? 0) / 1_000) });
        });
      },
    });
    const browser = app.browser();
    await browser.post(`${app.url}/login`);
    const back = await app.toReturn(browser);
    const before = browser.cookies.get('connect.sid');
    const done = await browser.get(back);
    expect(browser.cookies.get('connect.sid')).not.toBe(before);
    expect(done.headers.get('set-cookie')).toMatch(/Expires=/);
    expect(done.location).toBe(`${app.url}/`);
    expect(done.headers.get('cache-control')).toBe('no-store');
    expect(done.headers.get('referrer-policy')).toBe('no-referrer');
    expect((await browser.get(`${app.url}/user`)).json()).toEqual({ user: 'account-1', seconds: 86_400 });
    const stolen = createBrowser();
    stolen.cookies.set('connect.sid', before ?? '');
    expect(await keptBy(app, stolen)).toBeNull();
  });

  test('F8 what onSuccess writes into the session comes along', async () => {
    const app = await open({
      options: {
        onSuccess: ({ req }: { req: { session: { member?: boolean } } }) => {
          req.session.member = true;
        },
      },
      after: showing(['member']),
    });
    const browser = await app.released();
    expect(await shownTo(app, browser)).toEqual([true, 'Erika']);
  });

  test.each([{ saveUninitialized: false }, { saveUninitialized: true, resave: true, rolling: true }])(
    'F9 a Strict cookie that stays behind: one reload on the same site, no cookie set, then released (%o)',
    async (session) => {
      const app = await open({ session });
      const { browser, back } = await app.waiting();
      const crossSite = createBrowser(); // the same browser, whose Strict cookie does not come along
      const reload = await crossSite.get(back);
      expect(reload.status).toBe(200);
      expect(reload.headers.getSetCookie()).toEqual([]);
      const next = /content="0;url=([^"]+)"/.exec(reload.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      expect(next).toMatch(/^\/identity\/return\?code=.+&reload=1$/);
      const done = await browser.get(`${app.url}${next}`);
      expect([done.status, done.location]).toEqual([303, `${app.url}/`]);
      expect(await keptBy(app, browser)).toBe('Erika');
    },
  );

  test('F9 only a second return revokes a code, and only a code of the right form gets a reload', async () => {
    const app = await open();
    const { browser, back } = await app.waiting();
    const stranger = createBrowser();
    expect((await stranger.get(back)).status).toBe(200);
    expect((await stranger.get(back)).status).toBe(200);
    expect((await stranger.get(`${app.url}/identity/return?code=abc`)).status).toBe(403);
    expect(app.errors).toEqual([]);
    expect((await browser.get(back)).status).toBe(303);
  });

  test.each([
    ['no session, after one step from this site', '1', false, 200],
    ['no session, after two', '2', false, 403],
    ['a session that is there, after one', '1', true, 403],
  ])('F9 a browser with %s: what it may revoke', async (_, reloads, hasSession, status) => {
    const app = await open(withLogin);
    const owner = app.browser();
    const back = await app.toReturn(owner);
    const stranger = app.browser();
    if (hasSession) await stranger.post(`${app.url}/login/a`);
    const answer = await stranger.get(`${back}&reload=${reloads}`);
    expect(answer.status).toBe(status);
    expect(answer.text.includes('reload=2')).toBe(status === 200);
    expect(app.errors).toEqual(status === 200 ? [] : ['return return_wrong_browser']);
    expect((await owner.get(back)).status).toBe(status === 200 ? 303 : 403);
  });

  test('F65 a session that was replaced while its browser was on the way has revoked nothing', async () => {
    const app = await open(withLogin);
    const browser = app.browser();
    const [one, two] = [await app.toReturn(browser), await app.toReturn(browser)];
    const before = new Map(browser.cookies);
    expect((await browser.get(one)).status).toBe(303);
    const late = createBrowser();
    for (const [name, value] of before) late.cookies.set(name, value);
    expect((await late.get(`${two}&reload=1`)).status).toBe(200);
    expect(app.errors).toEqual([]);
    expect((await browser.get(`${two}&reload=2`)).status).toBe(303);
  });

  test('F40 another person is logged in at the return: nothing is released', async () => {
    const app = await open(withLogin);
    const browser = app.browser();
    await browser.post(`${app.url}/login/a`);
    const back = await app.toReturn(browser);
    await browser.post(`${app.url}/login/b`);
    expect((await browser.visit(back)).status).toBe(403);
    expect(app.errors).toEqual([]);
    expect(app.events.at(-1)).toMatchObject({ type: 'return.refused', code: 'subject_changed' });
    expect(app.succeeded).toEqual([]);
    expect(await keptBy(app, browser)).toBeNull();
  });

  test('F40 nobody at the start and somebody at the return: nothing is released', async () => {
    const app = await open(withLogin);
    const { browser, back } = await app.waiting();
    await browser.post(`${app.url}/login/a`);
    const shown = await browser.visit(back);
    expect([shown.status, shown.text.includes('The login has changed')]).toEqual([403, true]);
    expect([app.succeeded, await keptBy(app, browser)]).toEqual([[], null]);
  });
});

async function begin(app: Running, browser: Browser): Promise<{ flowId: string; redirectUrl: string }> {
  const begun = await browser.post(`${app.url}/identity/start`, {}, { accept: 'application/json' });
  return begun.json() as { flowId: string; redirectUrl: string };
}

function codeOf(back: string): string {
  return new URL(back).searchParams.get('code') ?? '';
}

/** Where the page leads that says "start again". */
const buttonOf = (text: string): string =>
  /<a class="button other" href="([^"]+)">/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

import { describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { MemoryStore } from 'express-session';
import { memoryStore } from '../../lib/stores/memory.js';
import { idsOf, showing, shownTo } from '../support/account.js';
import {
  type AppSetup,
  type Identity,
  type Running,
  appSecret,
  identityWith,
  openSandbox,
  sentStates,
  startApp,
} from '../support/app.js';
import type { Browser } from '../support/browser.js';
import { deployed, seenBy } from '../support/deployments.js';
import { listen } from '../support/lines.js';
import { inMode } from '../support/mode.js';
import { decide } from '../support/wallet.js';
import { deep } from '../support/deep.js';

type Data = Record<string, unknown>;

const dataOf = (app: Running): Data => {
  const [text = '{}'] = Object.values(app.stored());
  return JSON.parse(text) as Data;
};

/** Changes what is stored of the one session that there is. */
function put(app: Running, change: (data: Data) => object): void {
  const [id = ''] = idsOf(app);
  app.stored()[id] = JSON.stringify(change(dataOf(app)));
}

/** Another factory of this app, with its own pages. */
function withSecond(app: Running, logger: ReturnType<typeof listen>['logger'] | false = false): Identity {
  const second = identityWith({
    ...app.sandbox.options,
    appUrl: app.url,
    reveal: ['given_name'],
    keep: () => 'second',
    path: '/second',
    logger,
    secret: appSecret,
  });
  app.app.use('/second', second);
  app.app.get('/second-of', (req, res) => void res.json(second.of(req)?.kept ?? null));
  app.app.post('/second-forget', (req, res, next) => void second.forget(req).then(() => res.end(), next));
  return second;
}

/** Start and wallet of that factory. */
async function toSecondReturn(app: Running, browser: Browser): Promise<string> {
  app.sandbox.redirectUrl = `${app.url}/second/callback`;
  const { location = '' } = await browser.post(`${app.url}/second/start?form=kit`);
  const back = await decide(location, 'approve');
  app.sandbox.redirectUrl = `${app.url}/identity/callback`;
  return back;
}

const kept = { name: 'Erika', adult: true };
const own = 'pidgate /identity';
const notOpened = /^warn pidgate: What a session keeps does not open/;

/** An app whose question keeps a name and a yes, and what its log was told. */
async function open(setup: AppSetup = {}) {
  const { lines, logger } = listen();
  const app = await startApp({
    ...setup,
    options: { keep: () => kept, logger, ...setup.options },
    after: (its, identity) => {
      its.get('/of', (req, res) => void res.json(identity.of(req)?.kept ?? null));
      setup.after?.(its, identity);
    },
  });
  const of = async (browser: Browser): Promise<unknown> => (await browser.get(`${app.url}/of`)).json();
  return { app, of, lines };
}

describe('F160 what is kept is sealed', () => {
  test('F160 nothing of it, no state and no receipt is to be read in either store, at any step', async () => {
    const sent = sentStates();
    const dumps: string[] = [];
    const store = memoryStore();
    const values: string[] = [];
    for (const name of ['create', 'replace'] as const) {
      const call = store[name] as (...args: unknown[]) => Promise<boolean>;
      Object.assign(store, {
        [name]: async (...args: unknown[]) => {
          values.push(args.map(String).join(' '));
          return await call(...args);
        },
      });
    }
    let receipt = { id: '', number: '' };
    const { app, of } = await open({
      options: {
        store,
        fetch: sent.fetch,
        subject: () => 'marker-anna',
        onSuccess: ({ result }: { result: { receipt: typeof receipt } }) => {
          dumps.push(JSON.stringify(app.stored()));
          ({ receipt } = result);
        },
      },
    });
    const browser = app.browser();
    const wallet = await app.start(browser, '?returnTo=/somewhere');
    dumps.push(JSON.stringify(app.stored()));
    const back = await decide(wallet, 'approve');
    dumps.push(JSON.stringify(app.stored()));
    await browser.get(back);
    dumps.push(JSON.stringify(app.stored()));
    await app.start(browser, '?returnTo=/somewhere');
    dumps.push(JSON.stringify(app.stored()), ...values);
    expect(await of(browser)).toEqual(kept);
    expect([sent.states.length, receipt.id.length > 10, values.length > 3]).toEqual([2, true, true]);
    const words = [
      'Erika',
      '1964-08-12',
      'adult',
      'name',
      'somewhere',
      'marker-anna',
      'xx-sandbox',
      'default',
    ];
    for (const word of [...words, ...sent.states, receipt.id, receipt.number]) {
      for (const dump of dumps) expect(dump).not.toContain(word);
    }
  });

  test('F160 it is one text, beside an owner and a mark, and shorter than it was in clear', async () => {
    const { app } = await open({ options: { keep: () => ({ adult: true }) } });
    await app.released();
    const { cookie: _cookie, ...data } = dataOf(app);
    expect(data).toEqual({
      pidgate: { owner: expect.stringMatching(/^[\w-]{43}$/), mark: expect.stringMatching(/^[\w-]{22}$/) },
      [own]: expect.stringMatching(/^[\w-]+$/),
    });
    expect(JSON.stringify(dataOf(app)).length).toBeLessThan(676);
  });

  test('F160 of() gives a copy: what a route does with it is in no session', async () => {
    const { app, of } = await open({
      after: (its, identity) => {
        its.get('/change', (req, res) => {
          Object.assign(identity.of(req)?.kept as object, { name: 'Mallory' });
          (req.session as unknown as Data)['seen'] = true;
          res.json(identity.of(req)?.kept);
        });
      },
    });
    const browser = await app.released();
    expect((await browser.get(`${app.url}/change`)).json()).toEqual(kept);
    expect([await of(browser), dataOf(app)['seen']]).toEqual([kept, true]);
  });
});

describe('F160 what does not open counts as nothing kept', () => {
  const swapped = (text: string, at: number): string =>
    `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
  const textOf = (data: Data): string => String(data[own]);

  test.each<[string, (data: Data) => object]>([
    ['its first character changed', (data) => ({ ...data, [own]: swapped(textOf(data), 0) })],
    ['one in its middle changed', (data) => ({ ...data, [own]: swapped(textOf(data), 100) })],
    ['its last one changed', (data) => ({ ...data, [own]: swapped(textOf(data), textOf(data).length - 1) })],
    ['one character less', (data) => ({ ...data, [own]: textOf(data).slice(1) })],
    [
      'another mark',
      (data) => ({ ...data, pidgate: { ...(data['pidgate'] as object), mark: 'B'.repeat(22) } }),
    ],
    ['no mark', (data) => ({ ...data, pidgate: { owner: (data['pidgate'] as { owner: string }).owner } })],
    ['nothing beside it', ({ cookie, [own]: text }) => ({ cookie, [own]: text })],
    ['the text of another factory', (data) => ({ ...data, [own]: data['pidgate /second'] })],
    ['what an older version kept', (data) => ({ ...data, [own]: { kept: { default: { until: 9e15 } } } })],
  ])('F160 %s: told once, and the next verification works', async (_, change) => {
    const { app, of, lines } = await open({
      after: (its, identity) => its.get('/club', identity.require(), (_req, res) => void res.send('open')),
    });
    withSecond(app);
    const browser = app.browser();
    expect((await browser.get(await toSecondReturn(app, browser))).status).toBe(303);
    expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
    expect(await of(browser)).toEqual(kept);
    put(app, change);
    const denied = await browser.get(`${app.url}/club`);
    expect([await of(browser), denied.status, lines.length]).toEqual([null, 303, 1]);
    expect(lines[0]).toMatch(notOpened);
    expect((await browser.get(`${app.url}/identity/start`)).status).toBe(200);
    expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
    expect([await of(browser), (await browser.get(`${app.url}/club`)).status, lines.length]).toEqual([
      kept,
      200,
      1,
    ]);
  });

  deep.test(
    'F160 with each of its characters changed in turn: nothing of it opens, and it is told once',
    async () => {
      const { app, of, lines } = await open();
      const browser = await app.released();
      const whole = dataOf(app);
      const text = textOf(whole);
      for (let at = 0; at < text.length; at += 1) {
        put(app, () => ({ ...whole, [own]: swapped(text, at) }));
        expect([at, await of(browser)]).toEqual([at, null]);
      }
      expect(lines).toEqual([expect.stringMatching(notOpened)]);
      put(app, () => whole);
      expect(await of(browser)).toEqual(kept);
    },
  );

  test('F160 copied to another factory, it is not kept there, where one request reads both', async () => {
    let first: Identity | undefined;
    const { app } = await open({ after: (_, identity) => void (first = identity) });
    const { lines, logger } = listen();
    const second = withSecond(app, logger);
    app.app.get('/both', (req, res) => {
      res.json([first, second].map((identity) => identity?.of(req)?.kept ?? null));
    });
    const browser = await app.released();
    put(app, (data) => ({ ...data, 'pidgate /second': data[own] }));
    expect((await browser.get(`${app.url}/both`)).json()).toEqual([kept, null]);
    expect(lines).toEqual([expect.stringMatching(notOpened)]);
  });

  test('F160 copied into the session of another browser, it is not kept there', async () => {
    const { app, of } = await open();
    const victim = await app.released();
    const [first = ''] = idsOf(app);
    const thief = app.browser();
    await app.start(thief);
    const id = idsOf(app).find((one) => one !== first) ?? '';
    const [mine, theirs] = [id, first].map((one) => JSON.parse(app.stored()[one] ?? '') as Data);
    app.stored()[id] = JSON.stringify({ ...mine, [own]: theirs?.[own] });
    expect([await of(thief), await of(victim)]).toEqual([null, kept]);
    // A whole copy is another thing, and SECURITY.md says so.
    app.stored()[id] = JSON.stringify(theirs);
    expect(await of(thief)).toEqual(kept);
  });
});

describe('F160 the secret changes in four steps, and nobody verifies again', () => {
  const [old, next] = ['an old secret of the app, 32 characters', 'a new secret of the app, 32 characters'];

  test('F160 what was kept under the old one counts until that goes', async () => {
    const sessions = new MemoryStore();
    const options = { keep: () => true };
    const counts = [true, 200];
    const steps = [[old], [old, next], [next, old], [next]];
    const apps = [];
    const { lines, logger } = listen(); // of the last step
    for (const secret of steps) {
      apps.push(await deployed(sessions, { ...options, secret, ...(secret[0] === next && { logger }) }));
    }
    const [first, both, turned, last] = apps as [Running, Running, Running, Running];
    const early = await first.released();
    for (const app of [first, both, turned]) expect(await seenBy(app, early)).toEqual(counts);
    expect(await seenBy(last, early)).toEqual([null, 303]);
    const late = await turned.released();
    for (const app of [turned, last]) expect(await seenBy(app, late)).toEqual(counts);
    // A start seals anew what it leaves.
    await turned.start(early);
    for (const app of [turned, last]) expect(await seenBy(app, early)).toEqual(counts);
    // Whoever has it under the secret that went verifies again.
    const gone = await first.released();
    expect(await seenBy(last, gone)).toEqual([null, 303]);
    expect((await gone.get(await last.toReturn(gone))).status).toBe(303);
    expect(await seenBy(last, gone)).toEqual(counts);
    expect(lines).toEqual([expect.stringMatching(notOpened)]);
  });

  test('F160 in an app with several questions each counts at each step', async () => {
    const sessions = new MemoryStore();
    const questions = { age: { reveal: ['birth_date'], keep: () => 'AGE' } };
    const options = { keep: () => 'NAME', questions };
    const [first, turned] = [
      await deployed(sessions, { ...options, secret: [old] }),
      await deployed(sessions, { ...options, secret: [next, old] }),
    ];
    for (const app of [first, turned]) showing([], 'age')(app.app, app.identity);
    const browser = await first.released();
    const { location = '' } = await browser.post(`${turned.url}/identity/start/age`);
    expect((await browser.get(await decide(location, 'approve'))).status).toBe(303);
    expect(await shownTo(turned, browser)).toEqual(['NAME', 'AGE']);
    expect(await shownTo(first, browser)).toEqual([null, null]);
  });
});

describe('F160 forget of one factory leaves what another one has kept', () => {
  type Hook = (second: Identity, req: Request) => Promise<unknown>;

  /** A browser for which both factories have kept something. `hook` runs in a later return of the first one. */
  async function two(hook?: Hook) {
    let isHooked = false;
    const made: { second?: Identity } = {};
    const { app, of } = await open({
      options: {
        onSuccess: async ({ req }: { req: Request }) => {
          if (isHooked && made.second !== undefined) await hook?.(made.second, req);
        },
      },
      after: (its, identity) => {
        its.post('/forget', (req, res, next) => void identity.forget(req).then(() => res.end(), next));
      },
    });
    const second = (made.second = withSecond(app));
    const browser = app.browser();
    expect((await browser.get(await toSecondReturn(app, browser))).status).toBe(303);
    expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
    const both = async (): Promise<unknown> => [
      await of(browser),
      (await browser.get(`${app.url}/second-of`)).json(),
    ];
    expect(await both()).toEqual([kept, 'second']);
    isHooked = true;
    return { app, browser, both, second };
  }

  test('F160 called in a route, by either; the mark stays', async () => {
    const { app, browser, both } = await two();
    const { mark } = dataOf(app)['pidgate'] as { mark: string };
    await browser.post(`${app.url}/forget`);
    expect(await both()).toEqual([null, 'second']);
    await browser.get(await app.toReturn(browser));
    expect(await both()).toEqual([kept, 'second']);
    await browser.post(`${app.url}/second-forget`);
    expect([await both(), dataOf(app)['pidgate']]).toMatchObject([[kept, null], { mark }]);
  });

  test.each<[string, (data: Data) => object]>([
    ['nobody writes meanwhile', (data) => data],
    ['another request writes meanwhile', (data) => ({ ...data, basket: 1 })],
  ])("F160 called in the other's hook, where %s", async (_, change) => {
    const hook: Hook = async (second, req) => {
      await second.forget(req);
      put(app, change);
    };
    const { app, browser, both } = await two(hook);
    await browser.get(await app.toReturn(browser));
    expect(await both()).toEqual([kept, null]);
  });

  test('F160 what the hook leaves alone is as it is stored now, and is not opened', async () => {
    const hook: Hook = async () => {
      put(app, (data) => ({ ...data, 'pidgate /second': 'stored meanwhile, of the other factory' }));
      await Promise.resolve();
    };
    const { app, browser, both } = await two(hook);
    await browser.get(await app.toReturn(browser));
    expect(dataOf(app)['pidgate /second']).toBe('stored meanwhile, of the other factory');
    expect(await both()).toEqual([kept, null]);
  });

  test("F160 a log-in of the hook that carries the session's members along, as passport's does", async () => {
    const hook: Hook = async (_second, req) => {
      const { cookie: _cookie, ...data } = JSON.parse(JSON.stringify(req.session)) as Data;
      await new Promise((resolve) => req.session.regenerate(resolve));
      Object.assign(req.session, data, { user: 'erika' });
    };
    const { app, browser, both } = await two(hook);
    await browser.get(await app.toReturn(browser));
    expect([await both(), dataOf(app)['user']]).toEqual([[kept, 'second'], 'erika']);
  });
});

describe('F160 an app without the option secret', () => {
  class OtherStore extends MemoryStore {}

  test.each([
    ['production', OtherStore, 1],
    ['production', MemoryStore, 0],
    ['test', OtherStore, 0],
  ])(
    'F160 hears at its first start that what is kept ends with the process: %s',
    async (mode, Store, told) => {
      const { lines, logger } = listen();
      const sandbox = await openSandbox();
      const options = {
        logger,
        secret: undefined,
        issuer: 'xx-test',
        trust: { 'xx-test': () => ({ valid: false, reason: 'Never.' }) },
        fetch: async () =>
          await Promise.resolve(Response.json({ success: true, redirect_url: 'https://wallet.example/' })),
      };
      const app = await inMode(
        mode,
        async () => await startApp({ sandbox, session: { store: new Store() }, options }),
      );
      for (const _time of [1, 2]) await app.start(app.browser());
      expect(lines.filter((line) => line.includes('there is no option secret'))).toHaveLength(told);
    },
  );
});

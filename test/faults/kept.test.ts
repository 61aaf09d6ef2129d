import { MemoryStore } from 'express-session';
import { describe, expect, test } from '@jest/globals';
import { ask, memoryStore } from '../../lib/index.js';
import { configured } from '../options/settings.js';
import { type TestClock, testClock } from '../support/clock.js';
import { deployed, seenBy } from '../support/deployments.js';
import { openedSession, openedSessions, sealedSession } from '../support/sealed.js';
import { storeAround } from '../support/stores.js';

const hour = 3_600_000;

/** The app before, or after, a new version of it was deployed. */
const deploy = async (sessions: MemoryStore, clock: TestClock, options: object) =>
  await deployed(sessions, { clock, keep: () => ({ adult: true }), ...options });

const counts = [{ adult: true }, 200];
const gone = [null, 303];

describe('F70 what was kept counts until the earlier of its own end and keepFor of now', () => {
  test.each([
    ['shorter', '30d', '1h', hour],
    ['longer', '1h', '30d', hour],
    ['the same', '1h', '1h', hour],
    ['milliseconds', '1h', 1, 1],
  ])('F70 a new version whose keepFor is %s', async (_name, then, now, until) => {
    const clock = testClock();
    const sessions = new MemoryStore();
    const before = await deploy(sessions, clock, { keepFor: then });
    const browser = await before.released();
    const after = await deploy(sessions, clock, { keepFor: now });
    clock.forward(until - 1);
    expect(await seenBy(after, browser)).toEqual(counts);
    clock.forward(1);
    expect(await seenBy(after, browser)).toEqual(gone);
  });

  test('F70 it is counted from the release, not from the verification', async () => {
    const clock = testClock();
    const app = await deploy(new MemoryStore(), clock, { keepFor: '1h' });
    const { browser, back } = await app.waiting();
    clock.forward(60_000);
    await browser.get(back);
    clock.forward(hour - 1);
    expect(await seenBy(app, browser)).toEqual(counts);
    clock.forward(1);
    expect(await seenBy(app, browser)).toEqual(gone);
  });

  test('F70 the next start erases what keepFor of now has ended', async () => {
    const clock = testClock();
    const sessions = new MemoryStore();
    const before = await deploy(sessions, clock, { keepFor: '30d' });
    const browser = await before.released();
    const after = await deploy(sessions, clock, { keepFor: '1h' });
    clock.forward(hour);
    expect(openedSessions(after)).toContain('adult');
    await after.start(browser);
    expect(openedSessions(after)).toContain('"kept":{}');
    expect(await seenBy(before, browser)).toEqual(gone);
  });
});

describe('F70 what is kept is bounded in bytes', () => {
  const { keptBytes } = configured().limits;
  // `["…"]` around the text
  const bytes = (count: number) => () => [`${'ü'.repeat((count - 4) >> 1)}${'x'.repeat(count % 2)}`];

  test.each([
    ['as many bytes as the default', {}, keptBytes, 303],
    ['one byte more', {}, keptBytes + 1, 500],
    ['as many bytes as the app allows', { limits: { keptBytes: 100 } }, 100, 303],
    ['one byte more than that', { limits: { keptBytes: 100 } }, 101, 500],
  ])('F70 %s', async (_name, limits, count, status) => {
    const told: unknown[] = [];
    const onError = ({ error }: { error: Error & { code: string } }): void => {
      told.push(error.code, error.message);
    };
    const options = { ...limits, keep: bytes(count), onError };
    const app = await deploy(new MemoryStore(), testClock(), options);
    const browser = app.browser();
    const shown = await browser.get(await app.toReturn(browser));
    expect(shown.status).toBe(status);
    const most = 'limits' in limits ? 100 : keptBytes;
    expect(told).toEqual(
      status === 303
        ? []
        : ['hook_failed', `keep returned more than limits.keptBytes (${most} bytes as JSON).`],
    );
    expect((await browser.get(`${app.url}/club`)).status).toBe(status === 303 ? 200 : 303);
  });

  test('F70 keep may still return nothing', async () => {
    const app = await deploy(new MemoryStore(), testClock(), {
      keep: () => undefined,
      limits: { keptBytes: 1 },
    });
    const browser = app.browser();
    expect((await browser.get(await app.toReturn(browser))).status).toBe(303);
  });
});

type Given = Readonly<Record<string, unknown>>;

const appAsking = async (options: Given, store: MemoryStore) =>
  await deployed(store, { keep: () => 'kept', ...options });

const never = async () => await Promise.resolve({ valid: false, reason: 'Never.' });
const asked = { reveal: ['given_name', 'birth_date'], derived: { nationality: 'DE' } };

describe('F53 what was kept counts only for the question it was kept for', () => {
  test.each<[string, Given]>([
    ['asks for more', { ...asked, reveal: ['given_name', 'birth_date', 'family_name'] }],
    ['asks for less', { ...asked, reveal: ['given_name'] }],
    ['asks about another nationality', { ...asked, derived: { nationality: 'FR' } }],
    ['asks about no nationality', { reveal: asked.reveal }],
    ['asks another issuer', { ...asked, issuer: 'xx-other', trust: { 'xx-other': never } }],
  ])('F53 not where the app now %s', async (_, now) => {
    const store = new MemoryStore();
    const before = await appAsking(asked, store);
    const browser = await before.released();
    expect(await seenBy(before, browser)).toEqual(['kept', 200]);
    expect(await seenBy(await appAsking(now, store), browser)).toEqual([null, 303]);
  });

  test('F53 the order in which attributes are asked for makes no difference', async () => {
    const store = new MemoryStore();
    const before = await appAsking(asked, store);
    const browser = await before.released();
    const now = await appAsking({ ...asked, reveal: ['birth_date', 'given_name'] }, store);
    expect(await seenBy(now, browser)).toEqual(['kept', 200]);
  });

  test('F53 a rule is no part of it: a new one counts at once, for what was kept before it, too', async () => {
    const store = new MemoryStore();
    const before = await appAsking(asked, store);
    const browser = await before.released();
    const yes = await appAsking({ ...asked, allow: (kept: unknown) => kept === 'kept' }, store);
    expect(await seenBy(yes, browser)).toEqual(['kept', 200]);
    const no = await appAsking({ ...asked, allow: () => false }, store);
    expect(await seenBy(no, browser)).toEqual([null, 403]);
    expect(await seenBy(before, browser)).toEqual(['kept', 200]);
  });

  test('F53 a record without a question, as an older version kept it, does not count', async () => {
    const store = new MemoryStore();
    const app = await appAsking(asked, store);
    const browser = await app.released();
    const [[id, text] = ['', '']] = Object.entries(app.stored());
    const session = JSON.parse(text) as Record<string, unknown>;
    const data = openedSession(app.identity, session) as { kept: { default: unknown[] } };
    const reseal = (): void =>
      void (app.stored()[id] = JSON.stringify(sealedSession(app.identity, data, session)));
    reseal();
    expect(await seenBy(app, browser)).toEqual(['kept', 200]);
    data.kept.default = data.kept.default.filter((place) => !/^[\w-]{43}$/.test(String(place)));
    reseal();
    expect(await seenBy(app, browser)).toEqual([null, 303]);
  });

  test('F53 what a flow brings that began under another question is not counted either', async () => {
    const store = new MemoryStore();
    const before = await appAsking(asked, store);
    const browser = before.browser();
    const back = await before.toReturn(browser);
    await browser.get(back);
    const after = await appAsking({ ...asked, reveal: ['given_name'] }, store);
    expect(await seenBy(after, browser)).toEqual([null, 303]);
    expect(await seenBy(before, browser)).toEqual(['kept', 200]);
  });
});

describe('F159 comparisons that protect against one odd value', () => {
  test('F159 of() shows nothing where the clock gives no time', async () => {
    let isBroken = false;
    const clock = testClock();
    const app = await deploy(new MemoryStore(), clock, {
      clock: () => (isBroken ? new Date(Number.NaN) : clock()),
    });
    const browser = await app.released();
    expect((await browser.get(`${app.url}/me`)).json()).toEqual({ adult: true });
    isBroken = true;
    expect((await browser.get(`${app.url}/me`)).json()).toBeNull();
  });

  test.each([
    ['the verification', 3],
    ['the release', 7],
  ])('F159 %s may be 15 minutes ahead of this clock, and not more', async (_, place) => {
    const clock = testClock();
    const app = await deploy(new MemoryStore(), clock, {});
    const browser = await app.released();
    const [[id, text] = ['', '']] = Object.entries(app.stored());
    const session = JSON.parse(text) as Record<string, unknown>;
    const seenAhead = async (ms: number): Promise<unknown> => {
      const data = openedSession(app.identity, session) as { kept: { default: unknown[] } };
      data.kept.default[place] = clock().getTime() + ms;
      app.stored()[id] = JSON.stringify(sealedSession(app.identity, data, session));
      return await seenBy(app, browser);
    };
    expect(await seenAhead(15 * 60_000)).toEqual(counts);
    expect(await seenAhead(15 * 60_000 + 1)).toEqual(gone);
  });

  test('F159 a return that runs again does not prolong keepFor', async () => {
    const clock = testClock();
    let isClosing = false;
    const store = storeAround(async (call, work) => {
      if (call !== 'replace' || !isClosing) return await work();
      isClosing = false; // the flow is not closed, and the lock is given back
      throw new Error('away');
    }, memoryStore({ clock }));
    let fails = true;
    const app = await deploy(new MemoryStore(), clock, {
      store,
      keepFor: '1h',
      questions: { age: ask({ reveal: ['birth_date'] }) },
      onSuccess: () => {
        isClosing = fails;
        fails = false;
      },
    });
    const { browser, back } = await app.waiting();
    expect((await browser.get(back)).status).toBe(303);
    await browser.get(await app.toReturn(browser, '/age')); // the session knows this one as its last
    clock.forward(5 * 60_000);
    expect((await browser.get(back)).status).toBe(303);
    expect(fails).toBe(false);
    clock.forward(hour - 5 * 60_000 - 1);
    expect(await seenBy(app, browser)).toEqual(counts);
    clock.forward(1);
    expect(await seenBy(app, browser)).toEqual(gone);
  });
});

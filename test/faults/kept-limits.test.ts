import { MemoryStore } from 'express-session';
import { describe, expect, test } from '@jest/globals';
import { type TestClock, testClock } from '../support/clock.js';
import { deployed, seenBy } from '../support/deployments.js';

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
    expect(JSON.stringify(after.stored())).toContain('adult');
    await after.start(browser);
    expect(JSON.stringify(after.stored())).not.toContain('adult');
    expect(await seenBy(before, browser)).toEqual(gone);
  });
});

describe('F70 what is kept is bounded in bytes', () => {
  // `["…"]` around the text
  const bytes = (count: number) => () => [`${'ü'.repeat((count - 4) >> 1)}${'x'.repeat(count % 2)}`];

  test.each([
    ['8 kB', {}, 8 * 1024, 303],
    ['one byte more', {}, 8 * 1024 + 1, 500],
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
    const most = 'limits' in limits ? 100 : 8192;
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

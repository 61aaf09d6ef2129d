import { MemoryStore } from 'express-session';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { memoryStore } from '../../lib/index.js';
import type { Browser } from '../support/browser.js';
import { type CallbackApp, type CallbackSetup, callbackApps, turns, valid } from '../support/callbacks.js';

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
